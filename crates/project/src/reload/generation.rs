//! Generations: everything that runs, checked, numbered and ready for a swap.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use steerbox_core::diagnostics::Fault;
use steerbox_core::perception::Queries;
use steerbox_core::sim::{Behavior, MemoryLayout, NamedMeasure, Report, Simulation, Slot};
use steerbox_core::world::{NamedFlow, ParamValue, World};
use steerbox_scene::{self as scene, Scene, SceneEdit, SceneEdits, lineage};
use steerbox_script::Need;

use super::disk::SavedText;
use super::event::Event;
use super::planned::{Planned, PlannedMeasure, queries};
use super::tuned::{Handle, KnobName, Setting};
use super::tuned_values::Dropped;

/// Result of a save: the written values as text, or the fault if nothing was written.
pub type Saved = Result<Vec<String>, Fault>;

/// Status of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// Its newest content runs.
    Live,
    /// Its newest content is faulty; the previous version, if any, continues to run.
    Rejected(Vec<Fault>),
    /// It does not exist; the previous version, if any, continues to run.
    Missing,
}

/// A file and its status.
#[derive(Clone, Debug, PartialEq)]
pub struct FileState {
    /// Name of the file.
    pub path: String,
    /// Status of the file.
    pub status: Status,
    /// Generation since which its running version runs; 0 if none does.
    pub generation: u64,
    /// True if its content came with the binary.
    pub embedded: bool,
    /// True if the scene needs it; faulty and unsaved scripts that are not used are reported as well.
    pub used: bool,
    /// Its unsaved text, which is then its newest content.
    pub unsaved: Option<Arc<str>>,
    /// Its saved content, or that which came with the binary.
    pub saved: SavedText,
}

/// Everything that runs from one swap to the next.
#[derive(Clone)]
pub struct Generation {
    /// Number from 1; 0 while no version of the scene works.
    pub number: u64,
    /// The scene with its edits.
    pub scene: Arc<Scene>,
    /// The scene as in its file.
    pub file: Arc<Scene>,
    /// Edits of the scene.
    pub scene_edits: SceneEdits,
    /// Number of edits that the loader had received when it composed this generation.
    pub edits: u64,
    /// Behaviors by group, in the order of the scene.
    pub behaviors: Vec<Vec<Planned>>,
    /// Flow fields of the scene, filled.
    pub flows: Vec<NamedFlow>,
    /// Measures that scripts compute.
    pub measures: Vec<PlannedMeasure>,
    /// Marks and signals of scene and scripts.
    pub names: NamesUsed,
    /// The scene and all scripts that it uses.
    pub files: Vec<FileState>,
    /// Texts of the scripts that run and of their imports, by name without extension.
    pub scripts: BTreeMap<String, Arc<str>>,
    /// Events since the last generation.
    pub events: Vec<Event>,
    /// Tuned values that this generation dropped.
    pub dropped: Vec<Dropped>,
    /// Warnings about the scene.
    pub warnings: Vec<Fault>,
    /// Scripts of which another version runs.
    pub changed: Vec<String>,
    /// True if suspended behaviors resume: a file or the scene was changed, and with it possibly the cause.
    pub resumes: bool,
    /// Reason why file system events are not available, if only polling works.
    pub polling: Option<String>,
    /// Result of a requested save.
    pub saved: Option<Saved>,
}

/// Names that scene and scripts use.
#[derive(Clone, Debug, Default)]
pub struct NamesUsed {
    /// All marks.
    pub marks: Vec<String>,
    /// All signals.
    pub signals: Vec<String>,
    /// The signals that no script sets: they are 0.
    pub unset: Vec<String>,
}

impl NamesUsed {
    /// Makes these the names of a world, in this order, so that indices do not depend on earlier versions.
    pub(super) fn set_in(&self, world: &mut World) {
        self.set_by(|marks, signals| world.set_names(marks, signals));
    }

    /// Makes these the names of a running simulation.
    pub(crate) fn set_in_running(&self, simulation: &mut Simulation) {
        self.set_by(|marks, signals| simulation.set_names(marks, signals));
    }

