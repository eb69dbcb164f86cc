//! The names that a running script can resolve.

use std::sync::Arc;

use rhai::{AST, Dynamic};
use steerbox_core::sim::{Drawn, MemoryLayout};

use super::imported::{Import, Imported};
use super::loop_order::{Place, Reduction};
use crate::syntax::tree::{self, Body};

/// The constants, memory and imports that a running script resolves by name.
#[derive(Debug, Default)]
pub(crate) struct Environment {
    /// Constants by name, because the optimizer folds only literals that are not receivers of methods.
    pub(crate) constants: Vec<(String, Dynamic)>,
    pub(crate) memory: MemoryLayout,
    /// Imports of the script itself.
    pub(crate) direct: Vec<Import>,
    /// All imported files, direct and indirect.
    pub(crate) imports: Vec<Arc<Imported>>,
    /// True if the script may hold arrays or maps, which are weighed.
    pub(crate) may_hold_containers: bool,
    /// The reductions of the script itself.
    pub(crate) reductions: Vec<Reduction>,
}

impl Environment {
    /// Returns the functions of a script and of the files that it imports.
    pub(crate) fn bodies(&self, ast: &AST) -> Vec<Body> {
        let mut bodies = tree::bodies(ast, None);
        for file in &self.imports {
            bodies.extend(tree::bodies(&file.ast, Some(&file.path)));
        }
        bodies
    }

    /// Finds a parameter that differs by unit, by its name in the imported file of that path or in the script.
    pub(crate) fn drawn(&self, path: Option<&str>, name: &str) -> Option<&Drawn> {
        let found = self.memory.drawn().iter().find(|drawn| drawn.name == name);
        found.filter(|_| path.is_none())
    }

    /// Finds a constant that was not folded, in the imported file of that path or in the script.
    pub(crate) fn constant(&self, path: Option<&str>, name: &str) -> Option<&Dynamic> {
        let constants = match path {
            Some(path) => &self.imports.iter().find(|file| file.path == path)?.constants,
            None => &self.constants,
        };
        let found = constants.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, value)| value)
    }

    /// Returns true if the `for` at a position is a reduction, in the imported file of that path or in the script.
    pub(crate) fn is_reduction(&self, path: Option<&str>, at: Place) -> bool {
        let reductions = match path {
            Some(path) => self.imports.iter().find(|file| file.path == path).map(|file| &file.reductions),
            None => Some(&self.reductions),
        };
        reductions.is_some_and(|reductions| reductions.iter().any(|it| it.place == at))
    }

    /// Finds the file that `alias` denotes in the imported file of that path, or in the script.
    pub(crate) fn import(&self, path: Option<&str>, alias: &str) -> Option<&Imported> {
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
