//! A script folded for one set of parameter values.

use std::sync::Arc;
use std::time::Duration;

use rhai::{AST, Dynamic};

use super::imports::{self, Imported};
use super::learn::{self, Script};
use crate::diagnostics::Fault;
use crate::scene::ParamValue;
use crate::sim::MemoryLayout;

/// How long folding may take.
const FOLD_TIME: Duration = Duration::from_millis(60);

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
    pub(super) imports: Vec<Arc<Imported>>,
    /// Line and column of the first import.
    pub(super) first_import: Option<(usize, usize)>,
}

impl Program {
    /// Folds `values` into a script; a parameter without a value keeps its default.
    ///
    /// # Errors
    /// When the top level fails under these values.
    pub fn fold(script: &Script, values: &[(String, ParamValue)]) -> Result<Arc<Self>, Vec<Fault>> {
        let fold = || {
            let scope = script.constants(values)?;
            let ast = learn::compile(&script.path, &script.text, &scope)?;
            Ok(Self {
                ast: imports::imports_only(&ast),
                entry: script.entry(),
                memory: script.memory.clone(),
                reloaded: script.reloaded,
                constants: learn::constants(&scope),
                imports: script.imports.clone(),
                first_import: script.first_import,
            })
        };
        learn::guarded(&script.path, FOLD_TIME, fold).map(Arc::new)
    }

    /// A constant that was not folded where it stands.
    pub(super) fn constant(&self, name: &str) -> Option<Dynamic> {
        self.constants
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.clone())
    }
}
