//! The application without its window: session, panel and picture, frame by frame. Independent of the window, so that
//! tests and measurements use it as the window does.

use std::time::{Duration, Instant};

use steerbox_picture::render::canvas::Canvas;
use steerbox_picture::render::egui_paint::Painter;
use steerbox_picture::render::theme;
use steerbox_project::link::Sockets;
use steerbox_project::reload::Place;
use steerbox_project::session::{Keep, Observed, Options, Session, Start};
use steerbox_script::Execution;

use super::config::ConfigFile;
use super::editors::{Editors, Needs};
use super::fallback_fonts::FallbackFonts;
use super::frame;
use super::last_minute::LastMinute;
use super::recovery::Recovery;
use super::redraw::Redraw;
use crate::commands::action::ViewAction;
use crate::model::config::Config;
use crate::model::editor::buffer::Buffer;
use crate::model::frame_input::FrameInput;
use crate::model::live_session::LiveSession;
use crate::model::log::Tone;
use crate::model::question::Question;
use crate::model::view_state::ViewState;

/// Interval in which the window updates the duration of a slow step; longer if drawing is slow.
const TICK: Duration = Duration::from_millis(100);

/// A running scene and the canvas that shows it.
pub struct App {
    pub(crate) session: LiveSession,
    pub(crate) view: ViewState,
    pub(crate) context: egui::Context,
    pub(crate) fonts: FallbackFonts,
    pub(crate) painter: Painter,
    pub(crate) canvas: Canvas,
    pub(crate) redraw: Redraw,
    /// Options of scenes that are opened later.
    pub(crate) threads: Option<usize>,
    pub(crate) execution: Execution,
    pub(crate) keep: Keep,
    pub(crate) config: ConfigFile,
    /// Unsaved texts on disk.
    pub(crate) recovery: Recovery,
    /// The replay that a crash leaves.
    pub(crate) last_minute: LastMinute,
    /// The connection to editors, once it is open.
    pub(crate) editors: Option<Editors>,
}

impl App {
    /// Loads a scene and starts to watch its files. A scene with errors starts once it is repaired.
    ///
    /// # Errors
    /// If there is no such scene, or the system provides no threads.
    pub fn new(options: Options) -> anyhow::Result<Self> {
        Self::with_config(options, ConfigFile::default())
    }

    /// The application with a stored configuration.
    pub(crate) fn with_config(mut options: Options, mut config: ConfigFile) -> anyhow::Result<Self> {
        let context = egui::Context::default();
        theme::prepare(&context);
        let fonts = FallbackFonts::default();
        fonts.install(&context);
        let (threads, execution, keep) = (options.threads, options.execution, options.keep);
        // The scale applies to the whole window, including the world.
        context.options_mut(|options| options.zoom_with_keyboard = false);
        let question = Self::choice_of_rules(&mut options);
        let mut session = LiveSession::start(options)?;
        // Until the choice, the moment stays.
        session.paused = question.is_some();
        let remembered = config.read().unwrap_or_else(|trouble| {
            session.log.add(Tone::Warning, 0, trouble);
            Config::default()
        });
        let recovery = Recovery::new(config.unsaved());
        let last_minute = LastMinute::new(config.replays());
        if let Some(path) = last_minute.of_crash() {
            let text = format!(
                "the program ended unexpectedly: `steerbox replay {}` repeats its last minute",
                path.display()
            );
            session.log.add(Tone::Warning, 0, text);
        }
        let mut app = Self {
            recovery,
            last_minute,
            editors: None,
            threads,
            execution,
            keep,
            session,
            view: ViewState::new(remembered),
            config,
            context,
            fonts,
            painter: Painter::new(),
            canvas: Canvas::new(1, 1),
            redraw: Redraw::default(),
        };
        app.view.question = question;
        app.offer_texts();
        Ok(app)
    }

    /// Returns the question before a moment whose scene and scripts are not as those on disk.
    fn choice_of_rules(options: &mut Options) -> Option<Question> {
        match (&options.start, options.changed.take()) {
            (Start::Moment(moment), Some(changed)) => Some(Question::of_rules(moment.clone(), changed)),
            _ => None,
        }
    }

    /// Offers the unsaved texts that windows of this scene left.
    fn offer_texts(&mut self) {
        let (texts, troubles) = self.recovery.read(&self.session.place);
        self.view.offer_texts(texts, &self.session);
        for trouble in troubles {
            self.session.log.add(Tone::Warning, 0, trouble);
        }
    }

