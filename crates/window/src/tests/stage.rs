//! Frames, keys and waiting for tests, and windows of scenes in folders of their own.

use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use egui::{Event, Key, Modifiers, PointerButton};
use glam::Vec2;
use steerbox_core::world::World;
use steerbox_project::reload::{Handle, Place};
use steerbox_project::session::Options;

use super::{change, input, options, patient, typed};
use crate::App;
use crate::commands::action::{Action, SessionAction};
use crate::model::frame_input::FrameInput;

impl App {
    pub(super) fn world(&self) -> &World {
        self.session.run.simulation.world()
    }

    pub(super) fn hash(&self) -> u64 {
        self.session.run.simulation.hash()
    }

    pub(crate) fn act(&mut self, action: impl Into<Action>) {
        self.view.act(&mut self.session, action);
    }

    /// Draws a frame, and returns the number of the step that it shows.
    pub(super) fn step(&mut self, input: &FrameInput) -> u64 {
        self.frame(input, Duration::from_millis(17));
        self.steps()
    }

    /// Draws frames without input.
    pub(crate) fn idle(&mut self, frames: usize) -> u64 {
        (0..frames).for_each(|_| _ = self.step(&input()));
        self.steps()
    }

    pub(crate) fn press(&mut self, key: Key) -> u64 {
        self.chord(Modifiers::NONE, key)
    }

    pub(super) fn chord(&mut self, modifiers: Modifiers, key: Key) -> u64 {
        self.step(&typed(key, modifiers))
    }

    pub(super) fn undo(&mut self) {
        self.chord(Modifiers::COMMAND, Key::Z);
    }

    pub(super) fn redo(&mut self) {
        self.chord(Modifiers::COMMAND, Key::Y);
    }

    pub(super) fn type_text(&mut self, text: &str) {
        self.step(&text_input(text));
    }

    /// Moves the pointer over the world to a pixel.
    pub(super) fn point(&mut self, place: Vec2) {
        let mut input = input();
        input.pointer.position = Some(place);
        self.step(&input);
    }

    /// A frame with the pointer over the world at a pixel, its primary button held or not, and changes of buttons.
    pub(super) fn pointer(&mut self, place: Vec2, held: bool, changes: &[(PointerButton, bool)]) {
        let mut input = input();
        input.pointer.position = Some(place);
        input.pointer.held.primary = held;
        let changes = changes.iter().map(|(button, pressed)| change(place, *button, *pressed));
        input.pointer.changes = changes.collect();
        self.step(&input);
    }

    /// Saves by the key, and waits until the loader has executed and written everything.
    pub(super) fn save(&mut self) {
        self.chord(Modifiers::COMMAND, Key::S);
        self.until(|app| !app.session.saving);
    }

    /// Draws frames until a condition is true.
    #[track_caller]
    pub(super) fn until(&mut self, is_so: impl Fn(&Self) -> bool) {
        let end = Instant::now() + Duration::from_mins(2);
        while !is_so(self) {
            assert!(Instant::now() < end, "{:?}", self.log());
            self.idle(1);
            std::thread::yield_now();
        }
    }

    /// Shows a step, and checks that it is shown.
    #[track_caller]
    pub(super) fn go_to(&mut self, step: u64) {
        self.act(SessionAction::GoToStep(step));
        assert_eq!(super::time_travel::shown(self, &input()), step);
    }

    pub(super) fn log(&self) -> Vec<String> {
        self.session.log.lines().map(|line| line.text.clone()).collect()
    }

    /// Returns true if a line of the log contains a text.
    pub(super) fn logs(&self, part: &str) -> bool {
        self.session.log.lines().any(|line| line.text.contains(part))
    }

    /// Returns the rule of an index, of all groups.
    pub(super) fn rule(&self, at: usize) -> Handle {
        self.session.run.newest().planned().nth(at).unwrap().handle.clone()
    }
}

pub(super) fn text_input(text: &str) -> FrameInput {
    let mut input = input();
    input.egui.events.push(Event::Text(text.to_owned()));
    input
}

/// A scene of one group with one rule.
pub(super) const SMALL: &str = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()},
    groups: [(name: \"a\", body: \"m\", count: 3, behaviors: [(script: \"mine\")])])";

/// A window of a scene in a folder of its own.
pub(super) struct Stage {
    app: App,
    pub(super) folder: tempfile::TempDir,
}

impl Stage {
    /// Writes files by path and text, and opens the first one.
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        Self::with(files, |place| patient(Options { place, ..options() }))
    }

    /// Writes files by path and text, and opens a window of the first one.
    pub(super) fn with(files: &[(&str, &str)], open: impl FnOnce(Place) -> App) -> Self {
        let folder = folder_of(files);
        Self { app: open(Place::of_scene(&folder.path().join(files[0].0))), folder }
    }

    pub(super) fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    pub(super) fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.path(file)).unwrap()
    }

    pub(super) fn write(&self, file: &str, text: &str) {
        std::fs::write(self.path(file), text).unwrap();
    }
}

/// Returns a new folder with files by path and text.
pub(super) fn folder_of(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (file, text) in files {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

impl Deref for Stage {
    type Target = App;

    fn deref(&self) -> &App {
        &self.app
    }
}

impl DerefMut for Stage {
    fn deref_mut(&mut self) -> &mut App {
        &mut self.app
    }
}
