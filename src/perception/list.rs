//! Handles to lists, and what is in a list.

use std::ops::Index;

use glam::Vec3;

/// A unit in a list: where it appears to be, which may be across the edge of the world.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Neighbor {
    /// Index of the unit.
    pub unit: usize,
    /// Its apparent position.
    pub position: Vec3,
    /// Squared distance from the observing unit.
    pub distance_squared: f32,
}

/// Which units a list holds. None ever holds the observing unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The unit's own group and friend kinds, in the group's view.
    Neighbors,
    /// Every unit but the player, in the group's view.
    Others,
    /// Units with an enemy kind, nearer than the group's sense range, in every direction.
    Enemies,
    /// The units that the unit touched in the last step, where units have contacts.
    Touching,
    /// Every unit but the player, in the world's view of this index.
    View(usize),
    /// Units selected from another list: see [`super::NeighborQueries::select`].
    Selection(u16),
}

/// A value for each source of lists; all views share one, and selections have none of their own. Compiled code reads
/// it in place.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default)]
pub struct PerSource<T>(pub [T; Source::EACH.len()]);

/// Index of the first selection; the indices between are those of views.
const SELECTION: usize = 1 << 16;

impl Source {
    /// The fixed sources and the first view, in the order of their indices.
    pub const EACH: [Self; 5] = [Self::Neighbors, Self::Others, Self::Enemies, Self::Touching, Self::View(0)];
    /// How many sources are neither views nor selections.
    pub(super) const FIXED: usize = Self::EACH.len() - 1;

    /// Its index among all sources: views follow the fixed ones, then selections.
    #[inline(always)]
    pub fn index(self) -> usize {
        match self {
            Self::Neighbors => 0,
            Self::Others => 1,
            Self::Enemies => 2,
            Self::Touching => 3,
            Self::View(view) => Self::FIXED + view,
            Self::Selection(selection) => SELECTION + selection as usize,
        }
    }

    /// The source of an index.
    pub fn of_index(index: usize) -> Self {
        match index {
            0..Self::FIXED => Self::EACH[index],
            SELECTION.. => Self::Selection((index - SELECTION) as u16),
            index => Self::View(index - Self::FIXED),
        }
    }
}

impl<T> PerSource<T> {
    /// The index of a source's value; that of views for selections.
    #[inline(always)]
    pub fn slot(source: Source) -> usize {
        source.index().min(Source::FIXED)
    }
}

impl<T> Index<Source> for PerSource<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, source: Source) -> &T {
        &self.0[Self::slot(source)]
    }
}

/// A handle to a list: its source, and how near a unit must be to count (the distance is inside).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct List {
    /// What is listed.
    pub source: Source,
    /// Reach within the source; infinite for all of it. No unit is within a negative reach, nor
    /// within one that is not a number.
    pub within: f32,
}

impl List {
    /// All of a source.
    pub const fn all(source: Source) -> Self {
        let within = f32::INFINITY;
        Self { source, within }
    }

    /// A number that tells it from other lists: the index of its source, the views after the four
    /// others, and in the lower half the bits of its reach.
    #[inline(always)]
    pub fn key(self) -> u64 {
        (self.source.index() as u64) << 32 | u64::from(self.within.to_bits())
    }

    /// Set in the key of means without velocities.
    pub const WITHOUT_VELOCITIES: u64 = 1 << 59;

    /// As [`List::key`], for means with velocities or without.
    #[inline(always)]
    pub(super) fn key_of_means(self, velocities: bool) -> u64 {
        if velocities { self.key() } else { self.key() | Self::WITHOUT_VELOCITIES }
    }

    /// Greatest squared distance that counts: negative if no unit does.
    pub(super) fn limit(self) -> f32 {
        if self.within >= 0.0 { self.within * self.within } else { -1.0 }
    }
}
