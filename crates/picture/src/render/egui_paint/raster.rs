//! Draws one item into one tile. The color of a pixel does not depend on the tile boundaries.

use super::blend::{modulate, over};
use super::items::{Corner, Item, SUBPIXELS, Shape};
use super::textures::{Texture, Textures};
use crate::render::canvas::PixelRect;

/// Width of a tile in pixels.
pub(super) const TILE_WIDTH: usize = 64;
/// Height of a tile in pixels.
pub(super) const TILE_HEIGHT: usize = 32;

/// Draws `item` into the `pixels` of the tile at `tile`, rows of [`TILE_WIDTH`].
pub(super) fn draw(pixels: &mut [u32], tile: PixelRect, item: &Item, textures: &Textures) {
    let part = item.bounds.intersection(tile);
    if part.is_empty() {
        return;
    }
    let mut target = Target { pixels, tile, part };
    match &item.shape {
        Shape::Solid(color) => target.each_row(|_, row| fill(row, *color)),
        Shape::Glyph { tint, texture, offset } => {
            if let Some(texture) = textures.get(*texture) {
                target.glyph(*tint, texture, *offset);
            }
        }
        Shape::Triangle { corners, texture } => {
            let texture = texture.and_then(|id| textures.get(id));
            target.triangle(corners, texture);
        }
    }
}

/// The part of a tile that an item may cover.
struct Target<'a> {
    pixels: &'a mut [u32],
    tile: PixelRect,
    part: PixelRect,
}

impl Target<'_> {
    fn row(&mut self, y: usize, x0: usize, x1: usize) -> &mut [u32] {
        let start = (y - self.tile.y0) * TILE_WIDTH;
        &mut self.pixels[start + x0 - self.tile.x0..start + x1 - self.tile.x0]
    }

    fn each_row(&mut self, mut draw: impl FnMut(usize, &mut [u32])) {
        let PixelRect { x0, x1, y0, y1 } = self.part;
        for y in y0..y1 {
            draw(y, self.row(y, x0, x1));
        }
    }

    fn glyph(&mut self, tint: u32, texture: &Texture, [dx, dy]: [i32; 2]) {
        let left = self.part.x0 as i32 + dx;
        self.each_row(|y, row| {
            let from = y as i32 + dy;
            if let Some(texels) = texture.row(left, from, row.len()) {
                for (pixel, &texel) in row.iter_mut().zip(texels) {
                    if texel != 0 {
                        *pixel = over(*pixel, modulate(texel, tint));
                    }
                }
            } else {
                for (x, pixel) in (left..).zip(row) {
                    *pixel = over(*pixel, modulate(texture.texel(x, from), tint));
                }
            }
        });
    }

    fn triangle(&mut self, corners: &[Corner; 3], texture: Option<&Texture>) {
        let Some(triangle) = Triangle::new(corners) else {
            return;
        };
        let flat = corners.iter().all(|corner| corner.color == corners[0].color);
        let PixelRect { x0, x1, y0, y1 } = self.part;
        for y in y0..y1 {
            let (start, end) = triangle.columns(y, x0, x1);
            if start >= end {
                continue;
            }
            let row = self.row(y, start, end);
            match texture {
                None if flat => fill(row, corners[0].color),
                None => {
                    for (x, pixel) in (start..).zip(row) {
                        *pixel = over(*pixel, triangle.color(x, y));
                    }
                }
                Some(texture) => {
                    for (x, pixel) in (start..).zip(row) {
                        let [u, v] = triangle.texel(x, y);
                        let color = if flat { corners[0].color } else { triangle.color(x, y) };
                        *pixel = over(*pixel, modulate(texture.sample(u, v), color));
                    }
                }
            }
        }
    }
}

fn fill(row: &mut [u32], color: u32) {
    if color >> 24 == 255 {
        row.fill(color);
    } else {
        for pixel in row {
            *pixel = over(*pixel, color);
        }
    }
}

