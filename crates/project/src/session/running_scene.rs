//! A running scene: its simulation, the generation that runs, and the loader of the next one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use steerbox_core::sim::{Simulation, UnitState};
use steerbox_scene::{self as scene, Cost, Scene};
use steerbox_script::Execution;

use super::explained::Inspected;
use super::failures::{Failures, Incident, note_failures};
use super::fork::with_rules;
use super::history::{History, Keep, Recorder};
use super::input::{Input, Replacement};
use super::observer::Observer;
use super::options::{EventSink, Options, Start};
use super::pending_edits::PendingEdits;
use super::playback::Playback;
use super::preview_runner::PreviewRunner;
use super::schedule::Schedule;
use super::settings::check_settings;
use super::stash::Stash;
use super::state::State;
use super::stepper::Stepper;
use super::stored::LoadedReplay;
use super::swapped::Swapped;
use super::task::Task;
use super::variant::Variant;
use crate::reload::{
    Command, Event, Generation, LoadError, Loader, Place, Planned, Project, RunningWorld, SCRIPT_STACK,
    Saved, Setting,
};

/// A running scene. `O` observes each step.
pub struct Session<O: Observer = ()> {
    /// The simulation.
    pub simulation: Stepper<O>,
    /// The generation that runs.
    pub generation: Generation,
    /// Receives every reload event and every failure.
    pub events: Option<EventSink>,
    /// All failures since the start.
    pub failures: Failures,
    /// State of units that a reload dropped.
    pub(super) stash: Stash,
    /// State of time travel, while another step than the last is shown.
    pub(super) playback: Option<Playback<O>>,
    /// Previews of changes of the rules.
    pub(super) previews: PreviewRunner,
    /// Thread of replays, once there was one.
    pub(super) replays: Option<rayon::ThreadPool>,
    /// Thread of films, once there was one.
    pub(super) films: Option<rayon::ThreadPool>,
    /// Task that compiles the rules of a requested comparison.
    pub(super) compiling: Option<Task<anyhow::Result<Generation>>>,
    /// Location of the files, and execution of scripts.
    pub(super) origin: (Place, Execution),
    settings: Vec<Setting>,
    pub(super) seed: Option<u64>,
    pub(super) keep: Keep,
    /// The unit to inspect, and true if the values of the lines of its scripts are recorded.
    pub(super) requested_unit: Option<(usize, bool)>,
    /// Behaviors with the values that they run with; the generation contains tuned values earlier.
    pub(super) running: Behaviors,
    /// Behaviors that made the step of this number, if they were replaced since.
    replaced: Option<(u64, Behaviors)>,
    /// Edits that the loader may not have applied yet.
    pub(super) edits: PendingEdits,
    /// Inputs of a replay that are still due.
    pub(super) schedule: Schedule,
    /// The loaded project, until its files are watched.
    project: Option<Box<Project>>,
    pub(super) loader: Option<Loader>,
}

/// A run that a restart ended, with its recorded past and the generation that ran last.
pub struct EndedRun<O> {
    state: State<O>,
    history: History,
    generation: Generation,
}

impl<O> EndedRun<O> {
    /// Returns its memory, bytes.
    pub fn bytes(&self) -> usize {
        self.history.bytes() + self.state.simulation.snapshot().bytes()
    }
}

/// Behaviors by group.
type Behaviors = Arc<Vec<Vec<Planned>>>;

type Load = fn(Place, Vec<Setting>, Execution) -> Result<(Project, Generation), LoadError>;

impl<O: Observer> Session<O> {
    /// Loads a scene that works.
    ///
    /// # Errors
    /// If the scene has errors, a setting does not fit, or the system provides no threads.
    pub fn open(options: Options) -> anyhow::Result<Self> {
        Self::open_by(Loader::load_as, options)
    }

    /// Loads a scene; one with errors runs as an empty world until they are corrected.
    ///
    /// # Errors
    /// If there is no such scene, a setting does not fit, or the system provides no threads.
    pub fn open_or_wait(options: Options) -> anyhow::Result<Self> {
        Self::open_by(Loader::load_or_wait, options)
    }

    fn open_by(load: Load, options: Options) -> anyhow::Result<Self> {
        let settings = options.settings;
        let origin = (options.place.clone(), options.execution);
        let (keep, mut schedule) = (options.keep, Schedule::default());
        let (project, generation, simulation) = match options.start {
            Start::Replay(file) => {
                let LoadedReplay { generation, simulation, inputs } = file.load(options.execution)?;
                schedule = Schedule { inputs: inputs.into(), end: Some((file.last, file.hash)) };
                // Its files are those of the recorded run, which do not change.
                (None, generation, simulation)
            }
            start => {
                let (project, generation) = load(options.place, settings.clone(), options.execution)?;
                if generation.number > 0 {
                    check_settings(&generation, &settings)?;
                }
                let simulation = match start {
                    Start::Moment(moment) => moment.start_under(&generation, &settings, options.execution)?,
                    _ => generation.start(options.seed),
                };
                (Some(Box::new(project)), generation, simulation)
            }
        };
        let state = State::new(simulation, &generation.scene, Recorder::new(keep));
        let history = History::new(keep, Arc::new(generation.clone()));
        Ok(Self {
            simulation: Stepper::new(state, history, options.threads)?,
            events: options.events,
            failures: Failures::default(),
            stash: Stash::default(),
            playback: None,
            previews: PreviewRunner::default(),
            replays: None,
            films: None,
            compiling: None,
            origin,
            settings,
            seed: options.seed,
            keep,
            requested_unit: None,
            running: Arc::new(generation.behaviors.clone()),
            replaced: None,
            edits: PendingEdits::default(),
            generation,
            project,
            schedule,
            loader: None,
        })
    }

