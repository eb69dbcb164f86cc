//! Contacts of units, as pairs and as lists by unit.

use glam::Vec3;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::candidates::{Candidates, MovingUnits};
use crate::world::PairLists;

/// Two units that touch during their moves or overlap after them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    first: u32,
    second: u32,
    /// The direction from the first to the second.
    normal: Vec3,
    /// The overlap along the normal after the step.
    pub(super) overlap: f32,
}

impl Touch {
    /// The indices of the units.
    pub(super) fn units(&self) -> [usize; 2] {
        [self.first as usize, self.second as usize]
    }

    /// Returns the relative velocity along the normal; negative if the units approach.
    pub(super) fn speed(&self, velocity: &[Vec3]) -> f32 {
        let [first, second] = self.units();
        (velocity[second] - velocity[first]).dot(self.normal)
    }
}

/// A contact in the frame of one of its units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) other: usize,
    /// The index of the contact.
    pub(super) number: usize,
    /// The direction to the other.
    pub(super) normal: Vec3,
}

/// All contacts of a step. Buffers are reused by the next step.
#[derive(Clone, Debug, Default)]
pub(super) struct Touches {
    /// The contacts of each chunk of candidates.
    found: Vec<Vec<Touch>>,
    all: Vec<Touch>,
    /// For each unit, the other unit and the index of each contact.
    of_unit: PairLists<(u32, u32)>,
}

impl Touches {
    /// Finds the contacts among `candidates` if units move by `moved`.
    pub(super) fn find(&mut self, candidates: &Candidates, moving: &MovingUnits<'_>, moved: &[Vec3]) {
        let chunks = candidates.chunks();
        self.found.resize_with(chunks.len(), Vec::new);
        self.found.par_iter_mut().zip(chunks).for_each(|(found, chunk)| {
            found.clear();
            for candidate in chunk {
                let [first, second] = candidate.units();
                let pair = candidate.pair(moved[first], moved[second]);
                if let Some(normal) = pair.contact(|| moving.aside(first, second)) {
                    let overlap = pair.overlap(normal);
                    found.push(Touch { first: first as u32, second: second as u32, normal, overlap });
                }
            }
        });
        self.all.clear();
        self.found.iter().for_each(|found| self.all.extend(found));
        let mut of_unit = std::mem::take(&mut self.of_unit);
        self.list(&mut of_unit, moved.len(), |number, other| (other, number));
        self.of_unit = of_unit;
        // Floating-point sums must not depend on the order of units.
        self.of_unit.sort_by_key(|(other, _)| moving.rank(*other as usize));
    }

    /// Stores all contacts as lists by unit.
    pub(super) fn list<T: Copy + Default>(
        &self,
        lists: &mut PairLists<T>,
        units: usize,
        item: impl Fn(u32, u32) -> T,
    ) {
        lists.set(units, self.all.len(), |number| (self.all[number].first, self.all[number].second), item);
    }

    pub(super) fn all(&self) -> &[Touch] {
        &self.all
    }

    /// The contacts of a unit, in an order that does not depend on the order of units.
    pub(super) fn of(&self, unit: usize) -> impl Iterator<Item = Seen> {
        self.of_unit.of(unit).iter().map(move |(other, number)| {
            let touch = &self.all[*number as usize];
            // Subtraction, as the negation has zeros of the other sign.
            let normal = if touch.first as usize == unit { touch.normal } else { Vec3::ZERO - touch.normal };
            Seen { other: *other as usize, number: *number as usize, normal }
        })
    }
}
