//! What the pointer does in the world: it selects, drags, and sets the target.

use egui::{CursorIcon, PointerButton};
use glam::Vec2;

use super::obstacle_at::obstacle_at;
use crate::app::commands::action::{Action, DrawStep, SessionAction, ViewAction};
use crate::app::model::drags::{ObstacleDrag, UnitDrag};
use crate::app::model::live_session::LiveSession;
use crate::app::model::pointing::{Drag, Press};
use crate::app::model::selection::unit_name;
use crate::app::model::view_state::ViewState;
use crate::app::render::camera::Lens;
use crate::app::shell::input::{ButtonChange, FrameInput};

/// Points the pointer may move between press and release for a click.
const CLICK: f32 = 5.0;
/// How much nearer a notch of the wheel leads.
const NOTCH: f32 = 1.15;
/// Points from a unit at which a click still selects it.
const REACH: f32 = 14.0;

impl ViewState {
    /// Takes what the pointer did since the last frame.
    pub(in crate::app) fn point(
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
            // Another window may have got the release.
            let lost = self.pointing.held.take().zip(self.pointing.pressed.take());
            if let Some((held, press)) = lost.filter(|(_, press)| press.is_drag) {
                let place = before.unwrap_or(press.at);
                actions.push(held.release(place, input.time, &self.camera, session));
            }
            if let Some(Press { at, drag: Drag::Move(held), is_drag: true, .. }) =
                self.pointing.pressed.take()
            {
                actions.extend(held.release(before.unwrap_or(at), &self.camera, session));
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
        let over = ObstacleDrag::take(pointer, &self.camera, session, selected);
        let over = over.filter(|_| is_free && there.is_empty() && self.drawing.is_none());
        if let Some(over) = &over {
            self.pointing.hint = over.hint(selected);
        }
        let held = match self.pointing.pressed.as_ref().map(|press| &press.drag) {
            Some(Drag::Move(held)) => Some(held),
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
            Some(Drag::Move(held)) => held.dragging_cursor(),
            Some(Drag::Units) => CursorIcon::Grabbing,
            None if !there.is_empty() && input.modifiers.command => CursorIcon::Grab,
            Some(Drag::Select) => CursorIcon::Crosshair,
            None if !there.is_empty() => CursorIcon::PointingHand,
            None => over.map_or(CursorIcon::Default, |over| over.cursor()),
            Some(Drag::View) => CursorIcon::Default,
        };
    }

    /// The same input over the first of two views: both are seen by one camera.
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

    /// Goes on with a drag. It begins in the world and goes on wherever it leads.
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
        match (&press.drag, before) {
            _ if !press.is_drag => {}
            (Drag::Move(held), _) => actions.extend(held.drag(pointer, &self.camera, session)),
            (Drag::View, Some(before)) => {
                // In space, a drag turns round whom the view follows.
                self.following &= !session.run.simulation.world().arena.is_plane();
                self.camera.drag(pointer - before);
            }
            (Drag::Units, _) => {
                // The view would follow what follows the pointer.
                self.following = false;
                let held = self.pointing.held.as_mut();
                let moved = held.map(|held| held.drag(pointer, time, &self.camera, session));
                actions.extend(moved.map(|it| SessionAction::HoldUnits(it).into()));
            }
            (Drag::View | Drag::Select, _) => {}
        }
    }

    /// Begins a drag or a click in the world, unless another button is held there.
    fn press(&mut self, context: &egui::Context, change: &ButtonChange, session: &LiveSession) {
        if self.pointing.pressed.is_some() || !self.is_world(context, change.position) {
            return;
        }
        let (button, at) = (change.button, change.position);
        let drag = match button {
            PointerButton::Primary if change.modifiers.shift => Drag::Select,
            PointerButton::Primary if change.modifiers.command && self.hold(at, session) => Drag::Units,
            PointerButton::Primary => {
                let selected = self.selection.obstacle();
                ObstacleDrag::take(at, &self.camera, session, selected).map_or(Drag::View, Drag::Move)
            }
            _ => Drag::View,
        };
        self.pointing.pressed = Some(Press { button, at, drag, is_drag: false });
    }

