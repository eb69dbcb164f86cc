//! A project: a scene and its scripts, and how contents become a generation that runs.
//!
//! Every file's newest content is a candidate. All candidates are tried together; one that is
//! faulty is set aside with its faults and what ran before stays in its place, until a set is left
//! that works as a whole. Candidates that were set aside are tried again whenever anything changes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::compiled::Compiled;
use super::embedded::embedded_scene;
use super::generation::{Generation, Status};
use super::moves::{Moved, Moves};
use super::place::{Place, file_name};
use super::running::Running;
use super::scripts::Scripts;
use super::tuned::{Handle, KnobName, Tuned};
use crate::diagnostics::Fault;
use crate::scene::{self, ParamValue, Scene};

/// A project that cannot start: its scene does not read.
#[derive(Debug, Error)]
#[error("the scene cannot be opened")]
pub struct LoadError(pub Vec<Fault>);

impl LoadError {
    /// The same, with the scene called as its user calls it: `path` instead of its last part.
    #[must_use]
    pub fn naming(mut self, path: &Path) -> Self {
        let name = file_name(path);
        for fault in self.0.iter_mut().filter(|fault| fault.path == name) {
            fault.path = path.display().to_string();
        }
        self
    }
}

/// A scene, its scripts and what is tuned.
pub struct Project {
    pub(super) place: Place,
    pub(super) scene: SceneFile,
    pub(super) scripts: Scripts,
    pub(super) tuned: Tuned,
    pub(super) moves: Moves,
    /// A scene, what is moved in it, and the scene in which it stands there.
    standing: Option<(Arc<Scene>, Vec<Moved>, Arc<Scene>)>,
    pub(super) compiled: Compiled,
    pub(super) number: u64,
    /// Files whose content changed since the last generation.
    pub(super) fresh: BTreeSet<String>,
    pub(super) turned: bool,
}

#[derive(Default)]
pub(super) struct SceneFile {
    pub(super) live: Option<Arc<Scene>>,
    pub(super) candidate: Option<Result<Arc<Scene>, Vec<Fault>>>,
    /// The text of `live`, and of `candidate`.
    pub(super) text: Option<Arc<str>>,
    pub(super) newest: Option<Arc<str>>,
    pub(super) gone: bool,
    pub(super) status: Option<Status>,
    pub(super) generation: u64,
    /// That a step of `live` is slow, if it is.
    pub(super) slow: Option<Fault>,
}

/// A file that does not work, and why.
pub(super) struct Blame(pub(super) String, pub(super) Vec<Fault>);

impl Project {
    /// A project without contents yet.
    pub fn new(place: Place) -> Self {
        let scripts = Scripts::new(place.folders.len());
        let mut project = Self {
            place,
            scene: SceneFile::default(),
            scripts,
            tuned: Tuned::default(),
            moves: Moves::default(),
            standing: None,
            compiled: Compiled::default(),
            number: 0,
            fresh: BTreeSet::new(),
            turned: false,
        };
        if project.place.scene.is_none() {
            let (name, text) = embedded_scene(project.place.built_in);
            project.scene.candidate = Some(scene::read(name, text).map(Arc::new));
        }
        project
    }

    /// Takes over the scene's content; `None` when the file is gone.
    pub fn set_scene(&mut self, text: Option<Result<Arc<str>, Fault>>) {
        let told = match (&text, &self.scene.candidate) {
            (Some(Ok(text)), _) => self.scene.newest.as_ref() == Some(text),
            (Some(Err(fault)), Some(Err(known))) => known[..] == [fault.clone()],
            _ => false,
        };
        if told && !self.scene.gone {
            return;
        }
        let name = self.place.scene_name();
        self.fresh.insert(name.clone());
        self.scene.gone = text.is_none();
        self.scene.candidate = match text {
            None => None,
            Some(Err(fault)) => {
                self.scene.newest = None;
                Some(Err(vec![fault]))
            }
            Some(Ok(text))
                if self.scene.live.is_some() && self.scene.text.as_ref() == Some(&text) =>
            {
                None
            }
            Some(Ok(text)) => {
                let scene = scene::read(&name, &text).map(Arc::new);
                self.scene.newest = Some(text);
                Some(scene)
            }
        };
    }

    /// Takes over a script's content in the `rank`-th folder; `None` when the file is gone.
    pub fn set_script(&mut self, name: &str, rank: usize, text: Option<Result<Arc<str>, Fault>>) {
        if text.is_none() || !self.scripts.holds(name, rank, text.as_ref()) {
            self.fresh.insert(format!("{name}.rhai"));
            self.scripts.set(name, rank, text);
        }
    }

    /// Whether contents that differ from what runs wait to be composed.
    pub fn has_news(&mut self) -> bool {
        let gone = self.scene.gone && self.scene.status != Some(Status::Missing);
        let scripts = self.scripts.iter_mut().any(|(name, file)| {
            let fresh = self.fresh.contains(&format!("{name}.rhai"));
            fresh && (file.candidate.is_some() || file.is_gone() || file.status != Status::Live)
        });
        let scene = self.fresh.contains(&self.place.scene_name());
        scripts
            || gone
            || (scene
                && (self.scene.candidate.is_some() || self.scene.status != Some(Status::Live)))
    }

    /// Whether something waits that would be tried on the world that runs.
    pub fn has_candidates(&mut self) -> bool {
        let scene = matches!(self.scene.candidate, Some(Ok(_)));
        let mut scripts = self.scripts.iter_mut();
        scene || scripts.any(|(_, file)| matches!(file.candidate, Some(Ok(_))))
    }

