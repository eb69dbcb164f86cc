//! Sizes and frames that the parts of the panel share.

use egui::{Color32, CornerRadius, Rect, Sense, Ui, UiBuilder};
use steerbox_picture::render::theme;

/// Maximum share of the window that a part occupies.
pub(super) const HALF: f32 = 0.5;
/// Minimum height of buttons in the panel, points.
pub(super) const BUTTON: f32 = 24.0;
/// Corner radius of the background of text over the world.
pub(super) const CORNERS: CornerRadius = CornerRadius::same(8);

/// The range from `least` to `most`, limited to `room`.
pub(super) fn at_most(room: f32, least: f32, most: f32) -> std::ops::RangeInclusive<f32> {
    let most = room.clamp(1.0, most);
    least.min(most)..=most
}

/// Margin around content for outlines, points.
const MARGIN: f32 = 4.0;

/// Lays out content in the full width. Wider content is clipped: it would move the edge of the pane, and with it the
/// world.
pub(super) fn within(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    let room = ui.available_rect_before_wrap();
    let mut inner = ui.new_child(UiBuilder::new().max_rect(room));
    inner.shrink_clip_rect(room.expand(MARGIN));
    content(&mut inner);
    let used = Rect::from_x_y_ranges(room.x_range(), inner.min_rect().y_range());
    ui.allocate_rect(used, Sense::hover());
}

/// The frame of everything over the world.
pub(super) fn fill(ui: &Ui) -> Color32 {
    theme::of(ui).panel.gamma_multiply(0.82)
}

/// The frame of text over the world.
pub(super) fn chip(ui: &Ui, free: Rect, rect: Rect) {
    ui.painter_at(free).rect_filled(rect, CORNERS, fill(ui));
}
