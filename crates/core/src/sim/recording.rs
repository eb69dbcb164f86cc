//! Drawings, watched values and requests of behaviors, recorded on demand.

use glam::Vec3;

use super::request::{Request, Requests};

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
    pub(super) requests: Requests,
}

/// Maximum number of shapes per behavior, unit and step; further ones are dropped.
const MAX_DRAWINGS: u32 = 64;
/// Maximum number of watched values per behavior, unit and step; further ones are dropped.
const MAX_WATCHES: u32 = 16;

/// Drawings, watched values and requests of some units.
#[derive(Clone, Debug, Default)]
pub(super) struct Recording {
    pub(super) recorded: Recorded,
    pub(super) drawings: Vec<Drawing>,
    pub(super) watches: Vec<Watch>,
    pub(super) requests: Vec<Request>,
    /// Number of shapes, values and children of the current call.
    drawn: u32,
    watched: u32,
    pub(super) born: u32,
}

impl Recording {
    /// Starts the call of a behavior.
    #[inline]
    pub(super) fn start_call(&mut self) {
        (self.drawn, self.watched, self.born) = (0, 0, 0);
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
        self.requests.clear();
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
        self.requests.append(&mut other.requests);
    }

    /// Sorts the records by unit.
    pub(super) fn sort(&mut self) {
        self.drawings.sort_by_key(|drawing| drawing.unit);
        self.watches.sort_by_key(|watch| watch.unit);
        self.requests.sort_by_key(|request| request.unit);
    }

    /// Replaces the indices of units by `targets`, and drops the records of removed units.
    pub(super) fn renumber(&mut self, targets: &[Option<usize>]) {
        let renumber = |unit: &mut usize| {
            let target = targets.get(*unit).copied().flatten();
            target.is_some_and(|target| {
                *unit = target;
                true
            })
        };
        self.drawings.retain_mut(|drawing| renumber(&mut drawing.unit));
        self.watches.retain_mut(|watch| renumber(&mut watch.unit));
    }
}
