//! Reviews a script before it runs: unknown names, wrong numbers of arguments, divisions that lose their fraction.
//!
//! The review infers kinds of values as far as they are certain and leaves the rest to run time, so it rejects only
//! code that would fail whenever it is reached.

mod calls;
mod chains;
mod choices;
mod comparison;
mod division;
mod dropped;
mod habits;
mod increments;
mod maps;
mod uses;

#[cfg(test)]
mod tests;

use rhai::{AST, ASTFlags, ASTNode, BinaryExpr, Dynamic, Expr, Position, Scope, Stmt};
use steerbox_core::diagnostics::{Fault, Fix, offset_of};
use steerbox_core::sim::MemoryLayout;
use steerbox_core::text::TextEdit;

use self::maps::Maps;
use self::uses::Uses;
use super::budget::{self, MAX_FAULTS};
use super::checks::handlers;
use super::interpret::constants;
use super::interpret::environment::Environment;
use super::messages::words;
use super::param::Param;
use super::syntax::absent;
use super::syntax::chain::{self, Link, Step};
use super::syntax::errors;
use super::syntax::failing;
use super::syntax::site::Site;
use super::syntax::text::{Source, place};
use super::syntax::tree::{self, Body};
use super::typed::{self, Kinds};
use super::types::{Kind, Type};

/// The facts about a script that the review needs.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) source: Source<'a>,
    /// The unfolded syntax tree.
    pub(super) ast: &'a AST,
    /// Its constants, parameters among them.
    pub(super) scope: &'a Scope<'static>,
    /// The names of its parameters.
    pub(super) params: &'a [Param],
    /// Its memory, if that could be read.
    pub(super) memory: Option<&'a MemoryLayout>,
    /// True if it imports files, whose names have unknown kinds.
    pub(super) imports: bool,
}

/// Returns every fault and warning, in the order of the file.
pub(super) fn review(known: Known<'_>) -> Vec<Fault> {
    let bodies = tree::bodies(known.ast, None);
    // `reloaded` receives the previous memory as a map.
    let makes_maps = |body: &Body| body.name == "reloaded" || makes_maps(body);
    let constants = constants::by_name(known.scope);
    let is_container = |(_, value): &(String, Dynamic)| budget::is_container(value);
    let has_maps = known.imports || bodies.iter().any(makes_maps) || constants.iter().any(is_container);
    // Imported values have any kind.
    let environment = Environment {
        constants,
        memory: known.memory.cloned().unwrap_or_default(),
        ..Environment::default()
    };
    let mut found = Vec::new();
    for body in &bodies {
        let mut reader = Reader {
            known,
            bodies: &bodies,
            has_maps,
            kinds: kinds(&bodies, body, &environment),
            maps: Maps::new(body),
            uses: None,
            is_entry: handlers::entry_arguments(&bodies, body).is_some(),
            body,
            found: &mut found,
        };
        reader.read();
    }
    found.sort_by_key(|fault| (fault.line, fault.column));
    found.dedup();
    found
}

/// Infers the kinds of a function's expressions.
pub(super) fn kinds(bodies: &[Body], body: &Body, environment: &Environment) -> Kinds {
    let arguments = handlers::entry_arguments(bodies, body);
    let is_entry = arguments.is_some();
    let arguments = arguments.unwrap_or_else(|| vec![Type::ANY; body.parameters.len()]);
    typed::kinds(bodies, body, &arguments, is_entry, environment)
}

/// The review of one function.
struct Reader<'a> {
    known: Known<'a>,
    bodies: &'a [Body],
    /// True if the script has maps, which may have any property.
    has_maps: bool,
    kinds: Kinds,
    maps: Maps,
    /// The uses of integers, computed on demand.
    uses: Option<Uses>,
    /// True for an entry point and a handler of events, which have the memory.
    is_entry: bool,
    body: &'a Body,
    found: &'a mut Vec<Fault>,
}

