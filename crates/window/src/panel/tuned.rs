//! Tuned values, edited obstacles and paths, and saving to the scene's file.

use egui::{Button, RichText, Ui, vec2};
use steerbox_core::diagnostics::counted;
use steerbox_picture::render::theme;

use super::{compare, filming};
use crate::commands::action::{Action, SessionAction, ViewAction};
use crate::model::dialog::Dialog;
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

/// Maximum number of listed edits of the world.
const LISTED: usize = 8;

pub(super) fn show(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let count = session.tuned();
    // Always visible: its appearance would move a slider that is being dragged.
    ui.add_space(2.0);
    ui.horizontal_wrapped(|ui| {
        let file = &session.run.generation.scene.path;
        let save = Button::new("Save to scene").min_size(vec2(110.0, super::parts::BUTTON));
        let hint = format!("Write tuned values, obstacles and paths into {file} (Ctrl+S)");
        let refusal = session.cannot_save();
        let save = ui.add_enabled(refusal.is_none(), save).on_hover_text(hint);
        if save.on_disabled_hover_text(refusal.unwrap_or_default()).clicked() {
            actions.push(ViewAction::SaveScene.into());
        }
        let color = if count == 0 { theme::of(ui).weak } else { theme::of(ui).warning };
        ui.label(RichText::new(session.tuned_words()).color(color));
    });
    ui.horizontal(|ui| {
        let hint = "Save all tuned values under a name, in a file beside the scene, and load them again";
        let snapshots = Button::new("Snapshots").min_size(vec2(0.0, super::parts::BUTTON));
        if ui.add(snapshots).on_hover_text(hint).clicked() {
            actions.push(ViewAction::ToggleDialog(Dialog::Snapshots).into());
        }
        compare::menu(ui, session, actions);
        filming::menu(ui, session, view, actions);
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
            let button = Button::new(RichText::new("Reset").small()).small();
            if ui.add(button).on_hover_text(what).clicked() {
                actions.push(back.into());
            }
        });
    }
    if more > 0 {
        let text = counted(more, ["more edit", "more edits"]);
        ui.label(RichText::new(text).color(theme::of(ui).warning));
    }
}