    /// Opens the connection to the editors of the scene's project.
    pub fn open_to_editors(&mut self, sockets: Sockets) {
        self.editors = Some(Editors::open(sockets, &self.session.place));
    }

    /// Runs one frame, `passed` after the previous one: swaps in generations, handles input, makes steps, and
    /// draws. Returns the panel's requests to the window.
    pub fn frame(&mut self, input: &FrameInput, passed: Duration) -> egui::PlatformOutput {
        let begin = Instant::now();
        self.update(input, passed);
        self.draw(input, begin)
    }

    /// As [`App::frame`], but draws only if the picture has changed, and returns `None` without drawing while
    /// it is invisible.
    pub fn frame_if_new(
        &mut self,
        input: &FrameInput,
        passed: Duration,
        visible: bool,
    ) -> Option<egui::PlatformOutput> {
        let begin = Instant::now();
        let news = self.update(input, passed);
        let due = self.redraw.is_due(input, news, visible, begin);
        due.then(|| self.draw(input, begin))
    }

    /// Runs another scene, or a moment of one, in place of this one. If it cannot be opened, this one continues; returns
    /// false then.
    pub(crate) fn change_scene(&mut self, options: Options) -> bool {
        let (threads, execution, keep, place) =
            (self.threads, self.execution, self.keep, options.place.clone());
        let options = Options { threads, execution, keep, ..options };
        let (begin, name) = (Instant::now(), place.scene_name());
        let opened = Session::open_or_wait(options).and_then(|mut run| {
            self.recovery.finish(&self.session.place, self.view.editor.unsaved());
            self.session.finish();
            run.events = self.session.run.events.take();
            LiveSession::new(run, place)
        });
        let is_open = opened.is_ok();
        match opened {
            Ok(session) => {
                self.session = session;
                self.session.opened(begin.elapsed());
                let edits = self.view.edits_next_scene;
                self.view.change_scene();
                self.offer_texts();
                if edits {
                    let name = self.session.place.scene_name();
                    self.view.open_text(&name, &self.session);
                }
            }
            Err(error) => self.session.refuse(&format!("cannot open {name}: {error:#}")),
        }
        is_open
    }

    /// Shows the run of a row of the results once it is repeated: its last measured step, paused.
    fn receive_run(&mut self) {
        let Some(results) = &mut self.view.results else { return };
        let name = results.name.clone();
        let Some((row, run)) = results.take_run() else { return };
        let opened = run.map(|options| self.change_scene(options));
        match opened {
            Ok(true) => {
                (self.session.paused, self.session.requested_steps) = (true, 1);
                let text = format!("row {row} of {name}, at its last measured step");
                self.session.log.add(Tone::Plain, 0, text);
            }
            Ok(false) => {}
            Err(error) => self.session.refuse(&format!("row {row} of {name}: {error}")),
        }
    }

    /// All of a frame except drawing. Returns true if the picture has changed.
    pub(crate) fn update(&mut self, input: &FrameInput, passed: Duration) -> bool {
        if let Some(options) = self.session.take_requested_scene() {
            self.change_scene(options);
        }
        self.receive_run();
        let (session, view) = (&mut self.session, &mut self.view);
        let had_file = session.place.scene.is_some();
        session.preview_selected(view, passed.as_secs_f32());
        session.receive();
        let pictures =
            view.browser.receive(&self.context) | self.fonts.update(&self.context, &mut session.log);
        view.interact(&self.context, input, session);
        view.follow_texts(session, Instant::now());
        let needs = self.editors.as_ref().map_or_else(Needs::default, |editors| editors.needs(session));
        session.inspect(view.selection.inspected(), view.shows_script() || needs.values.is_some());
        session.observe(Observed {
            watching: view.plots.watches()
                || session.pause_when.is_some()
                || session.run.verdicts().need_watching(),
            costing: view.window.costs || needs.costs,
            values: needs.values.filter(|_| !view.shows_script()).unwrap_or_default(),
        });
        session.advance(passed.as_secs_f32());
        if let Some(editors) = &mut self.editors {
            editors.serve(session, view);
        }
        let eye = view.camera.eye();
        view.follow(session, passed.as_secs_f32());
        view.window.frame_every = (view.window.frame_every * 9 + passed) / 10;
        let news = session.take_needs_redraw() | pictures | (eye != view.camera.eye());
        if !had_file && self.session.place.scene.is_some() {
            // From now on, unsaved texts are stored for the file of the scene.
            let before = Place { scene: None, ..self.session.place.clone() };
            self.recovery.finish(&before, Vec::new());
        }
        let texts = || self.view.editor.unsaved();
        let stored = self.recovery.remember(&self.session.place, texts, Instant::now());
        self.last_minute.remember(&self.session.run, Instant::now());
        stored
            .and(self.remember(input))
            .unwrap_or_else(|trouble| self.session.log.add_once(Tone::Warning, 0, &trouble));
        news
    }

