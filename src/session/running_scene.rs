//! A running scene: its simulation, the generation that runs, and the loader that brings the next one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;

use super::explained::Inspected;
use super::fork::with_rules;
use super::hand_edits::HandEdits;
use super::history::{History, Keep, Recorder};
use super::input::{Input, Replacement};
use super::observer::Observer;
use super::playback::Playback;
use super::preview_runner::PreviewRunner;
use super::settings::check_settings;
use super::state::State;
use super::stepper::Stepper;
use super::task::Task;
use super::variant::Variant;
use crate::reload::{
    Command, Event, Generation, LoadError, Loader, Place, Planned, Project, RunningWorld, SCRIPT_STACK,
    Saved, Setting,
};
use crate::scene::{self, Cost, Scene};
use crate::script::Execution;
use crate::sim::{Simulation, UnitState};

/// Takes one line of JSON for every event of reloading.
pub type EventSink = Box<dyn FnMut(&str)>;

/// What runs, and how.
pub struct Options {
    /// Where scene and scripts are.
    pub place: Place,
    /// Values in place of the files'.
    pub settings: Vec<Setting>,
    /// Takes every event of reloading, as one line of JSON.
    pub events: Option<EventSink>,
    /// Seed in place of the scene's.
    pub seed: Option<u64>,
    /// Threads that units decide on; as many as processors if `None`.
    pub threads: Option<usize>,
    /// How scripts run.
    pub execution: Execution,
    /// How much of the past is kept.
    pub keep: Keep,
}

impl Options {
    /// The scene at `place` as its files have it.
    pub fn of(place: Place) -> Self {
        Self {
            place,
            settings: Vec::new(),
            events: None,
            seed: None,
            threads: None,
            execution: Execution::default(),
            keep: Keep::NOTHING,
        }
    }
}

/// A running scene. `O` observes each step.
pub struct Session<O: Observer = ()> {
    /// The simulation.
    pub simulation: Stepper<O>,
    /// What runs in it.
    pub generation: Generation,
    /// Takes every event of reloading from now on.
    pub events: Option<EventSink>,
    /// While another step than the last is looked at.
    pub(super) playback: Option<Playback<O>>,
    /// What each change of the rules leads to.
    pub(super) previews: PreviewRunner,
    /// The thread of replays, once there was one.
    pub(super) replays: Option<rayon::ThreadPool>,
    /// The rules of a comparison that was asked for, while they are compiled.
    pub(super) compiling: Option<Task<anyhow::Result<Generation>>>,
    /// Where its files are, and how its scripts run.
    pub(super) origin: (Place, Execution),
    settings: Vec<Setting>,
    pub(super) seed: Option<u64>,
    pub(super) keep: Keep,
    /// The unit that is to be inspected, and whether with values.
    pub(super) asked: Option<(usize, bool)>,
    /// The behaviors of the generation with the values that they run with: what is tuned stands in the
    /// generation at once.
    pub(super) running: Behaviors,
    /// The behaviors that made the step of this number, if others have replaced them since.
    replaced: Option<(u64, Behaviors)>,
    /// Changes by hand that the loader may not know yet.
    pub(super) edits: HandEdits,
    /// What is loaded, until it is watched.
    project: Option<Box<Project>>,
    pub(super) loader: Option<Loader>,
}

/// Behaviors by group.
type Behaviors = Arc<Vec<Vec<Planned>>>;

/// What a swap did.
pub struct Swapped {
    /// The scene that ran before.
    pub before: Arc<Scene>,
    /// What happened to files.
    pub events: Vec<Event>,
    /// What changed in the world, in plain words.
    pub notes: Vec<String>,
    /// The result of writing tuned values, if that was requested.
    pub saved: Option<Saved>,
    /// Why only polling works, if it did not before.
    pub polling: Option<String>,
    /// Why settings do not fit the first scene that works.
    pub refused: Option<anyhow::Error>,
}

type Load = fn(Place, Vec<Setting>, Execution) -> Result<(Project, Generation), LoadError>;

impl<O: Observer> Session<O> {
    /// Loads a scene that works.
    ///
    /// # Errors
    /// When the scene does not read, a setting does not fit, or the system gives no threads.
    pub fn open(options: Options) -> anyhow::Result<Self> {
        Self::open_by(Loader::load_as, options)
    }

    /// Loads a scene; one that does not work runs as an empty world until it does.
    ///
    /// # Errors
    /// When there is no such scene, a setting does not fit, or the system gives no threads.
    pub fn open_or_wait(options: Options) -> anyhow::Result<Self> {
        Self::open_by(Loader::load_or_wait, options)
    }

