//! The inspected unit: its motion and neighbors, and the contribution of each behavior to its motion.

use egui::{Color32, Grid, Rect, RichText, Sense, Shape, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};
use glam::Vec3;
use steerbox_core::diagnostics::counted;
use steerbox_core::sim::{InspectedRule, Inspection, rounded, rounded_vector};
use steerbox_core::world::{World, absolute};
use steerbox_picture::render::coloring;
use steerbox_picture::render::theme::{self, color32};
use steerbox_project::session::Explained;

use crate::commands::action::{Action, ViewAction};
use crate::model::counted::units_of;
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

/// Width below which bars are short and sparklines are hidden, points.
const WIDE: f32 = 300.0;
/// Maximum number of units named in a list.
const NAMED: usize = 12;
/// Sizes of the bar of a contribution, of a short bar, and of a sparkline, points.
const BAR: Vec2 = vec2(84.0, 10.0);
const SHORT_BAR: f32 = 44.0;
const SPARK: Vec2 = vec2(56.0, 14.0);
/// Maximum speed that is shown as rest, relative to the greatest possible one.
const REST: f32 = 1e-3;
/// Length of a full bar relative to the limit.
const FULL: f32 = 2.0;

/// Formats a speed: slow units of small worlds have more than one digit, and units nearly at rest have none.
pub(super) fn short(speed: f32, max: f32) -> String {
    match speed {
        speed if max.is_finite() && speed < REST * max => "0".to_owned(),
        speed if speed < 1.0 => rounded(speed),
        speed => format!("{speed:.1}"),
    }
}

/// Formats the speed of a unit.
pub(super) fn speed(world: &World, unit: usize) -> String {
    short(world.units.velocity[unit].length(), world.body_of(unit).max_speed())
}

/// Shows the motion of a unit, and the figures of its last step once they are known.
pub(super) fn show(
    ui: &mut Ui,
    session: &LiveSession,
    unit: usize,
    view: &ViewState,
    actions: &mut Vec<Action>,
) {
    let world = session.run.simulation.world();
    let units = &world.units;
    let [x, y, z] = [0, 1, 2].map(|axis| absolute(units.position[unit][axis], world.arena.origin[axis]));
    let height = if world.arena.is_plane() { String::new() } else { format!(", {z:.1}") };
    let place = format!("{x:.1}, {y:.1}{height}");
    let max = world.body_of(unit).max_speed();
    fact(ui, format!("at {place}  speed {} of {}", speed(world, unit), short(max, max)));
    if let Some(apart) = session.apart(unit) {
        fact(ui, format!("{apart:.1} from its position in B"));
    }
    match session.run.simulation.explained() {
        Some(explained) => explain(ui, explained, unit, (session, view), actions),
        None => fact(ui, "More after the next step (.)"),
    }
}

pub(super) fn fact(ui: &mut Ui, text: impl Into<String>) {
    ui.label(RichText::new(text.into()).monospace().color(theme::of(ui).weak));
}

/// All figures of the last step.
fn explain(
    ui: &mut Ui,
    explained: &Explained,
    unit: usize,
    (session, view): (&LiveSession, &ViewState),
    actions: &mut Vec<Action>,
) {
    let (facts, world) = (&explained.facts, session.run.simulation.world());
    let group = world.group_of(unit);
    let limit = group.body.steering_force();
    ui.separator();
    Grid::new("rules").num_columns(4).spacing([8.0, 3.0]).show(ui, |ui| {
        for (at, rule) in facts.rules.iter().enumerate() {
            rule_of(ui, at, rule, limit, view, actions);
            ui.end_row();
        }
        let white = ui.visuals().strong_text_color();
        ui.label(RichText::new("resultant").strong());
        bar(ui, [facts.resultant, facts.forces.applied], limit, white);
        amount(ui, facts.resultant);
        ui.end_row();
    });
    for words in force_balance(facts, limit) {
        fact(ui, words);
    }
    if let Some(words) = opposed(&facts.rules) {
        ui.label(RichText::new(words).color(theme::of(ui).warning));
    }
    ui.separator();
    let [neighbors, enemies, touching] =
        [&facts.neighbors, &facts.enemies, &facts.touching].map(|units| facts.indices_after(units));
    let words = counted(neighbors.len(), ["neighbor", "neighbors"]);
    named(ui, &format!("sees {words}"), &neighbors, actions);
    if !enemies.is_empty() {
        named(ui, &sensed(enemies.len(), group.sense), &enemies, actions);
    }
    if !touching.is_empty() {
        named(ui, &format!("touches {}", units_of(touching.len())), &touching, actions);
    }
    if let Some(words) = near(&facts.obstacles, world) {
        fact(ui, words);
    }
    for words in remembered(facts) {
        fact(ui, words);
    }
}

