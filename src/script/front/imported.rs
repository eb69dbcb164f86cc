//! Files that scripts import: `import "helpers" as h;` names another script of the project. Where texts come
//! from is decided by the layer that reads files: scripts reach nothing else.

use std::fmt;
use std::sync::Arc;

use rhai::{AST, Dynamic, Module, Shared};

use crate::script::interpret::loop_order::Reduction;

/// Where the texts of imported files come from.
pub trait Library {
    /// The text of the script called `name`, without its extension.
    ///
    /// # Errors
    /// With the reason why there is none, in the user's words.
    fn text(&self, name: &str) -> Result<Arc<str>, String>;
}

/// Nothing to import.
#[derive(Clone, Copy, Debug)]
pub struct NoLibrary;

impl Library for NoLibrary {
    fn text(&self, name: &str) -> Result<Arc<str>, String> {
        Err(format!("there is no script `{name}` to import here"))
    }
}

/// A file that a script imports, itself or through another one.
pub struct Imported {
    /// Its name in `import`, without an extension.
    pub name: String,
    /// The file as the user would name it.
    pub path: String,
    /// Its text.
    pub text: Arc<str>,
    /// The marks that it names.
    pub marks: Vec<String>,
    /// The signals that it names.
    pub signals: Vec<String>,
    /// What it imports itself.
    pub(in crate::script) imports: Vec<Import>,
    /// Its functions, with its constants folded in.
    pub(in crate::script) ast: AST,
    /// The same for the interpreter.
    pub(in crate::script) module: Shared<Module>,
    /// Its constants: the optimizer does not fold all of them.
    pub(in crate::script) constants: Vec<(String, Dynamic)>,
    /// Its loops over units that have no order.
    pub(in crate::script) reductions: Vec<Reduction>,
}

impl fmt::Debug for Imported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Imported");
        shown.field("path", &self.path).finish_non_exhaustive()
    }
}

/// An `import` as it stands in a script.
#[derive(Clone, Debug)]
pub(in crate::script) struct Import {
    pub(in crate::script) name: String,
    pub(in crate::script) alias: String,
    /// Line and column of the statement.
    pub(in crate::script) place: (usize, usize),
}

/// The names after `import` in a script that need not compile: some may stand in a comment.
pub fn imported_names(text: &str) -> impl Iterator<Item = &str> {
    let after = text.split("import").skip(1);
    after.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next())
}
