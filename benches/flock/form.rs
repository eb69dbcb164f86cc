//! The two ways of writing the rules.

/// How rules are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Over means and counts of lists.
    Means,
    /// As loops over the units of lists.
    Loops,
}

pub(crate) const FORMS: [Form; 2] = [Form::Means, Form::Loops];

impl Form {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Means => "means",
            Self::Loops => "loops",
        }
    }
}
