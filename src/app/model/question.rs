//! An edit that waits for an answer.

use crate::sim::UnitState;

/// An edit that waits for an answer.
#[derive(Clone, Debug)]
pub(in crate::app) struct Question {
    /// The question, and the word of the button that carries it out.
    pub(in crate::app) text: String,
    pub(in crate::app) verb: &'static str,
    /// The units that are added then.
    pub(in crate::app) states: Vec<UnitState>,
}
