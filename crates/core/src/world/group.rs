//! Groups: the properties that all units of a group share.

use std::ops::Range;

use super::body::{Body, BodyDraw};

/// A group of units with one body, one view and one set of masks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Its unique name in the scene.
    pub name: String,
    /// The body of its units; the means of numbers that differ by unit.
    pub body: Body,
    /// The numbers of the body that differ by unit.
    pub drawn: Vec<BodyDraw>,
    /// The kinds of its units, as a mask.
    pub kinds: u64,
    /// Kinds whose units are neighbors in addition to its own units.
    pub friends: u64,
    /// Kinds whose units are enemies.
    pub enemies: u64,
    /// Index of its view in the world's views; units of a group without a view have no neighbors.
    pub view: Option<usize>,
    /// Sense range for enemies, exclusive.
    pub sense: f32,
    /// Index of the path that its units follow, in the world's paths.
    pub path: Option<usize>,
    /// Index of the flow field that its units follow, in the world's flow fields.
    pub flow: Option<usize>,
    /// Blending of contributions to one steering.
    pub blend: Blend,
    /// The number of units from which on none is born; `None` if none is ever born.
    pub most: Option<usize>,
    /// The indices of its units.
    pub units: Range<usize>,
}

impl Group {
    /// Returns the body of the unit with a key, in a world with this seed.
    pub fn body_of(&self, seed: u64, unit: u64) -> Body {
        let mut body = self.body;
        self.drawn.iter().for_each(|drawn| drawn.apply(&mut body, seed, unit));
        body
    }
}

/// Blending: the rule that combines the contributions to a unit, times their gains, into one steering.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Blend {
    /// The sum.
    #[default]
    Sum,
    /// Contributions are added in the order of the behaviors until the budget is spent. The one that exceeds it is
    /// truncated and later ones are dropped. C. W. Reynolds, "Flocks, herds, and schools", SIGGRAPH 1987.
    Priority {
        /// In steering forces, above zero: a turn consumes its length, a push its length divided by the steering force.
        budget: f32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{BodyNumber, Distribution, Mover, World, unit_key};

    #[test]
    fn bodies_are_drawn_by_key_and_shared_where_none_differ() {
        let normal = Distribution::Normal { mean: 2.0, deviation: 1.0 };
        let draw = |name: &str, number| BodyDraw::new(name, number, normal.clone());
        let group = |drawn: Vec<BodyDraw>| Group { drawn, units: 0..200, ..Group::default() };
        let world = |group: Group, seed| {
            let mut world = World { groups: vec![group], seed, ..World::default() };
            for at in 0..200 {
                let axes = (glam::Vec3::X, glam::Vec3::Z);
                let zero = glam::Vec3::ZERO;
                world.units.push(zero, zero, axes, 0, unit_key("a", at));
            }
            world.fit_bodies();
            world
        };
        let lengths = |world: &World| (0..200).map(|unit| world.body_of(unit).length()).collect::<Vec<_>>();
        let both = [draw("length", BodyNumber::Length), draw("max_speed", BodyNumber::MaxSpeed)];
        let one = world(group(both[..1].to_vec()), 3);
        // Neither other numbers nor their order change it.
        let turned = both.iter().rev().cloned().collect();
        assert_eq!(lengths(&one), lengths(&world(group(turned), 3)));
        assert_ne!(lengths(&one), lengths(&world(group(both[..1].to_vec()), 4)));
        assert!(lengths(&one).iter().all(|length| (0.02..9.0).contains(length)));
        assert!(lengths(&one).contains(&0.02));
        assert!((0..200).all(|unit| one.body_of(unit).max_speed() == Mover::default().max_speed));
        let same = world(group(Vec::new()), 3);
        assert!(same.bodies.is_empty() && lengths(&same) == [1.0; 200]);
    }
}
