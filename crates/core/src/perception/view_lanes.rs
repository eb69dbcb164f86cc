//! View tests for eight units at a time, bit-identical to [`View::admits`].
//!
//! Square roots and divisions would dominate the time. The cone test compares the signed square of the distance ahead
//! with the squared distance times the signed square of the cosine; the exact formula is evaluated only if the two are
//! so close that rounding could decide.

use glam::Vec3;

use super::lanes::{LANES, any, bits, dot, lanes_of, masked, splat, vectors};
use super::query_batch::Axes;
use super::simd::Simd;
use crate::world::{Units, View};

/// A view in the axes of a unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct ViewFrame {
    view: View,
    starboard: Vec3,
    heading: Vec3,
    up: Vec3,
}

impl ViewFrame {
    pub(super) fn new(view: View, unit: usize, units: &Units) -> Self {
        let (starboard, heading, up) = (units.starboard(unit), units.heading[unit], units.up[unit]);
        Self { view, starboard, heading, up }
    }

    #[cfg(test)]
    fn admits(&self, offset: Vec3) -> bool {
        let along = |axis| offset.dot(axis);
        self.view.admits(Vec3::new(along(self.starboard), along(self.heading), along(self.up)))
    }
}

/// A view in the axes of one unit, or of one unit per lane.
pub(super) struct ViewLanes<S: Simd> {
    view: View,
    cone: Cone,
    starboard: [S::F32s; 3],
    heading: [S::F32s; 3],
    up: [S::F32s; 3],
}

impl<S: Simd> ViewLanes<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, frame: &ViewFrame) -> Self {
        let (starboard, heading, up) = (frame.starboard, frame.heading, frame.up);
        Self {
            view: frame.view,
            cone: Cone::new(frame.view),
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
            cone: Cone::new(view),
            starboard: vectors(simd, &axes.starboard),
            heading: vectors(simd, &axes.heading),
            up: vectors(simd, &axes.up),
        }
    }

    /// Returns a mask of the lanes whose offsets are admitted; only lanes in `active` are meaningful. `square` is the
    /// squared length of the offset. `FLAT` omits z components, which must be 0.
    #[inline(always)]
    pub(super) fn admits<const FLAT: bool>(
        &self,
        simd: S,
        offset: [S::F32s; 3],
        square: S::F32s,
        active: S::U32s,
    ) -> S::U32s {
        let zero = simd.splat_f32s(0.0);
        let y = dot::<S, FLAT>(simd, offset, self.heading);
        let is_ahead = bits(simd, simd.greater_than_f32s(y, zero));
        match self.view {
            View::Around { .. } => lanes_of(simd, (1 << LANES) - 1),
            View::Limited { .. } => is_ahead,
            View::Wide { back, .. } => self.in_wide::<FLAT>(simd, back, (offset, y), active),
            View::Narrow { front, .. } => {
                let across = self.across::<FLAT>(simd, offset);
                let cut = simd.mul_f32s(y, simd.splat_f32s(front));
                let (is_greater, is_decided) = is_greater(simd, across, simd.mul_f32s(cut, cut), active);
                let is_within = if is_decided {
                    simd.not_u32s(is_greater)
                } else {
                    bits(simd, simd.less_than_f32s(simd.sqrt_f32s(across), cut))
                };
                simd.and_u32s(is_ahead, is_within)
            }
            View::Cone { .. } => self.in_cone::<FLAT>(simd, (offset, y), square, active),
        }
    }

    /// Tests offsets against a wide view; `y` is the distance ahead.
    #[inline(always)]
    fn in_wide<const FLAT: bool>(
        &self,
        simd: S,
        back: f32,
        (offset, y): ([S::F32s; 3], S::F32s),
        active: S::U32s,
    ) -> S::U32s {
        let zero = simd.splat_f32s(0.0);
        let is_ahead = bits(simd, simd.greater_than_f32s(y, zero));
        let is_behind = bits(simd, simd.less_than_f32s(y, zero));
        let across = self.across::<FLAT>(simd, offset);
        let cut = simd.mul_f32s(simd.neg_f32s(y), simd.splat_f32s(back));
        let (is_greater, is_decided) = is_greater(simd, across, simd.mul_f32s(cut, cut), active);
        let is_beside = if is_decided {
            is_greater
        } else {
            bits(simd, simd.greater_than_f32s(simd.sqrt_f32s(across), cut))
        };
        simd.or_u32s(is_ahead, simd.and_u32s(is_behind, is_beside))
    }

    /// Tests offsets against a cone; `y` is the distance ahead.
    #[inline(always)]
    fn in_cone<const FLAT: bool>(
        &self,
        simd: S,
        (offset, y): ([S::F32s; 3], S::F32s),
        square: S::F32s,
        active: S::U32s,
    ) -> S::U32s {
        let zero = simd.splat_f32s(0.0);
        let Cone { cosine, square: cut, tolerance } = self.cone;
        // Signed squares are ordered like their roots.
        let ahead = simd.mul_f32s(y, simd.abs_f32s(y));
        let gap = simd.sub_f32s(ahead, simd.mul_f32s(square, simd.splat_f32s(cut)));
        let threshold = simd.mul_f32s(square, simd.splat_f32s(tolerance));
        let threshold = simd.max_f32s(threshold, simd.splat_f32s(MIN_SQUARE));
        // False if both overflow.
        let is_decided = bits(simd, simd.greater_than_f32s(simd.abs_f32s(gap), threshold));
        if !any(simd, simd.and_u32s(active, simd.not_u32s(is_decided))) {
            return bits(simd, simd.greater_than_f32s(gap, zero));
        }
        let x = dot::<S, FLAT>(simd, offset, self.starboard);
        let z = dot::<S, FLAT>(simd, offset, self.up);
        let length = simd.sqrt_f32s(dot::<S, false>(simd, [x, y, z], [x, y, z]));
        let scale = simd.div_f32s(simd.splat_f32s(1.0), length);
        let is_short = bits(simd, simd.less_than_f32s(scale, simd.splat_f32s(f32::INFINITY)));
        let is_long = bits(simd, simd.greater_than_f32s(scale, zero));
        // Too short or too long to normalize: no direction.
        let has_direction = simd.and_u32s(is_short, is_long);
        let along = masked(simd, has_direction, simd.mul_f32s(y, scale));
        bits(simd, simd.greater_than_or_equal_f32s(along, simd.splat_f32s(cosine)))
    }

    /// The squared distance from the heading axis.
    #[inline(always)]
    fn across<const FLAT: bool>(&self, simd: S, offset: [S::F32s; 3]) -> S::F32s {
        let x = dot::<S, FLAT>(simd, offset, self.starboard);
        let z = dot::<S, FLAT>(simd, offset, self.up);
        simd.add_f32s(simd.mul_f32s(x, x), simd.mul_f32s(z, z))
    }
}

