//! Values of the parameters of behaviors.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::distribution::Distribution;

/// The value of a parameter, as a scene, the command line or the window sets it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ParamValue {
    /// A finite number with a decimal point or an exponent.
    Number(f32),
    /// An integer; equivalent to the same [`ParamValue::Number`].
    Integer(i64),
    /// A bool.
    Switch(bool),
    /// A text: one of the script's choices, if valid.
    Choice(String),
    /// A distribution from which each unit draws its own value; not [`Distribution::Constant`].
    Distribution(Distribution),
}

impl ParamValue {
    /// Returns the number, or the mean of a distribution; `None` for a switch or a text.
    pub fn mean(&self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(f64::from(*value)),
            Self::Integer(value) => Some(*value as f64),
            Self::Distribution(distribution) => Some(f64::from(distribution.mean())),
            Self::Switch(_) | Self::Choice(_) => None,
        }
    }

    /// Returns the value in effect where it replaces `file`: a number for a distribution is its new mean.
    #[must_use]
    pub fn replacing(&self, file: &Self) -> Self {
        let number = match self {
            Self::Number(value) => *value,
            Self::Integer(value) => *value as f32,
            _ => return self.clone(),
        };
        match file {
            Self::Distribution(distribution) => match distribution.with_mean(number) {
                Distribution::Constant(_) => self.clone(),
                moved => Self::Distribution(moved),
            },
            _ => self.clone(),
        }
    }
}

impl fmt::Display for ParamValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(value) => value.fmt(formatter),
            Self::Integer(value) => value.fmt(formatter),
            Self::Switch(on) => on.fmt(formatter),
            Self::Choice(word) => formatter.write_str(word),
            Self::Distribution(distribution) => distribution.fmt(formatter),
        }
    }
}
