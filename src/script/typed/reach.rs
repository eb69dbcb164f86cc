//! What a script reaches under the values that are folded into it: rows of the API that need something of the
//! scene, and constants of its own.

use std::collections::BTreeSet;

use super::form::Place;
use crate::script::api::Need;

/// What the code of a script reaches.
#[derive(Clone, Debug, Default)]
pub(in crate::script) struct Reach {
    /// What the scene does not have, so that it is `()` or false.
    pub(super) absent: Vec<Need>,
    /// Calls of rows that need something of the scene.
    pub(in crate::script) calls: BTreeSet<Call>,
    /// Constants of the script itself.
    pub(in crate::script) constants: BTreeSet<String>,
    /// Whether an entry returns something, or does something beside.
    pub(in crate::script) acts: bool,
    /// Whether some of the code could not be followed.
    pub(in crate::script) is_partial: bool,
}

/// A call of a row that needs something of the scene.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::script) struct Call {
    /// The imported file; none if it is the script itself.
    pub(in crate::script) file: Option<String>,
    pub(in crate::script) place: Place,
    /// The place of the row in the table.
    pub(in crate::script) row: usize,
    /// The name that it passes, if that is known.
    pub(in crate::script) name: Option<String>,
}
