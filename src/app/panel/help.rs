//! The keys, over the world.

use egui::{Align2, Grid, Rect, RichText, Ui, Window};

use crate::app::keys::{self, KEYS};
use crate::app::session::Session;
use crate::app::shown::Shown;
use crate::app::theme;

pub(super) fn show(ui: &Ui, free: Rect, session: &Session, shown: &Shown) {
    if !shown.help {
        return;
    }
    let window = Window::new("Keys")
        .collapsible(false)
        .resizable(false)
        .pivot(Align2::CENTER_CENTER);
    window.fixed_pos(free.center()).show(ui.ctx(), |ui| {
        Grid::new("keys")
            .num_columns(2)
            .spacing([22.0, 5.0])
            .show(ui, |ui| {
                let scene = &session.generation.scene;
                for plan in &scene.keys {
                    let name = RichText::new(plan.key.to_string()).monospace();
                    ui.label(name.color(theme::WARNING));
                    ui.label(keys::meaning(&plan.action, scene));
                    ui.end_row();
                }
                for (key, meaning) in KEYS {
                    ui.label(RichText::new(*key).monospace().color(theme::ACCENT));
                    ui.label(*meaning);
                    ui.end_row();
                }
            });
    });
}
