//! What is tuned by hand: how much of it, changed obstacles and paths, and the way into the scene's file.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Button, Id, Key, PopupCloseBehavior, RichText, TextEdit, Ui, vec2};

use super::compare;
use crate::app::action::Action;
use crate::app::live_session::LiveSession;
use crate::app::theme;

/// Changes by hand that are listed.
const LISTED: usize = 8;

pub(super) fn show(ui: &mut Ui, session: &LiveSession, actions: &mut Vec<Action>) {
    let count = session.tuned();
    // Always there: it must not push a slider away that is being dragged.
    ui.add_space(2.0);
    ui.horizontal_wrapped(|ui| {
        let file = &session.run.generation.scene.path;
        let save = Button::new("Save to scene").min_size(vec2(110.0, super::BUTTON));
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
        let command = Button::new("Command").min_size(vec2(0.0, super::BUTTON));
        if count > 0 && ui.add(command).on_hover_text(hint).clicked() {
            ui.ctx().copy_text(session.command());
            actions.push(Action::TellCommand);
        }
    });
    ui.horizontal(|ui| {
        snapshots(ui, session, actions);
        compare::menu(ui, session, actions);
    });
    let changes = session.changes_by_hand();
    let more = changes.len().saturating_sub(LISTED);
    for (words, back) in changes.into_iter().take(LISTED) {
        ui.horizontal(|ui| {
            let what = match back {
                Action::MoveScattered { .. } => {
                    "scattered at random, then moved by hand: back to where it was; no file can keep its place"
                }
                _ => "done by hand: take it back",
            };
            ui.label(RichText::new(words).color(theme::of(ui).warning));
            let button = Button::new(RichText::new("reset").small()).small();
            if ui.add(button).on_hover_text(what).clicked() {
                actions.push(back);
            }
        });
    }
    if more > 0 {
        let text = format!("and {more} more changes by hand");
        ui.label(RichText::new(text).color(theme::of(ui).warning));
    }
}

/// A menu with the names under which tuned values are kept.
fn snapshots(ui: &mut Ui, session: &LiveSession, actions: &mut Vec<Action>) {
    let menu = MenuButton::from_button(Button::new("Snapshots").min_size(vec2(0.0, super::BUTTON)))
        .config(MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside));
    let (button, _) = menu.ui(ui, |ui| {
        ui.set_min_width(220.0);
        keep(ui, session, actions);
        if session.named_values.is_empty() {
            ui.label(RichText::new("nothing kept yet").color(theme::of(ui).weak));
        }
        for name in &session.named_values {
            ui.horizontal(|ui| {
                if ui.button(name).on_hover_text("tune everything as it was kept: one edit").clicked() {
                    actions.push(Action::LoadValues(name.clone()));
                    ui.close();
                }
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    if ui.small_button("delete").clicked() {
                        actions.push(Action::DeleteValues(name.clone()));
                    }
                });
            });
        }
    });
    let hint = "keep all tuned values under a name, in a file beside the scene, and load them again";
    if button.on_hover_text(hint).clicked() {
        actions.push(Action::ListValues);
    }
}

/// A field for a name to keep everything tuned under.
fn keep(ui: &mut Ui, session: &LiveSession, actions: &mut Vec<Action>) {
    let id = Id::unique("name of values");
    let mut name: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    ui.horizontal(|ui| {
        let field = TextEdit::singleline(&mut name).hint_text("name").desired_width(130.0);
        let field = ui.add(field);
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let can = !name.trim().is_empty() && session.run.newest().tuned().next().is_some();
        let button = ui.add_enabled(can, Button::new("Keep"));
        let button = button.on_disabled_hover_text("tune a value and write a name first");
        if can && (button.clicked() || entered) {
            actions.push(Action::SaveValues(std::mem::take(&mut name)));
        }
    });
    ui.data_mut(|data| data.insert_temp(id, name));
}
