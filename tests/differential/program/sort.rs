//! Types of the parts of a program.

/// The type of a part of a program. Each has a letter, which is used in forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Number,
    Integer,
    Switch,
    Vector,
    Text,
    Me,
    World,
    /// The unit itself or another.
    Someone,
    Unit,
    Units,
    Obstacle,
    Obstacles,
    Path,
    Field,
    Grid,
    /// A unit or `()`.
    PerhapsUnit,
    PerhapsVector,
    PerhapsNumber,
    /// Any value that may be `()`.
    Perhaps,
    /// The result of `steer`.
    Outcome,
    Block,
    Statement,
}

const LETTERS: [(char, Sort); 20] = [
    ('n', Sort::Number),
    ('i', Sort::Integer),
    ('s', Sort::Switch),
    ('v', Sort::Vector),
    ('t', Sort::Text),
    ('m', Sort::Me),
    ('w', Sort::World),
    ('a', Sort::Someone),
    ('u', Sort::Unit),
    ('l', Sort::Units),
    ('o', Sort::Obstacle),
    ('b', Sort::Obstacles),
    ('p', Sort::Path),
    ('f', Sort::Field),
    ('g', Sort::Grid),
    ('U', Sort::PerhapsUnit),
    ('V', Sort::PerhapsVector),
    ('N', Sort::PerhapsNumber),
    ('x', Sort::Perhaps),
    ('r', Sort::Outcome),
];

impl Sort {
    /// Returns the type with a letter.
    pub(crate) fn of(letter: char) -> Self {
        let found = LETTERS.iter().find(|(known, _)| *known == letter);
        found.unwrap_or_else(|| panic!("no sort {letter}")).1
    }

    /// Returns its letter.
    pub(crate) fn letter(self) -> char {
        let found = LETTERS.iter().find(|(_, known)| *known == self);
        found.unwrap_or_else(|| panic!("no letter for {self:?}")).0
    }

    /// Returns the optional type.
    pub(crate) fn perhaps(self) -> Option<Self> {
        match self {
            Self::Number => Some(Self::PerhapsNumber),
            Self::Vector => Some(Self::PerhapsVector),
            Self::Unit => Some(Self::PerhapsUnit),
            _ => None,
        }
    }

    /// Returns the non-optional type.
    pub(crate) fn surely(self) -> Option<Self> {
        match self {
            Self::PerhapsNumber => Some(Self::Number),
            Self::PerhapsVector => Some(Self::Vector),
            Self::PerhapsUnit => Some(Self::Unit),
            _ => None,
        }
    }

    /// Returns the simplest value of the type.
    pub(crate) fn plainest(self) -> Option<&'static str> {
        match self {
            Self::Number => Some("1.0"),
            Self::Integer => Some("1"),
            Self::Switch => Some("true"),
            Self::Vector => Some("vec(1, 2)"),
            Self::Text => Some("\"wide\""),
            Self::Units => Some("me.neighbors"),
            Self::Someone => Some("me"),
            Self::Outcome | Self::PerhapsUnit | Self::PerhapsVector | Self::PerhapsNumber | Self::Perhaps => {
                Some("()")
            }
            _ => None,
        }
    }
}

/// Returns the types of the holes in a form, in order.
pub(crate) fn holes(form: &str) -> impl Iterator<Item = Sort> {
    let after = form.split('$').skip(1);
    after.map(|rest| Sort::of(rest.chars().next().expect("a letter after $")))
}
