//! An edit that waits for an answer.

use crate::sim::UnitState;

/// An edit that waits for an answer.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// The question, and the label of the button that confirms it.
    pub(crate) text: String,
    pub(crate) verb: &'static str,
    /// The units to add on confirmation.
    pub(crate) states: Vec<UnitState>,
}
