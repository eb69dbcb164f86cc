//! A running scene: its simulation, the generation that runs, and the loader that brings the next one.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;

use super::explained::Inspected;
use super::settings::check_settings;
use super::stepper::{Observer, State, Stepper};
use crate::reload::{
    Command, Event, Generation, LoadError, Loader, Place, Planned, Project, RunningWorld, SCRIPT_STACK,
    Saved, Setting,
};
use crate::scene::Scene;
use crate::script::Execution;

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
    settings: Vec<Setting>,
    seed: Option<u64>,
    /// The behaviors of the generation with the values that they run with: what is tuned stands in the
    /// generation at once.
    running: Behaviors,
    /// The behaviors that made the step of this number, if others have replaced them since.
    replaced: Option<(u64, Behaviors)>,
    /// What is loaded, until it is watched.
    project: Option<Box<Project>>,
    loader: Option<Loader>,
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
        let (project, generation) = load(options.place, settings.clone(), options.execution)?;
        if generation.number > 0 {
            check_settings(&generation, &settings)?;
        }
        let state = State::new(generation.start(options.seed), &generation.scene);
        Ok(Self {
            simulation: Stepper::new(state, options.threads)?,
            events: options.events,
            settings,
            seed: options.seed,
            running: Arc::new(generation.behaviors.clone()),
            replaced: None,
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

    /// Sends a command to the loader, if files are watched.
    pub fn send(&self, command: Command) {
        if let Some(loader) = &self.loader {
            loader.send(command);
        }
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
        let events = std::mem::take(&mut self.generation.events);
        let step = self.simulation.world().steps;
        if let Some(sink) = &mut self.events {
            for event in &events {
                sink(&event.to_json(step));
            }
        }
        events
    }

    /// Starts the scene anew.
    pub fn restart(&mut self) {
        let state = State::new(self.generation.start(self.seed), &self.generation.scene);
        *self.simulation.replace() = state;
        // Its steps are those of the present behaviors.
        self.replaced = None;
    }

    /// Inspects a unit from the next step on: [`Stepper::explained`] then tells all about its last step.
    /// Where there is no such unit, none is inspected. With `values`, those beside the lines of its scripts,
    /// which are compiled once more for it.
    pub fn inspect(&mut self, unit: Option<usize>, values: bool) {
        let inspected = unit.and_then(|unit| self.inspected(&self.running, (unit, values)));
        self.simulation.inspect(inspected);
    }

    fn inspected(&self, behaviors: &[Vec<Planned>], unit: (usize, bool)) -> Option<Inspected> {
        let (world, before) = (self.simulation.world(), self.simulation.inspected());
        on_script_stack(|| Inspected::new(behaviors, world, unit, before))
    }

    /// Begins to explain the last step of the unit that is inspected, if that is not known but can be found
    /// out: the step is made once more beside the state, by the behaviors that made it.
    pub fn explain_last(&mut self) {
        if !self.simulation.can_tell_more() {
            return;
        }
        let steps = self.simulation.world().steps;
        let replaced = self.replaced.as_ref().filter(|(made, _)| *made == steps);
        let inspected = replaced.zip(self.simulation.inspected()).and_then(|((_, behaviors), inspected)| {
            self.inspected(behaviors, (inspected.unit(), inspected.has_values()))
        });
        self.simulation.replay(inspected);
    }

    /// Lets a generation run in place of the one before; steps under way are canceled.
    pub fn swap(&mut self, generation: Generation) -> Swapped {
        let begins = self.waits();
        let before = std::mem::replace(&mut self.generation, generation);
        let (mut notes, mut refused) = (Vec::new(), None);
        let saved = self.generation.saved.take();
        if begins {
            self.restart();
            let works = self.generation.number > 0;
            refused = works.then(|| check_settings(&self.generation, &self.settings).err()).flatten();
        } else {
            let scene = &self.generation.scene;
            let steps = self.simulation.world().steps;
            if self.replaced.as_ref().is_none_or(|(made, _)| *made != steps) {
                self.replaced = Some((steps, Arc::clone(&self.running)));
            }
            let same = Arc::ptr_eq(&before.scene.source, &scene.source);
            let simulation = &mut self.simulation;
            let state = if same { simulation.replace_behaviors() } else { simulation.replace() };
            notes = self.generation.swap_into(&mut state.simulation, &before.scene, self.seed);
            if saved.is_none() && !same {
                state.observer = O::of(scene);
                self.simulation.forget_poses();
            }
        }
        self.running = Arc::new(self.generation.behaviors.clone());
        let inspected = self.simulation.inspected();
        let values = inspected.is_some_and(Inspected::has_values);
        self.inspect(inspected.map(Inspected::unit), values);
        let events = self.take_events();
        let polling = self.generation.polling.clone().filter(|_| before.polling.is_none());
        let before = before.scene;
        Swapped { before, events, notes, saved, polling, refused }
    }
}

/// Does what may nest as deep as scripts do; nothing where the system gives no thread.
fn on_script_stack<R: Send>(work: impl FnOnce() -> Option<R> + Send) -> Option<R> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(SCRIPT_STACK);
        thread.spawn_scoped(scope, work).ok()?.join().ok()?
    })
}
