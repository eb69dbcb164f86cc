//! What is tuned by hand beside behaviors: obstacles that are moved; and writing all of it to the scene.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use glam::Vec3;

use super::live_session::LiveSession;
use super::log::Tone;
use crate::reload::{Command, Moved, Saved};
use crate::scene::{ObstacleChange, difference, shifted};
use crate::session::{Input, written_setting};
use crate::world::Obstacle;

/// Values that one line of the console names.
const NAMED: usize = 6;
/// How long the end waits for a write that was asked for.
const PATIENCE: Duration = Duration::from_secs(2);
/// Between two looks at whether it is done.
const PAUSE: Duration = Duration::from_millis(20);
/// From here on a write takes too long for the user to wait for it.
const LONG: Duration = Duration::from_secs(5);

impl LiveSession {
    /// The obstacles of the world that do not stand where the file or the seed put them.
    pub(super) fn moved_obstacles(&self) -> Vec<usize> {
        let listed = self.run.generation.moved.iter().map(|moved| moved.at);
        listed.chain(self.strays.0.keys().copied()).collect()
    }

    /// How many values, moved obstacles included, differ from the file by hand.
    pub(super) fn tuned(&self) -> usize {
        let planned = self.run.generation.behaviors.iter().flatten();
        let knobs = planned.flat_map(|planned| &planned.knobs);
        knobs.filter(|knob| knob.tuned).count() + self.moved_obstacles().len()
    }

    /// Shows an obstacle with its center at `to` at once; it stays there when it is placed. In the past nothing
    /// comes of it until then.
    pub(super) fn drag_obstacle(&mut self, at: usize, to: Vec3) {
        if at >= self.run.generation.scene.world.obstacles.len() {
            self.drag_stray(at, to);
        } else {
            self.change_obstacle(at, |file, change| change.shift = difference(file.position(), to));
        }
    }

    /// The same with another radius.
    pub(super) fn resize_obstacle(&mut self, at: usize, radius: f32) {
        if at < self.run.generation.scene.world.obstacles.len() {
            self.change_obstacle(at, |file, change| {
                change.radius = Some(radius).filter(|it| *it != file.radius());
            });
        }
    }

    /// Shows an obstacle of the file changed.
    fn change_obstacle(&mut self, at: usize, make: impl FnOnce(&Obstacle, &mut ObstacleChange)) {
        let moves = &mut self.run.generation.moved;
        let known = moves.iter().position(|moved| moved.at == at).map(|known| moves.remove(known));
        let file = || self.run.generation.scene.world.obstacles[at].clone();
        let mut moved =
            known.unwrap_or_else(|| Moved { at, file: file(), change: ObstacleChange::default() });
        make(&moved.file, &mut moved.change);
        if let Some(obstacle) = moved.standing() {
            self.set_obstacle(at, obstacle);
        }
        let moves = &mut self.run.generation.moved;
        moves.push(moved);
        moves.sort_by_key(|moved| moved.at);
    }

    fn drag_stray(&mut self, at: usize, to: Vec3) {
        let Some(obstacle) = self.run.simulation.world().obstacles.get(at).cloned() else {
            return;
        };
        if let Some(moved) = shifted(&obstacle, difference(obstacle.position(), to)) {
            self.strays.0.entry(at).or_insert(obstacle);
            self.set_obstacle(at, moved);
        }
    }

    fn set_obstacle(&mut self, at: usize, obstacle: Obstacle) {
        self.run.hold(Input::Obstacle(at, obstacle));
    }

    /// Keeps a dragged obstacle as it is. In the past, the steps since are made anew with it.
    pub(super) fn place_obstacle(&mut self, at: usize) {
        let moved = self.run.generation.moved.iter().find(|moved| moved.at == at);
        match moved {
            Some(moved) if moved.change == ObstacleChange::default() => self.return_obstacle(at),
            Some(moved) => self.run.send(Command::Move(moved.clone())),
            None => self.keep_stray(at),
        }
    }

