//! Means of one or two lists of a source for a batch, in one pass over the candidates.
//!
//! Sums are taken in slot order, without fused operations, so that they are bit-identical on every processor. Offsets
//! from the unit are summed, so that the unit itself adds zero and needs no mask. A pass also computes the list that
//! earlier units of the group requested: a wrong prediction costs a few additions or another pass and changes no bit.

#[cfg(test)]
mod tests;

use super::filters::FilterMask;
use super::lanes::{
    Best, Kernel, LANES, Lanes, Vectors, any, dot, floats, lanes_of, masked, splat, vectors, within,
};
use super::means::{NeighborMeansX8, reciprocal};
use super::scan::{BatchScan, specialize};
use super::simd::Simd;
use super::view_lanes::ViewLanes;
use crate::world::View;

/// The means of two lists of one source. Offsets must need at most one shift.
///
/// Each lane adds in slot order and adds zero for units that are not in its list. A sum therefore depends neither on
/// the other list of the pass, nor on the rest of the batch, nor on the vector width. A unit has no offset and no
/// relative velocity to itself, which leaves its sums unchanged.
pub(super) struct MeanKernel<'a> {
    /// The scan for the longer list.
    pub(super) scan: BatchScan<'a>,
    /// Maximum squared distances of both lists; negative for an empty list. Those of two lists do not differ by lane.
    pub(super) limits: [Lanes; 2],
    /// True for lists whose velocities are summed; the others have meaningless velocities.
    pub(super) velocities: [bool; 2],
}

/// Ratio of squared distances below which an extra branch for the shorter list pays: most candidates are not in it.
const RARE: f32 = 1.0 / 16.0;
/// Value of `RARE` if no list is much shorter.
const NONE: usize = 2;
/// Specializations for views: all-around, cone, wide, or any.
const AROUND: u8 = 0;
const CONE: u8 = 1;
const WIDE: u8 = 2;
const ANY: u8 = 3;

impl MeanKernel<'_> {
    /// Writes the means of the first list, and those of the second if `means` has two elements.
    pub(super) fn write(&self, means: &mut [NeighborMeansX8]) {
        self.write_on::<Best>(means);
    }

    /// Dispatches to specializations. Performance matters most in the plane.
    fn write_on<V: Vectors>(&self, means: &mut [NeighborMeansX8]) {
        let (filter, flat, wraps) = (self.scan.filter, self.scan.grid.flat, self.scan.shift.wraps());
        let masked = filter.mask().is_some();
        match (flat, filter.view) {
            (_, None) => specialize!([FLAT = flat, WRAPS = wraps, MASKED = masked]
                self.case::<V, FLAT, WRAPS, MASKED, AROUND>(means)),
            (true, Some(View::Cone { .. })) => specialize!([WRAPS = wraps, MASKED = masked]
                self.case::<V, true, WRAPS, MASKED, CONE>(means)),
            (true, Some(View::Wide { .. })) => specialize!([WRAPS = wraps]
                self.case::<V, true, WRAPS, true, WIDE>(means)),
            (_, Some(_)) => specialize!([FLAT = flat, WRAPS = wraps]
                self.case::<V, FLAT, WRAPS, true, ANY>(means)),
        }
    }

    /// Specializations for the plane: velocities are usually needed for one list, and one list may be much shorter.
    fn case<V: Vectors, const FLAT: bool, const WRAPS: bool, const MASKED: bool, const VIEW: u8>(
        &self,
        means: &mut [NeighborMeansX8],
    ) {
        // Constant conditions, so that only the needed combinations are compiled.
        if let Some(means) = means.first_chunk_mut::<2>() {
            let [[first, ..], [second, ..]] = self.limits;
            match self.velocities {
                [_, false] if const { FLAT && VIEW == CONE } && first < second * RARE => {
                    V::run(Case::<FLAT, WRAPS, MASKED, VIEW, 2, 1, 0>(self, means));
                }
                [_, false] if const { FLAT && VIEW == CONE } && second < first * RARE => {
                    V::run(Case::<FLAT, WRAPS, MASKED, VIEW, 2, 1, 1>(self, means));
                }
                [_, false] if const { FLAT && VIEW != ANY } => {
                    V::run(Case::<FLAT, WRAPS, MASKED, VIEW, 2, 1, NONE>(self, means));
                }
                _ => V::run(Case::<FLAT, WRAPS, MASKED, VIEW, 2, 2, NONE>(self, means)),
            }
        } else if let Some(means) = means.first_chunk_mut::<1>() {
            match self.velocities {
                [false, _] if const { FLAT && VIEW != ANY } => {
                    V::run(Case::<FLAT, WRAPS, MASKED, VIEW, 1, 0, NONE>(self, means));
                }
                _ => V::run(Case::<FLAT, WRAPS, MASKED, VIEW, 1, 1, NONE>(self, means)),
            }
        }
    }
}

