//! Type inference: lowers the syntax tree to the IR for the compiler, and infers kinds of expressions for the
//! review, whose scripts may have faults.
//!
//! One forward pass infers types, with two exceptions: a variable may start as `()` and get another type later, and
//! a recursive function has a result before its type is known. If such a type must be widened, the pass restarts
//! until none changes.
//!
//! For the compiler, a pass ends at an unsupported construct. For the review, the value of such a construct has any
//! kind, which produces no further faults, and the pass continues. The same pass finds the code that a script
//! reaches.
#![cfg_attr(not(feature = "native"), allow(dead_code, reason = "code is generated from the IR"))]

mod api;
mod build;
mod chains;
mod expressions;
pub(crate) mod ir;
mod kinds;
mod loops;
mod operators;
mod pass;
mod pruning;
mod reach;
mod scope;
mod statements;
pub(crate) mod unsupported;

use std::collections::BTreeMap;

use rhai::Position;

use super::budget::MAX_VARIABLES;
use super::interpret::cost;
use super::interpret::environment::Environment;
use super::syntax::text;
use super::syntax::tree::Body;
use super::typed::unsupported::Unsupported;
use crate::api::Need;
use crate::types::{Kind, Type};
use ir::{Expr, Function, Ir, Local, Place};
pub(crate) use kinds::Kinds;
use pass::{Aim, Inferred, Stop, VersionKey, refuse, refuse_as, refuse_help};
pub(crate) use reach::{Call, Reach};
use scope::Frame;

/// The maximum number of passes of the compiler.
const MAX_PASSES: usize = 100;
/// The maximum number of tolerant passes; after it, all variables have any kind.
const MAX_TOLERANT_PASSES: usize = 8;
/// The maximum number of specialized functions.
const MAX_VERSIONS: usize = 64;
/// The maximum number of operations of a script: larger ones take too long, and too much memory, to compile while
/// they are edited. The largest shipped script has a tenth of it.
const MAX_SIZE: usize = 3_000;
/// The additional count of a loop, which becomes dozens of instructions and several blocks.
const LOOP_SIZE: usize = 30;

/// Infers the IR of a script whose entry point takes `arguments`. `bodies` are the functions of all files.
///
/// # Errors
/// With the first construct that the compiler does not support.
pub(crate) fn infer(
    bodies: &[Body],
    entry: &str,
    arguments: &[Type],
    environment: &Environment,
) -> Result<Ir, Unsupported> {
    let mut learned = Learned::default();
    for _ in 0..MAX_PASSES {
        let mut pass = Pass::new(bodies, environment, &mut learned, Aim::Code);
        let key =
            VersionKey { file: None, name: entry.to_owned(), arguments: arguments.to_vec(), is_entry: true };
        match pass.version(&key, (0, 0)) {
            Ok(_) => return Ok(pass.into_ir()),
            Err(Stop::Again) => {}
            Err(Stop::Refused(refusal, _)) => return Err(refusal),
        }
    }
    let construct = "variables that depend on each other in too many ways";
    Err(Unsupported::whole(construct))
}

/// Infers the kinds of the expressions of a function, which may have faults. `bodies` are the functions of the
/// script; calls of them return any kind.
pub(crate) fn kinds(
    bodies: &[Body],
    function: &Body,
    arguments: &[Type],
    is_entry: bool,
    environment: &Environment,
) -> Kinds {
    let mut learned = Learned::default();
    let name = function.name.clone();
    let key = VersionKey { file: None, name, arguments: arguments.to_vec(), is_entry };
    for passes in 0..=MAX_TOLERANT_PASSES {
        if passes == MAX_TOLERANT_PASSES {
            learned.variables.values_mut().for_each(|of| *of = Type::ANY);
        }
        learned.has_late_change = false;
        let mut pass = Pass::new(bodies, environment, &mut learned, Aim::Kinds(Kinds::default()));
        let found = pass.version(&key, (0, 0));
        if let (Ok(_), Aim::Kinds(kinds), false) = (found, pass.aim, learned.has_late_change) {
            return kinds;
        }
    }
    Kinds::default()
}