/// Relative difference of two squares above which a comparison of their roots does not depend on rounding: some hundred
/// times the rounding errors of sums, roots, quotients and orthonormal axes.
const RELATIVE_TOLERANCE: f32 = 1e-5;
/// Squares below it are rounded to fewer digits.
const MIN_SQUARE: f32 = 1e-30;

/// Cosines below it have squares with too few digits.
const MIN_COSINE: f32 = 1e-9;

/// A cone by the cosine of half its angle.
#[derive(Clone, Copy)]
struct Cone {
    cosine: f32,
    /// The signed square of the cosine.
    square: f32,
    /// Required difference between the signed square of the distance ahead and the squared distance times `square`,
    /// relative to the squared distance; infinite if the exact test is always needed.
    tolerance: f32,
}

impl Cone {
    /// From a cone; meaningless for other views.
    fn new(view: View) -> Self {
        let View::Cone { cosine, .. } = view else {
            return Self { cosine: 0.0, square: 0.0, tolerance: 0.0 };
        };
        let is_exact = cosine == 0.0 || cosine.abs() > MIN_COSINE;
        let tolerance = if is_exact { cosine * cosine * RELATIVE_TOLERANCE } else { f32::INFINITY };
        Self { cosine, square: cosine * cosine.abs(), tolerance }
    }
}

/// Returns a mask of the lanes in which `a` is greater than `b`, and whether that is decided in all active lanes.
/// Square roots and divisions would dominate the time, and almost never decide.
#[inline(always)]
fn is_greater<S: Simd>(simd: S, a: S::F32s, b: S::F32s, active: S::U32s) -> (S::U32s, bool) {
    let gap = simd.abs_f32s(simd.sub_f32s(a, b));
    let threshold =
        simd.max_f32s(simd.mul_f32s(b, simd.splat_f32s(RELATIVE_TOLERANCE)), simd.splat_f32s(MIN_SQUARE));
    // False if both overflow.
    let is_decided = bits(simd, simd.greater_than_f32s(gap, threshold));
    let is_above = bits(simd, simd.greater_than_f32s(a, b));
    (is_above, !any(simd, simd.and_u32s(active, simd.not_u32s(is_decided))))
}

