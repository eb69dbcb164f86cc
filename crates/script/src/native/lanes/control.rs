//! Control flow for eight units: every path is executed with the mask of the lanes that take it.

use std::ptr;

use cranelift_codegen::ir::types::{F32, I8, I64};
use cranelift_codegen::ir::{InstBuilder, Type as Machine, Value};

use super::super::emit::machine;
use super::super::formulas::Formulas;
use super::super::operations::{Access, Operations};
use super::EmitLanes;
use super::locals::can_vary;
use super::value::{LaneValue, Parts, Uniform, Varying};
use crate::budget::MAX_CALLS;
use crate::typed::ir::{Builtin, Call, Expr, Op};
use crate::types::{Kind, Type};

/// The maximum number of emitted expressions, which grows with inlining.
const MAX_EXPRESSIONS: usize = 4000;
/// A path above this cost is skipped by a branch if no lane takes it.
pub(super) const MIN_BRANCH_COST: i64 = 24;

impl<'b> EmitLanes<'_, 'b, '_> {
    /// Emits an expression. If it never returns a value, no lane is active afterwards.
    pub(super) fn expr(&mut self, expr: &'b Expr) -> Parts {
        if self.refused {
            return self.zeros(expr.of);
        }
        self.size += 1;
        if self.size > MAX_EXPRESSIONS {
            return self.refuse_value(expr.of);
        }
        let parts = self.emitted(expr);
        if self.refused { self.zeros(expr.of) } else { parts }
    }

    fn emitted(&mut self, expr: &'b Expr) -> Parts {
        match &expr.op {
            Op::Nothing | Op::Me | Op::World => Parts::new(),
            Op::Number(value) => vec![self.number(*value)],
            Op::Integer(value) => match i32::try_from(*value) {
                Ok(value) => vec![Varying(self.integer(value))],
                Err(_) => self.refuse_value(expr.of),
            },
            Op::Bool(value) => vec![self.bool_constant(*value)],
            Op::Text(text) => {
                let text = *text as i64;
                vec![Uniform(self.builder.ins().iconst(I64, text))]
            }
            Op::Vector(parts) => parts.iter().map(|part| self.number(*part)).collect(),
            Op::Local(local) => self.read(*local),
            Op::Set(local, value) => {
                let of = self.local_type(*local);
                let parts = self.expr_as(value, of);
                self.write(*local, parts);
                Parts::new()
            }
            Op::SetPart(local, part, value) => {
                let parts = self.expr_as(value, Kind::Number.into());
                self.write_part(*local, *part, parts[0]);
                Parts::new()
            }
            Op::LoadField(offset) => self.load_field(*offset, expr.of.kind),
            Op::StoreField { offset, value, .. } => self.store_field(*offset, value),
            Op::Sequence(parts) => self.sequence(parts, expr.of),
            Op::If(parts) => self.choice(parts, expr.of),
            Op::Loop(looping) => {
                self.looping(looping);
                Parts::new()
            }
            Op::Continue => {
                self.deactivate();
                Parts::new()
            }
            Op::Break => {
                self.exit_loop();
                Parts::new()
            }
            Op::Return(value) => {
                self.returning(value);
                Parts::new()
            }
            Op::IsNothing(value) => {
                let parts = self.expr(value);
                vec![self.not(parts[0])]
            }
            Op::Unwrap(value) => self.expr(value).split_off(1),
            Op::Call(call) => self.call(call, expr.of),
            Op::Invoke { function, arguments } => self.invoke(*function, arguments),
        }
    }

    /// Emits an expression and widens its value.
    pub(super) fn expr_as(&mut self, expr: &'b Expr, to: Type) -> Parts {
        let parts = self.expr(expr);
        self.widened(parts, expr.of, to)
    }

    fn local_type(&self, local: usize) -> Type {
        self.frames.last().map_or(Type::NOTHING, |frame| frame.function.locals[local])
    }

    fn sequence(&mut self, parts: &'b [Expr], of: Type) -> Parts {
        let mut last = Parts::new();
        for (at, part) in parts.iter().enumerate() {
            last = self.expr(part);
            if part.of.kind == Kind::Never {
                return self.zeros(of);
            }
            if may_continue(part) {
                self.skip_rest_if_none(&parts[at + 1..]);
            }
        }
        last
    }