/// One specialization: flat, wrapping, masked, the view, the number of lists, for how many of them velocities are
/// summed, and which of them is much shorter.
struct Case<
    'a,
    const FLAT: bool,
    const WRAPS: bool,
    const MASKED: bool,
    const VIEW: u8,
    const LISTS: usize,
    const VELOCITIES: usize,
    const RARE: usize,
>(&'a MeanKernel<'a>, &'a mut [NeighborMeansX8; LISTS]);

impl<
    const FLAT: bool,
    const WRAPS: bool,
    const MASKED: bool,
    const VIEW: u8,
    const LISTS: usize,
    const VELOCITIES: usize,
    const RARE: usize,
> Kernel for Case<'_, FLAT, WRAPS, MASKED, VIEW, LISTS, VELOCITIES, RARE>
{
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self(kernel, means_x8) = self;
        let (scan, axes) = (&kernel.scan, if FLAT { 2 } else { 3 });
        let mask = scan.filter.mask();
        // The compiler knows the kind of the view, so that no candidate branches on it.
        let view = match (VIEW, scan.view()) {
            (CONE, View::Cone { radius, cosine }) => View::Cone { radius, cosine },
            (CONE, view) => View::Cone { radius: view.radius(), cosine: 1.0 },
            (WIDE, View::Wide { radius, back }) => View::Wide { radius, back },
            (WIDE, view) => View::Wide { radius: view.radius(), back: 1.0 },
            (_, view) => view,
        };
        let observers = scan.observers::<S, FLAT, WRAPS>(simd, view);
        let (centers, view) = (&observers.centers, &observers.view);
        let (zero, none, all) = (simd.splat_f32s(0.0), simd.splat_u32s(0), simd.splat_u32s(u32::MAX));
        let own = vectors(simd, &scan.batch.velocity);
        let limits = [floats(simd, &kernel.limits[0]), floats(simd, &kernel.limits[1])];
        let longest = if LISTS == 1 { limits[0] } else { simd.splat_f32s(scan.limit) };
        // Otherwise each list is compared separately.
        let is_first_compared = VIEW != AROUND || LISTS == 1 || RARE != NONE;
        let mut sums = [Sums::<S> { count: none, offset: [zero; 3], velocity: [zero; 3] }; LISTS];
        scan.each(
            simd,
            centers,
            None,
            #[inline(always)]
            |slot, (block, lane), offset, square| {
                // Early exit: a view test is expensive, and adding nothing leaves sums unchanged.
                let is_near = if is_first_compared { within(simd, square, longest) } else { all };
                if VIEW != AROUND && !any(simd, is_near) {
                    return;
                }
                let mut passes = is_near;
                if MASKED {
                    let of_mask = simd.splat_u32s(kernel.passes(mask, slot as u32));
                    passes = simd.and_u32s(passes, of_mask);
                }
                if VIEW != AROUND {
                    let admitted = view.admits::<FLAT>(simd, offset, square, is_near);
                    passes = simd.and_u32s(passes, admitted);
                }
                let mut counts = [passes; LISTS];
                for list in 0..LISTS {
                    // A single list is compared already, as is the longer one of an unequal pair.
                    if LISTS > 1 && (RARE == NONE || RARE == list) {
                        let is_near = within(simd, square, limits[list]);
                        counts[list] = simd.and_u32s(passes, is_near);
                    }
                    if RARE == list && !any(simd, counts[list]) {
                        continue;
                    }
                    // A set mask is −1.
                    sums[list].count = simd.sub_u32s(sums[list].count, counts[list]);
                    for (axis, offset) in offset.into_iter().enumerate().take(axes) {
                        let counted = masked(simd, counts[list], offset);
                        sums[list].offset[axis] = simd.add_f32s(sums[list].offset[axis], counted);
                    }
                }
                // Last, to reduce register pressure.
                if RARE == 0 && !any(simd, counts[0]) {
                    return;
                }
                let velocity = splat(simd, block.velocity(lane).to_array());
                for axis in 0..axes.min(VELOCITIES * axes) {
                    let relative = simd.sub_f32s(velocity[axis], own[axis]);
                    for list in 0..VELOCITIES {
                        let counted = masked(simd, counts[list], relative);
                        sums[list].velocity[axis] = simd.add_f32s(sums[list].velocity[axis], counted);
                    }
                }
            },
        );
        kernel.finish::<S, FLAT, VIEW, LISTS, VELOCITIES>(simd, &sums, [centers.at, own], view, means_x8);
    }
}

