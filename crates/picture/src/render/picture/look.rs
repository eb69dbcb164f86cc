//! The look of units: color by mark, by value, or by group.

use std::sync::Arc;

use glam::Vec3;
use steerbox_core::perception::{List, Source};
use steerbox_core::sim::{DecidedStep, Frozen, Simulation, UnitContext};
use steerbox_core::world::{Body, World};
use steerbox_scene::{Color, ColorBy, Look};

use super::Picture;
use super::vectors::shares_of_force;

/// The source of a unit's color.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tint {
    /// The color of its group.
    Group,
    /// A mark, by its index in the look of the group.
    Mark(usize),
    /// A value as a share of its range, not limited to 0 to 1.
    Value(f32),
}

impl<C> Picture<'_, C> {
    /// Returns the look of a group.
    pub fn look(&self, group: usize) -> Option<&Look> {
        self.scene.groups.get(group).map(|group| &group.look)
    }

    /// A unit's color, from its source.
    pub(super) fn color_of(&self, unit: usize, look: &Look) -> Color {
        let group = self.simulation.world().units.group[unit] as usize;
        match self.tint_of(unit, look) {
            Tint::Group => self.colors.group(group),
            Tint::Mark(place) => self.colors.mark(group, place),
            Tint::Value(share) => self.palette().of_share(share),
        }
    }

    /// The source of a unit's color: the value that the user chose, else the first of its marks that has a color, else
    /// its group's look.
    pub fn tint_of(&self, unit: usize, look: &Look) -> Tint {
        let of_value = |shown: &ColorBy| Tint::Value(self.share(unit, shown));
        if let Some(shown) = self.color_by.filter(|shown| self.has_value(shown)) {
            return of_value(shown);
        }
        let world = self.simulation.world();
        let marks = world.units.marks[unit];
        let mut named = look.marks.iter();
        let is_set = |name: &str| world.marks.bit(name).is_some_and(|bit| marks & bit != 0);
        if let Some(place) = named.position(|(name, _)| is_set(name)) {
            return Tint::Mark(place);
        }
        let shown = look.color_by.as_ref().filter(|shown| self.has_value(shown));
        shown.map_or(Tint::Group, of_value)
    }

    /// True if the value is known for the shown state.
    fn has_value(&self, shown: &ColorBy) -> bool {
        *shown != ColorBy::Disagreement || self.simulation.decided() != DecidedStep::Unknown
    }

    /// The value of a color as a share, from its minimum, 0, to its maximum, 1.
    fn share(&self, unit: usize, shown: &ColorBy) -> f32 {
        let world = self.simulation.world();
        match shown {
            ColorBy::Speed => world.units.velocity[unit].length() / world.body_of(unit).max_speed(),
            ColorBy::TurnRate => turn_rate(self.simulation, unit) / ColorBy::TURN_RATE,
            ColorBy::Neighbors => {
                let counts = self.neighbors.get_or_init(|| neighbor_counts(world));
                counts[unit] as f32 / ColorBy::NEIGHBORS
            }
            ColorBy::Disagreement => disagreement(self.simulation, unit),
            ColorBy::Signal { name, from, to } => (signal(world, unit, name) - from) / (to - from),
        }
    }
}

/// The share of the contributions of a unit's behaviors, times gains, that cancels out; 0 without contributions.
fn disagreement(simulation: &Simulation, unit: usize) -> f32 {
    let shares = shares_of_force(simulation, unit);
    let (sum, all) = shares.fold((Vec3::ZERO, 0.0), |(sum, all), share| (sum + share, all + share.length()));
    if all > 0.0 { 1.0 - sum.length() / all } else { 0.0 }
}

/// The value of a signal of a unit, 0 where it was never set.
fn signal(world: &World, unit: usize, name: &str) -> f32 {
    let slot = world.signals.index(name);
    slot.map_or(0.0, |slot| world.units.signals.get(unit, slot))
}

/// Radians per second. A mover turns with its velocity, by the steering of the last step, or else of the next.
fn turn_rate(simulation: &Simulation, unit: usize) -> f32 {
    let world = simulation.world();
    let Body::Mover(body) = world.group_of(unit).body else {
        return world.units.angular_velocity[unit].length();
    };
    let change =
        shares_of_force(simulation, unit).sum::<Vec3>().clamp_length_max(1.0) * body.max_velocity_change;
    let velocity = world.units.velocity[unit];
    let [before, after] = match simulation.decided() {
        DecidedStep::Next => [velocity, velocity + change],
        _ => [velocity - change, velocity],
    };
    if after == Vec3::ZERO || before == Vec3::ZERO {
        return 0.0;
    }
    after.angle_between(before) / world.step
}

