//! Windows over the middle of the world, as large as what they hold and at most as the screen.

use egui::{Align2, Color32, Frame, Margin, Stroke, Ui, Window};

/// Space of a window beside its content, points.
const FRAME: f32 = 60.0;

/// A window of a title and a width, points; less where the screen has less.
pub(super) fn page<'open>(ui: &Ui, title: &str, width: f32) -> Window<'open> {
    let screen = ui.ctx().content_rect();
    let height = (screen.height() - FRAME).max(FRAME);
    Window::new(title.to_owned())
        .vscroll(true)
        .default_size([width.min(widest(ui)), height])
        .max_height(height)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(screen.center())
}

/// The frame of a card over the world.
pub(super) fn card(fill: Color32, line: Color32) -> Frame {
    let frame = Frame::new().fill(fill).stroke(Stroke::new(1.0, line));
    frame.corner_radius(8.0).inner_margin(Margin::symmetric(14, 10))
}

/// The width that the content of a window has at most, points.
pub(super) fn widest(ui: &Ui) -> f32 {
    (ui.ctx().content_rect().width() - FRAME).max(FRAME)
}