/// Sums over a list, in all lanes.
#[derive(Clone, Copy)]
struct Sums<S: Simd> {
    count: S::U32s,
    offset: [S::F32s; 3],
    velocity: [S::F32s; 3],
}

impl MeanKernel<'_> {
    /// Converts sums to means.
    #[inline(always)]
    fn finish<S: Simd, const FLAT: bool, const VIEW: u8, const LISTS: usize, const VELOCITIES: usize>(
        &self,
        simd: S,
        sums: &[Sums<S>; LISTS],
        [center, own]: [[S::F32s; 3]; 2],
        view: &ViewLanes<S>,
        means_x8: &mut [NeighborMeansX8; LISTS],
    ) {
        let (zero, axes) = (simd.splat_f32s(0.0), if FLAT { 2 } else { 3 });
        let mask = self.scan.filter.mask();
        // Each unit that passes was counted in its own list.
        let mut no_offset = center;
        for axis in 0..3 {
            no_offset[axis] = simd.sub_f32s(center[axis], center[axis]);
        }
        let square = dot::<S, FLAT>(simd, no_offset, no_offset);
        let seen = view.admits::<FLAT>(simd, no_offset, square, lanes_of(simd, (1 << LANES) - 1));
        let mut themselves = [0; LANES];
        for (own, slot) in themselves.iter_mut().zip(self.scan.batch.slots) {
            if slot != self.scan.filter.player {
                *own = self.passes(mask, slot);
            }
        }
        let mut themselves: S::U32s = pulp::cast(themselves);
        if VIEW != AROUND {
            themselves = simd.and_u32s(themselves, seen);
        }
        for list in 0..LISTS {
            let (sums, means) = (&sums[list], &mut means_x8[list]);
            let itself = simd.and_u32s(within(simd, square, floats(simd, &self.limits[list])), themselves);
            means.count = pulp::cast(simd.add_u32s(sums.count, itself));
            let share = reciprocals(simd, &means.count);
            for axis in 0..3 {
                // Zero in a plane.
                let is_used = axis < axes;
                let mean = simd.add_f32s(center[axis], simd.mul_f32s(sums.offset[axis], share));
                means.position[axis] = pulp::cast(if is_used { mean } else { zero });
                if list < VELOCITIES {
                    let mean = simd.add_f32s(own[axis], simd.mul_f32s(sums.velocity[axis], share));
                    means.velocity[axis] = pulp::cast(if is_used { mean } else { zero });
                }
            }
        }
    }

    /// Returns all bits set if the unit in a slot passes the filter.
    #[inline(always)]
    fn passes(&self, mask: Option<FilterMask>, slot: u32) -> u32 {
        match mask {
            Some(mask) if !self.scan.grid.masks.passes(mask, slot as usize) => 0,
            _ => u32::MAX,
        }
    }
}

/// Returns the reciprocals of counts.
#[inline(always)]
fn reciprocals<S: Simd>(_: S, counts: &[u32; LANES]) -> S::F32s {
    let mut reciprocals = [0.0; LANES];
    for (share, count) in reciprocals.iter_mut().zip(counts) {
        *share = reciprocal(*count);
    }
    pulp::cast(reciprocals)
}
