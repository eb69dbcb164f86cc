//! Everything behind the glass: session, panel and picture, frame by frame. It knows no window, so
//! tests and measurements use it as the window does.

use std::time::{Duration, Instant};

use super::config::ConfigFile;
use super::frame;
use super::input::FrameInput;
use super::redraw::Redraw;
use crate::app::commands::action::ViewAction;
use crate::app::model::config::Config;
use crate::app::model::live_session::LiveSession;
use crate::app::model::log::Tone;
use crate::app::model::view_state::ViewState;
use crate::app::render::canvas::Canvas;
use crate::app::render::egui_paint::Painter;
use crate::app::render::theme;
use crate::reload::Place;
use crate::script::Execution;
use crate::session::{Keep, Options, Session};

/// How often the window shows how long a step has been taking; less often where drawing takes long.
const TICK: Duration = Duration::from_millis(100);

/// A running scene and the canvas that shows it.
pub struct App {
    pub(in crate::app) session: LiveSession,
    pub(in crate::app) view: ViewState,
    pub(in crate::app) context: egui::Context,
    pub(in crate::app) painter: Painter,
    pub(in crate::app) canvas: Canvas,
    pub(in crate::app) redraw: Redraw,
    /// How scenes run that are opened later.
    pub(in crate::app) threads: Option<usize>,
    pub(in crate::app) execution: Execution,
    pub(in crate::app) keep: Keep,
    pub(in crate::app) config: ConfigFile,
    /// Width and height of the window in pixels, if it was opened before.
    pub(in crate::app) size: Option<(usize, usize)>,
}

#[cfg_attr(not(feature = "window"), allow(dead_code, reason = "the loop of the window calls it"))]
impl App {
    /// Loads a scene and starts to watch its files. One that does not work is waited for.
    ///
    /// # Errors
    /// When there is no such scene, or the system gives no threads.
    pub fn new(options: Options) -> anyhow::Result<Self> {
        Self::with_config(options, ConfigFile::default())
    }

    /// The same, as `config` remembers it.
    pub(in crate::app) fn with_config(options: Options, mut config: ConfigFile) -> anyhow::Result<Self> {
        let context = egui::Context::default();
        theme::prepare(&context);
        let (threads, execution, keep) = (options.threads, options.execution, options.keep);
        // The window is scaled as a whole, not the panel alone.
        context.options_mut(|options| options.zoom_with_keyboard = false);
        let mut session = LiveSession::start(options)?;
        let remembered = config.read().unwrap_or_else(|trouble| {
            session.log.say(Tone::Warning, 0, trouble);
            Config::default()
        });
        Ok(Self {
            threads,
            execution,
            keep,
            session,
            view: ViewState::new(&remembered),
            size: remembered.window,
            config,
            context,
            painter: Painter::new(),
            canvas: Canvas::new(1, 1),
            redraw: Redraw::default(),
        })
    }

    /// One frame, `passed` after the one before: generations that are ready are swapped in, input is
    /// heeded, steps are made, and all is drawn. Returns what the panel asks of the window.
    pub fn frame(&mut self, input: &FrameInput, passed: Duration) -> egui::PlatformOutput {
        let begin = Instant::now();
        self.update(input, passed);
        self.draw(input, begin)
    }

    /// As [`App::frame`], but draws only what looks otherwise than before, and nothing at all while
    /// nobody can see it; `None` then.
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

    /// Runs another scene in place of this one. Where it cannot be opened, this one runs on.
    pub(in crate::app) fn change_scene(&mut self, place: Place) {
        let (threads, execution, keep) = (self.threads, self.execution, self.keep);
        let options = Options { threads, execution, keep, ..Options::of(place.clone()) };
        let (begin, name) = (Instant::now(), place.scene_name());
        let opened = Session::open_or_wait(options).and_then(|mut run| {
            self.session.finish();
            run.events = self.session.run.events.take();
            LiveSession::of(run, place)
        });
        match opened {
            Ok(session) => {
                self.session = session;
                self.session.opened(begin.elapsed());
                self.view.change_scene();
            }
            Err(error) => self.session.refuse(&format!("cannot open {name}: {error:#}")),
        }
    }

