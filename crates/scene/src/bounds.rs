//! Valid ranges of numbers.

use std::fmt::{self, Display, Formatter};

/// The valid range of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bounds {
    /// Any finite number, for values that only scripts interpret.
    Finite,
    /// Any number whose square and cube are finite; this also holds for the variants below.
    Any,
    /// From 0.
    NotNegative,
    /// Above 0.
    Above,
    /// From the first number to the second.
    Between(f32, f32),
}

/// Limits beyond which squares and quotients of a scene's numbers overflow or underflow.
const MAX_NUMBER: f32 = 1e12;
const MIN_NUMBER: f32 = 1e-6;

impl Bounds {
    /// Explains why a number is outside; `None` for one that is within.
    pub(super) fn broken(self, value: f32) -> Option<String> {
        match self {
            Self::Finite => None,
            _ if value.abs() > MAX_NUMBER => Some(format!("must be within ±{MAX_NUMBER:e}")),
            Self::NotNegative if value < 0.0 => Some("must not be negative".to_owned()),
            Self::Above if value <= 0.0 => Some("must be above zero".to_owned()),
            Self::Above if value < MIN_NUMBER => Some(format!("must be at least {MIN_NUMBER}")),
            Self::Between(least, most) if value < least || value > most => {
                Some(format!("must be from {least} to {most}"))
            }
            _ => None,
        }
    }
}

/// The range as Markdown.
impl Display for Bounds {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finite | Self::Any => to.write_str("number"),
            Self::NotNegative => to.write_str("not negative"),
            Self::Above => to.write_str("above 0"),
            Self::Between(least, most) => write!(to, "{least} to {most}"),
        }
    }
}
