//! Which of eight units at a time a view admits, with the same bits as [`View::admits`].

use glam::Vec3;
use pulp::Simd;

use super::lanes::{LANES, Lanes, any, bits, floats, kept, lanes_of};
use super::query_batch::Axes;
use crate::world::{Units, View};

/// A view from a unit's axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct ViewFrame {
    view: View,
    starboard: Vec3,
    heading: Vec3,
    up: Vec3,
}

impl ViewFrame {
    pub(super) fn of(view: View, unit: usize, units: &Units) -> Self {
        let (starboard, heading, up) = (units.starboard(unit), units.heading[unit], units.up[unit]);
        Self { view, starboard, heading, up }
    }

    pub(super) fn admits(&self, offset: Vec3) -> bool {
        let along = |axis| offset.dot(axis);
        self.view.admits(Vec3::new(along(self.starboard), along(self.heading), along(self.up)))
    }
}

/// A view from the axes of one unit, or of one in each lane.
pub(super) struct ViewLanes<S: Simd> {
    view: View,
    starboard: [S::f32s; 3],
    heading: [S::f32s; 3],
    up: [S::f32s; 3],
}

impl<S: Simd> ViewLanes<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, frame: &ViewFrame) -> Self {
        let (starboard, heading, up) = (frame.starboard, frame.heading, frame.up);
        Self {
            view: frame.view,
            starboard: splat(simd, starboard.to_array()),
            heading: splat(simd, heading.to_array()),
            up: splat(simd, up.to_array()),
        }
    }

    /// The view of each unit of a batch.
    #[inline(always)]
    pub(super) fn of_batch(simd: S, view: View, axes: &Axes) -> Self {
        Self {
            view,
            starboard: columns(simd, &axes.starboard),
            heading: columns(simd, &axes.heading),
            up: columns(simd, &axes.up),
        }
    }

    /// All bits of the lanes whose offsets are admitted, none of the others. `FLAT` leaves out their third parts,
    /// which are then 0.
    #[inline(always)]
    pub(super) fn admits<const FLAT: bool>(&self, simd: S, offset: [S::f32s; 3]) -> S::u32s {
        let zero = simd.splat_f32s(0.0);
        let x = dot::<S, FLAT>(simd, offset, self.starboard);
        let y = dot::<S, FLAT>(simd, offset, self.heading);
        let z = dot::<S, FLAT>(simd, offset, self.up);
        let across = simd.add_f32s(simd.mul_f32s(x, x), simd.mul_f32s(z, z));
        let is_ahead = bits(simd, simd.greater_than_f32s(y, zero));
        match self.view {
            View::Around { .. } => lanes_of(simd, (1 << LANES) - 1),
            View::Limited { .. } => is_ahead,
            View::Wide { back, .. } => {
                let cut = simd.mul_f32s(simd.neg_f32s(y), simd.splat_f32s(back));
                let (farther, is_clear) = farther(simd, across, simd.mul_f32s(cut, cut), across);
                let is_beside = if is_clear {
                    farther
                } else {
                    bits(simd, simd.greater_than_f32s(simd.sqrt_f32s(across), cut))
                };
                let is_behind = bits(simd, simd.less_than_f32s(y, zero));
                simd.or_u32s(is_ahead, simd.and_u32s(is_behind, is_beside))
            }
            View::Narrow { front, .. } => {
                let cut = simd.mul_f32s(y, simd.splat_f32s(front));
                let (farther, is_clear) = farther(simd, across, simd.mul_f32s(cut, cut), across);
                let is_within = if is_clear {
                    simd.not_u32s(farther)
                } else {
                    bits(simd, simd.less_than_f32s(simd.sqrt_f32s(across), cut))
                };
                simd.and_u32s(is_ahead, is_within)
            }
            View::Cone { cosine, .. } => {
                let square = dot::<S, false>(simd, [x, y, z], [x, y, z]);
                let cut = simd.mul_f32s(square, simd.splat_f32s(cosine * cosine));
                let (farther, is_clear) = farther(simd, simd.mul_f32s(y, y), cut, square);
                // The square of a cosine that is nearly zero has too few digits.
                if is_clear && (cosine == 0.0 || cosine.abs() > LEAST_COSINE) {
                    // A cone of more than half a circle sees all that is ahead, and behind what is less far along
                    // than across.
                    return if cosine < 0.0 {
                        simd.or_u32s(is_ahead, simd.not_u32s(farther))
                    } else {
                        simd.and_u32s(is_ahead, farther)
                    };
                }
                let length = simd.sqrt_f32s(square);
                let scale = simd.div_f32s(simd.splat_f32s(1.0), length);
                let is_short = bits(simd, simd.less_than_f32s(scale, simd.splat_f32s(f32::INFINITY)));
                let is_long = bits(simd, simd.greater_than_f32s(scale, zero));
                // Too short or too long for a direction: as if it had none.
                let has_direction = simd.and_u32s(is_short, is_long);
                let along = kept(simd, has_direction, simd.mul_f32s(y, scale));
                bits(simd, simd.greater_than_or_equal_f32s(along, simd.splat_f32s(cosine)))
            }
        }
    }
}

