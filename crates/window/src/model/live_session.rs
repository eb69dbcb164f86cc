//! A session in real time: how fast it runs, what the window changes in it, and what it reports.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use steerbox_core::world::Controls;
use steerbox_picture::render::interpolated_poses::InterpolatedPoses;
use steerbox_picture::render::trails::Trails;
use steerbox_project::reload::{FileState, Generation, KnownScene, Place, SavedText};
use steerbox_project::session::{Input, Observed, Options, STEP_BUDGET, Session};

use super::compared::Compared;
use super::edits::Edits;
use super::experiments::Experiments;
use super::faulty_files::FaultyFiles;
use super::log::{Log, Tone};
use super::moved_scatter::MovedScatter;
use super::pause_when::PauseWhen;
use super::reload_log;

/// Longest time that a generation waits for a step under way; then it replaces the state before it.
const MAX_SWAP_WAIT: Duration = Duration::from_millis(400);

/// A running scene in real time, and everything that was reported about it.
#[allow(clippy::struct_excessive_bools, reason = "each is a state of its own")]
pub(crate) struct LiveSession {
    pub(crate) run: Session<Trails>,
    /// The location of its files.
    pub(crate) place: Place,
    pub(crate) log: Log,
    /// The files that do not work.
    pub(crate) faulty: FaultyFiles,
    pub(crate) paused: bool,
    /// Ratio of simulated time to the scene's own speed.
    pub(crate) speed: f32,
    /// Ratio of actual to requested speed, smoothed.
    pub(crate) pace: f32,
    /// True if a write to the scene's file was requested and has no result yet.
    pub(crate) saving: bool,
    /// The time of the last request.
    pub(crate) save_requested: Instant,
    pub(crate) moved_scatter: MovedScatter,
    /// Longest time that a frame waits for its steps.
    pub(crate) frame_wait: Duration,
    /// Longest time that a generation waits for a step under way.
    pub(crate) swap_wait: Duration,
    /// Generations that are ready to be swapped in.
    pub(crate) ready: Vec<Generation>,
    /// True if the picture of the window has changed.
    pub(crate) needs_redraw: bool,
    /// Single steps that were requested.
    pub(crate) requested_steps: u32,
    /// True if the record is played backwards.
    pub(crate) backwards: bool,
    /// True if the scene resumes after a return to the present.
    pub(crate) resumes_on_return: bool,
    /// Steps that were made since the speed was measured.
    pub(crate) steps_made: u32,
    pub(crate) lag: f32,
    /// The poses at which units are drawn.
    pub(crate) poses: InterpolatedPoses,
    /// Interpolation parameter between the last two states, 0 to 1.
    pub(crate) share: f32,
    pub(crate) controls: Controls,
    /// The unit that is inspected, and whether the values of its scripts are recorded.
    pub(crate) inspected: Option<(usize, bool)>,
    /// The last step whose failures are logged.
    pub(crate) reported_step: u64,
    /// The number of files that were loaded at the start, and true if any was loaded since.
    pub(crate) loaded: usize,
    pub(crate) reloaded: bool,
    /// The unsaved texts that run, by the names of their files.
    pub(crate) drafts: BTreeMap<String, Arc<str>>,
    /// The contents of files that were replaced by writes, until a generation with the new content arrives.
    pub(crate) replaced: BTreeMap<String, SavedText>,
    /// The requested scene to open next.
    pub(crate) requested_scene: Option<Options>,
    /// The condition at which it pauses.
    pub(crate) pause_when: Option<PauseWhen>,
    /// The edits made in the window.
    pub(crate) edits: Edits,
    /// The experiments of the project.
    pub(crate) experiments: Experiments,
    /// The second run, while two are compared.
    pub(crate) compared: Compared,
    /// The names of all snapshots, as read last.
    pub(crate) snapshot_names: Vec<String>,
    /// The reason why the last file did not open in the editor.
    pub(crate) cannot_edit: Option<String>,
    /// Seconds for which the preview has been visible.
    pub(crate) preview_seconds: f32,
}

impl LiveSession {
    /// Loads all files and starts to watch them. A scene with errors starts once it is repaired.
    ///
    /// # Errors
    /// If there is no such scene, or the system provides no threads.
    pub(crate) fn start(options: Options) -> anyhow::Result<Self> {
        let place = options.place.clone();
        Self::new(Session::open_or_wait(options)?, place)
    }