    fn set_by(&self, mut set_names: impl FnMut(&[String], &[String])) {
        if !self.unset.is_empty() {
            // Names that are removed and added again have no values of earlier versions.
            let set = self.signals.iter().filter(|name| !self.unset.contains(name)).cloned();
            set_names(&self.marks, &set.collect::<Vec<_>>());
        }
        set_names(&self.marks, &self.signals);
    }
}

impl Generation {
    /// Returns generation 0 of a scene, without behaviors and files.
    pub(super) fn empty(scene: Arc<Scene>) -> Self {
        Self {
            number: 0,
            file: Arc::clone(&scene),
            scene,
            scene_edits: SceneEdits::default(),
            edits: 0,
            behaviors: Vec::new(),
            flows: Vec::new(),
            measures: Vec::new(),
            names: NamesUsed::default(),
            files: Vec::new(),
            scripts: BTreeMap::new(),
            events: Vec::new(),
            dropped: Vec::new(),
            warnings: Vec::new(),
            changed: Vec::new(),
            resumes: false,
            polling: None,
            saved: None,
        }
    }

    /// Creates a simulation of the scene from its start; `seed` overrides that of the scene.
    pub fn start(&self, seed: Option<u64>) -> Simulation {
        let mut world = scene::build(&self.scene, seed);
        world.flows.clone_from(&self.flows);
        self.names.set_in(&mut world);
        let mut simulation = Simulation::new(world, self.slots());
        simulation.set_measures(self.named_measures());
        simulation
    }

    fn named_measures(&self) -> Vec<NamedMeasure> {
        self.measures.iter().map(|planned| planned.named.clone()).collect()
    }

    /// Swaps this generation into a simulation that runs scene `before`; units retain their state and memory. Returns
    /// the changes of the world as text.
    pub fn swap_into(
        &self,
        simulation: &mut Simulation,
        before: &Arc<Scene>,
        seed: Option<u64>,
    ) -> Vec<String> {
        for script in &self.changed {
            simulation.forget_reports(script);
        }
        simulation.set_measures(self.named_measures());
        if Arc::ptr_eq(before, &self.scene) {
            self.names.set_in_running(simulation);
            simulation.set_flows(&self.flows);
            let slots = self.slots();
            let groups: Vec<_> = (0..slots.len()).map(Some).collect();
            let notes = self.memory_notes(simulation, &groups, &slots);
            simulation.replace_behaviors(slots);
            self.resume(simulation);
            return notes;
        }
        let reconciled = scene::reconcile(before, &self.scene, simulation.world(), seed);
        let mut world = reconciled.world;
        world.flows.clone_from(&self.flows);
        self.names.set_in(&mut world);
        let mut slots = self.slots();
        for (slots, known) in slots.iter_mut().zip(lineage::uses(before, &self.scene)) {
            for slot in slots {
                let known = known.iter().find(|known| known.key == slot.key);
                slot.before = known.map_or(slot.key, |known| known.before);
            }
        }
        let notes = self.memory_notes(simulation, &lineage::groups(before, &self.scene), &slots);
        simulation.adopt(world, &reconciled.origin, slots);
        self.resume(simulation);
        let mut all = reconciled.notes;
        if !notes.is_empty() {
            all.retain(|note| note != scene::NOTHING_CHANGED);
            all.extend(notes);
        }
        all
    }

    fn resume(&self, simulation: &mut Simulation) {
        if self.resumes {
            simulation.resume();
        }
    }

    /// Returns true if a running behavior reads the target of the mouse.
    pub fn reads_target(&self) -> bool {
        let mut running = self.planned().filter(|planned| planned.enabled);
        running.any(|planned| planned.requires(Need::Target))
    }

    /// Returns true if both have the same behaviors with the same gains and switches.
    pub fn behaves_like(&self, other: &Self) -> bool {
        let same = |a: &Planned, b: &Planned| {
            a.behavior.as_ref().map(Arc::as_ptr) == b.behavior.as_ref().map(Arc::as_ptr)
                && (a.gain, a.enabled, a.key) == (b.gain, b.enabled, b.key)
        };
        self.planned().count() == other.planned().count()
            && self.planned().zip(other.planned()).all(|(a, b)| same(a, b))
    }