/// By how much two squares have to differ, in relation to each other, so that a comparison of their roots does not
/// depend on how those are rounded: some hundred times the roundings of sums, roots and quotients.
const CLEAR: f32 = 1e-5;
/// Between these, no square is rounded to another number of digits.
const DIGITS: (f32, f32) = (1e-30, 1e30);

const LEAST_COSINE: f32 = 1e-9;

/// In which lanes one square is greater than another, and whether that is clear in all of them, with no `square` out
/// of bounds. Roots and quotients take longer than all else here, and almost never decide.
#[inline(always)]
fn farther<S: Simd>(simd: S, a: S::f32s, b: S::f32s, square: S::f32s) -> (S::u32s, bool) {
    let (least, most) = DIGITS;
    let least = simd.splat_f32s(least);
    let above = simd.mul_f32s(b, simd.splat_f32s(1.0 + CLEAR));
    let below = simd.mul_f32s(b, simd.splat_f32s(1.0 - CLEAR));
    let is_above = simd.greater_than_f32s(a, simd.max_f32s(above, least));
    let is_below = simd.greater_than_f32s(below, simd.max_f32s(a, least));
    let is_bounded = simd.less_than_f32s(simd.max_f32s(square, b), simd.splat_f32s(most));
    let is_above = bits(simd, is_above);
    let is_clear = simd.and_u32s(simd.or_u32s(is_above, bits(simd, is_below)), bits(simd, is_bounded));
    (is_above, !any(simd, simd.not_u32s(is_clear)))
}

// Closures would not be compiled for the vectors.

#[inline(always)]
fn splat<S: Simd>(simd: S, [x, y, z]: [f32; 3]) -> [S::f32s; 3] {
    [simd.splat_f32s(x), simd.splat_f32s(y), simd.splat_f32s(z)]
}

#[inline(always)]
fn columns<S: Simd>(simd: S, [x, y, z]: &[Lanes; 3]) -> [S::f32s; 3] {
    [floats(simd, x), floats(simd, y), floats(simd, z)]
}

/// As [`Vec3::dot`], but for the sign of a zero if the third parts are left out.
#[inline(always)]
fn dot<S: Simd, const FLAT: bool>(simd: S, a: [S::f32s; 3], b: [S::f32s; 3]) -> S::f32s {
    let sum = simd.add_f32s(simd.mul_f32s(a[0], b[0]), simd.mul_f32s(a[1], b[1]));
    if FLAT {
        return sum;
    }
    simd.add_f32s(sum, simd.mul_f32s(a[2], b[2]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::lanes::{self, Kernel, Portable, Vectors};
    use super::*;

    struct Admitted<'a>(&'a ViewFrame, &'a [[f32; LANES]; 3], bool);

    impl Kernel for Admitted<'_> {
        type Output = [u32; LANES];

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> [u32; LANES] {
            let Self(frame, [x, y, z], _) = self;
            let offset = [floats(simd, x), floats(simd, y), floats(simd, z)];
            let view = ViewLanes::new(simd, frame);
            if self.2 {
                pulp::cast(view.admits::<true>(simd, offset))
            } else {
                pulp::cast(view.admits::<false>(simd, offset))
            }
        }
    }

    fn number() -> impl Strategy<Value = f32> {
        // Coordinates that meet on purpose, ordinary ones, and the ends of the range.
        let (few, ends) = (-2..3_i8, prop::sample::select(vec![1e-30, -1e-30, 1e25, -1e25]));
        prop_oneof![few.prop_map(f32::from), -50.0_f32..50.0, ends]
    }

    fn vector() -> impl Strategy<Value = Vec3> {
        [number(), number(), number()].prop_map(Vec3::from_array)
    }

    fn view() -> impl Strategy<Value = View> {
        let radius = 9.0;
        prop_oneof![
            (0.1_f32..4.0).prop_map(move |back| View::Wide { radius, back }),
            (0.1_f32..4.0).prop_map(move |front| View::Narrow { radius, front }),
            (-1.0_f32..=1.0).prop_map(move |cosine| View::Cone { radius, cosine }),
            Just(View::Cone { radius, cosine: 0.0 }),
            Just(View::Limited { radius }),
            Just(View::Around { radius }),
        ]
    }

    proptest! {
        #[test]
        fn lanes_admit_what_the_view_admits(
            view in view(), axes in [vector(), vector(), vector()],
            offsets in std::array::from_fn(|_| vector()), flat: bool,
        ) {
            let flattened = |offset: Vec3| if flat { offset.with_z(0.0) } else { offset };
            let offsets: [Vec3; LANES] = offsets;
            let offsets = offsets.map(flattened);
            let [starboard, heading, up] = axes;
            let frame = ViewFrame { view, starboard, heading, up };
            let columns = [0, 1, 2].map(|axis| offsets.map(|offset: Vec3| offset[axis]));
            let expected: [bool; LANES] = offsets.map(|offset| frame.admits(offset));
            for admitted in [
                lanes::run(Admitted(&frame, &columns, flat)),
                Portable::run(Admitted(&frame, &columns, flat)),
            ] {
                prop_assert_eq!(admitted.map(|lane| lane != 0), expected);
            }
        }
    }
}
