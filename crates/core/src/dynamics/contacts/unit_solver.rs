//! Contacts between units: which stop, which are pushed apart, and their new velocities.
//!
//! An iteration first computes all contacts, each once, from the state of all units, and then corrects each unit by its
//! own contacts. Results therefore depend neither on the order of units nor on the number of threads.

use glam::Vec3;
use rayon::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefMutIterator, ParallelIterator,
};

use super::candidates::{Candidate, Candidates, MovingUnits};
use super::pair::share;
use super::touches::Touches;
use crate::dynamics::motion::GRAIN;
use crate::world::{Contact, PairLists};

/// Maximum number of iterations on velocities, and then on positions.
const ITERATIONS: usize = 4;
/// Maximum number of iterations that propagate stops; after them all units with candidates stop.
const MAX_STOP_ITERATIONS: usize = 64;
/// Weight of each push beyond the first; below 1, simultaneous pushes do not overshoot.
const EXTRA_PUSH_WEIGHT: f32 = 0.5;
/// Maximum push in a step beyond the length of the unit's own move, relative to its radius.
const MAX_PUSH: f32 = 0.5;
/// Minimum distance of two units along the direction of their contact, relative to their reach; below it they are
/// about to pass through each other.
const MIN_SEPARATION: f32 = 0.5;

/// Resolves contacts between units. Buffers are reused by the next step.
#[derive(Clone, Debug, Default)]
pub(super) struct UnitSolver {
    /// The displacement of each unit.
    moved: Vec<Vec3>,
    candidates: Candidates,
    touches: Touches,
    weight: Vec<f32>,
    /// Maximum distance of each unit's end from its start.
    room: Vec<f32>,
    /// Relative velocity along the normal of each contact.
    speed: Vec<f32>,
    /// Number of approaching contacts of each unit.
    approached: Vec<u32>,
    stopped: Vec<bool>,
    /// Pairs that collide, for each chunk of candidates.
    collisions: Vec<Vec<[usize; 2]>>,
}

impl UnitSolver {
    /// Corrects velocities and positions after the step, and stores the pairs in contact in `touching`. `masses` are
    /// above zero.
    pub(super) fn solve(
        &mut self,
        moving: &MovingUnits<'_>,
        contact: Contact,
        masses: impl Iterator<Item = f32>,
        (end, velocity): (&mut [Vec3], &mut [Vec3]),
        touching: &mut PairLists,
    ) {
        let block = contact == Contact::Block;
        self.moved.clear();
        self.moved.extend(end.iter().zip(moving.before).map(|(end, before)| *end - *before));
        self.candidates.find(moving, &self.moved, block);
        self.touches.find(&self.candidates, moving, &self.moved);
        self.touches.list(touching, end.len(), |_, other| other);
        if block {
            self.stop_colliding(moving, end, 1.0);
            return;
        }
        self.weight.clear();
        self.weight.extend(masses.map(f32::recip));
        self.room.clear();
        let rows = self.moved.iter().zip(moving.radius);
        self.room.extend(rows.map(|(moved, radius)| moved.length() + radius * MAX_PUSH));
        for _ in 0..ITERATIONS {
            if !self.deflect(contact.restitution(), velocity) {
                break;
            }
        }
        for iteration in 0..ITERATIONS {
            if iteration > 0 {
                self.touches.find(&self.candidates, moving, &self.moved);
            }
            if !self.separate(moving, end) {
                break;
            }
        }
        self.stop_colliding(moving, end, MIN_SEPARATION);
    }

    /// One iteration that removes or reflects the approaching component of velocities. For each pair the impulse is
    /// (1 + e) · approach / (1/m + 1/m'), from the velocities before the iteration.
    ///
    /// The impulse is divided by the greater number of approaching contacts of the two units, so that the sum of all
    /// impulses never adds energy. The remaining approach is left to the next iteration. Returns true if any pair
    /// approached.
    fn deflect(&mut self, restitution: f32, velocity: &mut [Vec3]) -> bool {
        self.speed.clear();
        self.speed.extend(self.touches.all().iter().map(|touch| touch.speed(velocity)));
        self.approached.clear();
        self.approached.resize(velocity.len(), 0);
        let approaching = self.touches.all().iter().zip(&self.speed).filter(|(_, speed)| **speed < 0.0);
        let mut any = false;
        for unit in approaching.flat_map(|(touch, _)| touch.units()) {
            self.approached[unit] += 1;
            any = true;
        }
        let (touches, weight, speed, approached) =
            (&self.touches, &*self.weight, &*self.speed, &*self.approached);
        if any {
            (velocity.par_iter_mut().enumerate().with_min_len(GRAIN)).for_each(|(unit, velocity)| {
                for seen in touches.of(unit).filter(|seen| speed[seen.number] < 0.0) {
                    let most = approached[unit].max(approached[seen.other]) as f32;
                    let fraction = weight[unit] / ((weight[unit] + weight[seen.other]) * most);
                    *velocity += seen.normal * (speed[seen.number] * (1.0 + restitution) * fraction);
                }
            });
        }
        any
    }

    /// One iteration that separates units in contact along the normals. Returns true if any pair overlapped.
    fn separate(&mut self, moving: &MovingUnits<'_>, end: &mut [Vec3]) -> bool {
        let all = self.touches.all();
        if all.iter().all(|touch| touch.overlap <= 0.0) {
            return false;
        }
        let (touches, weight, room) = (&self.touches, &*self.weight, &*self.room);
        let rows = (end, &mut self.moved).into_par_iter().enumerate().with_min_len(GRAIN);
        rows.for_each(|(unit, (end, moved))| {
            let (mut push, mut pushes) = (Vec3::ZERO, 0.0);
            for seen in touches.of(unit) {
                let overlap = all[seen.number].overlap;
                if overlap > 0.0 {
                    let (own, their) = ((weight[unit], room[unit]), (weight[seen.other], room[seen.other]));
                    push -= seen.normal * share(overlap, own, their);
                    pushes += 1.0;
                }
            }
            if pushes > 0.0 {
                let by = *moved + push / (1.0 + EXTRA_PUSH_WEIGHT * (pushes - 1.0));
                *end = moving.before[unit] + by.clamp_length_max(room[unit]);
                *moved = *end - moving.before[unit];
            }
        });
        true
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
