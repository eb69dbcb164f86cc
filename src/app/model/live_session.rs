//! A session in real time: how fast it runs, what the window changes in it, and what it reports.

use std::path::Path;
use std::time::{Duration, Instant};

use super::compared::Compared;
use super::edits::Edits;
use super::faulty_files::FaultyFiles;
use super::log::{Log, Tone};
use super::moved_scatter::Strays;
use super::pause_when::PauseWhen;
use super::reload_log;
use crate::app::render::interpolated_poses::Shown;
use crate::app::render::trails::Trails;
use crate::reload::{FileState, Generation, KnownScene, Place};
use crate::session::{Input, Options, STEP_BUDGET, Session};
use crate::world::Controls;

/// How long a generation that is ready waits for a step under way; then it replaces the state before it.
const LONGEST_WAIT: Duration = Duration::from_millis(400);

/// A running scene in real time, and everything that was reported about it.
#[allow(clippy::struct_excessive_bools, reason = "each is a state of its own")]
pub(in crate::app) struct LiveSession {
    pub(in crate::app) run: Session<Trails>,
    /// Where its files are.
    pub(in crate::app) place: Place,
    pub(in crate::app) log: Log,
    /// The files that do not work.
    pub(in crate::app) faulty: FaultyFiles,
    pub(in crate::app) paused: bool,
    /// Simulated time runs this many times as fast as the scene says.
    pub(in crate::app) speed: f32,
    /// Share of the requested speed that was reached, smoothed.
    pub(in crate::app) pace: f32,
    /// Whether a write to the scene's file was requested and has no result yet.
    pub(in crate::app) saving: bool,
    /// When it was requested last.
    pub(in crate::app) asked: Instant,
    pub(in crate::app) strays: Strays,
    /// How long a frame waits for its steps.
    pub(in crate::app) frame_wait: Duration,
    /// How long a generation that is ready waits for a step under way.
    pub(in crate::app) swap_wait: Duration,
    /// Generations that are ready to be swapped in.
    pub(in crate::app) ready: Vec<Generation>,
    /// Whether there is anything new to be seen.
    pub(in crate::app) news: bool,
    /// Single steps that were requested.
    pub(in crate::app) singles: u32,
    /// Whether what is recorded runs backwards.
    pub(in crate::app) backwards: bool,
    /// Whether the present goes on once somebody returns to it.
    pub(in crate::app) resumes: bool,
    /// Steps that were made since the pace was measured.
    pub(in crate::app) made: u32,
    pub(in crate::app) lag: f32,
    /// Where units are drawn.
    pub(in crate::app) shown: Shown,
    /// Share of the way from the last state but one to the last that has passed.
    pub(in crate::app) share: f32,
    pub(in crate::app) controls: Controls,
    /// The unit that is inspected, and whether the values of its scripts are recorded.
    pub(in crate::app) inspected: Option<(usize, bool)>,
    /// The last step whose failures are told.
    pub(in crate::app) reported: u64,
    /// The number of files that were loaded at the start, and true if any was loaded since.
    pub(in crate::app) loaded: usize,
    pub(in crate::app) reloaded: bool,
    /// The scene that is to run in place of this one.
    pub(in crate::app) wanted: Option<Place>,
    /// When it is to pause.
    pub(in crate::app) pause_when: Option<PauseWhen>,
    /// What was edited in the window.
    pub(in crate::app) edits: Edits,
    /// What is known of the second run, while two are compared.
    pub(in crate::app) compared: Compared,
    /// The names under which tuned values are kept, as they were looked at last.
    pub(in crate::app) named_values: Vec<String>,
    /// Seconds for which a preview has been shown.
    pub(in crate::app) previewed: f32,
}

impl LiveSession {
    /// Loads everything and starts to watch it. A scene that does not work is waited for.
    ///
    /// # Errors
    /// When there is no such scene, or the system gives no threads.
    pub(in crate::app) fn start(options: Options) -> anyhow::Result<Self> {
        let place = options.place.clone();
        Self::of(Session::open_or_wait(options)?, place)
    }

