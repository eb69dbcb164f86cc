//! Number of clusters of a group.

use std::collections::BTreeMap;

use glam::{IVec3, Vec3};

use crate::world::{Arena, Extrema, Group, World};

/// Interaction radius of units without a view, in body lengths.
const DEFAULT_REACH: f32 = 5.0;

/// Returns the number of clusters of a group: the connected components of the graph that links two units within the
/// interaction radius, which is that of the group's view, or five body lengths without one. After C. Huepe, M. Aldana,
/// "Intermittency and clustering in a system of self-driven particles", Physical Review Letters 92, 2004.
pub fn clusters(world: &World, group: &Group) -> usize {
    let view = group.view.and_then(|view| world.views.get(view));
    let reach = view.map_or(DEFAULT_REACH * group.body.length(), |view| view.view.radius());
    count(&world.units.position[group.units.clone()], reach, &world.arena)
}

/// Counts connected components with links up to length `reach`.
fn count(positions: &[Vec3], reach: f32, arena: &Arena) -> usize {
    let cells = Cells::new(reach, arena);
    let mut units: BTreeMap<[i32; 3], Vec<Vec3>> = BTreeMap::new();
    for position in positions {
        units.entry(cells.of(*position).to_array()).or_default().push(*position);
    }
    // All units of one cell are connected, so only cells must be linked.
    let units: Vec<_> = units.into_iter().collect();
    let mut roots: Vec<usize> = (0..units.len()).collect();
    for (at, (cell, here)) in units.iter().enumerate() {
        for beside in cells.around(IVec3::from_array(*cell)) {
            let found = units.binary_search_by_key(&beside.to_array(), |(cell, _)| *cell);
            let Ok(other) = found else { continue };
            let (a, b) = (root(&mut roots, at), root(&mut roots, other));
            let near = |from: &Vec3, to: &Vec3| arena.shortest(*to - *from).length_squared() <= reach * reach;
            if a != b && here.iter().any(|from| units[other].1.iter().any(|to| near(from, to))) {
                roots[a.max(b)] = a.min(b);
            }
        }
    }
    roots.iter().enumerate().filter(|(at, root)| at == *root).count()
}

/// Returns the root of a cell's component (union-find with path halving).
fn root(roots: &mut [usize], mut at: usize) -> usize {
    while roots[at] != at {
        roots[at] = roots[roots[at]];
        at = roots[at];
    }
    at
}

/// Cells so small that any two units in one cell are within reach of each other.
struct Cells {
    size: Vec3,
    /// Number of cells along periodic axes, else 0.
    count: IVec3,
    /// Number of cells that the reach spans.
    reach: IVec3,
}

impl Cells {
    fn new(reach: f32, arena: &Arena) -> Self {
        let axes: f32 = if arena.is_plane() { 2.0 } else { 3.0 };
        let max = (reach / axes.sqrt()).greater(1e-6);
        let (mut size, mut count) = (Vec3::splat(max), IVec3::ZERO);
        if let Some(period) = arena.period() {
            count = (period / max).ceil().max(glam::Vec2::ONE).as_ivec2().extend(0);
            size = (period / count.truncate().as_vec2()).extend(max);
        }
        let mut reach = (Vec3::splat(reach) / size).ceil().min(Vec3::splat(4.0)).as_ivec3();
        if arena.is_plane() {
            reach.z = 0;
        }
        Self { size, count, reach }
    }

    fn of(&self, position: Vec3) -> IVec3 {
        self.wrapped((position / self.size).floor().as_ivec3())
    }

    fn wrapped(&self, cell: IVec3) -> IVec3 {
        let wrap = |at: i32, count: i32| if count > 0 { at.rem_euclid(count) } else { at };
        IVec3::new(wrap(cell.x, self.count.x), wrap(cell.y, self.count.y), cell.z)
    }

    /// The cells within reach of a cell.
    fn around(&self, cell: IVec3) -> impl Iterator<Item = IVec3> {
        let IVec3 { x, y, z } = self.reach;
        let offsets =
            (-x..=x).flat_map(move |x| (-y..=y).flat_map(move |y| (-z..=z).map(move |z| (x, y, z))));
        offsets.map(move |(x, y, z)| self.wrapped(cell.saturating_add(IVec3::new(x, y, z))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Edges, testing};

    fn open() -> Arena {
        testing::plane(100.0, 60.0, Edges::Open)
    }

    fn seamless() -> Arena {
        Arena { seamless: true, ..testing::plane(100.0, 60.0, Edges::Wrap) }
    }

    #[test]
    fn chains_are_one_cluster_and_gaps_separate_clusters() {
        let chain: Vec<_> = (0..20).map(|at| Vec3::X * at as f32 * 3.0).collect();
        assert_eq!(count(&chain, 3.0, &open()), 1);
        assert_eq!(count(&chain, 2.9, &open()), 20);
        let mut parted = chain.clone();
        parted.remove(10);
        assert_eq!(count(&parted, 3.0, &open()), 2);
        assert_eq!(count(&[], 3.0, &open()), 0);
        assert_eq!(count(&chain, 0.0, &open()), 20);
        assert_eq!(count(&chain, f32::INFINITY, &open()), 1);
    }

    #[test]
    fn clusters_extend_across_a_periodic_edge() {
        let ends = [Vec3::new(1.0, 30.0, 0.0), Vec3::new(99.0, 30.0, 0.0)];
        assert_eq!(count(&ends, 3.0, &open()), 2);
        assert_eq!(count(&ends, 3.0, &seamless()), 1);
        assert_eq!(count(&ends, 500.0, &seamless()), 1);
    }

    /// Compares with a search over all pairs.
    #[test]
    fn counts_equal_those_of_a_search_over_all_pairs() {
        for (arena, seed) in [open(), seamless()].iter().zip(1..) {
            let draw = |at: u32| crate::world::random::draw(seed, 0, 0, 0, at);
            let positions: Vec<_> =
                (0..150).map(|at| Vec3::new(draw(2 * at) * 100.0, draw(2 * at + 1) * 60.0, 0.0)).collect();
            for reach in [1.0, 3.0, 5.0, 7.0, 20.0] {
                let mut known = vec![false; positions.len()];
                let mut expected = 0;
                for first in 0..positions.len() {
                    expected += usize::from(!known[first]);
                    let mut next = vec![first];
                    while let Some(at) = next.pop() {
                        if !std::mem::replace(&mut known[at], true) {
                            let offset = |to: &Vec3| arena.shortest(*to - positions[at]);
                            let near = positions.iter().enumerate();
                            let near = near.filter(|(_, to)| offset(to).length_squared() <= reach * reach);
                            next.extend(near.map(|(to, _)| to));
                        }
                    }
                }
                assert_eq!(count(&positions, reach, arena), expected, "reach {reach}, {arena:?}");
            }
        }
    }
}
