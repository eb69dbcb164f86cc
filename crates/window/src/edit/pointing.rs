//! The pointer in the world: selection, drags, and the target.

use egui::{CursorIcon, PointerButton};
use glam::Vec2;
use steerbox_picture::render::camera::Lens;

use super::obstacle_at::obstacle_at;
use crate::commands::action::{Action, DrawStep, SessionAction, ViewAction};
use crate::model::frame_input::{ButtonChange, FrameInput};
use crate::model::handle::{Handle, HandleKind};
use crate::model::live_session::LiveSession;
use crate::model::pointing::{Drag, Press};
use crate::model::selection::unit_name;
use crate::model::view_state::ViewState;

/// Points the pointer may move between press and release for a click.
const CLICK: f32 = 5.0;
/// Zoom factor of a notch of the wheel.
const NOTCH: f32 = 1.15;
/// Points from a unit at which a click still selects it.
const HIT_DISTANCE: f32 = 14.0;

impl ViewState {
    /// Executes the events of the pointer since the last frame.
    pub(crate) fn point(
        &mut self,
        context: &egui::Context,
        input: &FrameInput,
        session: &LiveSession,
        actions: &mut Vec<Action>,
    ) {
        let moved = self.in_first_view(input, session);
        let input = &moved;
        let before = std::mem::replace(&mut self.pointing.position, input.pointer.position);
        for change in &input.pointer.changes {
            if change.pressed {
                self.press(context, change, session);
            } else {
                self.release(change, input.time, session, actions);
            }
        }
        let held = input.pointer.held.any();
        if !held {
            // Another window may have received the release.
            if let Some(Press { at, drag: Drag::Handle(mut handle), is_drag: true, .. }) =
                self.pointing.pressed.take()
            {
                let place = (before.unwrap_or(at), input.time);
                actions.extend(handle.apply(place, true, &self.camera, session));
            }
            self.camera.release();
        }
        (self.pointing.hovered, self.pointing.hint, self.pointing.sketch) = (None, None, None);
        let Some(pointer) = input.pointer.position else {
            return;
        };
        if input.pointer.wheel.y != 0.0 && self.is_world(context, pointer) {
            let factor = libm::powf(NOTCH, input.pointer.wheel.y);
            self.camera.zoom_at(pointer, factor);
        }
        self.drag(pointer, (before, input.time), session, actions);
        let is_free = !held && self.is_world(context, pointer);
        let there = if is_free { self.units_at(pointer, session) } else { Vec::new() };
        (self.pointing.hovered, self.pointing.hover_count) = (there.first().copied(), there.len());
        self.pointing.hint = self.drag_hint(&there, session);
        let selected = self.selection.obstacle();
        let over = Handle::at_pixel(pointer, &self.camera, session, selected);
        let over = over.filter(|_| is_free && there.is_empty() && self.drawing.is_none());
        if let Some(over) = &over {
            self.pointing.hint = over.hint(selected);
        }
        let held = match self.pointing.pressed.as_ref().map(|press| &press.drag) {
            Some(Drag::Handle(held)) => Some(held),
            Some(_) => None,
            None => over.as_ref(),
        };
        self.pointing.sketch = held.and_then(|held| held.sketch(pointer, &self.camera));
        if let Some(drawing) = &mut self.drawing {
            self.pointing.hint = Some(drawing.hint());
            if before.is_some_and(|before| before != pointer) {
                drawing.cursor = None;
            }
        }
        self.pointing.cursor = match self.pointing.pressed.as_ref().map(|press| &press.drag) {
            _ if self.drawing.is_some() && is_free => CursorIcon::Crosshair,
            Some(Drag::Handle(held)) => held.cursor(true),
            None if !there.is_empty() && input.modifiers.command => CursorIcon::Grab,
            Some(Drag::Select) => CursorIcon::Crosshair,
            None if !there.is_empty() => CursorIcon::PointingHand,
            None => over.map_or(CursorIcon::Default, |over| over.cursor(false)),
            Some(Drag::View) => CursorIcon::Default,
        };
    }

