//! The dialog for the name of a new rule.

use egui::{Button, Ui};

use super::dialog::{self, Typed};
use super::hint::weak;
use super::page::{page, widest};
use crate::commands::action::{Action, EditorAction, ViewAction};
use crate::model::dialog::Dialog;
use crate::model::live_session::LiveSession;
use crate::model::templates::{FLOW, RULES};
use crate::model::view_state::ViewState;

/// Width of the window, points.
const WIDTH: f32 = 340.0;

pub(super) fn show(ui: &Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let Some(new) = &view.new_rule else {
        return;
    };
    let mut typed = Typed::load(ui, Dialog::NewRule, || new.name.clone());
    let title = RULES.get(new.template).map_or(String::new(), |(name, ..)| format!("New rule: {name}"));
    dialog::show(page(ui, &title, WIDTH).auto_sized(), ui, Dialog::NewRule, actions, |ui, actions| {
        ui.set_width(WIDTH.min(widest(ui)));
        let (enter, clicked) = ui
            .horizontal(|ui| {
                let (field, enter) = typed.field(ui, |field| field.desired_width(150.0).hint_text("name"));
                if !typed.is_shown {
                    typed.select_all(ui, &field);
                }
                ui.label(".rhai");
                (enter, ui.add(Button::new("Create")).clicked())
            })
            .inner;
        if enter || clicked {
            let name = typed.text.trim().trim_end_matches(".rhai").to_owned();
            typed.refused = view.refusal_of_rule(&name, session);
            if typed.refused.is_none() {
                actions.push(ViewAction::ToggleDialog(Dialog::NewRule).into());
                actions.push(EditorAction::CreateRule { template: new.template, name }.into());
            }
        }
        typed.reason(ui);
        weak(ui, "Nothing is written until the text is saved.");
        if new.template == FLOW {
            weak(ui, "The field is added to the scene's text, too.");
        }
    });
    typed.store(ui);
}
