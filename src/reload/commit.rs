//! Committing: what works goes live, and every file's fate is noted.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::event::{Event, EventKind};
use super::generation::{FileState, Generation, Planned, Status};
use super::project::{Blame, Project, holds};
use super::remarks;
use crate::diagnostics::Fault;
use crate::scene::Scene;

impl Project {
    /// Makes what works live, and notes what happened to every file.
    pub(super) fn commit(
        &mut self,
        scene: Arc<Scene>,
        behaviors: Vec<Vec<Planned>>,
        aside: &[Blame],
        hot: bool,
    ) -> Generation {
        let marks = self.marks(&scene, aside);
        let scene_is_new = self.is_new(&scene);
        let any_script = self.scripts.iter_mut().any(|(name, file)| {
            matches!(&file.candidate, Some(Ok(_))) && !holds(aside, &format!("{name}.rhai"))
        });
        if scene_is_new || any_script || self.turned {
            self.number += 1;
        }
        self.turned = false;
        let mut events = Vec::new();
        let mut changed = Vec::new();
        self.commit_scene(&scene, scene_is_new, aside, hot, &mut events);
        self.commit_scripts(&scene, aside, hot, &mut events, &mut changed);
        self.fresh.clear();
        for planned in behaviors.iter().flatten() {
            for knob in &planned.knobs {
                self.tuned.settle(&planned.handle, &knob.name, &knob.file);
            }
        }
        self.compiled.sweep();
        let is_new = scene_is_new || !changed.is_empty();
        let warnings = self.scene_warnings(&scene, &behaviors, is_new);
        remarks::tell(&mut events, &self.place.scene_name(), &warnings);
        let files = self.files(&scene);
        Generation {
            number: self.number,
            scene,
            moved: Vec::new(),
            behaviors,
            flows: Vec::new(),
            marks,
            files,
            events,
            warnings,
            changed,
            polling: None,
            saved: None,
        }
    }

    fn commit_scene(
        &mut self,
        scene: &Arc<Scene>,
        is_new: bool,
        aside: &[Blame],
        hot: bool,
        events: &mut Vec<Event>,
    ) {
        let name = self.place.scene_name();
        let was = self.scene.status.take();
        let rejected = aside.iter().find(|Blame(file, _)| *file == name);
        let status = match rejected {
            Some(Blame(_, faults)) => Status::Rejected(faults.clone()),
            None if self.scene.gone => Status::Missing,
            None => Status::Live,
        };
        if is_new {
            self.scene.text = self.scene.newest.take();
            self.scene.live = Some(Arc::clone(scene));
            self.scene.candidate = None;
            self.scene.generation = self.number;
        }
        let good = if hot && is_new {
            EventKind::Reconciled
        } else {
            EventKind::Live
        };
        let fresh = self.fresh.contains(&name);
        self.note(&name, was.as_ref(), &status, (good, is_new, fresh), events);
        self.scene.status = Some(status);
    }

    fn commit_scripts(
        &mut self,
        scene: &Scene,
        aside: &[Blame],
        hot: bool,
        events: &mut Vec<Event>,
        changed: &mut Vec<String>,
    ) {
        let names: Vec<String> = self
            .scripts
            .iter_mut()
            .map(|(name, _)| name.clone())
            .collect();
        for name in names {
            let path = format!("{name}.rhai");
            let fresh = self.fresh.contains(&path);
            let number = self.number;
            let Some(file) = self.scripts.get_mut(&name) else {
                continue;
            };
            let rejected = aside.iter().find(|Blame(blamed, _)| *blamed == path);
            let mut is_new = false;
            let status = if let Some(Blame(_, faults)) = rejected {
                Status::Rejected(faults.clone())
            } else if let Some(Ok(script)) = file.candidate.take() {
                file.live = Some(script);
                file.generation = number;
                is_new = true;
                changed.push(name.clone());
                Status::Live
            } else if file.is_embedded() && file.status != Status::Missing && !fresh {
                file.status.clone()
            } else if file.is_gone() || file.live.is_none() {
                Status::Missing
            } else {
                Status::Live
            };
            let was = std::mem::replace(&mut file.status, status.clone());
            let is_used = scene.scripts().any(|used| used.script == name);
            if is_used || (hot && fresh) {
                self.note(
                    &path,
                    hot.then_some(&was),
                    &status,
                    (EventKind::Live, is_new, fresh),
                    events,
                );
            }
        }
    }

    /// Adds the event of a file, if anything happened to it.
    pub(super) fn note(
        &self,
        path: &str,
        was: Option<&Status>,
        status: &Status,
        (good, is_new, fresh): (EventKind, bool, bool),
        events: &mut Vec<Event>,
    ) {
        let changed = was != Some(status);
        let (kind, faults) = match status {
            Status::Live if is_new || changed => (good, Vec::new()),
            Status::Rejected(faults) if fresh || changed => (EventKind::Rejected, faults.clone()),
            Status::Missing if changed => (EventKind::Missing, Vec::new()),
            _ => return,
        };
        let (error, others) = match kind {
            EventKind::Rejected => (
                faults.first().cloned(),
                faults.into_iter().skip(1).collect(),
            ),
            EventKind::Live => (None, self.warnings(path)),
            _ => (None, Vec::new()),
        };
        events.push(Event {
            kind,
            path: path.to_owned(),
            generation: self.number,
            error,
            others,
        });
    }

    /// What is told of a script that runs.
    fn warnings(&self, path: &str) -> Vec<Fault> {
        let name = path.trim_end_matches(".rhai");
        let live = self.scripts.get(name).and_then(|file| file.live.as_ref());
        live.map_or(Vec::new(), |script| script.warnings.clone())
    }

    /// Every script that the scene uses, and what those import.
    fn used(&self, scene: &Scene) -> BTreeSet<String> {
        let mut used: BTreeSet<String> = scene.scripts().map(|used| used.script.clone()).collect();
        for name in used.clone() {
            let live = self.scripts.get(&name).and_then(|file| file.live.as_ref());
            let imports = live.into_iter().flat_map(|live| &live.imports);
            used.extend(imports.map(|imported| imported.name.clone()));
        }
        used
    }

    /// The scene, then every script that it uses or that is at fault.
    fn files(&mut self, scene: &Scene) -> Vec<FileState> {
        let mut files = vec![FileState {
            path: self.place.scene_name(),
            status: self.scene.status.clone().unwrap_or(Status::Live),
            generation: self.scene.generation,
            embedded: self.place.scene.is_none(),
            used: true,
        }];
        let used = self.used(scene);
        for (name, file) in self.scripts.iter_mut() {
            if used.contains(name) || matches!(file.status, Status::Rejected(_)) {
                files.push(FileState {
                    path: format!("{name}.rhai"),
                    status: file.status.clone(),
                    generation: file.generation,
                    embedded: file.is_embedded(),
                    used: used.contains(name),
                });
            }
        }
        files
    }
}
