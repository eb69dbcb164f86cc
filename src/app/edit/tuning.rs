//! What is tuned by hand beside behaviors: the target; and writing all of it to the scene.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use glam::Vec3;

use crate::app::model::live_session::LiveSession;
use crate::app::model::log::Tone;
use crate::reload::{Command, Saved};
use crate::session::{Input, written_setting};

/// Values that one line of the console names.
const NAMED: usize = 6;
/// How long the end waits for a write that was asked for.
const PATIENCE: Duration = Duration::from_secs(2);
/// Between two looks at whether it is done.
const PAUSE: Duration = Duration::from_millis(20);
/// From here on a write takes too long for the user to wait for it.
const LONG: Duration = Duration::from_secs(5);

impl LiveSession {
    /// How many values, obstacles and paths differ from the file by hand.
    pub(in crate::app) fn tuned(&self) -> usize {
        let planned = self.run.generation.behaviors.iter().flatten();
        let knobs = planned.flat_map(|planned| &planned.knobs);
        knobs.filter(|knob| knob.tuned).count()
            + self.run.generation.scene_edits.count()
            + self.strays.0.len()
    }

    /// The target, if a behavior that runs asks for it.
    pub(in crate::app) fn shown_target(&self) -> Option<Vec3> {
        let target = self.run.simulation.world().target;
        target.filter(|_| self.run.generation.asks_target())
    }

    /// Sets the target, or clears it; one that no behavior asks for would stand there unseen.
    pub(in crate::app) fn set_target(&mut self, target: Option<Vec3>) {
        if target.is_none() || self.run.generation.asks_target() {
            self.run.input(Input::Target(target));
        } else {
            let step = self.run.simulation.world().steps;
            let text = "no target set: no running behavior reads `world.target`";
            self.log.say_once(Tone::Plain, step, text);
        }
    }

    /// That units were added or removed by hand, which is not written.
    fn uncounted(&self) -> Option<String> {
        let (groups, plans) = (&self.run.simulation.world().groups, &self.run.generation.scene.groups);
        let pairs = groups.iter().zip(plans).filter(|(group, plan)| group.units.len() != plan.count);
        let counts = pairs.map(|(group, _)| format!("{} {}", group.name, group.units.len()));
        let counts: Vec<_> = counts.collect();
        let words = counts.join(", ");
        (!counts.is_empty())
            .then(|| format!("added and removed units are not saved; `count` would be: {words}"))
    }

    /// A command line that runs the scene with everything that is tuned.
    pub(in crate::app) fn command(&self) -> String {
        let scene =
            self.place.scene.as_ref().map_or_else(|| self.scene_name(), |path| path.display().to_string());
        let mut command = format!("steerbox {}", shell_word(&scene));
        for setting in self.run.newest().tuned() {
            let _ = write!(command, " --set {}", shell_word(&written_setting(&setting)));
        }
        command
    }

    /// Tells it in the log: other applications do not see what this one copies.
    pub(in crate::app) fn tell_command(&mut self) {
        let (step, command) = (self.run.simulation.world().steps, self.command());
        self.log.say(Tone::Plain, step, command);
    }

    /// Asks for everything tuned to be written into the scene's file.
    pub(in crate::app) fn save(&mut self) {
        (self.saving, self.asked) = (true, Instant::now());
        self.run.send(Command::Save);
    }

    /// Waits no longer for a write of which nothing was heard for long: the disk may hang. What comes of it
    /// is reported whenever it comes.
    pub(in crate::app) fn lose_patience(&mut self, now: Instant) {
        if self.saving && now.saturating_duration_since(self.asked) > LONG {
            self.saving = false;
            let name = &self.run.generation.scene.path;
            let text = format!("{name} is not written yet: the disk does not respond");
            let step = self.run.simulation.world().steps;
            self.log.say(Tone::Warning, step, text);
        }
    }

    /// Waits for a write that was asked for, though not for ever.
    pub(in crate::app) fn finish(&mut self) {
        let end = Instant::now() + PATIENCE;
        let is_ready = self.ready.iter().any(|ready| ready.saved.is_some());
        self.saving &= !is_ready;
        while self.saving && Instant::now() < end {
            let ready = self.run.wait(PAUSE);
            // One that changes nothing is answered without a generation.
            let answered = !self.run.answers().is_empty();
            self.saving = !answered && ready.is_none_or(|generation| generation.saved.is_none());
        }
    }

    /// Tells what came of a write.
    pub(in crate::app) fn tell_saved(&mut self, saved: Saved) {
        self.saving = false;
        let step = self.run.simulation.world().steps;
        match saved {
            Ok(values) => {
                let name = &self.run.generation.scene.path;
                let tone = if values.is_empty() { Tone::Plain } else { Tone::Good };
                self.log.say(tone, step, written(name, &values));
            }
            Err(fault) => self.log.fault(step, &fault),
        }
        let unwritten = unwritten(self.strays.0.len()).into_iter().chain(self.uncounted());
        for text in unwritten.collect::<Vec<_>>() {
            self.log.say(Tone::Warning, step, text);
        }
    }
}

/// A word as shells take it.
fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/=#+:,".contains(c);
    if word.chars().all(is_plain) && !word.starts_with('#') {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// What was written, in a line.
fn written(file: &str, values: &[String]) -> String {
    let named = values[..values.len().min(NAMED)].join(", ");
    match values.len() {
        0 => format!("nothing to save: {file} has all values already"),
        1 => format!("wrote 1 value to {file}: {named}"),
        count if count <= NAMED => format!("wrote {count} values to {file}: {named}"),
        count => {
            let others = count - NAMED;
            format!("wrote {count} values to {file}: {named} and {others} more")
        }
    }
}

/// What cannot be written, if anything.
fn unwritten(scattered: usize) -> Option<String> {
    let (which, list) = match scattered {
        0 => return None,
        1 => ("1 moved obstacle was".to_owned(), "list it under `obstacles` to save its place"),
        count => {
            (format!("{count} moved obstacles were"), "list them under `obstacles` to save their places")
        }
    };
    Some(format!("{which} scattered and cannot be saved: {list}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_reach_a_shell_as_they_are() {
        assert_eq!(shell_word("a.cohesion#2.gain=0.5"), "a.cohesion#2.gain=0.5");
        assert_eq!(shell_word("my scene's.ron"), r"'my scene'\''s.ron'");
    }

    #[test]
    fn a_line_says_what_was_written_and_what_could_not_be() {
        let values = |count: usize| -> Vec<String> { (0..count).map(|n| format!("v{n}")).collect() };
        assert_eq!(written("a.ron", &values(1)), "wrote 1 value to a.ron: v0");
        assert_eq!(
            written("a.ron", &values(8)),
            "wrote 8 values to a.ron: v0, v1, v2, v3, v4, v5 and 2 more"
        );
        assert!(written("a.ron", &[]).starts_with("nothing to save"));
        assert_eq!(unwritten(0), None);
        assert!(unwritten(2).unwrap().starts_with("2 moved obstacles were scattered"));
    }
}