    /// Whether what runs is known.
    pub(super) fn knows_running(&self) -> bool {
        self.compiled.running.is_some()
    }

    /// Takes over what runs, for new behaviors to be tried on until the next generation.
    pub fn set_running(&mut self, running: Running) {
        self.compiled.running = Some(running);
    }

    /// The scripts that were on disk when it was last told.
    pub(super) fn script_files(&self) -> Vec<PathBuf> {
        let on_disk = self.scripts.on_disk();
        let path = |(name, rank): (&str, usize)| {
            let folder = self.place.folders.get(rank)?;
            Some(folder.join(format!("{name}.rhai")))
        };
        on_disk.filter_map(path).collect()
    }

    /// Where the files are.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Tunes a value; it counts from the next generation on.
    pub fn tune(&mut self, handle: Handle, knob: KnobName, value: ParamValue) {
        self.tuned.set(handle, knob, value);
        self.turned = true;
    }

    /// Switches a behavior as a key of the scene does; it counts from the next generation on.
    pub fn switch(&mut self, handle: Handle, on: bool) {
        self.tuned.switch(handle, on);
        self.turned = true;
    }

    /// Returns a value to the file's.
    pub fn untune(&mut self, handle: &Handle, knob: &KnobName) {
        self.tuned.clear(handle, knob);
        self.turned = true;
    }

    /// Moves an obstacle by hand; it stands there from the next generation on.
    pub fn move_obstacle(&mut self, moved: Moved) {
        self.moves.set(moved);
        self.turned = true;
    }

    /// Returns an obstacle to the file's place.
    pub fn return_obstacle(&mut self, at: usize) {
        self.moves.clear(at);
        self.turned = true;
    }

    /// The scene with its obstacles where they were moved to: the same one as long as nothing changes.
    pub(super) fn standing(&mut self, scene: &Arc<Scene>) -> Arc<Scene> {
        let moved = self.moves.resolve(&scene.world.obstacles);
        if moved.is_empty() {
            return Arc::clone(scene);
        }
        if let Some((of, known, standing)) = &self.standing
            && Arc::ptr_eq(of, scene)
            && *known == moved
        {
            return Arc::clone(standing);
        }
        let mut standing = Scene::clone(scene);
        for one in &moved {
            if let Some(obstacle) = one.standing() {
                standing.world.obstacles[one.at] = obstacle;
            }
        }
        let standing = Arc::new(standing);
        self.standing = Some((Arc::clone(scene), moved, Arc::clone(&standing)));
        standing
    }

    /// The next generation from all contents.
    ///
    /// # Errors
    /// When no version of the scene works: nothing has run yet and nothing can.
    pub fn compose(&mut self) -> Result<Generation, LoadError> {
        let hot = self.number > 0;
        let mut aside = self.unreadable();
        let (scene, flows, behaviors) = loop {
            let Some(scene) = self.chosen_scene(&aside) else {
                return Err(self.no_scene(aside));
            };
            self.want(&scene);
            aside.extend(
                self.unreadable()
                    .into_iter()
                    .filter(|new| !holds(&aside, &new.0))
                    .collect::<Vec<_>>(),
            );
            let flows = self.flows(&scene, &aside);
            let behaviors =
                flows.and_then(|flows| Ok((flows, self.behaviors(&scene, &aside, hot)?)));
            match behaviors {
                Ok((flows, behaviors)) => break (scene, flows, behaviors),
                // A file that is set aside is not chosen again, so it cannot be to blame again.
                Err(Blame(file, faults)) if holds(&aside, &file) => return Err(LoadError(faults)),
                Err(blame) => aside.push(blame),
            }
        };
        let mut generation = self.commit(Arc::clone(&scene), behaviors, &aside, hot);
        generation.flows = flows;
        self.moves.settle(&scene.world.obstacles);
        generation.moved = self.moves.resolve(&scene.world.obstacles);
        generation.scene = self.standing(&scene);
        Ok(generation)
    }

    /// Why there is no scene to run.
    fn no_scene(&self, aside: Vec<Blame>) -> LoadError {
        let name = self.place.scene_name();
        let found = aside.into_iter().find(|Blame(file, _)| *file == name);
        let gone = || vec![Fault::of_file(&name, "there is no such scene")];
        LoadError(found.map_or_else(gone, |Blame(_, faults)| faults))
    }

    /// Candidates that do not even read.
    fn unreadable(&mut self) -> Vec<Blame> {
        let mut aside = Vec::new();
        if let Some(Err(faults)) = &self.scene.candidate {
            aside.push(Blame(self.place.scene_name(), faults.clone()));
        }
        for (name, file) in self.scripts.iter_mut() {
            if let Some(Err(faults)) = &file.candidate {
                aside.push(Blame(format!("{name}.rhai"), faults.clone()));
            }
        }
        aside
    }

    fn chosen_scene(&self, aside: &[Blame]) -> Option<Arc<Scene>> {
        match &self.scene.candidate {
            Some(Ok(scene)) if !holds(aside, &self.place.scene_name()) => Some(Arc::clone(scene)),
            _ => self.scene.live.clone(),
        }
    }

    fn want(&mut self, scene: &Scene) {
        for used in scene.scripts() {
            self.scripts.want(&used.script);
        }
    }

    pub(super) fn is_new(&self, scene: &Arc<Scene>) -> bool {
        !self
            .scene
            .live
            .as_ref()
            .is_some_and(|live| Arc::ptr_eq(live, scene))
    }
}

/// Whether a file is set aside.
pub(super) fn holds(aside: &[Blame], file: &str) -> bool {
    aside.iter().any(|Blame(blamed, _)| blamed == file)
}
