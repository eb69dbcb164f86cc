//! A compiled script: its parameters, memory, marks and signals.

use std::collections::BTreeSet;
use std::sync::Arc;

use rhai::{AST, Dynamic, Scope};
use steerbox_core::diagnostics::{Fault, Severity};
use steerbox_core::sim::{Failure, MemoryLayout};
use steerbox_core::world::ParamValue;

use super::imports::{self, Read};
use super::parse;
use super::tried::tried;
use crate::checks::functions::{self, Role};
use crate::checks::handlers::{self, Handler};
use crate::checks::{names, noted};
use crate::interpret::constants;
use crate::interpret::imported::{Import, Imported, Library, NoLibrary};
use crate::interpret::loop_order::Reduction;
use crate::param::{self, Param};
use crate::reductions;
use crate::review::{self, Known};
use crate::syntax::failing;
use crate::syntax::text::Source;

/// A script that compiles under all values of its parameters.
#[derive(Debug)]
pub struct Script {
    /// Its path as shown to the user.
    pub path: String,
    /// Its text.
    pub text: Arc<str>,
    /// The comment at its head.
    pub about: String,
    /// Its parameters, in the order of declaration.
    pub params: Vec<Param>,
    /// The marks that its code names.
    pub marks: Vec<String>,
    /// The signals that its code names.
    pub signals: Vec<String>,
    /// Every property and function that it names, including those of the imported functions that it calls, and `for`
    /// if it contains a loop.
    pub(crate) names: BTreeSet<String>,
    /// The layout of a unit's memory.
    pub memory: MemoryLayout,
    /// The entry points that it has.
    pub role: Role,
    /// All imported files, direct and indirect.
    pub imports: Vec<Arc<Imported>>,
    /// Code that works, but probably not as intended.
    pub warnings: Vec<Fault>,
    /// Its own imports.
    pub(crate) direct: Vec<Import>,
    /// Its loops over units whose order has no effect.
    pub(crate) reductions: Vec<Reduction>,
    /// Line and column of `fn reloaded`, if it has one.
    pub(crate) reloaded: Option<(usize, usize)>,
    /// Its handlers of events.
    pub(crate) handlers: Vec<Handler>,
    /// The syntax tree as written.
    pub(crate) ast: AST,
    /// The tree for the interpreter, if the script has reductions.
    pub(crate) marked: Option<AST>,
    /// Its constants, with parameters at their defaults.
    pub(crate) defaults: Scope<'static>,
}

impl Script {
    /// Compiles a script without imports.
    ///
    /// # Errors
    /// With all faults found, at least one.
    pub fn compile(path: &str, text: &str) -> Result<Self, Vec<Fault>> {
        Self::compile_with(path, text, &NoLibrary, false)
    }

    /// Compiles a script that may import the files of `library`. A script that is itself imported needs neither
    /// `steer` nor `flow`.
    ///
    /// # Errors
    /// With all faults found, at least one.
    pub fn compile_with(
        path: &str,
        text: &str,
        library: &dyn Library,
        is_imported: bool,
    ) -> Result<Self, Vec<Fault>> {
        let source = Source { path, text };
        parse::catch_panics(path, || Self::compiled(source, library, (is_imported, false)))
    }

    /// Compiles and reviews a script: code that fails whenever it is reached is a fault, too.
    ///
    /// # Errors
    /// With all faults found, at least one.
    pub fn reviewed(
        path: &str,
        text: &str,
        library: &dyn Library,
        is_imported: bool,
    ) -> Result<Self, Vec<Fault>> {
        let compiled = |text: &str| {
            let source = Source { path, text };
            parse::catch_panics(path, || Self::compiled(source, library, (is_imported, true)))
        };
        let check = |text: &str| match compiled(text) {
            Ok(script) => script.warnings,
            Err(faults) => faults,
        };
        compiled(text).map_err(|faults| tried(Source { path, text }, faults, check))
    }

    /// Returns the names of the values that its code watches.
    pub fn watched(&self) -> Vec<String> {
        names::watched(&self.ast, &self.imports)
    }

    /// Returns true if it maps the memory of its previous version.
    pub fn maps_memory(&self) -> bool {
        self.reloaded.is_some()
    }

    /// Returns the signals that its code sets; `None` if a call computes the name.
    pub fn set_signals(&self) -> Option<BTreeSet<String>> {
        names::set_signals(&self.ast, &self.imports)
    }