    /// Skips the rest of an iteration if no lane is active and the rest is expensive.
    fn skip_rest_if_none(&mut self, rest: &[Expr]) {
        let left = rest.iter().map(Expr::cost).sum::<i64>();
        if let Some(next) = self.inner_loops.last().map(|looping| looping.next)
            && left > MIN_BRANCH_COST
            && self.nesting == 1
        {
            let any = self.any_active();
            let on = self.builder.create_block();
            self.builder.ins().brif(any, on, &[], next, &[]);
            self.switch_to_sealed(on);
        }
    }

    /// Tests if any lane is active.
    pub(super) fn any_active(&mut self) -> Value {
        let active = self.value_of(self.active);
        self.any(active)
    }

    /// Tests if any lane of a mask is set.
    pub(super) fn any(&mut self, [low, high]: [Value; 2]) -> Value {
        let any = self.builder.ins().bor(low, high);
        self.builder.ins().vany_true(any)
    }

    /// Deactivates all active lanes.
    pub(super) fn deactivate(&mut self) {
        let none = self.integer(0);
        self.define(self.active, none);
    }

    fn choice(&mut self, [test, body, branch]: &'b [Expr; 3], of: Type) -> Parts {
        let flag = self.expr_as(test, Kind::Bool.into())[0];
        self.choice_by(flag, body, branch, of)
    }

    /// Emits both paths of a choice.
    pub(super) fn choice_by(&mut self, flag: LaneValue, body: &'b Expr, branch: &'b Expr, of: Type) -> Parts {
        if self.refused {
            return self.zeros(of);
        }
        if body.is_plain(of) && branch.is_plain(of) && !machine(of).is_empty() {
            let (yes, no) = (self.expr(body), self.expr(branch));
            return self.chosen(flag, yes, no, of);
        }
        let mask = self.masks(flag);
        let before = self.value_of(self.active);
        let (with, without) = (self.mask_and(before, mask), self.mask_and_not(before, mask));
        let (yes, after_body) = self.path(with, body, of);
        let (no, after_branch) = self.path(without, branch, of);
        let after = self.mask_or(after_body, after_branch);
        self.define(self.active, after);
        match (body.of.kind, branch.of.kind) {
            _ if matches!(of.kind, Kind::Nothing | Kind::Never) => Parts::new(),
            (Kind::Never, _) => no,
            (_, Kind::Never) => yes,
            _ => self.chosen(Varying(mask), yes, no, of),
        }
    }

    /// Blends two values by lane.
    fn chosen(&mut self, flag: LaneValue, yes: Parts, no: Parts, of: Type) -> Parts {
        if !can_vary(of) {
            return self.refuse_value(of);
        }
        let parts = yes.into_iter().zip(no).zip(machine(of));
        parts.map(|((yes, no), of)| self.chosen_part(flag, [yes, no], of)).collect()
    }

    /// Blends one component by lane.
    fn chosen_part(&mut self, flag: LaneValue, [yes, no]: [LaneValue; 2], of: Machine) -> LaneValue {
        if of == F32 {
            return self.select(flag, yes, no);
        }
        let (yes, no) = if of == I8 {
            (self.masks(yes), self.masks(no))
        } else if let (Varying(yes), Varying(no)) = (yes, no) {
            (yes, no)
        } else {
            self.refuse();
            return yes;
        };
        let mask = self.masks(flag);
        Varying(self.blend(mask, yes, no))
    }

    /// Emits a path of a choice with the lanes that take it. Returns its value and the lanes that reach its end.
    fn path(&mut self, lanes: [Value; 2], path: &'b Expr, of: Type) -> (Parts, [Value; 2]) {
        if matches!(path.op, Op::Nothing) && of.kind == Kind::Nothing {
            return (Parts::new(), lanes);
        }
        if self.refused {
            return (self.zeros(of), lanes);
        }
        self.define(self.active, lanes);
        let bound = self.bound();
        self.nesting += 1;
        self.depth += 1;
        let has_value = !matches!(of.kind, Kind::Nothing | Kind::Never);
        let jumps = !has_value
            && (path.cost() > MIN_BRANCH_COST
                || path.any(&|part| matches!(part.op, Op::Loop(_) | Op::Invoke { .. })));
        let mut parts = if has_value {
            self.expr_as(path, of)
        } else if jumps {
            let (on, out) = (self.builder.create_block(), self.builder.create_block());
            let any = self.any_active();
            self.builder.ins().brif(any, on, &[], out, &[]);
            self.switch_to_sealed(on);
            let _ = self.expr(path);
            self.builder.ins().jump(out, &[]);
            self.switch_to_sealed(out);
            Parts::new()
        } else {
            let _ = self.expr(path);
            Parts::new()
        };
        if self.refused && self.size <= MAX_EXPRESSIONS {
            self.refused = false;
            parts = self.fall_back(lanes, of);
        }
        if path.of.kind == Kind::Never {
            self.deactivate();
        }
        self.nesting -= 1;
        self.depth -= 1;
        self.unbind_since(&bound);
        (parts, self.value_of(self.active))
    }

