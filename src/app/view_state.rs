//! What the window shows beside the simulation, and how mouse and keys change it.

use std::time::Duration;

use egui::{Key, PointerButton};
use glam::Vec2;

use super::action::Action;
use super::camera::{Camera, Lens};
use super::input::{ButtonChange, FrameInput, KeyChange};
use super::keys;
use super::live_session::LiveSession;
use super::obstacle_drag::ObstacleDrag;
use crate::world::Controls;

/// Pixels the pointer may move between press and release for a click.
const CLICK: f32 = 5.0;
/// How much nearer a notch of the wheel leads.
const NOTCH: f32 = 1.15;
/// Pixels from a unit at which a click still selects it.
const REACH: f32 = 14.0;

/// What the window shows beside the simulation.
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the user's")]
pub(super) struct ViewState {
    pub(super) camera: Camera,
    pub(super) selected: Option<usize>,
    pub(super) trails: bool,
    pub(super) vectors: bool,
    pub(super) help: bool,
    /// Smoothed wall time of a frame's own work, and from frame to frame.
    pub(super) frame_time: Duration,
    pub(super) frame_every: Duration,
    pressed_at: Option<Vec2>,
    pointer: Option<Vec2>,
    /// What the mouse was pressed on, if it can be dragged.
    grip: Option<ObstacleDrag>,
    /// What the pointer over the world looks like.
    pub(super) cursor: egui::CursorIcon,
}

impl Default for ViewState {
    fn default() -> Self {
        Self {
            camera: Camera::new(),
            selected: None,
            trails: true,
            vectors: false,
            help: false,
            frame_time: Duration::ZERO,
            frame_every: Duration::from_millis(16),
            pressed_at: None,
            pointer: None,
            grip: None,
            cursor: egui::CursorIcon::Default,
        }
    }
}

impl ViewState {
    /// What keys and mouse ask for, where the panel does not want them.
    pub(super) fn interact(
        &mut self,
        context: &egui::Context,
        input: &FrameInput,
        session: &mut LiveSession,
    ) {
        let mut actions = Vec::new();
        if context.egui_wants_keyboard_input() {
            session.control(Controls::default());
            let saves = |change: &&KeyChange| change.modifiers.command && change.key == Key::S;
            actions.extend(input.pressed().find(saves).map(|_| Action::Save));
        } else {
            let scene = &session.run.generation.scene;
            actions
                .extend(input.pressed().filter_map(|change| keys::action_of(*change, session.speed, scene)));
            let plane = session.run.simulation.world().arena.is_plane();
            session.control(keys::controls(input, plane));
        }
        self.point(context, input, session, &mut actions);
        for action in actions {
            self.act(session, &action);
        }
    }

    /// Carries out an action, here or in the session.
    pub(super) fn act(&mut self, session: &mut LiveSession, action: &Action) {
        match action {
            Action::Fit => self.camera.fit(&session.run.simulation.world().arena),
            Action::ToggleChase => self.camera.toggle_chase(),
            // Over the help, the key closes that alone.
            Action::Escape if self.help => self.help = false,
            Action::Escape => self.selected = None,
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
        session: &LiveSession,
        actions: &mut Vec<Action>,
    ) {
        let before = std::mem::replace(&mut self.pointer, input.pointer.position);
        for change in &input.pointer.changes {
            if change.pressed {
                self.press(context, change, session);
            } else {
                self.let_go(change, session, actions);
            }
        }
        if !input.pointer.held.any() {
            self.camera.release();
        }
        let Some(pointer) = input.pointer.position else {
            return;
        };
        if input.pointer.wheel.y != 0.0 && self.is_world(context, pointer) {
            let factor = libm::powf(NOTCH, input.pointer.wheel.y);
            self.camera.zoom_at(pointer, factor);
        }
        // A pull begins in the world and goes on wherever it leads.
        let pulled = self.pressed_at.is_some_and(|at| at.distance(pointer) >= CLICK);
        let held = input.pointer.held.any();
        match (before, self.grip) {
            (_, Some(grip)) if pulled && held => actions.push(grip.drag(pointer, &self.camera)),
            (Some(before), None) if pulled && held => self.camera.drag(pointer - before),
            _ => {}
        }
        let over =
            || self.is_world(context, pointer).then(|| ObstacleDrag::take(pointer, &self.camera, session));
        self.cursor = match self.grip {
            Some(_) if pulled => egui::CursorIcon::Grabbing,
            None if !held && over().flatten().is_some() => egui::CursorIcon::Grab,
            _ => egui::CursorIcon::Default,
        };
    }

    fn press(&mut self, context: &egui::Context, change: &ButtonChange, session: &LiveSession) {
        let in_world = self.is_world(context, change.position);
        self.pressed_at = in_world.then_some(change.position);
        let holds = in_world && change.button == PointerButton::Primary;
        let grip = holds.then(|| ObstacleDrag::take(change.position, &self.camera, session));
        self.grip = grip.flatten();
    }

    /// Ends a drag where the pointer took it, or a click.
    fn let_go(&mut self, change: &ButtonChange, session: &LiveSession, actions: &mut Vec<Action>) {
        let (pressed, grip) = (self.pressed_at.take(), self.grip.take());
        let Some(from) = pressed else {
            return;
        };
        if from.distance(change.position) < CLICK {
            self.click(change, session, actions);
        } else if let Some(grip) = grip {
            actions.push(grip.drag(change.position, &self.camera));
            actions.extend(grip.place());
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

    /// A click selects and changes nothing; with Shift, or with the right button, it sets the target.
    fn click(&self, change: &ButtonChange, session: &LiveSession, actions: &mut Vec<Action>) {
        let pixel = change.position;
        match change.button {
            PointerButton::Primary if !change.modifiers.shift => {
                actions.push(Action::Select(self.unit_at(pixel, session)));
            }
            PointerButton::Primary | PointerButton::Secondary => {
                actions.push(Action::Target(Some(self.camera.to_world(pixel))));
            }
            _ => {}
        }
    }

    /// The unit nearest to a pixel within reach; of those equally near, the one in front.
    fn unit_at(&self, pixel: Vec2, session: &LiveSession) -> Option<usize> {
        let world = session.run.simulation.world();
        let sight = self.camera.sight();
        let spots = world.units.position.iter().enumerate().filter_map(|(unit, position)| {
            let spot = sight.project(*position)?;
            let distance = spot.pixel.distance_squared(pixel);
            // Of a unit that looms large, its whole middle can be hit.
            let reach = (world.group_of(unit).body.radius() * spot.scale * 0.7).max(REACH);
            (distance < reach * reach).then_some((unit, distance, spot.depth))
        });
        let nearest = spots.min_by(|a, b| a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2)));
        nearest.map(|(unit, ..)| unit)
    }
}