    fn compiled(
        source: Source<'_>,
        library: &dyn Library,
        (is_imported, is_reviewed): (bool, bool),
    ) -> Result<Self, Vec<Fault>> {
        let (mut read, imports) = imports::read(source, library)?;
        let Read { ast, constants, faults, lost, direct, syntax } = &mut read;
        let role = noted(functions::role(source, ast, is_imported, *syntax == 0).map(Some), faults);
        let scope = &constants.scope;
        let has_memory = !constants.failed.contains("MEMORY") && !lost.contains("MEMORY");
        let memory = has_memory.then(|| constants::memory(source, ast, scope)).transpose();
        let memory = noted(memory, faults);
        let reloaded = memory.as_ref().map(|memory| functions::check_reloaded(source, ast, memory));
        let reloaded = noted(reloaded.unwrap_or(Ok(None)), faults);
        let handlers = noted(handlers::handlers(source, ast, role), faults);
        faults.extend(handlers::misspelled(source, ast, role));
        faults.extend(handlers::failing_at_birth(source, ast, &handlers));
        if let Some(memory) = &memory {
            faults.extend(handlers::idle(source, &handlers, memory));
        }
        let mut marks = names::marks(ast);
        let mut signals = names::signals(ast);
        for imported in &imports {
            add_new(&mut marks, &imported.marks);
            add_new(&mut signals, &imported.signals);
        }
        noted(names::check_named(source, &marks, &signals), faults);
        if is_reviewed {
            let params = &constants.params;
            let (memory, imports) = (memory.as_ref(), !direct.is_empty());
            for found in review::review(Known { source, ast, scope, params, memory, imports }) {
                match faults.iter_mut().find(|fault| fault.is_where(&found)) {
                    // The review has inferred kinds of values; syntax errors contain none.
                    Some(fault) if found.severity == Severity::Warning => fault.help = found.help,
                    _ => faults.push(found),
                }
            }
        }
        let is_sound = faults.iter().all(|fault| fault.severity == Severity::Warning);
        let (Some(role), Some(memory), true) = (role, memory, is_sound) else {
            return Err(read.faults(source));
        };
        let Read { ast, direct, constants, faults: warnings, .. } = read;
        let reductions = reductions::of_file(&ast);
        let marked = parse::parse_marked(source, &reductions)?;
        Ok(Self {
            path: source.path.to_owned(),
            text: source.text.into(),
            about: names::about(source.text),
            params: constants.params,
            marks,
            signals,
            names: names::used(&ast, &imports),
            memory,
            role,
            imports,
            warnings,
            direct,
            reductions,
            marked,
            reloaded,
            handlers,
            ast,
            defaults: constants.scope,
        })
    }

    /// Returns the parameter called `name`.
    pub fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.name == name)
    }

    /// Converts a failure of a call to a fault in the file in which it happened.
    pub fn fault(&self, failure: &Failure) -> Fault {
        let place = (failure.line, failure.column);
        let fault = self.fault_at(failure.file.as_deref(), place, &failure.message);
        let is_own = fault.path == self.path && fault.line > 0;
        let fix = is_own.then(|| failing::fix(self.source(), &fault)).flatten();
        fault.maybe_help(failure.help.clone()).fixed(fix)
    }

    /// Builds a fault at line and column of the imported file of that path, or of the script; line 0 denotes the
    /// whole file.
    pub fn fault_at(&self, file: Option<&str>, place: (usize, usize), message: &str) -> Fault {
        let mut imports = self.imports.iter();
        let source = match imports.find(|imported| file == Some(&imported.path)) {
            Some(file) => Source { path: &file.path, text: &file.text },
            None => self.source(),
        };
        match place.0 {
            0 => Fault::of_file(source.path, message),
            _ => source.fault(place, message),
        }
    }

    /// Returns every constant of the script under the given parameter values.
    pub(crate) fn constants(&self, values: &[(String, ParamValue)]) -> Result<Scope<'static>, Vec<Fault>> {
        let is_default = |(name, value): &(String, ParamValue)| {
            self.param(name).is_none_or(|param| param.default == *value)
        };
        if values.iter().all(is_default) {
            return Ok(self.defaults.clone());
        }
        let evaluated = constants::evaluate(self.source(), &self.ast, &self.imports, values);
        if evaluated.failed.is_empty() && evaluated.faults.is_empty() {
            Ok(evaluated.scope)
        } else {
            Err(evaluated.faults)
        }
    }

    /// As [`Script::constants`], with drawn parameters as variables; also returns the layout of its memory with them.
    pub(crate) fn constants_and_memory(
        &self,
        values: &[(String, ParamValue)],
    ) -> Result<(Scope<'static>, MemoryLayout), Vec<Fault>> {
        let constants = self.constants(values)?;
        let mut memory = self.memory.clone();
        param::push_drawn(&mut memory, &self.params, values);
        let is_drawn = |name: &str| memory.drawn().iter().any(|drawn| drawn.name == name);
        if memory.drawn().is_empty() {
            return Ok((constants, memory));
        }
        if let Some((derived, name, place)) = constants::derived(&self.ast, &is_drawn) {
            let message = format!("the constant {derived} is computed from {name}, which differs by unit");
            return Err(vec![
                self.source().fault(place, message).help(format!("compute {derived} in `steer`")),
            ]);
        }
        let mut scope = Scope::new();
        for (name, is_constant, value) in constants.iter_raw() {
            if is_drawn(name) {
                scope.push_dynamic(name.to_owned(), Dynamic::UNIT);
            } else if is_constant {
                scope.push_constant_dynamic(name.to_owned(), value.clone());
            } else {
                scope.push_dynamic(name.to_owned(), value.clone());
            }
        }
        Ok((scope, memory))
    }

    /// Returns why a parameter cannot differ by unit, and the remedy, if a constant at the top is computed from it.
    pub fn derived_from(&self, name: &str) -> Option<(String, String)> {
        let (derived, _, (line, _)) = constants::derived(&self.ast, &|other| other == name)?;
        let path = &self.path;
        let message = format!(
            "{name} cannot differ by unit: the constant {derived} in line {line} of {path} is computed from it"
        );
        Some((message, format!("compute {derived} in `steer`, or write one value for all units")))
    }

    /// Returns line and column of the name in `fn steer` or `fn flow`.
    pub(crate) fn entry(&self) -> (usize, usize) {
        self.source().function(self.role.entry())
    }

    pub(crate) fn source(&self) -> Source<'_> {
        Source { path: &self.path, text: &self.text }
    }
}

/// Appends the names that are not in the list.
fn add_new(to: &mut Vec<String>, names: &[String]) {
    for name in names {
        if !to.contains(name) {
            to.push(name.clone());
        }
    }
}
