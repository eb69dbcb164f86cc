//! Edits that make steps slow, and the question before them.

use super::hands::Added;
use super::live_session::LiveSession;
use super::undo::units_of;
use crate::sim::UnitState;

/// A step that becomes so many times as long is worth a question, if it is slow then.
const SLOWER: f64 = 1.25;

/// An edit that waits for an answer.
#[derive(Clone, Debug)]
pub(super) struct Question {
    /// The question, and the word of the button that carries it out.
    pub(super) text: String,
    pub(super) verb: &'static str,
    /// The units that are added then.
    pub(super) states: Vec<UnitState>,
}

impl LiveSession {
    /// The question before units are added, if a step becomes slow by them.
    pub(super) fn question(&self, states: &[UnitState], added: Added) -> Option<Question> {
        let (now, then) = (self.run.cost_with(&[]), self.run.cost_with(states));
        let asks = then.is_slow() && then.seconds() > now.seconds() * SLOWER;
        asks.then(|| {
            let verb = match added {
                Added::New => "Add",
                Added::Copies => "Duplicate",
            };
            let (units, cost, before) = (units_of(states.len()), then.words(), now.words());
            let text = format!(
                "{verb} {units}? A step would take about {cost} on one core; now it takes about {before}."
            );
            Question { text, verb, states: states.to_vec() }
        })
    }
}
