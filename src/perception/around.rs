//! What a cohort sees of two lists of a source, in one pass over who may be in them.

use pulp::Simd;

use super::Grid;
use super::asks::Ask;
use super::cohort::Cohort;
use super::eye::{Case, Cased, Edge, near};
use super::kin::Who;
use super::lanes::{self, LANES, Pass, floats, kept};
use super::means::NeighborMeansX8;
use super::seam::Laps;

/// What a cohort sees of two lists of one source with a view all around, in one pass over the slots
/// that may be in the longer; `limits` are the greatest squared distances in them, the second less than
/// any if there is no second. Offsets must take no more than one lap.
///
/// Each lane adds in the order of slots and adds zero for whoever is not in its list. So a list has one
/// sum wherever else the pass looks, whoever looks along, and whatever the processor makes of lanes. A
/// unit finds itself at no distance and no faster than itself, which leaves its sums as they are.
pub(super) fn around(
    grid: &Grid,
    (ask, laps): (&Ask, Laps),
    (cohort, runs): (&Cohort, &[[u32; 2]]),
    limits: [f32; 2],
) -> [NeighborMeansX8; 2] {
    lanes::run(Around {
        grid,
        ask,
        laps,
        cohort,
        runs,
        limits,
    })
}

struct Around<'a> {
    grid: &'a Grid,
    ask: &'a Ask,
    laps: Laps,
    cohort: &'a Cohort,
    runs: &'a [[u32; 2]],
    limits: [f32; 2],
}

impl Pass for Around<'_> {
    type Output = [NeighborMeansX8; 2];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [NeighborMeansX8; 2] {
        let wraps = matches!(self.laps, Laps::One(_));
        // Each case is compiled by itself. That of a plane is the one that must be fast.
        match (self.grid.flat, wraps, self.ask.is_choosy()) {
            (true, false, false) => self.sum::<S, Cased<true, false, false>>(simd),
            (true, false, true) => self.sum::<S, Cased<true, false, true>>(simd),
            (true, true, false) => self.sum::<S, Cased<true, true, false>>(simd),
            (true, true, true) => self.sum::<S, Cased<true, true, true>>(simd),
            (false, false, false) => self.sum::<S, Cased<false, false, false>>(simd),
            (false, false, true) => self.sum::<S, Cased<false, false, true>>(simd),
            (false, true, false) => self.sum::<S, Cased<false, true, false>>(simd),
            (false, true, true) => self.sum::<S, Cased<false, true, true>>(simd),
        }
    }
}

/// Sums over a list, in all lanes.
#[derive(Clone, Copy)]
struct Sums<S: Simd> {
    count: S::u32s,
    offset: [S::f32s; 3],
    velocity: [S::f32s; 3],
}

impl Around<'_> {
    #[inline(always)]
    fn sum<S: Simd, C: Case>(&self, simd: S) -> [NeighborMeansX8; 2] {
        if self.limits[1] < 0.0 {
            let [means_of_eight] = self.sums::<S, C, 1>(simd);
            return [means_of_eight, NeighborMeansX8::default()];
        }
        self.sums::<S, C, 2>(simd)
    }

    #[inline(always)]
    fn sums<S: Simd, C: Case, const LISTS: usize>(&self, simd: S) -> [NeighborMeansX8; LISTS] {
        let axes = if C::FLAT { 2 } else { 3 };
        let edge = Edge::new(simd, self.laps);
        let (mut center, mut own) = ([simd.splat_f32s(0.0); 3], [simd.splat_f32s(0.0); 3]);
        for axis in 0..3 {
            center[axis] = floats(simd, &self.cohort.position[axis]);
            own[axis] = floats(simd, &self.cohort.velocity[axis]);
        }
        let limits = [
            simd.splat_f32s(self.limits[0]),
            simd.splat_f32s(self.limits[1]),
        ];
        let (zero, nobody) = (simd.splat_f32s(0.0), simd.splat_u32s(0));
        let mut sums = [Sums::<S> {
            count: nobody,
            offset: [zero; 3],
            velocity: [zero; 3],
        }; LISTS];
        for [from, to] in self.runs {
            for slot in *from as usize..*to as usize {
                let (batch, lane) = (&self.grid.batches[slot / LANES], slot % LANES);
                let position = [&batch.x, &batch.y, &batch.z];
                let mut offset = [zero; 3];
                for (axis, offset) in offset.iter_mut().enumerate().take(axes) {
                    let at = simd.splat_f32s(position[axis][lane]);
                    let to = simd.sub_f32s(at, center[axis]);
                    *offset = edge.shortest::<C>(simd, to, axis);
                }
                let square = square_of::<S, C>(simd, offset);
                let mut counts = [nobody; LISTS];
                for list in 0..LISTS {
                    counts[list] = near(simd, square, limits[list]);
                    if C::CHOOSY {
                        let wanted = simd.splat_u32s(self.wanted(slot as u32));
                        counts[list] = simd.and_u32s(counts[list], wanted);
                    }
                    // All bits set are −1.
                    sums[list].count = simd.sub_u32s(sums[list].count, counts[list]);
                }
                for (axis, offset) in offset.into_iter().enumerate().take(axes) {
                    for (sums, counts) in sums.iter_mut().zip(counts) {
                        let counted = kept(simd, counts, offset);
                        sums.offset[axis] = simd.add_f32s(sums.offset[axis], counted);
                    }
                }
                // Last, as there are no more registers.
                let velocity = [&batch.velocity_x, &batch.velocity_y, &batch.velocity_z];
                for axis in 0..axes {
                    let by = simd.splat_f32s(velocity[axis][lane]);
                    let faster = simd.sub_f32s(by, own[axis]);
                    for (sums, counts) in sums.iter_mut().zip(counts) {
                        let counted = kept(simd, counts, faster);
                        sums.velocity[axis] = simd.add_f32s(sums.velocity[axis], counted);
                    }
                }
            }
        }
        // Units that were looked at by themselves do not count.
        let mut nowhere = center;
        for axis in 0..3 {
            nowhere[axis] = simd.sub_f32s(center[axis], center[axis]);
        }
        let nowhere = square_of::<S, C>(simd, nowhere);
        let mut themselves = [0; LANES];
        for (own, slot) in themselves.iter_mut().zip(self.cohort.slots) {
            *own = if slot == self.ask.player {
                0
            } else {
                self.wanted(slot)
            };
        }
        let themselves: S::u32s = pulp::cast(themselves);
        let mut means_of_eight = [NeighborMeansX8::default(); LISTS];
        for list in 0..LISTS {
            let (sums, means_of_eight) = (&sums[list], &mut means_of_eight[list]);
            let own = simd.and_u32s(near(simd, nowhere, limits[list]), themselves);
            means_of_eight.count = pulp::cast(simd.add_u32s(sums.count, own));
            for axis in 0..3 {
                means_of_eight.position[axis] = pulp::cast(sums.offset[axis]);
                means_of_eight.velocity[axis] = pulp::cast(sums.velocity[axis]);
            }
            means_of_eight.divide(self.cohort);
        }
        means_of_eight
    }

    /// All bits if the unit in a slot is asked for, wherever it is.
    #[inline(always)]
    fn wanted(&self, slot: u32) -> u32 {
        match self.ask.who {
            Who::Some(wanted) if !self.grid.kin.holds(wanted, slot as usize) => 0,
            _ => u32::MAX,
        }
    }
}

