//! Handles of lists, and their elements.

use std::ops::Index;

use glam::Vec3;

/// A unit in a list, at its apparent position, which may be across the edge of the world.
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

/// Declares the sources of lists. The fixed ones are numbered in this order; views follow, then selections.
macro_rules! sources {
    ($($(#[$doc:meta])* $fixed:ident,)*) => {
        /// The source of a list: a set of units. It never contains the observing unit.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Source {
            $($(#[$doc])* $fixed,)*
            /// Every unit except the player, in the world's view with this index.
            View(usize),
            /// Units selected from another list; see [`super::NeighborQueries::select`].
            Selection(u16),
        }

        /// The numbers of the fixed sources.
        enum Fixed {
            $($fixed,)*
        }

        impl Source {
            /// The fixed sources and the first view, in the order of their indices.
            pub const EACH: [Self; [$(Fixed::$fixed),*].len() + 1] = [$(Self::$fixed,)* Self::View(0)];

            /// Returns its index among all sources: views follow the fixed ones, then selections.
            #[inline(always)]
            pub fn index(self) -> usize {
                match self {
                    $(Self::$fixed => Fixed::$fixed as usize,)*
                    Self::View(view) => Self::FIXED + view,
                    Self::Selection(selection) => SELECTION + selection as usize,
                }
            }
        }
    };
}

sources! {
    /// The unit's own group and friend kinds, in the group's view.
    Neighbors,
    /// Every unit except the player, in the group's view.
    Others,
    /// Units with an enemy kind, nearer than the group's sense range, in every direction.
    Enemies,
    /// The units in contact with the unit in the last step, if units have contacts.
    Touching,
}

/// The range in which the units of a source are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchRange {
    /// A view: the group's, or that of the source.
    View,
    /// The group's sense range, in every direction.
    Sense,
    /// None: the units are those of the last contacts.
    Contacts,
    /// None: the units are selected from another list.
    Selected,
}

impl SearchRange {
    /// Returns true if the units are searched in the grid.
    pub fn is_in_grid(self) -> bool {
        match self {
            Self::View | Self::Sense => true,
            Self::Contacts | Self::Selected => false,
        }
    }
}

/// A value for each source of lists. All views share one value; selections use that of views. Compiled code reads it in
/// place.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default)]
pub struct PerSource<T>(pub [T; Source::EACH.len()]);

/// Index of the first selection; lower indices belong to fixed sources and views.
const SELECTION: usize = 1 << 16;

impl Source {
    /// Number of sources that are neither views nor selections.
    pub(super) const FIXED: usize = Self::EACH.len() - 1;

    /// The range in which its units are searched.
    pub fn range(self) -> SearchRange {
        match self {
            Self::Neighbors | Self::Others | Self::View(_) => SearchRange::View,
            Self::Enemies => SearchRange::Sense,
            Self::Touching => SearchRange::Contacts,
            Self::Selection(_) => SearchRange::Selected,
        }
    }

    /// Returns the source of an index.
    pub fn from_index(index: usize) -> Self {
        match index {
            0..Self::FIXED => Self::EACH[index],
            SELECTION.. => Self::Selection((index - SELECTION) as u16),
            index => Self::View(index - Self::FIXED),
        }
    }
}

impl<T> PerSource<T> {
    /// Returns the index of a source's value.
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

/// A handle of a list: its source and its range (inclusive).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct List {
    /// The source.
    pub source: Source,
    /// Range within the source; infinite for all of it. Lists with a negative or NaN range are empty.
    pub within: f32,
}

impl List {
    /// The whole source.
    pub const fn all(source: Source) -> Self {
        let within = f32::INFINITY;
        Self { source, within }
    }

    /// Returns a unique key of the list: the index of its source in the upper half and the bits of its range in the
    /// lower half.
    #[inline(always)]
    pub fn key(self) -> u64 {
        (self.source.index() as u64) << 32 | u64::from(self.within.to_bits())
    }

    /// A flag in the key of means without velocities.
    pub const WITHOUT_VELOCITIES: u64 = 1 << 59;

    /// Maximum squared distance; negative if the list is empty.
    pub(super) fn limit(self) -> f32 {
        if self.within >= 0.0 { self.within * self.within } else { -1.0 }
    }
}

/// Returns the key of a list's means with or without velocities.
#[inline(always)]
pub(super) fn key_of_means(key: u64, velocities: bool) -> u64 {
    if velocities { key } else { key | List::WITHOUT_VELOCITIES }
}
