//! Contacts between units: which stop, which are pushed apart, and their new velocities.
//!
//! Units in contact are solved together with the obstacles next to them, an island at a time. Inside an island,
//! contacts are in the order of the keys of their units. Results therefore depend neither on the order of units nor on
//! the number of threads.

use glam::Vec3;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::candidates::{Candidate, Candidates, MovingUnits};
use super::island_solver::{IslandSolver, Setting};
use super::islands::Islands;
use super::obstacle_solver::ObstacleSolver;
use super::touches::Touches;
use crate::world::{Contact, PairLists};

/// Maximum number of iterations that propagate stops; after them all units with candidates stop.
const MAX_STOP_ITERATIONS: usize = 64;
/// Minimum distance of two units along the direction of their contact, relative to their reach; below it they are
/// about to pass through each other.
const MIN_SEPARATION: f32 = 0.5;

/// Pairs that end within this multiple of their reach take part: others may push them together.
const NEAR: f32 = 1.1;

/// Resolves contacts between units. Buffers are reused by the next step.
#[derive(Clone, Debug, Default)]
pub(super) struct UnitSolver {
    /// The displacement of each unit.
    moved: Vec<Vec3>,
    candidates: Candidates,
    touches: Touches,
    islands: Islands,
    island: IslandSolver,
    stopped: Vec<bool>,
    /// Pairs that collide, for each chunk of candidates.
    collisions: Vec<Vec<[usize; 2]>>,
}

impl UnitSolver {
    /// Corrects velocities and positions after the step, and stores the pairs in contact in `touching`.
    pub(super) fn solve<'a, M, W>(
        &mut self,
        setting: &Setting<'a, M, W>,
        (end, velocity): (&mut [Vec3], &mut [Vec3]),
        touching: &mut PairLists,
    ) where
        M: Fn(usize) -> f32,
        W: Fn(usize, Vec3, f32) -> Option<ObstacleSolver<'a>>,
    {
        let (moving, block) = (&setting.moving, setting.contact == Contact::Block);
        self.moved.clear();
        self.moved.extend(end.iter().zip(moving.before).map(|(end, before)| *end - *before));
        self.candidates.find(moving, &self.moved, block);
        self.touches.find(&self.candidates, moving, &self.moved, if block { 0.0 } else { NEAR });
        if block {
            self.touches.list(touching, end.len());
            self.stop_colliding(moving, end, 1.0);
            return;
        }
        self.islands.find(self.touches.all(), moving);
        let mut any = false;
        for contacts in self.islands.each() {
            any = true;
            self.island.solve(setting, contacts, &mut self.touches, (&mut self.moved, velocity));
            for unit in self.island.units() {
                end[unit] = moving.before[unit] + self.moved[unit];
                self.moved[unit] = end[unit] - moving.before[unit];
            }
        }
        self.touches.list(touching, end.len());
        if any {
            self.stop_colliding(moving, end, MIN_SEPARATION);
        }
    }

    /// Stops both units of each pair that would come nearer than `least` times their reach, measured along the direction
    /// of their first contact. A stopped unit may block another one, so this repeats until nothing changes.
    fn stop_colliding(&mut self, moving: &MovingUnits<'_>, end: &mut [Vec3], least: f32) {
        self.stopped.clear();
        self.stopped.resize(end.len(), false);
        let chunks = self.candidates.chunks();
        self.collisions.resize_with(chunks.len(), Vec::new);
        for iteration in 0..=MAX_STOP_ITERATIONS {
            let (stopped, moved) = (&*self.stopped, &*self.moved);
            let moved = |unit: usize| if stopped[unit] { Vec3::ZERO } else { moved[unit] };
            let collides = |candidate: &Candidate| {
                let [first, second] = candidate.units();
                let (own, their) = (moved(first), moved(second));
                let pair = candidate.pair(own, their);
                // Cheap rejection: most pairs do not move far enough.
                if (1.0 - least) * pair.reach > own.length() + their.length() {
                    return false;
                }
                let touch = pair.touch(|| moving.aside(first, second));
                touch.is_some_and(|normal| pair.overlap(normal) > (1.0 - least) * pair.reach)
            };
            self.collisions.par_iter_mut().zip(chunks).for_each(|(collisions, chunk)| {
                collisions.clear();
                let hit = |candidate: &&Candidate| iteration == MAX_STOP_ITERATIONS || collides(candidate);
                collisions.extend(chunk.iter().filter(hit).map(Candidate::units));
            });
            let mut changed = false;
            for unit in self.collisions.iter().flatten().flatten() {
                changed |= !self.stopped[*unit];
                self.stopped[*unit] = true;
            }
            if !changed {
                break;
            }
        }
        let rows = (end.iter_mut().zip(moving.before)).zip(&self.stopped);
        for ((end, before), _) in rows.filter(|(_, stopped)| **stopped) {
            *end = *before;
        }
    }
}
