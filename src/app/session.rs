//! What runs behind the window: a simulation in real time, and the generations swapped into it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;

use super::action::Action;
use super::log::{Log, Tone};
use super::moved_scatter::Strays;
use super::news;
use super::stepper::{Outcome, STEP_BUDGET, State, Stepper};
use super::trails::Trails;
use crate::reload::{Command, Event, Generation, Handle, KnobName};
use crate::reload::{Loader, Place, Running};
use crate::scene::{KeyAction, ParamValue};
use crate::script::Execution;
use crate::world::Controls;

/// How long a generation that is ready waits for a step under way; then it replaces the state before it.
const LONGEST_WAIT: Duration = Duration::from_millis(400);
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
    pub(super) simulation: Stepper,
    pub(super) generation: Generation,
    pub(super) log: Log,
    pub(super) paused: bool,
    /// Simulated time runs this many times as fast as the scene says.
    pub(super) speed: f32,
    /// Share of the asked speed that was reached, smoothed.
    pub(super) pace: f32,
    /// Whether a write to the scene's file was asked for and nothing was heard of it yet.
    pub(super) saving: bool,
    /// When it was asked for last.
    pub(super) asked: Instant,
    pub(super) strays: Strays,
    pub(super) loader: Loader,
    /// How long a frame waits for its steps.
    pub(super) frame_wait: Duration,
    /// How long a generation that is ready waits for a step under way.
    pub(super) swap_wait: Duration,
    /// Generations that are ready to be swapped in.
    pub(super) ready: Vec<Generation>,
    /// Whether there is anything new to be seen.
    news: bool,
    /// Single steps that were asked for.
    singles: u32,
    /// Steps that were made since the pace was told.
    made: u32,
    lag: f32,
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
        let state = State::new(generation.start(seed), trails(&generation));
        let mut session = Self {
            simulation: Stepper::new(state, threads)?,
            loader: Loader::start(project).context("no thread to watch the files")?,
            generation,
            log: Log::default(),
            paused: false,
            speed: 1.0,
            pace: 1.0,
            saving: false,
            asked: Instant::now(),
            strays: Strays::default(),
            frame_wait: STEP_BUDGET,
            swap_wait: LONGEST_WAIT,
            ready: Vec::new(),
            news: true,
            singles: 0,
            made: 0,
            lag: 0.0,
            events,
            seed,
            controls: Controls::default(),
            loaded: 0,
            check: Box::new(check),
        };
        let events = std::mem::take(&mut session.generation.events);
        session.pass_on(&events);
        session.loaded = news::live(&events).len();
        news::tell_trouble(&mut session.log, 0, &events, &session.generation);
        Ok(session)
    }

    /// Takes over the steps that were under way, and swaps in the generations that have become ready.
    pub(super) fn receive(&mut self) {
        self.collect(Duration::ZERO);
        if self.loader.wants_running() {
            let (scene, sample) = (Arc::clone(&self.generation.scene), self.simulation.sample());
            let running = Box::new(Running { scene, sample });
            self.loader.ask(Command::Run(running));
        }
        self.ready.extend(self.loader.ready());
        let busy = self.simulation.busy();
        if busy.is_none_or(|busy| busy >= self.swap_wait) {
            for generation in std::mem::take(&mut self.ready) {
                self.swap(generation);
            }
        }
        let saving = self.saving;
        let answers: Vec<_> = self.loader.answers().collect();
        self.news |= !answers.is_empty();
        for saved in answers {
            self.tell_saved(saved);
        }
        self.lose_patience(Instant::now());
        self.news |= saving != self.saving;
    }

    /// Lets a generation run in place of the one before.
    fn swap(&mut self, mut generation: Generation) {
        self.news = true;
        let before = Arc::clone(&self.generation.scene);
        let notes = if self.waits() {
            self.begin(&generation);
            Vec::new()
        } else {
            let state = self.simulation.replace();
            generation.swap_into(&mut state.simulation, &before, self.seed)
        };
        let saved = generation.saved.take();
        if !Arc::ptr_eq(&before.source, &generation.scene.source) {
            self.strays.follow(&before, &generation.scene);
            if saved.is_none() {
                self.simulation.replace().trails = trails(&generation);
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

    /// Begins with the first generation that works.
    fn begin(&mut self, generation: &Generation) {
        let simulation = generation.start(self.seed);
        *self.simulation.replace() = State::new(simulation, trails(generation));
        if generation.number > 0
            && let Err(error) = (self.check)(generation)
        {
            self.log.say(Tone::Bad, 0, format!("{error:#}"));
        }
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
        self.news = true;
        if self.loaded > 0 {
            let text = format!("{} files loaded, {} ms", self.loaded, after.as_millis());
            self.log.say(Tone::Good, 0, text);
        }
    }

    /// Makes the steps that `seconds` of wall time ask for. What is not done in time comes back later.
    pub(super) fn advance(&mut self, seconds: f32) {
        let due = self.due(seconds);
        if self.simulation.busy().is_none() {
            let singles = std::mem::take(&mut self.singles);
            self.simulation.start(due as u32 + singles);
            self.collect(self.frame_wait);
        }
        if due > 0.0 {
            let made = std::mem::take(&mut self.made) as f32;
            self.pace += (made / due - self.pace) * 0.1;
            if made < due {
                // What could not be made in time is dropped: the window stays responsive instead.
                self.lag = 0.0;
            }
        }
    }

    /// How many steps real time asks for, after `seconds` more of it.
    fn due(&mut self, seconds: f32) -> f32 {
        if self.paused || self.waits() {
            self.lag = 0.0;
            return 0.0;
        }
        let (step, rate) = (
            self.simulation.world().step,
            self.generation.scene.speed * self.speed,
        );
        self.lag = (self.lag + seconds * rate).min(MOST_LAG * rate + step);
        let due = (self.lag / step).floor();
        self.lag -= due * step;
        due
    }

    /// Takes over the steps under way once they are done, after at most `patience`.
    fn collect(&mut self, patience: Duration) {
        match self.simulation.finish(patience) {
            Outcome::Nothing => {}
            Outcome::Made(made) => {
                self.news = true;
                self.made += made;
                for report in self.simulation.reports() {
                    self.log.report(report, || self.generation.fault(report));
                }
            }
            Outcome::Panicked => {
                (self.news, self.paused) = (true, true);
                let (step, text) = (self.simulation.world().steps, "an error in steerbox itself");
                let text = format!("{text} ended the next step: paused before it");
                self.log.say(Tone::Bad, step, text);
            }
        }
    }

    /// Whether there is anything new to be seen since this was asked before.
    pub(super) fn take_news(&mut self) -> bool {
        std::mem::take(&mut self.news)
    }

    /// Carries out what concerns the simulation; the rest is for whoever shows it.
    pub(super) fn act(&mut self, action: &Action) {
        self.news = true;
        match action {
            Action::TogglePause => self.paused = !self.paused,
            Action::Step => {
                self.paused = true;
                self.singles += 1;
            }
            Action::Restart => {
                let simulation = self.generation.start(self.seed);
                *self.simulation.replace() = State::new(simulation, trails(&self.generation));
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
            Action::SetView(group, view) => self.set_view(*group, *view),
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
                        self.set_view(group, *view);
                    }
                }
            }
            KeyAction::Switch(scripts) => {
                let on = !self.is_on(scripts);
                let behaviors = self.generation.behaviors.iter().flatten();
                let handles: Vec<_> = behaviors
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

    fn set_view(&mut self, group: usize, view: Option<usize>) {
        self.simulation
            .change(move |simulation| simulation.set_view(group, view));
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
        let mut behaviors = self.generation.behaviors.iter().flatten();
        behaviors.any(|planned| planned.enabled && scripts.contains(&planned.handle.script))
    }

    /// Tunes a value.
    fn tune(&mut self, handle: &Handle, name: &KnobName, value: &ParamValue) {
        self.show(handle, name, value, true);
        self.loader
            .ask(Command::Tune(handle.clone(), name.clone(), value.clone()));
    }

    /// Shows a value at once, as tuned or not; the generation that runs with it follows.
    fn show(&mut self, handle: &Handle, name: &KnobName, value: &ParamValue, tuned: bool) {
        for (group, group_behaviors) in self.generation.behaviors.iter_mut().enumerate() {
            for (slot, planned) in group_behaviors
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
                let (gain, enabled) = (planned.gain, planned.enabled);
                self.simulation
                    .change(move |simulation| simulation.tune(group, slot, gain, enabled));
            }
        }
    }

    /// Passes on what the keyboard asks of the player.
    pub(super) fn control(&mut self, controls: Controls) {
        if controls != self.controls {
            self.controls = controls;
            self.simulation
                .change(move |simulation| simulation.set_controls(controls));
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
