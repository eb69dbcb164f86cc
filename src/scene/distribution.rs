//! Distributions of numbers that differ by unit.

use glam::FloatExt as _;

use crate::world::random;

/// A number, or the distribution from which each unit draws its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    /// The same number for all units.
    Constant(f32),
    /// The normal distribution.
    Normal {
        /// Its mean.
        mean: f32,
        /// Its standard deviation, not negative.
        deviation: f32,
    },
    /// The uniform distribution.
    Uniform {
        /// The least number.
        least: f32,
        /// The end of the range, not below `least`.
        most: f32,
    },
}

impl Distribution {
    /// Returns the number of a draw of [`random::draw`]; greater draws do not give lesser numbers.
    pub(super) fn at(self, draw: f32) -> f32 {
        match self {
            Self::Constant(number) => number,
            Self::Normal { mean, deviation } => mean + deviation * random::normal(draw),
            Self::Uniform { least, most } => least.lerp(most, draw),
        }
    }
}
