//! The table of all types of script values, for the engine, the compiler, messages and editors.

use std::any::TypeId;
use std::ops::{Range, RangeInclusive};

use glam::Vec3;
use rhai::{Array, Dynamic, INT, ImmutableString, Map};
use steerbox_core::sim::FieldKind;

use super::handles;

/// A type: a kind of value, possibly optional.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Type {
    pub(super) kind: Kind,
    /// True if the value may also be `()`.
    pub(super) maybe: bool,
}

/// Kind, Rust type, name for editors and in the engine's messages, and name in messages to the user.
type Row = (Kind, fn() -> TypeId, &'static str, &'static str);

/// Declares the kinds, with the row of each that has values of its own in the script engine.
macro_rules! kinds {
    ($($(#[$about:meta])* $kind:ident: $of:ty, $name:literal, $described:literal;)*) => {
        /// A kind of value.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(super) enum Kind {
            /// The type of an expression that never returns.
            Never,
            $($(#[$about])* $kind,)*
            /// The name of a unit's group; a string in the script engine.
            Group,
            /// The name of a zone in an event; a string in the script engine.
            Zone,
        }

        /// The rows of all kinds.
        const ALL: [Row; [$($name),*].len()] = [$((Kind::$kind, TypeId::of::<$of>, $name, $described)),*];
    };
}

kinds! {
    /// `()`.
    Nothing: (), "()", "nothing";
    Number: f32, "float", "a number";
    Integer: INT, "int", "an integer";
    Bool: bool, "bool", "a switch";
    Vector: Vec3, "Vector", "a vector";
    Turn: handles::Turn, "Turn", "a turn";
    Unit: handles::Unit, "Unit", "a unit";
    Me: handles::Me, "Me", "me";
    World: handles::World, "World", "the world";
    /// A group of the scene.
    Members: handles::Members, "Group", "the group";
    List: handles::Units, "List", "a list";
    Obstacle: handles::Obstacle, "Obstacle", "an obstacle";
    Obstacles: handles::Obstacles, "ObstacleList", "the obstacles";
    /// Integers in a half-open range.
    Range: Range<INT>, "range", "a range";
    /// Integers in an inclusive range.
    RangeThrough: RangeInclusive<INT>, "range=", "a range";
    Path: handles::Path, "Path", "a path";
    Field: handles::Field, "Field", "a field";
    /// An environment grid.
    Grid: handles::Grid, "Grid", "a grid";
    /// The intersection of a ray.
    Hit: handles::Hit, "Hit", "a hit";
    /// A string.
    Text: ImmutableString, "string", "a string";
    /// The memory of a unit: `this`.
    Memory: handles::Memory, "Memory", "the memory";
    Array: Array, "array", "an array";
    Map: Map, "map", "a map";
    /// A value of any kind: the type of some parameters, and of values of unknown kind.
    Any: Dynamic, "?", "a value";
}

impl From<Kind> for Type {
    fn from(kind: Kind) -> Self {
        Self { kind, maybe: false }
    }
}

impl Type {
    pub(super) const NEVER: Self = Self::always(Kind::Never);
    pub(super) const NOTHING: Self = Self::always(Kind::Nothing);
    pub(super) const ANY: Self = Self::always(Kind::Any);

    const fn always(kind: Kind) -> Self {
        Self { kind, maybe: false }
    }

    /// This kind or `()`.
    pub(super) const fn or_nothing(kind: Kind) -> Self {
        Self { kind, maybe: true }
    }

    /// Returns the narrowest type of both, if one value can have it.
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

    /// As `join`, for values whose kind need not be known: differing kinds become [`Kind::Any`].
    pub(super) fn join_any(self, other: Self) -> Self {
        let holds = |kind: Kind, of: Self| [kind, Kind::Never, Kind::Nothing].contains(&of.kind);
        let is_certain = |kind| kind != Kind::Any && holds(kind, self) && holds(kind, other);
        let joined = self.join(other).filter(|joined| is_certain(joined.kind));
        joined.unwrap_or(Self::ANY)
    }

    /// Returns its name in messages.
    pub(super) fn describe(self) -> String {
        let name = self.kind.describe();
        if self.maybe { format!("{name} or nothing") } else { name.to_owned() }
    }
}

impl Kind {
    fn row(self) -> Option<&'static Row> {
        ALL.iter().find(|row| row.0 == self)
    }

    /// Returns the name of its values in messages.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::Never => "no value",
            Self::Group => "the name of a group",
            Self::Zone => "the name of a zone",
            kind => kind.row().map_or("a value", |row| row.3),
        }
    }

    /// Returns its name for editors.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Never => "()",
            Self::Group | Self::Zone => Self::Text.name(),
            kind => kind.row().map_or("?", |row| row.2),
        }
    }

    /// Returns true for strings of the script engine.
    pub(super) fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::Group | Self::Zone)
    }

    /// Returns its name in the script engine's messages.
    pub(super) fn engine_name(self) -> &'static str {
        match self {
            Self::Number => "f32",
            Self::Integer => "i64",
            kind => kind.name(),
        }
    }

    /// Returns the Rust type of its values in the script engine.
    pub(super) fn type_id(self) -> TypeId {
        let kind = if self.is_text() { Self::Text } else { self };
        kind.row().map_or_else(TypeId::of::<()>, |row| row.1())
    }

    /// Returns the kind of a Rust type, if scripts have values of it.
    pub(super) fn from_type_id(id: TypeId) -> Option<Self> {
        ALL.iter().find(|row| row.1() == id).map(|row| row.0)
    }

    /// Returns the kind of a Rust type, by its name in Rust or the script engine.
    pub(super) fn named(name: &str) -> Option<Self> {
        let plain = plain(name);
        ALL.iter().find(|row| row.2 == plain).map(|row| row.0)
    }

    /// Returns the kind of values of a memory field.
    pub(super) fn of_field(field: FieldKind) -> Self {
        match field {
            FieldKind::Number => Self::Number,
            FieldKind::Bool => Self::Bool,
            FieldKind::Vector => Self::Vector,
        }
    }

    /// Returns the kind of a list's elements.
    pub(super) fn element(self) -> Option<Self> {
        match self {
            Self::List | Self::Members => Some(Self::Unit),
            Self::Obstacles => Some(Self::Obstacle),
            Self::Range | Self::RangeThrough => Some(Self::Integer),
            _ => None,
        }
    }

    /// Returns true if a parameter of kind `parameter` accepts its values, with or without conversion.
    pub(super) fn fits(self, parameter: Self) -> bool {
        let shown = [Self::Number, Self::Integer, Self::Bool, Self::Vector];
        match (self, parameter) {
            (Self::Integer, Self::Number)
            | (Self::Me, Self::Unit)
            | (Self::Group | Self::Zone, Self::Text) => true,
            (kind, Self::Any) => kind.is_text() || shown.contains(&kind),
            (kind, parameter) => kind == parameter,
        }
    }
}

