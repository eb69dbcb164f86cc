//! The files of a project: the scene, the scripts, and the effects of each generation on them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use steerbox_core::diagnostics::Fault;
use steerbox_scene::{self as scene, Scene};
use steerbox_script::MEASURES;

use super::compose::Composed;
use super::data::DataFiles;
use super::disk::SavedText;
use super::event::{Event, EventKind};
use super::generation::{FileState, Status};
use super::place::Place;
use super::scripts::{ScriptFile, Scripts};
use super::tracked::{Committed, Entry, Tracked};

/// The scene and the scripts of a project.
#[derive(Clone)]
pub(super) struct Files {
    pub(super) scene: Tracked<Arc<Scene>>,
    /// The readable part of the newest content of the scene, if that has faults.
    pub(super) rest: Option<Arc<Scene>>,
    pub(super) scripts: Scripts,
    /// The files that the scene names.
    pub(super) data: DataFiles,
}

impl Files {
    /// Creates the scene and the scripts of a place with the contents that need no file.
    pub(super) fn new(place: &Place) -> Self {
        let text = place.scene.is_none().then(|| place.scene_without_file().1.into());
        let scene = Tracked::new(place.scene_name(), 1, text);
        let scripts = Scripts::new(place.scripts_without_file(), place.folders.len());
        let mut files = Self { scene, rest: None, scripts, data: DataFiles::new(place) };
        files.read_scene();
        files
    }

    /// Stores the content of the scene; `None` if the file is gone.
    pub(super) fn set_scene(&mut self, text: SavedText) {
        if self.scene.set_text(0, text) {
            self.read_scene();
        }
    }

    /// Stores unsaved text of the scene, or drops it.
    pub(super) fn set_scene_buffer(&mut self, text: Option<Arc<str>>) {
        if self.scene.set_buffer(text) {
            self.read_scene();
        }
    }

    /// Stores the content of a file that the scene names; `None` if the file is gone.
    pub(super) fn set_data(&mut self, name: &str, text: SavedText) {
        if self.data.set(name, text) {
            self.scene.refresh();
            self.read_scene();
        }
    }

    /// Stores a file beside a stored scene, which may not name it yet.
    pub(super) fn add_data(&mut self, name: &str, text: &str) {
        self.data.add(name, text);
        self.set_data(name, Some(Ok(text.into())));
    }

    /// Reads the newest content of the scene unless it runs.
    fn read_scene(&mut self) {
        let (scene, data, mut rest) = (&mut self.scene, &mut self.data, None);
        let newest = scene.newest().and_then(Result::ok);
        data.require(newest.as_deref().into_iter().chain(scene.live.as_ref().map(|live| &*live.source)));
        let newest = scene.newest_unless(|scene, text| scene.source == *text && data.are_those_of(scene));
        scene.candidate = newest.map(|text| {
            let text = text.map_err(|fault| vec![fault])?;
            let read = scene::read_with(&scene.path, &text, data.texts());
            read.map(Arc::new).map_err(|unread| {
                rest = unread.rest.map(Arc::from);
                unread.faults
            })
        });
        self.rest = rest;
    }

    /// Stores a text that this program wrote to the scene's file, with the values that run.
    pub(super) fn wrote_scene(&mut self, text: &Arc<str>) {
        if let Ok(scene) = scene::read_with(&self.scene.path, text, self.data.texts()) {
            self.scene.live = Some(Arc::new(scene));
            self.scene.set_text(0, Some(Ok(Arc::clone(text))));
        }
    }

    /// Compiles all measures, and the scripts that the scene names, in the version that runs, in the newest one and in what is readable of it.
    pub(super) fn compile_used(&mut self) {
        let candidate = self.scene.candidate.as_ref().and_then(|scene| scene.as_ref().ok());
        for scene in candidate.into_iter().chain(&self.scene.live).chain(&self.rest) {
            for used in scene.scripts() {
                self.scripts.compile_used(&used.script);
            }
        }
        let measures = self.scripts.names().into_iter().filter(|name| name.starts_with(MEASURES));
        for measure in measures.map(str::to_owned).collect::<Vec<_>>() {
            self.scripts.compile_used(&measure);
        }
    }

    /// Returns true if a generation from the present contents differs from the one that runs.
    pub(super) fn has_news(&self) -> bool {
        self.scene.has_news() || self.scripts.iter().any(|(_, file)| file.has_news())
    }

    /// Returns true if a file has unsaved text.
    pub(super) fn has_unsaved(&self) -> bool {
        self.scene.has_buffer() || self.scripts.iter().any(|(_, file)| file.has_buffer())
    }

    /// Returns true if a version of a file is to be tried on the running world.
    pub(super) fn has_candidates(&self) -> bool {
        self.scene.has_candidate() || self.scripts.iter().any(|(_, file)| file.has_candidate())
    }

    /// Returns the scripts of which a version that does not run yet works by itself.
    pub(super) fn candidates(&self) -> Vec<String> {
        let scripts = self.scripts.iter().filter(|(_, file)| file.has_candidate());
        scripts.map(|(name, _)| name.clone()).collect()
    }

