//! The window's main loop: input, swap, steps, picture, panel, present.

use std::time::{Duration, Instant};

use egui::{Key, PointerButton};
use glam::Vec2;

use super::action::Action;
use super::camera::Camera;
use super::canvas::Canvas;
use super::egui_paint::Painter;
use super::frame;
use super::input::FrameInput;
use super::log::Tone;
use super::session::{Options, Session};
use super::theme;
use super::window::Window;
use crate::world::Controls;

/// Size of the window when it opens.
const SIZE: (usize, usize) = (1280, 800);
/// Pixels the pointer may move between press and release for a click.
const CLICK: f32 = 5.0;
/// Pixels from a unit at which a click still selects it.
const REACH: f32 = 14.0;

/// What the window shows beside the simulation.
pub(super) struct Shown {
    pub(super) camera: Camera,
    pub(super) selected: Option<usize>,
    pub(super) trails: bool,
    pub(super) vectors: bool,
    pub(super) help: bool,
    /// Smoothed wall time of a frame's own work, and from frame to frame.
    pub(super) frame_time: Duration,
    pub(super) frame_every: Duration,
    /// Whether the first frame is on the screen.
    ready: bool,
    pressed_at: Option<Vec2>,
    pointer: Option<Vec2>,
}

impl Default for Shown {
    fn default() -> Self {
        Self {
            camera: Camera::new(),
            selected: None,
            trails: true,
            vectors: false,
            help: false,
            frame_time: Duration::ZERO,
            frame_every: Duration::from_millis(16),
            ready: false,
            pressed_at: None,
            pointer: None,
        }
    }
}

/// Opens the window and runs until it is closed.
///
/// # Errors
/// When the scene does not read, or there is no display.
pub fn open(options: Options) -> anyhow::Result<()> {
    let start = Instant::now();
    let scale = options.scale.clamp(0.5, 4.0);
    let mut session = Session::start(options)?;
    let title = |session: &Session| format!("{} – steerbox", session.generation.scene.title);
    let mut shown_title = title(&session);
    let mut window = Window::open(&shown_title, SIZE.0, SIZE.1, scale)?;
    let context = egui::Context::default();
    theme::apply(&context);
    let (mut canvas, mut painter) = (Canvas::new(SIZE.0, SIZE.1), Painter::new());
    let mut shown = Shown::default();
    let mut last = Instant::now();
    loop {
        let input = window.wait_frame();
        if !window.is_open() {
            return Ok(());
        }
        let begin = Instant::now();
        let passed = begin - last;
        last = begin;
        session.receive();
        shown.interact(&context, &input, &mut session);
        session.advance(passed.as_secs_f32());
        let output = frame::draw(
            &mut canvas,
            &context,
            &mut painter,
            &input,
            &mut session,
            &mut shown,
        );
        window.set_cursor(output.cursor_icon);
        for command in output.commands {
            if let egui::OutputCommand::CopyText(text) = command {
                window.set_clipboard(text);
            }
        }
        shown.frame_time = (shown.frame_time * 9 + begin.elapsed()) / 10;
        shown.frame_every = (shown.frame_every * 9 + passed) / 10;
        window.present(&canvas)?;
        if !std::mem::replace(&mut shown.ready, true) {
            let ready = format!(
                "first frame after {:.0} ms",
                start.elapsed().as_secs_f32() * 1000.0
            );
            session.log.say(Tone::Plain, 0, ready);
        }
        if title(&session) != shown_title {
            shown_title = title(&session);
            window.set_title(&shown_title);
        }
    }
}

impl Shown {
    /// What keys and mouse ask for, where the panel does not want them.
    fn interact(&mut self, context: &egui::Context, input: &FrameInput, session: &mut Session) {
        let mut actions = Vec::new();
        if context.egui_wants_keyboard_input() {
            session.control(Controls::default());
        } else {
            actions.extend(
                input
                    .pressed()
                    .filter_map(|change| action_of(change.key, session.speed)),
            );
            session.control(controls(input));
        }
        if input.pressed().any(|change| change.key == Key::Escape) {
            self.help = false;
        }
        self.point(context, input, session, &mut actions);
        for action in actions {
            self.act(session, &action);
        }
    }

