//! Environment grids of a page: pictures of the cells of a plane, a limited number over the whole run.
//!
//! Grids change slowly and are large. A picture has at most 96 cells along an axis, each with the greatest value of those that
//! it covers, so that thin trails remain. When there are too many pictures, every other one is removed, as frames are.

use serde::Serialize;
use steerbox_core::world::{ScalarGrid, World};

use super::columns::push_bytes;

/// Maximum number of pictures of a page.
const MAX_PICTURES: usize = 100;
/// Maximum number of cells of a picture along an axis.
const MAX_SIDE: u32 = 96;

/// The grids from a frame on.
#[derive(Serialize)]
pub(super) struct Picture {
    /// The first frame.
    frame: usize,
    /// Columns and rows of each grid.
    sizes: Vec<[u32; 2]>,
    /// The cells of each grid, the row of least y first.
    #[serde(skip)]
    cells: Vec<Vec<u8>>,
}

/// The pictures of a run.
pub(super) struct Grids {
    pictures: Vec<Picture>,
    /// Number of frames from one picture to the next.
    stride: usize,
}

impl Default for Grids {
    fn default() -> Self {
        Self { pictures: Vec::new(), stride: 1 }
    }
}

impl Grids {
    /// Adds the grids of a frame if a picture is due.
    pub(super) fn push(&mut self, frame: usize, world: &World) {
        if frame.is_multiple_of(self.stride) {
            self.add(frame, world);
        }
    }

    /// Adds the grids of a frame.
    pub(super) fn add(&mut self, frame: usize, world: &World) {
        let is_known = self.pictures.last().is_some_and(|last| last.frame == frame);
        if world.grids.is_empty() || !world.arena.is_plane() || is_known {
            return;
        }
        let (sizes, cells) = world.grids.iter().map(cells).unzip();
        self.pictures.push(Picture { frame, sizes, cells });
        if self.pictures.len() > MAX_PICTURES {
            self.stride *= 2;
            let stride = self.stride;
            self.pictures.retain(|picture| picture.frame.is_multiple_of(stride));
        }
    }

    /// Renumbers the frames after every other one was removed. Of pictures in one frame, the last remains.
    pub(super) fn thin(&mut self) {
        self.stride = (self.stride / 2).max(1);
        self.pictures.iter_mut().for_each(|picture| picture.frame = picture.frame.div_ceil(2));
        self.pictures.reverse();
        self.pictures.dedup_by_key(|picture| picture.frame);
        self.pictures.reverse();
    }

    /// Writes the cells; returns the pictures as they are serialized.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) -> &[Picture] {
        for cells in self.pictures.iter().flat_map(|picture| &picture.cells) {
            push_bytes(bytes, cells.iter().copied());
        }
        &self.pictures
    }
}

/// Returns columns and rows of the picture of a grid, and its cells: the square root of the share of the greatest value, as
/// the window draws it.
fn cells(grid: &ScalarGrid) -> ([u32; 2], Vec<u8>) {
    let count = grid.cells();
    let [columns, rows] = [count.x, count.y].map(|along| along.min(MAX_SIDE));
    let mut greatest = vec![0.0_f32; (columns * rows) as usize];
    for (at, value) in (0..).zip(grid.values()) {
        let (x, y) = (at % count.x, at / count.x);
        let cell = &mut greatest[(y * rows / count.y * columns + x * columns / count.x) as usize];
        *cell = cell.max(*value);
    }
    let most = greatest.iter().copied().fold(0.0, f32::max);
    let byte = |value: f32| if most > 0.0 { ((value / most).sqrt() * 255.0).round() as u8 } else { 0 };
    ([columns, rows], greatest.into_iter().map(byte).collect())
}

#[cfg(test)]
mod tests {
    use steerbox_core::world::{Edges, GridRules, testing};

    use super::super::decoded::Reader;
    use super::*;

    fn world(values: impl Fn(usize) -> f32) -> World {
        let arena = testing::plane(240.0, 60.0, Edges::Wrap);
        let rules = GridRules { cell: 1.0, diffusion: 0.0, evaporation: 0.0 };
        let mut grid = ScalarGrid::new("trail", rules, &arena);
        assert!(grid.set_values((0..240 * 60).map(values).collect()));
        World { arena, grids: vec![grid], ..World::default() }
    }

    #[test]
    fn a_picture_has_the_greatest_value_of_the_cells_that_it_covers() {
        let mut grids = Grids::default();
        // The last cell of the second row has a quarter of the greatest value.
        let world = world(|at| {
            if at == 0 {
                4.0
            } else if at == 479 {
                1.0
            } else {
                0.0
            }
        });
        grids.push(0, &world);
        let mut bytes = Vec::new();
        let head = serde_json::to_string(&grids.write(&mut bytes)).expect("it has no maps");
        assert_eq!(head, "[{\"frame\":0,\"sizes\":[[96,60]]}]");
        let cells = &Reader(&bytes).bytes(&[96 * 60])[0];
        assert_eq!((cells[0], cells[2 * 96 - 1]), (255, 128));
        assert_eq!(cells.iter().filter(|value| **value > 0).count(), 2);
    }

    #[test]
    fn a_long_run_has_as_many_pictures_as_a_short_one() {
        let (mut grids, world) = (Grids::default(), world(|_| 1.0));
        for frame in 0..1000 {
            grids.push(frame, &world);
        }
        grids.add(999, &world);
        let frames = |grids: &Grids| grids.pictures.iter().map(|one| one.frame).collect::<Vec<_>>();
        let before = frames(&grids);
        assert!((50..=101).contains(&before.len()), "{before:?}");
        assert!(
            before.windows(2).all(|pair| pair[1] - pair[0] <= 16) && before.last() == Some(&999),
            "{before:?}"
        );
        grids.thin();
        let after = frames(&grids);
        assert!(after.windows(2).all(|pair| pair[0] < pair[1]) && after.last() == Some(&500), "{after:?}");
        grids.add(0, &World::default());
        assert_eq!(frames(&grids), after, "a world without grids");
    }
}
