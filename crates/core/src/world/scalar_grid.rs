//! Environment grids: a number for every cell of the world, which units read and deposit on.

use std::sync::Arc;

use glam::{IVec3, UVec3, Vec3};

use super::arena::Arena;
use super::distribution::{Distribution, name_key};
use super::extrema::Extrema;

/// Maximum number of grids in a world.
pub const MAX_GRIDS: usize = 8;
/// Maximum number of cells of all grids of a world together.
pub const MAX_CELLS: u64 = 1 << 22;

/// The properties of a grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridRules {
    /// The intended side of a cell, above zero.
    pub cell: f32,
    /// The share of a value that moves to the adjacent cells per second, not negative.
    pub diffusion: f32,
    /// The share of a value that is lost per second, not negative.
    pub evaporation: f32,
}

/// The key of initial values in place of a behavior's; those of units and bodies differ.
const INITIAL: u64 = u64::MAX - 2;

/// A named grid over the world: over the rectangle of a plane, or over the cube around the ball of a space. The cells of
/// a plane whose edges connect do so as well. Clones share the values.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalarGrid {
    /// Its name in the scene.
    pub name: String,
    /// Its properties.
    pub rules: GridRules,
    origin: Vec3,
    /// The sides of a cell; 1 along z in a plane.
    sides: Vec3,
    cells: UVec3,
    is_plane: bool,
    is_periodic: bool,
    /// Ordered along x first, then y, then z.
    values: Arc<Vec<f32>>,
}

/// The common part of two cells along an axis, as shares of their lengths.
struct Overlap {
    of_old: f64,
    of_new: f64,
}

impl ScalarGrid {
    /// Maximum absolute value of a cell; larger ones are clamped.
    pub const MAX: f32 = 1e30;

    /// Creates a grid whose cells are zero.
    pub fn new(name: &str, rules: GridRules, arena: &Arena) -> Self {
        Self::of_cells(name, rules, arena, Self::cells_of(arena, rules.cell))
    }

    /// Creates a grid with this number of cells along each axis, which are zero.
    fn of_cells(name: &str, rules: GridRules, arena: &Arena, cells: UVec3) -> Self {
        let size = arena.size();
        Self {
            name: name.to_owned(),
            rules,
            origin: arena.center() - size * 0.5,
            sides: if arena.is_plane() { size.with_z(1.0) } else { size } / cells.as_vec3(),
            cells,
            is_plane: arena.is_plane(),
            is_periodic: arena.wrap().is_some(),
            values: vec![0.0; count(cells) as usize].into(),
        }
    }

    /// Returns this grid with initial values: the number of each cell is a function of the distribution, the seed, the
    /// name of the grid and the index of the cell.
    #[must_use]
    pub fn filled(mut self, initial: &Distribution, seed: u64) -> Self {
        let name = name_key(&self.name);
        let value = |cell| initial.of_unit(seed, cell, INITIAL, name).limited(-Self::MAX, Self::MAX);
        self.values = match initial {
            Distribution::Constant(value) => vec![value.limited(-Self::MAX, Self::MAX); self.values.len()],
            _ => (0..self.values.len() as u64).map(value).collect(),
        }
        .into();
        self
    }

    /// Returns this grid of a plane with a picture over the whole of it: each cell has the mean of the area that it covers.
    /// The pixels are ordered along x first, from the lower row on.
    #[must_use]
    pub fn with_picture(self, arena: &Arena, (width, height): (u32, u32), pixels: Vec<f32>) -> Self {
        let mut picture = Self::of_cells("", self.rules, arena, UVec3::new(width, height, 1));
        picture.set_values(pixels);
        self.resampled(&picture, |overlap| overlap.of_new)
    }

    /// Returns the number of cells of side `cell` along each axis of an arena, rounded so that whole cells cover it.
    pub fn cells_of(arena: &Arena, cell: f32) -> UVec3 {
        let along = |length: f32| (length / cell).round().limited(1.0, 1e6) as u32;
        let size = arena.size();
        UVec3::new(along(size.x), along(size.y), if arena.is_plane() { 1 } else { along(size.z) })
    }

