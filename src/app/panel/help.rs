//! The keys, over the world.

use egui::{Color32, Label, RichText, Ui, vec2};

use super::page::page;
use crate::app::keys::{self, KEYS};
use crate::app::live_session::LiveSession;
use crate::app::theme;
use crate::app::view_state::ViewState;

/// Widths of the keys, and of all, points.
const KEY: f32 = 96.0;
const WIDTH: f32 = 430.0;

pub(super) fn show(ui: &Ui, session: &LiveSession, view: &ViewState) {
    if !view.help {
        return;
    }
    page(ui, "Keys", WIDTH).show(ui.ctx(), |ui| {
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
