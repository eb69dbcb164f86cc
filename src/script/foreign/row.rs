//! A row of the table, and the values that it is about.

/// Where a foreign word was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::script) enum On<'a> {
    /// As a variable.
    Name,
    /// As a function that is called plainly.
    Call,
    /// Behind the dot, on a value of this kind; the name is [`crate::script::types::friendly`]'s.
    Kind(&'a str),
    /// Behind the dot, on a value of unknown kind: a remedy is given if it fits one kind alone.
    Anything,
}

/// The values that it is about, its words, and the remedy. Words match without regard to case and `_`, so that
/// one stands for `setMag`, `set_mag` and `SetMag`.
pub(super) struct Row(pub(super) &'static [Of], pub(super) &'static str, pub(super) &'static str);

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Name,
    Call,
    Vector,
    Me,
    Unit,
    List,
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
