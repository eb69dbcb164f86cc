//! Values shown by the colors of units in place of the scene's looks, and behaviors that oppose
//! each other.

use std::collections::BTreeMap;

use glam::Vec3;
use steerbox_core::sim::{DecidedStep, Simulation, use_names};
use steerbox_core::world::World;
use steerbox_scene::{ColorBy, Scene};

use super::picture::vectors::shares_of_force;

/// Maximum number of units that are sampled for the behaviors that oppose each other.
const SAMPLED: usize = 2000;
/// Minimum canceled share of two contributions that counts as opposition.
const OPPOSED: f32 = 0.5;

/// Everything that colors can show in a scene: signals with the bounds of a look of the scene, or
/// otherwise from 0 to 1.
pub fn choices(scene: &Scene, world: &World) -> Vec<ColorBy> {
    let signal = |name: &String| {
        let looks = scene.groups.iter().filter_map(|group| group.look.color_by.clone());
        let own = looks.into_iter().find(|of| matches!(of, ColorBy::Signal { name: of, .. } if of == name));
        own.unwrap_or(ColorBy::Signal { name: name.clone(), from: 0.0, to: 1.0 })
    };
    let usual = [ColorBy::Disagreement, ColorBy::Speed, ColorBy::TurnRate, ColorBy::Neighbors];
    usual.into_iter().chain(world.signals.all().iter().map(signal)).collect()
}

/// The next choice after `shown`: all choices in turn, then `None` for the scene's looks.
pub fn after(shown: Option<&ColorBy>, choices: &[ColorBy]) -> Option<ColorBy> {
    let next = shown.map_or(0, |shown| choices.iter().take_while(|of| *of != shown).count() + 1);
    choices.get(next).cloned()
}

/// The name of the value that colors show, and the labels of its minimum and maximum.
pub fn words(shown: &ColorBy) -> (String, [String; 2]) {
    let ends = |from: &str, to: &str| [from.to_owned(), to.to_owned()];
    match shown {
        ColorBy::Speed => ("speed".to_owned(), ends("0", "top speed")),
        ColorBy::TurnRate => ("turn rate".to_owned(), ends("0", "180°/s")),
        ColorBy::Neighbors => ("neighbors".to_owned(), ends("0", &ColorBy::NEIGHBORS.to_string())),
        ColorBy::Disagreement => ("disagreement".to_owned(), ends("0", "100 %")),
        ColorBy::Signal { name, from, to } => (format!("signal {name}"), [from.to_string(), to.to_string()]),
    }
}

/// The pair of a group's behaviors that oppose each other in most units.
#[derive(Debug, PartialEq)]
struct OpposedPair {
    group: usize,
    /// Their indices in the group.
    behaviors: [usize; 2],
    /// Share of the group's units in which this pair cancels more than any other pair.
    share: f32,
    /// The unit in which this pair cancels most.
    unit: usize,
}

/// A message that names the two rules that oppose each other in most units, and the unit in which they cancel most.
/// If the shown state has no stored decisions, the message states that.
pub fn disagreement(simulation: &Simulation) -> (String, Option<usize>) {
    let step = match simulation.decided() {
        DecidedStep::Unknown => return ("computed with the next step".to_owned(), None),
        DecidedStep::Last => "",
        DecidedStep::Next => " in the next step",
    };
    let Some(OpposedPair { group, behaviors, share, unit }) = most_opposed(simulation) else {
        return (format!("no two rules oppose each other{step}"), None);
    };
    let names = use_names(simulation.slots(group));
    let [one, other] = behaviors.map(|at| names.get(at).map_or("", |name| name));
    let group = &simulation.world().groups[group].name;
    (format!("{one} and {other} oppose each other in {:.0} % of {group}{step}", share * 100.0), Some(unit))
}

/// The pair that opposes each other in the largest share of a group's units, by the stored decisions.
fn most_opposed(simulation: &Simulation) -> Option<OpposedPair> {
    let world = simulation.world();
    let every = world.units.len().div_ceil(SAMPLED).max(1);
    let mut pairs: BTreeMap<(usize, [usize; 2]), (usize, f32, usize)> = BTreeMap::new();
    let mut counts = vec![0_usize; world.groups.len()];
    let mut forces = Vec::new();
    for unit in (0..world.units.len()).step_by(every) {
        let group = world.units.group[unit] as usize;
        counts[group] += 1;
        forces.clear();
        forces.extend(shares_of_force(simulation, unit));
        if let Some((behaviors, lost)) = opposed(&forces) {
            let (count, most, at) = pairs.entry((group, behaviors)).or_insert((0, 0.0, unit));
            *count += 1;
            if lost > *most {
                (*most, *at) = (lost, unit);
            }
        }
    }
    let share = |group: usize, count: usize| count as f32 / counts[group].max(1) as f32;
    let pairs = pairs.into_iter().map(|((group, behaviors), (count, _, unit))| OpposedPair {
        group,
        behaviors,
        share: share(group, count),
        unit,
    });
    pairs.max_by(|a, b| a.share.total_cmp(&b.share))
}

