//! Windows over the middle of the world, sized to their content and at most to the screen.

use egui::{Align2, Color32, Frame, Margin, Stroke, Ui, Window};

/// Margins of a window around its content, points.
const FRAME: f32 = 60.0;

/// A window with a title and a width, points; narrower on a small screen.
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

/// The greatest width of the content of a window, points.
pub(super) fn widest(ui: &Ui) -> f32 {
    (ui.ctx().content_rect().width() - FRAME).max(FRAME)
}