/// Returns the name of a kind for readers, as in the documents.
pub(super) fn shown(name: &'static str) -> &'static str {
    match name {
        "float" => "number",
        "int" => "integer",
        "?" => "value",
        name => name,
    }
}

/// Returns the unqualified name of a type.
fn plain(name: &str) -> &str {
    match name.rsplit("::").next().unwrap_or(name) {
        "f32" => "float",
        "i64" => "int",
        "&str" | "ImmutableString" | "&str | ImmutableString | String" => "string",
        "Vec3" => "Vector",
        "Members" => "Group",
        "Units" => "List",
        "Obstacles" => "ObstacleList",
        other => other,
    }
}

/// Returns the name of a value in messages, by the script engine's name of its type.
pub(super) fn friendly(engine_name: &str) -> String {
    let name = plain(engine_name);
    let row = ALL.iter().find(|row| row.2 == name && row.0 != Kind::Any);
    row.map_or(name, |row| row.3).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_joins_with_every_kind_and_numbers_do_not_join_with_integers() {
        let number = Type::from(Kind::Number);
        let maybe = Type::or_nothing(Kind::Number);
        assert_eq!(Type::NOTHING.join(number), Some(maybe));
        assert_eq!(maybe.join(number), Some(maybe));
        assert_eq!(Type::NEVER.join(number), Some(number));
        assert_eq!(number.join(Type::NEVER), Some(number));
        assert_eq!(number.join(Kind::Integer.into()), None);
        assert_eq!(number.join_any(Kind::Integer.into()), Type::ANY);
        assert_eq!(Type::ANY.join_any(Type::NOTHING), Type::ANY);
        assert_eq!(Type::NOTHING.join_any(number), maybe);
        assert_eq!(Type::from(Kind::Me).join_any(Kind::Unit.into()), Type::ANY);
        assert_eq!(
            Type::from(Kind::Me).join(Type::or_nothing(Kind::Unit)),
            Some(Type::or_nothing(Kind::Unit))
        );
    }
}
