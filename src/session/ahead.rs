//! Where units go as things are, kept some seconds ahead: after a save, only where they go from then on is left to be
//! found out.
//!
//! A preview compares trajectories under the old and the new rules. The old ones are computed before the save, five
//! seconds ahead in small scenes, so that all processors can compute the new ones. Any input makes them invalid.

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use glam::Vec3;
use rayon::ThreadPool;

use super::task::Task;
use crate::sim::Simulation;

/// Wall time that it may take to make a course: where steps take long, it looks less far.
const LONGEST: Duration = Duration::from_secs(1);
/// Looks in a row at which nothing had changed before a course is kept: inputs may come with every frame.
const CALM: u32 = 12;

/// Positions of a unit after 0, 1, 2 … steps, world units.
pub type Course = Vec<Vec3>;

/// A copy of the simulation ahead of it, and the way of some units to there.
pub(super) struct Ahead {
    simulation: Simulation,
    units: Vec<Option<usize>>,
    /// Of each unit, from the step on that the simulation has; empty for those that are not there.
    courses: Vec<VecDeque<Vec3>>,
    /// The first step of the courses.
    from: u64,
}

impl Ahead {
    /// Not ahead yet. Units are given by their keys.
    pub(super) fn new(mut simulation: Simulation, keys: &[u64]) -> Self {
        (simulation.drawing, simulation.watching, simulation.costing) = (false, false, false);
        let world = simulation.world();
        let all = &world.units.key;
        let units: Vec<_> = keys.iter().map(|key| all.iter().position(|other| other == key)).collect();
        let here = |unit: &Option<usize>| unit.and_then(|unit| world.units.position.get(unit)).copied();
        let courses = units.iter().map(|unit| here(unit).into_iter().collect()).collect();
        let from = world.steps;
        Self { simulation, units, courses, from }
    }

    /// Goes on until it is so many steps ahead of a step, unless that takes too long.
    #[must_use]
    pub(super) fn reach(mut self, from: u64, steps: u64, cancel: &AtomicBool) -> Self {
        let begin = Instant::now();
        for course in &mut self.courses {
            course.drain(..(from.saturating_sub(self.from) as usize).min(course.len()));
        }
        self.from = self.from.max(from);
        while self.simulation.world().steps < from + steps {
            if begin.elapsed() > LONGEST || !self.simulation.try_step(cancel) {
                break;
            }
            let positions = &self.simulation.world().units.position;
            for (course, unit) in self.courses.iter_mut().zip(&self.units) {
                course.extend(unit.and_then(|unit| positions.get(unit)));
            }
        }
        self
    }

    pub(super) fn courses(self) -> Vec<Course> {
        self.courses.into_iter().map(Course::from).collect()
    }
}

/// What is kept ahead of a simulation.
#[derive(Default)]
pub(super) struct KeptAhead {
    /// Of which units, and after how many changes of the simulation.
    keys: Vec<u64>,
    changes: u64,
    /// Looks since the last change.
    calm: u32,
    state: Option<State>,
}

enum State {
    Here(Box<Ahead>),
    Busy(Task<Ahead>),
}

impl KeptAhead {
    /// Keeps these units so many steps ahead, on threads of `pool`. `changes` tells how often anything but its steps
    /// changed the simulation.
    pub(super) fn keep_up(
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
        if let Some(State::Busy(task)) = &self.state {
            match task.wait(Duration::ZERO) {
                Ok(ahead) => self.state = Some(State::Here(Box::new(ahead))),
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => self.state = None,
            }
        }
        let from = simulation.world().steps;
        let ahead = match self.state.take() {
            Some(State::Here(ahead)) if ahead.from == from => {
                self.state = Some(State::Here(ahead));
                return;
            }
            Some(State::Here(ahead)) => *ahead,
            _ => Ahead::new(simulation.clone(), keys),
        };
        self.state = Some(State::Busy(Task::spawn(pool, move |cancel| ahead.reach(from, steps, cancel))));
    }

    /// What is kept of these units after so many changes, if anything; waits for it.
    pub(super) fn take(
        &mut self,
        changes: u64,
        keys: &[u64],
    ) -> Option<impl FnOnce() -> Option<Ahead> + use<>> {
        let is_of = self.is_of(changes, keys);
        let state = std::mem::take(self).state.filter(|_| is_of)?;
        Some(move || match state {
            State::Here(ahead) => Some(*ahead),
            State::Busy(task) => task.wait(LONGEST).ok(),
        })
    }

    /// Whether anything is kept of these units after so many changes.
    pub(super) fn is_of(&self, changes: u64, keys: &[u64]) -> bool {
        self.state.is_some() && self.changes == changes && self.keys == keys
    }
}
