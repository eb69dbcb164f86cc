//! What a piece of a program stands for.

/// What a piece of a program gives or is. Each has a letter, which stands for it in forms.
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
    /// A unit or nothing.
    PerhapsUnit,
    PerhapsVector,
    PerhapsNumber,
    /// Anything that may be nothing.
    Perhaps,
    /// What `steer` returns.
    Outcome,
    Block,
    Statement,
}

const LETTERS: [(char, Sort); 19] = [
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
    ('U', Sort::PerhapsUnit),
    ('V', Sort::PerhapsVector),
    ('N', Sort::PerhapsNumber),
    ('x', Sort::Perhaps),
    ('r', Sort::Outcome),
];

impl Sort {
    /// The sort that a letter stands for.
    pub(crate) fn of(letter: char) -> Self {
        let found = LETTERS.iter().find(|(known, _)| *known == letter);
        found.unwrap_or_else(|| panic!("no sort {letter}")).1
    }

    /// The letter that stands for it.
    pub(crate) fn letter(self) -> char {
        let found = LETTERS.iter().find(|(_, known)| *known == self);
        found.unwrap_or_else(|| panic!("no letter for {self:?}")).0
    }

    /// The same, or nothing.
    pub(crate) fn perhaps(self) -> Option<Self> {
        match self {
            Self::Number => Some(Self::PerhapsNumber),
            Self::Vector => Some(Self::PerhapsVector),
            Self::Unit => Some(Self::PerhapsUnit),
            _ => None,
        }
    }

    /// What it is when it is not nothing.
    pub(crate) fn surely(self) -> Option<Self> {
        match self {
            Self::PerhapsNumber => Some(Self::Number),
            Self::PerhapsVector => Some(Self::Vector),
            Self::PerhapsUnit => Some(Self::Unit),
            _ => None,
        }
    }

    /// The plainest piece of the sort.
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

/// The sorts of the holes in a form, in order.
pub(crate) fn holes(form: &str) -> impl Iterator<Item = Sort> {
    let after = form.split('$').skip(1);
    after.map(|rest| Sort::of(rest.chars().next().expect("a letter after $")))
}