    /// Starts to watch what is loaded, and tells its events.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(in crate::app) fn of(mut run: Session<Trails>, place: Place) -> anyhow::Result<Self> {
        run.watch()?;
        let events = run.take_events();
        let (mut log, mut faulty) = (Log::default(), FaultyFiles::default());
        faulty.note(&events);
        reload_log::tell_trouble(&mut log, 0, &events, &run.generation);
        Ok(Self {
            run,
            place,
            log,
            faulty,
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
            backwards: false,
            resumes: false,
            made: 0,
            lag: 0.0,
            shown: Shown::default(),
            share: 1.0,
            controls: Controls::default(),
            inspected: None,
            reported: 0,
            loaded: events.iter().filter(|event| event.kind.runs()).count(),
            reloaded: false,
            wanted: None,
            pause_when: None,
            edits: Edits::default(),
            compared: Compared::default(),
            named_values: Vec::new(),
            previewed: 0.0,
        })
    }

    /// The files whose errors are shown over the world, the last one first.
    pub(in crate::app) fn shown_faulty(&self) -> Vec<&FileState> {
        self.faulty.shown(self.run.newest())
    }

    /// True if errors are shown and can be dismissed; those of a scene that does not run stay.
    pub(in crate::app) fn can_dismiss(&self) -> bool {
        !self.run.waits() && !self.shown_faulty().is_empty()
    }

    /// Dismisses the errors over the world until the next one.
    pub(in crate::app) fn dismiss_errors(&mut self) {
        self.faulty.dismiss(self.run.newest());
        self.log.settle();
    }

    /// Tells how long it took until everything was there, if it is.
    pub(in crate::app) fn opened(&mut self, after: Duration) {
        self.news = true;
        if self.loaded > 0 {
            let text = format!("{} files loaded, {} ms", self.loaded, after.as_millis());
            self.log.say(Tone::Good, 0, text);
        }
    }

    /// Inspects a unit from the next step on, or none; with `values`, those beside the lines of its scripts.
    pub(in crate::app) fn inspect(&mut self, unit: Option<usize>, values: bool) {
        let asked = unit.map(|unit| (unit, values));
        if self.inspected != asked {
            self.inspected = asked;
            self.run.inspect(unit, values);
        }
    }

    /// Records what scripts watch, and measures what rules cost, from the next step on or no longer.
    pub(in crate::app) fn observe(&mut self, watching: bool, costing: bool) {
        let simulation = &self.run.simulation;
        if (simulation.watching, simulation.costing) != (watching, costing) {
            self.run.simulation.observe(watching, costing);
        }
    }

    /// Whether there is anything new to be seen since this was asked before.
    pub(in crate::app) fn take_news(&mut self) -> bool {
        std::mem::take(&mut self.news)
    }

    /// The folder of the scene's file, if it has one.
    pub(in crate::app) fn folder(&self) -> Option<&Path> {
        self.place.scene.as_deref()?.parent()
    }

    /// The name of the scene, without its ending.
    pub(in crate::app) fn scene_name(&self) -> String {
        self.place.scene_name().trim_end_matches(".ron").to_owned()
    }

    /// Asks for another scene in place of this one.
    pub(in crate::app) fn open(&mut self, scene: &KnownScene) {
        self.wanted = scene.place();
        if self.wanted.is_none() {
            self.refuse(&format!("the scene {} no longer exists", scene.name));
        }
    }

    /// The scene that was asked for, once.
    pub(in crate::app) fn take_wanted(&mut self) -> Option<Place> {
        self.wanted.take()
    }

    /// Logs why something was not done.
    pub(in crate::app) fn refuse(&mut self, why: &str) {
        self.news = true;
        self.log.say_once(Tone::Warning, self.run.simulation.world().steps, why);
    }

    /// Passes on what the keyboard asks of the player.
    pub(in crate::app) fn control(&mut self, controls: Controls) {
        if controls != self.controls && self.run.looked_at().is_none() {
            self.controls = controls;
            self.run.simulation.input(Input::Controls(controls));
        }
    }
}
