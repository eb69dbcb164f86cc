//! The dialog of the snapshots: named sets of tuned values.

use egui::{Align, Align2, Button, Key, Layout, Modifiers, Rect, ScrollArea, Ui, Window, vec2};

use super::dialog::{self, Typed};
use super::hint::weak;
use crate::commands::action::{Action, SessionAction, ViewAction};
use crate::model::dialog::Dialog;
use crate::model::live_session::LiveSession;

/// Offset from the corner of the world, width of the dialog, and height of the list, points.
const GAP: egui::Vec2 = vec2(-8.0, 8.0);
const WIDTH: f32 = 240.0;
const HEIGHT: f32 = 240.0;

/// Shows the dialog beside the panel; `free` is the rectangle of the world.
pub(super) fn show(ui: &Ui, free: Rect, session: &LiveSession, actions: &mut Vec<Action>) {
    let mut typed = Typed::load(ui, Dialog::Snapshots, String::new);
    let window = Window::new("Snapshots")
        .default_width(WIDTH)
        .pivot(Align2::RIGHT_TOP)
        .fixed_pos(free.right_top() + GAP);
    dialog::show(window, ui, Dialog::Snapshots, actions, |ui, actions| {
        ui.set_width(WIDTH);
        save(ui, &mut typed, session, actions);
        ui.separator();
        if session.snapshot_names.is_empty() {
            weak(ui, "No snapshots");
        }
        ScrollArea::vertical().max_height(HEIGHT).show(ui, |ui| {
            session.snapshot_names.iter().for_each(|name| row(ui, name, actions));
        });
    });
    typed.store(ui);
}

/// The field for a name and its button; the reason is shown once Enter or Ctrl+S had no effect.
fn save(ui: &mut Ui, typed: &mut Typed, session: &LiveSession, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        let (_, enter) = typed.field(ui, |field| field.hint_text("Name").desired_width(WIDTH - 70.0));
        let saves = ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::S));
        let refusal = refusal(&typed.text, session);
        let button = ui.add_enabled(refusal.is_none(), Button::new("Save"));
        let button = button.on_hover_text("Save the snapshot (Enter or Ctrl+S)");
        let button = button.on_disabled_hover_text(refusal.unwrap_or_default());
        if enter || saves || button.clicked() {
            typed.refused = refusal.map(str::to_owned);
            if refusal.is_none() {
                actions.push(SessionAction::SaveSnapshot(std::mem::take(&mut typed.text)).into());
            }
        }
    });
    typed.reason(ui);
}

/// The reason why nothing can be saved, or `None`.
fn refusal(name: &str, session: &LiveSession) -> Option<&'static str> {
    if session.run.newest().tuned().next().is_none() {
        Some("No value is tuned: move a slider first")
    } else {
        name.trim().is_empty().then_some("Type a name first")
    }
}

fn row(ui: &mut Ui, name: &str, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        if ui.button(name).on_hover_text("Load these values; one undo restores the previous ones").clicked() {
            actions.push(ViewAction::ToggleDialog(Dialog::Snapshots).into());
            actions.push(SessionAction::LoadSnapshot(name.to_owned()).into());
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.button("Delete").clicked() {
                actions.push(SessionAction::DeleteSnapshot(name.to_owned()).into());
            }
        });
    });
}