    /// Carries out an action, here or in the session.
    pub(super) fn act(&mut self, session: &mut Session, action: &Action) {
        match action {
            Action::Fit => self.camera.fit(&session.simulation.world().arena),
            Action::Select(unit) => self.selected = *unit,
            Action::ToggleTrails => self.trails = !self.trails,
            Action::ToggleVectors => self.vectors = !self.vectors,
            Action::ToggleHelp => self.help = !self.help,
            Action::Restart => {
                self.selected = None;
                session.act(action);
            }
            _ => session.act(action),
        }
    }

    fn point(
        &mut self,
        context: &egui::Context,
        input: &FrameInput,
        session: &Session,
        actions: &mut Vec<Action>,
    ) {
        let before = std::mem::replace(&mut self.pointer, input.pointer.position);
        for change in &input.pointer.changes {
            let in_world = self.is_world(context, change.position);
            match (change.button, change.pressed) {
                (_, true) => self.pressed_at = in_world.then_some(change.position),
                (PointerButton::Primary, false) => {
                    let pressed = self.pressed_at.take();
                    if pressed.is_some_and(|at| at.distance(change.position) < CLICK) {
                        self.click(change.position, session, actions);
                    }
                }
                _ => {}
            }
        }
        let Some(pointer) = input.pointer.position else {
            return;
        };
        if input.pointer.wheel.y != 0.0 && self.is_world(context, pointer) {
            let notches = input.pointer.wheel.y.round() as i32;
            self.camera.zoom_at(pointer, 1.15_f32.powi(notches));
        }
        // A pull begins in the world and goes on wherever it leads.
        let pulled = self
            .pressed_at
            .is_some_and(|at| at.distance(pointer) >= CLICK);
        let held = input.pointer.held.any();
        if let (Some(before), true, true) = (before, pulled, held) {
            self.camera.pan(pointer - before);
        }
    }

    /// Whether a pixel shows the world and nothing is laid over it.
    fn is_world(&self, context: &egui::Context, pixel: Vec2) -> bool {
        let (min, max) = self.camera.view();
        let inside = pixel.cmpge(min).all() && pixel.cmplt(max).all();
        let points = pixel / context.pixels_per_point();
        let layer = context.layer_id_at(egui::pos2(points.x, points.y));
        inside && layer.is_none_or(|layer| layer.order == egui::Order::Background)
    }

    /// A click selects the unit under it, or sets the target where there is none.
    fn click(&self, pixel: Vec2, session: &Session, actions: &mut Vec<Action>) {
        let positions = &session.simulation.world().units.position;
        let distances = positions
            .iter()
            .map(|position| self.camera.to_screen(*position).distance_squared(pixel));
        let nearest = distances.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        let unit = nearest
            .filter(|(_, distance)| *distance < REACH * REACH)
            .map(|(unit, _)| unit);
        actions.push(Action::Select(unit));
        if unit.is_none() {
            actions.push(Action::Target(Some(self.camera.to_world(pixel))));
        }
    }
}

fn action_of(key: Key, speed: f32) -> Option<Action> {
    Some(match key {
        Key::Space => Action::TogglePause,
        Key::Period => Action::Step,
        Key::R => Action::Restart,
        Key::F => Action::Fit,
        Key::T => Action::ToggleTrails,
        Key::V => Action::ToggleVectors,
        Key::H | Key::F1 => Action::ToggleHelp,
        Key::Plus | Key::Equals => Action::Speed(speed * 1.25),
        Key::Minus => Action::Speed(speed / 1.25),
        Key::Num0 => Action::Speed(1.0),
        Key::Escape => Action::Select(None),
        Key::Backspace => Action::Target(None),
        _ => return None,
    })
}

fn controls(input: &FrameInput) -> Controls {
    let axis =
        |plus: Key, minus: Key| f32::from(input.is_held(plus)) - f32::from(input.is_held(minus));
    Controls {
        turn: axis(Key::ArrowRight, Key::ArrowLeft),
        rise: axis(Key::PageUp, Key::PageDown),
        power: axis(Key::ArrowUp, Key::ArrowDown),
    }
}

/// The keys, for the help.
pub(super) const KEYS: &[(&str, &str)] = &[
    ("Space", "pause or go on"),
    (".", "one step"),
    ("R", "restart"),
    ("+  −  0", "faster, slower, as the scene says"),
    ("F", "fit the world into the window"),
    ("Wheel", "zoom"),
    ("Drag", "move the view"),
    ("Click", "look into a unit, or set the target"),
    ("Backspace", "clear the target"),
    ("T", "trails"),
    ("V", "velocities and contributions of all"),
    ("Arrows", "steer the player"),
    ("Esc", "look into no unit"),
    ("H", "these keys"),
];
