//! Drawings and watched values of behaviors, recorded on demand.

use glam::Vec3;

/// A shape drawn by a behavior.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A line between two points.
    Line(Vec3, Vec3),
    /// A circle of a radius about a center.
    Circle(Vec3, f32),
    /// A text at a point.
    Text(Vec3, String),
}

/// A shape and its origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The deciding unit.
    pub unit: usize,
    /// The behavior's slot.
    pub slot: usize,
    /// The shape.
    pub shape: Shape,
}

/// A watched value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WatchValue {
    /// A number.
    Number(f32),
    /// A vector in world axes.
    Vector(Vec3),
}

impl WatchValue {
    /// The number, or the length of the vector.
    pub fn size(&self) -> f32 {
        match self {
            Self::Number(number) => *number,
            Self::Vector(vector) => vector.length(),
        }
    }
}

/// A watched value and its origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Watch {
    /// The deciding unit.
    pub unit: usize,
    /// The behavior's slot.
    pub slot: usize,
    /// The name of the value.
    pub name: String,
    /// The value.
    pub value: WatchValue,
}

/// Flags that enable recording.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Recorded {
    pub(super) drawings: bool,
    pub(super) watches: bool,
}

/// Maximum number of shapes per behavior, unit and step; further ones are dropped.
const MAX_DRAWINGS: u32 = 64;
/// Maximum number of watched values per behavior, unit and step; further ones are dropped.
const MAX_WATCHES: u32 = 16;

/// Drawings and watched values of some units.
#[derive(Clone, Debug, Default)]
pub(super) struct Recording {
    pub(super) recorded: Recorded,
    pub(super) drawings: Vec<Drawing>,
    pub(super) watches: Vec<Watch>,
    /// Number of shapes and values of the current call.
    drawn: u32,
    watched: u32,
}

impl Recording {
    /// Starts the call of a behavior.
    #[inline]
    pub(super) fn start_call(&mut self) {
        (self.drawn, self.watched) = (0, 0);
    }

    pub(super) fn draw(&mut self, unit: usize, slot: usize, shape: impl FnOnce() -> Shape) {
        if self.recorded.drawings && self.drawn < MAX_DRAWINGS {
            self.drawn += 1;
            let shape = shape();
            self.drawings.push(Drawing { unit, slot, shape });
        }
    }

    pub(super) fn watch(&mut self, watch: impl FnOnce() -> Watch) {
        if self.recorded.watches && self.watched < MAX_WATCHES {
            self.watched += 1;
            self.watches.push(watch());
        }
    }

    pub(super) fn clear(&mut self) {
        self.drawings.clear();
        self.watches.clear();
    }

    /// Removes and returns everything recorded.
    pub(super) fn take(&mut self) -> Self {
        let recorded = self.recorded;
        std::mem::replace(self, Self { recorded, ..Self::default() })
    }

    /// Moves the records of other units here.
    pub(super) fn append(&mut self, other: &mut Self) {
        self.drawings.append(&mut other.drawings);
        self.watches.append(&mut other.watches);
    }

    /// Sorts the records by unit.
    pub(super) fn sort(&mut self) {
        self.drawings.sort_by_key(|drawing| drawing.unit);
        self.watches.sort_by_key(|watch| watch.unit);
    }
}
