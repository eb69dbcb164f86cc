//! Text over the world: texts of behaviors, counts of units in zones, and names of units under the pointer.

use std::fmt::Write as _;
use std::time::Duration;

use egui::{Align2, Color32, FontId, Pos2, Rect, Stroke, StrokeKind, Ui, Vec2, vec2};
use glam::Vec3;
use steerbox_core::sim::Shape;
use steerbox_picture::render::camera::Lens;
use steerbox_picture::render::theme::{self, color32};

use super::unit_facts;
use crate::model::live_session::LiveSession;
use crate::model::selection::unit_name;
use crate::model::view_state::ViewState;

/// Duration of a step from which the window reports that it is slow.
const SLOW_STEP: Duration = Duration::from_millis(500);
/// Distance from a unit to text about it, points.
const TEXT_OFFSET: Vec2 = vec2(12.0, -10.0);
/// Margins between text boxes and the border of the world, and around their text, points.
const EDGE: Vec2 = vec2(8.0, 8.0);
const PADDING: Vec2 = vec2(6.0, 3.0);
/// Maximum number of texts that are shown over the world.
const MAX_TEXTS: usize = 400;

/// Shows text over the world; `free` is the first of two views, and `whole` the rectangle of both. A hint does not cover the
/// legend.
pub(super) fn show(ui: &Ui, [free, whole]: [Rect; 2], legend: Rect, session: &LiveSession, view: &ViewState) {
    let painter = ui.painter_at(free);
    let scale = ui.ctx().pixels_per_point();
    let sight = view.camera.sight();
    let at = |point: Vec3| {
        let pixel = sight.project(point)?.pixel / scale;
        Some(Pos2::new(pixel.x.round(), pixel.y.round()))
    };
    let font = FontId::proportional(12.0);
    let color = color32(view.colors.world.note);
    let drawings = session.run.simulation.drawings();
    let drawings = drawings.filter(|drawing| view.shows_drawings_of(drawing.unit));
    let words = drawings.filter_map(|drawing| match &drawing.shape {
        Shape::Text(point, text) => Some((*point, text)),
        _ => None,
    });
    let words = words.filter_map(|(point, text)| Some((at(point)?, text)));
    for (place, text) in words.take(MAX_TEXTS) {
        painter.text(place, Align2::LEFT_BOTTOM, text, font.clone(), color);
    }
    let world = session.run.simulation.world();
    for zone in &world.zones {
        let members = world.groups.iter().flat_map(|group| zone.members(&world.units, group));
        let count = members.filter(|unit| Some(*unit) != world.player).count();
        if let Some(place) = at(zone.area.position()).filter(|place| free.contains(*place)) {
            let style = (font.clone(), color32(view.colors.world.zone[1]));
            let words = format!("{}: {count}", zone.name);
            label(ui, free, Rect::NOTHING, (place, Align2::CENTER_CENTER), words, style);
        }
    }
    let notes = [paused_or_past(session), long_step(session)];
    for (line, note) in notes.into_iter().enumerate() {
        let corner = whole.right_top() + vec2(-14.0, 10.0 + 20.0 * line as f32);
        let font = FontId::proportional(15.0);
        if let Some(note) = note {
            ui.painter_at(whole).text(corner, Align2::RIGHT_TOP, note, font, theme::of(ui).warning);
        }
    }
    let is_known = |unit: &usize| *unit < world.units.len();
    let place =
        |unit: usize| Some(unit).filter(is_known).and_then(|unit| at(session.poses.position(world, unit)));
    if let Some((unit, place)) = view.selection.inspected().and_then(|unit| Some((unit, place(unit)?))) {
        let names: Vec<_> = world.marks.of(world.units.marks[unit]).collect();
        let place = place + TEXT_OFFSET;
        painter.text(place, Align2::LEFT_BOTTOM, names.join(", "), font.clone(), color);
    }
    for unit in view.selection.pinned() {
        if let Some(place) = place(*unit) {
            let color = color32(view.colors.world.pinned);
            painter.text(place - TEXT_OFFSET, Align2::RIGHT_TOP, unit.to_string(), font.clone(), color);
        }
    }
    if let Some((unit, place)) = view.pointing.hovered.and_then(|unit| Some((unit, place(unit)?))) {
        let mut words = format!("{}, speed {}", unit_name(world, unit), unit_facts::speed(world, unit));
        if view.pointing.hover_count > 1 {
            let _ = write!(words, "; {} here: click again for the next", view.pointing.hover_count);
        }
        let style = (font, ui.visuals().text_color());
        label(ui, free, Rect::NOTHING, (place + vec2(14.0, 8.0), Align2::LEFT_TOP), words, style);
    }
    if let Some(hint) = &view.pointing.hint {
        let style = (FontId::proportional(12.5), theme::of(ui).weak);
        label(ui, free, legend, (free.right_bottom(), Align2::LEFT_TOP), hint.clone(), style);
    }
    if let Some([from, to]) = view.pointing.selection_box().filter(|[from, to]| from != to) {
        let corner = |pixel: glam::Vec2| Pos2::new(pixel.x, pixel.y) / scale;
        let (rect, color) =
            (Rect::from_two_pos(corner(from), corner(to)), color32(view.colors.world.selection));
        painter.rect_filled(rect, 0.0, color.gamma_multiply(0.08));
        painter.rect_stroke(rect, 0.0, Stroke::new(1.0, color), StrokeKind::Inside);
    }
}

/// A text box whose point `align` is at a position, moved as far as necessary to be fully visible, and above a rectangle that
/// it would cover.
fn label(
    ui: &Ui,
    free: Rect,
    covered: Rect,
    (place, align): (Pos2, Align2),
    words: String,
    (font, color): (FontId, Color32),
) {
    let painter = ui.painter_at(free);
    let room = free.shrink2(EDGE + PADDING);
    let galley = painter.layout(words, font, color, room.width());
    let place = align.anchor_size(place, galley.size()).min;
    let placed = |room: Rect| {
        let place = place.min(room.max - galley.size()).max(room.min);
        Rect::from_min_size(place, galley.size()).expand2(PADDING)
    };
    let mut back = placed(room);
    if back.intersects(covered) {
        back = placed(room.with_max_y(covered.top() - EDGE.y - PADDING.y));
    }
    painter.rect_filled(back, 4.0, ui.visuals().panel_fill.gamma_multiply(0.85));
    painter.galley(back.min + PADDING, galley, color);
}

/// The message that the scene is paused, or the number of the recorded step that is shown.
fn paused_or_past(session: &LiveSession) -> Option<String> {
    if session.run.run_pair().is_some() {
        return Some(format!("step {} of two runs", session.at()));
    }
    if session.run.past_step().is_some() {
        return Some(format!("step {} of the past", session.at()));
    }
    session.paused.then(|| "paused".to_owned())
}

/// The duration of the current step, if it is slow enough to freeze the world.
fn long_step(session: &LiveSession) -> Option<String> {
    let busy = session.run.simulation.busy().filter(|busy| *busy > SLOW_STEP)?;
    let step = session.run.simulation.world().steps + 1;
    Some(format!("step {step}: {:.1} s so far", busy.as_secs_f32()))
}
