//! The state of a text: its relation to the file and to what runs.

use std::path::Path;
use std::sync::Arc;

use steerbox_project::reload::{FileState, Generation, Status, is_experiment};

/// The state of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextState {
    pub(crate) is_unsaved: bool,
    /// The unsaved text of the file that was run last, which may differ from the present one.
    pub(crate) draft: Draft,
    /// True if that is the present text.
    is_present: bool,
    /// True if a group or a flow field of the scene uses the file, or if it is an experiment.
    pub(crate) is_used: bool,
}

/// The state of an unsaved text that was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Draft {
    /// There is none, or it has no result yet.
    None,
    Runs,
    Rejected,
}

impl TextState {
    /// Derives the state of a text, its content and whether that differs from the saved one, from the draft that was run last
    /// and the generation that runs.
    pub(crate) fn of(
        name: &str,
        (content, is_unsaved): (&Arc<str>, bool),
        draft: Option<&Arc<str>>,
        generation: &Generation,
    ) -> Self {
        let file = generation.files.iter().find(|file| file.path == name);
        let is_current = |file: &&FileState| draft.is_some() && file.unsaved.as_ref() == draft;
        let state = match file.filter(is_current).map(|file| &file.status) {
            Some(Status::Rejected(_)) => Draft::Rejected,
            Some(_) => Draft::Runs,
            None => Draft::None,
        };
        // While no scene works, nothing is used.
        let is_used = file.map_or(generation.number == 0, |file| file.used) || is_experiment(Path::new(name));
        Self { is_unsaved, draft: state, is_present: draft == Some(content), is_used }
    }

    /// True if the text runs, or was run and is rejected.
    pub(crate) fn was_run(self) -> bool {
        self.draft != Draft::None && self.is_present
    }

    /// The label; empty for a saved text that runs.
    pub(crate) fn words(self) -> &'static str {
        match (self.is_unsaved, self.draft, self.is_present) {
            (true, Draft::Rejected, true) => "• unsaved, rejected",
            (true, Draft::Rejected, false) => "• unsaved, the last draft is rejected",
            (false, Draft::Rejected, _) => "a draft is rejected",
            (true, ..) if !self.is_used => "• unsaved, used by no group",
            (false, ..) if !self.is_used => "used by no group",
            (true, Draft::Runs, true) => "• unsaved, runs",
            (true, Draft::Runs, false) => "• unsaved, another draft runs",
            (true, Draft::None, _) => "• unsaved",
            (false, Draft::Runs, _) => "a draft runs",
            (false, Draft::None, _) => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use steerbox_project::reload::{Place, Project};

    use super::*;

    #[test]
    fn the_label_follows_from_the_facts() {
        let mut project = Project::new(Place::built_in("flock.ron"));
        let (sound, other) = ("fn steer(me, world) { 1.0 }", "fn steer(me, world) { 2.0 }");
        let faulty = "fn steer(me, world) { zork }";
        for (name, draft, text, is_unsaved, words) in [
            ("cohesion.rhai", None, sound, false, ""),
            ("cohesion.rhai", None, sound, true, "• unsaved"),
            ("cohesion.rhai", Some(sound), sound, true, "• unsaved, runs"),
            ("cohesion.rhai", Some(sound), other, true, "• unsaved, another draft runs"),
            ("cohesion.rhai", Some(sound), other, false, "a draft runs"),
            ("cohesion.rhai", Some(faulty), faulty, true, "• unsaved, rejected"),
            ("cohesion.rhai", Some(faulty), other, true, "• unsaved, the last draft is rejected"),
            ("cohesion.rhai", Some(faulty), other, false, "a draft is rejected"),
            ("new.rhai", None, sound, true, "• unsaved, used by no group"),
            ("new.rhai", Some(sound), sound, true, "• unsaved, used by no group"),
            ("new.rhai", Some(faulty), faulty, true, "• unsaved, rejected"),
            ("chase.rhai", None, sound, false, "used by no group"),
            ("flock.ron", None, sound, true, "• unsaved"),
            ("experiments/flock.ron", None, sound, true, "• unsaved"),
            ("experiments/flock.ron", None, sound, false, ""),
        ] {
            let draft: Option<Arc<str>> = draft.map(Into::into);
            project.set_buffer(name, draft.clone());
            let generation = project.compose().expect("a version works");
            let state = TextState::of(name, (&text.into(), is_unsaved), draft.as_ref(), &generation);
            assert_eq!(state.words(), words, "{name}, {draft:?}, {text}, {is_unsaved}");
            project.set_buffer(name, None);
            project.compose().expect("a version works");
        }
        // A draft that was not composed yet has no result.
        let generation = project.compose().expect("a version works");
        let draft: Arc<str> = sound.into();
        let state = TextState::of("cohesion.rhai", (&draft, true), Some(&draft), &generation);
        assert_eq!((state.words(), state.was_run()), ("• unsaved", false));
    }
}