    /// Watches the files from now on.
    ///
    /// # Errors
    /// If the system provides no thread.
    pub fn watch(&mut self) -> anyhow::Result<()> {
        if let Some(project) = self.project.take() {
            let loader = Loader::start(*project).context("no thread to watch the files")?;
            self.loader = Some(loader);
        }
        Ok(())
    }

    /// Sends a command to the loader, if files are watched; returns false if its thread has ended.
    pub fn send(&self, command: Command) -> bool {
        self.loader.as_ref().is_none_or(|loader| loader.send(command))
    }

    /// Returns the newest generation; [`Session::generation`] is that of the shown step.
    pub fn newest(&self) -> &Generation {
        self.playback.as_ref().map_or(&self.generation, |playback| &playback.generation)
    }

    fn newest_mut(&mut self) -> &mut Generation {
        self.playback.as_mut().map_or(&mut self.generation, |playback| &mut playback.generation)
    }

    /// Returns true while no version of the scene works.
    pub fn waits(&self) -> bool {
        self.generation.number == 0
    }

    /// Sends a sample of the running world if the loader requested one. Called every frame.
    pub fn send_sample(&self) {
        if self.loader.as_ref().is_some_and(Loader::wants_sample) {
            let (scene, sample) = (Arc::clone(&self.generation.scene), self.simulation.sample());
            self.send(Command::Sample(Box::new(RunningWorld { scene, sample })));
        }
    }

    /// Returns the generations that are ready, oldest first.
    pub fn ready(&self) -> Vec<Generation> {
        self.loader.iter().flat_map(Loader::ready).collect()
    }

    /// Waits for the next generation, at most `patience`.
    pub fn wait(&self, patience: Duration) -> Option<Generation> {
        self.send_sample();
        self.loader.as_ref()?.wait(patience)
    }

    /// Returns the results of saves that come without a generation.
    pub fn answers(&self) -> Vec<Saved> {
        self.loader.iter().flat_map(Loader::answers).collect()
    }

