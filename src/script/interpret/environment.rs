//! What the names in a script stand for while it runs.

use std::sync::Arc;

use rhai::{AST, Dynamic};

use super::loop_order::{Place, Reduction};
use crate::script::front::imported::{Import, Imported};
use crate::script::syntax::tree::{self, Body};
use crate::sim::MemoryLayout;

/// What a running script finds by name, beside its own variables and functions.
#[derive(Debug, Default)]
pub(in crate::script) struct Environment {
    /// Constants by name: the optimizer folds neither those that are not literals nor any that a
    /// method is called on.
    pub(in crate::script) constants: Vec<(String, Dynamic)>,
    pub(in crate::script) memory: MemoryLayout,
    /// What the script itself imports.
    pub(in crate::script) direct: Vec<Import>,
    /// Every file that it needs.
    pub(in crate::script) imports: Vec<Arc<Imported>>,
    /// Whether the script may have arrays or maps, which are weighed.
    pub(in crate::script) may_hold_many: bool,
    /// The reductions of the script itself.
    pub(in crate::script) reductions: Vec<Reduction>,
}

impl Environment {
    /// The functions of a script, and of the files that it imports.
    pub(in crate::script) fn bodies(&self, ast: &AST) -> Vec<Body> {
        let mut bodies = tree::bodies(ast, None);
        for file in &self.imports {
            bodies.extend(tree::bodies(&file.ast, Some(&file.path)));
        }
        bodies
    }

    /// A constant that was not folded where it stands, in the imported file of that path or in the script.
    pub(in crate::script) fn constant(&self, path: Option<&str>, name: &str) -> Option<&Dynamic> {
        let constants = match path {
            Some(path) => &self.imports.iter().find(|file| file.path == path)?.constants,
            None => &self.constants,
        };
        let found = constants.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, value)| value)
    }

    /// Whether the `for` at a place is a reduction, in the imported file of that path or in the script.
    pub(in crate::script) fn is_reduction(&self, path: Option<&str>, at: Place) -> bool {
        let reductions = match path {
            Some(path) => self.imports.iter().find(|file| file.path == path).map(|file| &file.reductions),
            None => Some(&self.reductions),
        };
        reductions.is_some_and(|reductions| reductions.iter().any(|it| it.place == at))
    }

    /// The file that `alias` stands for in the imported file of that path, or in the script.
    pub(in crate::script) fn import(&self, path: Option<&str>, alias: &str) -> Option<&Imported> {
        let find = |is: &dyn Fn(&Imported) -> bool| {
            let mut imports = self.imports.iter().map(AsRef::as_ref);
            imports.find(|file| is(file))
        };
        let direct = match path {
            Some(path) => &find(&|file| file.path == path)?.imports,
            None => &self.direct,
        };
        let import = direct.iter().rev().find(|import| import.alias == alias)?;
        find(&|file| file.name == import.name)
    }
}