impl Reader<'_> {
    fn read(&mut self) {
        tree::walk_all(&self.body.statements, &mut |path| self.node(path));
        self.ending();
        self.dropped();
        self.increments();
    }

    fn node(&mut self, path: &[ASTNode<'_>]) {
        let Some((last, before)) = path.split_last() else {
            return;
        };
        if self.found.len() >= MAX_FAULTS {
            return;
        }
        match last {
            ASTNode::Expr(Expr::FnCall(call, at)) | ASTNode::Stmt(Stmt::FnCall(call, at)) => {
                self.division(call, *at, path);
                self.comparison(call, *at);
                self.negation(call, *at);
                self.compared_choice(call);
                self.degrees(call, *at);
                self.periodic(call);
                self.call(call, *at);
            }
            ASTNode::Expr(chain @ (Expr::Dot(..) | Expr::Index(..))) if is_root(chain, before) => {
                self.chain(chain, tree::is_assigned(chain, before));
            }
            ASTNode::Expr(Expr::MethodCall(call, at)) => self.degrees(call, *at),
            ASTNode::Stmt(Stmt::If(control, _) | Stmt::While(control, _) | Stmt::Do(control, ..)) => {
                self.condition(&control.expr);
            }
            ASTNode::Stmt(statement @ Stmt::Switch(parts, _)) => {
                self.switched_choice(statement);
                self.switched_number(&parts.0, &parts.1);
            }
            ASTNode::Expr(Expr::And(parts, _) | Expr::Or(parts, _)) => {
                parts.iter().for_each(|part| self.condition(part));
            }
            ASTNode::Stmt(Stmt::Assignment(assignment)) => {
                self.assignment(!assignment.0.is_op_assignment(), &assignment.1);
            }
            ASTNode::Expr(Expr::DynamicConstant(value, at)) if value.is_fnptr() => {
                let text = self.known.source.text;
                let place = offset_of(text, place(*at).unwrap_or((1, 1)));
                let (message, help) = absent::no_closures(text, place);
                self.fault(*at, message, help);
            }
            _ => {}
        }
    }

    /// Reviews an assignment: constants cannot change, and memory fields have a fixed kind.
    fn assignment(&mut self, is_plain: bool, sides: &BinaryExpr) {
        if let Expr::Variable(variable, _, at) = &sides.lhs {
            let name = variable.1.as_str();
            if !self.kinds.locals.contains(name) && self.known.scope.contains(name) {
                let (message, help) = errors::constant_assigned(name);
                let message = match self.known.scope.is_constant(name) {
                    Some(false) => {
                        format!("`{name}` stands at the top of the file and cannot change")
                    }
                    _ => message,
                };
                self.fault(*at, message, help);
            }
            return;
        }
        let (Expr::ThisPtr(_), links) = chain::unroll(&sides.lhs) else {
            return;
        };
        let [Step { link: Link::Property(name), at, .. }] = links[..] else {
            return;
        };
        let field = self.known.memory.and_then(|memory| memory.field(name));
        let (Some(field), Some(found)) = (field, self.kinds.kind(&sides.rhs)) else {
            return;
        };
        let declared = Kind::of_field(field.kind);
        if is_plain && self.is_entry && !found.fits(declared) {
            let message = words::cannot_hold(name, declared, found.name());
            self.fault(at, message, None);
        }
    }

    fn fault(&mut self, at: Position, message: impl Into<String>, help: Option<String>) {
        let fault = (self.known.source).fault(place(at).unwrap_or((1, 1)), message);
        self.found.push(fault.maybe_help(help));
    }

    /// Adds the fix that writes `text` instead of what the last fault underlines.
    fn instead(&mut self, text: Option<&str>) {
        if let (Some(text), Some(fault)) = (text, self.found.last_mut()) {
            let fix = self.known.source.instead(fault, text);
            fault.fixes.push(fix);
        }
    }

    /// Adds the fix of a name of another language to the last fault, by its remedy, or else writes a similar name.
    fn rewrite(&mut self, foreign: Option<&str>, near: Option<&str>) {
        if foreign.is_none() {
            return self.instead(near);
        }
        if let Some(fault) = self.found.last_mut() {
            let source = self.known.source;
            let fix = source.rewritten(fault, foreign);
            fault.fixes.extend(fix.or_else(|| failing::unwrapped(source, fault)));
        }
    }

    /// Adds the fix that removes all but `count` arguments of the call at a position to the last fault.
    fn trim(&mut self, at: Position, count: usize) {
        let site = Site::read(self.known.source.text, self.offset(at));
        let Some(arguments) = site.and_then(|site| site.arguments) else {
            return;
        };
        if let (Some(first), Some(last)) = (arguments.get(count), arguments.last()) {
            let start = count.checked_sub(1).map_or(first.start, |index| arguments[index].end);
            self.fix("leave out the rest".to_owned(), vec![TextEdit::replace(start..last.end, "")]);
        }
    }

    /// Adds the fix that declares a field of the memory to the last fault; `this` replaces the word before the field.
    fn remember(&mut self, name: &str) {
        let text = self.known.source.text;
        let has_memory =
            self.known.memory.is_none_or(|memory| memory.words() > 0) || text.contains("const MEMORY");
        let Some(fault) = self.found.last().filter(|_| !has_memory && self.is_entry) else {
            return;
        };
        let at = self.known.source.underlined(fault).start;
        let line = text.lines().scan(0, |at, line| {
            let start = *at;
            *at += line.len() + 1;
            Some((start, line))
        });
        let first = line.into_iter().find(|(_, line)| line.starts_with("fn ") || line.starts_with("const "));
        let declaration = format!("const MEMORY = #{{ {name}: 0.0 }};\n");
        let mut edits = vec![TextEdit::insert(first.map_or(0, |(start, _)| start), declaration)];
        if let Some(receiver) = Site::read(text, at).and_then(|site| site.receiver) {
            edits.push(TextEdit::replace(receiver, "this"));
        }
        self.fix(format!("remember `{name}`"), edits);
    }

    /// Adds a fix to the last fault.
    fn add(&mut self, fix: Option<Fix>) {
        if let Some(fault) = self.found.last_mut() {
            fault.fixes.extend(fix);
        }
    }

    /// Adds edits as a fix to the last fault.
    fn fix(&mut self, title: String, edits: Vec<TextEdit>) {
        if let Some(fault) = self.found.last_mut() {
            fault.fixes.push(Fix::new(title, edits));
        }
    }

    /// Returns the offset of a position.
    fn offset(&self, at: Position) -> usize {
        offset_of(self.known.source.text, place(at).unwrap_or((1, 1)))
    }

    fn warn(&mut self, at: Position, message: String, help: String) {
        let fault = (self.known.source).fault(place(at).unwrap_or((1, 1)), message);
        self.found.push(fault.help(help).warning());
    }

    /// Returns true if a name is a variable of the function, or declared at the top.
    fn is_declared(&self, name: &str) -> bool {
        self.kinds.locals.contains(name) || self.known.scope.contains(name)
    }

    /// Returns true if the script declares this function.
    fn is_own(&self, name: &str, count: usize) -> bool {
        (self.bodies.iter()).any(|body| body.name == name && body.parameters.len() == count)
    }
}

/// Returns true if a chain is not part of a longer one.
fn is_root(chain: &Expr, before: &[ASTNode<'_>]) -> bool {
    match before.last() {
        Some(ASTNode::Expr(Expr::Dot(parts, ..))) => !std::ptr::eq(&raw const parts.rhs, chain),
        Some(ASTNode::Expr(Expr::Index(parts, flags, _))) => {
            flags.contains(ASTFlags::BREAK) || !std::ptr::eq(&raw const parts.rhs, chain)
        }
        _ => true,
    }
}

/// Returns true if a function contains a map literal.
fn makes_maps(body: &Body) -> bool {
    let mut found = false;
    tree::walk_all(&body.statements, &mut |path| {
        found |= match path.last() {
            Some(ASTNode::Expr(Expr::Map(..))) => true,
            Some(ASTNode::Expr(Expr::DynamicConstant(value, _))) => value.is_map(),
            _ => false,
        };
    });
    found
}
