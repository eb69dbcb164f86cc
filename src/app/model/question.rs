//! An edit that waits for an answer.

use crate::sim::UnitState;

/// An edit that waits for an answer.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// The question, and the word of the button that carries it out.
    pub(crate) text: String,
    pub(crate) verb: &'static str,
    /// The units that are added then.
    pub(crate) states: Vec<UnitState>,
}
