//! Events of units, and the functions of behaviors that handle them.

/// An event of a unit after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The unit was born. `parent` is the index of its parent, or `None` if the parent no longer exists.
    Born {
        /// The index of its parent.
        parent: Option<usize>,
    },
    /// A contact with another unit begins.
    Touched {
        /// The index of the other unit.
        other: usize,
    },
    /// The unit moved into a zone.
    Entered {
        /// The index of the zone in [`crate::world::World::zones`].
        zone: usize,
    },
    /// The unit moved out of a zone.
    Left {
        /// The index of the zone in [`crate::world::World::zones`].
        zone: usize,
    },
}

/// An event of a unit, by the index of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UnitEvent {
    pub(super) unit: usize,
    pub(super) event: Event,
}

enum_with_all! {
    /// A kind of event, in the order in which the events of a unit are handled.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum EventKind {
        /// See [`Event::Born`].
        Born,
        /// See [`Event::Touched`].
        Touched,
        /// See [`Event::Entered`].
        Entered,
        /// See [`Event::Left`].
        Left,
    }
}

impl Event {
    /// Its kind.
    pub fn kind(self) -> EventKind {
        match self {
            Self::Born { .. } => EventKind::Born,
            Self::Touched { .. } => EventKind::Touched,
            Self::Entered { .. } => EventKind::Entered,
            Self::Left { .. } => EventKind::Left,
        }
    }
}

impl EventKind {
    /// The name of the function that handles it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Born => "born",
            Self::Touched => "touched",
            Self::Entered => "entered",
            Self::Left => "left",
        }
    }

    /// Describes when the function is called.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Born => "when the unit is spawned by another one",
            Self::Touched => "when a contact with another unit begins",
            Self::Entered => "when the unit enters a zone",
            Self::Left => "when the unit leaves a zone",
        }
    }

    /// Returns the kind that a function of this name handles.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The kinds of events that a behavior handles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Handled {
    kinds: u8,
    /// True if a handler may request neighbors, so that the units must be sorted first.
    pub queries: bool,
}

impl Handled {
    /// No events.
    pub const NONE: Self = Self { kinds: 0, queries: false };

    /// Adds a kind; `queries` is true if its handler may request neighbors.
    #[must_use]
    pub fn with(self, kind: EventKind, queries: bool) -> Self {
        Self { kinds: self.kinds | 1 << kind as u8, queries: self.queries || queries }
    }

    /// Returns the events of either.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { kinds: self.kinds | other.kinds, queries: self.queries || other.queries }
    }

    /// Returns true if it contains a kind.
    pub fn has(self, kind: EventKind) -> bool {
        self.kinds >> kind as u8 & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handled_kinds_are_distinct_and_named() {
        for kind in EventKind::ALL {
            let only = Handled::NONE.with(kind, false);
            assert!(EventKind::ALL.iter().all(|other| only.has(*other) == (*other == kind)));
            assert_eq!(EventKind::named(kind.name()), Some(kind));
        }
        let both = Handled::NONE.with(EventKind::Left, true).or(Handled::NONE.with(EventKind::Born, false));
        assert!(both.has(EventKind::Left) && both.has(EventKind::Born) && both.queries);
        assert_eq!(EventKind::named("steer"), None);
    }
}
