//! Everything behind the glass: session, panel and picture, frame by frame. It knows no window, so
//! tests and measurements use it as the window does.

use std::time::{Duration, Instant};

use super::action::Action;
use super::canvas::Canvas;
use super::config::{Config, ConfigFile};
use super::egui_paint::Painter;
use super::frame;
use super::input::FrameInput;
use super::live_session::LiveSession;
use super::log::Tone;
use super::redraw::Redraw;
use super::theme;
use super::view_state::ViewState;
use crate::reload::Place;
use crate::script::Execution;
use crate::session::{Options, Session};

/// How often the window shows how long a step has been taking; less often where drawing takes long.
const TICK: Duration = Duration::from_millis(100);

/// A running scene and the canvas that shows it.
pub struct App {
    session: LiveSession,
    view: ViewState,
    context: egui::Context,
    painter: Painter,
    canvas: Canvas,
    redraw: Redraw,
    /// How scenes run that are opened later.
    threads: Option<usize>,
    execution: Execution,
    config: ConfigFile,
    /// Width and height of the window in pixels, if it was opened before.
    size: Option<(usize, usize)>,
}

impl App {
    /// Loads a scene and starts to watch its files. One that does not work is waited for.
    ///
    /// # Errors
    /// When there is no such scene, or the system gives no threads.
    pub fn new(options: Options) -> anyhow::Result<Self> {
        Self::with_config(options, ConfigFile::default())
    }

    /// The same, as `config` remembers it.
    pub(super) fn with_config(options: Options, mut config: ConfigFile) -> anyhow::Result<Self> {
        let context = egui::Context::default();
        theme::prepare(&context);
        let (threads, execution) = (options.threads, options.execution);
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
    fn change_scene(&mut self, place: Place) {
        let (threads, execution) = (self.threads, self.execution);
        let options = Options { threads, execution, ..Options::of(place.clone()) };
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
            Err(error) => self.session.act(&Action::Refuse(format!("cannot open {name}: {error:#}"))),
        }
    }

    /// All of a frame but its drawing. Whether there is anything new to be seen.
    fn update(&mut self, input: &FrameInput, passed: Duration) -> bool {
        if let Some(place) = self.session.take_wanted() {
            self.change_scene(place);
        }
        let (session, view) = (&mut self.session, &mut self.view);
        session.receive();
        let pictures = view.browser.receive(&self.context);
        view.interact(&self.context, input, session);
        session.inspect(view.selection.inspected(), view.shows_script());
        session.observe(view.plots.watches(), view.costs);
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
        self.size = Some(input.size);
        let config = self.remembered();
        self.config.remember(&config, Instant::now())
    }

    fn draw(&mut self, input: &FrameInput, begin: Instant) -> egui::PlatformOutput {
        let (session, view) = (&mut self.session, &mut self.view);
        let (output, again) =
            frame::draw(&mut self.canvas, &self.context, &mut self.painter, input, session, view);
        view.asks_unit = false;
        // A step that takes long is told of while it does.
        let spent = begin.elapsed();
        let tick = TICK.max(spent * 5);
        let again = session.run.simulation.busy().map_or(again, |_| again.min(tick));
        self.redraw.drawn(Instant::now(), again);
        view.frame_time = (view.frame_time * 9 + spent) / 10;
        output
    }

    /// Chooses how many pixels points are: as `asked`, else as remembered, else as the display says.
    pub(super) fn choose_scale(&mut self, asked: Option<f32>, display: Option<f32>) -> f32 {
        let view = &mut self.view;
        view.usual_scale = display.unwrap_or(1.0);
        view.scale = asked.or(view.chosen_scale).unwrap_or(view.usual_scale).clamp(0.5, 4.0);
        view.scale
    }

    /// How many pixels points are to be.
    pub(super) fn scale(&self) -> f32 {
        self.view.scale
    }

    /// Width and height of the window in pixels, if any is remembered.
    pub(super) fn size(&self) -> Option<(usize, usize)> {
        self.size
    }

