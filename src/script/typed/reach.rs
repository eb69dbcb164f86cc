//! The code that a script reaches under the values folded into it: rows of the API that need a part of the scene,
//! and constants.

use std::collections::BTreeSet;

use super::ir::Place;
use crate::script::api::Need;

/// Calls and constants that a script reaches.
#[derive(Clone, Debug, Default)]
pub(in crate::script) struct Reach {
    /// Parts missing from the scene: rows that need them return `()` or false.
    pub(super) absent: Vec<Need>,
    /// Calls of rows that need a part of the scene.
    pub(in crate::script) calls: BTreeSet<Call>,
    /// Comparisons of a zone with a constant name.
    pub(in crate::script) zones: BTreeSet<ComparedZone>,
    /// Constants of the script itself.
    pub(in crate::script) constants: BTreeSet<String>,
    /// True if an entry point returns a value, marks or signals.
    pub(in crate::script) acts: bool,
    /// True if some of the code was not followed.
    pub(in crate::script) is_partial: bool,
}

/// A comparison of a zone with a constant name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::script) struct ComparedZone {
    /// The path of the imported file; `None` for the script itself.
    pub(in crate::script) file: Option<String>,
    pub(in crate::script) place: Place,
    /// The name.
    pub(in crate::script) name: String,
}

/// A call of a row that needs a part of the scene.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::script) struct Call {
    /// The path of the imported file; `None` for the script itself.
    pub(in crate::script) file: Option<String>,
    pub(in crate::script) place: Place,
    /// The index of the row in the table.
    pub(in crate::script) row: usize,
    /// The name that is passed to it, if it is constant.
    pub(in crate::script) name: Option<String>,
}
