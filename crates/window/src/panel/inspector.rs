//! The inspector: its position over the world, and the selected units.

use egui::{
    Align, Area, CursorIcon, Frame, Id, Order, Pos2, Rect, RichText, ScrollArea, Sense, Ui, Vec2, pos2, vec2,
};
use steerbox_core::world::World;
use steerbox_picture::render::camera::Lens as _;
use steerbox_picture::render::theme::{self, color32};

use super::placing::{self, Placing};
use super::{compare, plots, unit_facts};
use crate::commands::action::{Action, ViewAction};
use crate::model::live_session::LiveSession;
use crate::model::selection::unit_name;
use crate::model::switch::Switch;
use crate::model::view_state::ViewState;

/// Maximum number of units listed beside the inspected one.
const MAX_OTHERS: usize = 8;

/// State of the inspector while it is open.
#[derive(Clone, Copy, Default)]
struct Opened {
    placing: Placing,
    /// The largest size so far, points: appearing and disappearing lines do not move the inspector.
    size: Option<Vec2>,
}

/// Shows the selection over the world, away from the inspected unit: above the legend if there is enough space,
/// else anywhere in the world.
pub(super) fn show(
    ui: &Ui,
    [above, whole]: [Rect; 2],
    session: &LiveSession,
    view: &ViewState,
    actions: &mut Vec<Action>,
) {
    let state = id().with("opened");
    let room = [above, whole].into_iter().find_map(|world| Some((world, largest(world, session)?)));
    let Some((world, largest)) = room.filter(|_| is_open(session, view)) else {
        ui.data_mut(|data| data.remove::<Opened>(state));
        return;
    };
    let mut opened: Opened = ui.data(|data| data.get_temp(state)).unwrap_or_default();
    // The largest possible size until the content is measured.
    let size = opened.size.map_or(largest, |size| vec2(size.x, size.y.min(largest.y)));
    let others = ui.memory(|memory| memory.area_rect(plots::id())).filter(|_| view.plots.open);
    let units = places(ui, session, view);
    let place = opened.placing.settle(size, world, &units, others.as_slice());
    let area = Area::new(id()).order(Order::Middle).fixed_pos(place.min).sense(Sense::DRAG);
    let shown = area.constrain_to(world).show(ui.ctx(), |ui| {
        let frame = Frame::window(ui.style());
        let inner = largest - frame.total_margin().sum();
        frame.show(ui, |ui| {
            ui.set_width(inner.x);
            let bottom = ui.max_rect().top() + inner.y;
            head(ui, session, view, actions);
            let room = (bottom - ui.cursor().top()).max(0.0);
            let area = ScrollArea::vertical().max_height(room).min_scrolled_height(room);
            area.auto_shrink([false, true]).show(ui, |ui| {
                body(ui, session, view, actions);
            });
        });
    });
    if session.run.simulation.explained().is_some() {
        let size = shown.response.rect.size();
        opened.size = Some(opened.size.map_or(size, |before| before.max(size)));
    }
    let handle = shown.response.on_hover_cursor(CursorIcon::Grab);
    if handle.dragged() {
        opened.placing.drag(place, handle.drag_delta(), world);
    }
    ui.data_mut(|data| data.insert_temp(state, opened));
}

/// The largest inspector over a world; `None` if it would cover half of a view or more.
fn largest(world: Rect, session: &LiveSession) -> Option<Vec2> {
    let largest = placing::largest(world)?;
    let is_small = 2.0 * largest.x > compare::first(world, session).width();
    (session.run.variant().is_none() || !is_small).then_some(largest)
}

/// Shows the inspector in the panel if the world is too small for it.
pub(super) fn show_in_panel(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    if largest(view.layout.world, session).is_some() || !is_open(session, view) {
        return;
    }
    let top = Rect::from_min_size(ui.cursor().min, Vec2::ZERO);
    head(ui, session, view, actions);
    body(ui, session, view, actions);
    ui.separator();
    let (shown, inspected) = (id().with("in the panel"), view.selection.inspected());
    if ui.data(|data| data.get_temp::<Option<usize>>(shown)) != Some(inspected) {
        ui.scroll_to_rect(top, Some(Align::TOP));
        ui.data_mut(|data| data.insert_temp(shown, inspected));
    }
}

/// The id of the inspector's area.
fn id() -> Id {
    Id::unique("inspector")
}

fn is_open(session: &LiveSession, view: &ViewState) -> bool {
    inspected(session, view).is_some() || !view.selection.pinned().is_empty()
}

fn inspected(session: &LiveSession, view: &ViewState) -> Option<usize> {
    let count = session.run.simulation.world().units.len();
    view.selection.inspected().filter(|unit| *unit < count)
}

