//! Obstacles and what can be asked of them: distance, nearest point, normal, ray.

use glam::{Quat, Vec3};

/// Something solid. In a plane all z are zero and a box has no end along z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Obstacle {
    /// A circle in a plane, a ball in space.
    Ball {
        /// Center.
        center: Vec3,
        /// Radius, above zero.
        radius: f32,
    },
    /// Everything within `radius` of a segment.
    Capsule {
        /// One end of the segment.
        from: Vec3,
        /// The other end.
        to: Vec3,
        /// Radius, above zero.
        radius: f32,
    },
    /// A box turned about the world's z axis.
    Box {
        /// Center.
        center: Vec3,
        /// Half the extent along its own axes, above zero; infinite along z in a plane.
        half: Vec3,
        /// Counter-clockwise turn, radians.
        angle: f32,
    },
}

/// Where a ray meets an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Distance along the ray, from 0.
    pub distance: f32,
    /// The point on the surface.
    pub point: Vec3,
    /// Outward normal there, a unit vector.
    pub normal: Vec3,
}

impl Obstacle {
    /// Its center.
    pub fn position(&self) -> Vec3 {
        match *self {
            Self::Ball { center, .. } | Self::Box { center, .. } => center,
            Self::Capsule { from, to, .. } => (from + to) * 0.5,
        }
    }

    /// Radius of the smallest ball about its center that holds it.
    pub fn radius(&self) -> f32 {
        match *self {
            Self::Ball { radius, .. } => radius,
            Self::Capsule { from, to, radius } => radius + from.distance(to) * 0.5,
            Self::Box { half, .. } => finite(half).length(),
        }
    }

    /// Distance from `point` to the surface: negative inside.
    pub fn distance_to(&self, point: Vec3) -> f32 {
        match *self {
            Self::Ball { center, radius } => center.distance(point) - radius,
            Self::Capsule { from, to, radius } => spine(from, to, point).distance(point) - radius,
            Self::Box {
                center,
                half,
                angle,
            } => {
                let past = (turned(point - center, -angle)).abs() - half;
                past.max(Vec3::ZERO).length() + past.max_element().min(0.0)
            }
        }
    }

    /// The point of the surface nearest to `point`.
    pub fn nearest_point(&self, point: Vec3) -> Vec3 {
        match *self {
            Self::Box {
                center,
                half,
                angle,
            } => center + turned(nearest_on_box(turned(point - center, -angle), half), angle),
            _ => point - self.normal(point) * self.distance_to(point),
        }
    }

    /// Outward normal at the point of the surface nearest to `point`, a unit vector.
    pub fn normal(&self, point: Vec3) -> Vec3 {
        match *self {
            Self::Ball { center, .. } => (point - center).try_normalize().unwrap_or(Vec3::X),
            Self::Capsule { from, to, .. } => {
                let away = point - spine(from, to, point);
                away.try_normalize().unwrap_or_else(|| square_to(to - from))
            }
            Self::Box {
                center,
                half,
                angle,
            } => turned(box_normal(turned(point - center, -angle), half), angle),
        }
    }

    /// Where a ray from `from` along `direction` (any length) first meets the surface within
    /// `length`; a ray that starts inside meets it at once, at `from`.
    ///
    /// By sphere tracing: J. C. Hart, "Sphere tracing", The Visual Computer 12, 1996.
    pub fn ray(&self, from: Vec3, direction: Vec3, length: f32) -> Option<Hit> {
        let direction = direction.try_normalize()?;
        let mut distance = 0.0;
        for _ in 0..TRACE_STEPS {
            let point = from + direction * distance;
            let gap = self.distance_to(point);
            if gap <= TOUCH * (1.0 + self.radius()) {
                return Some(Hit {
                    distance,
                    point,
                    normal: self.normal(point),
                });
            }
            distance += gap;
            if distance.is_nan() || distance > length {
                return None;
            }
        }
        None
    }
}

/// Steps after which a grazing ray counts as a miss.
const TRACE_STEPS: usize = 128;
/// Gap, as a fraction of the obstacle's size, that counts as contact.
const TOUCH: f32 = 1e-5;

