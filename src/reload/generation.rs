//! A generation: everything that runs, checked, numbered and ready to be swapped in.

use std::sync::Arc;

use super::event::Event;
use super::planned::{Planned, queries};
use super::tuned::{Handle, KnobName, Setting};
use crate::diagnostics::Fault;
use crate::scene::{self, ByHand, ParamValue, Queries, Scene, SceneEdit};
use crate::script::Need;
use crate::sim::{Behavior, Report, Simulation, Slot};
use crate::world::{NamedFlow, World};

/// What was written, one entry for each value in the user's words, or why nothing was.
pub type Saved = Result<Vec<String>, Fault>;

/// How a file stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// Its newest content runs.
    Live,
    /// Its newest content is faulty; what ran before, if anything, runs on.
    Rejected(Vec<Fault>),
    /// It is not there; what ran before, if anything, runs on.
    Missing,
}

/// A file and how it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct FileState {
    /// The file's name.
    pub path: String,
    /// How it stands.
    pub status: Status,
    /// The generation since which its running content runs; 0 if none does.
    pub generation: u64,
    /// Whether its content came with the binary.
    pub embedded: bool,
    /// Whether the scene needs it; a faulty script that is not used is reported, too.
    pub used: bool,
}

/// Everything that runs from one swap to the next.
#[derive(Clone)]
pub struct Generation {
    /// Its number, from 1; 0 while no version of the scene works.
    pub number: u64,
    /// The scene with what was changed by hand.
    pub scene: Arc<Scene>,
    /// The scene as its file has it.
    pub file: Arc<Scene>,
    /// What was changed by hand.
    pub by_hand: ByHand,
    /// How many changes by hand the loader knew of when it made this generation.
    pub edits: u64,
    /// Behaviors by group, in the scene's order.
    pub behaviors: Vec<Vec<Planned>>,
    /// The scene's flow fields, filled.
    pub flows: Vec<NamedFlow>,
    /// Every mark and signal that scene or scripts name.
    pub names: NamesUsed,
    /// The scene and all scripts that it uses.
    pub files: Vec<FileState>,
    /// Events since the last generation.
    pub events: Vec<Event>,
    /// Warnings about the scene.
    pub warnings: Vec<Fault>,
    /// Scripts whose running content changed.
    pub changed: Vec<String>,
    /// Why events of the file system are not available, if they are not and only polling works.
    pub polling: Option<String>,
    /// The result of writing tuned values into the scene's file, if that was requested.
    pub saved: Option<Saved>,
}

/// Names that scene and scripts use.
#[derive(Clone, Debug, Default)]
pub struct NamesUsed {
    /// Every mark.
    pub marks: Vec<String>,
    /// Every signal.
    pub signals: Vec<String>,
}

impl NamesUsed {
    /// Gives them their places in a world; those that are known keep theirs.
    pub(super) fn add_to(&self, world: &mut World) {
        world.marks.intern_all(&self.marks);
        world.name_signals(&self.signals);
    }

    /// The same in a running simulation.
    pub(super) fn add_to_running(&self, simulation: &mut Simulation) {
        simulation.name_marks(&self.marks);
        simulation.name_signals(&self.signals);
    }
}

impl Generation {
    /// Generation 0 of a scene, without behaviors and files.
    pub(super) fn empty(scene: Arc<Scene>) -> Self {
        Self {
            number: 0,
            file: Arc::clone(&scene),
            scene,
            by_hand: ByHand::default(),
            edits: 0,
            behaviors: Vec::new(),
            flows: Vec::new(),
            names: NamesUsed::default(),
            files: Vec::new(),
            events: Vec::new(),
            warnings: Vec::new(),
            changed: Vec::new(),
            polling: None,
            saved: None,
        }
    }

    /// A simulation of the scene from its start, under the scene's seed or another.
    pub fn start(&self, seed: Option<u64>) -> Simulation {
        let mut world = scene::build(&self.scene, seed);
        world.flows.clone_from(&self.flows);
        self.names.add_to(&mut world);
        Simulation::new(world, self.slots())
    }

    /// Swaps this generation into a simulation that runs scene `before`; units keep their state and
    /// memory. Returns what changed in the world, in plain words.
    pub fn swap_into(
        &self,
        simulation: &mut Simulation,
        before: &Arc<Scene>,
        seed: Option<u64>,
    ) -> Vec<String> {
        for script in &self.changed {
            simulation.forget_reports(script);
        }
        if Arc::ptr_eq(before, &self.scene) {
            self.names.add_to_running(simulation);
            simulation.set_flows(&self.flows);
            simulation.replace_behaviors(self.slots());
            return Vec::new();
        }
        let reconciled = scene::reconcile(before, &self.scene, simulation.world(), seed);
        let mut world = reconciled.world;
        world.flows.clone_from(&self.flows);
        self.names.add_to(&mut world);
        simulation.adopt(world, &reconciled.origin, self.slots());
        reconciled.notes
    }