/// Positions of the inspected unit in the window, points: one per view.
fn places(ui: &Ui, session: &LiveSession, view: &ViewState) -> Vec<Pos2> {
    let (scale, (min, max)) = (ui.ctx().pixels_per_point(), view.camera.view());
    let views = 1 + usize::from(session.run.variant().is_some());
    let places = inspected(session, view).into_iter().flat_map(|unit| (0..views).map(move |at| (unit, at)));
    let visible = places.filter_map(|(unit, at)| {
        let (world, shown) = session.world_and_poses(at == 1);
        let position = (unit < world.units.len()).then(|| shown.position(world, unit))?;
        let pixel = view.camera.sight().project(position)?.pixel;
        let shift = at as f32 * (max.x - min.x);
        Some(pos2(pixel.x + shift, pixel.y) / scale)
    });
    visible.collect()
}

fn body(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    if let Some(unit) = inspected(session, view) {
        unit_facts::show(ui, session, unit, view, actions);
    }
    others(ui, session, view, actions);
}

/// The pinned units and the other selected ones, one row each.
fn others(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let (world, selection) = (session.run.simulation.world(), &view.selection);
    let rest = selection.units().split_last().map_or(&[][..], |(_, rest)| rest);
    if let Some(words) = summary(world, selection.units()) {
        unit_facts::fact(ui, words);
    }
    let colors = &theme::of(ui).world;
    let pinned = selection.pinned().iter().map(|unit| (unit, colors.pinned));
    let selected = rest.iter().map(|unit| (unit, colors.selection));
    let lines = pinned.chain(selected).filter(|(unit, _)| **unit < world.units.len());
    for (unit, color) in lines.clone().take(MAX_OTHERS) {
        let text = format!("{}  speed {}", unit_name(world, *unit), unit_facts::speed(world, *unit));
        let text = RichText::new(text).monospace().color(color32(color));
        if ui.link(text).on_hover_text("Inspect this unit").clicked() {
            actions.push(ViewAction::Select(vec![*unit]).into());
        }
    }
    let more = lines.count().saturating_sub(MAX_OTHERS);
    if more > 0 {
        unit_facts::fact(ui, format!("{more} more"));
    }
}

/// The number of several selected units, and the means of their speeds and positions.
fn summary(world: &World, selected: &[usize]) -> Option<String> {
    let units: Vec<_> = selected.iter().filter(|unit| **unit < world.units.len()).collect();
    let count = units.len() as f64;
    let speed = units.iter().map(|unit| world.units.velocity[**unit].as_dvec3().length()).sum::<f64>();
    let sum = units.iter().map(|unit| world.units.position[**unit].as_dvec3()).sum::<glam::DVec3>();
    let (speed, middle) = (speed / count, sum / count);
    let z = if world.arena.is_plane() { String::new() } else { format!(", {:.1}", middle.z) };
    let words =
        format!("{count} selected; mean speed {speed:.2}, middle ({:.1}, {:.1}{z})", middle.x, middle.y);
    (units.len() > 1).then_some(words)
}

/// The name of the inspected unit, and buttons for it.
fn head(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let Some(unit) = inspected(session, view) else {
        return;
    };
    ui.horizontal_wrapped(|ui| {
        let title = RichText::new(unit_name(session.run.simulation.world(), unit)).strong();
        ui.label(title.color(color32(theme::of(ui).world.selection)));
        let mut button = |on: bool, text: &str, hint: &str, action: Action| {
            if ui.selectable_label(on, text).on_hover_text(hint).clicked() {
                actions.push(action);
            }
        };
        button(view.following, "Follow", "Follow the unit (L)", ViewAction::Toggle(Switch::Following).into());
        let pinned = view.selection.pinned().contains(&unit);
        button(pinned, "Pin", "Pin the figures of the unit (P)", ViewAction::TogglePinned(Some(unit)).into());
        button(
            false,
            "Close",
            "Deselect (Esc, or click beside all units)",
            ViewAction::Select(Vec::new()).into(),
        );
    });
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use steerbox_core::world::Group;

    use super::*;

    #[test]
    fn several_units_have_a_count_and_means() {
        let mut world = World::default().with_group(Group::default(), [Vec3::ZERO, Vec3::X * 4.0, Vec3::Y]);
        world.units.velocity[1] = Vec3::new(3.0, 4.0, 0.0);
        let words = summary(&world, &[0, 1, 9]).expect("two units");
        assert!(words.starts_with("2 selected; mean speed 2.50, middle (2.0, 0.0"), "{words}");
        assert_eq!(summary(&world, &[1]), None);
    }
}
