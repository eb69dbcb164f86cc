//! Units against units: which stay, which give way, and what the touch does to velocities.
//!
//! A round first computes all touches, each once, from the state of all units, and then corrects each unit by its own
//! touches. So neither the order of units nor the number of threads matters.

use glam::Vec3;
use rayon::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefMutIterator, ParallelIterator,
};

use super::candidates::{Candidate, Candidates, MovingUnits};
use super::pair::share;
use super::touches::Touches;
use crate::dynamics::motion::GRAIN;
use crate::world::{Contact, PairLists};

/// Rounds in which velocities are deflected, and then in which units give way.
const ROUNDS: usize = 4;
/// Rounds in which staying spreads; after them all that have candidates stay.
const WAITS: usize = 64;
/// How much of a push counts beyond the deepest one, so that many at once do not overshoot.
const TOGETHER: f32 = 0.5;
/// Part of its radius that a unit may be pushed in a step beyond the length of its own move.
const ROOM: f32 = 0.5;
/// Part of their reach that two units must keep along the direction of their touch; nearer, they
/// are about to pass through each other.
const THROUGH: f32 = 0.5;

/// Where units go when they touch each other. Buffers stay from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct UnitSolver {
    /// By how much each unit moves.
    moved: Vec<Vec3>,
    candidates: Candidates,
    touches: Touches,
    weight: Vec<f32>,
    /// How far each unit may end from where it began.
    room: Vec<f32>,
    /// Of each touch, how fast the units part.
    speed: Vec<f32>,
    /// How many others each unit touches and approaches.
    approached: Vec<u32>,
    stays: Vec<bool>,
    /// Pairs that collide, for each chunk of candidates.
    collisions: Vec<Vec<[usize; 2]>>,
}

impl UnitSolver {
    /// Turns positions after the step, and velocities, into those that contacts allow, and leaves in
    /// `touching` the pairs that touch. `masses` are above zero.
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
            self.hold(moving, end, 1.0);
            return;
        }
        self.weight.clear();
        self.weight.extend(masses.map(f32::recip));
        self.room.clear();
        let rows = self.moved.iter().zip(moving.radius);
        self.room.extend(rows.map(|(moved, radius)| moved.length() + radius * ROOM));
        for _ in 0..ROUNDS {
            if !self.deflect(contact.restitution(), velocity) {
                break;
            }
        }
        for round in 0..ROUNDS {
            if round > 0 {
                self.touches.find(&self.candidates, moving, &self.moved);
            }
            if !self.part(moving, end) {
                break;
            }
        }
        self.hold(moving, end, THROUGH);
    }

    /// One round that takes the approaching part from velocities, or mirrors it: for each pair the impulse
    /// (1 + e) · approach / (1/m + 1/m'), from the velocities before.
    ///
    /// An impulse counts less where either unit touches several others: the sum of all then takes
    /// no more energy than there is, and adds none. What is left to approach is for the next round.
    /// Returns whether any two approached.
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
                    let part = weight[unit] / ((weight[unit] + weight[seen.other]) * most);
                    *velocity += seen.normal * (speed[seen.number] * (1.0 + restitution) * part);
                }
            });
        }
        any
    }

    /// One round in which units that touched on their way, or overlap, part along the direction of
    /// the touch. Returns whether there were any.
    fn part(&mut self, moving: &MovingUnits<'_>, end: &mut [Vec3]) -> bool {
        let all = self.touches.all();
        if all.iter().all(|touch| touch.lack <= 0.0) {
            return false;
        }
        let (touches, weight, room) = (&self.touches, &*self.weight, &*self.room);
        let rows = (end, &mut self.moved).into_par_iter().enumerate().with_min_len(GRAIN);
        rows.for_each(|(unit, (end, moved))| {
            let (mut push, mut pushes) = (Vec3::ZERO, 0.0);
            for seen in touches.of(unit) {
                let lack = all[seen.number].lack;
                if lack > 0.0 {
                    let (own, their) = ((weight[unit], room[unit]), (weight[seen.other], room[seen.other]));
                    push -= seen.normal * share(lack, own, their);
                    pushes += 1.0;
                }
            }
            if pushes > 0.0 {
                let by = *moved + push / (1.0 + TOGETHER * (pushes - 1.0));
                *end = moving.before[unit] + by.clamp_length_max(room[unit]);
                *moved = *end - moving.before[unit];
            }
        });
        true
    }

    /// Keeps both units of a pair where they were if they would come nearer than `least` times
    /// their reach, counted along the direction of their first touch. As one that stays may be in
    /// another's way, this goes on until nothing changes.
    fn hold(&mut self, moving: &MovingUnits<'_>, end: &mut [Vec3], least: f32) {
        self.stays.clear();
        self.stays.resize(end.len(), false);
        let chunks = self.candidates.chunks();
        self.collisions.resize_with(chunks.len(), Vec::new);
        for round in 0..=WAITS {
            let (stays, moved) = (&*self.stays, &*self.moved);
            let moved = |unit: usize| if stays[unit] { Vec3::ZERO } else { moved[unit] };
            let collides = |candidate: &Candidate| {
                let [first, second] = candidate.units();
                let (own, their) = (moved(first), moved(second));
                let pair = candidate.pair(own, their);
                // Most do not go far enough for more.
                if (1.0 - least) * pair.reach > own.length() + their.length() {
                    return false;
                }
                let touch = pair.touch(|| moving.aside(first, second));
                touch.is_some_and(|normal| pair.lack(normal) > (1.0 - least) * pair.reach)
            };
            self.collisions.par_iter_mut().zip(chunks).for_each(|(collisions, chunk)| {
                collisions.clear();
                let hit = |candidate: &&Candidate| round == WAITS || collides(candidate);
                collisions.extend(chunk.iter().filter(hit).map(Candidate::units));
            });
            let mut changed = false;
            for unit in self.collisions.iter().flatten().flatten() {
                changed |= !self.stays[*unit];
                self.stays[*unit] = true;
            }
            if !changed {
                break;
            }
        }
        let rows = (end.iter_mut().zip(moving.before)).zip(&self.stays);
        for ((end, before), _) in rows.filter(|(_, stays)| **stays) {
            *end = *before;
        }
    }
}