    /// Takes hold of the unit at a pixel, and of all selected ones if it is one of them; whether there is one.
    fn hold(&mut self, pixel: Vec2, session: &LiveSession) -> bool {
        let Some(unit) = self.units_at(pixel, session).first().copied() else {
            return false;
        };
        let selected = self.selection.set();
        let selected: &[usize] = if selected.has(unit) { selected } else { &[] };
        let others = selected.iter().copied().filter(|other| *other != unit);
        let units: Vec<_> = std::iter::once(unit).chain(others).collect();
        self.pointing.held = UnitDrag::take(&units, pixel, &self.camera, session);
        self.pointing.held.is_some()
    }

    /// Ends a drag where the pointer took it, or a click.
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
                actions.push(ViewAction::Select(self.units_between(at, change.position, session)).into())
            }
            Drag::Move(held) => actions.extend(held.release(change.position, &self.camera, session)),
            Drag::Units => {
                let held = self.pointing.held.take();
                let place = change.position;
                actions.extend(held.map(|held| held.release(place, time, &self.camera, session)));
            }
            Drag::View => {}
        }
    }

    /// What a drag from the pointer would do, in words.
    fn drag_hint(&self, there: &[usize], session: &LiveSession) -> Option<String> {
        if let Some(held) = &self.pointing.held {
            let them = if held.count() == 1 { "it" } else { "them" };
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

    /// So many points in pixels.
    fn px(&self, points: f32) -> f32 {
        points * self.camera.pixels_per_point()
    }

    /// Whether a pixel shows the world and nothing is laid over it.
    fn is_world(&self, context: &egui::Context, pixel: Vec2) -> bool {
        let (min, max) = self.camera.view();
        let inside = pixel.cmpge(min).all() && pixel.cmplt(max).all();
        // In the second view, it is something else that may lie there.
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
                        let over = ObstacleDrag::take(pixel, &self.camera, session, selected);
                        // A point of a path may lie over it.
                        let obstacles = &session.run.simulation.world().obstacles;
                        let under = || Some(obstacle_at(pixel, &self.camera, obstacles)?.at);
                        ViewAction::PickObstacle(over.and_then(|over| over.held()).or_else(under)).into()
                    }
                    Some(unit) => ViewAction::Select(vec![unit]).into(),
                });
            }
            PointerButton::Secondary => {
                actions.push(SessionAction::Target(Some(self.camera.to_world(pixel))).into())
            }
            _ => {}
        }
    }

    /// The units whose middle is seen in a box of pixels.
    fn units_between(&self, from: Vec2, to: Vec2, session: &LiveSession) -> Vec<usize> {
        let (min, max) = (from.min(to), from.max(to));
        let sight = self.camera.sight();
        let (world, shown) = session.seen(self.pointing.in_second);
        let inside = (0..world.units.len()).filter(|unit| {
            let spot = sight.project(shown.position(world, *unit));
            spot.is_some_and(|spot| spot.pixel.cmpge(min).all() && spot.pixel.cmple(max).all())
        });
        inside.collect()
    }

    /// The units within reach of a pixel, the nearest first; of those equally near, the one in front.
    fn units_at(&self, pixel: Vec2, session: &LiveSession) -> Vec<usize> {
        let (world, shown) = session.seen(self.pointing.in_second);
        let sight = self.camera.sight();
        let spots = (0..world.units.len()).filter_map(|unit| {
            let spot = sight.project(shown.position(world, unit))?;
            let distance = spot.pixel.distance_squared(pixel);
            // Of a unit that looms large, its whole middle can be hit.
            let reach = (world.group_of(unit).body.radius() * spot.scale * 0.7).max(self.px(REACH));
            (distance < reach * reach).then_some((unit, distance, spot.depth))
        });
        let mut spots: Vec<_> = spots.collect();
        spots.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2)));
        spots.into_iter().map(|(unit, ..)| unit).collect()
    }
}