    /// Returns true if both lead to the same steps.
    pub fn runs_like(&self, other: &Self) -> bool {
        let same_scene = Arc::ptr_eq(&self.scene, &other.scene) || self.scene == other.scene;
        same_scene && self.flows == other.flows && self.behaves_like(other)
    }

    /// Edits an obstacle or a path.
    ///
    /// # Errors
    /// With a message if the edit does not fit the scene.
    pub fn edit(&mut self, edit: &SceneEdit) -> Result<(), String> {
        self.scene_edits = self.scene_edits.edited(&self.file, edit)?;
        self.scene = Arc::new(self.scene_edits.applied(&self.file));
        Ok(())
    }

    /// Stores a value of a behavior, tuned or set by a key, for display; it does not run yet.
    pub fn show_knob(&mut self, handle: &Handle, name: &KnobName, value: &ParamValue, tuned: bool) {
        let planned = self.behaviors.iter_mut().flatten().filter(|planned| planned.handle == *handle);
        for knob in planned.flat_map(|planned| &mut planned.knobs).filter(|knob| knob.name == *name) {
            knob.value = value.clone();
            knob.tuned = tuned && knob.value != knob.file;
        }
    }

    /// Like [`Generation::show_knob`], and changes the gain or `enabled` of the behavior. Returns group, slot, gain and
    /// `enabled` of each of its uses.
    pub fn show_value(
        &mut self,
        handle: &Handle,
        name: &KnobName,
        value: &ParamValue,
        tuned: bool,
    ) -> Vec<(usize, usize, f32, bool)> {
        self.show_knob(handle, name, value, tuned);
        let mut changed = Vec::new();
        for (group, behaviors) in self.behaviors.iter_mut().enumerate() {
            let planned = behaviors.iter_mut().enumerate().filter(|(_, planned)| planned.handle == *handle);
            for (slot, planned) in planned {
                match (name, value) {
                    (KnobName::Gain, ParamValue::Number(gain)) => planned.gain = *gain,
                    (KnobName::Enabled, ParamValue::Switch(on)) => planned.enabled = *on,
                    _ => {}
                }
                changed.push((group, slot, planned.gain, planned.enabled));
            }
        }
        changed
    }

    /// Returns the behaviors of all groups.
    pub fn planned(&self) -> impl Iterator<Item = &Planned> {
        self.behaviors.iter().flatten()
    }

    /// Returns the faults of files that the scene uses, a missing file among them: the scene runs without their rules, or
    /// with earlier versions.
    pub fn faults_of_files(&self) -> Vec<Fault> {
        let used = self.files.iter().filter(|file| file.used);
        used.flat_map(|file| match &file.status {
            Status::Live => Vec::new(),
            Status::Rejected(found) => found.clone(),
            Status::Missing => vec![Fault::of_file(&file.path, "the file is missing")],
        })
        .collect()
    }

    /// Returns the warnings about the scene and the scripts that it runs; those of a script once for each of its
    /// uses.
    pub fn all_warnings(&self) -> impl Iterator<Item = &Fault> {
        let scripts = self.planned().filter_map(|planned| planned.script.as_ref());
        self.warnings.iter().chain(scripts.flat_map(|script| &script.warnings))
    }

    /// Returns each warning about a file once: the scene, or a script that it runs.
    pub fn warnings_of(&self, path: &str) -> Vec<&Fault> {
        let mut found: Vec<&Fault> = Vec::new();
        for fault in self.all_warnings().filter(|fault| fault.path == path) {
            if !found.contains(&fault) {
                found.push(fault);
            }
        }
        found
    }

    /// Returns all tuned values.
    pub fn tuned(&self) -> impl Iterator<Item = Setting> {
        self.planned().flat_map(|planned| {
            let tuned = planned.knobs.iter().filter(|knob| knob.tuned);
            tuned.map(|knob| (planned.handle.clone(), knob.name.clone(), knob.value.clone()))
        })
    }

