//! Images of shapes in a seamless world, where everything repeats with the period of the arena.
//!
//! A query moves its point, not the shape: an image of the shape at some distance from a point is the shape itself at this
//! distance from an image of the point. Points that need no move keep their bits.

use glam::{DVec3, IVec2, Vec2, Vec3};

use super::extrema::Extrema;

/// Maximum number of periods between the nearest image of a center and other images of its shape that are tested. Scenes
/// contain no shape that extends farther.
pub(super) const MAX_PERIODS: f32 = 4.0;
/// Maximum length of a ray, in sums of both periods: in some directions it would never end.
const MAX_RAY: f32 = 4.0;
/// Maximum length of a ray, in the lesser of both periods.
const MAX_PERIODS_OF_RAY: f32 = 32.0;
/// Maximum number of images of a ray for which an index is searched.
const MAX_RANGE: f32 = 64.0;

/// Returns the image of a point that is nearest to `center`.
pub(crate) fn about(point: Vec3, center: Vec3, period: Vec2) -> Vec3 {
    about_exact(point.as_dvec3(), center, period).as_vec3()
}

/// [`about`] in double precision.
pub(super) fn about_exact(point: DVec3, center: Vec3, period: Vec2) -> DVec3 {
    let period = period.as_dvec2();
    let periods = ((point - center.as_dvec3()).truncate() / period).round();
    if periods.is_finite() { point - (periods * period).extend(0.0) } else { point }
}

/// Returns the image of a point with coordinates from 0 to the period.
pub(crate) fn in_first_period(point: Vec3, period: Vec2) -> Vec3 {
    let (point, period) = (point.as_dvec3(), period.as_dvec2());
    (point - ((point.truncate() / period).floor() * period).extend(0.0)).as_vec3()
}

/// Returns the maximum length of a ray.
pub(super) fn max_ray(period: Vec2) -> f32 {
    (MAX_RAY * period.element_sum()).lesser(MAX_PERIODS_OF_RAY * period.min_element())
}

/// Returns the maximum distance of a shape's surface from its center along each axis: at most [`MAX_PERIODS`], plus a margin for
/// rounding errors.
pub(super) fn reach(radius: f32, period: Vec2) -> DVec3 {
    let reach = Vec2::splat(radius).min(period * MAX_PERIODS).as_dvec2();
    (reach + 1e-6 * period.as_dvec2()).extend(0.0)
}

/// Returns the image of a point with the least distance from a shape, and what `measure` returns for it: the distance and more.
/// `first` is the image nearest to the center of a ball that contains the shape's surface, `known` its measure.
#[inline]
pub(super) fn nearest<T: Copy>(
    (first, known): (Vec3, (f32, T)),
    (center, radius): (Vec3, f32),
    period: Vec2,
    measure: impl Fn(Vec3) -> (f32, T),
) -> (Vec3, (f32, T)) {
    // Shapes may be unbounded along z.
    let offset = (first - center).truncate();
    let far = period - offset.abs();
    // The nearest other image of the center is one period away along an axis.
    let others = [offset.with_x(far.x), offset.with_y(far.y)].map(Vec2::length);
    if others[0].lesser(others[1]) - radius < known.0 {
        others_nearer((first, known), (offset, radius), period, measure)
    } else {
        (first, known)
    }
}

/// [`nearest`] if other images may be nearer than the first.
#[inline(never)]
fn others_nearer<T: Copy>(
    (first, known): (Vec3, (f32, T)),
    (offset, radius): (Vec2, f32),
    period: Vec2,
    measure: impl Fn(Vec3) -> (f32, T),
) -> (Vec3, (f32, T)) {
    let reach = (radius / period.min_element()).floor().lesser(MAX_PERIODS - 1.0) as i32 + 1;
    let mut nearest = (first, known);
    for y in -reach..=reach {
        for x in -reach..=reach {
            let shift = IVec2::new(x, y).as_vec2() * period;
            if (offset - shift).length() - radius < nearest.1.0 {
                let image = first - shift.extend(0.0);
                let measured = measure(image);
                if measured.0 < nearest.1.0 {
                    nearest = (image, measured);
                }
            }
        }
    }
    nearest
}

/// The images of a segment that may meet a box, or of a box that may meet a segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Images {
    first: IVec2,
    last: IVec2,
    period: Vec2,
}

impl Images {
    /// Returns the images of a segment from one point to another that meet the box between two corners. Without a period, the
    /// segment itself.
    pub(super) fn of_segment([from, to]: [DVec3; 2], [low, high]: [DVec3; 2], period: Option<Vec2>) -> Self {
        let Some(period) = period else {
            return Self { first: IVec2::ZERO, last: IVec2::ZERO, period: Vec2::ZERO };
        };
        let first = ((from.min(to) - high).truncate() / period.as_dvec2()).ceil();
        let last = ((from.max(to) - low).truncate() / period.as_dvec2()).floor();
        Self { first: first.as_ivec2(), last: last.as_ivec2(), period }
    }

    /// Returns `None` if there are too many.
    pub(super) fn few(self) -> Option<Self> {
        let count = (self.last.as_vec2() - self.first.as_vec2() + 1.0).max(Vec2::ZERO);
        let is_few = count.element_product() <= MAX_RANGE && self.first.as_vec2().abs().max_element() <= 1e6;
        is_few.then_some(self)
    }

    /// Returns the offsets of the segment from its images, or of the images of the box from it.
    pub(super) fn shifts(self) -> impl Iterator<Item = DVec3> {
        let Self { first, last, period } = self;
        let rows = (first.y..=last.y).flat_map(move |y| (first.x..=last.x).map(move |x| IVec2::new(x, y)));
        rows.map(move |periods| (periods.as_dvec2() * period.as_dvec2()).extend(0.0))
    }
}
