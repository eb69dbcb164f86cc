//! A row of the table, and the receivers to which it applies.

/// The context of a foreign name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum On<'a> {
    /// A variable.
    Name,
    /// A plain call.
    Call,
    /// A property or method of a value of this kind, by its name in [`crate::types::friendly`].
    Kind(&'a str),
    /// A property or method of a value of unknown kind: the remedy is returned only if it fits a single kind.
    Anything,
}

/// Receivers, names, and the remedy. Names match without regard to case and `_`, so that one matches `setMag`,
/// `set_mag` and `SetMag`.
pub(super) struct Row(pub(super) &'static [Of], pub(super) &'static str, pub(super) &'static str);

/// A receiver to which a row applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Name,
    Call,
    Vector,
    Me,
    Unit,
    List,
    Members,
    Obstacles,
    Obstacle,
    World,
    Number,
    Array,
    Map,
    String,
}

impl Of {
    pub(super) fn fits(self, on: On<'_>) -> bool {
        let kind = match self {
            Self::Name => return on == On::Name,
            Self::Call => return on == On::Call,
            Self::Number | Self::Array | Self::Map | Self::String if on == On::Anything => {
                return false;
            }
            _ if on == On::Anything => return true,
            Self::Vector => "a vector",
            Self::Me => "me",
            Self::Unit => return [On::Kind("me"), On::Kind("a unit")].contains(&on),
            Self::List => "a list",
            Self::Members => "the group",
            Self::Obstacles => "the obstacles",
            Self::Obstacle => "an obstacle",
            Self::World => "the world",
            Self::Number => return [On::Kind("a number"), On::Kind("an integer")].contains(&on),
            Self::Array => "an array",
            Self::Map => "a map",
            Self::String => "a string",
        };
        on == On::Kind(kind)
    }
}
