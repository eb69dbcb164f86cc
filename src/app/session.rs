//! What runs behind the window: a simulation in real time, and the generations swapped into it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;

use super::action::Action;
use super::log::{Log, Tone};
use super::news;
use super::strays::Strays;
use super::trails::Trails;
use crate::reload::{Command, Event, Generation, Handle, KnobName};
use crate::reload::{Loader, Place, Running};
use crate::scene::{KeyAction, ParamValue};
use crate::script::Execution;
use crate::sim::Simulation;
use crate::world::Controls;

/// Stack of the threads that run scripts: they nest as deep as their limits allow.
const STACK: usize = 16 << 20;
/// Wall time that the steps of one frame may take before the rest is dropped.
const STEP_BUDGET: Duration = Duration::from_millis(24);
/// Simulated time that one frame may make up for, seconds of wall time.
const MOST_LAG: f32 = 0.1;

/// A value in place of the file's.
pub type Setting = (Handle, KnobName, ParamValue);

/// Takes one line of JSON for every event of reloading.
pub type EventSink = Box<dyn FnMut(&str)>;

/// Refuses values that fit nothing in a scene.
type Check = dyn Fn(&Generation) -> anyhow::Result<()> + Send;

/// What the window opens with.
pub struct Options {
    /// Where scene and scripts are.
    pub place: Place,
    /// Values in place of the files'.
    pub tuned: Vec<Setting>,
    /// Refuses values that fit nothing in the scene.
    pub check: fn(&Generation, &[Setting]) -> anyhow::Result<()>,
    /// Takes every event of reloading, as one line of JSON.
    pub events: Option<EventSink>,
    /// Seed in place of the scene's.
    pub seed: Option<u64>,
    /// Threads that units decide on; all processors' if `None`.
    pub threads: Option<usize>,
    /// How scripts are to run.
    pub execution: Execution,
    /// Pixels to a point of the panel.
    pub scale: f32,
}

/// The running simulation and everything that was said about it.
pub(super) struct Session {
    pub(super) simulation: Simulation,
    pub(super) generation: Generation,
    pub(super) log: Log,
    pub(super) trails: Trails,
    pub(super) paused: bool,
    /// Simulated time runs this many times as fast as the scene says.
    pub(super) speed: f32,
    /// Smoothed wall time of a step and of the steps made in a frame.
    pub(super) step_time: Duration,
    /// Share of the asked speed that was reached, smoothed.
    pub(super) pace: f32,
    /// Whether a write to the scene's file was asked for and nothing was heard of it yet.
    pub(super) saving: bool,
    /// When it was asked for last.
    pub(super) asked: Instant,
    pub(super) strays: Strays,
    pub(super) loader: Loader,
    lag: f32,
    pool: rayon::ThreadPool,
    events: Option<EventSink>,
    seed: Option<u64>,
    controls: Controls,
    /// Files that were loaded at the start.
    loaded: usize,
    /// Refuses values that fit nothing in the scene.
    check: Box<Check>,
}

