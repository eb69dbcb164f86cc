//! The target, and saving of all edits to the scene.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use glam::Vec3;
use steerbox_core::diagnostics::counted;
use steerbox_project::reload::{Command, Saved};
use steerbox_project::session::{Input, written_setting};

use crate::model::live_session::LiveSession;
use crate::model::log::Tone;

/// Maximum number of values that one line of the log names.
const MAX_NAMED: usize = 6;
/// Longest wait for a pending write on exit.
const MAX_CLOSING_WAIT: Duration = Duration::from_secs(2);
/// Interval between two checks for completion.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Duration from which a write is reported as slow.
const SLOW_SAVE: Duration = Duration::from_secs(5);

impl LiveSession {
    /// Number of values, obstacles and paths that were edited in the window and differ from the file.
    pub(crate) fn tuned(&self) -> usize {
        self.tuned_values() + self.scene_edits()
    }

    fn tuned_values(&self) -> usize {
        let planned = self.run.generation.behaviors.iter().flatten();
        let knobs = planned.flat_map(|planned| &planned.knobs);
        knobs.filter(|knob| knob.tuned).count()
    }

    /// Number of edited obstacles and paths.
    fn scene_edits(&self) -> usize {
        self.run.generation.scene_edits.count() + self.moved_scatter.0.len()
    }

    /// The number of tuned values and edits, as [`LiveSession::tuned`] counts them, in words.
    pub(crate) fn tuned_words(&self) -> String {
        let (values, edits) = (self.tuned_values(), self.scene_edits());
        let values = counted(values, ["tuned value", "tuned values"]);
        let edited = counted(edits, ["edited shape", "edited shapes"]);
        match (self.tuned_values(), edits) {
            (0, 0) => "no tuned values".to_owned(),
            (_, 0) => values,
            (0, _) => edited,
            _ => format!("{values}, {edited}"),
        }
    }

    /// The reason why edits cannot be saved to the scene now.
    pub(crate) fn cannot_save(&self) -> Option<&'static str> {
        if self.saving {
            Some("Saving …")
        } else if self.tuned() == 0 {
            Some("No tuned values to save")
        } else if self.drafts.contains_key(&self.place.scene_name()) {
            Some("Unsaved text of the scene runs: save that text first, or run the saved one")
        } else {
            None
        }
    }

    /// The target, if a running behavior reads it.
    pub(crate) fn shown_target(&self) -> Option<Vec3> {
        let target = self.run.simulation.world().target;
        target.filter(|_| self.run.generation.reads_target())
    }

    /// Sets or clears the target. A target that no behavior reads is not set: it would be invisible.
    pub(crate) fn set_target(&mut self, target: Option<Vec3>) {
        if target.is_none() || self.run.generation.reads_target() {
            self.run.input(Input::Target(target));
        } else {
            let step = self.run.simulation.world().steps;
            let text = "no target set: no running behavior reads `world.target`";
            self.log.add_once(Tone::Plain, step, text);
        }
    }

    /// The message that added and removed units are not saved.
    fn unsaved_units(&self) -> Option<String> {
        let (simulation, plans) = (&self.run.simulation, &self.run.generation.scene.groups);
        let pairs = simulation.world().groups.iter().zip(plans).enumerate();
        let changed = pairs
            .filter(|(at, (group, plan))| group.units.len() != plan.count && !simulation.is_populated(*at));
        let counts = changed.map(|(_, (group, _))| format!("{} {}", group.name, group.units.len()));
        let counts: Vec<_> = counts.collect();
        let words = counts.join(", ");
        (!counts.is_empty())
            .then(|| format!("added and removed units are not saved; `count` would be: {words}"))
    }

    /// A command line that runs the scene with all tuned values.
    pub(crate) fn command(&self) -> String {
        let scene =
            self.place.scene.as_ref().map_or_else(|| self.scene_name(), |path| path.display().to_string());
        let mut command = format!("steerbox {}", shell_word(&scene));
        for setting in self.run.newest().tuned() {
            let _ = write!(command, " --set {}", shell_word(&written_setting(&setting)));
        }
        command
    }

    /// Logs the command line, since text copied here cannot be pasted into other applications.
    pub(crate) fn log_command(&mut self) {
        let (step, command) = (self.run.simulation.world().steps, self.command());
        self.log.add(Tone::Plain, step, command);
        let units = self.unsaved_units().map(|_| "added and removed units".to_owned());
        let left: Vec<_> = self.revertible_edits().into_iter().map(|(words, _)| words).chain(units).collect();
        if !left.is_empty() {
            let text = format!("the command does not include: {}", named(&left));
            self.log.add(Tone::Warning, step, text);
        }
    }

    /// Requests a write of all edits into the scene's file.
    pub(crate) fn save(&mut self) {
        (self.saving, self.save_requested) = (true, Instant::now());
        self.run.send(Command::Save);
    }

    /// Stops waiting for a write without a result after some time, since the disk may hang. A later result
    /// is reported in any case.
    pub(crate) fn report_slow_save(&mut self, now: Instant) {
        if self.saving && now.saturating_duration_since(self.save_requested) > SLOW_SAVE {
            self.saving = false;
            let name = &self.run.generation.scene.path;
            let text = format!("{name} is not written yet: the disk does not respond");
            let step = self.run.simulation.world().steps;
            self.log.add(Tone::Warning, step, text);
        }
    }

    /// Waits for a requested write, for a limited time.
    pub(crate) fn finish(&mut self) {
        let end = Instant::now() + MAX_CLOSING_WAIT;
        let is_ready = self.ready.iter().any(|ready| ready.saved.is_some());
        self.saving &= !is_ready;
        while self.saving && Instant::now() < end {
            let ready = self.run.wait(POLL_INTERVAL);
            // A write that changes nothing produces no generation.
            let answered = !self.run.answers().is_empty();
            self.saving = !answered && ready.is_none_or(|generation| generation.saved.is_none());
        }
    }

    /// Logs the result of a write.
    pub(crate) fn log_saved(&mut self, saved: Saved) {
        self.saving = false;
        let step = self.run.simulation.world().steps;
        match saved {
            Ok(values) => {
                let name = &self.run.generation.scene.path;
                let tone = if values.is_empty() { Tone::Plain } else { Tone::Good };
                self.log.add(tone, step, written(name, &values));
            }
            Err(fault) => self.log.fault(step, &fault),
        }
        let unwritten = unwritten(self.moved_scatter.0.len()).into_iter().chain(self.unsaved_units());
        for text in unwritten.collect::<Vec<_>>() {
            self.log.add(Tone::Warning, step, text);
        }
    }
}

/// A word, quoted for shells.
fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/=#+:,".contains(c);
    if word.chars().all(is_plain) && !word.starts_with('#') {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// The written values in one line.
fn written(file: &str, values: &[String]) -> String {
    match values.len() {
        0 => format!("nothing to save: {file} has all values already"),
        count => format!("wrote {} to {file}: {}", counted(count, ["value", "values"]), named(values)),
    }
}

/// The first of several words, and the number of the others.
fn named(words: &[String]) -> String {
    let named = words[..words.len().min(MAX_NAMED)].join(", ");
    match words.len().saturating_sub(MAX_NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// A note on the edits that cannot be written, if any.
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
    fn quoted_words_reach_a_shell_unchanged() {
        assert_eq!(shell_word("a.cohesion#2.gain=0.5"), "a.cohesion#2.gain=0.5");
        assert_eq!(shell_word("my scene's.ron"), r"'my scene'\''s.ron'");
    }

    #[test]
    fn the_message_names_written_and_unwritten_values() {
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
