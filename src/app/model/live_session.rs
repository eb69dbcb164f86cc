//! A session in real time: how fast it runs, what the window changes in it, and what it reports.

use std::path::Path;
use std::time::{Duration, Instant};

use super::faulty_files::FaultyFiles;
use super::log::{Log, Tone};
use super::moved_scatter::Strays;
use super::reload_log;
use crate::app::commands::action::Action;
use crate::app::commands::undo::Edits;
use crate::app::render::interpolated_poses::Shown;
use crate::app::render::trails::Trails;
use crate::app::time::compare::Compared;
use crate::app::time::pause_when::PauseWhen;
use crate::reload::{FileState, Generation, KnownScene, Place};
use crate::session::{Input, Options, Outcome, STEP_BUDGET, Session, Swapped};
use crate::world::Controls;

/// How long a generation that is ready waits for a step under way; then it replaces the state before it.
const LONGEST_WAIT: Duration = Duration::from_millis(400);
/// Simulated time that one frame may make up for, seconds of wall time.
const MOST_LAG: f32 = 0.1;

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
    made: u32,
    lag: f32,
    /// Where units are drawn.
    pub(in crate::app) shown: Shown,
    /// Share of the way from the last state but one to the last that has passed.
    share: f32,
    controls: Controls,
    /// The unit that is inspected, and whether the values of its scripts are recorded.
    inspected: Option<(usize, bool)>,
    /// The last step whose failures are told.
    reported: u64,
    /// The number of files that were loaded at the start, and true if any was loaded since.
    loaded: usize,
    pub(in crate::app) reloaded: bool,
    /// The scene that is to run in place of this one.
    wanted: Option<Place>,
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

    /// Takes over the steps that were under way, and swaps in the generations that have become ready.
    pub(in crate::app) fn receive(&mut self) {
        self.collect(Duration::ZERO);
        self.run.send_sample();
        self.ready.extend(self.run.ready());
        let busy = self.run.simulation.busy();
        if busy.is_none() {
            self.run.preview_draft();
            self.run.update_lookahead();
        }
        if busy.is_none_or(|busy| busy >= self.swap_wait) {
            for generation in std::mem::take(&mut self.ready) {
                self.swap(generation);
            }
        }
        self.receive_compared();
        let saving = self.saving;
        for saved in self.run.answers() {
            self.news = true;
            self.tell_saved(saved);
        }
        self.lose_patience(Instant::now());
        self.news |= saving != self.saving;
    }

    /// Lets a generation run in place of the one before.
    fn swap(&mut self, generation: Generation) {
        self.news = true;
        let Swapped { before, events, notes, saved, polling, refused } = self.run.swap(generation);
        let generation = self.run.newest();
        self.reloaded |= events.iter().any(|event| event.kind.runs());
        self.strays.follow(&before, &generation.scene);
        for script in &generation.changed {
            self.log.close_reports(script);
        }
        let step = self.run.simulation.world().steps;
        self.faulty.note(&events);
        reload_log::tell(&mut self.log, step, &events, generation);
        // A tuned value repairs no file.
        if !events.is_empty() && self.faulty.shown(generation).is_empty() {
            self.log.settle();
        }
        // After the errors of files are settled: this one stays.
        if let Some(error) = refused {
            self.log.say(Tone::Bad, 0, format!("{error:#}"));
        }
        if let Some(saved) = saved {
            self.tell_saved(saved);
        } else if !notes.is_empty() {
            let text = format!("scene: {}", notes.join(", "));
            self.log.say(Tone::Plain, step, text);
        }
        if let Some(trouble) = polling {
            let text = format!("no file events ({trouble}): polling instead");
            self.log.say(Tone::Warning, step, text);
        }
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

    /// Makes the steps that `seconds` of wall time ask for. What is not done in time comes back later.
    pub(in crate::app) fn advance(&mut self, seconds: f32) {
        let due = self.due(seconds);
        if let Some(at) = self.run.looked_at() {
            self.travel(at, due as u64);
            if !self.run.is_seeking() {
                self.run.complete();
            }
            self.share = 1.0;
            self.blend();
            return;
        }
        if self.run.simulation.busy().is_none() {
            let singles = std::mem::take(&mut self.singles);
            let due = (due as u32).saturating_add(singles);
            if self.pause_when.is_some() {
                self.advance_until(due);
            } else {
                self.run.simulation.start(due);
            }
            if self.paused {
                self.run.complete();
            }
            self.collect(self.frame_wait);
        }
        let mut late = self.paused;
        if due > 0.0 {
            let made = std::mem::take(&mut self.made) as f32;
            self.pace += (made / due - self.pace) * 0.1;
            if made < due {
                // What could not be made in time is dropped: the window stays responsive instead.
                (self.lag, late) = (0.0, true);
            }
        }
        let late = late || self.run.simulation.busy().is_some();
        let share = if late { 1.0 } else { self.lag / self.run.simulation.world().step };
        self.news |= share != self.share;
        self.share = share;
        self.blend();
    }

    /// Brings up to date where units are drawn: paused or late, at their last state.
    pub(in crate::app) fn blend(&mut self) {
        let simulation = &self.run.simulation;
        self.shown.blend(simulation.world(), simulation.poses_before(), self.share);
        self.blend_compared(self.share);
    }

    /// How many steps real time asks for, after `seconds` more of it.
    fn due(&mut self, seconds: f32) -> f32 {
        let step = self.run.simulation.world().step;
        if self.paused || self.run.waits() {
            // The last state is shown: from it, what is shown goes on.
            self.lag = step;
            self.made = 0;
            return 0.0;
        }
        let rate = self.run.generation.scene.speed * self.speed;
        self.lag = (self.lag + seconds * rate).min(MOST_LAG * rate + step);
        let due = (self.lag / step).floor();
        self.lag -= due * step;
        due
    }

    /// Takes over the steps under way once they are done, after at most `patience`.
    pub(in crate::app) fn collect(&mut self, patience: Duration) {
        match self.run.simulation.finish(patience) {
            Outcome::Nothing => {}
            Outcome::Made(made) => {
                self.news = true;
                self.made += made;
                let steps = self.run.simulation.world().steps;
                let seen = std::mem::replace(&mut self.reported, steps).min(steps);
                let reports = self.run.simulation.reports().iter();
                for report in reports.filter(|report| report.last_step >= seen) {
                    self.log.report(report, || self.run.generation.fault(report));
                }
            }
            Outcome::Explained => self.news = true,
            Outcome::Panicked => {
                (self.news, self.paused) = (true, true);
                let (step, text) = (self.run.simulation.world().steps, "an internal error");
                let text = format!("{text} stopped the next step: paused before it");
                self.log.say(Tone::Bad, step, text);
            }
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
            self.act(&Action::Refuse(format!("the scene {} no longer exists", scene.name)));
        }
    }

    /// The scene that was asked for, once.
    pub(in crate::app) fn take_wanted(&mut self) -> Option<Place> {
        self.wanted.take()
    }

    /// Starts the scene anew.
    pub(in crate::app) fn restart(&mut self) {
        self.return_to_present();
        self.run.restart();
        // Keys that are held are sent again.
        self.controls = Controls::default();
        self.reported = 0;
        self.strays.clear();
        self.log.say(Tone::Plain, 0, "restarted");
    }

    /// Passes on what the keyboard asks of the player.
    pub(in crate::app) fn control(&mut self, controls: Controls) {
        if controls != self.controls && self.run.looked_at().is_none() {
            self.controls = controls;
            self.run.simulation.input(Input::Controls(controls));
        }
    }
}