    /// The same input over the first of two views: one camera serves both.
    fn in_first_view(&mut self, input: &FrameInput, session: &LiveSession) -> FrameInput {
        let (mut input, (min, max)) = (input.clone(), self.camera.view());
        let is_second =
            |at: Vec2| session.run.variant().is_some() && at.x >= max.x && at.x < 2.0 * max.x - min.x;
        let shift = |at: &mut Vec2| {
            let second = is_second(*at);
            at.x -= if second { max.x - min.x } else { 0.0 };
            second
        };
        self.pointing.in_second = input.pointer.position.as_mut().is_some_and(shift);
        for change in &mut input.pointer.changes {
            shift(&mut change.position);
        }
        input
    }

    /// Continues a drag, which begins in the world and may leave it.
    fn drag(
        &mut self,
        pointer: Vec2,
        (before, time): (Option<Vec2>, f64),
        session: &LiveSession,
        actions: &mut Vec<Action>,
    ) {
        let far = self.px(CLICK);
        let Some(press) = &mut self.pointing.pressed else {
            return;
        };
        press.is_drag |= press.at.distance(pointer) >= far;
        if !press.is_drag {
            return;
        }
        match (&mut press.drag, before) {
            (Drag::Handle(handle), _) => {
                // The view would follow units that follow the pointer.
                self.following &= !matches!(handle.kind, HandleKind::Units(_));
                actions.extend(handle.apply((pointer, time), false, &self.camera, session));
            }
            (Drag::View, Some(before)) => {
                // In space, a drag turns around the unit that the view follows.
                self.following &= !session.run.simulation.world().arena.is_plane();
                self.camera.drag(pointer - before);
            }
            (Drag::View | Drag::Select, _) => {}
        }
    }

    /// Starts a drag or a click in the world, unless another button is held there.
    fn press(&mut self, context: &egui::Context, change: &ButtonChange, session: &LiveSession) {
        if self.pointing.pressed.is_some() || !self.is_world(context, change.position) {
            return;
        }
        let (button, at) = (change.button, change.position);
        let drag = match button {
            PointerButton::Primary if change.modifiers.shift => Drag::Select,
            PointerButton::Primary => {
                let units = change.modifiers.command.then(|| self.unit_handle(at, session)).flatten();
                let selected = self.selection.obstacle();
                let handle = units.or_else(|| Handle::at_pixel(at, &self.camera, session, selected));
                handle.map_or(Drag::View, Drag::Handle)
            }
            _ => Drag::View,
        };
        self.pointing.pressed = Some(Press { button, at, drag, is_drag: false });
    }

    /// The handle of the unit at a pixel, and of all selected units if it is one of them.
    fn unit_handle(&self, pixel: Vec2, session: &LiveSession) -> Option<Handle> {
        let unit = *self.units_at(pixel, session).first()?;
        let selected = self.selection.set();
        let selected: &[usize] = if selected.has(unit) { selected } else { &[] };
        let others = selected.iter().copied().filter(|other| *other != unit);
        let units: Vec<_> = std::iter::once(unit).chain(others).collect();
        Handle::of_units(&units, pixel, &self.camera, session)
    }

    /// Ends a drag or a click.
    fn release(
        &mut self,
        change: &ButtonChange,
        time: f64,
        session: &LiveSession,
        actions: &mut Vec<Action>,
    ) {
        let ended = self.pointing.pressed.take_if(|press| press.button == change.button);
        let Some(Press { at, drag, is_drag, .. }) = ended else {
            return;
        };
        if !is_drag && at.distance(change.position) < self.px(CLICK) {
            self.click(change, session, actions);
            return;
        }
        match drag {
            Drag::Select => {
                actions.push(ViewAction::Select(self.units_between(at, change.position, session)).into());
            }
            Drag::Handle(mut handle) => {
                actions.extend(handle.apply((change.position, time), true, &self.camera, session));
            }
            Drag::View => {}
        }
    }

    /// A description of the effect of a drag from the pointer.
    fn drag_hint(&self, there: &[usize], session: &LiveSession) -> Option<String> {
        if let Some(Drag::Handle(Handle { kind: HandleKind::Units(held), .. })) =
            self.pointing.pressed.as_ref().map(|press| &press.drag)
        {
            let them = if held.units.len() == 1 { "it" } else { "them" };
            return Some(format!("Release while moving to throw {them}"));
        }
        let unit = *there.first()?;
        let selected = self.selection.set();
        let what = match selected.len() {
            count if count > 1 && selected.has(unit) => format!("the {count} selected units"),
            _ => unit_name(session.run.simulation.world(), unit),
        };
        Some(format!("Ctrl+drag: move or throw {what}"))
    }