    /// Returns true if a composition has other versions than those that run.
    pub(super) fn differs(&self, composed: &Composed) -> bool {
        let is_accepted = |path: &str| !composed.rejected.contains(path);
        let mut scripts = self.scripts.iter();
        let is_new =
            |file: &ScriptFile| file.is_reverted || (file.has_candidate() && is_accepted(&file.path));
        composed.scene.is_new || self.scene.is_reverted || scripts.any(|(_, file)| is_new(file))
    }

    /// Makes a composition the version that runs, as generation `number`. Returns the scripts of which another version
    /// runs, and the events of all files.
    pub(super) fn commit(
        &mut self,
        composed: &Composed,
        number: u64,
        entry: Entry,
    ) -> (Vec<String>, Vec<Event>) {
        let faults = |path: &str| composed.rejected.faults(path);
        let Committed { is_new, event, .. } = self.scene.commit(faults(&self.scene.path), number, entry);
        let is_adapted = is_new && entry == Entry::Swap;
        let reconciled = |event| Event { kind: EventKind::Reconciled, ..event };
        let mut events =
            Vec::from_iter(event.map(|event| if is_adapted { reconciled(event) } else { event }));
        let mut changed = Vec::new();
        let used: BTreeSet<&str> = composed.scene.content.scripts().map(|used| &*used.script).collect();
        for (name, file) in self.scripts.iter_mut() {
            let Committed { is_new, is_fresh, event } = file.commit(faults(&file.path), number, entry);
            changed.extend(is_new.then(|| name.clone()));
            let is_reported = used.contains(&**name) || (entry == Entry::Swap && is_fresh);
            let Some(mut event) = event.filter(|_| is_reported) else {
                continue;
            };
            if event.kind == EventKind::Live {
                event.others = file.live.as_ref().map_or(Vec::new(), |script| script.warnings.clone());
            }
            events.push(event);
        }
        (changed, events)
    }

    /// Reports that no version of the scene works. Returns its state and its event.
    pub(super) fn commit_broken_scene(&mut self, faults: &Vec<Fault>) -> (FileState, Vec<Event>) {
        let faults = Some(faults).filter(|_| !self.scene.is_gone());
        let Committed { event, .. } = self.scene.commit(faults, 0, Entry::Swap);
        // Scripts are reported once the scene that names them runs.
        for (_, file) in self.scripts.iter_mut() {
            file.is_fresh = false;
        }
        (self.scene.state(true), Vec::from_iter(event))
    }

    /// Returns the states of the scene, of the scripts that it uses, and of faulty and unsaved ones.
    pub(super) fn states(&self, scene: &Scene) -> Vec<FileState> {
        let used = self.used(scene);
        let scripts = self.scripts.iter();
        let scripts = scripts.map(|(name, file)| file.state(used.contains(name))).filter(|state| {
            state.used || state.unsaved.is_some() || matches!(state.status, Status::Rejected(_))
        });
        std::iter::once(self.scene.state(true)).chain(scripts).collect()
    }

    /// Returns the texts of the scripts and expected measures that the scene uses and of their imports, as they run. A script
    /// of which no version has worked has its faulty text.
    pub(super) fn running_scripts(&self, scene: &Scene) -> BTreeMap<String, Arc<str>> {
        let measures = self.expected(scene);
        let names = scene.scripts().map(|used| &used.script).chain(&measures);
        let files = names.filter_map(|name| Some((name, self.scripts.get(name)?)));
        let texts = files.flat_map(|(name, file)| {
            let live = file.live.as_ref();
            let imports = live.into_iter().flat_map(|script| &script.imports);
            let imports = imports.map(|import| (import.name.clone(), Arc::clone(&import.text)));
            // One that cannot be read is stored as an empty text, which does not work either.
            let faulty = || file.newest().map(Result::unwrap_or_default);
            let text = live.map(|script| Arc::clone(&script.text)).or_else(faulty);
            imports.chain(text.map(|text| (name.clone(), text)))
        });
        texts.collect()
    }

    /// Returns the scripts of measures that the expectations of a scene name.
    fn expected(&self, scene: &Scene) -> Vec<String> {
        let words = scene.expect.iter().flat_map(|expectation| expectation.measure.split('.'));
        let scripts = words.map(|word| format!("{MEASURES}{word}"));
        scripts.filter(|name| self.scripts.get(name).is_some()).collect()
    }

    /// Returns the scripts that the scene uses, and their imports.
    fn used(&self, scene: &Scene) -> BTreeSet<String> {
        let mut used: BTreeSet<String> = scene.scripts().map(|used| used.script.clone()).collect();
        used.extend(self.expected(scene));
        for name in used.clone() {
            let live = self.scripts.get(&name).and_then(|file| file.live.as_ref());
            let imports = live.into_iter().flat_map(|live| &live.imports);
            used.extend(imports.map(|imported| imported.name.clone()));
        }
        used
    }
}