    /// All of a frame but its drawing. Whether there is anything new to be seen.
    pub(in crate::app) fn update(&mut self, input: &FrameInput, passed: Duration) -> bool {
        if let Some(place) = self.session.take_wanted() {
            self.change_scene(place);
        }
        let (session, view) = (&mut self.session, &mut self.view);
        session.preview_selected(view, passed.as_secs_f32());
        session.receive();
        let pictures = view.browser.receive(&self.context);
        view.interact(&self.context, input, session);
        session.inspect(view.selection.inspected(), view.shows_script());
        session.observe(view.plots.watches() || session.pause_when.is_some(), view.costs);
        session.advance(passed.as_secs_f32());
        let eye = view.camera.eye();
        view.follow(session, passed.as_secs_f32());
        view.frame_every = (view.frame_every * 9 + passed) / 10;
        let news = session.take_news() | pictures | (eye != view.camera.eye());
        self.remember(input).unwrap_or_else(|trouble| self.session.log.say_once(Tone::Warning, 0, &trouble));
        news
    }

    /// Remembers the window as it is, once it has been that for a while.
    fn remember(&mut self, input: &FrameInput) -> Result<(), String> {
        if !self.view.full_screen {
            self.size = Some(input.size);
        }
        let config = self.remembered();
        self.config.remember(&config, Instant::now())
    }

    fn draw(&mut self, input: &FrameInput, begin: Instant) -> egui::PlatformOutput {
        let (session, view) = (&mut self.session, &mut self.view);
        let (output, again) =
            frame::draw(&mut self.canvas, &self.context, &mut self.painter, input, session, view);
        // A step that takes long is told of while it does.
        let spent = begin.elapsed();
        let tick = TICK.max(spent * 5);
        let again = session.run.simulation.busy().map_or(again, |_| again.min(tick));
        self.redraw.drawn(Instant::now(), again);
        view.frame_time = (view.frame_time * 9 + spent) / 10;
        output
    }

    /// Chooses how many pixels points are: as `asked`, else as remembered, else as the display says.
    pub(in crate::app) fn choose_scale(&mut self, asked: Option<f32>, display: Option<f32>) -> f32 {
        let view = &mut self.view;
        view.usual_scale = display.unwrap_or(1.0);
        view.scale = asked.or(view.chosen_scale).unwrap_or(view.usual_scale).clamp(0.5, 4.0);
        view.scale
    }

    /// How many pixels points are to be.
    pub(in crate::app) fn scale(&self) -> f32 {
        self.view.scale
    }

    /// True if the window is to fill the screen.
    pub(in crate::app) fn full_screen(&self) -> bool {
        self.view.full_screen
    }

    /// Stores the state of full screen that the window manager reports.
    pub(in crate::app) fn note_full_screen(&mut self, is_full: bool) {
        self.view.full_screen = is_full;
    }

    /// Logs the reason for which full screen was not changed.
    pub(in crate::app) fn refuse_full_screen(&mut self, reason: &str) {
        self.view.full_screen = false;
        self.session.refuse(reason);
    }

    /// Width and height of the window in pixels, if any is remembered.
    pub(in crate::app) fn size(&self) -> Option<(usize, usize)> {
        self.size
    }

    /// What is to be remembered of the window as it is.
    fn remembered(&self) -> Config {
        Config { window: self.size, ..self.view.remembered() }
    }

    /// True if letters are typed as text.
    pub(in crate::app) fn types(&self) -> bool {
        self.view.receiver(&self.context).types()
    }

    /// The last frame.
    pub fn canvas(&self) -> &Canvas {
        &self.canvas
    }

    /// Remembers the window, and waits for a write to the scene's file that was asked for, at most 2 s.
    pub fn finish(&mut self) {
        // Nobody is there any more to hear that it failed.
        let _ = self.config.store(&self.remembered());
        self.session.finish();
    }

    /// The scene's title.
    pub fn title(&self) -> String {
        format!("{} – steerbox", self.session.run.generation.scene.title)
    }

    /// Tells in the log how long it took until everything was there.
    pub fn opened(&mut self, after: Duration) {
        self.session.opened(after);
    }

    /// Selects a unit, and opens the script of the behavior at a place of its group, as clicks do.
    pub fn look_into(&mut self, unit: usize, rule: Option<usize>) {
        self.view.act(&mut self.session, ViewAction::Select(vec![unit]));
        self.view.act(&mut self.session, rule.map_or(ViewAction::CloseScript, ViewAction::OpenScript));
    }

    /// Wall time of a step, smoothed.
    pub fn step_time(&self) -> Duration {
        self.session.run.simulation.step_time()
    }
}
