//! Finds the names in a syntax tree and what they denote.

use std::collections::BTreeMap;
use std::ops::Range;

use rhai::{ASTFlags, ASTNode, Expr, FnCallExpr, ImmutableString, Position, Stmt};
use steerbox_core::sim::MemoryLayout;
use steerbox_core::text::{Name, Thing};

use super::blocks::Blocks;
use crate::api::{self, CallForm, Function, Need, Tag};
use crate::checks::handlers;
use crate::interpret::catalog;
use crate::interpret::environment::Environment;
use crate::param::Param;
use crate::syntax::chain::{Link, unroll};
use crate::syntax::lexemes::{Lexeme, LexemeKind, statement_end};
use crate::syntax::repair::UNKNOWN;
use crate::syntax::text::Offsets;
use crate::syntax::tree::{self, Body};
use crate::typed::{self, Kinds};
use crate::types::{self, Kind, Type};

/// A place at which a name is written, and the type of its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    /// The name without quotes, bytes.
    pub range: Range<usize>,
    /// The name.
    pub name: Name,
    /// True for the place that declares it.
    pub is_declaration: bool,
    /// The type of the value as editors show it, if it is certain; `module` for the alias of an import.
    pub kind: Option<&'static str>,
}

/// A variable or parameter of a function, or the alias of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// The byte at which it is declared.
    pub at: usize,
    /// The part of the text in which it is visible, bytes.
    pub visible: Range<usize>,
    /// The type of its value, if it is certain.
    pub kind: Option<&'static str>,
    /// For an alias, the imported script.
    pub module: Option<String>,
}

/// Collects the names of a script.
pub(super) struct Names<'a> {
    stem: &'a str,
    text: &'a str,
    lexemes: &'a [Lexeme],
    blocks: &'a Blocks,
    offsets: Offsets<'a>,
    found: Vec<Typed>,
    locals: Vec<Local>,
    /// The constants at the top.
    top: BTreeMap<String, Name>,
    /// Name and number of parameters of its functions.
    functions: Vec<(String, usize)>,
}

impl<'a> Names<'a> {
    pub(super) fn new(stem: &'a str, text: &'a str, lexemes: &'a [Lexeme], blocks: &'a Blocks) -> Self {
        let (found, locals, functions) = (Vec::new(), Vec::new(), Vec::new());
        let offsets = Offsets::new(text);
        Self { stem, text, lexemes, blocks, offsets, found, locals, top: BTreeMap::new(), functions }
    }

    /// Returns all names in the order of the text, each place once.
    pub(super) fn finish(mut self) -> (Vec<Typed>, Vec<Local>) {
        self.found.sort_by_key(|one| (one.range.start, one.range.end, !one.is_declaration));
        self.found.dedup_by(|b, a| a.range == b.range);
        (self.found, self.locals)
    }

    /// Declares the constants, parameters, memory fields and imports at the top.
    pub(super) fn top_level(&mut self, statements: &[Stmt], params: &[Param], memory: &MemoryLayout) {
        for statement in statements {
            match statement {
                Stmt::Var(declared, flags, _) if flags.contains(ASTFlags::CONSTANT) => {
                    let text = declared.0.name.as_str();
                    let (script, name) = (self.stem.to_owned(), text.to_owned());
                    let is_param = params.iter().any(|param| param.name == name);
                    let name =
                        if is_param { Name::Param { script, name } } else { Name::Constant { script, name } };
                    self.top.insert(text.to_owned(), name.clone());
                    self.declare(declared.0.pos, name, None);
                    if text == "MEMORY" {
                        self.memory(&declared.1, memory);
                    }
                }
                Stmt::Import(parts, _) => self.import(&parts.0, &parts.1.name, parts.1.pos),
                _ => {}
            }
        }
    }

    fn import(&mut self, path: &Expr, alias: &str, at: Position) {
        let Expr::StringConstant(module, of_path) = path else {
            return;
        };
        self.quoted(module, *of_path, Name::Script(module.to_string()));
        if let Some(range) = self.place(at, alias) {
            let name = Name::Local { script: self.stem.to_owned(), name: alias.to_owned(), at: range.start };
            self.locals.push(Local {
                name: alias.to_owned(),
                at: range.start,
                visible: 0..self.text.len() + 1,
                kind: Some("module"),
                module: Some(module.to_string()),
            });
            self.found.push(Typed { range, name, is_declaration: true, kind: Some("module") });
        }
    }

