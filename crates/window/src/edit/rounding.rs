//! Rounding of dragged and drawn values, which are written into the scene's file.

use glam::Vec3;

/// A position rounded to about a pixel, which corresponds to `unit` world units.
pub(crate) fn round_place(place: Vec3, unit: f32) -> Vec3 {
    place.map(|part| rounded(part, unit))
}

/// The multiple of a power of ten nearest to `value`, the largest power that is at most `unit`.
pub(crate) fn rounded(value: f32, unit: f32) -> f32 {
    // For an infinite unit there is no largest power.
    let unit = unit.min(f32::MAX);
    let (mut step, mut parts) = (1.0_f64, 1.0_f64);
    while step * 10.0 <= f64::from(unit) {
        step *= 10.0;
    }
    while step / parts > f64::from(unit) && parts < 1e6 {
        parts *= 10.0;
    }
    let value = f64::from(value);
    ((value / step * parts).round() / parts * step) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_rounded_to_a_pixel() {
        assert_eq!(rounded(123.456, 0.9).to_string(), "123.5");
        assert_eq!(rounded(123.456, 1.0).to_string(), "123");
        assert_eq!(rounded(123.456, 30.0).to_string(), "120");
        assert_eq!(rounded(0.126, 0.04).to_string(), "0.13");
        assert!(rounded(f32::MAX, 1e-30).is_finite());
        assert_eq!(rounded(123.0, f32::INFINITY), 0.0);
        assert!(rounded(123.0, f32::NAN).is_finite());
    }
}
