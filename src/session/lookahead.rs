//! Where units go as things are, kept some seconds ahead: after a save, only where they go from then on is left to be
//! found out.

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use glam::Vec3;
use rayon::ThreadPool;

use super::fork::unobserved;
use super::task::Task;
use crate::sim::Simulation;

/// Wall time that it may take to make a course: where steps take long, it looks less far.
const LONGEST: Duration = Duration::from_secs(1);
/// Looks in a row at which nothing had changed before a course is kept: inputs may come with every frame.
const CALM: u32 = 12;

/// Positions of a unit after 0, 1, 2 … steps, world units.
pub type Trajectory = Vec<Vec3>;

/// A copy of the simulation ahead of it, and the way of some units to there.
pub(super) struct Lookahead {
    simulation: Simulation,
    units: Vec<Option<usize>>,
    /// Of each unit, from the step on that the simulation has; empty for those that are not there.
    trajectories: Vec<VecDeque<Vec3>>,
    /// The first step of the courses.
    from: u64,
}

impl Lookahead {
    /// Not ahead yet. Units are given by their keys.
    pub(super) fn new(simulation: Simulation, keys: &[u64]) -> Self {
        let simulation = unobserved(simulation, false);
        let world = simulation.world();
        let all = &world.units.key;
        let units: Vec<_> = keys.iter().map(|key| all.iter().position(|other| other == key)).collect();
        let here = |unit: &Option<usize>| unit.and_then(|unit| world.units.position.get(unit)).copied();
        let trajectories = units.iter().map(|unit| here(unit).into_iter().collect()).collect();
        let from = world.steps;
        Self { simulation, units, trajectories, from }
    }

    /// Goes on until it is so many steps ahead of a step, unless that takes too long.
    #[must_use]
    pub(super) fn reach(mut self, from: u64, steps: u64, cancel: &AtomicBool) -> Self {
        let begin = Instant::now();
        for trajectory in &mut self.trajectories {
            trajectory.drain(..(from.saturating_sub(self.from) as usize).min(trajectory.len()));
        }
        self.from = self.from.max(from);
        while self.simulation.world().steps < from + steps {
            if begin.elapsed() > LONGEST || !self.simulation.try_step(cancel) {
                break;
            }
            let positions = &self.simulation.world().units.position;
            for (trajectory, unit) in self.trajectories.iter_mut().zip(&self.units) {
                trajectory.extend(unit.and_then(|unit| positions.get(unit)));
            }
        }
        self
    }

    pub(super) fn trajectories(self) -> Vec<Trajectory> {
        self.trajectories.into_iter().map(Trajectory::from).collect()
    }
}

/// What is kept ahead of a simulation.
#[derive(Default)]
pub(super) struct LookaheadCache {
    /// Of which units, and after how many changes of the simulation.
    keys: Vec<u64>,
    changes: u64,
    /// Looks since the last change.
    calm: u32,
    ready: Option<Lookahead>,
    /// The task that extends it.
    running: Option<Task<Lookahead>>,
}

impl LookaheadCache {
    /// Keeps these units so many steps ahead, on threads of `pool`. `changes` tells how often anything but its steps
    /// changed the simulation.
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
        self.calm += u32::from(self.calm < CALM);
        if self.calm < CALM {
            return;
        }
        if let Some(done) = Task::take(&mut self.running, Duration::ZERO) {
            self.ready = done;
        }
        let from = simulation.world().steps;
        if self.running.is_some() || self.ready.as_ref().is_some_and(|ahead| ahead.from == from) {
            return;
        }
        let ahead = self.ready.take().unwrap_or_else(|| Lookahead::new(simulation.clone(), keys));
        self.running = Some(Task::spawn(pool, move |cancel| ahead.reach(from, steps, cancel)));
    }

    /// What is kept of these units after so many changes, if anything; waits for it.
    pub(super) fn take(
        &mut self,
        changes: u64,
        keys: &[u64],
    ) -> Option<impl FnOnce() -> Option<Lookahead> + use<>> {
        let is_of = self.is_of(changes, keys);
        let Self { ready, running, .. } = std::mem::take(self);
        is_of.then_some(move || ready.or_else(|| running?.wait(LONGEST)?))
    }

    /// Whether anything is kept of these units after so many changes.
    pub(super) fn is_of(&self, changes: u64, keys: &[u64]) -> bool {
        (self.ready.is_some() || self.running.is_some()) && self.changes == changes && self.keys == keys
    }
}