    /// Stores the window's configuration once it has been unchanged for a while.
    fn remember(&mut self, input: &FrameInput) -> Result<(), String> {
        if !self.view.window.full_screen {
            let points = |pixels: usize| (pixels as f32 / self.view.window.scale).round() as usize;
            self.view.prefs.window = Some((points(input.size.0), points(input.size.1)));
        }
        self.config.remember(&self.view.remembered(), Instant::now())
    }

    fn draw(&mut self, input: &FrameInput, begin: Instant) -> egui::PlatformOutput {
        let (session, view) = (&mut self.session, &mut self.view);
        let (output, again) =
            frame::draw(&mut self.canvas, &self.context, &mut self.painter, input, session, view);
        // A slow step is reported while it runs.
        let spent = begin.elapsed();
        let tick = TICK.max(spent * 5);
        let again = session.run.simulation.busy().map_or(again, |_| again.min(tick));
        self.redraw.drawn(Instant::now(), again);
        view.window.frame_time = (view.window.frame_time * 9 + spent) / 10;
        output
    }

    /// Sets the pixels per point: `requested`, else the configured ones, else those of the display.
    pub(crate) fn choose_scale(&mut self, requested: Option<f32>, display: Option<f32>) -> f32 {
        let view = &mut self.view;
        view.window.display_scale = display.unwrap_or(1.0);
        view.window.scale =
            requested.or(view.prefs.scale).unwrap_or(view.window.display_scale).clamp(0.5, 4.0);
        view.window.scale
    }

    /// The requested scale, pixels per point.
    pub(crate) fn scale(&self) -> f32 {
        self.view.window.scale
    }

    /// True if the window is to fill the screen.
    pub(crate) fn full_screen(&self) -> bool {
        self.view.window.full_screen
    }

    /// Stores the state of full screen that the window manager reports.
    pub(crate) fn note_full_screen(&mut self, is_full: bool) {
        self.view.window.full_screen = is_full;
    }

    /// Logs the reason why full screen was not changed.
    pub(crate) fn refuse_full_screen(&mut self, reason: &str) {
        self.view.window.full_screen = false;
        self.session.refuse(reason);
    }

    /// Width and height of the window in points, if any are stored.
    pub(crate) fn size(&self) -> Option<(usize, usize)> {
        self.view.prefs.window
    }

    /// True if letters are typed as text.
    pub(crate) fn types(&self) -> bool {
        self.view.receiver(&self.context).types()
    }

    /// The last frame.
    pub fn canvas(&self) -> &Canvas {
        &self.canvas
    }

    /// Stores the configuration, and waits at most 2 s for a requested write to the scene's file.
    pub fn finish(&mut self) {
        self.view.finish_films(&mut self.session);
        // The window is closed: a failure cannot be shown any more.
        let _ = self.config.store(&self.view.remembered());
        self.recovery.finish(&self.session.place, self.view.editor.unsaved());
        self.last_minute.finish();
        self.session.finish();
    }

    /// The scene's title.
    pub fn title(&self) -> String {
        let mark = if self.view.editor.buffers().iter().any(Buffer::is_unsaved) { "• " } else { "" };
        format!("{mark}{} – steerbox", self.session.run.generation.scene.title)
    }

    /// Logs the duration until everything was loaded.
    pub fn opened(&mut self, after: Duration) {
        self.session.opened(after);
    }

    /// Selects a unit, and opens the script of the behavior with an index in its group, as clicks do.
    pub fn inspect_script(&mut self, unit: usize, rule: Option<usize>) {
        self.view.act(&mut self.session, ViewAction::Select(vec![unit]));
        self.view.act(&mut self.session, rule.map_or(ViewAction::CloseScript, ViewAction::OpenScript));
    }

    /// The number of the shown step.
    pub fn steps(&self) -> u64 {
        self.session.run.simulation.world().steps
    }

    /// Number of the generation that runs.
    pub fn generation(&self) -> u64 {
        self.session.run.generation.number
    }

    /// True while a preview is shown.
    pub fn has_preview(&self) -> bool {
        self.session.run.preview().is_some()
    }

    /// Wall time of a step, smoothed.
    pub fn step_time(&self) -> Duration {
        self.session.run.simulation.step_time()
    }
}
