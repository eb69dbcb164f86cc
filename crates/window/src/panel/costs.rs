//! The cost of each behavior.

use egui::{CollapsingHeader, Grid, RichText, Sense, Ui, vec2};
use steerbox_core::sim::use_names;
use steerbox_picture::render::theme::{self, color32};
use steerbox_script::ScriptBehavior;

use super::{hint, icons};
use crate::commands::action::{Action, ViewAction};
use crate::model::live_session::LiveSession;
use crate::model::switch::Switch;
use crate::model::view_state::ViewState;

/// Width of a bar for the total time of a step, points.
const BAR: egui::Vec2 = vec2(54.0, 8.0);

/// Describes the measurement.
const ABOUT: &str = "Nanoseconds of one thread for one unit and step, and the share of the time of a step. \
    While this table is shown, a sample of units repeats its decisions every 32 steps. Shared results, \
    such as neighbor lists, count for the first rule that requests them.";

pub(super) fn show(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let title = RichText::new("Cost by rule").strong();
    let header =
        CollapsingHeader::new(title).icon(icons::fold).id_salt("costs").open(Some(view.window.costs));
    let header = header.show(ui, |ui| table(ui, session, view));
    if header.header_response.clicked() {
        actions.push(ViewAction::Toggle(Switch::Costs).into());
    }
    hint::text(&header.header_response, ABOUT);
}

fn table(ui: &mut Ui, session: &LiveSession, view: &ViewState) {
    let simulation = &session.run.simulation;
    let mut costs = simulation.costs();
    if costs.is_empty() {
        hint::weak(ui, "Measured within the next 32 steps");
        return;
    }
    costs.sort_by(|a, b| a.group.cmp(&b.group).then(b.share.total_cmp(&a.share)));
    let phases = simulation.phases;
    let deciding = phases.decide.as_secs_f32() / phases.total().as_secs_f32().max(1e-9);
    Grid::new("costs").num_columns(3).spacing([10.0, 2.0]).show(ui, |ui| {
        let mut last = None;
        for cost in costs {
            if last.replace(cost.group) != Some(cost.group) {
                hint::weak(ui, &simulation.world().groups[cost.group].name);
                ui.end_row();
            }
            let names = use_names(simulation.slots(cost.group));
            let planned = session.run.generation.behaviors.get(cost.group);
            let planned = planned.and_then(|group| group.get(cost.slot));
            let (Some(name), Some(planned)) = (names.get(cost.slot), planned) else { continue };
            let is_native = planned.behavior.as_deref().is_some_and(ScriptBehavior::is_native);
            let color = color32(view.colors.rule(cost.slot));
            let name = RichText::new(name).color(theme::of(ui).legible(view.colors.rule(cost.slot)));
            let name = ui.label(name);
            let runs = if is_native { "Runs as machine code" } else { "Runs in the interpreter" };
            hint::text(&name, runs);
            let nanoseconds = if cost.nanoseconds < 9_999.5 {
                format!("{:>5.0} ns", cost.nanoseconds)
            } else {
                format!("{:>5.1} µs", cost.nanoseconds / 1000.0)
            };
            let text = RichText::new(nanoseconds).monospace();
            ui.label(if is_native { text } else { text.color(theme::of(ui).warning) });
            let share = cost.share * deciding;
            ui.horizontal(|ui| {
                let (rect, _) = ui.allocate_exact_size(BAR, Sense::hover());
                let mut filled = rect;
                filled.set_width(rect.width() * share.clamp(0.0, 1.0));
                ui.painter().rect_filled(rect, 2.0, ui.visuals().extreme_bg_color);
                ui.painter().rect_filled(filled, 2.0, color);
                let share = format!("{:>3.0} %", share * 100.0);
                ui.label(RichText::new(share).monospace().color(theme::of(ui).weak));
            });
            ui.end_row();
        }
    });
}