    /// Converts points of the screen to pixels.
    fn px(&self, points: f32) -> f32 {
        points * self.camera.pixels_per_point()
    }

    /// True if a pixel shows the world and nothing covers it.
    fn is_world(&self, context: &egui::Context, pixel: Vec2) -> bool {
        let (min, max) = self.camera.view();
        let inside = pixel.cmpge(min).all() && pixel.cmplt(max).all();
        // In the second view, the pointer may be over another object.
        let shift = if self.pointing.in_second { max.x - min.x } else { 0.0 };
        let points = (pixel + Vec2::X * shift) / context.pixels_per_point();
        let layer = context.layer_id_at(egui::pos2(points.x, points.y));
        inside && layer.is_none_or(|layer| layer.order == egui::Order::Background)
    }

    /// A click selects and changes nothing. With Shift it adds the unit there to the selection, and sets the
    /// target where there is none; the right button always sets the target.
    fn click(&mut self, change: &ButtonChange, session: &LiveSession, actions: &mut Vec<Action>) {
        let pixel = change.position;
        match change.button {
            PointerButton::Primary if self.drawing.is_some() => {
                actions.push(ViewAction::Draw(DrawStep::Corner(self.camera.to_world(pixel))).into());
            }
            PointerButton::Primary => {
                let (there, adds) = (self.units_at(pixel, session), change.modifiers.shift);
                let reach = self.px(CLICK);
                let unit =
                    if adds { there.first().copied() } else { self.pointing.next_of(pixel, &there, reach) };
                actions.push(match unit {
                    Some(unit) if adds => ViewAction::ToggleSelected(unit).into(),
                    None if adds => SessionAction::Target(Some(self.camera.to_world(pixel))).into(),
                    None => {
                        let selected = self.selection.obstacle();
                        let over = Handle::at_pixel(pixel, &self.camera, session, selected);
                        // A point of a path may cover the unit.
                        let obstacles = &session.run.simulation.world().obstacles;
                        let under = || Some(obstacle_at(pixel, &self.camera, obstacles)?.at);
                        ViewAction::SelectObstacle(over.and_then(|over| over.obstacle()).or_else(under))
                            .into()
                    }
                    Some(unit) => ViewAction::Select(vec![unit]).into(),
                });
            }
            PointerButton::Secondary => {
                actions.push(SessionAction::Target(Some(self.camera.to_world(pixel))).into());
            }
            _ => {}
        }
    }

    /// The units whose center lies in a box of pixels.
    fn units_between(&self, from: Vec2, to: Vec2, session: &LiveSession) -> Vec<usize> {
        let (min, max) = (from.min(to), from.max(to));
        let sight = self.camera.sight();
        let (world, shown) = session.world_and_poses(self.pointing.in_second);
        let inside = (0..world.units.len()).filter(|unit| {
            let spot = sight.project(shown.position(world, *unit));
            spot.is_some_and(|spot| spot.pixel.cmpge(min).all() && spot.pixel.cmple(max).all())
        });
        inside.collect()
    }

    /// The units within reach of a pixel, the nearest first; of those equally near, the one in front.
    fn units_at(&self, pixel: Vec2, session: &LiveSession) -> Vec<usize> {
        let (world, shown) = session.world_and_poses(self.pointing.in_second);
        let sight = self.camera.sight();
        let spots = (0..world.units.len()).filter_map(|unit| {
            let spot = sight.project(shown.position(world, unit))?;
            let distance = spot.pixel.distance_squared(pixel);
            // A large unit can be hit anywhere near its middle.
            let reach = (world.body_of(unit).radius() * spot.scale * 0.7).max(self.px(HIT_DISTANCE));
            (distance < reach * reach).then_some((unit, distance, spot.depth))
        });
        let mut spots: Vec<_> = spots.collect();
        spots.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2)));
        spots.into_iter().map(|(unit, ..)| unit).collect()
    }
}
