//! Translation of obstacles in decimal arithmetic, so that coordinates have few decimals.

use glam::Vec3;
use steerbox_core::world::Obstacle;

/// Returns the obstacle translated by `shift`; `None` if the shape degenerates or a coordinate overflows.
///
/// Sums are computed from the decimal representations: 0.1 + 0.2 is 0.3.
pub fn shifted(obstacle: &Obstacle, shift: Vec3) -> Option<Obstacle> {
    Some(Obstacle { solid: obstacle.solid.moved(|point| sum(point, shift))?, ..obstacle.clone() })
}

/// Returns the translation from `from` to `to`, in decimal arithmetic.
pub fn difference(from: Vec3, to: Vec3) -> Vec3 {
    sum(to, -from)
}

fn sum(point: Vec3, shift: Vec3) -> Vec3 {
    Vec3::from_array([0, 1, 2].map(|axis| plus(point[axis], shift[axis])))
}

/// Returns the sum of the decimal representations of two numbers.
pub(super) fn plus(a: f32, b: f32) -> f32 {
    if b == 0.0 {
        return a;
    }
    let decimal = |v: f32| v.to_string().parse().unwrap_or(f64::from(v));
    (decimal(a) + decimal(b)) as f32
}

#[cfg(test)]
mod tests {
    use glam::Vec2;
    use steerbox_core::world::{Polygon, Solid};

    use super::*;

    #[test]
    fn sums_have_no_more_decimals_than_the_summands() {
        assert_eq!(plus(0.1, 0.2).to_string(), "0.3");
        assert_eq!(plus(330.3, 4.8).to_string(), "335.1");
        assert_eq!(plus(1e30, 1.0), 1e30);
        assert!(plus(f32::MAX, f32::MAX).is_infinite());
    }

    #[test]
    fn a_polygon_that_would_degenerate_is_not_moved() {
        let corners = [(0.0, 0.0), (0.001, 0.0), (0.0, 0.001)].map(Vec2::from);
        let polygon = Polygon::new(corners.to_vec()).unwrap();
        let obstacle = Obstacle::from(Solid::Polygon(polygon));
        assert_eq!(shifted(&obstacle, Vec3::X * 1e9), None);
        let near = shifted(&obstacle, Vec3::new(1.0, 2.0, 0.0)).unwrap();
        let [middle, half] = [near.position(), Vec3::new(1.0005, 2.0005, 0.0)];
        assert!(middle.abs_diff_eq(half, 1e-6));
    }
}
