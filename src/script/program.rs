//! A script folded for one set of parameter values.

use std::sync::Arc;
use std::time::Duration;

use rhai::{AST, ASTNode, Dynamic, Expr};

use super::budget;
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
    /// Whether it may have arrays or maps, which are weighed.
    pub(super) may_hold_many: bool,
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
            let constants = learn::constants(&scope);
            let mut held = constants.iter().map(|(_, value)| value);
            Ok(Self {
                may_hold_many: held.any(budget::is_many)
                    || !script.imports.is_empty()
                    || script.reloaded.is_some()
                    || makes_many(&ast),
                ast: imports::imports_only(&ast),
                entry: script.entry(),
                memory: script.memory.clone(),
                reloaded: script.reloaded,
                constants,
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

/// Whether a script writes an array or a map down; there is no other way to one.
fn makes_many(ast: &AST) -> bool {
    let mut found = false;
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        found |= match path.last() {
            Some(ASTNode::Expr(Expr::Array(..) | Expr::Map(..))) => true,
            Some(ASTNode::Expr(Expr::DynamicConstant(value, _))) => budget::is_many(value),
            _ => false,
        };
        !found
    });
    found
}