impl Session {
    /// Loads everything and starts to watch it. A scene that does not work is waited for.
    ///
    /// # Errors
    /// When there is no such scene, or the system gives no threads.
    pub(super) fn start(options: Options) -> anyhow::Result<Self> {
        let Options {
            place,
            tuned,
            check,
            events,
            seed,
            threads,
            execution,
            ..
        } = options;
        let (project, generation) = Loader::load_or_wait(place, tuned.clone(), execution)?;
        let check = move |generation: &Generation| check(generation, &tuned);
        if generation.number > 0 {
            check(&generation)?;
        }
        let threads = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.unwrap_or(0))
            .stack_size(STACK);
        let pool = threads.build().context("no threads to decide on")?;
        let mut session = Self {
            simulation: generation.start(seed),
            trails: trails(&generation),
            loader: Loader::start(project).context("no thread to watch the files")?,
            generation,
            log: Log::default(),
            paused: false,
            speed: 1.0,
            step_time: Duration::ZERO,
            pace: 1.0,
            saving: false,
            asked: Instant::now(),
            strays: Strays::default(),
            lag: 0.0,
            pool,
            events,
            seed,
            controls: Controls::default(),
            loaded: 0,
            check: Box::new(check),
        };
        session.simulation.drawing = true;
        let events = std::mem::take(&mut session.generation.events);
        session.pass_on(&events);
        session.loaded = news::live(&events).len();
        news::tell_trouble(&mut session.log, 0, &events, &session.generation);
        Ok(session)
    }

    /// Swaps in the generations that have become ready.
    pub(super) fn receive(&mut self) {
        if self.loader.wants_running() {
            let (scene, sample) = (Arc::clone(&self.generation.scene), self.simulation.sample());
            let running = Box::new(Running { scene, sample });
            self.loader.ask(Command::Run(running));
        }
        let ready: Vec<Generation> = self.loader.ready().collect();
        for mut generation in ready {
            let before = Arc::clone(&self.generation.scene);
            let notes = if self.waits() {
                self.begin(&generation)
            } else {
                generation.swap_into(&mut self.simulation, &before, self.seed)
            };
            let saved = generation.saved.take();
            if !Arc::ptr_eq(&before.source, &generation.scene.source) {
                self.strays.follow(&before, &generation.scene);
                if saved.is_none() {
                    self.trails = trails(&generation);
                }
            }
            for script in &generation.changed {
                self.log.close_reports(script);
            }
            let trouble = generation
                .polling
                .clone()
                .filter(|_| self.generation.polling.is_none());
            let events = std::mem::take(&mut generation.events);
            self.generation = generation;
            self.pass_on(&events);
            let step = self.simulation.world().steps;
            news::tell(&mut self.log, step, &events, &self.generation);
            if let Some(saved) = saved {
                self.tell_saved(saved);
            } else if !notes.is_empty() {
                self.log
                    .say(Tone::Plain, step, format!("scene: {}", notes.join(", ")));
            }
            if let Some(trouble) = trouble {
                self.log.say(
                    Tone::Warning,
                    step,
                    format!("no file events ({trouble}): polling instead"),
                );
            }
        }
        let answers: Vec<_> = self.loader.answers().collect();
        for saved in answers {
            self.tell_saved(saved);
        }
        self.lose_patience(Instant::now());
    }

    /// Begins with the first generation that works.
    fn begin(&mut self, generation: &Generation) -> Vec<String> {
        self.simulation = generation.start(self.seed);
        self.simulation.drawing = true;
        if generation.number > 0
            && let Err(error) = (self.check)(generation)
        {
            self.log.say(Tone::Bad, 0, format!("{error:#}"));
        }
        Vec::new()
    }

    /// Hands on what happened to files.
    fn pass_on(&mut self, events: &[Event]) {
        let step = self.simulation.world().steps;
        if let Some(sink) = &mut self.events {
            for event in events {
                sink(&event.to_json(step));
            }
        }
    }

    /// Whether nothing runs yet, because no version of the scene works.
    pub(super) fn waits(&self) -> bool {
        self.generation.number == 0
    }

    /// Tells how long it took until everything was there, if it is.
    pub(super) fn opened(&mut self, after: Duration) {
        if self.loaded > 0 {
            let text = format!("{} files loaded, {} ms", self.loaded, after.as_millis());
            self.log.say(Tone::Good, 0, text);
        }
    }

    /// Makes the steps that `seconds` of wall time ask for.
    pub(super) fn advance(&mut self, seconds: f32) {
        if self.paused || self.waits() {
            self.lag = 0.0;
            return;
        }
        let (step, rate) = (
            self.simulation.world().step,
            self.generation.scene.speed * self.speed,
        );
        self.lag = (self.lag + seconds * rate).min(MOST_LAG * rate + step);
        let (start, due) = (Instant::now(), (self.lag / step).floor());
        let mut made = 0.0;
        while made < due && (made == 0.0 || start.elapsed() < STEP_BUDGET) {
            self.step();
            made += 1.0;
        }
        if due > 0.0 {
            self.pace += (made / due - self.pace) * 0.1;
        }
        // What could not be made in time is dropped: the window stays responsive instead.
        self.lag = if made < due {
            0.0
        } else {
            self.lag - due * step
        };
    }

    /// Makes one step.
    pub(super) fn step(&mut self) {
        let start = Instant::now();
        self.pool.install(|| self.simulation.step());
        self.step_time = (self.step_time * 9 + start.elapsed()) / 10;
        self.trails.note(self.simulation.world());
        for report in self.simulation.reports() {
            self.log.report(report, || self.generation.fault(report));
        }
    }

    /// Carries out what concerns the simulation; the rest is for whoever shows it.
    pub(super) fn act(&mut self, action: &Action) {
        match action {
            Action::TogglePause => self.paused = !self.paused,
            Action::Step => {
                self.paused = true;
                self.step();
            }
            Action::Restart => {
                self.simulation = self.generation.start(self.seed);
                self.simulation.drawing = true;
                self.trails.clear();
                self.strays.clear();
                self.log.say(Tone::Plain, 0, "restarted");
            }
            Action::Speed(speed) => self.speed = speed.clamp(0.05, 20.0),
            Action::Tune(handle, knob, value) => self.tune(handle, knob, value),
            Action::Untune(handle, knob) => self
                .loader
                .ask(Command::Untune(handle.clone(), knob.clone())),
            Action::DragObstacle(at, to) => self.drag_obstacle(*at, *to),
            Action::PlaceObstacle(at) => self.place_obstacle(*at),
            Action::ReturnObstacle(at) => self.return_obstacle(*at),
            Action::Save => self.save(),
            Action::SetView(group, view) => self.simulation.set_view(*group, *view),
            Action::Key(action) => self.key(action),
            Action::Target(target) => self.set_target(*target),
            Action::Refuse(why) => {
                let step = self.simulation.world().steps;
                self.log.say_once(Tone::Warning, step, why);
            }
            _ => {}
        }
    }

    /// Carries out what a key of the scene stands for.
    fn key(&mut self, action: &KeyAction) {
        match action {
            KeyAction::View(view) => {
                let player = self
                    .generation
                    .scene
                    .groups
                    .iter()
                    .position(|g| g.is_player);
                for group in 0..self.simulation.world().groups.len() {
                    if Some(group) != player {
                        self.simulation.set_view(group, *view);
                    }
                }
            }
            KeyAction::Switch(scripts) => {
                let on = !self.is_on(scripts);
                let crews = self.generation.crews.iter().flatten();
                let handles: Vec<_> = crews
                    .filter(|planned| scripts.contains(&planned.handle.script))
                    .map(|planned| planned.handle.clone())
                    .collect();
                for handle in handles {
                    self.show(&handle, &KnobName::Enabled, &ParamValue::Switch(on), false);
                    self.loader.ask(Command::Switch(handle, on));
                }
            }
            KeyAction::Speed(factor) => self.speed = (self.speed * factor).clamp(0.05, 20.0),
        }
    }

    /// Whether a key's view is looked through, or any of its behaviors runs.
    pub(super) fn key_is_on(&self, action: &KeyAction) -> bool {
        match action {
            KeyAction::View(view) => {
                let groups = &self.simulation.world().groups;
                let mut others = groups.iter().zip(&self.generation.scene.groups);
                others.all(|(group, plan)| plan.is_player || group.view == *view)
            }
            KeyAction::Switch(scripts) => self.is_on(scripts),
            KeyAction::Speed(_) => false,
        }
    }

    /// Whether any behavior with one of these scripts runs.
    fn is_on(&self, scripts: &[String]) -> bool {
        let mut crews = self.generation.crews.iter().flatten();
        crews.any(|planned| planned.enabled && scripts.contains(&planned.handle.script))
    }

    /// Tunes a value.
    fn tune(&mut self, handle: &Handle, name: &KnobName, value: &ParamValue) {
        self.show(handle, name, value, true);
        self.loader
            .ask(Command::Tune(handle.clone(), name.clone(), value.clone()));
    }

    /// Shows a value at once, as tuned or not; the generation that runs with it follows.
    fn show(&mut self, handle: &Handle, name: &KnobName, value: &ParamValue, tuned: bool) {
        for (group, crew) in self.generation.crews.iter_mut().enumerate() {
            for (slot, planned) in crew
                .iter_mut()
                .enumerate()
                .filter(|(_, planned)| planned.handle == *handle)
            {
                for knob in planned.knobs.iter_mut().filter(|knob| knob.name == *name) {
                    knob.value = value.clone();
                    knob.tuned = tuned;
                }
                match (name, value) {
                    (KnobName::Gain, ParamValue::Number(gain)) => planned.gain = *gain,
                    (KnobName::Enabled, ParamValue::Switch(on)) => planned.enabled = *on,
                    _ => {}
                }
                self.simulation
                    .tune(group, slot, planned.gain, planned.enabled);
            }
        }
    }

    /// Passes on what the keyboard asks of the player.
    pub(super) fn control(&mut self, controls: Controls) {
        if controls != self.controls {
            self.controls = controls;
            self.simulation.set_controls(controls);
        }
    }
}

fn trails(generation: &Generation) -> Trails {
    let longest = generation
        .scene
        .groups
        .iter()
        .map(|group| group.look.trail)
        .fold(0.5, f32::max);
    Trails::lasting(longest)
}
