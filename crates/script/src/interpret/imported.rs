//! Files that scripts import: `import "helpers" as h;` names another script of the project. The layer that reads
//! files decides where texts come from; scripts have no other access to files.

use std::fmt;
use std::sync::Arc;

use rhai::{AST, Dynamic, Module, Shared};

use super::loop_order::Reduction;

/// A source of imported texts.
pub trait Library {
    /// Returns the text of the script called `name`, without its extension.
    ///
    /// # Errors
    /// With a message, if there is none.
    fn text(&self, name: &str) -> Result<Arc<str>, String>;
}

/// An empty library.
#[derive(Clone, Copy, Debug)]
pub struct NoLibrary;

impl Library for NoLibrary {
    fn text(&self, name: &str) -> Result<Arc<str>, String> {
        Err(format!("there is no script `{name}` to import here"))
    }
}

/// A file that a script imports, directly or through another file.
#[derive(Clone)]
pub struct Imported {
    /// Its name in `import`, without an extension.
    pub name: String,
    /// Its path as shown to the user.
    pub path: String,
    /// Its text.
    pub text: Arc<str>,
    /// The marks that its code names.
    pub marks: Vec<String>,
    /// The signals that its code names.
    pub signals: Vec<String>,
    /// Its own imports.
    pub(crate) imports: Vec<Import>,
    /// Its functions, with its constants folded in.
    pub(crate) ast: AST,
    /// The same functions for the interpreter.
    pub(crate) module: Shared<Module>,
    /// Its constants, some of which the optimizer cannot fold.
    pub(crate) constants: Vec<(String, Dynamic)>,
    /// Its loops over units whose order has no effect.
    pub(crate) reductions: Vec<Reduction>,
}

impl fmt::Debug for Imported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Imported");
        shown.field("path", &self.path).finish_non_exhaustive()
    }
}

/// An `import` statement.
#[derive(Clone, Debug)]
pub(crate) struct Import {
    pub(crate) name: String,
    pub(crate) alias: String,
    /// Its line and column.
    pub(crate) place: (usize, usize),
}

/// Returns the names after `import` in a text that need not parse; some may be in comments.
pub fn imported_names(text: &str) -> impl Iterator<Item = &str> {
    let after = text.split("import").skip(1);
    after.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next())
}