#[cfg(test)]
mod tests {
    use glam::{EulerRot, Mat3, Quat};
    use proptest::prelude::*;

    use super::super::lanes::{self, Kernel, Portable, PortableHalves, Vectors};
    use super::*;

    struct Admitted<'a>(&'a ViewFrame, &'a [[f32; LANES]; 3], bool);

    impl Kernel for Admitted<'_> {
        type Output = [u32; LANES];

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> [u32; LANES] {
            let frame = self.0;
            let offset = vectors(simd, self.1);
            let square = dot::<S, false>(simd, offset, offset);
            let (view, all) = (ViewLanes::new(simd, frame), lanes_of(simd, (1 << LANES) - 1));
            if self.2 {
                pulp::cast(view.admits::<true>(simd, offset, square, all))
            } else {
                pulp::cast(view.admits::<false>(simd, offset, square, all))
            }
        }
    }

    fn number() -> impl Strategy<Value = f32> {
        // Coordinates that often coincide, ordinary ones, and the ends of the range.
        let (few, ends) = (-2..3_i8, prop::sample::select(vec![1e-30, -1e-30, 1e25, -1e25]));
        prop_oneof![few.prop_map(f32::from), -50.0_f32..50.0, ends]
    }

    fn vector() -> impl Strategy<Value = Vec3> {
        [number(), number(), number()].prop_map(Vec3::from_array)
    }

    /// Starboard, heading and up: along the coordinate axes, so that many comparisons are close, or arbitrary.
    fn axes() -> impl Strategy<Value = [Vec3; 3]> {
        let quarter = (0..4_i8).prop_map(|quarters| f32::from(quarters) * std::f32::consts::FRAC_PI_2);
        let angle = prop_oneof![quarter, -4.0_f32..4.0];
        [angle.clone(), angle.clone(), angle].prop_map(|[yaw, pitch, roll]| {
            let turned = Mat3::from_quat(Quat::from_euler(EulerRot::ZXY, yaw, pitch, roll));
            // Orthonormal up to rounding, as those of units.
            let heading = turned.y_axis.normalize();
            let up = turned.z_axis.reject_from_normalized(heading).normalize();
            [heading.cross(up), heading, up]
        })
    }

    fn view() -> impl Strategy<Value = View> {
        let radius = 9.0;
        prop_oneof![
            (0.1_f32..4.0).prop_map(move |back| View::Wide { radius, back }),
            (0.1_f32..4.0).prop_map(move |front| View::Narrow { radius, front }),
            (-1.0_f32..=1.0).prop_map(move |cosine| View::Cone { radius, cosine }),
            prop::sample::select(vec![0.0, 1e-12, -1e-12, 1e-25, 1.0, -1.0])
                .prop_map(move |cosine| View::Cone { radius, cosine }),
            Just(View::Limited { radius }),
            Just(View::Around { radius }),
        ]
    }

    proptest! {
        #[test]
        fn lanes_equal_the_scalar_view_test(
            view in view(), axes in axes(),
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
                PortableHalves::run(Admitted(&frame, &columns, flat)),
            ] {
                prop_assert_eq!(admitted.map(|lane| lane != 0), expected);
            }
        }
    }

    #[test]
    fn a_cosine_whose_square_underflows_is_compared_itself() {
        let view = View::Cone { radius: 9.0, cosine: 1e-25 };
        let frame = ViewFrame { view, starboard: Vec3::X, heading: Vec3::Y, up: Vec3::Z };
        // In sequence: one undecided lane sends all lanes to the exact test.
        for (ahead, is_in) in [(1e-11, false), (1e-9, true)] {
            let offset = Vec3::new(1e15, ahead, 0.0);
            assert_eq!(frame.admits(offset), is_in);
            let columns = offset.to_array().map(|along| [along; LANES]);
            let admitted = lanes::run(Admitted(&frame, &columns, true));
            assert_eq!(admitted.map(|lane| lane != 0), [is_in; LANES]);
        }
    }
}
