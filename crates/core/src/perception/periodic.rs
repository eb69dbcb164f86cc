//! Offsets in a periodic world: the minimum image convention.

use glam::{BVec2, Vec2, Vec3};

use super::lanes::Lanes;
use super::simd::Simd;

/// The periodic box, if views reach across the edge; z is never periodic.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PeriodicBoundary {
    size: Option<Vec2>,
    /// True if all units are inside the box, so that their nearest images are at most one period away.
    all_inside: bool,
}

impl PeriodicBoundary {
    pub(super) fn new(size: Option<Vec2>, positions: &[Vec3]) -> Self {
        let all_inside = size.is_none_or(|size| {
            let inside = |p: &Vec3| p.truncate().cmpge(Vec2::ZERO) & p.truncate().cmple(size);
            (positions.iter()).fold(BVec2::TRUE, |all, position| all & inside(position)) == BVec2::TRUE
        });
        Self { size, all_inside }
    }

    /// Returns true if nearest images may be several periods away.
    #[inline(always)]
    pub(super) fn needs_many(&self) -> bool {
        self.size.is_some() && !self.all_inside
    }

    /// The shift between any two points.
    pub(super) fn any_shift(&self) -> ImageShift {
        self.size.map_or(ImageShift::None, ImageShift::Many)
    }

    /// The shift between units; `across` is true if a nearest image may be across the edge.
    #[inline(always)]
    pub(super) fn shift(&self, across: bool) -> ImageShift {
        match self.size {
            Some(size) if self.needs_many() => ImageShift::Many(size),
            Some(size) if across => ImageShift::One(size),
            _ => ImageShift::None,
        }
    }
}

/// Maximum number of periods between a unit and the nearest image of another.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum ImageShift {
    /// None: the unit itself is its nearest image.
    #[default]
    None,
    /// At most one period of this size.
    One(Vec2),
    /// Any number.
    Many(Vec2),
}

impl ImageShift {
    /// Returns true if offsets may be shifted.
    #[inline(always)]
    pub(super) fn wraps(self) -> bool {
        !matches!(self, Self::None)
    }

    /// Returns the offset to the nearest image.
    #[inline(always)]
    pub(super) fn minimum_image(self, offset: Vec3) -> Vec3 {
        match self {
            Self::None => offset,
            Self::One(size) => {
                let (x, y) = (shifted(offset.x, size.x), shifted(offset.y, size.y));
                Vec3::new(x, y, offset.z)
            }
            Self::Many(size) => {
                let periods = (offset.truncate() / size).round();
                offset - (periods * size).extend(0.0)
            }
        }
    }
}

/// Returns the offset to the nearest image along an axis, for offsets below one and a half periods. Bit-identical to
/// [`ImageShift::Many`]: half the size is exact, and a quotient of 1/2 or more does not round below it.
#[inline(always)]
fn shifted(offset: f32, size: f32) -> f32 {
    let half = 0.5 * size;
    let period = if offset >= half {
        size
    } else if offset <= -half {
        -size
    } else {
        0.0
    };
    offset - period
}

/// An [`ImageShift`] in all lanes.
pub(super) struct ShiftLanes<S: Simd> {
    /// The size, without vectors.
    period: Vec2,
    /// The size along each axis and its negative.
    size: [[S::F32s; 2]; 2],
    half: [[S::F32s; 2]; 2],
    zero: S::F32s,
}

impl<S: Simd> ShiftLanes<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, shift: ImageShift) -> Self {
        let size = match shift {
            ImageShift::One(size) | ImageShift::Many(size) => size,
            ImageShift::None => Vec2::ZERO,
        };
        Self {
            period: size,
            size: [both_signs(simd, size[0]), both_signs(simd, size[1])],
            half: [both_signs(simd, 0.5 * size[0]), both_signs(simd, 0.5 * size[1])],
            zero: simd.splat_f32s(0.0),
        }
    }

    /// [`ImageShift::Many`] along `axis`.
    #[inline(always)]
    pub(super) fn any_image(&self, offset: S::F32s, axis: usize) -> S::F32s {
        let mut offsets: Lanes = pulp::cast(offset);
        if axis < 2 {
            for offset in &mut offsets {
                *offset -= (*offset / self.period[axis]).round() * self.period[axis];
            }
        }
        pulp::cast(offsets)
    }

    /// [`shifted`] along `axis`.
    #[inline(always)]
    pub(super) fn minimum_image(&self, simd: S, offset: S::F32s, axis: usize) -> S::F32s {
        if axis == 2 {
            return offset;
        }
        let ([size, minus], [half, minus_half]) = (self.size[axis], self.half[axis]);
        let ahead = simd.greater_than_or_equal_f32s(offset, half);
        let behind = simd.less_than_or_equal_f32s(offset, minus_half);
        let period = simd.select_f32s(behind, minus, self.zero);
        simd.sub_f32s(offset, simd.select_f32s(ahead, size, period))
    }
}

#[inline(always)]
fn both_signs<S: Simd>(simd: S, size: f32) -> [S::F32s; 2] {
    [simd.splat_f32s(size), simd.splat_f32s(-size)]
}
