//! Pausing when a condition on the figures of the run becomes true.

use steerbox_core::sim::{MeasureNames, Measured};
use steerbox_script::Condition;

use crate::model::live_session::LiveSession;
use crate::model::log::Tone;
use crate::model::pause_when::PauseWhen;

impl LiveSession {
    /// Pauses as soon as an expression becomes true; an empty expression removes the condition.
    pub(crate) fn pause_when(&mut self, text: &str) {
        match self.condition(text) {
            Ok(condition) => {
                self.pause_when = condition.map(|condition| PauseWhen { condition, last_value: None });
            }
            Err(error) => self.log_condition(Tone::Warning, &format!("cannot pause when {text}: {error}")),
        }
    }

    /// Reads a condition; `None` for an empty text.
    ///
    /// # Errors
    /// With a message for the user, if the text has a syntax error or an unknown name.
    pub(crate) fn condition(&self, text: &str) -> Result<Option<Condition>, String> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        let simulation = &self.run.simulation;
        let condition = Condition::parse(text.trim(), &MeasureNames::of(simulation))?;
        condition.holds(&Measured::new(simulation))?;
        Ok(Some(condition))
    }

    /// Makes up to `due` steps one by one, and pauses once the condition becomes true.
    pub(crate) fn advance_until(&mut self, due: u32) {
        self.pauses_now();
        for _ in 0..due {
            self.run.start(1);
            self.collect(self.frame_wait);
            if self.run.simulation.busy().is_some() || self.pauses_now() {
                return;
            }
        }
    }

    /// Evaluates the condition after the last step, and pauses if it became true. Returns true then.
    fn pauses_now(&mut self) -> bool {
        let simulation = &self.run.simulation;
        let step = simulation.world().steps;
        let Some(watched) =
            self.pause_when.as_mut().filter(|watched| watched.last_value.is_none_or(|(at, _)| at != step))
        else {
            return false;
        };
        let was = watched.last_value.is_some_and(|(_, was)| was);
        match watched.condition.holds(&Measured::new(simulation)) {
            Ok(is) => {
                watched.last_value = Some((step, is));
                if is && !was {
                    let text = format!("paused in step {step}: {}", watched.condition.text());
                    self.paused = true;
                    self.log_condition(Tone::Good, &text);
                    return true;
                }
            }
            Err(error) => {
                let text = format!("stopped pausing when {}: {error}", watched.condition.text());
                self.pause_when = None;
                self.log_condition(Tone::Warning, &text);
            }
        }
        false
    }

    fn log_condition(&mut self, tone: Tone, text: &str) {
        let step = self.run.simulation.world().steps;
        self.log.add(tone, step, text);
    }
}
