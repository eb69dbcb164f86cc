//! Formatting of values for users and tables.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

use glam::Vec3;

use crate::world::Coordinates;

use super::contribution::Contribution;
use super::inspection::MemoryValue;
use super::recording::WatchValue;

/// Formats a number with up to three decimals; very small and large ones in scientific notation.
pub fn rounded(number: f32) -> String {
    let size = number.abs();
    if size != 0.0 && !(0.001..1e6).contains(&size) {
        return format!("{number:.2e}");
    }
    let digits = format!("{number:.3}");
    digits.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Formats a vector with [`rounded`] components; without z if it is zero.
pub fn rounded_vector(v: Vec3) -> String {
    let [x, y, z] = v.to_array().map(rounded);
    if v.z == 0.0 { format!("({x}, {y})") } else { format!("({x}, {y}, {z})") }
}

impl Display for Coordinates {
    /// Like [`rounded_vector`], but coordinates of any size have up to three decimals.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Single(position) => f.write_str(&rounded_vector(Vec3::from_array(*position))),
            Self::Double(coordinates) => {
                let [x, y, z] = coordinates.map(|it| (it * 1000.0).round() / 1000.0);
                if z == 0.0 { write!(f, "({x}, {y})") } else { write!(f, "({x}, {y}, {z})") }
            }
        }
    }
}

/// Formats a text as a CSV field, quoted as RFC 4180 requires.
pub fn csv_field(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\"")).into()
    } else {
        text.into()
    }
}

impl Display for Contribution {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("nothing"),
            Self::Turn(turn) if turn.y == 0.0 => write!(f, "turn {}", rounded(turn.x)),
            Self::Turn(turn) => write!(f, "turn ({}, {})", rounded(turn.x), rounded(turn.y)),
            Self::Push(push) => write!(f, "push {}", rounded_vector(*push)),
        }
    }
}

impl Display for MemoryValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => f.write_str(&rounded(*number)),
            Self::Bool(on) => write!(f, "{on}"),
            Self::Vector(vector) => f.write_str(&rounded_vector(*vector)),
        }
    }
}

impl Display for WatchValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => f.write_str(&rounded(*number)),
            Self::Vector(vector) => f.write_str(&rounded_vector(*vector)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    #[test]
    fn numbers_have_three_decimals_and_planar_vectors_two_components() {
        let shown = [0.0, 2.0, 1.0 / 3.0, -12.5, 4e-5, 2e9].map(rounded);
        assert_eq!(shown, ["0", "2", "0.333", "-12.5", "4.00e-5", "2.00e9"]);
        assert_eq!(rounded_vector(Vec3::new(1.0, 0.5, 0.0)), "(1, 0.5)");
        assert_eq!(Contribution::Push(Vec3::ONE).to_string(), "push (1, 1, 1)");
        assert_eq!(Contribution::Turn(Vec2::new(0.25, 0.0)).to_string(), "turn 0.25");
        assert_eq!(MemoryValue::Bool(true).to_string(), "true");
        assert_eq!(WatchValue::Number(0.1).to_string(), "0.1");
    }

    #[test]
    fn csv_fields_are_quoted_if_necessary() {
        let fields = ["a b", "a,b", "say \"a\"", "a\nb"].map(csv_field);
        assert_eq!(fields, ["a b", "\"a,b\"", "\"say \"\"a\"\"\"", "\"a\nb\""]);
    }
}