fn neighbor_counts(world: &World) -> Vec<u32> {
    const ALL: List = List { source: Source::Neighbors, within: f32::INFINITY };
    let mut frozen = Frozen::new(world.clone());
    frozen.sort();
    let mut context = UnitContext::new(Arc::new(frozen));
    let count = |unit: usize| {
        context.set_unit(unit);
        context.count(ALL) as u32
    };
    (0..world.units.len()).map(count).collect()
}

#[cfg(test)]
mod tests {
    use steerbox_core::sim::{Contribution, Slot};

    use super::*;
    use crate::render::theme::{DARK, SceneColors};
    use steerbox_scene as scene;

    /// The colors of a scene's units after a step with `contribution`; the second unit is marked.
    fn colors(look: &str, contribution: Contribution) -> Vec<Color> {
        colors_of(look, &[contribution])
    }

    /// The same with a behavior for each contribution.
    fn colors_of(look: &str, contributions: &[Contribution]) -> Vec<Color> {
        let text = format!(
            "(world: Plane(size: (100, 100)), step: 0.1, views: {{\"near\": Around(radius: 5)}},
            bodies: {{\"m\": Mover(max_speed: 8, max_velocity_change: 4)}},
            groups: [(name: \"a\", body: \"m\", view: \"near\", look: ({look}),
                spawn: At([(position: (50, 50), velocity: (4, 0)), (position: (52, 50))]))])"
        );
        let scene = scene::read("a.ron", &text).unwrap();
        let mut world = scene::build(&scene, None);
        let marked = world.marks.intern("marked").unwrap();
        world.name_signals(&["fear".to_owned()]);
        world.units.signals.of_units_mut(0..1)[0] = 0.5;
        let slots = contributions.iter().enumerate().map(|(at, contribution)| {
            let contribution = *contribution;
            let behavior = move |context: &mut UnitContext| {
                context.mark(if context.unit() == 1 { marked } else { 0 });
                contribution
            };
            Slot::new("s", at as u64, Some(Arc::new(behavior)))
        });
        let slots = vec![slots.collect()];
        let mut simulation = Simulation::new(world, slots);
        simulation.step();
        let colors = SceneColors::new(&scene, &DARK);
        let picture = Picture::new(&scene, &simulation, &(), &colors);
        let look = picture.look(0).unwrap();
        (0..2).map(|unit| picture.color_of(unit, look)).collect()
    }

    #[test]
    fn colors_show_values_unless_a_mark_has_a_color() {
        let of = |share: f32| DARK.world.of_share(share);
        let red = Color::rgb(255, 0, 0);
        let idle = |look: &str| colors(look, Contribution::None);
        assert_eq!(idle("color_by: Speed"), [of(0.5), of(0.0)]);
        assert_eq!(idle("color_by: Neighbors"), [of(0.05), of(0.05)]);
        let signal = |name: &str| format!("color_by: Signal(\"{name}\", from: -1, to: 1)");
        assert_eq!(idle(&signal("fear")), [of(0.75), of(0.5)]);
        assert_eq!(idle(&signal("calm")), [of(0.5), of(0.5)]);
        assert_eq!(idle("color_by: Speed, marks: {\"marked\": \"red\"}"), [of(0.5), red]);
        assert_eq!(idle("color: \"red\""), [red, red]);
        let push = |x: f32| Contribution::Push(Vec3::X * x);
        let opposed = |pushes: &[Contribution]| colors_of("color_by: Disagreement", pushes)[0];
        assert_eq!(opposed(&[push(2.0), push(1.0)]), of(0.0));
        assert_eq!(opposed(&[push(2.0), push(-2.0)]), of(1.0));
        assert_eq!(opposed(&[push(3.0), push(-1.0), Contribution::None]), of(0.5));
        assert_eq!(opposed(&[Contribution::None]), of(0.0));
        // From (4, 0) to (4, 0.5) in a tenth of a second.
        let turning = colors("color_by: TurnRate", Contribution::Push(Vec3::Y * 0.5));
        let rate = libm::atan2f(0.5, 4.0) / 0.1;
        assert_eq!(turning, [of(rate / ColorBy::TURN_RATE), of(0.0)]);
    }
}
