//! Edits that make steps slow, and the question before them.

use steerbox_core::sim::UnitState;

use crate::model::counted::units_of;
use crate::model::live_session::LiveSession;
use crate::model::question::{Question, Waiting};

/// Minimum ratio of the new to the old cost of a step that opens a question, if the new step is slow.
const SLOWER: f64 = 1.25;

impl LiveSession {
    /// The question before units are added; `None` if steps stay fast.
    pub(crate) fn question(&self, verb: &'static str, states: &[UnitState]) -> Option<Question> {
        let (now, then) = (self.run.cost_with(&[]), self.run.cost_with(states));
        let is_slow = then.is_slow() && then.seconds() > now.seconds() * SLOWER;
        is_slow.then(|| {
            let (units, cost, before) = (units_of(states.len()), then.words(), now.words());
            let text = format!(
                "{verb} {units}? A step would take about {cost} on one core; now it takes about {before}."
            );
            Question::new(text, verb, Waiting::Units(states.to_vec()))
        })
    }
}