    /// Handles an unsupported construct on a path: the lanes that take it fall back.
    fn fall_back(&mut self, lanes: [Value; 2], of: Type) -> Parts {
        self.end_iterations(lanes);
        let before = self.value_of(self.failed);
        let failed = self.mask_or(before, lanes);
        self.define(self.failed, failed);
        self.deactivate();
        self.zeros(of)
    }

    fn returning(&mut self, value: &'b Expr) {
        if self.frames.len() == 1 {
            self.contribute(value);
        } else if let Some(frame) = self.frames.last() {
            let (of, result) = (frame.function.result, frame.result.clone());
            let parts = self.expr_as(value, of);
            let nesting = std::mem::replace(&mut self.nesting, 1);
            self.write_to(&result, &parts, of);
            self.nesting = nesting;
        }
        let active = self.value_of(self.active);
        self.end_iterations(active);
        self.deactivate();
    }

    /// Inlines a call of one of the script's functions.
    fn invoke(&mut self, function: usize, arguments: &'b [Expr]) -> Parts {
        let ir = self.ir;
        let called = &ir.functions[function];
        // Recursion cannot be inlined.
        if self.frames.len() > MAX_CALLS || self.frames.iter().any(|frame| ptr::eq(frame.function, called)) {
            return self.refuse_value(called.result);
        }
        let mut values = Vec::with_capacity(arguments.len());
        for (argument, of) in arguments.iter().zip(&called.locals) {
            values.push(self.expr_as(argument, *of));
        }
        if self.refused {
            return self.zeros(called.result);
        }
        let before = self.value_of(self.active);
        let nesting = std::mem::take(&mut self.nesting);
        let outer_loops = std::mem::take(&mut self.inner_loops);
        self.enter(called, values);
        self.add_cost(called.cost);
        let _ = self.expr(&called.body);
        (self.nesting, self.inner_loops) = (nesting, outer_loops);
        let frame = self.frames.pop();
        let failed = self.value_of(self.failed);
        let after = self.mask_and_not(before, failed);
        self.define(self.active, after);
        let result = frame.map(|frame| frame.result).unwrap_or_default();
        result.into_iter().map(|variable| Varying(self.value_of(variable))).collect()
    }

    /// Emits a call of a built-in function: arguments, a failure if one of them is `()`, the operation.
    fn call(&mut self, call: &'b Call, of: Type) -> Parts {
        let mut values: Vec<Parts> = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            let parts = self.expr(argument);
            if argument.of.kind == Kind::Never || self.refused {
                return self.zeros(of);
            }
            values.push(parts);
        }
        if call.to == Builtin::ToNumber && of.maybe {
            return self.refuse_value(of);
        }
        for (argument, parts) in call.arguments.iter().zip(&mut values) {
            if argument.of.maybe {
                let flag = parts.remove(0);
                let nothing = self.not(flag);
                self.fail_if(nothing);
            }
        }
        self.built_in(call, &values, of)
    }

    /// The active lanes in which a flag is set fail.
    pub(super) fn fail_if(&mut self, flag: LaneValue) {
        let mask = self.masks(flag);
        let active = self.value_of(self.active);
        let failing = self.mask_and(active, mask);
        let before = self.value_of(self.failed);
        let failed = self.mask_or(before, failing);
        self.define(self.failed, failed);
        let active = self.mask_and_not(active, mask);
        self.define(self.active, active);
    }
}

/// Returns true if an expression may end an iteration of the innermost loop.
fn may_continue(expr: &Expr) -> bool {
    expr.any_outside_loops(&|part| matches!(part.op, Op::Continue | Op::Break))
}
