//! A list in three figures: how many, where in the mean, and how they move in the mean.

use glam::Vec3;
use pulp::Simd;

use super::Grid;
use super::asks::Ask;
use super::eye::{Case, Cased, Eye, near};
use super::lanes::{self, LANES, Lanes, Pass, floats, kept};
use super::question::Question;
use super::seam::Laps;

/// The units of a list as one: what rules over means ask for.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Crowd {
    /// How many units the list holds.
    pub count: u32,
    /// Mean of their apparent positions; where there is nobody, the looking unit's own.
    pub position: Vec3,
    /// Mean of their velocities; where there is nobody, the looking unit's own.
    pub velocity: Vec3,
}

/// Sums over a list.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    count: u32,
    offset: Vec3,
    velocity: Vec3,
}

impl Sums {
    /// The means, of offsets from `position`; the unit's own where there is nobody.
    #[inline(always)]
    pub(super) fn crowd(&self, position: Vec3, velocity: Vec3) -> Crowd {
        if self.count == 0 {
            return Crowd {
                count: 0,
                position,
                velocity,
            };
        }
        let share = 1.0 / self.count as f32;
        Crowd {
            count: self.count,
            position: position + self.offset * share,
            velocity: self.velocity * share,
        }
    }
}

/// Sums lane by lane. A unit counts in the lane of its slot, and units are added in the order of
/// slots. So there is one order for every list, wherever else the pass has looked, whatever the
/// processor makes of the lanes.
#[derive(Clone, Copy, Default)]
pub(super) struct LaneSums {
    count: [u32; LANES],
    offset: [Lanes; 3],
    velocity: [Lanes; 3],
}

impl LaneSums {
    /// Adds the unit in `slot`.
    pub(super) fn add(&mut self, slot: usize, offset: Vec3, velocity: Vec3) {
        let lane = slot % LANES;
        self.count[lane] += 1;
        for axis in 0..3 {
            self.offset[axis][lane] += offset[axis];
            self.velocity[axis][lane] += velocity[axis];
        }
    }

    #[inline(always)]
    pub(super) fn total(&self) -> Sums {
        let [x, y, z] = &self.offset;
        let [vx, vy, vz] = &self.velocity;
        Sums {
            count: self.count.iter().sum(),
            offset: Vec3::new(total(x), total(y), total(z)),
            velocity: Vec3::new(total(vx), total(vy), total(vz)),
        }
    }
}

#[inline(always)]
fn total(lanes: &Lanes) -> f32 {
    let [a, b, c, d, e, f, g, h] = *lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// Sums over two lists of one source with a view all around, in one pass over who may be in the
/// longer; `limits` are the greatest squared distances in them. Offsets must take no more than one
/// lap.
pub(super) fn around(grid: &Grid, ask: &Ask, question: &Question, limits: [f32; 2]) -> [Sums; 2] {
    lanes::run(Around {
        grid,
        ask,
        question,
        limits,
    })
}

struct Around<'a> {
    grid: &'a Grid,
    ask: &'a Ask,
    question: &'a Question,
    limits: [f32; 2],
}

impl Pass for Around<'_> {
    type Output = [Sums; 2];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [Sums; 2] {
        let wraps = matches!(self.question.laps, Laps::One(_));
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

impl Around<'_> {
    #[inline(always)]
    fn sum<S: Simd, C: Case>(&self, simd: S) -> [Sums; 2] {
        if self.limits[1] < 0.0 {
            let [sums] = self.sums::<S, C, 1>(simd);
            return [sums, Sums::default()];
        }
        self.sums::<S, C, 2>(simd)
    }

    #[inline(always)]
    fn sums<S: Simd, C: Case, const LISTS: usize>(&self, simd: S) -> [Sums; LISTS] {
        let eye = Eye::new(simd, self.grid, self.ask, self.question);
        let limits = [
            simd.splat_f32s(self.limits[0]),
            simd.splat_f32s(self.limits[1]),
        ];
        // Both counts share a vector, as there are no more registers.
        let ones = [simd.splat_u32s(1), simd.splat_u32s(1 << 16)];
        let mut count = simd.splat_u32s(0);
        let zero = simd.splat_f32s(0.0);
        let (mut offsets, mut velocities) = ([[zero; 3]; LISTS], [[zero; 3]; LISTS]);
        let add = |sum: &mut S::f32s, counts, numbers| {
            *sum = simd.add_f32s(*sum, kept(simd, counts, numbers));
        };
        for block in self.question.blocks() {
            let batch = &self.grid.batches[block.batch as usize];
            let (offset, square) = eye.look::<C>(simd, batch);
            let wanted = eye.wanted::<C>(simd, *block);
            let mut counts = [count; LISTS];
            for list in 0..LISTS {
                counts[list] = near(simd, wanted, square, limits[list]);
                count = simd.add_u32s(count, simd.and_u32s(counts[list], ones[list]));
            }
            let velocity = [&batch.velocity_x, &batch.velocity_y, &batch.velocity_z];
            for axis in 0..if C::FLAT { 2 } else { 3 } {
                for list in 0..LISTS {
                    add(&mut offsets[list][axis], counts[list], offset[axis]);
                }
            }
            for axis in 0..if C::FLAT { 2 } else { 3 } {
                let their = floats(simd, velocity[axis]);
                for list in 0..LISTS {
                    add(&mut velocities[list][axis], counts[list], their);
                }
            }
        }
        let counts: [u32; LANES] = pulp::cast(count);
        let mut totals = [Sums::default(); LISTS];
        for list in 0..LISTS {
            let ([x, y, z], [vx, vy, vz]) = (offsets[list], velocities[list]);
            let mut lanes = LaneSums {
                count: [0; LANES],
                offset: [pulp::cast(x), pulp::cast(y), pulp::cast(z)],
                velocity: [pulp::cast(vx), pulp::cast(vy), pulp::cast(vz)],
            };
            for (own, both) in lanes.count.iter_mut().zip(counts) {
                *own = match (LISTS, list) {
                    (1, _) => both,
                    (_, 0) => both & 0xffff,
                    _ => both >> 16,
                };
            }
            totals[list] = lanes.total();
        }
        totals
    }
}

#[cfg(test)]
mod tests {
    use pulp::Scalar256b;

    use super::*;
    use crate::perception::{List, Source};
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
            let (list, mut question) = (List::all(Source::Neighbors), Question::default());
            for unit in 0..world.units.len() {
                let asker = grid.asker(grid.slot(unit));
                let ask = grid.asks.of(asker.group, list.source);
                question.ask(list, ask, &asker, &grid);
                for limits in [[4.0, 1.0], [4.0, -1.0], [0.5, 4.0]] {
                    let (grid, question) = (&grid, &question);
                    let plain = Around {
                        grid,
                        ask,
                        question,
                        limits,
                    };
                    let best = around(grid, ask, question, limits);
                    let bits = |sums: [Sums; 2]| sums.map(|sums| sums.bits());
                    assert_eq!(bits(best), bits(plain.run(Scalar256b)));
                    assert!(best[0].count + best[1].count > 0);
                }
            }
        }
    }

    impl Sums {
        fn bits(&self) -> [u32; 7] {
            let (to, by) = (self.offset, self.velocity);
            let [x, y, z, vx, vy, vz] = [to.x, to.y, to.z, by.x, by.y, by.z].map(f32::to_bits);
            [self.count, x, y, z, vx, vy, vz]
        }
    }
}
