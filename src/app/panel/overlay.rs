//! Words over the world: what behaviors wrote, and the marks of the selected unit.

use std::time::Duration;

use egui::{Align2, FontId, Pos2, Rect, Ui};
use glam::Vec3;

use super::groups::color32;
use crate::app::camera::Lens;
use crate::app::live_session::LiveSession;
use crate::app::theme;
use crate::app::view_state::ViewState;
use crate::sim::Shape;

/// How long a step takes before the window tells of it while it does.
const LONG: Duration = Duration::from_millis(500);
/// Most words that are laid over the world.
const MOST: usize = 400;

pub(super) fn show(ui: &Ui, free: Rect, session: &LiveSession, view: &ViewState) {
    let painter = ui.painter_at(free);
    let scale = ui.ctx().pixels_per_point();
    let sight = view.camera.sight();
    let at = |point: Vec3| {
        let pixel = sight.project(point)?.pixel / scale;
        Some(Pos2::new(pixel.x.round(), pixel.y.round()))
    };
    let font = FontId::proportional(12.0);
    let color = color32(theme::world::NOTE);
    let words = session.run.simulation.drawings().filter_map(|drawing| match &drawing.shape {
        Shape::Text(point, text) => Some((*point, text)),
        _ => None,
    });
    let words = words.filter_map(|(point, text)| Some((at(point)?, text)));
    for (place, text) in words.take(MOST) {
        painter.text(place, Align2::LEFT_BOTTOM, text, font.clone(), color);
    }
    let notes = [session.paused.then(|| "paused".to_owned()), long_step(session)];
    for (line, note) in notes.into_iter().enumerate() {
        let corner = free.right_top() + egui::vec2(-14.0, 10.0 + 20.0 * line as f32);
        let font = FontId::proportional(15.0);
        if let Some(note) = note {
            painter.text(corner, Align2::RIGHT_TOP, note, font, theme::WARNING);
        }
    }
    if let Some(unit) = view.selected {
        let world = session.run.simulation.world();
        let (position, marks) = (world.units.position.get(unit), world.units.marks.get(unit));
        if let (Some(place), Some(marks)) = (position.and_then(|position| at(*position)), marks) {
            let names: Vec<_> = world.marks.of(*marks).collect();
            painter.text(place + egui::vec2(12.0, -10.0), Align2::LEFT_BOTTOM, names.join(", "), font, color);
        }
    }
}

/// What a step under way has taken, if that is so long that the world seems to stand.
fn long_step(session: &LiveSession) -> Option<String> {
    let busy = session.run.simulation.busy().filter(|busy| *busy > LONG)?;
    let step = session.run.simulation.world().steps + 1;
    Some(format!("step {step}: {:.1} s so far", busy.as_secs_f32()))
}
