//! A script folded for one set of parameter values.

use std::sync::Arc;

use rhai::{AST, Dynamic};

use super::learn::{self, Script};
use crate::diagnostics::Fault;
use crate::scene::ParamValue;
use crate::sim::MemoryLayout;

/// What runs: functions with every parameter's value folded in.
#[derive(Debug)]
pub struct Program {
    pub(super) ast: AST,
    pub(super) entry: (usize, usize),
    pub(super) memory: MemoryLayout,
    /// Line and column of `fn reloaded`, if there is one.
    pub(super) reloaded: Option<(usize, usize)>,
    /// Constants by name: the optimizer folds neither those that are not literals nor any that a
    /// method is called on.
    constants: Vec<(String, Dynamic)>,
}

impl Program {
    /// Folds `values` into a script; a parameter without a value keeps its default.
    ///
    /// # Errors
    /// When the top level fails under these values.
    pub fn fold(script: &Script, values: &[(String, ParamValue)]) -> Result<Arc<Self>, Vec<Fault>> {
        let scope = script.constants(values)?;
        let mut ast = learn::compile(&script.path, &script.text, &scope)?;
        ast.clear_statements();
        let constants = scope
            .iter()
            .filter(|(name, ..)| *name != "MEMORY")
            .map(|(name, _, value)| (name.to_owned(), value))
            .collect();
        Ok(Arc::new(Self {
            ast,
            entry: script.entry(),
            memory: script.memory.clone(),
            reloaded: script.reloaded,
            constants,
        }))
    }

    /// A constant that was not folded where it stands.
    pub(super) fn constant(&self, name: &str) -> Option<Dynamic> {
        self.constants
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.clone())
    }
}
