//! Distances between nearest units, for figures of groups.

use glam::Vec3;

use crate::perception::Grid;
use crate::world::World;

/// Maximum number of times that a search doubles its radius.
const MAX_DOUBLINGS: usize = 128;

/// Returns the distance from a unit to the nearest other one of any group; 0 for a single unit.
pub(super) fn nearest_of(world: &World, unit: usize) -> f32 {
    let positions = &world.units.position;
    let others = positions.iter().enumerate().filter(|(other, _)| *other != unit);
    let distance = |at: &Vec3| world.arena.shortest(*at - positions[unit]).length_squared();
    let nearest = others.map(|(_, at)| distance(at)).fold(f32::INFINITY, f32::min);
    if nearest.is_finite() { nearest.sqrt() } else { 0.0 }
}

/// Searches for nearest units. The grid of perception has cells as long as a view, which may contain most units; the cells
/// here contain about one unit each if units are spread evenly.
pub(super) struct NearestSearch {
    grid: Grid,
    spacing: f32,
}

impl NearestSearch {
    pub(super) fn new(world: &World) -> Self {
        let positions = &world.units.position;
        let spacing = spacing(positions);
        let mut grid = Grid::default();
        grid.sort(positions, world.arena.period(), spacing);
        Self { grid, spacing }
    }

    /// Returns the distance from a unit to the nearest other one, by a search with a doubling radius; 0 for a single unit.
    pub(super) fn distance(&self, world: &World, unit: usize) -> f32 {
        let positions = &world.units.position;
        if positions.len() < 2 {
            return 0.0;
        }
        let mut radius = self.spacing;
        for _ in 0..MAX_DOUBLINGS {
            let mut nearest = f32::INFINITY;
            self.grid.each_within(positions[unit], radius, |other, _, distance_squared| {
                if other != unit {
                    nearest = nearest.min(distance_squared);
                }
            });
            if nearest.is_finite() {
                return nearest.sqrt();
            }
            radius *= 2.0;
        }
        0.0
    }
}

/// Returns the edge of a cell such that the bounding box of the positions has about one cell per position.
fn spacing(positions: &[Vec3]) -> f32 {
    let min = positions.iter().fold(Vec3::INFINITY, |min, at| min.min(*at));
    let max = positions.iter().fold(Vec3::NEG_INFINITY, |max, at| max.max(*at));
    let extents = (max - min).to_array().into_iter().filter(|extent| extent.is_finite() && *extent > 0.0);
    let (volume, axes) =
        extents.fold((1.0_f64, 0), |(volume, axes), extent| (volume * f64::from(extent), axes + 1));
    let edge = libm::pow(volume / positions.len().max(1) as f64, 1.0 / f64::from(axes.max(1))) as f32;
    if edge > 0.0 && edge.is_finite() { edge } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Arena, Edges, Group, testing};

    fn crowd(places: &[Vec3], seamless: bool) -> World {
        let arena = Arena { seamless, ..testing::plane(100.0, 60.0, Edges::Wrap) };
        World { arena, ..World::default() }.with_group(Group::default(), places.iter().copied())
    }

    #[test]
    fn distances_equal_a_search_of_all_pairs() {
        for places in [
            vec![Vec3::ZERO; 40],
            (0..300).map(|at| Vec3::new((at * at) as f32 % 97.0, at as f32 % 41.0, 0.0)).collect(),
            (0..50).map(|at| Vec3::X * (at * at) as f32 * 0.01).collect(),
            // A box so thin that its cells would be far smaller than the distances.
            (0..50).map(|at| Vec3::new(at as f32, at as f32 * 1e-20, 0.0)).collect(),
        ] {
            for seamless in [false, true] {
                let world = crowd(&places, seamless);
                let search = NearestSearch::new(&world);
                for unit in 0..places.len() {
                    assert_eq!(search.distance(&world, unit), nearest_of(&world, unit), "{unit}");
                }
            }
        }
    }
}