    /// Returns this grid with the values of `old`. If the cells differ, the value of an old cell is distributed over the new ones
    /// in proportion to the volume that each covers of it, so that the total of the common region is preserved; the region
    /// beyond `old` retains its values.
    #[must_use]
    pub fn with_values_of(self, old: &Self) -> Self {
        self.resampled(old, |overlap| overlap.of_old)
    }

    /// Returns this grid with the values of `old`, weighted by a share of each overlap.
    fn resampled(mut self, old: &Self, share: fn(&Overlap) -> f64) -> Self {
        if self.has_layout_of(old) {
            self.values = Arc::clone(&old.values);
            return self;
        }
        let [x, y, z] = [0, 1, 2].map(|axis| self.overlaps(old, axis));
        let mut values = Vec::with_capacity(self.values.len());
        for z in &z {
            for y in &y {
                for x in &x {
                    let (mut value, mut covered) = (0.0, 0.0);
                    for (of_z, zs) in z {
                        for (of_y, ys) in y {
                            for (of_x, xs) in x {
                                let at = (of_z * old.cells.y as usize + of_y) * old.cells.x as usize + of_x;
                                value += f64::from(old.values[at]) * share(xs) * share(ys) * share(zs);
                                covered += xs.of_new * ys.of_new * zs.of_new;
                            }
                        }
                    }
                    let own = f64::from(self.values[values.len()]);
                    values.push((value + own * (1.0 - covered).greater(0.0)) as f32);
                }
            }
        }
        for value in &mut values {
            *value = value.limited(-Self::MAX, Self::MAX);
        }
        self.values = Arc::new(values);
        self
    }

    /// Returns for each cell along an axis the overlapping cells of `old`, by their indices.
    fn overlaps(&self, old: &Self, axis: usize) -> Vec<Vec<(usize, Overlap)>> {
        let along = |grid: &Self| (f64::from(grid.origin[axis]), f64::from(grid.sides[axis]));
        let ((origin, side), (old_origin, old_side)) = (along(self), along(old));
        let overlaps = |at: u32| {
            let start = origin + side * f64::from(at);
            let first = ((start - old_origin) / old_side).floor().greater(0.0) as u32;
            let starts =
                (first..old.cells[axis]).map(|of| (of as usize, old_origin + old_side * f64::from(of)));
            let overlaps = starts.take_while(|(_, from)| *from < start + side).map(|(of, from)| {
                let length = (start + side).lesser(from + old_side) - start.greater(from);
                (of, Overlap { of_old: length / old_side, of_new: length / side })
            });
            overlaps.filter(|(_, overlap)| overlap.of_new > 0.0).collect()
        };
        (0..self.cells[axis]).map(overlaps).collect()
    }

    /// Returns true if both have the same cells at the same places.
    pub fn has_layout_of(&self, other: &Self) -> bool {
        let layout = |grid: &Self| (grid.origin, grid.sides, grid.cells, grid.is_plane, grid.is_periodic);
        layout(self) == layout(other)
    }

    /// Number of cells along each axis; 1 along z in a plane.
    pub fn cells(&self) -> UVec3 {
        self.cells
    }

    /// The sides of a cell; 1 along z in a plane.
    pub fn sides(&self) -> Vec3 {
        self.sides
    }

    /// The corner of least coordinates.
    pub fn origin(&self) -> Vec3 {
        self.origin
    }

    /// True in a plane.
    pub fn is_plane(&self) -> bool {
        self.is_plane
    }

    /// True if opposite edges are adjacent.
    pub fn is_periodic(&self) -> bool {
        self.is_periodic
    }

    /// The values of the cells, ordered along x first, then y, then z.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The shared values.
    pub(crate) fn shared(&mut self) -> &mut Arc<Vec<f32>> {
        &mut self.values
    }

    /// Replaces the values. Returns false, and changes nothing, unless there is one for each cell, within
    /// [`ScalarGrid::MAX`].
    pub fn set_values(&mut self, values: Vec<f32>) -> bool {
        let fit = values.len() == self.values.len() && values.iter().all(|value| value.abs() <= Self::MAX);
        if fit {
            self.values = values.into();
        }
        fit
    }

