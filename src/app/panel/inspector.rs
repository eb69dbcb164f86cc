//! The selected unit: how it moves, whom it sees, and what each behavior made it do.

use egui::{Area, Frame, Grid, Id, Order, Rect, RichText, Ui, vec2};
use glam::Vec3;

use super::groups::color32;
use crate::app::action::Action;
use crate::app::live_session::LiveSession;
use crate::app::picture::{behavior_color, neighbors_of};
use crate::app::theme;
use crate::app::view_state::ViewState;
use crate::sim::Contribution;

/// From the corner of the world, points.
const PLACE: egui::Vec2 = vec2(10.0, 10.0);
/// Least width, so that figures that change do not change it.
const WIDTH: f32 = 220.0;
/// Most units that have a line beside the inspected one.
const LINES: usize = 8;
/// Most width, points.
const MOST: f32 = 300.0;

/// Lays the selected unit over the top left of the world.
pub(super) fn show(ui: &Ui, free: Rect, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let world = session.run.simulation.world();
    let unit = view.selection.inspected().filter(|unit| *unit < world.units.len());
    if unit.is_none() && view.selection.pinned().is_empty() {
        return;
    }
    let area = Area::new(Id::unique("inspector"))
        .order(Order::Middle)
        .fixed_pos(free.min + PLACE)
        .constrain_to(free);
    area.show(ui.ctx(), |ui| {
        let frame = Frame::window(ui.style()).multiply_with_opacity(0.92);
        frame.show(ui, |ui| {
            ui.set_min_width(WIDTH);
            ui.set_max_width(MOST);
            if let Some(unit) = unit {
                unit_of(ui, session, unit, view, actions);
            }
            others(ui, session, view, actions);
        });
    });
}

/// The pinned units and the others that are selected, a line each.
fn others(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let (world, selection) = (session.run.simulation.world(), &view.selection);
    let rest = selection.units().split_last().map_or(&[][..], |(_, rest)| rest);
    let pinned = selection.pinned().iter().map(|unit| (unit, theme::world::PINNED));
    let selected = rest.iter().map(|unit| (unit, theme::world::SELECTION));
    let lines = pinned.chain(selected).filter(|(unit, _)| **unit < world.units.len());
    for (unit, color) in lines.clone().take(LINES) {
        let speed = world.units.velocity[*unit].length();
        let text = format!("{} {unit}  speed {speed:.1}", world.group_of(*unit).name);
        let text = RichText::new(text).monospace().color(color32(color));
        if ui.link(text).on_hover_text("inspect this one").clicked() {
            actions.push(Action::Select(vec![*unit]));
        }
    }
    let more = lines.count().saturating_sub(LINES);
    if more > 0 {
        fact(ui, format!("and {more} more"));
    }
}

fn unit_of(ui: &mut Ui, session: &LiveSession, unit: usize, view: &ViewState, actions: &mut Vec<Action>) {
    let world = session.run.simulation.world();
    let group = world.group_of(unit);
    ui.horizontal(|ui| {
        let title = RichText::new(format!("Unit {unit} of {}", group.name)).strong();
        ui.label(title.color(color32(theme::world::SELECTION)));
    });
    ui.horizontal(|ui| {
        let mut button = |on: bool, text: &str, hint: &str, action: Action| {
            if ui.selectable_label(on, text).on_hover_text(hint).clicked() {
                actions.push(action);
            }
        };
        button(view.following, "Follow", "keep it in the middle (L)", Action::ToggleFollow);
        let pinned = view.selection.pinned().contains(&unit);
        button(pinned, "Pin", "keep its figures in view (P)", Action::TogglePinned(Some(unit)));
        let hint = "Esc, or a click beside all units";
        button(false, "Deselect", hint, Action::Select(Vec::new()));
    });
    let units = &world.units;
    let speed = units.velocity[unit].length();
    let marks: Vec<_> = world.marks.of(units.marks[unit]).collect();
    fact(ui, format!("at {}", rounded(units.position[unit])));
    fact(ui, format!("speed {speed:.1} of {:.1}", group.body.max_speed()));
    fact(ui, format!("sees {} neighbors", neighbors_of(&session.run.simulation, unit).len()));
    if !marks.is_empty() {
        fact(ui, format!("marked {}", marks.join(", ")));
    }
    contributions(ui, session, unit);
}

fn fact(ui: &mut Ui, text: String) {
    ui.label(RichText::new(text).monospace().color(theme::WEAK));
}

/// What each behavior asked for in the last step, times its gain.
fn contributions(ui: &mut Ui, session: &LiveSession, unit: usize) {
    Grid::new("contributions").num_columns(3).spacing([12.0, 2.0]).show(ui, |ui| {
        for (at, (slot, contribution)) in session.run.simulation.decisions(unit).enumerate() {
            ui.label(RichText::new(&slot.script).color(color32(behavior_color(at))));
            let text = match contribution {
                Contribution::None if !slot.enabled => "off".to_owned(),
                Contribution::None => "nothing".to_owned(),
                Contribution::Turn(turn) => format!("turn {:+.2}", turn.x * slot.gain),
                Contribution::Push(push) => format!("push {}", rounded(push * slot.gain)),
            };
            ui.label(RichText::new(text).monospace());
            ui.end_row();
        }
    });
}

fn rounded(v: Vec3) -> String {
    if v.z == 0.0 { format!("{:.1}, {:.1}", v.x, v.y) } else { format!("{:.1}, {:.1}, {:.1}", v.x, v.y, v.z) }
}