    /// Removes the events of the newest generation, passes them to the sink, and returns them.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.take_events_with(&[])
    }

    /// Like [`Session::take_events`]; the first file that runs has the notes about the swap.
    fn take_events_with(&mut self, notes: &[String]) -> Vec<Event> {
        let events = std::mem::take(&mut self.newest_mut().events);
        let step = self.simulation.world().steps;
        let first = events.iter().position(|event| event.kind.runs());
        if let Some(sink) = &mut self.events {
            for (at, event) in events.iter().enumerate() {
                sink(&event.to_json(step, if first == Some(at) { notes } else { &[] }));
            }
        }
        events
    }

    /// Returns the failures, suspensions and ends of suspensions since the last call, and passes them to the sink. Called
    /// after steps; a recorded step that is shown has none.
    pub fn note_failures(&mut self) -> Vec<Incident> {
        if self.playback.is_some() {
            return Vec::new();
        }
        note_failures(&mut self.failures, &self.simulation, &self.generation, &mut self.events)
    }

    /// Discards what belongs to the present run beside its state and history.
    fn end_run(&mut self) {
        self.return_to_present();
        self.previews.end();
        (self.failures, self.stash, self.schedule) = Default::default();
        // The steps are those of the present behaviors.
        self.replaced = None;
    }

    /// Restarts the scene with a new history. Returns the run that ends, for [`Session::exchange_runs`].
    pub fn restart(&mut self) -> EndedRun<O> {
        self.end_run();
        let simulation = self.generation.start(self.seed);
        let mut state: State<O> = State::new(simulation, &self.generation.scene, Recorder::new(self.keep));
        // Both runs of a comparison restart together.
        state.variant = self.simulation.state.variant.take().map(|variant| {
            let generation = (*variant.generation).clone();
            Box::new(Variant::new(&state.simulation, state.observer.clone(), generation))
        });
        let history = History::new(self.keep, Arc::new(self.generation.clone()));
        let state = std::mem::replace(self.simulation.replace(), state);
        let history = std::mem::replace(&mut self.simulation.history, history);
        EndedRun { state, history, generation: self.generation.clone() }
    }

    /// Continues an ended run with the present rules, and stores the present run in its place.
    pub fn exchange_runs(&mut self, ended: &mut EndedRun<O>) {
        self.end_run();
        std::mem::swap(self.simulation.replace(), &mut ended.state);
        std::mem::swap(&mut self.simulation.history, &mut ended.history);
        self.simulation.history.replace_steps_of(&ended.history);
        let present = self.generation.clone();
        std::mem::swap(&mut self.generation, &mut ended.generation);
        if self.generation.runs_like(&present) {
            self.generation = present;
        } else {
            self.replace(present, false);
        }
        self.running = Arc::new(self.generation.behaviors.clone());
    }

    /// Inspects a unit from the next step on, for [`Stepper::explained`]; none if there is no such unit. With
    /// `values`, records the values of the lines of its scripts, which are compiled again for this purpose. In a
    /// recorded step, explains that step.
    pub fn inspect(&mut self, unit: Option<usize>, values: bool) {
        self.requested_unit = unit.map(|unit| (unit, values));
        if let Some(playback) = &mut self.playback {
            playback.refresh();
            return;
        }
        let inspected = self.requested_unit.and_then(|requested| self.inspected(&self.running, requested));
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

    /// Starts the computation of missing parts of the shown state: the explanation of the inspected unit's last step,
    /// and the decisions of its behaviors. Called every frame in which no step is due.
    pub fn complete(&mut self) {
        self.explain_last();
        if !self.waits() {
            self.simulation.decide_shown();
        }
    }

    /// Starts a replay of the last step by the behaviors that made it, if the explanation of the inspected unit is
    /// missing.
    pub fn explain_last(&mut self) {
        if self.playback.is_some() || !self.simulation.can_explain_more() {
            return;
        }
        let steps = self.simulation.world().steps;
        let replaced = self.replaced.as_ref().filter(|(made, _)| *made == steps);
        let inspected = replaced.zip(self.simulation.inspected()).and_then(|((_, behaviors), inspected)| {
            self.inspected(behaviors, (inspected.index_in(self.simulation.world()), inspected.has_values()))
        });
        self.simulation.replay(inspected);
    }

    /// Replaces the generation; cancels running steps. In a recorded step, runs it from there on and repeats all
    /// later steps: see [`Session::run_pair`].
    pub fn swap(&mut self, mut generation: Generation) -> Swapped {
        let begins = self.waits();
        let mut incidents = self.note_failures();
        // A draft that was not read yet is of this generation.
        let _ = self.loader.as_ref().and_then(Loader::draft);
        self.edits.apply_to(&mut generation);
        let saved = generation.saved.take();
        let (before, polls) = (Arc::clone(&self.newest().scene), self.newest().polling.is_some());
        let (mut notes, mut refused, mut earlier) = (Vec::new(), None, None);
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
            // A slider drops nothing.
            earlier = (!generation.events.is_empty()).then(|| self.simulation.state.simulation.clone());
            notes = self.replace(generation, saved.is_some());
            notes.extend(earlier.as_ref().and_then(|earlier| self.restore_dropped(earlier)));
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
            let unit = inspected.map(|inspected| inspected.index_in(self.simulation.world()));
            self.inspect(unit, values);
        }
        if saved.is_some() {
            notes.clear();
        }
        let dropped = std::mem::take(&mut self.newest_mut().dropped);
        let lines = notes.iter().chain(dropped.iter().map(|dropped| &dropped.line));
        let events = self.take_events_with(&lines.cloned().collect::<Vec<_>>());
        incidents.extend(self.note_failures());
        let polling = self.newest().polling.clone().filter(|_| !polls);
        Swapped { before, events, incidents, notes, dropped, saved, polling, refused, earlier }
    }

    /// Replaces the generation that runs. Returns the changes of the world as text.
    pub(super) fn replace(&mut self, generation: Generation, is_written: bool) -> Vec<String> {
        let is_known = !Arc::ptr_eq(&self.generation.scene, &generation.scene)
            && generation.changed.is_empty()
            && !(generation.resumes && self.simulation.has_suspended())
            && self.generation.runs_like(&generation);
        if is_known {
            // The loader confirms an edit that runs already.
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
        state.verdicts.follow(scene, &state.simulation);
        state.recorder.replaced();
        if !is_written && !same {
            state.observer = O::new(scene);
            state.variant = None;
            self.simulation.forget_poses();
        }
        let replacement = self.replacement(self.generation.clone(), before);
        self.simulation.history.note(steps, Input::Generation(replacement));
        notes
    }

    /// Returns the simulation under the rules before the change to `next`, if a preview is due.
    fn before_change(&mut self, next: &Generation) -> Option<Simulation> {
        // The generation contains tuned values already.
        let behaviors = self.running.to_vec();
        let (changed, events) = (Vec::new(), Vec::new());
        let rules = Generation { behaviors, changed, resumes: false, events, ..self.generation.clone() };
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

    /// Returns the recorded form of a replacement.
    pub(super) fn replacement(&self, generation: Generation, before: Arc<Scene>) -> Replacement {
        Replacement { generation: Arc::new(generation), before, seed: self.seed }
    }
}

/// Runs a closure with the stack that scripts need; `None` where the system provides no thread.
fn on_script_stack<R: Send>(work: impl FnOnce() -> Option<R> + Send) -> Option<R> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(SCRIPT_STACK);
        thread.spawn_scoped(scope, work).ok()?.join().ok()?
    })
}
