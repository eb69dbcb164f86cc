//! Trajectories of units by the present rules, computed some seconds ahead: after a save, a preview then only needs
//! those by the new rules.
//! All processors can then compute the new ones. Any input makes the trajectories invalid.

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use glam::Vec3;
use rayon::ThreadPool;
use steerbox_core::sim::Simulation;

use super::fork::unobserved;
use super::task::Task;

/// Wall time limit of one extension. Where steps take long, the trajectories are shorter.
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(1);
/// Consecutive updates without a change before the computation starts: inputs may arrive with every frame.
const QUIET_UPDATES: u32 = 12;

/// Positions of a unit after 0, 1, 2 … steps, world units.
pub type Trajectory = Vec<Vec3>;

/// A copy of the simulation that is ahead of it, and the trajectories of some units up to there.
pub(super) struct Lookahead {
    simulation: Simulation,
    /// The keys of the units with their present indices; those of dead units are past the end.
    units: Vec<(u64, usize)>,
    /// Trajectories by unit, from step `from` on; empty for units that do not exist.
    trajectories: Vec<VecDeque<Vec3>>,
    /// First step of the trajectories.
    from: u64,
}

impl Lookahead {
    /// Creates a copy that is not ahead yet, for the units with these keys.
    pub(super) fn new(simulation: Simulation, keys: &[u64]) -> Self {
        let simulation = unobserved(simulation, false);
        let world = simulation.world();
        let units: Vec<_> = keys.iter().map(|key| (*key, world.units.index_of(*key, 0))).collect();
        let here = |(_, unit): &(u64, usize)| world.units.position.get(*unit).copied();
        let trajectories = units.iter().map(|unit| here(unit).into_iter().collect()).collect();
        let from = world.steps;
        Self { simulation, units, trajectories, from }
    }

    /// Makes steps until the copy is `steps` ahead of step `from`, or the wall time `limit` is reached.
    pub(super) fn reach(&mut self, from: u64, steps: u64, limit: Duration, cancel: &AtomicBool) {
        let begin = Instant::now();
        for trajectory in &mut self.trajectories {
            trajectory.drain(..(from.saturating_sub(self.from) as usize).min(trajectory.len()));
        }
        self.from = self.from.max(from);
        while self.simulation.world().steps < from + steps {
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

    /// Returns the number of steps from step `from` to the end of the trajectories.
    pub(super) fn steps_after(&self, from: u64) -> u64 {
        self.simulation.world().steps.saturating_sub(from)
    }

    pub(super) fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    pub(super) fn trajectories(&self) -> Vec<Trajectory> {
        self.trajectories.iter().map(|trajectory| trajectory.iter().copied().collect()).collect()
    }
}

/// The lookahead of the previewed units, valid until the simulation changes.
#[derive(Default)]
pub(super) struct LookaheadCache {
    /// Keys of the units.
    keys: Vec<u64>,
    changes: u64,
    /// Updates since the last change.
    quiet: u32,
    ready: Option<Box<Lookahead>>,
    /// Task that extends the lookahead.
    running: Option<Task<Lookahead>>,
}

impl LookaheadCache {
    /// Extends the lookahead of these units to `steps` steps, on threads of `pool`. `changes` counts everything but
    /// steps that changed the simulation.
    pub(super) fn update(
        &mut self,
        simulation: &Simulation,
        changes: u64,
        keys: &[u64],
        steps: u64,
        pool: &ThreadPool,
    ) {
        if self.changes != changes || self.keys != keys {
            *self = Self { keys: keys.to_vec(), changes, ..Self::default() };
        }
        self.quiet += u32::from(self.quiet < QUIET_UPDATES);
        if self.quiet < QUIET_UPDATES {
            return;
        }
        if let Some(done) = Task::take(&mut self.running, Duration::ZERO) {
            self.ready = done.ok().map(Box::new);
        }
        let from = simulation.world().steps;
        if self.running.is_some() || self.ready.as_ref().is_some_and(|ahead| ahead.from == from) {
            return;
        }
        let ready = self.ready.take().map(|ready| *ready);
        let mut ahead = ready.unwrap_or_else(|| Lookahead::new(simulation.clone(), keys));
        self.running = Some(Task::spawn(pool, move |cancel| {
            ahead.reach(from, steps, TIME_LIMIT, cancel);
            ahead
        }));
    }

    /// Returns a closure that waits for the lookahead; `None` if there is none for these units and this number of
    /// changes.
    pub(super) fn take(
        &mut self,
        changes: u64,
        keys: &[u64],
    ) -> Option<impl FnOnce() -> Option<Lookahead> + use<>> {
        let is_valid = self.is_valid_for(changes, keys);
        let Self { ready, running, .. } = std::mem::take(self);
        is_valid.then_some(move || ready.map(|ready| *ready).or_else(|| running?.wait(TIME_LIMIT)?.ok()))
    }

    /// Returns true if there is a lookahead for these units and this number of changes.
    pub(super) fn is_valid_for(&self, changes: u64, keys: &[u64]) -> bool {
        (self.ready.is_some() || self.running.is_some()) && self.changes == changes && self.keys == keys
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
        let mut ahead = Lookahead::new(simulation.clone(), &keys);
        ahead.reach(0, 4, Duration::MAX, &AtomicBool::new(false));
        (0..4).for_each(|_| simulation.step());
        // One unit dies after step 4.
        assert_eq!(simulation.world().units.key, keys[1..]);
        let [dead, second, third] = &ahead.trajectories()[..] else { panic!("three units") };
        assert_eq!((dead.len(), second.len(), third.len()), (4, 5, 5));
        let last = [second.last(), third.last()].map(|place| *place.unwrap());
        assert_eq!(last[..], simulation.world().units.position[..]);
    }
}
