//! Context menus: lists of commands with their keys.

use egui::{Button, Popup, Response};

use super::parts::Kit;
use crate::commands::action::Action;
use crate::commands::palette::Listed;

/// Opens a menu at a right click, which also executes `selects`, so that the commands refer to the clicked thing.
pub(super) fn show(
    response: &Response,
    kit: &mut Kit<'_>,
    selects: impl Into<Action>,
    entries: impl FnOnce(&Kit<'_>) -> Vec<Listed>,
) {
    if response.secondary_clicked() {
        kit.actions.push(selects.into());
    }
    Popup::context_menu(response).show(|ui| {
        for Listed { name, keys, action, .. } in entries(kit) {
            let button = Button::new(name.as_ref()).shortcut_text(keys);
            if ui.add_enabled(action.is_ok(), button).clicked() {
                kit.actions.extend(action);
                ui.close();
            }
        }
    });
}
