//! The keys, over the world.

use egui::{Align2, Color32, Label, RichText, Ui, Window, vec2};

use crate::app::keys::{self, KEYS};
use crate::app::live_session::LiveSession;
use crate::app::theme;
use crate::app::view_state::ViewState;

/// What the window takes beside its content, points.
const FRAME: f32 = 56.0;
/// Widths of the keys, and of all, points.
const KEY: f32 = 96.0;
const WIDTH: f32 = 430.0;

pub(super) fn show(ui: &Ui, session: &LiveSession, view: &ViewState) {
    if !view.help {
        return;
    }
    let screen = ui.ctx().content_rect();
    let height = (screen.height() - FRAME).max(FRAME);
    let width = (screen.width() - FRAME).clamp(FRAME, WIDTH);
    let window = Window::new("Keys")
        .collapsible(false)
        .resizable(false)
        .vscroll(true)
        .default_size([width, height])
        .max_height(height)
        .pivot(Align2::CENTER_CENTER);
    window.fixed_pos(screen.center()).show(ui.ctx(), |ui| {
        let scene = &session.run.generation.scene;
        for plan in &scene.keys {
            let meaning = keys::meaning(&plan.action, scene);
            row(ui, &plan.key.to_string(), theme::of(ui).warning, &meaning);
        }
        for (key, meaning) in KEYS {
            row(ui, key, theme::of(ui).accent, meaning);
        }
    });
}

/// A key and, beside it, what it does in as many lines as it takes.
fn row(ui: &mut Ui, key: &str, color: Color32, meaning: &str) {
    ui.horizontal_top(|ui| {
        let height = ui.spacing().interact_size.y;
        ui.allocate_ui(vec2(KEY, height), |ui| {
            ui.set_min_width(KEY);
            ui.label(RichText::new(key).monospace().color(color));
        });
        ui.add(Label::new(meaning).wrap());
    });
}