    /// Declares the fields of the memory: the words before a colon in the map at `value`.
    fn memory(&mut self, value: &Expr, memory: &MemoryLayout) {
        let start = self.offsets.of(value.start_position());
        let Some(block) = start.and_then(|start| self.blocks.from(start)) else {
            return;
        };
        let within = self.lexemes.iter().filter(|one| block.contains(&one.range.start));
        let within: Vec<_> = within.filter(|one| one.kind != LexemeKind::Comment).collect();
        for pair in within.windows(2) {
            let [word, colon] = pair else { continue };
            let name = self.text[word.range.clone()].trim_matches('"');
            let is_field = &self.text[colon.range.clone()] == ":" && !name.is_empty();
            if let Some(field) = memory.field(name).filter(|_| is_field) {
                let quote = usize::from(word.kind == LexemeKind::Text);
                let range = word.range.start + quote..word.range.end - quote;
                let name = Name::Memory { script: self.stem.to_owned(), name: name.to_owned() };
                let kind = shown(Kind::of_field(field.kind));
                self.found.push(Typed { range, name, is_declaration: true, kind });
            }
        }
    }

    /// Declares the functions and their parameters.
    pub(super) fn heads(&mut self, bodies: &[Body]) {
        for body in bodies {
            let arity = body.parameters.len();
            self.functions.push((body.name.clone(), arity));
            let block = self.offsets.at(body.place);
            // The head ends with the block: its last `fn` declares the function.
            let before = self.lexemes.partition_point(|one| one.range.start < block);
            let is_fn = |one: &Lexeme| one.kind == LexemeKind::Word && &self.text[one.range.clone()] == "fn";
            let Some(head) = self.lexemes[..before].iter().rposition(is_fn) else {
                continue;
            };
            let words = self.lexemes[head + 1..before].iter().filter(|one| one.kind == LexemeKind::Word);
            let mut words: Vec<_> = words.map(|one| one.range.clone()).collect();
            if words.len() != arity + 1 {
                continue;
            }
            let range = words.remove(0);
            let (script, name) = (self.stem.to_owned(), body.name.clone());
            let name = Name::Function { script, name, arity };
            self.found.push(Typed { range, name, is_declaration: true, kind: None });
            let kinds = arguments(bodies, body);
            for (range, kind) in words.into_iter().zip(kinds) {
                let visible = range.start..self.blocks.from(block).map_or(block, |block| block.end);
                self.local(range, visible, shown(kind.kind));
            }
        }
    }

    /// Visits the names in a function.
    pub(super) fn body(&mut self, bodies: &[Body], body: &Body, environment: &Environment) {
        let is_entry = handlers::entry_arguments(bodies, body).is_some();
        let kinds = typed::kinds(bodies, body, &arguments(bodies, body), is_entry, environment);
        self.statements(&body.statements, &kinds);
    }

    /// Visits the names in statements; `kinds` are the kinds of their expressions. Declarations are visited first.
    pub(super) fn statements(&mut self, statements: &[Stmt], kinds: &Kinds) {
        let is_top = kinds.locals.is_empty();
        tree::each_node(statements, &mut |node| {
            if let ASTNode::Stmt(statement) = node {
                self.declared(statement, kinds, is_top);
            }
        });
        tree::each_node(statements, &mut |node| match node {
            ASTNode::Expr(expr) => self.expression(expr, kinds),
            ASTNode::Stmt(Stmt::FnCall(call, at)) => self.call(call, *at),
            _ => {}
        });
    }

    fn declared(&mut self, statement: &Stmt, kinds: &Kinds, is_top: bool) {
        match statement {
            Stmt::Var(parts, ..) if !is_top || !self.top.contains_key(parts.0.name.as_str()) => {
                if let Some(range) = self.place(parts.0.pos, &parts.0.name) {
                    let visible = self.end_of_statement(range.end)..self.blocks.end_around(range.start);
                    self.local(range, visible, kinds.kind(&parts.1).and_then(shown));
                }
            }
            Stmt::For(parts, _) => {
                let (item, counter, control) = &**parts;
                let element = kinds.kind(&control.expr).and_then(Kind::element).and_then(shown);
                let body = self.offsets.of(control.body.position()).and_then(|at| self.blocks.from(at));
                let declared = [Some((item, element)), counter.as_ref().map(|it| (it, shown(Kind::Integer)))];
                for (ident, kind) in declared.into_iter().flatten() {
                    if let (Some(range), Some(body)) = (self.place(ident.pos, &ident.name), &body) {
                        self.local(range, body.clone(), kind);
                    }
                }
            }
            _ => {}
        }
    }