    /// The sum of all cells.
    pub fn total(&self) -> f64 {
        const LANES: usize = 8;
        let mut sums = [0.0; LANES];
        let (blocks, rest) = self.values.as_chunks::<LANES>();
        for block in blocks {
            for (sum, value) in sums.iter_mut().zip(block) {
                *sum += f64::from(*value);
            }
        }
        sums.iter().sum::<f64>() + rest.iter().map(|value| f64::from(*value)).sum::<f64>()
    }

    /// The greatest of all cells and 0.
    pub fn greatest(&self) -> f32 {
        const LANES: usize = 8;
        let (blocks, rest) = self.values.as_chunks::<LANES>();
        let mut greatest = [0.0; LANES];
        for block in blocks {
            for (greatest, value) in greatest.iter_mut().zip(block) {
                *greatest = value.greater(*greatest);
            }
        }
        greatest.iter().chain(rest).fold(0.0, |greatest, value| value.greater(greatest))
    }

    /// The mean of all cells.
    pub fn mean(&self) -> f64 {
        self.total() / self.values.len() as f64
    }

    /// Returns the index of the cell that contains a point; `None` outside of a grid that is not periodic.
    pub fn cell_at(&self, point: Vec3) -> Option<usize> {
        let cells = self.cells.as_vec3();
        let place = self.place(point).floor();
        let is_inside = place.cmpge(Vec3::ZERO).all() && place.cmplt(cells).all();
        (is_inside || (self.is_periodic && place.is_finite())).then(|| self.index(place.as_ivec3()))
    }

    /// Returns the center of a cell.
    pub fn center(&self, index: usize) -> Vec3 {
        let (row, x) = (index / self.cells.x as usize, index % self.cells.x as usize);
        let (z, y) = (row / self.cells.y as usize, row % self.cells.y as usize);
        let place = Vec3::new(x as f32, y as f32, z as f32) + 0.5;
        let center = self.origin + place * self.sides;
        if self.is_plane { center.with_z(0.0) } else { center }
    }

    /// Returns the value at a point, interpolated linearly between the centers of cells. Beyond the centers at the border
    /// of a grid that is not periodic, it is that of the nearest point within; at a point that is not finite it is NaN.
    pub fn value(&self, point: Vec3) -> f32 {
        if !point.is_finite() {
            return f32::NAN;
        }
        let mut place = self.place(point) - 0.5;
        if !self.is_periodic {
            place = place.clamp(Vec3::ZERO, self.cells.as_vec3() - 1.0);
        }
        let low = place.floor();
        let (t, low) = (place - low, low.as_ivec3());
        let cell = |x, y, z| self.values[self.index(low + IVec3::new(x, y, z))];
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let row = |y, z| mix(cell(0, y, z), cell(1, y, z), t.x);
        let sheet = |z| mix(row(0, z), row(1, z), t.y);
        if self.is_plane { sheet(0) } else { mix(sheet(0), sheet(1), t.z) }
    }

    /// Returns the gradient at a point: along each axis the difference of the values one cell ahead and one cell behind,
    /// divided by their distance.
    pub fn gradient(&self, point: Vec3) -> Vec3 {
        let along = |axis: Vec3| {
            let offset = axis * self.sides;
            let distance = 2.0 * offset.element_sum();
            (self.value(point + offset) - self.value(point - offset)) / distance
        };
        Vec3::new(along(Vec3::X), along(Vec3::Y), if self.is_plane { 0.0 } else { along(Vec3::Z) })
    }

    /// Returns a point in units of cells from the origin; in a periodic grid within one period.
    fn place(&self, point: Vec3) -> Vec3 {
        let place = (point - self.origin) / self.sides;
        let place = if self.is_plane { place.with_z(0.5) } else { place };
        if self.is_periodic {
            let cells = self.cells.as_vec3();
            return place - (place / cells).floor() * cells;
        }
        place
    }

