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
/// Most width, points.
const MOST: f32 = 300.0;

/// Lays the selected unit over the top left of the world.
pub(super) fn show(ui: &Ui, free: Rect, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let world = session.run.simulation.world();
    let Some(unit) = view.selected.filter(|unit| *unit < world.units.len()) else {
        return;
    };
    let area = Area::new(Id::unique("inspector"))
        .order(Order::Middle)
        .fixed_pos(free.min + PLACE)
        .constrain_to(free);
    area.show(ui.ctx(), |ui| {
        let frame = Frame::window(ui.style()).multiply_with_opacity(0.92);
        frame.show(ui, |ui| {
            ui.set_min_width(WIDTH);
            ui.set_max_width(MOST);
            unit_of(ui, session, unit, actions);
        });
    });
}

fn unit_of(ui: &mut Ui, session: &LiveSession, unit: usize, actions: &mut Vec<Action>) {
    let world = session.run.simulation.world();
    let group = world.group_of(unit);
    ui.horizontal(|ui| {
        let title = RichText::new(format!("Unit {unit} of {}", group.name)).strong();
        ui.label(title.color(color32(theme::world::SELECTION)));
        let hint = "Esc, or a click beside all units";
        if ui.small_button("Deselect").on_hover_text(hint).clicked() {
            actions.push(Action::Select(None));
        }
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