    fn expression(&mut self, expr: &Expr, kinds: &Kinds) {
        match expr {
            Expr::Variable(variable, _, at) => {
                let module = self.namespace(&variable.2);
                self.variable(&variable.1, module, *at, kinds.kind(expr).and_then(shown));
            }
            Expr::FnCall(call, at) => {
                self.call(call, *at);
                self.compared_zone(call, kinds);
            }
            Expr::Dot(..) | Expr::Index(..) => self.chain(expr, kinds),
            _ => {}
        }
    }

    /// Visits the properties and methods of a chain. A part of a chain is visited again as a chain of its own, whose
    /// receivers are unknown; the first visit of a place counts.
    fn chain(&mut self, chain: &Expr, kinds: &Kinds) {
        let (root, steps) = unroll(chain);
        for (index, step) in steps.iter().enumerate() {
            let receiver = kinds.kind(step.of);
            match step.link {
                Link::Property(name) => {
                    let is_memory = index == 0 && matches!(root, Expr::ThisPtr(_));
                    let name = if is_memory {
                        Name::Memory { script: self.stem.to_owned(), name: name.to_owned() }
                    } else {
                        Name::Api { receiver: receiver.and_then(shown), name: name.to_owned() }
                    };
                    let kind = receiver.and_then(|kind| catalog::property("get$", kind, name.text()));
                    let kind = kind.and_then(|entry| entry.returns).and_then(shown);
                    self.add(step.at, name, kind);
                }
                Link::Method(call) => self.method(call, step.at, receiver),
                Link::Index(_) => {}
            }
        }
    }

    fn method(&mut self, call: &FnCallExpr, at: Position, receiver: Option<Kind>) {
        let (name, arity) = (call.name.as_str(), call.args.len());
        let is_own = self.functions.iter().any(|(own, count)| own == name && *count == arity);
        let named = if is_own {
            Name::Function { script: self.stem.to_owned(), name: name.to_owned(), arity }
        } else {
            Name::Api { receiver: receiver.and_then(shown), name: name.to_owned() }
        };
        self.add(at, named, None);
        self.texts(call);
    }

    fn call(&mut self, call: &FnCallExpr, at: Position) {
        let (name, arity) = (call.name.to_string(), call.args.len());
        let module = self.namespace(&call.namespace);
        let is_own = self.functions.iter().any(|(own, count)| *own == name && *count == arity);
        let named = match module {
            Some(script) => Name::Function { script, name, arity },
            None if is_own => Name::Function { script: self.stem.to_owned(), name, arity },
            None => Name::Api { receiver: None, name },
        };
        self.add(at, named, None);
        self.texts(call);
    }

    /// Visits the texts that name a mark, a signal, a kind or a part of the scene.
    fn texts(&mut self, call: &FnCallExpr) {
        for argument in &call.args {
            if let Expr::StringConstant(text, at) = argument
                && let Some(name) = named_by_argument(&call.name, text)
                // A script does not determine the scene of a group.
                && !matches!(name, Name::OfScene { .. })
            {
                self.quoted(text, *at, name);
            }
        }
    }

    /// Visits the text that a zone is compared with, which is its name.
    fn compared_zone(&mut self, call: &FnCallExpr, kinds: &Kinds) {
        let ([zone, Expr::StringConstant(text, at)] | [Expr::StringConstant(text, at), zone]) =
            &call.args[..]
        else {
            return;
        };
        if ["==", "!="].contains(&call.name.as_str()) && kinds.is_zone(zone) && !text.is_empty() {
            self.quoted(text, *at, Name::Shared(Thing::Zone, text.to_string()));
        }
    }

    /// Visits the alias before `::`; returns the script that it denotes.
    fn namespace(&mut self, namespace: &rhai::Namespace) -> Option<String> {
        let alias = namespace.path.first()?;
        let local = self.locals.iter().find(|local| local.name == alias.name && local.module.is_some())?;
        let (at, module) = (local.at, local.module.clone());
        let name = Name::Local { script: self.stem.to_owned(), name: alias.name.to_string(), at };
        self.add(alias.pos, name, Some("module"));
        module
    }

    fn variable(
        &mut self,
        text: &ImmutableString,
        module: Option<String>,
        at: Position,
        kind: Option<&'static str>,
    ) {
        let Some(range) = self.place(at, text) else {
            return;
        };
        let script = self.stem.to_owned();
        let visible = self.locals.iter().filter(|local| local.name == text.as_str());
        let visible = visible.filter(|local| local.visible.contains(&range.start));
        let local = visible.max_by_key(|local| local.visible.start);
        let name = match (module, local, self.top.get(text.as_str())) {
            (Some(script), ..) => Name::Constant { script, name: text.to_string() },
            (_, Some(local), _) => Name::Local { script, name: text.to_string(), at: local.at },
            (_, _, Some(name)) => name.clone(),
            _ => Name::Api { receiver: None, name: text.to_string() },
        };
        self.found.push(Typed { range, name, is_declaration: false, kind });
    }

