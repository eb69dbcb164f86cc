//! The panel: what runs, what can be tuned, what went wrong. It only asks; it changes nothing.

mod console;
mod controls;
mod files;
mod groups;
mod help;
mod inspector;
mod overlay;
mod tuned;

use egui::{Panel, Rect, ScrollArea, Ui};

use super::action::Action;
use super::session::Session;
use super::shown::Shown;

/// Widths of the panel and height of the console at first, points.
const WIDTH: f32 = 322.0;
const CONSOLE: f32 = 148.0;

/// Lays out everything and returns the part of the window that is left for the world, points.
pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    shown: &Shown,
    actions: &mut Vec<Action>,
) -> Rect {
    Panel::right("panel")
        .resizable(true)
        .default_size(WIDTH)
        .size_range(240.0..=560.0)
        .show(ui, |ui| {
            controls::show(ui, session, shown, actions);
            tuned::show(ui, session, actions);
            ui.separator();
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                inspector::show(ui, session, shown, actions);
                groups::show(ui, session, actions);
                files::show(ui, session);
            });
        });
    Panel::bottom("console")
        .resizable(true)
        .default_size(CONSOLE)
        .size_range(60.0..=500.0)
        .show(ui, |ui| {
            console::show(ui, session);
        });
    let free = ui.available_rect_before_wrap();
    overlay::show(ui, free, session, shown);
    help::show(ui, free, session, shown);
    free
}
