//! Units against units: which stay, which give way, and what the touch does to velocities.
//!
//! Every round reads the state of all units and writes each unit's own, so that neither the order
//! of units nor the number of threads matters.

use glam::Vec3;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::candidates::{Candidates, MovingUnits};
use super::pair::share;
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
    candidates: Candidates,
    weight: Vec<f32>,
    /// How far each unit may end from where it began.
    room: Vec<f32>,
    next: Vec<Vec3>,
    stays: Vec<bool>,
    next_stays: Vec<bool>,
    /// How many others each unit touches and approaches.
    touched: Vec<u32>,
}

impl UnitSolver {
    /// Turns positions after the step, and velocities, into those that contacts allow, and leaves in
    /// `touching` the pairs that touch. `masses` are above zero.
    pub(super) fn solve(
        &mut self,
        moving: &MovingUnits<'_>,
        contact: Contact,
        masses: impl Iterator<Item = f32>,
        (end, velocity): (&mut Vec<Vec3>, &mut Vec<Vec3>),
        touching: &mut PairLists,
    ) {
        let block = contact == Contact::Block;
        self.candidates.find(moving, end, block);
        self.candidates.touching(moving, end, touching);
        if block {
            self.hold(moving, end, 1.0);
            return;
        }
        self.weight.clear();
        self.weight.extend(masses.map(f32::recip));
        self.room.clear();
        self.room.extend(
            (end.iter().zip(moving.before).zip(moving.radius))
                .map(|((end, before), radius)| end.distance(*before) + radius * ROOM),
        );
        for _ in 0..ROUNDS {
            if !self.deflect(moving, contact.restitution(), (end, velocity)) {
                break;
            }
        }
        for _ in 0..ROUNDS {
            self.part(moving, end);
        }
        self.hold(moving, end, THROUGH);
    }

    /// One round that takes the approaching part from velocities, or mirrors it: for each pair the impulse
    /// (1 + e) · approach / (1/m + 1/m'), from the velocities before.
    ///
    /// An impulse counts less where either unit touches several others: the sum of all then takes
    /// no more energy than there is, and adds none. What is left to approach is for the next round.
    /// Returns whether any two approached.
    fn deflect(
        &mut self,
        moving: &MovingUnits<'_>,
        restitution: f32,
        (end, velocity): (&[Vec3], &mut Vec<Vec3>),
    ) -> bool {
        let before = &*velocity;
        let (candidates, weight) = (&self.candidates, &*self.weight);
        let moved = |unit: usize| end[unit] - moving.before[unit];
        let approach = |unit: usize, other: usize| {
            let normal = (moving.pair(unit, other, moved(unit), moved(other))).contact()?;
            let speed = (before[other] - before[unit]).dot(normal);
            (speed < 0.0).then_some((normal, speed))
        };
        self.touched.resize(end.len(), 0);
        (self.touched.par_iter_mut().enumerate().with_min_len(GRAIN)).for_each(|(unit, touched)| {
            let others = candidates.of(unit);
            *touched = others.filter_map(|other| approach(unit, other)).count() as u32;
        });
        let touched = &*self.touched;
        if touched.iter().all(|touched| *touched == 0) {
            return false;
        }
        self.next.resize(end.len(), Vec3::ZERO);
        (self.next.par_iter_mut().enumerate().with_min_len(GRAIN)).for_each(|(unit, next)| {
            *next = before[unit];
            if touched[unit] == 0 {
                return;
            }
            for other in candidates.of(unit) {
                if let Some((normal, speed)) = approach(unit, other) {
                    let most = touched[unit].max(touched[other]) as f32;
                    let part = weight[unit] / ((weight[unit] + weight[other]) * most);
                    *next += normal * (speed * (1.0 + restitution) * part);
                }
            }
        });
        std::mem::swap(&mut self.next, velocity);
        true
    }

    /// One round in which units that touched on their way, or overlap, part along the direction of
    /// the touch.
    fn part(&mut self, moving: &MovingUnits<'_>, end: &mut Vec<Vec3>) {
        let now = &**end;
        let (candidates, weight, room) = (&self.candidates, &*self.weight, &*self.room);
        let moved = |unit: usize| now[unit] - moving.before[unit];
        self.next.resize(now.len(), Vec3::ZERO);
        (self.next.par_iter_mut().enumerate().with_min_len(GRAIN)).for_each(|(unit, next)| {
            let (mut push, mut pushes) = (Vec3::ZERO, 0.0);
            for other in candidates.of(unit) {
                let pair = moving.pair(unit, other, moved(unit), moved(other));
                let Some(normal) = pair.contact() else {
                    continue;
                };
                let lack = pair.lack(normal);
                if lack > 0.0 {
                    let (own, their) = ((weight[unit], room[unit]), (weight[other], room[other]));
                    push -= normal * share(lack, own, their);
                    pushes += 1.0;
                }
            }
            *next = now[unit];
            if pushes > 0.0 {
                let by = moved(unit) + push / (1.0 + TOGETHER * (pushes - 1.0));
                *next = moving.before[unit] + by.clamp_length_max(room[unit]);
            }
        });
        std::mem::swap(&mut self.next, end);
    }

    /// Keeps both units of a pair where they were if they would come nearer than `least` times
    /// their reach, counted along the direction of their first touch. As one that stays may be in
    /// another's way, this goes on until nothing changes.
    fn hold(&mut self, moving: &MovingUnits<'_>, end: &mut [Vec3], least: f32) {
        self.stays.clear();
        self.stays.resize(end.len(), false);
        self.next_stays.resize(end.len(), false);
        for round in 0..=WAITS {
            let (candidates, stays, end) = (&self.candidates, &*self.stays, &*end);
            let moved = |unit: usize| {
                if stays[unit] { Vec3::ZERO } else { end[unit] - moving.before[unit] }
            };
            let collides = |unit: usize, other: usize| {
                let (own, their) = (moved(unit), moved(other));
                let pair = moving.pair(unit, other, own, their);
                // Most do not go far enough for more.
                if (1.0 - least) * pair.reach > own.length() + their.length() {
                    return false;
                }
                let touch = pair.touch();
                touch.is_some_and(|normal| pair.lack(normal) > (1.0 - least) * pair.reach)
            };
            let changes = (self.next_stays.par_iter_mut().enumerate())
                .with_min_len(GRAIN)
                .map(|(unit, next)| {
                    let mut others = candidates.of(unit);
                    *next = stays[unit]
                        || if round == WAITS {
                            others.next().is_some()
                        } else {
                            others.any(|other| collides(unit, other))
                        };
                    usize::from(*next != stays[unit])
                })
                .sum::<usize>();
            std::mem::swap(&mut self.stays, &mut self.next_stays);
            if changes == 0 {
                break;
            }
        }
        let rows = (end.iter_mut().zip(moving.before)).zip(&self.stays);
        for ((end, before), _) in rows.filter(|(_, stays)| **stays) {
            *end = *before;
        }
    }
}