/// A behavior: its name, its contribution before and after its gain, and its sparkline.
fn rule_of(
    ui: &mut Ui,
    at: usize,
    rule: &InspectedRule,
    limit: f32,
    view: &ViewState,
    actions: &mut Vec<Action>,
) {
    let color = color32(view.colors.rule(at));
    let name = RichText::new(&rule.name).color(theme::of(ui).legible(view.colors.rule(at)));
    let name = ui.link(name).on_hover_text("Show the script with the values of this step beside its lines");
    if name.clicked() {
        actions.push(ViewAction::OpenScript(at).into());
    }
    bar(ui, [rule.unweighted, rule.weighted], limit, color);
    match rule.idle() {
        Some(idle) => ui.label(RichText::new(idle).color(theme::of(ui).weak)),
        None => amount(ui, rule.weighted).on_hover_text(format!(
            "{} × gain {}",
            rounded(rule.unweighted.length()),
            rounded(rule.gain)
        )),
    };
    if is_wide(ui) {
        let (rect, _) = ui.allocate_exact_size(SPARK, Sense::hover());
        line(ui, rect, view.history.of_rule(at, &rule.name), color);
    }
}

fn is_wide(ui: &Ui) -> bool {
    ui.max_rect().width() >= WIDE
}

/// A force: its length and direction.
fn amount(ui: &mut Ui, force: Vec3) -> egui::Response {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
        if let Some(along) = force.truncate().try_normalize() {
            let along = vec2(along.x, -along.y) * 12.0;
            let stroke = Stroke::new(1.4, ui.visuals().text_color());
            ui.painter().arrow(rect.center() - along * 0.5, along, stroke);
        }
        ui.label(RichText::new(rounded(force.length())).monospace())
    })
    .inner
}

/// Bars of two forces: the first as an outline, the second filled. A mark shows the unit's limit.
fn bar(ui: &mut Ui, [outline, filled]: [Vec3; 2], limit: f32, color: Color32) {
    let size = if is_wide(ui) { BAR } else { vec2(SHORT_BAR, BAR.y) };
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let share = |force: Vec3| (force.length() / (limit * FULL).max(1e-6)).clamp(0.0, 1.0);
    let to = |share: f32| Rect::from_min_size(rect.min, vec2(rect.width() * share, rect.height()));
    let painter = ui.painter();
    painter.rect_filled(rect, 2.0, ui.visuals().extreme_bg_color);
    painter.rect_filled(to(share(filled)), 2.0, color);
    painter.rect_stroke(to(share(outline)), 2.0, Stroke::new(1.0, color), StrokeKind::Inside);
    let mark = rect.left() + rect.width() / FULL;
    painter.vline(mark, rect.y_range(), Stroke::new(1.0, ui.visuals().weak_text_color()));
}

/// A sparkline of finite values, scaled to their maximum. Returns the minimum (at most 0) and the maximum (above 0)
/// of the axis, and the first and the last time.
pub(super) fn line(
    ui: &Ui,
    rect: Rect,
    values: impl Iterator<Item = (f32, f32)> + Clone,
    color: Color32,
) -> Option<([f32; 2], [f32; 2])> {
    let ends = values.clone().map(|(_, value)| value);
    let (least, most) = ends.fold((0.0_f32, f32::MIN_POSITIVE), |(a, b), value| (a.min(value), b.max(value)));
    let (first, _) = values.clone().next()?;
    let (last, _) = values.clone().last()?;
    let place = |(time, value): (f32, f32)| {
        let x = (time - first) / (last - first).max(1e-6);
        let y = (value - least) / (most - least);
        pos2(rect.left() + x * rect.width(), rect.bottom() - y * rect.height())
    };
    let points = values.map(place).collect();
    ui.painter().add(Shape::line(points, Stroke::new(1.2, color)));
    Some(([least, most], [first, last]))
}

/// The effect of limits on the resultant, and the remaining forces on the unit.
fn force_balance(facts: &Inspection, limit: f32) -> Vec<String> {
    let forces = &facts.forces;
    let mut lines = Vec::new();
    let (requested, applied) = ((forces.steering + forces.keys).length(), forces.applied.length());
    if (forces.steering - facts.resultant).length() > 1e-3 * limit {
        lines.push(format!("limited by the budget to {}", rounded(forces.steering.length())));
    }
    if requested - applied > 1e-3 * limit {
        lines.push(format!("limited to {} of {}", rounded(applied), rounded(requested)));
    }
    let others = [("keys", forces.keys), ("thrust", forces.thrust), ("drag", forces.drag)];
    let others = others.into_iter().chain([("contacts changed the velocity by", facts.contact)]);
    let others = others.filter(|(_, force)| force.length() > 1e-6);
    lines.extend(others.map(|(name, force)| format!("{name} {}", rounded_vector(force))));
    lines
}

