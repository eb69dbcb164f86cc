//! The files of a project: their newest contents, which of these run, and what became of each.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::compose::Composed;
use super::event::{Event, EventKind};
use super::generation::{FileState, Status};
use super::scene_file::SceneFile;
use super::scripts::{ScriptFile, Scripts};
use crate::diagnostics::Fault;
use crate::scene::Scene;

/// The scene and the scripts of a project.
#[derive(Clone)]
pub(super) struct Files {
    /// The scene's file name.
    pub(super) scene_name: String,
    /// Whether the scene came with the binary.
    pub(super) is_embedded: bool,
    pub(super) scene: SceneFile,
    pub(super) scripts: Scripts,
    /// Files whose content changed since the last generation.
    fresh: BTreeSet<String>,
}

/// What a generation made of the files.
pub(super) struct Committed {
    /// Scripts of which another version runs.
    pub(super) changed: Vec<String>,
    pub(super) events: Vec<Event>,
}

/// Whether a generation is the first, or replaces one that runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    First,
    Swap,
}

/// How a file stood before a generation, and how it stands now.
struct StatusChange<'a> {
    path: &'a str,
    before: Option<Status>,
    status: Status,
    /// Whether the newest content runs since this generation, and the event for that.
    is_new: bool,
    live: EventKind,
    /// Whether the content changed since the last generation.
    fresh: bool,
    warnings: &'a [Fault],
}

impl Files {
    pub(super) fn new(scene_name: String, is_embedded: bool, scripts: Scripts) -> Self {
        let (scene, fresh) = (SceneFile::default(), BTreeSet::new());
        Self { scene_name, is_embedded, scene, scripts, fresh }
    }

    /// Takes over the scene's content; `None` when the file is gone.
    pub(super) fn set_scene(&mut self, text: Option<Result<Arc<str>, Fault>>) {
        if self.scene.set(&self.scene_name, text) {
            self.fresh.insert(self.scene_name.clone());
        }
    }

    /// Takes over a script's content in the `rank`-th folder; `None` when the file is gone.
    pub(super) fn set_script(&mut self, name: &str, rank: usize, text: Option<Result<Arc<str>, Fault>>) {
        if text.is_none() || !self.scripts.holds(name, rank, text.as_ref()) {
            self.fresh.insert(format!("{name}.rhai"));
            self.scripts.set(name, rank, text);
        }
    }

    /// Considers every script that the scene names, in what runs and in its newest content.
    pub(super) fn consider_used(&mut self) {
        let candidate = self.scene.candidate.as_ref().and_then(|scene| scene.as_ref().ok());
        for scene in candidate.into_iter().chain(&self.scene.live) {
            for used in scene.scripts() {
                self.scripts.want(&used.script);
            }
        }
    }

    /// Whether contents that differ from what runs wait to be composed.
    pub(super) fn has_news(&self) -> bool {
        let fresh = |path: &str| self.fresh.contains(path);
        let scene = &self.scene;
        let gone = scene.gone && scene.status != Some(Status::Missing);
        let changed = scene.candidate.is_some() || scene.status != Some(Status::Live);
        let script = |(name, file): (&String, &ScriptFile)| {
            let changed = file.candidate.is_some() || file.is_gone() || file.status != Status::Live;
            changed && fresh(&format!("{name}.rhai"))
        };
        gone || (changed && fresh(&self.scene_name)) || self.scripts.iter().any(script)
    }

    /// Whether something waits that would be tried on the world that runs.
    pub(super) fn has_candidates(&self) -> bool {
        let scene = matches!(self.scene.candidate, Some(Ok(_)));
        let mut scripts = self.scripts.iter();
        scene || scripts.any(|(_, file)| matches!(file.candidate, Some(Ok(_))))
    }

    /// The scripts of which another version than the one that runs works by itself.
    pub(super) fn candidates(&self) -> Vec<String> {
        let scripts = self.scripts.iter().filter(|(_, file)| matches!(file.candidate, Some(Ok(_))));
        scripts.map(|(name, _)| name.clone()).collect()
    }

    /// Whether what is composed differs from what runs.
    pub(super) fn differs(&self, composed: &Composed) -> bool {
        let mut scripts = self.scripts.iter();
        self.scene.is_new(&composed.scene.content)
            || scripts.any(|(name, file)| {
                let path = format!("{name}.rhai");
                matches!(&file.candidate, Some(Ok(_))) && !composed.rejected.holds(&path)
            })
    }

