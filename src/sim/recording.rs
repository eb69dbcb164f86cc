//! Drawings, watched values and requests of behaviors, recorded on demand.

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

/// A birth or death that a behavior requests; it is carried out after the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Request {
    /// The deciding unit.
    pub(super) unit: usize,
    pub(super) kind: RequestKind,
}

/// The kind of a request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RequestKind {
    /// The unit dies.
    Die,
    /// The unit has a child in this group.
    Spawn { group: usize, start: Option<Start> },
}

/// The start of a child that a behavior specifies; by default it is that of the parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// Its position.
    pub position: Vec3,
    /// Its velocity.
    pub velocity: Vec3,
}

/// Flags that enable recording.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Recorded {
    pub(super) drawings: bool,
    pub(super) watches: bool,
    pub(super) requests: Requests,
}

/// The treatment of requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Requests {
    /// They have no effect: the call is repeated or a trial.
    #[default]
    Ignored,
    Recorded,
    /// They fail: those of a step are carried out already.
    Refused,
}

/// Maximum number of shapes per behavior, unit and step; further ones are dropped.
const MAX_DRAWINGS: u32 = 64;
/// Maximum number of watched values per behavior, unit and step; further ones are dropped.
const MAX_WATCHES: u32 = 16;

/// Maximum number of children per behavior, unit and step.
const MAX_CHILDREN: u32 = 64;

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
    born: u32,
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

    /// Records a request.
    ///
    /// # Errors
    /// With a message for the user, if requests are refused or the call has too many children.
    pub(super) fn request(&mut self, unit: usize, kind: RequestKind) -> Result<(), String> {
        if self.recorded.requests == Requests::Refused {
            return Err("a unit neither spawns nor dies in `fn born`: call it in `fn steer`".to_owned());
        }
        if matches!(kind, RequestKind::Spawn { .. }) {
            if self.born == MAX_CHILDREN {
                return Err(format!("a behavior spawns at most {MAX_CHILDREN} children of a unit in a step"));
            }
            self.born += 1;
        }
        if self.recorded.requests == Requests::Recorded {
            self.requests.push(Request { unit, kind });
        }
        Ok(())
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