/// Finds the code that the entry points of a script reach, each with its argument types, in a scene without the
/// parts in `absent`. `bodies` are the functions of all files, with all values folded in.
pub(crate) fn reach(
    bodies: &[Body],
    entries: &[(&str, Vec<Type>)],
    environment: &Environment,
    absent: &[Need],
) -> Reach {
    let mut learned = Learned::default();
    for _ in 0..MAX_PASSES {
        learned.has_late_change = false;
        let reach = Reach { absent: absent.to_vec(), ..Reach::default() };
        let mut pass = Pass::new(bodies, environment, &mut learned, Aim::Reach(reach));
        let is_done = entries.iter().all(|(name, arguments)| {
            let (name, arguments) = ((*name).to_owned(), arguments.clone());
            pass.version(&VersionKey { file: None, name, arguments, is_entry: true }, (0, 0)).is_ok()
        });
        if let (true, Aim::Reach(reach), false) = (is_done, pass.aim, learned.has_late_change) {
            return reach;
        }
    }
    Reach { acts: true, is_partial: true, ..Reach::default() }
}

/// Facts that a pass learns for later passes.
#[derive(Default)]
struct Learned {
    /// Types of variables and of loops, by specialized function and position.
    variables: BTreeMap<(VersionKey, Place), Type>,
    /// Results of functions.
    results: BTreeMap<VersionKey, Type>,
    /// True if a tolerant pass widened a type that it had already used.
    has_late_change: bool,
}

/// A specialized function; `None` while it is being typed.
struct Version {
    key: VersionKey,
    function: Option<Function>,
}

/// One pass through the script.
struct Pass<'a> {
    bodies: &'a [Body],
    environment: &'a Environment,
    /// The file of the function being typed.
    file: Option<String>,
    learned: &'a mut Learned,
    versions: Vec<Version>,
    texts: Vec<String>,
    size: usize,
    aim: Aim,
}

impl<'a> Pass<'a> {
    fn new(bodies: &'a [Body], environment: &'a Environment, learned: &'a mut Learned, aim: Aim) -> Self {
        Self {
            bodies,
            environment,
            file: None,
            learned,
            versions: Vec::new(),
            texts: Vec::new(),
            size: 0,
            aim,
        }
    }

    /// True if it continues after a construct that the compiler does not support.
    fn is_tolerant(&self) -> bool {
        !matches!(self.aim, Aim::Code)
    }

    /// True if it skips branches that are never usage.
    fn prunes(&self) -> bool {
        !matches!(self.aim, Aim::Kinds(_))
    }

    /// Returns the value; in a tolerant pass, also that of a refused construct.
    fn tolerate(&self, value: Inferred) -> Inferred {
        match value {
            Err(Stop::Refused(_, kind)) if self.is_tolerant() => Ok(Expr::unknown(kind)),
            value => value,
        }
    }

    /// Records the type of an expression for the review.
    fn note(&mut self, expr: &rhai::Expr, of: Type) {
        if let Aim::Kinds(kinds) = &mut self.aim {
            kinds.note(expr, of);
        }
    }

    /// Returns the common type of two alternatives, if the compiler supports one.
    fn join(&self, one: Type, other: Type) -> Option<Type> {
        if self.is_tolerant() { Some(one.join_any(other)) } else { one.join(other) }
    }

    /// Returns the index of a function for these argument types; types it if it is new.
    fn version(&mut self, key: &VersionKey, place: Place) -> Inferred<usize> {
        let known = self.versions.iter().position(|known| known.key == *key);
        if let Some(known) = known {
            return Ok(known);
        }
        let (name, arguments) = (&key.name, &key.arguments);
        let bodies = self.bodies;
        let Some(body) = body(bodies, key.file.as_deref(), name, arguments.len()) else {
            self.mark_partial();
            return refuse(format!("a call of `{name}`, which is not known"), place);
        };
        if self.versions.len() == MAX_VERSIONS {
            self.mark_partial();
            return refuse("functions with too many kinds of arguments", place);
        }
        let index = self.versions.len();
        self.versions.push(Version { key: key.clone(), function: None });
        let mut frame = Frame::new(key.clone());
        for (index, (name, of)) in body.parameters.iter().zip(arguments).enumerate() {
            // Parameters have no position: this one is unique.
            self.declare(&mut frame, name, *of, (0, index + 1), false)?;
        }
        let caller = std::mem::replace(&mut self.file, key.file.clone());
        let value = self.tail(&mut frame, &body.statements);
        let value = value.map_err(|stop| match stop {
            Stop::Refused(mut refusal, kind) => {
                refusal.file = refusal.file.or_else(|| key.file.clone());
                Stop::Refused(refusal, kind)
            }
            Stop::Again => Stop::Again,
        })?;
        self.file = caller;
        let result = frame.result;
        if self.result(key) != result {
            self.learned.results.insert(key.clone(), result);
            return Err(Stop::Again);
        }
        self.versions[index].function = Some(Function {
            file: key.file.clone(),
            locals: frame.locals,
            arguments: body.parameters.len(),
            result,
            body: value,
            cost: cost::of_call(&body.statements),
            place: body.place,
        });
        Ok(index)
    }