    /// Makes the change of a scattered obstacle in the past, which no file has.
    fn keep_stray(&mut self, at: usize) {
        let obstacle = self.run.simulation.world().obstacles.get(at).cloned();
        if let Some(obstacle) = obstacle.filter(|_| self.run.looked_at().is_some()) {
            self.run.input(Input::Obstacle(at, obstacle));
        }
    }

    /// Returns an obstacle to where the file or the seed put it.
    pub(super) fn return_obstacle(&mut self, at: usize) {
        if let Some(obstacle) = self.strays.0.remove(&at) {
            self.set_obstacle(at, obstacle);
            self.keep_stray(at);
            return;
        }
        // Also where the generation that runs does not have the move yet: the one that has it may be on its way.
        let moved = self.run.generation.moved.iter().find(|moved| moved.at == at);
        let scene = &self.run.generation.scene.world.obstacles;
        // The scene that runs has it where it was moved to.
        let file = moved.map(|moved| &moved.file).or(scene.get(at)).cloned();
        if let Some(file) = file {
            self.run.generation.moved.retain(|moved| moved.at != at);
            self.set_obstacle(at, file);
            self.run.send(Command::Unmove(at));
        }
    }

    /// The target, if a behavior that runs asks for it.
    pub(super) fn shown_target(&self) -> Option<Vec3> {
        let target = self.run.simulation.world().target;
        target.filter(|_| self.run.generation.asks_target())
    }

    /// Sets the target, or clears it; one that no behavior asks for would stand there unseen.
    pub(super) fn set_target(&mut self, target: Option<Vec3>) {
        if target.is_none() || self.run.generation.asks_target() {
            self.run.input(Input::Target(target));
        } else {
            let step = self.run.simulation.world().steps;
            let text = "no behavior that runs here reads `world.target`: no target is set";
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
            .then(|| format!("units added and removed by hand are not written; `count` would be: {words}"))
    }

    /// A command line that runs the scene with everything that is tuned.
    pub(super) fn command(&self) -> String {
        let scene =
            self.place.scene.as_ref().map_or_else(|| self.scene_name(), |path| path.display().to_string());
        let mut command = format!("steerbox {}", shell_word(&scene));
        for setting in self.run.newest().tuned() {
            let _ = write!(command, " --set {}", shell_word(&written_setting(&setting)));
        }
        command
    }

    /// Tells it in the log: other applications do not see what this one copies.
    pub(super) fn tell_command(&mut self) {
        let (step, command) = (self.run.simulation.world().steps, self.command());
        self.log.say(Tone::Plain, step, command);
    }

    /// Asks for everything tuned to be written into the scene's file.
    pub(super) fn save(&mut self) {
        (self.saving, self.asked) = (true, Instant::now());
        self.run.send(Command::Save);
    }

    /// Waits no longer for a write of which nothing was heard for long: the disk may hang. What comes of it
    /// is reported whenever it comes.
    pub(super) fn lose_patience(&mut self, now: Instant) {
        if self.saving && now.saturating_duration_since(self.asked) > LONG {
            self.saving = false;
            let name = &self.run.generation.scene.path;
            let text = format!("{name} is not written yet: the disk gives no answer");
            let step = self.run.simulation.world().steps;
            self.log.say(Tone::Warning, step, text);
        }
    }

    /// Waits for a write that was asked for, though not for ever.
    pub(super) fn finish(&mut self) {
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
    pub(super) fn tell_saved(&mut self, saved: Saved) {
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
        0 => format!("nothing to write: {file} has every value already"),
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
        1 => ("1 moved obstacle was".to_owned(), "list it under `obstacles` to give it a place"),
        count => {
            (format!("{count} moved obstacles were"), "list them under `obstacles` to give each a place")
        }
    };
    Some(format!("{which} scattered and cannot be written: {list}"))
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
        assert!(written("a.ron", &[]).starts_with("nothing to write"));
        assert_eq!(unwritten(0), None);
        assert!(unwritten(2).unwrap().starts_with("2 moved obstacles were scattered"));
    }
}
