//! Waiting: a scene that does not work yet, shown as an empty world until it does.

use std::sync::Arc;

use super::event::EventKind;
use super::generation::{FileState, Generation, Status};
use super::project::{LoadError, Project};
use crate::scene::Scene;

impl Project {
    /// The next generation; while no version of the scene works, an empty one that tells why.
    ///
    /// # Errors
    /// When nothing has run yet and there is no scene at all.
    pub fn compose_or_wait(&mut self) -> Result<Generation, LoadError> {
        let is_known = self.scene.candidate.is_some() || self.scene.status.is_some();
        let waits = is_known && self.scene.live.is_none();
        match self.compose() {
            Err(error) if waits => Ok(self.wait(error)),
            composed => composed,
        }
    }

    /// Generation 0: nothing runs, and the scene's file is told to be at fault.
    fn wait(&mut self, LoadError(faults): LoadError) -> Generation {
        let path = self.place.scene_name();
        let status = if self.scene.gone {
            Status::Missing
        } else {
            Status::Rejected(faults)
        };
        let was = self.scene.status.replace(status.clone());
        let fresh = self.fresh.contains(&path);
        let mut events = Vec::new();
        let told = (EventKind::Live, false, fresh);
        self.note(&path, was.as_ref(), &status, told, &mut events);
        // What scripts hold is told once the scene that names them runs.
        self.fresh.clear();
        let file = FileState {
            path: path.clone(),
            status,
            generation: 0,
            embedded: false,
            used: true,
        };
        Generation {
            number: 0,
            scene: Arc::new(Scene::empty(path)),
            moved: Vec::new(),
            behaviors: Vec::new(),
            flows: Vec::new(),
            marks: Vec::new(),
            files: vec![file],
            events,
            changed: Vec::new(),
            warnings: Vec::new(),
            polling: None,
            saved: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reload::Place;

    fn project() -> Project {
        Project::new(Place {
            scene: Some("a.ron".into()),
            ..Place::built_in("a.ron")
        })
    }

    fn kinds(generation: &Generation) -> Vec<(EventKind, u64)> {
        let events = generation.events.iter();
        events.map(|event| (event.kind, event.generation)).collect()
    }

    #[test]
    fn a_scene_that_does_not_work_is_waited_for_and_told_once_a_save() {
        let mut project = project();
        assert!(project.compose_or_wait().is_err(), "there is no file");
        project.set_scene(Some(Ok("(".into())));
        let generation = project.compose_or_wait().unwrap();
        assert_eq!(generation.number, 0);
        assert!(matches!(generation.files[0].status, Status::Rejected(_)));
        assert_eq!(kinds(&generation), [(EventKind::Rejected, 0)]);
        assert!(generation.events[0].error.is_some());
        assert!(!project.has_news());
        project.set_scene(None);
        let generation = project.compose_or_wait().unwrap();
        assert_eq!(kinds(&generation), [(EventKind::Missing, 0)]);
        project.set_scene(Some(Ok("(world: 3)".into())));
        assert!(project.has_news());
        let generation = project.compose_or_wait().unwrap();
        assert_eq!(kinds(&generation), [(EventKind::Rejected, 0)]);
        let text = "(world: Plane(size: (9, 9)), bodies: {\"m\": Mover()}, groups: [
            (name: \"a\", body: \"m\", behaviors: [(script: \"wander\")])])";
        project.set_scene(Some(Ok(text.into())));
        let generation = project.compose_or_wait().unwrap();
        assert_eq!(generation.number, 1);
        let live = (EventKind::Live, 1);
        assert_eq!(kinds(&generation), [live, live]);
        assert_eq!(generation.start(None).world().groups.len(), 1);
    }
}