/// A unit vector square to `v`, in the world's plane if `v` is.
fn square_to(v: Vec3) -> Vec3 {
    Vec3::new(-v.y, v.x, 0.0).try_normalize().unwrap_or(Vec3::X)
}

/// Infinite parts as zero.
fn finite(half: Vec3) -> Vec3 {
    Vec3::select(half.is_finite_mask(), half, Vec3::ZERO)
}

fn turned(v: Vec3, angle: f32) -> Vec3 {
    Quat::from_rotation_z(angle) * v
}

fn spine(from: Vec3, to: Vec3, point: Vec3) -> Vec3 {
    let along = to - from;
    let length_squared = along.length_squared();
    if length_squared == 0.0 {
        return from;
    }
    from + along * ((point - from).dot(along) / length_squared).clamp(0.0, 1.0)
}

/// Outward normal of the face, edge or corner of an axis-aligned box nearest to `p`.
fn box_normal(p: Vec3, half: Vec3) -> Vec3 {
    let outside = p - p.clamp(-half, half);
    if let Some(normal) = outside.try_normalize() {
        return normal;
    }
    let depth = half - p.abs();
    let sign = |x: f32| if x < 0.0 { -1.0 } else { 1.0 };
    if depth.x <= depth.y && depth.x <= depth.z {
        Vec3::X * sign(p.x)
    } else if depth.y <= depth.z {
        Vec3::Y * sign(p.y)
    } else {
        Vec3::Z * sign(p.z)
    }
}

fn nearest_on_box(p: Vec3, half: Vec3) -> Vec3 {
    let inside = p.clamp(-half, half);
    if inside != p {
        return inside;
    }
    let normal = box_normal(p, half);
    let depth = finite(half - p.abs()).dot(normal.abs());
    p + normal * depth
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes() -> [Obstacle; 4] {
        [
            Obstacle::Ball {
                center: Vec3::new(3.0, 1.0, 0.0),
                radius: 2.0,
            },
            Obstacle::Capsule {
                from: Vec3::ZERO,
                to: Vec3::new(6.0, 2.0, 0.0),
                radius: 1.0,
            },
            Obstacle::Box {
                center: Vec3::ONE,
                half: Vec3::new(2.0, 1.0, f32::INFINITY),
                angle: 0.4,
            },
            Obstacle::Box {
                center: Vec3::ZERO,
                half: Vec3::new(2.0, 1.0, 3.0),
                angle: 0.0,
            },
        ]
    }

    #[test]
    fn the_nearest_point_lies_on_the_surface_at_the_stated_distance() {
        for shape in shapes() {
            for point in [
                Vec3::new(7.0, -3.0, 0.0),
                Vec3::new(1.2, 0.9, 0.0),
                Vec3::new(-4.0, 0.1, 0.0),
            ] {
                let on = shape.nearest_point(point);
                assert!(shape.distance_to(on).abs() < 1e-4, "{shape:?} {on}");
                assert!(
                    (on.distance(point) - shape.distance_to(point).abs()).abs() < 1e-4,
                    "{shape:?} {point}"
                );
            }
        }
    }

    #[test]
    fn a_ray_meets_the_surface_or_passes() {
        for shape in shapes() {
            let hit = shape
                .ray(Vec3::new(20.0, 0.9, 0.0), Vec3::NEG_X * 3.0, 30.0)
                .unwrap();
            assert!(
                shape.distance_to(hit.point).abs() < 1e-3,
                "{shape:?} {hit:?}"
            );
            assert!(hit.normal.x > 0.0);
            assert_eq!(shape.ray(Vec3::new(20.0, 0.9, 0.0), Vec3::X, 30.0), None);
            assert_eq!(shape.ray(Vec3::new(20.0, 0.9, 0.0), Vec3::NEG_X, 1.0), None);
        }
    }

    #[test]
    fn a_ray_from_inside_meets_the_surface_at_once_and_one_without_direction_never() {
        let ball = shapes()[0];
        assert_eq!(
            ball.ray(ball.position(), Vec3::X, 1.0).unwrap().distance,
            0.0
        );
        assert_eq!(ball.ray(ball.position(), Vec3::ZERO, 1.0), None);
    }
}