    /// Returns the type of a function's result as learned so far.
    fn result(&self, key: &VersionKey) -> Type {
        let known = self.learned.results.get(key);
        known.copied().unwrap_or(Type::NEVER)
    }

    /// Declares a local. Its type may change if it has a position to learn under, and in tolerant passes.
    ///
    /// The number of names in scope is an upper bound of the interpreter's variables: beyond the limit, the script
    /// is interpreted, which reports its own error.
    fn declare(
        &mut self,
        frame: &mut Frame,
        name: &str,
        of: Type,
        at: Place,
        learned: bool,
    ) -> Inferred<Local> {
        match &mut self.aim {
            Aim::Kinds(kinds) => _ = kinds.locals.insert(name.to_owned()),
            Aim::Code if frame.depth() >= MAX_VARIABLES => return refuse("so many variables at a time", at),
            Aim::Code if !learned => return Ok(frame.declare(name, of, None)),
            Aim::Code | Aim::Reach(_) => {}
        }
        let Some(of) = self.widen(frame, at, of)? else {
            return refuse(format!("the variable `{name}`, which changes its type"), at);
        };
        Ok(frame.declare(name, of, Some(at)))
    }

    /// Joins the learned type of a variable or loop with one more type.
    fn widen(&mut self, frame: &Frame, place: Place, of: Type) -> Inferred<Option<Type>> {
        let key = (frame.key.clone(), place);
        let known = self.learned.variables.get(&key).copied();
        let Some(joined) = self.join(known.unwrap_or(Type::NEVER), of) else {
            return Ok(None);
        };
        if known != Some(joined) {
            let has_late_change = known.is_some();
            self.learned.variables.insert(key, joined);
            if has_late_change && !self.is_tolerant() {
                return Err(Stop::Again);
            }
            self.learned.has_late_change |= has_late_change;
        }
        Ok(Some(joined))
    }

    fn text(&mut self, text: &str) -> usize {
        if !self.prunes() {
            return 0;
        }
        let known = self.texts.iter().position(|known| known == text);
        known.unwrap_or_else(|| {
            self.texts.push(text.to_owned());
            self.texts.len() - 1
        })
    }

    /// Counts operations.
    fn grow(&mut self, operations: usize, place: Place) -> Inferred<()> {
        self.size += operations;
        if self.size > MAX_SIZE && !self.is_tolerant() {
            return refuse("a script of this size", place);
        }
        Ok(())
    }

    fn into_ir(self) -> Ir {
        let functions = self.versions.into_iter().filter_map(|version| version.function);
        Ir { functions: functions.collect(), texts: self.texts }
    }
}

/// Finds the function of a file with this name and number of arguments.
fn body<'a>(bodies: &'a [Body], file: Option<&str>, name: &str, count: usize) -> Option<&'a Body> {
    let is = |body: &&Body| body.name == name && body.parameters.len() == count;
    let mut of_file = bodies.iter().filter(|body| body.file.as_deref() == file);
    of_file.find(is)
}

fn place(position: Position) -> Place {
    text::place(position).unwrap_or((0, 1))
}

/// Returns true if the entry point can return this kind.
fn is_contribution(kind: Kind) -> bool {
    matches!(kind, Kind::Never | Kind::Nothing | Kind::Number | Kind::Integer | Kind::Vector | Kind::Turn)
}
