//! Tuned values, edited obstacles and paths, and saving to the scene's file.

use egui::{Button, Label, RichText, Ui};
use steerbox_core::diagnostics::counted;
use steerbox_picture::render::theme;

use super::parts::{Kit, main_button};
use crate::commands::action::{SessionAction, ViewAction};
use crate::model::dialog::Dialog;

/// Maximum number of listed edits of the world.
const LISTED: usize = 8;

pub(super) fn show(ui: &mut Ui, kit: &mut Kit<'_>) {
    let (session, count) = (kit.session, kit.session.tuned());
    // Always visible: its appearance would move a slider that is being dragged.
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let file = &session.run.generation.scene.path;
        let words = "Save to scene";
        let save = if count > 0 { main_button(ui, words) } else { Button::new(words) };
        let hint = format!("Write tuned values, obstacles and paths into {file} (Ctrl+S)");
        let refusal = session.cannot_save();
        let save = ui.add_enabled(refusal.is_none(), save).on_hover_text(hint);
        kit.act(&save.on_disabled_hover_text(refusal.unwrap_or_default()), ViewAction::SaveScene);
        let hint = "Save all tuned values under a name, in a file beside the scene, and load them again";
        kit.button(ui, "Snapshots", hint, ViewAction::ToggleDialog(Dialog::Snapshots));
        let color = if count == 0 { theme::of(ui).weak } else { theme::of(ui).warning };
        ui.add(Label::new(RichText::new(session.tuned_words()).color(color)).truncate());
    });
    let changes = session.revertible_edits();
    let more = changes.len().saturating_sub(LISTED);
    for (words, back) in changes.into_iter().take(LISTED) {
        ui.horizontal(|ui| {
            let what = match back {
                SessionAction::MoveScattered { .. } => {
                    "Move the scattered obstacle back: its place cannot be saved"
                }
                _ => "Revert this edit",
            };
            ui.label(RichText::new(words).color(theme::of(ui).warning));
            kit.button(ui, "Reset", what, back);
        });
    }
    if more > 0 {
        let text = counted(more, ["more edit", "more edits"]);
        ui.label(RichText::new(text).color(theme::of(ui).warning));
    }
}
