//! Learning a script: its parameters, what it remembers, which marks it names.

pub(super) mod functions;
pub(super) mod names;
pub(super) mod top_level;

use std::sync::Arc;
use std::time::Duration;

use rhai::{AST, Scope};

use super::call::Lesson;
use super::imports::{self, Imported, Library, NoLibrary};
use super::param::Param;
use super::review::{self, Known};
use super::{compile, engine, syntax};
use crate::diagnostics::{Fault, Severity};
use crate::scene::ParamValue;
use crate::sim::{Failure, MemoryLayout};

/// How long learning a script may take, with all that it imports and reading it through.
const TIME: Duration = Duration::from_millis(120);

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
    /// Whether it, or what it imports, reads the target that the mouse sets.
    pub asks_target: bool,
    /// What it remembers of each unit.
    pub memory: MemoryLayout,
    /// What it is for.
    pub role: Role,
    /// The files that it imports, and those that they import.
    pub imports: Vec<Arc<Imported>>,
    /// Line and column of its first import.
    pub(super) first_import: Option<(usize, usize)>,
    /// Line and column of `fn reloaded`, if there is one.
    pub(super) reloaded: Option<(usize, usize)>,
    /// What works, but hardly as it was meant.
    pub warnings: Vec<Fault>,
    ast: AST,
}

/// What a script is for, by the function that it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `fn steer(me, world)`: a behavior.
    Behavior,
    /// `fn flow(point, world)`: the vectors of a flow field.
    Flow,
    /// Neither: other scripts import it.
    Imported,
}

impl Role {
    /// The function that the role asks for.
    pub(super) fn entry(self) -> &'static str {
        match self {
            Self::Behavior => "steer",
            Self::Flow => "flow",
            Self::Imported => "",
        }
    }
}

impl Script {
    /// Learns a script that imports nothing from its text.
    ///
    /// # Errors
    /// With every fault that can be told; at least one.
    pub fn learn(path: &str, text: &str) -> Result<Self, Vec<Fault>> {
        Self::learn_with(path, text, &NoLibrary, false)
    }

    /// The same for a script that may import what `library` holds. One that is itself imported needs
    /// neither `steer` nor `flow`.
    ///
    /// # Errors
    /// With every fault that can be told; at least one.
    pub fn learn_with(
        path: &str,
        text: &str,
        library: &dyn Library,
        is_imported: bool,
    ) -> Result<Self, Vec<Fault>> {
        compile::check_size(path, text)?;
        let learn = || Self::learned(path, text, library, is_imported);
        compile::guarded(path, TIME, learn)
    }

    /// The same, and it is read through: what would fail wherever it is reached is a fault, too.
    ///
    /// # Errors
    /// With every fault that can be told; at least one.
    pub fn reviewed(
        path: &str,
        text: &str,
        library: &dyn Library,
        is_imported: bool,
    ) -> Result<Self, Vec<Fault>> {
        compile::check_size(path, text)?;
        compile::guarded(path, TIME, || {
            let mut script = Self::learned(path, text, library, is_imported)?;
            let scope = script.constants(&[])?;
            let found = review::review(Known {
                path,
                text,
                scope: &scope,
                params: &script.params,
                memory: &script.memory,
                imports: !script.imports.is_empty(),
            });
            if found.iter().any(|fault| fault.severity == Severity::Error) {
                return Err(found);
            }
            script.warnings = found;
            Ok(script)
        })
    }

    fn learned(
        path: &str,
        text: &str,
        library: &dyn Library,
        is_imported: bool,
    ) -> Result<Self, Vec<Fault>> {
        let ast = compile::compile(path, text, &engine::constants())?;
        if let Some(fault) = syntax::open_comment(path, text) {
            return Err(vec![fault]);
        }
        let role = functions::role(path, text, &ast, is_imported)?;
        let (direct, imports) = imports::gather(path, text, &ast, library)?;
        let _hand = imports::at_hand(&imports);
        let (scope, lesson) = top_level::run_top_level(path, text, &ast, Lesson::of(&ast, &[]))?;
        names::check_variables(path, text, &ast, &scope)?;
        imports::check_names(path, text, &ast, &direct, &imports)?;
        let memory = top_level::memory(path, text, &ast, &scope)?;
        let reloaded = functions::check_reloaded(path, text, &ast, &memory)?;
        let mut marks = names::marks(&ast);
        for mark in imports.iter().flat_map(|imported| &imported.marks) {
            if !marks.contains(mark) {
                marks.push(mark.clone());
            }
        }
        names::check_marks(path, text, &marks)?;
        Ok(Self {
            path: path.to_owned(),
            text: text.into(),
            about: names::about(text),
            params: top_level::params(&lesson),
            marks,
            asks_target: names::asks_target(&ast)
                || imports.iter().any(|imported| imported.asks_target),
            memory,
            role,
            imports,
            first_import: direct.first().map(|import| import.place),
            reloaded,
            warnings: Vec::new(),
            ast,
        })
    }

    /// The declared parameter called `name`.
    pub fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.name == name)
    }

    /// A failure of one of its calls as a fault, in the file in which it happened.
    pub fn fault(&self, failure: &Failure) -> Fault {
        let imported = (self.imports.iter()).find(|file| failure.file.as_ref() == Some(&file.path));
        let (path, text) =
            imported.map_or((&self.path, &self.text), |file| (&file.path, &file.text));
        let fault = match failure.line {
            0 => Fault::of_file(path, &failure.message),
            line => Fault::at(path, text, (line, failure.column), &failure.message),
        };
        fault.maybe_help(failure.help.clone())
    }

    /// Every constant of the script under the given values of its parameters.
    pub(super) fn constants(
        &self,
        values: &[(String, ParamValue)],
    ) -> Result<Scope<'static>, Vec<Fault>> {
        let _hand = imports::at_hand(&self.imports);
        let lesson = Lesson::of(&self.ast, values);
        Ok(top_level::run_top_level(&self.path, &self.text, &self.ast, lesson)?.0)
    }

    /// Line and column of the name in `fn steer`, or in `fn flow`.
    pub(super) fn entry(&self) -> (usize, usize) {
        functions::place_of_function(&self.text, self.role.entry())
    }
}