/// A triangle prepared for evaluation per pixel.
struct Triangle {
    /// Inside is `a·x + b·y + c ≥ 0` for every edge, at pixel (x, y).
    edges: [[i64; 3]; 3],
    /// First corner in pixels.
    origin: [f32; 2],
    /// At the first corner, change per pixel of x, change per pixel of y: alpha, red, green, blue.
    color: [[f32; 3]; 4],
    texel: [[f32; 3]; 2],
}

impl Triangle {
    fn new(corners: &[Corner; 3]) -> Option<Self> {
        let [a, b, c] = *corners;
        let (ab, ac) = (minus(b.at, a.at), minus(c.at, a.at));
        let area = ab[0] * ac[1] - ab[1] * ac[0];
        let ring = match area.signum() {
            0 => return None,
            1 => [a, b, c],
            _ => [a, c, b],
        };
        let edges = [(0, 1), (1, 2), (2, 0)].map(|(from, to)| edge(ring[from].at, ring[to].at));
        let pixels = |subpixels: i64| subpixels as f32 / SUBPIXELS as f32;
        let (ab, ac) = (ab.map(pixels), ac.map(pixels));
        let per_area = (ab[0] * ac[1] - ab[1] * ac[0]).recip();
        let plane = |values: [f32; 3]| {
            let (to_b, to_c) = (values[1] - values[0], values[2] - values[0]);
            let by_x = (to_b * ac[1] - to_c * ab[1]) * per_area;
            let by_y = (to_c * ab[0] - to_b * ac[0]) * per_area;
            [values[0], by_x, by_y]
        };
        let channel = |shift: u32| plane(corners.map(|corner| (corner.color >> shift & 255) as f32));
        Some(Self {
            edges,
            origin: a.at.map(pixels),
            color: [channel(24), channel(16), channel(8), channel(0)],
            texel: [0, 1].map(|axis| plane(corners.map(|corner| corner.texel[axis]))),
        })
    }

    /// The columns of row `y`, between `x0` and `x1`, whose centers are inside.
    fn columns(&self, y: usize, x0: usize, x1: usize) -> (usize, usize) {
        let (mut start, mut end) = (x0 as i64, x1 as i64);
        for [a, b, c] in self.edges {
            let at_zero = b * y as i64 + c;
            if a > 0 {
                start = start.max((-at_zero).div_euclid(a) + i64::from((-at_zero).rem_euclid(a) != 0));
            } else if a < 0 {
                end = end.min(at_zero.div_euclid(-a) + 1);
            } else if at_zero < 0 {
                return (0, 0);
            }
        }
        (start as usize, end.max(start) as usize)
    }

    fn color(&self, x: usize, y: usize) -> u32 {
        let [dx, dy] = self.offset(x, y);
        let channels = self.color.map(|[start, by_x, by_y]| {
            // Between 0 and 255 inside; the cast clamps rounding errors.
            (start + by_x * dx + by_y * dy + 0.5) as u8
        });
        u32::from_be_bytes(channels)
    }

    fn texel(&self, x: usize, y: usize) -> [f32; 2] {
        let [dx, dy] = self.offset(x, y);
        self.texel.map(|[start, by_x, by_y]| start + by_x * dx + by_y * dy)
    }

    fn offset(&self, x: usize, y: usize) -> [f32; 2] {
        [x as f32 + 0.5 - self.origin[0], y as f32 + 0.5 - self.origin[1]]
    }
}

fn minus(a: [i64; 2], b: [i64; 2]) -> [i64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

/// The edge from `from` to `to` as a function of whole pixels, at least 0 inside. A pixel whose
/// center lies on the edge belongs to the triangle that has it as its left or top edge.
fn edge(from: [i64; 2], to: [i64; 2]) -> [i64; 3] {
    let [dx, dy] = minus(to, from);
    let (a, b) = (-dy, dx);
    let center = SUBPIXELS / 2;
    let at_first = a * (center - from[0]) + b * (center - from[1]);
    let owns_border = dy < 0 || (dy == 0 && dx > 0);
    [a * SUBPIXELS, b * SUBPIXELS, at_first - i64::from(!owns_border)]
}
