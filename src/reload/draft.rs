//! Drafts: the result of a save, computed during the delay after which a file counts as complete.
//!
//! Compiling during the delay makes the preview faster. If the file stays as it is, the copy replaces the project and
//! its behaviors make their trial run; otherwise it is dropped.

use super::disk::Change;
use super::generation::Generation;
use super::project::Project;

/// A copy of a project with contents that may still change.
pub(super) struct Draft {
    changes: Vec<Change>,
    project: Project,
}

impl Draft {
    /// Applies contents to a copy of the project. Returns also the generation without trial runs, if it differs from
    /// the running one and has no faults.
    pub(super) fn prepare(project: &Project, changes: Vec<Change>) -> (Self, Option<Generation>) {
        let mut project = project.clone();
        for change in &changes {
            project.set(change.clone());
        }
        let generation = project.draft();
        (Self { changes, project }, generation)
    }

    /// Returns the project if its contents are the final ones.
    pub(super) fn confirmed(self, changes: &[Change]) -> Option<Project> {
        (self.changes == changes).then_some(self.project)
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
        let confirmed = draft.confirmed(&saved("fn steer(me, world) { vec(1, 0) }"));
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
        assert!(draft.confirmed(&saved("fn steer(me, world) { vec(2, 0) }")).is_none());
        assert!(Draft::prepare(&project, saved("fn steer(me, world) { vec(1, }")).1.is_none());
        let text = include_str!("../../scripts/cohesion.rhai");
        assert!(Draft::prepare(&project, saved(text)).1.is_none());
    }
}
