//! Distances between nearest units, for figures of groups.

use glam::Vec3;

use crate::perception::Grid;
use crate::world::World;

/// Returns the distance of each unit to the nearest other one of any group; 0 for a single unit. The grid of perception has
/// cells as long as a view, which may contain most units; the cells here contain about one unit each if units are spread
/// evenly.
pub(super) fn nearest_distances(world: &World) -> Vec<f32> {
    let positions = &world.units.position;
    let spacing = spacing(positions);
    let mut grid = Grid::default();
    grid.sort(positions, world.arena.period(), spacing);
    grid.nearest_distances(spacing)
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
    use crate::world::{Arena, Edges, Extrema, Group, testing};

    fn crowd(places: &[Vec3], seamless: bool) -> World {
        let arena = Arena { seamless, ..testing::plane(100.0, 60.0, Edges::Wrap) };
        World { arena, ..World::default() }.with_group(Group::default(), places.iter().copied())
    }

    /// Returns the distance from a unit to the nearest other one of any group; 0 for a single unit.
    fn nearest_of(world: &World, unit: usize) -> f32 {
        let positions = &world.units.position;
        let others = positions.iter().enumerate().filter(|(other, _)| *other != unit);
        let distance = |at: &Vec3| world.arena.shortest(*at - positions[unit]).length_squared();
        let nearest = others.map(|(_, at)| distance(at)).fold(f32::INFINITY, f32::lesser);
        if nearest.is_finite() { nearest.sqrt() } else { 0.0 }
    }

    #[test]
    fn distances_equal_a_search_of_all_pairs() {
        for places in [
            vec![],
            vec![Vec3::X],
            vec![Vec3::X, Vec3::new(90.0, 2.0, 0.0)],
            vec![Vec3::ZERO; 40],
            // A few dense places far apart, whose neighbors in the order of cells are distant.
            (0..61)
                .map(|at| Vec3::new((at % 3) as f32 * 33.0, (at % 2) as f32 * 47.0 + at as f32 * 1e-3, 0.0))
                .collect(),
            // Outside of the periodic box, several periods away.
            (0..50).map(|at| Vec3::new(at as f32 * 17.0 - 300.0, at as f32 * 29.0, 0.0)).collect(),
            (0..99).map(|at| Vec3::new((at * at) as f32 % 97.0, at as f32 % 41.0, (at % 7) as f32)).collect(),
            vec![Vec3::ZERO, Vec3::X * 1e30, Vec3::Y * -1e30],
            (0..300).map(|at| Vec3::new((at * at) as f32 % 97.0, at as f32 % 41.0, 0.0)).collect(),
            (0..50).map(|at| Vec3::X * (at * at) as f32 * 0.01).collect(),
            // A box so thin that its cells would be far smaller than the distances.
            (0..50).map(|at| Vec3::new(at as f32, at as f32 * 1e-20, 0.0)).collect(),
        ] {
            for seamless in [false, true] {
                let world = crowd(&places, seamless);
                let expected: Vec<_> = (0..places.len()).map(|unit| nearest_of(&world, unit)).collect();
                assert_eq!(nearest_distances(&world), expected);
            }
        }
    }
}
