//! Groups, their views, and their behaviors.

use egui::{CollapsingHeader, ComboBox, RichText, Ui};

use super::behavior;
use crate::app::commands::action::{Action, SessionAction};
use crate::app::model::live_session::LiveSession;
use crate::app::model::view_state::ViewState;
use crate::app::render::theme;

pub(super) fn show(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let scene = &session.run.generation.scene;
    for (index, (plan, group_behaviors)) in
        scene.groups.iter().zip(&session.run.generation.behaviors).enumerate()
    {
        let world = session.run.simulation.world();
        let count = world.groups.get(index).map_or(0, |group| group.units.len());
        let title = RichText::new(format!("{}  ({count})", plan.common.name))
            .strong()
            .color(theme::of(ui).legible(view.colors.group(index)));
        CollapsingHeader::new(title).id_salt(&plan.common.name).default_open(true).show(ui, |ui| {
            view_of(ui, session, index, actions);
            for (slot, planned) in group_behaviors.iter().enumerate() {
                behavior::show(ui, session, view, (index, slot), planned, actions);
            }
        });
        ui.add_space(2.0);
    }
}

fn view_of(ui: &mut Ui, session: &LiveSession, index: usize, actions: &mut Vec<Action>) {
    let world = session.run.simulation.world();
    let Some(group) = world.groups.get(index).filter(|_| !world.views.is_empty()) else {
        return;
    };
    let name = |view: Option<usize>| view.map_or("none", |view| world.views[view].name.as_str());
    ui.horizontal(|ui| {
        ui.label(RichText::new("View").color(theme::of(ui).weak));
        ComboBox::from_id_salt(("view", index)).selected_text(name(group.view)).show_ui(ui, |ui| {
            for view in (0..world.views.len()).map(Some).chain([None]) {
                if ui.selectable_label(view == group.view, name(view)).clicked() {
                    actions.push(SessionAction::SetView(index, view).into());
                }
            }
        });
    });
}