    fn open_by(load: Load, options: Options) -> anyhow::Result<Self> {
        let settings = options.settings;
        let origin = (options.place.clone(), options.execution);
        let (project, generation) = load(options.place, settings.clone(), options.execution)?;
        if generation.number > 0 {
            check_settings(&generation, &settings)?;
        }
        let keep = options.keep;
        let state = State::new(generation.start(options.seed), &generation.scene, Recorder::new(keep));
        let history = History::new(keep, Arc::new(generation.clone()));
        Ok(Self {
            simulation: Stepper::new(state, history, options.threads)?,
            events: options.events,
            playback: None,
            previews: PreviewRunner::default(),
            replays: None,
            compiling: None,
            origin,
            settings,
            seed: options.seed,
            keep,
            asked: None,
            running: Arc::new(generation.behaviors.clone()),
            replaced: None,
            edits: HandEdits::default(),
            generation,
            project: Some(Box::new(project)),
            loader: None,
        })
    }

    /// Watches the files from now on.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn watch(&mut self) -> anyhow::Result<()> {
        if let Some(project) = self.project.take() {
            let loader = Loader::start(*project).context("no thread to watch the files")?;
            self.loader = Some(loader);
        }
        Ok(())
    }

    /// Sends a command to the loader, if files are watched; false if it has ended.
    pub fn send(&self, command: Command) -> bool {
        self.loader.as_ref().is_none_or(|loader| loader.send(command))
    }

    /// The generation of the present; in the past, [`Session::generation`] is the one of then.
    pub fn newest(&self) -> &Generation {
        self.playback.as_ref().map_or(&self.generation, |playback| &playback.generation)
    }

    fn newest_mut(&mut self) -> &mut Generation {
        self.playback.as_mut().map_or(&mut self.generation, |playback| &mut playback.generation)
    }

    /// Whether nothing runs yet, because no version of the scene works.
    pub fn waits(&self) -> bool {
        self.generation.number == 0
    }

    /// Sends the loader a sample of what runs, if it needs one; to be called every frame.
    pub fn send_sample(&self) {
        if self.loader.as_ref().is_some_and(Loader::wants_sample) {
            let (scene, sample) = (Arc::clone(&self.generation.scene), self.simulation.sample());
            self.send(Command::Sample(Box::new(RunningWorld { scene, sample })));
        }
    }

    /// The generations that are ready, oldest first.
    pub fn ready(&self) -> Vec<Generation> {
        self.loader.iter().flat_map(Loader::ready).collect()
    }

    /// Waits for the next generation, at most `patience`.
    pub fn wait(&self, patience: Duration) -> Option<Generation> {
        self.send_sample();
        self.loader.as_ref()?.wait(patience)
    }

    /// The results of writes that come without a generation.
    pub fn answers(&self) -> Vec<Saved> {
        self.loader.iter().flat_map(Loader::answers).collect()
    }

    /// The events of the generation that runs, once; the sink gets them, too.
    pub fn take_events(&mut self) -> Vec<Event> {
        let events = std::mem::take(&mut self.newest_mut().events);
        let step = self.simulation.world().steps;
        if let Some(sink) = &mut self.events {
            for event in &events {
                sink(&event.to_json(step));
            }
        }
        events
    }

    /// Starts the scene anew; its past begins anew, too.
    pub fn restart(&mut self) {
        self.return_to_present();
        self.previews.end();
        let simulation = self.generation.start(self.seed);
        let mut state: State<O> = State::new(simulation, &self.generation.scene, Recorder::new(self.keep));
        // Two that are compared begin anew together.
        state.variant = self.simulation.state.variant.take().map(|variant| {
            let generation = (*variant.generation).clone();
            Box::new(Variant::new(&state.simulation, state.observer.clone(), generation))
        });
        *self.simulation.replace() = state;
        self.simulation.history = History::new(self.keep, Arc::new(self.generation.clone()));
        // Its steps are those of the present behaviors.
        self.replaced = None;
    }

    /// Inspects a unit from the next step on: [`Stepper::explained`] then tells all about its last step.
    /// Where there is no such unit, none is inspected. With `values`, those beside the lines of its scripts,
    /// which are compiled once more for it. In the past, the step that is looked at is explained.
    pub fn inspect(&mut self, unit: Option<usize>, values: bool) {
        self.asked = unit.map(|unit| (unit, values));
        if let Some(playback) = &mut self.playback {
            playback.refresh();
            return;
        }
        let inspected = self.asked.and_then(|asked| self.inspected(&self.running, asked));
        self.simulation.inspect(inspected);
    }

    pub(super) fn inspected(&self, behaviors: &[Vec<Planned>], unit: (usize, bool)) -> Option<Inspected> {
        let (world, before) = (self.simulation.world(), self.simulation.inspected());
        on_script_stack(|| Inspected::new(behaviors, world, unit, before))
    }

    /// Estimates the cost of a step with `more` units, from the units in reach of each one at present.
    pub fn cost_with(&self, more: &[UnitState]) -> Cost {
        let queries = |group, slot| self.newest().queries(group, slot);
        scene::cost_with(&self.newest().scene, self.simulation.world(), more, queries)
    }

    /// Begins to compute the missing parts of the shown state: the explanation of the inspected unit's last step, and
    /// the decisions of its behaviors. To be called every frame in which no step is due.
    pub fn complete(&mut self) {
        self.explain_last();
        if !self.waits() {
            self.simulation.decide_shown();
        }
    }

    /// Begins to explain the last step of the unit that is inspected, if that is not known but can be found
    /// out: the step is made once more beside the state, by the behaviors that made it.
    pub fn explain_last(&mut self) {
        if self.playback.is_some() || !self.simulation.can_tell_more() {
            return;
        }
        let steps = self.simulation.world().steps;
        let replaced = self.replaced.as_ref().filter(|(made, _)| *made == steps);
        let inspected = replaced.zip(self.simulation.inspected()).and_then(|((_, behaviors), inspected)| {
            self.inspected(behaviors, (inspected.unit(), inspected.has_values()))
        });
        self.simulation.replay(inspected);
    }

    /// Lets a generation run in place of the one before; steps under way are canceled. In the past, it runs
    /// from the step that is looked at, and everything since comes out anew: see [`Session::parted`].
    pub fn swap(&mut self, mut generation: Generation) -> Swapped {
        let begins = self.waits();
        // A draft that was not looked at in time is of what comes now.
        let _ = self.loader.as_ref().and_then(Loader::draft);
        self.edits.apply_to(&mut generation);
        let saved = generation.saved.take();
        let (before, polls) = (Arc::clone(&self.newest().scene), self.newest().polling.is_some());
        let (mut notes, mut refused) = (Vec::new(), None);
        if begins {
            self.generation = generation;
            self.restart();
            let works = self.generation.number > 0;
            refused = works.then(|| check_settings(&self.generation, &self.settings).err()).flatten();
        } else if self.playback.is_some() {
            self.replace_in_playback(generation);
        } else {
            let is_known = self.previews.confirm_draft(&generation);
            let before = self.before_change(&generation);
            notes = self.replace(generation, saved.is_some());
            if let Some(before) = before {
                let now = self.simulation.state.simulation.clone();
                if is_known {
                    self.previews.follow(before, now);
                } else {
                    self.previews.begin(before, now);
                }
            }
        }
        if self.playback.is_none() {
            self.running = Arc::new(self.generation.behaviors.clone());
            let inspected = self.simulation.inspected();
            let values = inspected.is_some_and(Inspected::has_values);
            self.inspect(inspected.map(Inspected::unit), values);
        }
        let events = self.take_events();
        let polling = self.newest().polling.clone().filter(|_| !polls);
        Swapped { before, events, notes, saved, polling, refused }
    }

    /// Puts a generation in the place of the one that runs; what changed in the world, in plain words.
    pub(super) fn replace(&mut self, generation: Generation, is_written: bool) -> Vec<String> {
        let is_known = !Arc::ptr_eq(&self.generation.scene, &generation.scene)
            && generation.changed.is_empty()
            && self.generation.runs_like(&generation);
        if is_known {
            // The loader has heard of a change by hand, which was made at once.
            self.generation = generation;
            return Vec::new();
        }
        let before = std::mem::replace(&mut self.generation, generation).scene;
        let scene = &self.generation.scene;
        let steps = self.simulation.world().steps;
        if self.replaced.as_ref().is_none_or(|(made, _)| *made != steps) {
            self.replaced = Some((steps, Arc::clone(&self.running)));
        }
        let same = Arc::ptr_eq(&before.source, &scene.source);
        let simulation = &mut self.simulation;
        let state = if same { simulation.replace_behaviors() } else { simulation.replace() };
        let notes = self.generation.swap_into(&mut state.simulation, &before, self.seed);
        state.recorder.replaced();
        if !is_written && !same {
            state.observer = O::of(scene);
            state.variant = None;
            self.simulation.forget_poses();
        }
        let replacement = self.replacement(self.generation.clone(), before);
        self.simulation.history.note(steps, Input::Generation(replacement));
        notes
    }

    /// The simulation under the rules of before the change that `next` makes, if that is to be previewed.
    fn before_change(&mut self, next: &Generation) -> Option<Simulation> {
        // What is tuned stands in the generation already.
        let behaviors = self.running.to_vec();
        let rules =
            Generation { behaviors, changed: Vec::new(), events: Vec::new(), ..self.generation.clone() };
        let is_of_values = !next.events.iter().any(|event| event.kind.runs());
        if is_of_values && rules.behaves_like(next) {
            return None;
        }
        let is_shown = !self.previews.units.is_empty();
        let before = self.previews.before_change(rules, is_of_values, Instant::now());
        if !is_shown {
            return None;
        }
        Some(with_rules(&self.simulation, before, &self.generation.scene, self.seed))
    }

    /// What puts a generation in the place of another, to be recorded.
    pub(super) fn replacement(&self, generation: Generation, before: Arc<Scene>) -> Replacement {
        Replacement { generation: Arc::new(generation), before, seed: self.seed }
    }
}

/// Does what may nest as deep as scripts do; nothing where the system gives no thread.
fn on_script_stack<R: Send>(work: impl FnOnce() -> Option<R> + Send) -> Option<R> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(SCRIPT_STACK);
        thread.spawn_scoped(scope, work).ok()?.join().ok()?
    })
}
