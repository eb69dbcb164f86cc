//! What a save leads to, prepared while it is still waited for whether the file stays as it is.
//!
//! A file counts as complete only after a delay. Compiling during the delay makes the preview faster. If the file stays
//! as it is, the copy replaces the project and its behaviors make their trial run; otherwise it is dropped.

use super::disk::Change;
use super::generation::Generation;
use super::project::Project;

/// A project with contents that are not sure yet.
pub(super) struct Draft {
    changes: Vec<Change>,
    project: Project,
}

impl Draft {
    /// Takes the contents over into a copy of the project. Also what would then run, untried, if it differs and
    /// nothing in it is faulty.
    pub(super) fn of(project: &Project, changes: Vec<Change>) -> (Self, Option<Generation>) {
        let mut project = project.clone();
        for change in &changes {
            project.set(change.clone());
        }
        let generation = project.draft();
        (Self { changes, project }, generation)
    }

    /// The project, if these contents are what came to be sure.
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
    fn what_is_confirmed_runs_as_its_draft_said() {
        let mut project =
            Project::new(Place { folders: vec!["scripts".into()], ..Place::built_in("flock.ron") });
        let first = project.compose().unwrap();
        let (draft, expected) = Draft::of(&project, saved("fn steer(me, world) { vec(1, 0) }"));
        let expected = expected.unwrap();
        assert!(!expected.runs_like(&first) && expected.changed == ["cohesion"]);
        assert!(!project.has_news() && project.compose().unwrap().runs_like(&first), "it is a copy");
        let confirmed = draft.confirmed(&saved("fn steer(me, world) { vec(1, 0) }"));
        project.adopt(confirmed.unwrap());
        assert!(project.has_news());
        let now = project.compose().unwrap();
        assert!(now.runs_like(&expected) && now.changed == expected.changed);
        assert_eq!(now.number, first.number + 1);
        assert!(now.events.iter().any(|event| event.kind.runs()));
    }

    #[test]
    fn what_came_otherwise_is_not_confirmed_and_what_is_faulty_or_no_news_runs_nowhere() {
        let mut project =
            Project::new(Place { folders: vec!["scripts".into()], ..Place::built_in("flock.ron") });
        project.compose().unwrap();
        let (draft, generation) = Draft::of(&project, saved("fn steer(me, world) { vec(1, 0) }"));
        assert!(generation.is_some());
        assert!(draft.confirmed(&saved("fn steer(me, world) { vec(2, 0) }")).is_none());
        assert!(Draft::of(&project, saved("fn steer(me, world) { vec(1, }")).1.is_none());
        let text = include_str!("../../scripts/cohesion.rhai");
        assert!(Draft::of(&project, saved(text)).1.is_none());
    }
}
