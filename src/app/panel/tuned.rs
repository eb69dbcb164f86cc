//! What is tuned by hand: how much of it, the moved obstacles, and the way into the scene's file.

use egui::{Button, RichText, Ui};

use crate::app::action::Action;
use crate::app::live_session::LiveSession;
use crate::app::theme;

/// Moved obstacles that are listed.
const LISTED: usize = 8;

pub(super) fn show(ui: &mut Ui, session: &LiveSession, actions: &mut Vec<Action>) {
    let count = session.tuned();
    // Always there: it must not push a slider away that is being dragged.
    ui.add_space(2.0);
    ui.horizontal_wrapped(|ui| {
        let file = &session.run.generation.scene.path;
        let save = Button::new("Save to scene").min_size(egui::vec2(110.0, 24.0));
        let hint = format!("write tuned values into {file} (Ctrl+S)");
        let enabled = count > 0 && !session.saving;
        if ui.add_enabled(enabled, save).on_hover_text(hint).clicked() {
            actions.push(Action::Save);
        }
        let (text, color) = match count {
            0 => ("no tuned values".to_owned(), theme::of(ui).weak),
            1 => ("1 tuned value".to_owned(), theme::of(ui).warning),
            count => (format!("{count} tuned values"), theme::of(ui).warning),
        };
        ui.label(RichText::new(text).color(color));
        let hint = "copy a command line that opens the scene with these values, and tell it in the log";
        if count > 0 && ui.small_button("Command").on_hover_text(hint).clicked() {
            ui.ctx().copy_text(session.command());
            actions.push(Action::TellCommand);
        }
    });
    let moved = session.moved_obstacles();
    let listed = session.run.generation.scene.world.obstacles.len();
    for &at in moved.iter().take(LISTED) {
        ui.horizontal(|ui| {
            let what = if at < listed {
                "moved by hand: back to the file's place"
            } else {
                "scattered at random, then moved by hand: back to where it was; no file can keep its place"
            };
            let text = format!("obstacle {} moved", at + 1);
            ui.label(RichText::new(text).color(theme::of(ui).warning));
            let button = Button::new(RichText::new("reset").small()).small();
            if ui.add(button).on_hover_text(what).clicked() {
                actions.push(Action::ReturnObstacle(at));
            }
        });
    }
    if moved.len() > LISTED {
        let text = format!("and {} more obstacles moved", moved.len() - LISTED);
        ui.label(RichText::new(text).color(theme::of(ui).warning));
    }
}
