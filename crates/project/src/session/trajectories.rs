//! Trajectories of units over the next steps.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use glam::Vec3;
use steerbox_core::sim::Simulation;

use super::fork::unobserved;

/// Positions of a unit after 0, 1, 2 … steps, world units.
pub type Trajectory = Vec<Vec3>;

/// A copy of the simulation that is ahead of it, and the trajectories of some units up to there.
pub(super) struct Ahead {
    simulation: Simulation,
    /// The keys of the units with their present indices; those of dead units are past the end.
    units: Vec<(u64, usize)>,
    /// Trajectories by unit; empty for units that do not exist.
    trajectories: Vec<Trajectory>,
    /// The step at its end.
    end: u64,
}

impl Ahead {
    /// Creates a copy that is not ahead yet, for the units with these keys and a number of steps.
    pub(super) fn new(simulation: Simulation, keys: &[u64], steps: u64) -> Self {
        let simulation = unobserved(simulation, false);
        let world = simulation.world();
        let units: Vec<_> = keys.iter().map(|key| (*key, world.units.index_of(*key, 0))).collect();
        let here = |(_, unit): &(u64, usize)| world.units.position.get(*unit).copied();
        let trajectories = units.iter().map(|unit| here(unit).into_iter().collect()).collect();
        let end = world.steps + steps;
        Self { simulation, units, trajectories, end }
    }

    /// Makes steps until the end, or until the wall time `limit` is reached.
    pub(super) fn advance(&mut self, limit: Duration, cancel: &AtomicBool) {
        let begin = Instant::now();
        while self.is_partial() {
            if begin.elapsed() > limit || !self.simulation.try_step(cancel) {
                break;
            }
            let units = &self.simulation.world().units;
            for (trajectory, (key, unit)) in self.trajectories.iter_mut().zip(&mut self.units) {
                *unit = units.index_of(*key, *unit);
                trajectory.extend(units.position.get(*unit));
            }
        }
    }

    /// Returns true if steps are left.
    pub(super) fn is_partial(&self) -> bool {
        self.simulation.world().steps < self.end
    }

    pub(super) fn trajectories(&self) -> &[Trajectory] {
        &self.trajectories
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reload::{Loader, Place, Texts};

    #[test]
    fn trajectories_follow_units_by_key_until_they_die() {
        let scene = "(world: Plane(size: (90, 60), edges: Open), bodies: {\"m\": Mover()},
            groups: [(name: \"a\", body: \"m\", count: 3, behaviors: [(script: \"own\")])])";
        let own = "fn steer(me, world) { if world.time > 0.04 && me.id == 0 { me.die(); } vec(1, 0) }";
        let texts = Texts { name: "a.ron".to_owned(), scene: scene.to_owned(), ..Texts::default() };
        let texts = Texts { scripts: [("own".to_owned(), own.to_owned())].into(), ..texts };
        let (_, generation) = Loader::load(Place::of_texts(texts), Vec::new()).expect("a scene");
        let mut simulation = generation.start(None);
        let keys = simulation.world().units.key.clone();
        let mut ahead = Ahead::new(simulation.clone(), &keys, 4);
        ahead.advance(Duration::MAX, &AtomicBool::new(false));
        (0..4).for_each(|_| simulation.step());
        // One unit dies after step 4.
        assert_eq!(simulation.world().units.key, keys[1..]);
        let [dead, second, third] = ahead.trajectories() else { panic!("three units") };
        assert_eq!((dead.len(), second.len(), third.len()), (4, 5, 5));
        let last = [second.last(), third.last()].map(|place| *place.unwrap());
        assert_eq!(last[..], simulation.world().units.position[..]);
    }
}
