//! Contacts of units, as pairs and as lists by unit.

use glam::Vec3;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::candidates::{Candidates, MovingUnits};
use crate::world::PairLists;

/// Two units that touch during their moves, overlap after them, or are near each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    first: u32,
    second: u32,
    /// The direction from the first to the second.
    normal: Vec3,
    /// The sum of both radii.
    pub(super) reach: f32,
    /// The gap along the normal before the step.
    pub(super) gap: f32,
    /// False if they are only near each other.
    pub(super) is_contact: bool,
}

impl Touch {
    /// The indices of the units.
    pub(super) fn units(&self) -> [usize; 2] {
        [self.first as usize, self.second as usize]
    }

    /// The direction from `unit`, one of the two, to the other.
    pub(super) fn normal_from(&self, unit: usize) -> Vec3 {
        // Subtraction, as the negation has zeros of the other sign.
        if self.first as usize == unit { self.normal } else { Vec3::ZERO - self.normal }
    }
}

/// All contacts of a step. Buffers are reused by the next step.
#[derive(Clone, Debug, Default)]
pub(super) struct Touches {
    /// The contacts of each chunk of candidates.
    found: Vec<Vec<Touch>>,
    all: Vec<Touch>,
}

impl Touches {
    /// Finds the contacts among `candidates` if units move by `moved`, and the pairs that end within `near` times their
    /// reach.
    pub(super) fn find(
        &mut self,
        candidates: &Candidates,
        moving: &MovingUnits<'_>,
        moved: &[Vec3],
        near: f32,
    ) {
        let chunks = candidates.chunks();
        self.found.resize_with(chunks.len(), Vec::new);
        self.found.par_iter_mut().zip(chunks).for_each(|(found, chunk)| {
            found.clear();
            for candidate in chunk {
                let [first, second] = candidate.units();
                let pair = candidate.pair(moved[first], moved[second]);
                let contact = pair.contact(|| moving.aside(first, second));
                if let Some(normal) = contact.or_else(|| pair.near(near)) {
                    let (gap, reach) = (normal.dot(pair.offset) - pair.reach, pair.reach);
                    let [first, second] = [first as u32, second as u32];
                    found.push(Touch { first, second, normal, reach, gap, is_contact: contact.is_some() });
                }
            }
        });
        self.all.clear();
        self.found.iter().for_each(|found| self.all.extend(found));
    }

    /// Stores the contacts as lists by unit; pairs that are only near each other are dropped.
    pub(super) fn list(&mut self, touching: &mut PairLists, units: usize) {
        self.all.retain(|touch| touch.is_contact);
        touching.set(units, self.all.len(), |number| (self.all[number].first, self.all[number].second));
    }

    pub(super) fn all(&self) -> &[Touch] {
        &self.all
    }

    /// Marks a pair as a contact, or as none.
    pub(super) fn set_contact(&mut self, index: usize, is_contact: bool) {
        self.all[index].is_contact = is_contact;
    }
}