    /// Makes what is composed what runs, as generation `number`, and notes what became of every file.
    pub(super) fn commit(&mut self, composed: &Composed, number: u64, entry: Entry) -> Committed {
        let mut events: Vec<_> = self.commit_scene(composed, number, entry).into_iter().collect();
        let mut changed = Vec::new();
        let scene = &composed.scene.content;
        for (name, file) in self.scripts.iter_mut() {
            let path = format!("{name}.rhai");
            let fresh = self.fresh.contains(&path);
            let before = (entry == Entry::Swap).then(|| file.status.clone());
            let rejected = composed.rejected.faults(&path);
            let is_new = commit_script(file, rejected, number, fresh);
            if is_new {
                changed.push(name.clone());
            }
            let is_used = scene.scripts().any(|used| used.script == *name);
            if is_used || (entry == Entry::Swap && fresh) {
                let change = StatusChange {
                    path: &path,
                    before,
                    status: file.status.clone(),
                    is_new,
                    live: EventKind::Live,
                    fresh,
                    warnings: file.live.as_ref().map_or(&[], |script| &script.warnings),
                };
                events.extend(change.event(number));
            }
        }
        self.fresh.clear();
        Committed { changed, events }
    }

    fn commit_scene(&mut self, composed: &Composed, number: u64, entry: Entry) -> Option<Event> {
        let scene = &composed.scene.content;
        let is_new = self.scene.is_new(scene);
        if is_new {
            self.scene.go_live(scene, number);
        }
        let live = match entry {
            Entry::Swap if is_new => EventKind::Reconciled,
            _ => EventKind::Live,
        };
        let rejected = composed.rejected.faults(&self.scene_name).cloned();
        self.set_scene_status(rejected, is_new, live).event(number)
    }

    /// Notes that no version of the scene works: its state and what happened to it.
    pub(super) fn wait(&mut self, faults: Vec<Fault>) -> (FileState, Vec<Event>) {
        let faults = (!self.scene.gone).then_some(faults);
        let event = self.set_scene_status(faults, false, EventKind::Live).event(0);
        // Scripts are reported once the scene that names them runs.
        self.fresh.clear();
        (self.scene_state(), event.into_iter().collect())
    }

    fn set_scene_status(
        &mut self,
        rejected: Option<Vec<Fault>>,
        is_new: bool,
        live: EventKind,
    ) -> StatusChange<'_> {
        let status = match rejected {
            Some(faults) => Status::Rejected(faults),
            None if self.scene.gone => Status::Missing,
            None => Status::Live,
        };
        StatusChange {
            path: &self.scene_name,
            before: self.scene.status.replace(status.clone()),
            status,
            is_new,
            live,
            fresh: self.fresh.contains(&self.scene_name),
            warnings: &[],
        }
    }

    fn scene_state(&self) -> FileState {
        FileState {
            path: self.scene_name.clone(),
            status: self.scene.status.clone().unwrap_or(Status::Live),
            generation: self.scene.generation,
            embedded: self.is_embedded,
            used: true,
        }
    }

    /// How the scene stands, then every script that it uses or that is faulty.
    pub(super) fn states(&self, scene: &Scene) -> Vec<FileState> {
        let used = self.used(scene);
        let scripts = self.scripts.iter();
        let scripts = scripts
            .filter(|(name, file)| used.contains(*name) || matches!(file.status, Status::Rejected(_)))
            .map(|(name, file)| FileState {
                path: format!("{name}.rhai"),
                status: file.status.clone(),
                generation: file.generation,
                embedded: file.is_embedded(),
                used: used.contains(name),
            });
        std::iter::once(self.scene_state()).chain(scripts).collect()
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
}

/// Makes a script's candidate what runs unless it is rejected, and notes how the file stands. Whether
/// another version runs.
fn commit_script(file: &mut ScriptFile, rejected: Option<&Vec<Fault>>, number: u64, fresh: bool) -> bool {
    if let Some(faults) = rejected {
        file.status = Status::Rejected(faults.clone());
    } else if let Some(Ok(script)) = file.candidate.take() {
        (file.live, file.generation, file.status) = (Some(script), number, Status::Live);
        return true;
    } else if file.is_embedded() && file.status != Status::Missing && !fresh {
        // As it was.
    } else if file.is_gone() || file.live.is_none() {
        file.status = Status::Missing;
    } else {
        file.status = Status::Live;
    }
    false
}

impl StatusChange<'_> {
    /// The event of a file, if anything happened to it.
    fn event(&self, generation: u64) -> Option<Event> {
        let changed = self.before.as_ref() != Some(&self.status);
        let path = self.path.to_owned();
        let (kind, faults) = match &self.status {
            Status::Live if self.is_new || changed => (self.live, &[][..]),
            Status::Rejected(faults) if self.fresh || changed => (EventKind::Rejected, &faults[..]),
            Status::Missing if changed => (EventKind::Missing, &[][..]),
            _ => return None,
        };
        let error = faults.first().cloned();
        let others = match kind {
            EventKind::Live => self.warnings.to_vec(),
            _ => faults.iter().skip(1).cloned().collect(),
        };
        Some(Event { kind, path, generation, error, others })
    }
}