    /// What is to be remembered of the window as it is.
    fn remembered(&self) -> Config {
        Config { window: self.size, ..self.view.remembered() }
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
        self.view.act(&mut self.session, &Action::Select(vec![unit]));
        self.view.act(&mut self.session, &rule.map_or(Action::CloseScript, Action::OpenScript));
    }

    /// Wall time of a step, smoothed.
    pub fn step_time(&self) -> Duration {
        self.session.run.simulation.step_time()
    }
}

#[cfg(test)]
mod broken;
#[cfg(test)]
mod clicks;
#[cfg(test)]
mod looks;
#[cfg(test)]
mod opened;
#[cfg(test)]
mod stuck;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::input::{ButtonChange, KeyChange};
    use crate::app::theme::ThemeName;
    use egui::{Key, Modifiers, PointerButton};
    use glam::Vec2;

    pub(super) const SIZE: (usize, usize) = (1000, 700);

    pub(super) fn options() -> Options {
        let threads = Some(1);
        Options { threads, ..Options::of(Place::built_in("flock.ron")) }
    }

    /// A app that shows every step in the frame that asks for it, however busy the machine is.
    fn patient(options: Options) -> App {
        let mut app = App::new(options).unwrap();
        app.session.frame_wait = Duration::MAX;
        app
    }

    pub(super) fn app() -> App {
        patient(options())
    }

    pub(super) fn stage_of(scene: &str) -> App {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let place = Place::of_scene(&root.join("scenes").join(scene));
        patient(Options { place, ..options() })
    }

    pub(super) fn input() -> FrameInput {
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(SIZE.0 as f32, SIZE.1 as f32));
        let egui = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
        FrameInput { egui, size: SIZE, focused: true, ..FrameInput::default() }
    }

    pub(super) fn step(app: &mut App, input: &FrameInput) -> u64 {
        app.frame(input, Duration::from_millis(17));
        app.session.run.simulation.world().steps
    }

    pub(super) fn pressed(key: Key) -> FrameInput {
        let keys = vec![KeyChange { key, pressed: true, repeat: false, modifiers: Modifiers::NONE }];
        FrameInput { keys, ..input() }
    }

    #[test]
    fn frames_go_on_hold_and_step_by_keys() {
        let mut app = app();
        step(&mut app, &input());
        assert!(step(&mut app, &input()) >= 1);
        let held = step(&mut app, &pressed(Key::Space));
        assert_eq!(step(&mut app, &input()), held);
        assert_eq!(step(&mut app, &pressed(Key::Period)), held + 1);
        assert_eq!(step(&mut app, &input()), held + 1);
        assert_eq!(step(&mut app, &pressed(Key::R)), 0);
    }

    #[test]
    fn slow_motion_moves_in_every_frame_and_a_pause_shows_the_last_step() {
        let mut app = app();
        app.view.act(&mut app.session, &Action::Speed(0.1));
        let place = |app: &App| app.session.shown.position(app.session.run.simulation.world(), 0);
        while step(&mut app, &input()) < 3 {}
        let (mut last, mut frames) = (place(&app), 0);
        while step(&mut app, &input()) < 5 {
            let now = place(&app);
            let way = now.distance(last);
            assert!(way > 0.0 && way < 1.0, "frame {frames}: {way}");
            (last, frames) = (now, frames + 1);
        }
        assert!(frames > 10, "{frames}");
        let exact = |app: &App| app.session.run.simulation.world().units.position[0];
        assert_ne!(place(&app), exact(&app));
        step(&mut app, &pressed(Key::Space));
        assert_eq!(place(&app), exact(&app));
        step(&mut app, &pressed(Key::Period));
        assert_eq!(place(&app), exact(&app));
        // It goes on from there.
        step(&mut app, &pressed(Key::Space));
        assert!(place(&app).distance(exact(&app)) < 3.0);
        assert!(place(&app).distance(exact(&app)) > 0.0);
    }

    #[test]
    fn a_window_opens_as_the_last_one_was_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("window.ron");
        let open = || App::with_config(options(), ConfigFile::at(path.clone())).unwrap();
        let mut app = open();
        assert_eq!((app.choose_scale(None, Some(1.5)), app.size()), (1.5, None));
        assert_eq!(app.choose_scale(Some(9.0), Some(1.5)), 4.0);
        app.choose_scale(None, None);
        for action in [Action::ToggleTheme, Action::ToggleLog, Action::TogglePlots, Action::Rescale(1.25)] {
            app.view.act(&mut app.session, &action);
        }
        app.view.laid.panel = 400.0;
        app.finish();
        let mut app = open();
        assert_eq!(app.choose_scale(None, Some(2.0)), 1.25);
        let view = &app.view;
        assert_eq!((view.theme, view.hides_log, view.plots.open), (ThemeName::Paper, true, true));
        step(&mut app, &input());
        step(&mut app, &pressed(Key::J));
        step(&mut app, &input());
        assert_eq!((app.view.laid.panel, app.view.laid.log), (400.0, Config::default().log));
        app.finish();
        assert_eq!(open().size(), Some(SIZE));
        std::fs::write(&path, "(theme: Paper, nonsense").unwrap();
        let app = open();
        assert!(app.session.log.lines().any(|line| line.text.contains("does not hold a configuration")));
        assert_eq!(app.view.theme, ThemeName::Dark);
    }

    #[test]
    fn world_and_panel_are_drawn_at_every_size() {
        let mut app = app();
        for size in [SIZE, (1, 1), (300, 60), SIZE] {
            let screen =
                egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(size.0 as f32, size.1 as f32));
            let mut input = FrameInput { size, ..input() };
            input.egui.screen_rect = Some(screen);
            step(&mut app, &input);
            step(&mut app, &input);
            assert_eq!((app.canvas().width(), app.canvas().height()), size);
        }
        let mut colors: Vec<_> = app.canvas().pixels().to_vec();
        colors.sort_unstable();
        colors.dedup();
        assert!(colors.len() > 100, "{}", colors.len());
    }

    pub(super) fn change(position: Vec2, button: PointerButton, pressed: bool) -> ButtonChange {
        ButtonChange { button, pressed, position, modifiers: Modifiers::NONE }
    }

    pub(super) fn pixel(app: &App, point: glam::Vec3) -> Vec2 {
        let sight = app.view.camera.sight();
        crate::app::camera::Lens::project(&sight, point).unwrap().pixel
    }

    /// Presses, pulls in two frames and lets go, from pixel to pixel.
    pub(super) fn pull(app: &mut App, from: Vec2, to: Vec2) {
        let frame = |position: Vec2, held: bool, pressed: Option<bool>| {
            let mut input = input();
            input.pointer.position = Some(position);
            input.pointer.held.primary = held;
            let change = |pressed| change(position, PointerButton::Primary, pressed);
            input.pointer.changes = pressed.map(change).into_iter().collect();
            input
        };
        step(app, &frame(from, true, Some(true)));
        step(app, &frame(from.midpoint(to), true, None));
        step(app, &frame(to, true, None));
        step(app, &frame(to, false, Some(false)));
    }

    #[test]
    fn nobody_waits_for_ever_for_a_save() {
        let mut app = app();
        let session = &mut app.session;
        session.act(&Action::Save);
        session.lose_patience(session.asked + Duration::from_secs(1));
        assert!(session.saving);
        session.lose_patience(session.asked + Duration::from_secs(6));
        assert!(!session.saving);
        // The answer comes all the same.
        let answer = |text: &str| text.contains("no file to write to");
        while !session.log.lines().any(|line| answer(&line.text)) {
            session.receive();
            std::thread::yield_now();
        }
    }

    #[test]
    fn an_obstacle_is_dragged_saved_and_returned() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        let text = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()},
            groups: [(name: \"a\", body: \"m\")],
            obstacles: [Circle(center: (50, 50), radius: 9), Circle(center: (20, 20), radius: 9)],
            scatter: [(count: 1, radius: 9)])";
        std::fs::write(&path, text).unwrap();
        let place = Place::of_scene(&path);
        let mut app = patient(Options { place, ..options() });
        step(&mut app, &input());
        let center = |app: &App, at: usize| app.session.run.simulation.world().obstacles[at].position();
        for at in [0, 2] {
            let from = center(&app, at);
            let (start, end) = (pixel(&app, from), pixel(&app, from) + Vec2::new(40.0, 0.0));
            pull(&mut app, start, end);
            assert!(center(&app, at).x > from.x + 1.0);
        }
        assert_eq!(app.session.moved_obstacles(), [0, 2]);
        let (moved, stray) = (center(&app, 0), center(&app, 2));
        assert_eq!(app.session.run.simulation.world().target, None);
        let mut save = pressed(Key::S);
        save.keys[0].modifiers = Modifiers::COMMAND;
        step(&mut app, &save);
        while app.session.saving {
            step(&mut app, &input());
            std::thread::yield_now();
        }
        let lines: Vec<_> = app.session.log.lines().map(|line| line.text.clone()).collect();
        let written = format!("wrote 1 value to a.ron: obstacle 1 at ({}, 50)", moved.x);
        assert!(lines.contains(&written), "{lines:?}");
        assert!(lines.iter().any(|line| line.starts_with("1 moved obstacle was scattered")));
        let expected = text.replace("(50, 50)", &format!("({}, 50)", moved.x));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
        assert_eq!(app.session.moved_obstacles(), [2]);
        assert_eq!((center(&app, 0), center(&app, 2)), (moved, stray));
        app.session.act(&Action::ReturnObstacle(2));
        assert_ne!(center(&app, 2), stray);
        assert_eq!(app.session.tuned(), 0);
    }

    #[test]
    fn the_keys_of_a_scene_switch_its_views_and_behaviors() {
        let mut app = stage_of("aidemo4.ron");
        let views = |app: &App| -> Vec<Option<usize>> {
            let groups = &app.session.run.simulation.world().groups;
            groups.iter().map(|group| group.view).collect()
        };
        let running = |app: &App, script: &str| {
            let slots = app.session.run.simulation.slots(0).iter();
            slots.filter(|slot| slot.enabled && slot.script == script).count()
        };
        assert_eq!(views(&app), [Some(0), Some(0), None]);
        step(&mut app, &pressed(Key::Num3));
        assert_eq!(views(&app), [Some(2), Some(2), None]);
        step(&mut app, &pressed(Key::Num4));
        assert_eq!(views(&app), [None; 3]);
        assert_eq!(running(&app, "chase"), 0);
        step(&mut app, &pressed(Key::C));
        assert_eq!((running(&app, "chase"), running(&app, "lead")), (1, 1));
        assert_eq!(app.session.tuned(), 0);
        let before = app.session.run.generation.number;
        while app.session.run.generation.number == before {
            step(&mut app, &input());
            std::thread::yield_now();
        }
        assert_eq!((running(&app, "chase"), app.session.tuned()), (1, 0));
        step(&mut app, &pressed(Key::C));
        assert_eq!(running(&app, "chase"), 0);
        let mut app = stage_of("heading.ron");
        step(&mut app, &pressed(Key::Z));
        assert!((app.session.speed - 1.25).abs() < 1e-6);
        step(&mut app, &pressed(Key::X));
        assert!((app.session.speed - 1.0).abs() < 1e-6);
    }

    #[test]
    fn right_turns_right_and_left_turns_left() {
        for (key, sign) in [(Key::ArrowRight, -1.0), (Key::ArrowLeft, 1.0)] {
            let mut app = stage_of("aidemo4.ron");
            let world = app.session.run.simulation.world();
            let player = world.player.unwrap();
            let before = world.units.heading[player];
            let held = FrameInput { held: vec![key], ..input() };
            for _ in 0..20 {
                app.frame(&held, Duration::from_millis(17));
            }
            let after = app.session.run.simulation.world().units.heading[player];
            assert!(before.cross(after).z * sign > 0.01, "{key:?}: {before} to {after}");
        }
    }
}
