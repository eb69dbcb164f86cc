//! The code that a script reaches under the values folded into it: rows of the API that need a part of the scene,
//! and constants.

use std::collections::BTreeSet;

use super::ir::Place;
use crate::api::Need;

/// Calls and constants that a script reaches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    /// Parts missing from the scene: rows that need them return `()` or false.
    pub(super) absent: Vec<Need>,
    /// Calls of rows that need a part of the scene.
    pub(crate) calls: BTreeSet<Call>,
    /// Comparisons of a zone with a constant name.
    pub(crate) zones: BTreeSet<ComparedZone>,
    /// Constants of the script itself.
    pub(crate) constants: BTreeSet<String>,
    /// True if an entry point returns a value, marks or signals.
    pub(crate) acts: bool,
    /// True if a reached call depends on the order of units.
    pub(crate) is_ordered: bool,
    /// True if some of the code was not followed.
    pub(crate) is_partial: bool,
}

/// A comparison of a zone with a constant name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ComparedZone {
    /// The path of the imported file; `None` for the script itself.
    pub(crate) file: Option<String>,
    pub(crate) place: Place,
    /// The name.
    pub(crate) name: String,
}

/// A call of a row that needs a part of the scene.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Call {
    /// The path of the imported file; `None` for the script itself.
    pub(crate) file: Option<String>,
    pub(crate) place: Place,
    /// The index of the row in the table.
    pub(crate) row: usize,
    /// The name that is passed to it, if it is constant.
    pub(crate) name: Option<String>,
}
