//! Everything behind the glass: session, panel and picture, frame by frame. It knows no window, so
//! tests and measurements use it as the window does.

use std::time::{Duration, Instant};

use super::canvas::Canvas;
use super::egui_paint::Painter;
use super::frame;
use super::input::FrameInput;
use super::redraw::Redraw;
use super::session::{Options, Session};
use super::shown::Shown;
use super::theme;

/// How often the window shows how long a step has been taking; less often where drawing takes long.
const TICK: Duration = Duration::from_millis(100);

/// A running scene and the canvas that shows it.
pub struct Stage {
    session: Session,
    shown: Shown,
    context: egui::Context,
    painter: Painter,
    canvas: Canvas,
    redraw: Redraw,
}

impl Stage {
    /// Loads a scene and starts to watch its files. One that does not work is waited for.
    ///
    /// # Errors
    /// When there is no such scene, or the system gives no threads.
    pub fn new(options: Options) -> anyhow::Result<Self> {
        let context = egui::Context::default();
        theme::apply(&context);
        Ok(Self {
            session: Session::start(options)?,
            shown: Shown::default(),
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

    /// As [`Stage::frame`], but draws only what looks otherwise than before, and nothing at all while
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

    /// All of a frame but its drawing. Whether there is anything new to be seen.
    fn update(&mut self, input: &FrameInput, passed: Duration) -> bool {
        let (session, shown) = (&mut self.session, &mut self.shown);
        session.receive();
        shown.interact(&self.context, input, session);
        session.advance(passed.as_secs_f32());
        let eye = shown.camera.eye();
        let world = session.simulation.world();
        shown.camera.follow(world, passed.as_secs_f32());
        shown.frame_every = (shown.frame_every * 9 + passed) / 10;
        session.take_news() | (eye != shown.camera.eye())
    }

    fn draw(&mut self, input: &FrameInput, begin: Instant) -> egui::PlatformOutput {
        let (session, shown) = (&mut self.session, &mut self.shown);
        let (output, again) = frame::draw(
            &mut self.canvas,
            &self.context,
            &mut self.painter,
            input,
            session,
            shown,
        );
        // A step that takes long is told of while it does.
        let spent = begin.elapsed();
        let tick = TICK.max(spent * 5);
        let again = session.simulation.busy().map_or(again, |_| again.min(tick));
        self.redraw.drawn(Instant::now(), again);
        shown.frame_time = (shown.frame_time * 9 + spent) / 10;
        output
    }

    /// The last frame.
    pub fn canvas(&self) -> &Canvas {
        &self.canvas
    }

    /// Waits for a write to the scene's file that was asked for, at most 2 s.
    pub fn finish(&mut self) {
        self.session.finish();
    }

    /// The scene's title.
    pub fn title(&self) -> String {
        format!("{} – steerbox", self.session.generation.scene.title)
    }

    /// Tells in the log how long it took until everything was there.
    pub fn opened(&mut self, after: Duration) {
        self.session.opened(after);
    }

    /// Wall time of a step, smoothed.
    pub fn step_time(&self) -> Duration {
        self.session.simulation.step_time()
    }
}

#[cfg(test)]
mod broken;
#[cfg(test)]
mod clicks;
#[cfg(test)]
mod stuck;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::action::Action;
    use crate::app::input::{ButtonChange, KeyChange};
    use crate::reload::Place;
    use egui::{Key, Modifiers, PointerButton};
    use glam::Vec2;

    pub(super) const SIZE: (usize, usize) = (1000, 700);

    pub(super) fn options() -> Options {
        Options {
            place: Place::built_in("flock.ron"),
            tuned: Vec::new(),
            check: |_, _| Ok(()),
            events: None,
            seed: None,
            threads: Some(1),
            execution: crate::script::Execution::default(),
            scale: 1.0,
        }
    }

    /// A stage that shows every step in the frame that asks for it, however busy the machine is.
    fn patient(options: Options) -> Stage {
        let mut stage = Stage::new(options).unwrap();
        stage.session.frame_wait = Duration::MAX;
        stage
    }

    pub(super) fn stage() -> Stage {
        patient(options())
    }

    pub(super) fn stage_of(scene: &str) -> Stage {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let place = Place::of_scene(&root.join("scenes").join(scene));
        patient(Options { place, ..options() })
    }

    pub(super) fn input() -> FrameInput {
        let screen =
            egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(SIZE.0 as f32, SIZE.1 as f32));
        let egui = egui::RawInput {
            screen_rect: Some(screen),
            ..egui::RawInput::default()
        };
        FrameInput {
            egui,
            size: SIZE,
            focused: true,
            ..FrameInput::default()
        }
    }

    pub(super) fn step(stage: &mut Stage, input: &FrameInput) -> u64 {
        stage.frame(input, Duration::from_millis(17));
        stage.session.simulation.world().steps
    }

    pub(super) fn pressed(key: Key) -> FrameInput {
        let keys = vec![KeyChange {
            key,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        }];
        FrameInput { keys, ..input() }
    }

    #[test]
    fn frames_go_on_hold_and_step_by_keys() {
        let mut stage = stage();
        step(&mut stage, &input());
        assert!(step(&mut stage, &input()) >= 1);
        let held = step(&mut stage, &pressed(Key::Space));
        assert_eq!(step(&mut stage, &input()), held);
        assert_eq!(step(&mut stage, &pressed(Key::Period)), held + 1);
        assert_eq!(step(&mut stage, &input()), held + 1);
        assert_eq!(step(&mut stage, &pressed(Key::R)), 0);
    }

    #[test]
    fn world_and_panel_are_drawn_at_every_size() {
        let mut stage = stage();
        for size in [SIZE, (1, 1), (300, 60), SIZE] {
            let screen = egui::Rect::from_min_size(
                egui::Pos2::ZERO,
                egui::vec2(size.0 as f32, size.1 as f32),
            );
            let mut input = FrameInput { size, ..input() };
            input.egui.screen_rect = Some(screen);
            step(&mut stage, &input);
            step(&mut stage, &input);
            assert_eq!((stage.canvas().width(), stage.canvas().height()), size);
        }
        let mut colors: Vec<_> = stage.canvas().pixels().to_vec();
        colors.sort_unstable();
        colors.dedup();
        assert!(colors.len() > 100, "{}", colors.len());
    }

    pub(super) fn change(position: Vec2, button: PointerButton, pressed: bool) -> ButtonChange {
        ButtonChange {
            button,
            pressed,
            position,
            modifiers: Modifiers::NONE,
        }
    }

    pub(super) fn pixel(stage: &Stage, point: glam::Vec3) -> Vec2 {
        let sight = stage.shown.camera.sight();
        crate::app::camera::Lens::project(&sight, point)
            .unwrap()
            .pixel
    }

    /// Presses, pulls in two frames and lets go, from pixel to pixel.
    pub(super) fn pull(stage: &mut Stage, from: Vec2, to: Vec2) {
        let frame = |position: Vec2, held: bool, pressed: Option<bool>| {
            let mut input = input();
            input.pointer.position = Some(position);
            input.pointer.held.primary = held;
            let change = |pressed| change(position, PointerButton::Primary, pressed);
            input.pointer.changes = pressed.map(change).into_iter().collect();
            input
        };
        step(stage, &frame(from, true, Some(true)));
        step(stage, &frame(from.midpoint(to), true, None));
        step(stage, &frame(to, true, None));
        step(stage, &frame(to, false, Some(false)));
    }

    #[test]
    fn nobody_waits_for_ever_for_a_save() {
        let mut stage = stage();
        let session = &mut stage.session;
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
        let mut stage = patient(Options { place, ..options() });
        step(&mut stage, &input());
        let center =
            |stage: &Stage, at: usize| stage.session.simulation.world().obstacles[at].position();
        for at in [0, 2] {
            let from = center(&stage, at);
            let (start, end) = (
                pixel(&stage, from),
                pixel(&stage, from) + Vec2::new(40.0, 0.0),
            );
            pull(&mut stage, start, end);
            assert!(center(&stage, at).x > from.x + 1.0);
        }
        assert_eq!(stage.session.moved_obstacles(), [0, 2]);
        let (moved, stray) = (center(&stage, 0), center(&stage, 2));
        assert_eq!(stage.session.simulation.world().target, None);
        let mut save = pressed(Key::S);
        save.keys[0].modifiers = Modifiers::COMMAND;
        step(&mut stage, &save);
        while stage.session.saving {
            step(&mut stage, &input());
            std::thread::yield_now();
        }
        let lines: Vec<_> = stage
            .session
            .log
            .lines()
            .map(|line| line.text.clone())
            .collect();
        let written = format!("wrote 1 value to a.ron: obstacle 1 at ({}, 50)", moved.x);
        assert!(lines.contains(&written), "{lines:?}");
        assert!(
            lines
                .iter()
                .any(|line| line.starts_with("1 moved obstacle was scattered"))
        );
        let expected = text.replace("(50, 50)", &format!("({}, 50)", moved.x));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
        assert_eq!(stage.session.moved_obstacles(), [2]);
        assert_eq!((center(&stage, 0), center(&stage, 2)), (moved, stray));
        stage.session.act(&Action::ReturnObstacle(2));
        assert_ne!(center(&stage, 2), stray);
        assert_eq!(stage.session.tuned(), 0);
    }

    #[test]
    fn the_keys_of_a_scene_switch_its_views_and_behaviors() {
        let mut stage = stage_of("aidemo4.ron");
        let views = |stage: &Stage| -> Vec<Option<usize>> {
            let groups = &stage.session.simulation.world().groups;
            groups.iter().map(|group| group.view).collect()
        };
        let running = |stage: &Stage, script: &str| {
            let slots = stage.session.simulation.slots(0).iter();
            slots
                .filter(|slot| slot.enabled && slot.script == script)
                .count()
        };
        assert_eq!(views(&stage), [Some(0), Some(0), None]);
        step(&mut stage, &pressed(Key::Num3));
        assert_eq!(views(&stage), [Some(2), Some(2), None]);
        step(&mut stage, &pressed(Key::Num4));
        assert_eq!(views(&stage), [None; 3]);
        assert_eq!(running(&stage, "chase"), 0);
        step(&mut stage, &pressed(Key::C));
        assert_eq!((running(&stage, "chase"), running(&stage, "lead")), (1, 1));
        assert_eq!(stage.session.tuned(), 0);
        let before = stage.session.generation.number;
        while stage.session.generation.number == before {
            step(&mut stage, &input());
            std::thread::yield_now();
        }
        assert_eq!((running(&stage, "chase"), stage.session.tuned()), (1, 0));
        step(&mut stage, &pressed(Key::C));
        assert_eq!(running(&stage, "chase"), 0);
        let mut stage = stage_of("heading.ron");
        step(&mut stage, &pressed(Key::Z));
        assert!((stage.session.speed - 1.25).abs() < 1e-6);
        step(&mut stage, &pressed(Key::X));
        assert!((stage.session.speed - 1.0).abs() < 1e-6);
    }

    #[test]
    fn right_turns_right_and_left_turns_left() {
        for (key, sign) in [(Key::ArrowRight, -1.0), (Key::ArrowLeft, 1.0)] {
            let mut stage = stage_of("aidemo4.ron");
            let world = stage.session.simulation.world();
            let player = world.player.unwrap();
            let before = world.units.heading[player];
            let held = FrameInput {
                held: vec![key],
                ..input()
            };
            for _ in 0..20 {
                stage.frame(&held, Duration::from_millis(17));
            }
            let after = stage.session.simulation.world().units.heading[player];
            assert!(
                before.cross(after).z * sign > 0.01,
                "{key:?}: {before} to {after}"
            );
        }
    }
}