    /// Starts to watch the loaded files, and logs their events.
    ///
    /// # Errors
    /// If the system provides no thread.
    pub(crate) fn new(mut run: Session<Trails>, place: Place) -> anyhow::Result<Self> {
        run.watch()?;
        let events = run.take_events();
        let (mut log, mut faulty) = (Log::default(), FaultyFiles::default());
        faulty.note(&events);
        reload_log::log_failures(&mut log, 0, &events, &run.generation);
        Ok(Self {
            run,
            place,
            log,
            faulty,
            paused: false,
            speed: 1.0,
            pace: 1.0,
            saving: false,
            save_requested: Instant::now(),
            moved_scatter: MovedScatter::default(),
            frame_wait: STEP_BUDGET,
            swap_wait: MAX_SWAP_WAIT,
            ready: Vec::new(),
            needs_redraw: true,
            requested_steps: 0,
            backwards: false,
            resumes_on_return: false,
            steps_made: 0,
            lag: 0.0,
            poses: InterpolatedPoses::default(),
            share: 1.0,
            controls: Controls::default(),
            inspected: None,
            reported_step: 0,
            loaded: events.iter().filter(|event| event.kind.runs()).count(),
            reloaded: false,
            drafts: BTreeMap::new(),
            replaced: BTreeMap::new(),
            requested_scene: None,
            pause_when: None,
            cannot_edit: None,
            edits: Edits::default(),
            experiments: Experiments::default(),
            compared: Compared::default(),
            snapshot_names: Vec::new(),
            preview_seconds: 0.0,
        })
    }

    /// The files whose errors are shown over the world, the last one first.
    pub(crate) fn shown_faulty(&self) -> Vec<&FileState> {
        self.faulty.shown(self.run.newest())
    }

    /// True if errors are shown and can be dismissed; those of a scene that does not run stay.
    pub(crate) fn can_dismiss(&self) -> bool {
        !self.run.waits() && !self.shown_faulty().is_empty()
    }

    /// Dismisses the errors over the world until the next one.
    pub(crate) fn dismiss_errors(&mut self) {
        self.faulty.dismiss(self.run.newest());
        self.log.settle();
    }

    /// Logs the duration of loading.
    pub(crate) fn opened(&mut self, after: Duration) {
        self.needs_redraw = true;
        if self.loaded > 0 {
            let text = format!("{} files loaded, {} ms", self.loaded, after.as_millis());
            self.log.add(Tone::Good, 0, text);
        }
    }

    /// Inspects a unit from the next step on, or none; with `values`, the values beside the lines of its scripts, too.
    pub(crate) fn inspect(&mut self, unit: Option<usize>, values: bool) {
        let requested = unit.map(|unit| (unit, values));
        if self.inspected != requested {
            self.inspected = requested;
            self.run.inspect(unit, values);
        }
    }

    /// Enables or disables recordings from the next step on.
    pub(crate) fn observe(&mut self, observed: Observed) {
        if self.run.simulation.observed() != observed {
            self.run.simulation.observe(observed);
        }
    }

    /// True if the picture has changed since the last call.
    pub(crate) fn take_needs_redraw(&mut self) -> bool {
        std::mem::take(&mut self.needs_redraw)
    }

    /// The folder of the scene's file, if it has one.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.place.scene.as_deref()?.parent()
    }

    /// The name of the scene, without its ending.
    pub(crate) fn scene_name(&self) -> String {
        self.place.scene_name().trim_end_matches(".ron").to_owned()
    }

    /// Requests another scene in place of this one.
    pub(crate) fn open(&mut self, scene: &KnownScene) {
        self.requested_scene = scene.place().map(Options::new);
        if self.requested_scene.is_none() {
            self.refuse(&format!("the scene {} no longer exists", scene.name));
        }
    }

    /// Returns the requested scene, and clears the request.
    pub(crate) fn take_requested_scene(&mut self) -> Option<Options> {
        self.requested_scene.take()
    }

    /// Logs the reason why an action was not executed.
    pub(crate) fn refuse(&mut self, why: &str) {
        self.needs_redraw = true;
        self.log.add_once(Tone::Warning, self.run.simulation.world().steps, why);
    }

    /// Sets the controls of the player.
    pub(crate) fn control(&mut self, controls: Controls) {
        if controls != self.controls && self.run.past_step().is_none() {
            self.controls = controls;
            self.run.simulation.input(Input::Controls(controls));
        }
    }
}
