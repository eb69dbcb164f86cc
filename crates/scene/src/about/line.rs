//! The types of the table.

use std::fmt::{self, Display, Formatter};

use crate::bounds::Bounds;
use crate::parts::Thing;

/// The values that a field takes, or a case in its parentheses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(Bounds),
    /// A number, or a distribution from which each unit draws it.
    Drawn(Bounds),
    /// An integer from 0.
    Whole,
    /// An integer from 1.
    Positive,
    /// `true` or `false`.
    Switch,
    /// A text in quotes, described by a noun.
    Text(&'static str),
    /// A name or hexadecimal code of a color.
    Color,
    /// Coordinates in parentheses, described by a noun.
    Point(&'static str),
    /// Values in brackets, by their plural.
    List(&'static str),
    /// Values by name in braces, by their plural.
    Map(&'static str),
    /// The name of a declared thing.
    Name(Thing),
    /// One of the words or cases of an owner; with a description if other values are valid, too.
    Choice(&'static str, &'static str),
    /// Fields in parentheses of this owner.
    Fields(&'static str),
}

impl Value {
    /// Returns the bounds of a number.
    pub(crate) fn bounds(self) -> Bounds {
        match self {
            Self::Number(bounds) | Self::Drawn(bounds) => bounds,
            _ => Bounds::Any,
        }
    }
}

/// The value of a field that is missing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fallback {
    /// None: the field is required. An example of a value.
    Required(&'static str),
    /// None: the field is required. It has as many numbers as the world has dimensions.
    Size,
    /// A number.
    Is(f32),
    /// `false`.
    Off,
    /// `true`.
    On,
    /// A word.
    Word(&'static str),
    /// Another value, described.
    Or(&'static str),
}

impl Display for Fallback {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Required(_) | Self::Size => to.write_str("required"),
            Self::Is(number) => to.write_str(&number.to_string().replace('-', "−")),
            Self::Off => to.write_str("`false`"),
            Self::On => to.write_str("`true`"),
            Self::Word(word) => write!(to, "`{word}`"),
            Self::Or(text) => to.write_str(text),
        }
    }
}

/// A field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldAbout {
    /// The items that have it, separated by `|`: `a group`, or the case: `Disc`; after a colon, if only cases of some things
    /// have it: `a spawn: Disc`.
    pub(crate) owners: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its values.
    pub value: Value,
    /// Its default.
    pub default: Fallback,
    /// Meaning and unit as Markdown.
    pub about: &'static str,
}

impl FieldAbout {
    /// Returns an example of its value in a plane or in space, if it is required.
    pub fn example(&self, is_plane: bool) -> Option<&'static str> {
        match self.default {
            Fallback::Required(example) => Some(example),
            Fallback::Size => Some(if is_plane { "(10, 10)" } else { "(10, 10, 10)" }),
            _ => None,
        }
    }

    /// Returns true if an item has it; `family` is the thing that has the case `owner`, or the same.
    pub(super) fn is_of(&self, family: &str, owner: &str) -> bool {
        match self.owners.split_once(": ") {
            Some((families, owners)) => is_of(families, family) && is_of(owners, owner),
            None => is_of(self.owners, owner),
        }
    }
}

/// A case, or a word that a field takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaseAbout {
    /// The thing that has this case: `a spawn`; or the field that takes the word. Several are separated by `|`.
    pub(crate) owners: &'static str,
    /// The word.
    pub(crate) name: &'static str,
    /// Its meaning as Markdown.
    pub about: &'static str,
    /// The value in its parentheses, before or instead of fields.
    pub value: Option<Value>,
    /// True if only planes have it, false if only spaces have it.
    pub(crate) is_plane: Option<bool>,
}

impl CaseAbout {
    /// The case with a value in its parentheses.
    pub(super) const fn of(self, value: Value) -> Self {
        Self { value: Some(value), ..self }
    }

    /// The case, only in planes or only in spaces.
    pub(super) const fn only(self, is_plane: bool) -> Self {
        Self { is_plane: Some(is_plane), ..self }
    }
}

/// Returns true if a list of owners contains one.
pub(super) fn is_of(owners: &str, owner: &str) -> bool {
    owners.split('|').any(|known| known == owner)
}
