//! Units of the other run, while two runs are compared: outlined and translucent.

use egui::{Pos2, Rect, Shape, Stroke, Ui};
use glam::Vec3;
use steerbox_picture::render::camera::Lens;
use steerbox_picture::render::theme::color32;

use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

/// Minimum half length of a unit, points.
const MIN_DISTANCE: f32 = 3.0;

pub(super) fn show(ui: &Ui, free: Rect, session: &LiveSession, view: &ViewState) {
    let Some(ghosts) = session.run.ghosts() else {
        return;
    };
    let (painter, world) = (ui.painter_at(free), session.run.simulation.world());
    let (sight, scale) = (view.camera.sight(), ui.ctx().pixels_per_point());
    let axes = ghosts.position.iter().zip(&ghosts.heading).zip(&ghosts.up);
    for (((position, heading), up), (key, group)) in axes.zip(ghosts.key.iter().zip(&ghosts.group)) {
        let group = usize::from(*group);
        let body = world.groups.get(group).map(|group| group.body_of(world.seed, *key));
        let (Some(body), Some(spot)) = (body, sight.project(*position)) else {
            continue;
        };
        let least = MIN_DISTANCE * scale / spot.scale.max(1e-6);
        let (length, width) = (body.radius().max(least), (body.width() * 0.5).max(least * 0.6));
        let side = heading.cross(*up) * width;
        let corners = [*heading * length, side - *heading * length, -side - *heading * length];
        let corner = |offset: Vec3| {
            let pixel = sight.project(*position + offset)?.pixel / scale;
            Some(Pos2::new(pixel.x, pixel.y))
        };
        let corners: Option<Vec<_>> = corners.into_iter().map(corner).collect();
        if let Some(corners) = corners {
            let color = color32(view.colors.group(group));
            let outline = Stroke::new(1.0, color.gamma_multiply(0.8));
            painter.add(Shape::convex_polygon(corners, color.gamma_multiply(0.12), outline));
        }
    }
}