    /// Returns the index of a cell at most one period, or one cell, outside.
    fn index(&self, cell: IVec3) -> usize {
        let cells = self.cells.as_ivec3();
        let cell = if self.is_periodic { cell.rem_euclid(cells) } else { cell };
        let [x, y, z] = cell.clamp(IVec3::ZERO, cells - 1).to_array().map(|at| at as usize);
        (z * self.cells.y as usize + y) * self.cells.x as usize + x
    }
}

/// Returns the number of cells of a grid.
fn count(cells: UVec3) -> u64 {
    cells.to_array().into_iter().map(u64::from).product()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Edges, testing};

    const RULES: GridRules = GridRules { cell: 10.0, diffusion: 0.0, evaporation: 0.0 };

    /// A grid of 4 by 2 cells whose values are 0 to 7.
    fn grid(edges: Edges) -> ScalarGrid {
        let mut grid = ScalarGrid::new("trail", RULES, &testing::plane(42.0, 19.0, edges));
        assert_eq!((grid.cells(), grid.sides()), (UVec3::new(4, 2, 1), Vec3::new(10.5, 9.5, 1.0)));
        assert!(grid.set_values((0..8).map(|at| at as f32).collect()));
        grid
    }

    #[test]
    fn centers_have_the_value_of_their_cell_and_points_between_them_a_mean() {
        for edges in [Edges::Open, Edges::Wrap] {
            let grid = grid(edges);
            for at in 0..8 {
                assert_eq!(grid.value(grid.center(at)), at as f32);
                assert_eq!(grid.cell_at(grid.center(at)), Some(at));
            }
            assert_eq!(grid.value(Vec3::new(21.0, 9.5, 0.0)), 3.5);
            assert_eq!(grid.gradient(Vec3::new(21.0, 9.5, 0.0)).x, 1.0 / 10.5);
            assert_eq!((grid.total(), grid.mean()), (28.0, 3.5));
        }
    }

    #[test]
    fn points_outside_are_clamped_or_wrapped() {
        let (open, wrapped) = (grid(Edges::Open), grid(Edges::Wrap));
        let outside = Vec3::new(-5.25, 4.75, 0.0);
        assert_eq!((open.value(outside), wrapped.value(outside)), (0.0, 3.0));
        assert_eq!((open.cell_at(outside), wrapped.cell_at(outside)), (None, Some(3)));
        assert_eq!(wrapped.value(Vec3::new(0.0, 4.75, 0.0)), 1.5, "the mean of both sides of the edge");
        assert!(wrapped.value(Vec3::splat(3e38)).is_finite() && open.value(Vec3::splat(-3e38)).is_finite());
        for point in [Vec3::NAN, Vec3::INFINITY] {
            assert!(wrapped.value(point).is_nan() && open.value(point).is_nan());
            assert_eq!((open.cell_at(point), wrapped.cell_at(point)), (None, None));
        }
    }

    #[test]
    fn a_space_has_cells_along_every_axis() {
        let mut grid = ScalarGrid::new("smell", RULES, &testing::space(20.0, Edges::Wrap));
        assert_eq!((grid.cells(), grid.is_periodic()), (UVec3::splat(4), false));
        assert!(grid.set_values((0..64).map(|at| (at / 16) as f32).collect()));
        assert_eq!(grid.value(Vec3::ZERO), 1.5);
        assert_eq!(grid.gradient(Vec3::ZERO), Vec3::Z * 0.1);
    }

    #[test]
    fn other_cells_preserve_the_total_and_a_larger_world_adds_initial_values() {
        let (old, arena) = (grid(Edges::Open), testing::plane(42.0, 19.0, Edges::Open));
        let same = ScalarGrid::new("trail", GridRules { diffusion: 3.0, ..RULES }, &arena);
        assert_eq!(same.with_values_of(&old).values(), old.values());
        for cell in [1.0, 3.0, 5.25, 40.0] {
            let other = ScalarGrid::new("trail", GridRules { cell, ..RULES }, &arena).with_values_of(&old);
            assert!((other.total() - old.total()).abs() < 1e-4, "{cell}: {}", other.total());
            let back = ScalarGrid::new("trail", RULES, &arena).with_values_of(&other);
            assert!((back.total() - old.total()).abs() < 1e-4, "{cell}: {}", back.total());
        }
        // Each cell of 10.5 x 9.5 is halved along both axes: to a quarter of its value.
        let halves = GridRules { cell: 5.0, ..RULES };
        let finer = ScalarGrid::new("trail", halves, &arena).with_values_of(&old);
        assert_eq!(finer.cells(), UVec3::new(8, 4, 1));
        assert_eq!(finer.values()[..8], [0.0, 0.0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75]);
        // A larger world adds cells with the initial value.
        let arena = testing::plane(63.0, 19.0, Edges::Open);
        let larger = ScalarGrid::new("trail", RULES, &arena).filled(&Distribution::Constant(3.0), 1);
        let larger = larger.with_values_of(&old);
        assert_eq!(larger.values(), [0.0, 1.0, 2.0, 3.0, 3.0, 3.0, 4.0, 5.0, 6.0, 7.0, 3.0, 3.0]);
    }

    #[test]
    fn initial_values_depend_on_seed_name_and_cell() {
        let filled = |name: &str, cell: f32, seed: u64| {
            let grid = ScalarGrid::new(
                name,
                GridRules { cell, ..RULES },
                &testing::plane(400.0, 400.0, Edges::Wrap),
            );
            grid.filled(&Distribution::Choice(vec![0.0, 0.0, 0.0, 1.0]), seed)
        };
        let grid = filled("chips", 4.0, 1);
        assert!(grid.values().iter().all(|value| [0.0, 1.0].contains(value)));
        // Four standard deviations of the binomial distribution.
        assert!((grid.mean() - 0.25).abs() < 4.0 * (0.25_f64 * 0.75 / 10_000.0).sqrt(), "{}", grid.mean());
        assert_eq!(grid, filled("chips", 4.0, 1));
        assert_eq!(filled("chips", 100.0, 1).values(), &grid.values()[..16]);
        for other in [filled("chips", 4.0, 2), filled("food", 4.0, 1)] {
            let equal = grid.values().iter().zip(other.values()).filter(|(a, b)| a == b).count();
            assert!((5900..6600).contains(&equal), "{equal} of 10000 cells are equal, 6250 are expected");
        }
        let uniform = grid.filled(&Distribution::Uniform { least: 2.0, most: 4.0 }, 1);
        assert!((uniform.mean() - 3.0).abs() < 4.0 / 12.0_f64.sqrt() * 2.0 / 100.0, "{}", uniform.mean());
    }

    #[test]
    fn a_picture_has_the_mean_of_the_area_of_each_cell() {
        let arena = testing::plane(40.0, 20.0, Edges::Wrap);
        let picture = |cell: f32, size: (u32, u32), pixels: &[f32]| {
            let grid = ScalarGrid::new("trail", GridRules { cell, ..RULES }, &arena);
            grid.with_picture(&arena, size, pixels.to_vec()).values().to_vec()
        };
        let pixels: Vec<_> = (0..8).map(|at| at as f32).collect();
        assert_eq!(picture(10.0, (4, 2), &pixels), pixels);
        assert_eq!(picture(20.0, (4, 2), &pixels), [2.5, 4.5]);
        assert_eq!(picture(20.0, (1, 1), &[3.0]), [3.0, 3.0]);
        // Three pixels over two cells, and two over four.
        assert_eq!(picture(20.0, (3, 1), &[1.0, 4.0, 7.0]), [2.0, 6.0]);
        assert_eq!(picture(10.0, (2, 1), &[1.0, 4.0]), [1.0, 1.0, 4.0, 4.0, 1.0, 1.0, 4.0, 4.0]);
    }

    #[test]
    fn values_that_do_not_fit_change_nothing() {
        let mut grid = grid(Edges::Open);
        for values in [vec![1.0; 7], vec![f32::NAN; 8], vec![2e30; 8]] {
            assert!(!grid.set_values(values));
        }
        assert_eq!(grid.total(), 28.0);
    }
}
