//! The two forms of the rules.

/// The form of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Means and counts of lists.
    Means,
    /// Loops over the units of lists.
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
