//! Drafts: the result of a save, computed during the delay after which a file counts as complete, and that of a text
//! that is being typed.
//!
//! Compiling early makes the preview faster. If the contents become final as they are, the copy replaces the project
//! and its behaviors make their trial run; otherwise it is dropped.

use std::sync::Arc;

use super::command::Command;
use super::disk::Change;
use super::generation::Generation;
use super::project::Project;
use super::unsaved::Checked;

/// Contents that may still change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tentative {
    /// Files that are being saved.
    Saved(Vec<Change>),
    /// Text of a file, by its name, that is being typed.
    Typed(String, Arc<str>),
}

/// A copy of a project with contents that may still change.
pub(super) struct Draft {
    contents: Tentative,
    project: Project,
}

impl Draft {
    /// Applies saved contents to a copy of the project. Returns also the generation without trial runs, if it differs
    /// from the running one and has no faults.
    pub(super) fn prepare(project: &Project, changes: Vec<Change>) -> (Self, Option<Generation>) {
        let mut project = project.clone();
        for change in &changes {
            project.set(change.clone());
        }
        let generation = project.draft();
        (Self { contents: Tentative::Saved(changes), project }, generation)
    }

    /// As [`Draft::prepare`], for a text of a file that is being typed; returns also the faults of that text.
    pub(super) fn check(
        project: &Project,
        name: String,
        text: Arc<str>,
    ) -> (Self, Option<Generation>, Checked) {
        let mut project = project.clone();
        project.set_buffer(&name, Some(Arc::clone(&text)));
        let (generation, faults) = project.check(&name);
        let contents = Tentative::Typed(name.clone(), Arc::clone(&text));
        (Self { contents, project }, generation, Checked { name, text, faults })
    }

    /// Returns the project if a command makes its contents the final ones.
    pub(super) fn confirmed_by(self, command: &Command) -> Option<Project> {
        match command {
            Command::Buffer(name, Some(text)) => {
                self.confirmed(&Tentative::Typed(name.clone(), Arc::clone(text)))
            }
            _ => None,
        }
    }

    /// Returns the project if its contents are the final ones.
    pub(super) fn confirmed(self, contents: &Tentative) -> Option<Project> {
        (self.contents == *contents).then_some(self.project)
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::reload::disk::Content;
    use crate::reload::place::Place;

    fn saved(text: &str) -> Vec<Change> {
        let path = PathBuf::from("scripts/cohesion.rhai");
        vec![Change { path, content: Content::Text(text.into()) }]
    }

    #[test]
    fn a_confirmed_draft_equals_the_generation() {
        let mut project =
            Project::new(Place { folders: vec!["scripts".into()], ..Place::built_in("flock.ron") });
        let first = project.compose().unwrap();
        let (draft, expected) = Draft::prepare(&project, saved("fn steer(me, world) { vec(1, 0) }"));
        let expected = expected.unwrap();
        assert!(!expected.runs_like(&first) && expected.changed == ["cohesion"]);
        assert!(!project.has_news() && project.compose().unwrap().runs_like(&first), "the draft is a copy");
        let confirmed = draft.confirmed(&Tentative::Saved(saved("fn steer(me, world) { vec(1, 0) }")));
        project.adopt(confirmed.unwrap());
        assert!(project.has_news());
        let now = project.compose().unwrap();
        assert!(now.runs_like(&expected) && now.changed == expected.changed);
        assert_eq!(now.number, first.number + 1);
        assert!(now.events.iter().any(|event| event.kind.runs()));
    }

    #[test]
    fn other_contents_are_not_confirmed_and_faulty_or_equal_ones_have_no_draft() {
        let mut project =
            Project::new(Place { folders: vec!["scripts".into()], ..Place::built_in("flock.ron") });
        project.compose().unwrap();
        let (draft, generation) = Draft::prepare(&project, saved("fn steer(me, world) { vec(1, 0) }"));
        assert!(generation.is_some());
        assert!(draft.confirmed(&Tentative::Saved(saved("fn steer(me, world) { vec(2, 0) }"))).is_none());
        assert!(Draft::prepare(&project, saved("fn steer(me, world) { vec(1, }")).1.is_none());
        let text = include_str!("../../../../scripts/cohesion.rhai");
        assert!(Draft::prepare(&project, saved(text)).1.is_none());
    }
}
