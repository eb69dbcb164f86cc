//! What behaviors draw and watch: recorded only while it is looked at.

use glam::Vec3;

/// A shape that a behavior drew for the window.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A line between two points.
    Line(Vec3, Vec3),
    /// A circle of a radius about a center.
    Circle(Vec3, f32),
    /// Words at a point.
    Text(Vec3, String),
}

/// A shape and the behavior that drew it.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The unit that the behavior decided for.
    pub unit: usize,
    /// The behavior's place in its group.
    pub slot: usize,
    /// What it drew.
    pub shape: Shape,
}

/// A value that a behavior watches.
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

/// A watched value and the behavior that recorded it.
#[derive(Clone, Debug, PartialEq)]
pub struct Watch {
    /// The unit that the behavior decided for.
    pub unit: usize,
    /// The behavior's place in its group.
    pub slot: usize,
    /// What the behavior calls it.
    pub name: String,
    /// The value.
    pub value: WatchValue,
}

/// What is to be recorded.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Recorded {
    pub(super) drawings: bool,
    pub(super) watches: bool,
}

/// Most shapes one behavior may draw for one unit in one step; the rest is dropped.
const MOST_DRAWINGS: u32 = 64;
/// Most values one behavior may watch for one unit in one step; the rest is dropped.
const MOST_WATCHES: u32 = 16;

/// Drawings and watched values of some units.
#[derive(Clone, Debug, Default)]
pub(super) struct Recording {
    pub(super) recorded: Recorded,
    pub(super) drawings: Vec<Drawing>,
    pub(super) watches: Vec<Watch>,
    /// How many the present call has made.
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
        if self.recorded.drawings && self.drawn < MOST_DRAWINGS {
            self.drawn += 1;
            let shape = shape();
            self.drawings.push(Drawing { unit, slot, shape });
        }
    }

    pub(super) fn watch(&mut self, watch: impl FnOnce() -> Watch) {
        if self.recorded.watches && self.watched < MOST_WATCHES {
            self.watched += 1;
            self.watches.push(watch());
        }
    }

    pub(super) fn clear(&mut self) {
        self.drawings.clear();
        self.watches.clear();
    }

    /// What was recorded; the next calls start with nothing.
    pub(super) fn take(&mut self) -> Self {
        let recorded = self.recorded;
        std::mem::replace(self, Self { recorded, ..Self::default() })
    }

    /// Takes over what was recorded for other units.
    pub(super) fn append(&mut self, other: &mut Self) {
        self.drawings.append(&mut other.drawings);
        self.watches.append(&mut other.watches);
    }

    /// Brings it into the order of units.
    pub(super) fn sort(&mut self) {
        self.drawings.sort_by_key(|drawing| drawing.unit);
        self.watches.sort_by_key(|watch| watch.unit);
    }
}
