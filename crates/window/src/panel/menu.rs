//! Context menus: lists of commands with their keys.

use egui::{Button, Popup, Response};

use crate::commands::action::{Action, EditorAction, SessionAction};
use crate::commands::palette::Listed;
use crate::model::log::FilePlace;

/// Opens a menu of commands at a right click.
pub(super) fn show(response: &Response, commands: impl FnOnce() -> Vec<Listed>, actions: &mut Vec<Action>) {
    Popup::context_menu(response).show(|ui| {
        for Listed { name, keys, action, .. } in commands() {
            let button = Button::new(name.as_ref()).shortcut_text(keys);
            if ui.add_enabled(action.is_ok(), button).clicked() {
                actions.extend(action);
                ui.close();
            }
        }
    });
}

/// The commands that open a file at a place.
pub(super) fn opening(place: &FilePlace) -> Vec<Listed> {
    let file = &place.file;
    vec![
        Listed::new(format!("Edit {file}"), EditorAction::Open(place.clone())),
        Listed::new(format!("Open {file} in your editor"), SessionAction::OpenInEditor(place.clone())),
    ]
}
