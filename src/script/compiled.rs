//! A script that compiles: its parameters, its memory, the marks and signals that it names.

use std::collections::BTreeSet;
use std::sync::Arc;

use rhai::{AST, Scope};

use super::checks::functions::{self, Role};
use super::checks::{names, noted};
use super::imported::{Import, Imported, Library, NoLibrary};
use super::imports::{self, Read};
use super::loop_order::Reduction;
use super::param::Param;
use super::review::{self, Known};
use super::text::Source;
use super::{compile, constants, reductions};
use crate::diagnostics::{Fault, Severity};
use crate::scene::ParamValue;
use crate::sim::{Failure, MemoryLayout};

/// A script that compiles, whatever the values of its parameters.
#[derive(Debug)]
pub struct Script {
    /// The file as the user would name it.
    pub path: String,
    /// Its text.
    pub text: Arc<str>,
    /// The comment at its head: what it does.
    pub about: String,
    /// Its parameters, in the order of declaration.
    pub params: Vec<Param>,
    /// The marks that it names.
    pub marks: Vec<String>,
    /// The signals that it names.
    pub signals: Vec<String>,
    /// Every property and function that it names, and `for` if it loops through something; with what it
    /// calls of imported files.
    pub(super) names: BTreeSet<String>,
    /// What it remembers of each unit.
    pub memory: MemoryLayout,
    /// What it is for.
    pub role: Role,
    /// The files that it imports, and those that they import.
    pub imports: Vec<Arc<Imported>>,
    /// What works, but probably not as intended.
    pub warnings: Vec<Fault>,
    /// What it imports itself.
    pub(super) direct: Vec<Import>,
    /// Its loops over units that have no order.
    pub(super) reductions: Vec<Reduction>,
    /// Line and column of `fn reloaded`, if there is one.
    pub(super) reloaded: Option<(usize, usize)>,
    /// The syntax tree as written.
    pub(super) ast: AST,
    /// The same for the interpreter, where there are reductions.
    pub(super) marked: Option<AST>,
    /// Its constants, with parameters at their defaults.
    pub(super) defaults: Scope<'static>,
}

impl Script {
    /// Compiles a script that imports nothing.
    ///
    /// # Errors
    /// With all faults that were found, at least one.
    pub fn compile(path: &str, text: &str) -> Result<Self, Vec<Fault>> {
        Self::compile_with(path, text, &NoLibrary, false)
    }

    /// The same for a script that may import what `library` holds. One that is itself imported needs
    /// neither `steer` nor `flow`.
    ///
    /// # Errors
    /// With all faults that were found, at least one.
    pub fn compile_with(
        path: &str,
        text: &str,
        library: &dyn Library,
        is_imported: bool,
    ) -> Result<Self, Vec<Fault>> {
        let source = Source { path, text };
        compile::guarded(path, || Self::compiled(source, library, (is_imported, false)))
    }

    /// The same with a review: what would fail wherever it is reached is a fault, too.
    ///
    /// # Errors
    /// With all faults that were found, at least one.
    pub fn reviewed(
        path: &str,
        text: &str,
        library: &dyn Library,
        is_imported: bool,
    ) -> Result<Self, Vec<Fault>> {
        let source = Source { path, text };
        compile::guarded(path, || Self::compiled(source, library, (is_imported, true)))
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
                    // The review knows the kinds of values, syntax errors do not.
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
        let marked = compile::parse_marked(source, &reductions)?;
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
            ast,
            defaults: constants.scope,
        })
    }

    /// The declared parameter called `name`.
    pub fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.name == name)
    }

    /// A failure of one of its calls as a fault, in the file in which it happened.
    pub fn fault(&self, failure: &Failure) -> Fault {
        let place = (failure.line, failure.column);
        self.fault_at(failure.file.as_deref(), place, &failure.message).maybe_help(failure.help.clone())
    }

    /// A fault at line and column of the imported file of that path, or of the script; line 0 stands for the whole
    /// file.
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

    /// Every constant of the script under the given values of its parameters.
    pub(super) fn constants(&self, values: &[(String, ParamValue)]) -> Result<Scope<'static>, Vec<Fault>> {
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

    /// Line and column of the name in `fn steer`, or in `fn flow`.
    pub(super) fn entry(&self) -> (usize, usize) {
        self.source().function(self.role.entry())
    }

    pub(super) fn source(&self) -> Source<'_> {
        Source { path: &self.path, text: &self.text }
    }
}

/// Adds what is not there yet.
fn add_new(to: &mut Vec<String>, names: &[String]) {
    for name in names {
        if !to.contains(name) {
            to.push(name.clone());
        }
    }
}
