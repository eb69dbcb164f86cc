//! Sorted lists for all units of a batch: row i holds the i-th nearest unit of each list.

use glam::Vec3;

use super::lanes::{LANES, Lanes};
use super::list::{Neighbor, Source};

/// One unit of the list of each unit of a batch. Compiled code reads it in place.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug)]
pub struct BatchOrdered {
    /// Its apparent position, by component.
    pub position: [Lanes; 3],
    /// Its velocity, by component.
    pub velocity: [Lanes; 3],
    /// Squared distance; NaN in lanes whose list is shorter. Their other fields are meaningless.
    pub square: Lanes,
    /// Its index.
    pub unit: [u32; LANES],
}

impl BatchOrdered {
    pub(super) const NONE: Self = Self {
        position: [[0.0; LANES]; 3],
        velocity: [[0.0; LANES]; 3],
        square: [f32::NAN; LANES],
        unit: [0; LANES],
    };
}

/// Maximum length of a list; limits the memory per thread.
const MAX_LENGTH: usize = 1 << 14;

/// Lists of the source requested last, valid until the next batch starts.
#[derive(Clone, Debug, Default)]
pub(super) struct OrderedLists {
    source: Option<Source>,
    /// Reach of the stored list of each lane, if any.
    reach: [Option<f32>; LANES],
    rows: Vec<BatchOrdered>,
}

impl OrderedLists {
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.source = None;
    }

    /// Prepares for lists of a source.
    pub(super) fn prepare(&mut self, source: Source) {
        if self.source != Some(source) {
            self.rows.clear();
            (self.source, self.reach) = (Some(source), [None; LANES]);
        }
    }

    /// Returns true if the list of a lane is stored.
    pub(super) fn has(&self, lane: usize, within: f32) -> bool {
        // The list of a NaN reach is empty.
        within.is_nan() || self.reach[lane].is_some_and(|reach| within <= reach)
    }

    /// Stores the sorted list of a lane; returns false if it is too long.
    pub(super) fn store(
        &mut self,
        lane: usize,
        within: f32,
        neighbors: &[Neighbor],
        velocities: &[Vec3],
    ) -> bool {
        if neighbors.len() > MAX_LENGTH {
            self.clear();
            return false;
        }
        self.reach[lane] = Some(within);
        if self.rows.len() < neighbors.len() {
            self.rows.resize(neighbors.len(), BatchOrdered::NONE);
        }
        for (row, it) in self.rows.iter_mut().zip(neighbors) {
            row.square[lane] = it.distance_squared;
            row.unit[lane] = it.unit as u32;
            let velocity = velocities[it.unit];
            for axis in 0..3 {
                row.position[axis][lane] = it.position[axis];
                row.velocity[axis][lane] = velocity[axis];
            }
        }
        true
    }

    pub(super) fn rows(&self) -> &[BatchOrdered] {
        &self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perception::{Grid, List, NeighborQueries};
    use crate::world::{Edges, testing};

    #[test]
    fn each_lane_has_the_list_of_its_unit() {
        let mut world = testing::world(&[300], 2.0, |_, draw| {
            (Vec3::new(draw(0), draw(1), 0.0) * 10.0, Vec3::new(draw(2), draw(3), 0.0))
        });
        world.arena = testing::plane(10.0, 10.0, Edges::Wrap);
        world.arena.seamless = true;
        let mut grid = Grid::default();
        grid.rebuild(&world);
        let rows = grid.rows();
        let (mut queries, mut single) = (NeighborQueries::default(), NeighborQueries::default());
        let (mut from, mut seen) = (0, 0);
        while from < rows.len() {
            let count = queries.start_batch(&rows[from..], &grid);
            let mut active = [u32::MAX; LANES];
            active[count / 2..].fill(0);
            // Some lanes first, then all; a shorter list, a longer one, and the shorter one again.
            for (within, active) in
                [(0.5, active), (0.5, [u32::MAX; LANES]), (f32::INFINITY, active), (0.5, [u32::MAX; LANES])]
            {
                let list = List { source: Source::Others, within };
                let found = queries.of_batch(&world, &grid).ordered(list, &active).unwrap().to_vec();
                for lane in (0..count).filter(|lane| active[*lane] != 0) {
                    single.set_unit(rows[from + lane][0] as usize);
                    let expected = single.ordered(list, &world, &grid);
                    let mine = found.iter().take_while(|row| row.square[lane] <= within * within);
                    let mine = mine.map(|row| {
                        let of = |parts: [Lanes; 3]| Vec3::from(parts.map(|part| part[lane]));
                        (row.unit[lane] as usize, of(row.position), row.square[lane], of(row.velocity))
                    });
                    let velocities = &world.units.velocity;
                    let expected = expected
                        .iter()
                        .map(|it| (it.unit, it.position, it.distance_squared, velocities[it.unit]));
                    assert_eq!(mine.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
                    seen += 1;
                }
                let indices: [u32; LANES] = std::array::from_fn(|lane| 3 * lane as u32);
                let nth = queries.of_batch(&world, &grid).nth(list, &active, &indices).unwrap();
                for lane in (0..count).filter(|lane| active[*lane] != 0) {
                    single.set_unit(rows[from + lane][0] as usize);
                    let expected = single.nth(list, indices[lane] as usize, &world, &grid);
                    let expected = expected.map(|it| (it.unit as u32, it.position.to_array()));
                    let unit = (nth.unit[lane], nth.position.map(|axis| axis[lane]));
                    assert_eq!((nth.found[lane] != 0).then_some(unit), expected);
                }
            }
            from += count;
        }
        assert!(seen > 800, "{seen}");
    }

    #[test]
    fn lists_that_are_too_long_are_left_to_each_unit() {
        let world =
            testing::world(&[MAX_LENGTH + 2], 2.0, |_, draw| (Vec3::new(draw(0), draw(1), 0.0), Vec3::ZERO));
        let mut grid = Grid::default();
        grid.rebuild(&world);
        let mut queries = NeighborQueries::default();
        queries.start_batch(&[[grid.order()[0], 0]], &grid);
        let list = |within| List { source: Source::Others, within };
        let active = [u32::MAX; LANES];
        for _ in 0..2 {
            assert!(queries.of_batch(&world, &grid).ordered(list(f32::INFINITY), &active).is_none());
            assert!(queries.of_batch(&world, &grid).ordered(list(1e-3), &active).is_some());
        }
    }
}