#[inline(always)]
fn square_of<S: Simd, C: Case>(simd: S, [x, y, z]: [S::f32s; 3]) -> S::f32s {
    let square = simd.add_f32s(simd.mul_f32s(x, x), simd.mul_f32s(y, y));
    if C::FLAT {
        return square;
    }
    simd.add_f32s(square, simd.mul_f32s(z, z))
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use pulp::Scalar256b;

    use super::*;
    use crate::perception::Source;
    use crate::world::{Arena, Domain, Edges, Group, NamedView, View, World, random, unit_key};

    fn world(groups: usize, flat: bool, seamless: bool) -> World {
        let mut world = World {
            arena: Arena {
                domain: Domain::Plane {
                    size: glam::Vec2::splat(10.0),
                },
                edges: Edges::Wrap,
                seamless,
            },
            views: vec![NamedView {
                name: "around".to_owned(),
                view: View::Around { radius: 2.0 },
            }],
            ..World::default()
        };
        for group in 0..groups {
            world.groups.push(Group {
                view: Some(0),
                units: group * 300..(group + 1) * 300,
                ..Group::default()
            });
            for unit in 0..300 {
                let key = unit_key("a", unit + group * 300);
                let draw = |number| random::draw(1, key, 0, 0, number);
                let z = if flat { 0.0 } else { draw(4) };
                let position = Vec3::new(draw(0) * 10.0, draw(1) * 10.0, z);
                let velocity = Vec3::new(draw(2), draw(3), z);
                let axes = (Vec3::X, Vec3::Z);
                world
                    .units
                    .push(position, velocity, axes, group as u16, key);
            }
        }
        world
    }

    #[test]
    fn the_bits_are_the_same_on_any_vectors() {
        for case in 0..8 {
            let world = world(1 + case % 2, case / 2 % 2 == 0, case / 4 == 0);
            let mut grid = Grid::default();
            grid.rebuild(&world);
            let (mut cohort, mut runs) = (Cohort::default(), Vec::new());
            for unit in 0..world.units.len() {
                let slot = grid.slot(unit) as u32;
                cohort.form(&[[unit as u32, slot]], &grid);
                let ask = grid.asks.of(cohort.group, Source::Neighbors);
                let laps = cohort.look(2.0, ask, &grid, &mut runs);
                for limits in [[4.0, 1.0], [4.0, -1.0], [0.5, 4.0]] {
                    let plain = Around {
                        grid: &grid,
                        ask,
                        laps,
                        cohort: &cohort,
                        runs: &runs,
                        limits,
                    };
                    let best = around(&grid, (ask, laps), (&cohort, &runs), limits);
                    let bits = |means_of_eight: [NeighborMeansX8; 2]| {
                        means_of_eight.map(|means_of_eight| means_of_eight.bits())
                    };
                    assert_eq!(bits(best), bits(plain.run(Scalar256b)));
                    assert!(best[0].count[0] + best[1].count[0] > 0);
                }
            }
        }
    }

    impl NeighborMeansX8 {
        fn bits(&self) -> ([u32; LANES], [[[u32; LANES]; 3]; 2]) {
            let means = [self.position, self.velocity];
            (
                self.count,
                means.map(|of| of.map(|of| of.map(f32::to_bits))),
            )
        }
    }
}