/// The two forces that cancel each other most, and the length that is lost, if that is more than half of
/// both.
pub fn opposed(forces: &[Vec3]) -> Option<([usize; 2], f32)> {
    let mut worst: Option<([usize; 2], f32, f32)> = None;
    for (first, a) in forces.iter().enumerate() {
        for (second, b) in forces.iter().enumerate().skip(first + 1) {
            let both = a.length() + b.length();
            let lost = both - (*a + *b).length();
            if worst.is_none_or(|(_, most, _)| lost > most) {
                worst = Some(([first, second], lost, both));
            }
        }
    }
    let (pair, lost, both) = worst?;
    (lost > OPPOSED * both).then_some((pair, lost))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use steerbox_core::sim::{Contribution, Slot, UnitContext};

    use super::*;
    use steerbox_scene as scene;

    #[test]
    fn the_pair_that_cancels_most_is_named() {
        let forces = [Vec3::X * 8.0, Vec3::Y, Vec3::X * -7.9];
        let (pair, lost) = opposed(&forces).unwrap();
        assert!(pair == [0, 2] && (lost - 15.8).abs() < 1e-4, "{pair:?} {lost}");
        assert_eq!(opposed(&forces[..2]), None);
        assert_eq!(opposed(&forces[..1]), None);
        assert_eq!(opposed(&[Vec3::ZERO, Vec3::ZERO]), None);
    }

    #[test]
    fn the_pair_that_opposes_each_other_in_most_units_is_found_with_its_worst_unit() {
        let text = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover(max_velocity_change: 4)},
            groups: [(name: \"a\", body: \"m\", count: 3), (name: \"b\", body: \"m\", count: 8)])";
        let scene = scene::read("a.ron", text).unwrap();
        let world = scene::build(&scene, None);
        let push = |key: u64, of: fn(usize) -> f32| {
            let push = move |context: &mut UnitContext| Contribution::Push(Vec3::X * of(context.unit()));
            Slot::new("push", key, Some(Arc::new(push)))
        };
        // In group b, the odd units are pulled to both sides; two of the eight lose more than half of the pull.
        let by = |unit: usize| if unit % 2 == 1 { -(unit as f32) } else { 1.0 };
        let slots = vec![vec![], vec![push(1, |_| 0.1), push(2, |_| 20.0), push(3, by)]];
        let mut simulation = Simulation::new(world, slots);
        let unknown = ("computed with the next step".to_owned(), None);
        assert_eq!(disagreement(&simulation), unknown);
        simulation.step();
        let words = "push#2 and push#3 oppose each other in 25 % of b";
        assert_eq!(disagreement(&simulation), (words.to_owned(), Some(9)));
        let found = most_opposed(&simulation);
        assert_eq!(found, Some(OpposedPair { group: 1, behaviors: [1, 2], share: 0.25, unit: 9 }));
    }

    #[test]
    fn choices_cycle_and_end_with_the_scene() {
        let text =
            "(world: Plane(size: (9, 9)), bodies: {\"m\": Mover()}, groups: [(name: \"a\", body: \"m\",
            look: (color_by: Signal(\"fear\", from: 2, to: 3)))])";
        let scene = scene::read("a.ron", text).unwrap();
        let mut world = scene::build(&scene, None);
        world.name_signals(&["fear".to_owned(), "joy".to_owned()]);
        let all = choices(&scene, &world);
        let mut shown = None;
        for choice in &all {
            shown = after(shown.as_ref(), &all);
            assert_eq!(shown.as_ref(), Some(choice));
        }
        assert_eq!(after(shown.as_ref(), &all), None);
        let names: Vec<_> = all.iter().map(|shown| words(shown).0).collect();
        assert_eq!(names, ["disagreement", "speed", "turn rate", "neighbors", "signal fear", "signal joy"]);
        assert_eq!(words(&all[4]).1, ["2", "3"]);
    }
}
