//! The confirmation before an edit that makes steps slow, and other choices. Cancel has the focus, unless the edit was requested.

use egui::{Button, Ui};

use super::page::{page, widest};
use crate::commands::action::{Action, ViewAction};
use crate::model::view_state::ViewState;

/// Width of the window, points.
const WIDTH: f32 = 360.0;

pub(super) fn show(ui: &Ui, view: &ViewState, actions: &mut Vec<Action>) {
    let Some(question) = &view.question else {
        return;
    };
    let window = page(ui, question.title(), WIDTH).auto_sized().collapsible(false);
    window.order(egui::Order::Foreground).show(ui.ctx(), |ui| {
        ui.set_width(WIDTH.min(widest(ui)));
        ui.label(&question.text);
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            let cancel = ui.add(Button::new(question.otherwise));
            let carry_out = ui.add(Button::new(question.verb));
            if !cancel.has_focus() && !carry_out.has_focus() {
                if question.is_requested() { carry_out.request_focus() } else { cancel.request_focus() }
            }
            if cancel.clicked() {
                actions.push(ViewAction::Answer(false).into());
            } else if carry_out.clicked() {
                actions.push(ViewAction::Answer(true).into());
            }
        });
    });
}
