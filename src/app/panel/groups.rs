//! Groups, what they see through, and their behaviors.

use egui::{CollapsingHeader, Color32, ComboBox, RichText, Ui};

use super::behavior;
use crate::app::action::Action;
use crate::app::live_session::LiveSession;
use crate::app::theme;
use crate::scene::Color;

pub(super) fn color32(color: Color) -> Color32 {
    Color32::from_rgba_unmultiplied(color.r, color.g, color.b, color.a)
}

/// The color, as light as words on a dark panel have to be.
fn legible(color: Color) -> Color32 {
    let luminance = 0.2126 * f32::from(color.r) + 0.7152 * f32::from(color.g) + 0.0722 * f32::from(color.b);
    let wanting = ((130.0 - luminance) / 130.0).max(0.0);
    color32(color.mix(Color::WHITE, wanting * 0.6))
}

pub(super) fn show(ui: &mut Ui, session: &LiveSession, actions: &mut Vec<Action>) {
    let scene = &session.run.generation.scene;
    for (index, (plan, group_behaviors)) in
        scene.groups.iter().zip(&session.run.generation.behaviors).enumerate()
    {
        let world = session.run.simulation.world();
        let count = world.groups.get(index).map_or(0, |group| group.units.len());
        let title = RichText::new(format!("{}  ({count})", plan.common.name))
            .strong()
            .color(legible(plan.look.color));
        CollapsingHeader::new(title).id_salt(&plan.common.name).default_open(true).show(ui, |ui| {
            view(ui, session, index, actions);
            for (slot, planned) in group_behaviors.iter().enumerate() {
                behavior::show(ui, session, (index, slot), planned, actions);
            }
        });
        ui.add_space(2.0);
    }
}

fn view(ui: &mut Ui, session: &LiveSession, index: usize, actions: &mut Vec<Action>) {
    let world = session.run.simulation.world();
    let Some(group) = world.groups.get(index).filter(|_| !world.views.is_empty()) else {
        return;
    };
    let name = |view: Option<usize>| view.map_or("none", |view| world.views[view].name.as_str());
    ui.horizontal(|ui| {
        ui.label(RichText::new("View").color(theme::WEAK));
        ComboBox::from_id_salt(("view", index)).selected_text(name(group.view)).show_ui(ui, |ui| {
            for view in (0..world.views.len()).map(Some).chain([None]) {
                if ui.selectable_label(view == group.view, name(view)).clicked() {
                    actions.push(Action::SetView(index, view));
                }
            }
        });
    });
}
