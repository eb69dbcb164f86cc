//! What kinds of values the compiler knows.

/// What a value is, as far as the compiler can tell before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Type {
    pub(super) kind: Kind,
    /// Whether it may also be `()`.
    pub(super) maybe: bool,
}

/// A kind of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// No value is ever there: the program has left by then.
    Never,
    /// `()`.
    Nothing,
    Number,
    Integer,
    Switch,
    Vector,
    Turn,
    Unit,
    Me,
    World,
    List,
    Obstacle,
    Obstacles,
    /// Integers from one up to but without another.
    Range,
    /// Integers from one to another.
    RangeThrough,
    Path,
    Field,
    /// The name of a unit's group.
    Group,
    /// A string that stands in the script.
    Text,
}

impl From<Kind> for Type {
    fn from(kind: Kind) -> Self {
        Self { kind, maybe: false }
    }
}

impl Type {
    pub(super) const NEVER: Self = Self {
        kind: Kind::Never,
        maybe: false,
    };
    pub(super) const NOTHING: Self = Self {
        kind: Kind::Nothing,
        maybe: false,
    };

    /// This or `()`.
    pub(super) const fn or_nothing(kind: Kind) -> Self {
        Self { kind, maybe: true }
    }

    /// The narrowest type that holds both, if one value can.
    pub(super) fn join(self, other: Self) -> Option<Self> {
        if self == other || other.kind == Kind::Never {
            return Some(self);
        }
        let maybe = self.maybe || other.maybe;
        match (self.kind, other.kind) {
            (Kind::Never, _) => Some(other),
            (a, b) if a == b => Some(Self { kind: a, maybe }),
            (Kind::Nothing, kind) | (kind, Kind::Nothing) => Some(Self::or_nothing(kind)),
            (Kind::Me, Kind::Unit) | (Kind::Unit, Kind::Me) => {
                let kind = Kind::Unit;
                Some(Self { kind, maybe })
            }
            _ => None,
        }
    }

    /// Its name in messages.
    pub(super) fn describe(self) -> String {
        let name = self.kind.describe();
        if self.maybe {
            format!("{name} or nothing")
        } else {
            name.to_owned()
        }
    }
}

impl Kind {
    /// Its name in messages.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::Never => "no value",
            Self::Nothing => "nothing",
            Self::Number => "a number",
            Self::Integer => "an integer",
            Self::Switch => "a switch",
            Self::Vector => "a vector",
            Self::Turn => "a turn",
            Self::Unit => "a unit",
            Self::Me => "me",
            Self::World => "the world",
            Self::List => "a list",
            Self::Obstacle => "an obstacle",
            Self::Obstacles => "the obstacles",
            Self::Range | Self::RangeThrough => "a range",
            Self::Path => "a path",
            Self::Field => "a field",
            Self::Group => "the name of a group",
            Self::Text => "a string",
        }
    }

    /// What the script engine calls it in its own messages.
    pub(super) fn engine_name(self) -> &'static str {
        match self {
            Self::Never | Self::Nothing => "()",
            Self::Number => "f32",
            Self::Integer => "i64",
            Self::Switch => "bool",
            Self::Vector => "Vector",
            Self::Turn => "Turn",
            Self::Unit => "Unit",
            Self::Me => "Me",
            Self::World => "World",
            Self::List => "List",
            Self::Obstacle => "Obstacle",
            Self::Obstacles => "ObstacleList",
            Self::Range => "range",
            Self::RangeThrough => "range=",
            Self::Path => "Path",
            Self::Field => "Field",
            Self::Group | Self::Text => "string",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_joins_everything_and_numbers_do_not_join_integers() {
        let number = Type::from(Kind::Number);
        let maybe = Type::or_nothing(Kind::Number);
        assert_eq!(Type::NOTHING.join(number), Some(maybe));
        assert_eq!(maybe.join(number), Some(maybe));
        assert_eq!(Type::NEVER.join(number), Some(number));
        assert_eq!(number.join(Type::NEVER), Some(number));
        assert_eq!(number.join(Kind::Integer.into()), None);
        assert_eq!(
            Type::from(Kind::Me).join(Type::or_nothing(Kind::Unit)),
            Some(Type::or_nothing(Kind::Unit))
        );
    }
}
