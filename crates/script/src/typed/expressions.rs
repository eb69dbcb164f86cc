//! Lowers expressions, names, and calls of functions.

use std::ops::{Range, RangeInclusive};

use rhai::{ASTNode, Dynamic, Expr as Syntax, FnCallExpr, Namespace};
use steerbox_core::sim::DrawnKind;

use super::build::{Usage, after, assigned, bool_constant, call, choose, integer, store_temporary};
use super::ir::{Builtin, Expr, Op, Place};
use super::scope::Frame;
use super::{Inferred, Pass, VersionKey, body, place, refuse, refuse_as};
use crate::api::CallForm;
use crate::interpret::imported::Imported;
use crate::syntax::tree::{self, Body};
use crate::types::Kind;

impl Pass<'_> {
    pub(super) fn expr(&mut self, frame: &mut Frame, expr: &Syntax) -> Inferred {
        let value = self.any_expr(frame, expr);
        let value = self.tolerate(value)?;
        self.note(expr, value.of);
        Ok(value)
    }

    fn any_expr(&mut self, frame: &mut Frame, expr: &Syntax) -> Inferred {
        let at = place(expr.position());
        self.grow(1, at)?;
        match expr {
            Syntax::BoolConstant(value, _) => Ok(bool_constant(*value)),
            Syntax::IntegerConstant(value, _) => Ok(Expr::new(Kind::Integer, Op::Integer(*value))),
            Syntax::FloatConstant(value, _) => Ok(Expr::new(Kind::Number, Op::Number(**value))),
            Syntax::StringConstant(text, _) => Ok(Expr::new(Kind::Text, Op::Text(self.text(text)))),
            Syntax::Unit(_) => Ok(Expr::NOTHING),
            Syntax::DynamicConstant(value, _) => self.constant(value, at),
            Syntax::Variable(variable, ..) if !variable.2.is_empty() => {
                let environment = self.environment;
                let file = self.imported(&variable.2, at)?;
                match environment.constant(Some(&file.path), &variable.1) {
                    Some(value) => self.constant(value, at),
                    None => refuse(format!("the name `{}`", variable.1), at),
                }
            }
            Syntax::Variable(variable, ..) => self.name(frame, &variable.1, at),
            Syntax::ThisPtr(_) => refuse("`this` by itself", at),
            Syntax::Stmt(block) => self.block(frame, block.statements(), Usage::Used),
            Syntax::FnCall(call, position) => self.call(frame, call, place(*position)),
            Syntax::Dot(..) | Syntax::Index(..) => self.chain(frame, expr),
            Syntax::And(parts, _) => self.logic(frame, parts, true),
            Syntax::Or(parts, _) => self.logic(frame, parts, false),
            Syntax::Coalesce(parts, _) => self.coalesce(frame, parts, at),
            Syntax::InterpolatedString(..) => {
                self.composed(frame, expr, Kind::Text, "a string that is put together")
            }
            Syntax::CharConstant(..) => refuse("a character", at),
            Syntax::Array(..) => self.composed(frame, expr, Kind::Array, "an array"),
            // Any name may be a property of a map.
            Syntax::Map(..) => self.composed(frame, expr, Kind::Any, "a map"),
            _ => refuse("this expression", at),
        }
    }

    /// Lowers a literal whose kind the compiler does not support, with its elements.
    fn composed(&mut self, frame: &mut Frame, expr: &Syntax, kind: Kind, construct: &str) -> Inferred {
        let parts = if self.is_tolerant() { tree::of_expr(expr) } else { Vec::new() };
        for part in parts {
            if let ASTNode::Expr(part) = part {
                self.expr(frame, part)?;
            }
        }
        refuse_as(kind, construct, place(expr.position()))
    }

    /// Lowers a constant that the script engine could not fold.
    fn constant(&mut self, value: &Dynamic, at: Place) -> Inferred {
        if let Some(vector) = value.read_lock::<glam::Vec3>() {
            return Ok(Expr::new(Kind::Vector, Op::Vector(vector.to_array())));
        }
        if let Ok(value) = value.as_float() {
            return Ok(Expr::new(Kind::Number, Op::Number(value)));
        }
        if let Ok(value) = value.as_int() {
            return Ok(Expr::new(Kind::Integer, Op::Integer(value)));
        }
        if let Ok(value) = value.as_bool() {
            return Ok(bool_constant(value));
        }
        if value.is_unit() {
            return Ok(Expr::NOTHING);
        }
        if let Some(text) = value.read_lock::<rhai::ImmutableString>() {
            return Ok(Expr::new(Kind::Text, Op::Text(self.text(&text))));
        }
        let range = |from, to, of| call(Builtin::MakeRange, "..", vec![integer(from), integer(to)], of);
        if let Some(ends) = value.read_lock::<Range<i64>>() {
            return Ok(range(ends.start, ends.end, Kind::Range));
        }
        if let Some(ends) = value.read_lock::<RangeInclusive<i64>>() {
            return Ok(range(*ends.start(), *ends.end(), Kind::RangeThrough));
        }
        match value.type_name() {
            "array" => refuse_as(Kind::Array, "an array", at),
            "map" => refuse("a map", at),
            _ => refuse("a constant of this type", at),
        }
    }

    fn name(&mut self, frame: &mut Frame, name: &str, at: Place) -> Inferred {
        if let Some((local, _)) = frame.find(name) {
            let of = frame.locals[local];
            let op = match of.kind {
                Kind::Me if !of.maybe => Op::Me,
                Kind::World if !of.maybe => Op::World,
                Kind::Nothing if self.is_reach() => Op::Nothing,
                _ => Op::Local(local),
            };
            return Ok(Expr::new(of, op));
        }
        let environment = self.environment;
        self.reached_constant(name);
        if let Some(drawn) = environment.drawn(self.file.as_deref(), name) {
            let kind = match drawn.kind {
                DrawnKind::Number => Kind::Number,
                DrawnKind::Integer => Kind::Integer,
                DrawnKind::Switch => Kind::Bool,
            };
            return Ok(Expr::new(kind, Op::LoadField(drawn.offset)));
        }
        match environment.constant(self.file.as_deref(), name) {
            Some(value) => self.constant(value, at),
            None => refuse(format!("the name `{name}`"), at),
        }
    }

    /// Lowers `&&` or `||` with short-circuit evaluation.
    fn logic(&mut self, frame: &mut Frame, parts: &[Syntax], all: bool) -> Inferred {
        let mut tests = Vec::with_capacity(parts.len());
        for part in parts {
            let test = self.test(frame, part)?;
            let known = self.known(&test);
            tests.push(known.map_or(test, bool_constant));
            if known == Some(!all) {
                break;
            }
        }
        let mut result = tests.pop().unwrap_or_else(|| bool_constant(all));
        for test in tests.into_iter().rev() {
            result = match test.op {
                Op::Bool(known) if known == all => result,
                Op::Bool(known) => bool_constant(known),
                _ if all => choose(test, result, bool_constant(false)),
                _ => choose(test, bool_constant(true), result),
            };
        }
        Ok(result)
    }

    /// Lowers `a ?? b`: the first value that is not `()`.
    fn coalesce(&mut self, frame: &mut Frame, parts: &[Syntax], at: Place) -> Inferred {
        let Some((first, rest)) = parts.split_first() else {
            return Ok(Expr::NOTHING);
        };
        let value = self.expr(frame, first)?;
        if !value.of.maybe || rest.is_empty() {
            return match value.of.kind {
                Kind::Nothing if !rest.is_empty() => {
                    let rest = self.coalesce(frame, rest, at)?;
                    Ok(Expr::sequence(vec![value, rest]))
                }
                Kind::Any => self.coalesce(frame, rest, at).map(|_| value),
                _ => Ok(value),
            };
        }
        let (of, kind) = (value.of, value.of.kind);
        let kept = frame.temporary(of);
        let read = Expr::new(of, Op::Local(kept));
        let rest = self.coalesce(frame, rest, at)?;
        let test = Expr::new(Kind::Bool, Op::IsNothing(Box::new(read.clone())));
        let certain = Expr::new(kind, Op::Unwrap(Box::new(read)));
        let chosen = self.either(test, rest, certain, Usage::Used, at)?;
        Ok(Expr::sequence(vec![assigned(Op::Set, kept, value), chosen]))
    }

    /// Lowers a call `name(…)`, operators included.
    pub(super) fn call(&mut self, frame: &mut Frame, call: &FnCallExpr, at: Place) -> Inferred {
        if call.is_qualified() {
            let (before, arguments) = self.arguments(frame, &call.args)?;
            let file = Some(self.imported(&call.namespace, at)?.path.clone());
            let bodies = self.bodies;
            let Some(body) = body(bodies, file.as_deref(), &call.name, arguments.len()) else {
                return refuse(format!("the function `{}`", call.name), at);
            };
            return Ok(after(before, self.invoke(body, arguments, at)?));
        }
        if call.op_token.is_some() {
            return self.operator(frame, call, at);
        }
        let arguments = self.arguments(frame, &call.args)?;
        let (before, arguments) = arguments;
        let value = self.apply(&call.name, arguments, at)?;
        Ok(after(before, value))
    }

    /// Returns the arguments in the engine's evaluation order: a variable as the first argument is read last. The
    /// other arguments are stored in temporaries.
    fn arguments(&mut self, frame: &mut Frame, arguments: &[Syntax]) -> Inferred<(Vec<Expr>, Vec<Expr>)> {
        let values = match arguments {
            [first @ Syntax::Variable(..), rest @ ..] => {
                let mut values =
                    rest.iter().map(|argument| self.expr(frame, argument)).collect::<Inferred<Vec<_>>>()?;
                values.insert(0, self.expr(frame, first)?);
                values
            }
            all => (all.iter()).map(|argument| self.expr(frame, argument)).collect::<Inferred<Vec<_>>>()?,
        };
        if !matches!(arguments, [Syntax::Variable(..), _, ..]) || values[1..].iter().all(Expr::is_deferrable)
        {
            return Ok((Vec::new(), values));
        }
        let mut before = Vec::new();
        let values = values.into_iter().enumerate();
        let values = values.map(|(index, value)| match index {
            0 => value,
            _ => store_temporary(frame, &mut before, value),
        });
        let values = values.collect();
        Ok((before, values))
    }

    /// Returns the file that is imported under a name.
    fn imported(&self, namespace: &Namespace, at: Place) -> Inferred<&Imported> {
        let file = self.environment.import(self.file.as_deref(), namespace.root());
        match file.filter(|_| namespace.path.len() == 1) {
            Some(file) => Ok(file),
            None => refuse("a module", at),
        }
    }

    /// Lowers a call of a function of the script or of an imported file.
    fn invoke(&mut self, body: &Body, arguments: Vec<Expr>, place: Place) -> Inferred {
        if arguments.iter().any(|value| value.of.kind == Kind::Never) {
            return Ok(Expr::sequence(arguments));
        }
        if !self.prunes() {
            return Ok(Expr::unknown(Kind::Any));
        }
        let key = VersionKey {
            file: body.file.clone(),
            name: body.name.clone(),
            arguments: arguments.iter().map(|value| value.of).collect(),
            is_entry: false,
        };
        let function = self.version(&key, place)?;
        let of = self.result(&key);
        let op = Op::Invoke { function, arguments };
        Ok(Expr::new(of, op))
    }

    /// Lowers a call of a function of the script or of the API, with lowered arguments.
    pub(super) fn apply(&mut self, name: &str, arguments: Vec<Expr>, at: Place) -> Inferred {
        if arguments.iter().any(|value| value.of.kind == Kind::Never) {
            return Ok(Expr::sequence(arguments));
        }
        let own = body(self.bodies, self.file.as_deref(), name, arguments.len());
        if let Some(own) = own {
            if own.statements.is_empty() {
                // The script engine does not enter an empty function: it counts neither operations nor depth.
                return Ok(after(arguments, Expr::NOTHING));
            }
            return self.invoke(own, arguments, at);
        }
        let types: Vec<_> = arguments.iter().map(|value| value.of.kind.describe()).collect();
        let refused = || format!("a call of `{name}` with ({})", types.join(", "));
        self.row(CallForm::Function, name, arguments, at, refused)
    }
}

impl Expr {
    /// Returns true if evaluation can be delayed: it neither writes nor draws nor fails.
    fn is_deferrable(&self) -> bool {
        self.is_constant() || matches!(self.op, Op::Local(_))
    }
}