/// The two behaviors that cancel each other most, if they cancel a large share.
fn opposed(rules: &[InspectedRule]) -> Option<String> {
    let forces: Vec<Vec3> = rules.iter().map(|rule| rule.weighted).collect();
    let ([a, b], lost) = coloring::opposed(&forces)?;
    let share = lost / (forces[a].length() + forces[b].length()) * 100.0;
    Some(format!("{} and {} oppose each other: {share:.0} % cancels out", rules[a].name, rules[b].name))
}

/// A list of units: its description, and links to the first units.
fn named(ui: &mut Ui, words: &str, units: &[usize], actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(5.0, 1.0);
        fact(ui, if units.is_empty() { words.to_owned() } else { format!("{words}:") });
        for unit in units.iter().take(NAMED) {
            let name = RichText::new(unit.to_string()).monospace();
            if ui.link(name).clicked() {
                actions.push(ViewAction::Select(vec![*unit]).into());
            }
        }
        if units.len() > NAMED {
            fact(ui, "…");
        }
    });
}

/// The number of enemies within a distance.
fn sensed(count: usize, distance: f32) -> String {
    format!("{} within {}", counted(count, ["enemy", "enemies"]), rounded(distance))
}

/// The obstacles in view, each by its number in the scene, from 1, and its shape.
fn near(obstacles: &[usize], world: &World) -> Option<String> {
    let obstacle = |at: &usize| {
        let shape = world.obstacles.get(*at).map(|obstacle| obstacle.solid.name(world.arena.is_plane()));
        format!("{} ({})", at + 1, shape.unwrap_or("removed"))
    };
    let names: Vec<_> = obstacles.iter().take(NAMED).map(obstacle).collect();
    let noun = if names.len() == 1 { "obstacle" } else { "obstacles" };
    let more = if obstacles.len() > NAMED { " …" } else { "" };
    (!names.is_empty()).then(|| format!("near {noun} {}{more}", names.join(", ")))
}

/// Marks, signals, own parameters, memory and watched values of behaviors, one row each.
fn remembered(facts: &Inspection) -> Vec<String> {
    let mut lines = Vec::new();
    if !facts.marks.is_empty() {
        lines.push(format!("marked {}", facts.marks.join(", ")));
    }
    lines.extend(facts.signals.iter().map(|(name, value)| format!("signal {name} = {}", rounded(*value))));
    for rule in &facts.rules {
        let (memory, watches) = (rule.memory.iter(), rule.watches.iter());
        let drawn = rule.drawn.iter();
        lines.extend(drawn.map(|(name, value)| format!("{}: {name} = {value}", rule.name)));
        lines.extend(memory.map(|(name, value)| format!("{}: this.{name} = {value}", rule.name)));
        lines.extend(watches.map(|(name, value)| format!("{}: {name} = {value}", rule.name)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use steerbox_core::sim::Contribution;

    use super::*;
    use steerbox_scene as scene;

    fn rule(name: &str, weighted: Vec3) -> InspectedRule {
        InspectedRule {
            name: name.to_owned(),
            gain: 1.0,
            enabled: true,
            suspended: None,
            contribution: Contribution::Push(weighted),
            unweighted: weighted,
            weighted,
            call: None,
            watches: Vec::new(),
            memory: Vec::new(),
            drawn: Vec::new(),
        }
    }

    #[test]
    fn obstacles_have_a_number_and_a_shape_and_enemies_a_distance() {
        let text =
            "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()}, groups: [(name: \"a\", body: \"m\")],
            obstacles: [Circle(center: (50, 50), radius: 5), Box(center: (20, 20), size: (4, 4))])";
        let world = scene::build(&scene::read("a.ron", text).unwrap(), None);
        assert_eq!(near(&[], &world), None);
        assert_eq!(near(&[0], &world).as_deref(), Some("near obstacle 1 (Circle)"));
        assert_eq!(near(&[1, 0], &world).as_deref(), Some("near obstacles 2 (Box), 1 (Circle)"));
        assert_eq!([sensed(1, 400.0), sensed(48, 400.0)], ["1 enemy within 400", "48 enemies within 400"]);
    }

    #[test]
    fn units_nearly_at_rest_have_the_speed_0() {
        let words = [(8.25e-4, 6.0), (8.25e-4, 0.01), (8.25e-4, f32::INFINITY), (0.25, 6.0), (2.3, 6.0)];
        let words = words.map(|(speed, max)| short(speed, max));
        assert_eq!(words, ["0", "8.25e-4", "8.25e-4", "0.25", "2.3"]);
    }

    #[test]
    fn the_pair_that_cancels_most_is_named() {
        let rules = [rule("seek", Vec3::X * 8.0), rule("wander", Vec3::Y), rule("flee", Vec3::X * -7.9)];
        let words = opposed(&rules).unwrap();
        assert!(words.starts_with("seek and flee oppose each other: 99 %"), "{words}");
        assert_eq!(opposed(&rules[..2]), None);
        assert_eq!(opposed(&rules[..1]), None);
    }
}
