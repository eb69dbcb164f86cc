//! The panel as a layer of tiles; a tile is redrawn only when its content has changed.

use rayon::prelude::*;

use super::blend::over;
use super::items::Item;
use super::raster::{self, TILE_HEIGHT, TILE_WIDTH};
use super::scan::Hash;
use super::textures::Textures;
use crate::render::canvas::{Canvas, PixelRect};

/// Below this number of tiles, drawing uses the calling thread only.
const WORTH_SHARING: usize = 24;

/// The part of a row of a tile that has content.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    start: usize,
    end: usize,
    /// True if it is opaque.
    is_opaque: bool,
}

impl Span {
    fn new(row: &[u32]) -> Self {
        let start = row.iter().position(|pixel| *pixel != 0).unwrap_or(row.len());
        let end = row.iter().rposition(|pixel| *pixel != 0).map_or(start, |last| last + 1);
        let is_opaque = row[start..end].iter().all(|pixel| pixel >> 24 == 255);
        Self { start, end, is_opaque }
    }
}

/// A tile of the layer.
#[derive(Default)]
struct Tile {
    bounds: PixelRect,
    /// Hash of the content; `None` without content.
    shown: Option<u64>,
    /// Items that intersect this tile, in drawing order.
    items: Vec<u32>,
    pixels: Vec<u32>,
    /// One span per row; empty where nothing is drawn.
    spans: Vec<Span>,
}

/// The whole panel, premultiplied.
#[derive(Default)]
pub(super) struct Layer {
    width: usize,
    height: usize,
    columns: usize,
    tiles: Vec<Tile>,
}

impl Layer {
    /// Resizes the layer to the canvas, in pixels. Returns true if that cleared it.
    pub(super) fn resize(&mut self, width: usize, height: usize) -> bool {
        if (width, height) == (self.width, self.height) {
            return false;
        }
        (self.width, self.height) = (width, height);
        self.columns = width.div_ceil(TILE_WIDTH);
        let rows = height.div_ceil(TILE_HEIGHT);
        self.tiles.clear();
        for index in 0..self.columns * rows {
            let (x0, y0) = (index % self.columns * TILE_WIDTH, index / self.columns * TILE_HEIGHT);
            let (x1, y1) = ((x0 + TILE_WIDTH).min(width), (y0 + TILE_HEIGHT).min(height));
            let bounds = PixelRect { x0, y0, x1, y1 };
            self.tiles.push(Tile { bounds, ..Tile::default() });
        }
        true
    }

    /// Marks every tile as changed for the next frame.
    pub(super) fn invalidate(&mut self) {
        for tile in &mut self.tiles {
            tile.shown = None;
        }
    }

    /// Updates the layer to `items`: redraws the tiles whose content differs.
    pub(super) fn draw(&mut self, items: &[Item], textures: &Textures) {
        self.share_out(items);
        let mut changed: Vec<_> = self.tiles.iter_mut().filter_map(|tile| tile.claim(items)).collect();
        if changed.len() < WORTH_SHARING {
            for tile in &mut changed {
                tile.draw(items, textures);
            }
        } else {
            changed.par_iter_mut().for_each(|tile| tile.draw(items, textures));
        }
    }

    /// Blends the layer over `canvas`, which has its size.
    pub(super) fn blend_onto(&self, canvas: &mut Canvas) {
        let width = self.width;
        let pixels = canvas.pixels_mut();
        for tile in &self.tiles {
            let PixelRect { x0, y0, .. } = tile.bounds;
            for ((y, from), span) in (y0..).zip(tile.pixels.chunks(TILE_WIDTH)).zip(&tile.spans) {
                let row = &mut pixels[y * width + x0..][span.start..span.end];
                let from = &from[span.start..span.end];
                if span.is_opaque {
                    for (target, source) in row.iter_mut().zip(from) {
                        *target = source & 0x00ff_ffff;
                    }
                } else {
                    for (target, &source) in row.iter_mut().zip(from) {
                        // Most pixels are opaque or empty, in long runs.
                        if source >> 24 == 255 {
                            *target = source & 0x00ff_ffff;
                        } else if source != 0 {
                            *target = over(*target, source) & 0x00ff_ffff;
                        }
                    }
                }
            }
        }
    }

    /// Assigns each item to the tiles that it intersects.
    fn share_out(&mut self, items: &[Item]) {
        for tile in &mut self.tiles {
            tile.items.clear();
        }
        for (index, item) in items.iter().enumerate() {
            let PixelRect { x0, x1, y0, y1 } = item.bounds;
            for row in y0 / TILE_HEIGHT..y1.div_ceil(TILE_HEIGHT) {
                let start = row * self.columns;
                for tile in start + x0 / TILE_WIDTH..start + x1.div_ceil(TILE_WIDTH) {
                    self.tiles[tile].items.push(index as u32);
                }
            }
        }
    }
}

impl Tile {
    /// This tile, if its content differs from that of `items`.
    fn claim(&mut self, items: &[Item]) -> Option<&mut Self> {
        let mut hash = Hash::new();
        for &index in &self.items {
            hash.add(items[index as usize].hash);
        }
        let hash = Some(hash.end());
        (self.shown != hash).then(|| {
            self.shown = hash;
            self
        })
    }

    fn draw(&mut self, items: &[Item], textures: &Textures) {
        self.pixels.clear();
        self.spans.clear();
        if self.items.is_empty() {
            return;
        }
        self.pixels.resize(TILE_WIDTH * TILE_HEIGHT, 0);
        for &index in &self.items {
            raster::draw(&mut self.pixels, self.bounds, &items[index as usize], textures);
        }
        let PixelRect { x0, x1, y0, y1 } = self.bounds;
        let rows = self.pixels.chunks(TILE_WIDTH).take(y1 - y0);
        self.spans.extend(rows.map(|row| Span::new(&row[..x1 - x0])));
    }
}