    /// Declares a local.
    fn local(&mut self, range: Range<usize>, visible: Range<usize>, kind: Option<&'static str>) {
        let name = self.text[range.clone()].to_owned();
        let at = range.start;
        self.locals.push(Local { name: name.clone(), at, visible, kind, module: None });
        let name = Name::Local { script: self.stem.to_owned(), name, at };
        self.found.push(Typed { range, name, is_declaration: true, kind });
    }

    fn declare(&mut self, at: Position, name: Name, kind: Option<&'static str>) {
        if let Some(range) = self.place(at, name.text()) {
            self.found.push(Typed { range, name, is_declaration: true, kind });
        }
    }

    /// Adds a reference.
    fn add(&mut self, at: Position, name: Name, kind: Option<&'static str>) {
        if let Some(range) = self.place(at, name.text()) {
            self.found.push(Typed { range, name, is_declaration: false, kind });
        }
    }

    /// Adds the name inside a quoted text, if the text has no escapes.
    fn quoted(&mut self, text: &str, at: Position, name: Name) {
        // Repairs move it.
        if let Some(start) = self.offsets.of(at)
            && self.text[start..].starts_with(['"', '`'])
            && self.text[start + 1..].starts_with(text)
        {
            let range = start + 1..start + 1 + text.len();
            self.found.push(Typed { range, name, is_declaration: false, kind: None });
        }
    }

    /// Returns the range of a word at a position, if the text has it there: repairs move names.
    fn place(&self, at: Position, word: &str) -> Option<Range<usize>> {
        let start = self.offsets.of(at)?;
        let is_there = self.text[start..].starts_with(word) && !word.is_empty();
        let is_name = word == UNKNOWN || word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        (is_there && is_name).then(|| start..start + word.len())
    }

    /// Returns the byte after the `;` that ends the statement at `at`.
    fn end_of_statement(&self, at: usize) -> usize {
        let here = self.lexemes.partition_point(|one| one.range.start < at);
        statement_end(&self.lexemes[here..]).map_or(self.text.len(), |(_, last)| match last.kind {
            LexemeKind::End => last.range.end,
            _ => last.range.start,
        })
    }
}

/// Returns the kinds of a function's parameters: those of an entry point are known; elsewhere `me` and `world` have
/// the kinds of an entry point, by convention.
fn arguments(bodies: &[Body], body: &Body) -> Vec<Type> {
    let of_name = |name: &String| match name.as_str() {
        "me" => Kind::Me.into(),
        "world" => Kind::World.into(),
        _ => Type::ANY,
    };
    let entry = handlers::entry_arguments(bodies, body);
    entry.unwrap_or_else(|| body.parameters.iter().map(of_name).collect())
}

/// Returns the name of a kind for editors, if it is known.
fn shown(kind: Kind) -> Option<&'static str> {
    (!matches!(kind, Kind::Any | Kind::Never | Kind::Nothing)).then(|| types::shown(kind.name()))
}

/// Returns the name that a text argument of a function of the API denotes: a mark, a signal, a kind or a part of the
/// scene.
pub fn named_by_argument(function: &str, text: &str) -> Option<Name> {
    api::named(function).find_map(|row| named_by(row, text))
}

fn named_by(row: &Function, text: &str) -> Option<Name> {
    let text = text.to_owned();
    let takes_kind = || row.params.iter().any(|(name, kind)| *name == "kind" && *kind == Kind::Text);
    match row.need {
        _ if row.form != CallForm::Function => None,
        Some(Need::NamedView) => Some(Name::Shared(Thing::View, text)),
        Some(Need::NamedPath) => Some(Name::Shared(Thing::Path, text)),
        Some(Need::NamedField) => Some(Name::Shared(Thing::FlowField, text)),
        Some(Need::NamedZone) => Some(Name::Shared(Thing::Zone, text)),
        Some(Need::NamedGroup | Need::BirthGroup) => {
            Some(Name::OfScene { thing: Thing::Group, scene: String::new(), name: text })
        }
        Some(Need::NamedGrid) => Some(Name::Shared(Thing::Grid, text)),
        _ if row.has(Tag::NamesMark) => Some(Name::Shared(Thing::Mark, text)),
        _ if row.has(Tag::NamesSignal) => Some(Name::Shared(Thing::Signal, text)),
        _ if takes_kind() => Some(Name::Shared(Thing::Kind, text)),
        _ => None,
    }
}
