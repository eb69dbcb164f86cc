//! The dialog for the condition to pause at.

use egui::{Align2, Rect, Ui, Window, vec2};
use steerbox_core::sim::metrics::FIGURES;

use super::dialog::{self, Typed};
use super::hint::weak;
use crate::commands::action::{Action, SessionAction, ViewAction};
use crate::model::dialog::Dialog;
use crate::model::live_session::LiveSession;

/// Offset from the corner of the world, points.
const GAP: egui::Vec2 = vec2(8.0, -8.0);

/// Shows the dialog above the timeline; `free` is the rectangle of the world.
pub(super) fn show(ui: &Ui, free: Rect, session: &LiveSession, actions: &mut Vec<Action>) {
    let set = session.pause_when.as_ref();
    let text = || set.map_or_else(String::new, |set| set.condition.text().to_owned());
    let mut typed = Typed::load(ui, Dialog::PauseWhen, text);
    let window = Window::new("Pause when").pivot(Align2::LEFT_BOTTOM).fixed_pos(free.left_bottom() + GAP);
    dialog::show(window, ui, Dialog::PauseWhen, actions, |ui, actions| {
        let group = session.run.simulation.world().groups.first().map_or("GROUP", |group| &group.name);
        let hint = format!("{group}.polarization > 0.9");
        let (_, enter) = typed.field(ui, |field| field.desired_width(300.0).hint_text(hint));
        if enter {
            typed.refused = session.condition(&typed.text).err();
            if typed.refused.is_none() {
                actions.push(ViewAction::ToggleDialog(Dialog::PauseWhen).into());
                actions.push(SessionAction::PauseWhen(typed.text.clone()).into());
            }
        }
        typed.reason(ui);
        let figures = FIGURES.each_ref().map(|figure| figure.name).join(", ");
        weak(ui, format!("time, step, errors; of a group: {figures},"));
        weak(ui, "errors, and the means of watched values and signals. Leave empty to switch off.");
    });
    typed.store(ui);
}
