//! What the names in a script stand for while it runs.

use std::sync::Arc;

use rhai::Dynamic;

use super::imports::Imported;
use crate::sim::MemoryLayout;

/// What a running script finds by name, beside its own variables and functions.
#[derive(Debug)]
pub(super) struct Environment {
    /// Constants by name: the optimizer folds neither those that are not literals nor any that a
    /// method is called on.
    pub(super) constants: Vec<(String, Dynamic)>,
    pub(super) memory: MemoryLayout,
    pub(super) imports: Vec<Arc<Imported>>,
    /// Whether the script may have arrays or maps, which are weighed.
    pub(super) may_hold_many: bool,
}

impl Environment {
    /// A constant that was not folded where it stands.
    pub(super) fn constant(&self, name: &str) -> Option<Dynamic> {
        let mut constants = self.constants.iter();
        let (_, value) = constants.find(|(known, _)| known == name)?;
        Some(value.clone())
    }
}