    /// Returns all values that differ from those of the files, tuned or set by a key.
    pub fn overrides(&self) -> impl Iterator<Item = Setting> {
        self.planned().flat_map(|planned| {
            let other = planned.knobs.iter().filter(|knob| knob.value != knob.file);
            other.map(|knob| (planned.handle.clone(), knob.name.clone(), knob.value.clone()))
        })
    }

    /// Returns the queries of a behavior, by its group and slot.
    pub fn queries(&self, group: usize, slot: usize) -> Queries {
        queries(&self.behaviors, group, slot)
    }

    /// Returns a failure of a behavior as a fault in its script.
    pub fn fault(&self, report: &Report) -> Fault {
        let planned = self.planned().find(|planned| planned.handle.script == report.script);
        let of_behavior = planned.and_then(|planned| planned.script.as_ref());
        let measure = || self.measures.iter().find(|measure| measure.named.script == report.script);
        let failure = &report.failure;
        match of_behavior.or_else(|| measure()?.script.as_ref()) {
            Some(script) => script.fault(failure),
            None => Fault::of_file(&self.scene.path, &failure.message).maybe_help(failure.help.clone()),
        }
    }

    fn slots(&self) -> Vec<Vec<Slot>> {
        let slot = |planned: &Planned| {
            let behavior = planned.behavior.clone().map(|behavior| behavior as Arc<dyn Behavior>);
            Slot {
                gain: planned.gain,
                enabled: planned.enabled,
                renewed: self.changed.contains(&planned.handle.script),
                ..Slot::new(planned.handle.script.clone(), planned.key, behavior)
            }
        };
        let group = |behaviors: &Vec<Planned>| behaviors.iter().map(slot).collect();
        self.behaviors.iter().map(group).collect()
    }

    /// Returns what happens to the memory of the scripts that `slots` replace in a simulation, whose groups were the
    /// groups `before`: fields that are renamed, lost, or have another initial value.
    fn memory_notes(
        &self,
        simulation: &Simulation,
        before: &[Option<usize>],
        slots: &[Vec<Slot>],
    ) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        let groups = before.iter().zip(slots).zip(&self.behaviors);
        for ((group, slots), planned) in groups {
            let old = group.map_or(&[][..], |group| simulation.slots(group));
            let of_slot = |slot: &Slot| slot.behavior.clone();
            for (slot, planned) in slots.iter().zip(planned) {
                let was = old.iter().find(|old| old.key == slot.before).and_then(of_slot);
                let (Some(was), Some(is)) = (was, of_slot(slot)) else { continue };
                // A script that maps its memory decides what is lost.
                let maps = planned.script.as_ref().is_some_and(|script| script.maps_memory());
                notes.extend(changes_of_memory(&slot.script, was.memory(), is.memory(), maps));
            }
            let gone = old.iter().filter(|old| !slots.iter().any(|slot| slot.before == old.key));
            let has_memory =
                |slot: &&Slot| slot.behavior.as_ref().is_some_and(|it| it.memory().field_words() > 0);
            notes.extend(gone.filter(has_memory).map(|slot| format!("memory of {} lost", slot.script)));
        }
        let mut known = BTreeSet::new();
        notes.retain(|note| known.insert(note.clone()));
        notes
    }
}

fn changes_of_memory(script: &str, was: &MemoryLayout, is: &MemoryLayout, maps: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some((before, after)) = is.renamed(was) {
        notes.push(format!("{} in the memory of {script} is {} now", before.name, after.name));
    }
    let lost: Vec<_> = is.lost(was).filter(|_| !maps).collect();
    if !lost.is_empty() {
        notes.push(format!("memory of {script} lost: {}", lost.join(", ")));
    }
    let other = is.fields().iter().filter(|field| {
        let before = was.field(&field.name).filter(|before| before.kind == field.kind);
        before.is_some_and(|before| before.initial != field.initial)
    });
    let other: Vec<_> = other.map(|field| field.name.as_str()).collect();
    if !other.is_empty() {
        let other = other.join(", ");
        notes.push(format!("the initial {other} of {script} holds for new units only"));
    }
    notes
}