    /// Whether a behavior that runs reads the target that the mouse sets.
    pub fn asks_target(&self) -> bool {
        let mut running = self.planned().filter(|planned| planned.enabled);
        running.any(|planned| planned.requires(Need::Target))
    }

    /// Whether both have the same behaviors with the same gains and switches.
    pub fn behaves_like(&self, other: &Self) -> bool {
        let same = |a: &Planned, b: &Planned| {
            a.behavior.as_ref().map(Arc::as_ptr) == b.behavior.as_ref().map(Arc::as_ptr)
                && (a.gain, a.enabled, a.key) == (b.gain, b.enabled, b.key)
        };
        self.planned().count() == other.planned().count()
            && self.planned().zip(other.planned()).all(|(a, b)| same(a, b))
    }

    /// Whether both lead to the same steps.
    pub fn runs_like(&self, other: &Self) -> bool {
        let same_scene = Arc::ptr_eq(&self.scene, &other.scene) || self.scene == other.scene;
        same_scene && self.flows == other.flows && self.behaves_like(other)
    }

    /// Changes an obstacle or a path by hand.
    ///
    /// # Errors
    /// In the user's words, where the change does not fit what is there.
    pub fn edit(&mut self, edit: &SceneEdit) -> Result<(), String> {
        self.by_hand = self.by_hand.edited(&self.file, edit)?;
        self.scene = Arc::new(self.by_hand.applied(&self.file));
        Ok(())
    }

    /// Stores a value of a behavior, tuned by hand or set by a key, for display; it does not run yet.
    pub fn show_knob(&mut self, handle: &Handle, name: &KnobName, value: &ParamValue, by_hand: bool) {
        let planned = self.behaviors.iter_mut().flatten().filter(|planned| planned.handle == *handle);
        for knob in planned.flat_map(|planned| &mut planned.knobs).filter(|knob| knob.name == *name) {
            knob.value = value.clone();
            knob.tuned = by_hand && knob.value != knob.file;
        }
    }

    /// Like [`Generation::show_knob`], and changes gain and switch of the behavior. Returns group, slot, gain and switch
    /// of each place where it stands.
    pub fn show_value(
        &mut self,
        handle: &Handle,
        name: &KnobName,
        value: &ParamValue,
        by_hand: bool,
    ) -> Vec<(usize, usize, f32, bool)> {
        self.show_knob(handle, name, value, by_hand);
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

    /// The behaviors of all groups.
    pub fn planned(&self) -> impl Iterator<Item = &Planned> {
        self.behaviors.iter().flatten()
    }

    /// The warnings about the scene and the scripts that it runs; those of a script once for each of its uses.
    pub fn all_warnings(&self) -> impl Iterator<Item = &Fault> {
        let scripts = self.planned().filter_map(|planned| planned.script.as_ref());
        self.warnings.iter().chain(scripts.flat_map(|script| &script.warnings))
    }

    /// The warnings about a file, each once: the scene, or a script that it runs.
    pub fn warnings_of(&self, path: &str) -> Vec<&Fault> {
        let mut found: Vec<&Fault> = Vec::new();
        for fault in self.all_warnings().filter(|fault| fault.path == path) {
            if !found.contains(&fault) {
                found.push(fault);
            }
        }
        found
    }

    /// Everything that is tuned by hand, but for obstacles and paths.
    pub fn tuned(&self) -> impl Iterator<Item = Setting> {
        self.planned().flat_map(|planned| {
            let tuned = planned.knobs.iter().filter(|knob| knob.tuned);
            tuned.map(|knob| (planned.handle.clone(), knob.name.clone(), knob.value.clone()))
        })
    }

    /// The queries of a behavior, by its group and slot.
    pub fn queries(&self, group: usize, slot: usize) -> Queries {
        queries(&self.behaviors, group, slot)
    }

    /// A failure of a behavior as a fault in its script.
    pub fn fault(&self, report: &Report) -> Fault {
        let planned = self.planned().find(|planned| planned.handle.script == report.script);
        let failure = &report.failure;
        match planned.and_then(|planned| planned.script.as_ref()) {
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
}
