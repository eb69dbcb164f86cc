//! Decomposes meshes into the items of the rasterizer: plain rectangles, glyphs, and triangles.

use egui::epaint::Vertex;
use egui::{Mesh, Rect, TextureId};

use super::blend::{modulate, pack};
use super::scan::Hash;
use super::textures::{Texture, Textures};
use crate::render::canvas::PixelRect;

/// Vertices farther out than this many pixels are moved to this distance.
const MAX_COORDINATE: f32 = 1.0e6;
/// Largest offset of a glyph from the pixel grid, pixels, at which its texels are copied without filtering.
const ON_GRID: f32 = 0.02;

/// Subpixel positions per pixel.
pub(super) const SUBPIXELS: i64 = 256;

/// One item to draw, within the pixels `bounds`.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) bounds: PixelRect,
    pub(super) hash: u64,
    pub(super) shape: Shape,
}

/// The fill of an item's bounds.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// A single color.
    Solid(u32),
    /// Texels copied one to one and tinted: pixel (x, y) shows the texel (x, y) + `offset`.
    Glyph { tint: u32, texture: TextureId, offset: [i32; 2] },
    /// The part inside the triangle of these corners.
    Triangle { corners: [Corner; 3], texture: Option<TextureId> },
}

/// A corner of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    /// Position in 256ths of a pixel.
    pub(super) at: [i64; 2],
    /// Position in the texture, in texels.
    pub(super) texel: [f32; 2],
    /// Premultiplied `0xAARRGGBB`.
    pub(super) color: u32,
}

/// Collects the items of one frame.
#[derive(Default)]
pub(super) struct Collector {
    items: Vec<Item>,
    screen: PixelRect,
    scale: f32,
}

impl Collector {
    pub(super) fn start(&mut self, width: usize, height: usize, pixels_per_point: f32) {
        self.items.clear();
        self.screen = PixelRect { x0: 0, y0: 0, x1: width, y1: height };
        self.scale = pixels_per_point;
    }

    pub(super) fn items(&self) -> &[Item] {
        &self.items
    }

    pub(super) fn add(&mut self, mesh: &Mesh, clip: Rect, textures: &Textures) {
        let clip = self.clip(clip);
        let Some(texture) = textures.get(mesh.texture_id).filter(|_| !clip.is_empty()) else {
            return;
        };
        let source = Source { id: mesh.texture_id, texture, version: textures.version(mesh.texture_id) };
        let mut rest = mesh.indices.as_slice();
        loop {
            if let Some((six, behind)) = rest.split_first_chunk::<6>()
                && let Some(quad) = quad(mesh, *six)
                && self.add_quad(quad, clip, &source)
            {
                rest = behind;
            } else if let Some((three, behind)) = rest.split_first_chunk::<3>() {
                let corners = three.map(|index| mesh.vertices.get(index as usize));
                if let [Some(a), Some(b), Some(c)] = corners {
                    self.add_triangle([a, b, c], clip, &source);
                }
                rest = behind;
            } else {
                return;
            }
        }
    }

    /// egui rounds clip rectangles to whole pixels.
    fn clip(&self, clip: Rect) -> PixelRect {
        let pixel = |points: f32| (points * self.scale).round() as usize;
        let rect = PixelRect {
            x0: pixel(clip.min.x),
            y0: pixel(clip.min.y),
            x1: pixel(clip.max.x),
            y1: pixel(clip.max.y),
        };
        rect.intersection(self.screen)
    }

    fn fixed(&self, points: f32) -> i64 {
        let pixels = (points * self.scale).clamp(-MAX_COORDINATE, MAX_COORDINATE);
        let subpixels = pixels * SUBPIXELS as f32;
        (subpixels + 0.5_f32.copysign(subpixels)) as i64
    }

    /// Adds a rectangle of one color, plain or a glyph on the grid; returns false for any other shape.
    fn add_quad(&mut self, [min, max]: [&Vertex; 2], clip: PixelRect, source: &Source<'_>) -> bool {
        let bounds = PixelRect {
            x0: first_pixel(self.fixed(min.pos.x)),
            y0: first_pixel(self.fixed(min.pos.y)),
            x1: first_pixel(self.fixed(max.pos.x)),
            y1: first_pixel(self.fixed(max.pos.y)),
        };
        let shape = if min.uv == max.uv {
            let [u, v] = source.texels(min);
            let texel = source.texture.texel(u as i32, v as i32);
            Shape::Solid(modulate(texel, pack(min.color)))
        } else if let Some(offset) = self.on_grid([min, max], source) {
            Shape::Glyph { tint: pack(min.color), texture: source.id, offset }
        } else {
            return false;
        };
        self.push(bounds.intersection(clip), shape, source.version);
        true
    }

    /// The offset from pixels to texels, if they are aligned.
    fn on_grid(&self, [min, max]: [&Vertex; 2], source: &Source<'_>) -> Option<[i32; 2]> {
        let (start, end) = (source.texels(min), source.texels(max));
        let axis = |axis: usize, from: f32, to: f32| {
            let (from, to) = (from * self.scale, to * self.scale);
            let offset = start[axis] - from;
            let same_size = ((end[axis] - start[axis]) - (to - from)).abs() < ON_GRID;
            (same_size && (offset - offset.round()).abs() < ON_GRID).then_some(offset.round() as i32)
        };
        Some([axis(0, min.pos.x, max.pos.x)?, axis(1, min.pos.y, max.pos.y)?])
    }

    fn add_triangle(&mut self, vertices: [&Vertex; 3], clip: PixelRect, source: &Source<'_>) {
        if vertices.iter().any(|vertex| vertex.pos.any_nan() || vertex.uv.any_nan()) {
            return;
        }
        let plain = vertices.iter().all(|vertex| vertex.uv == vertices[0].uv);
        let corners = vertices.map(|vertex| {
            let texel = source.texels(vertex);
            let color = pack(vertex.color);
            let tint = if plain { source.texture.texel(texel[0] as i32, texel[1] as i32) } else { u32::MAX };
            Corner {
                at: [self.fixed(vertex.pos.x), self.fixed(vertex.pos.y)],
                texel,
                color: modulate(tint, color),
            }
        });
        let least = |axis: usize| corners.iter().map(|corner| corner.at[axis]).min().unwrap_or(0);
        let most = |axis: usize| corners.iter().map(|corner| corner.at[axis]).max().unwrap_or(0);
        let bounds = PixelRect {
            x0: first_pixel(least(0)),
            y0: first_pixel(least(1)),
            x1: first_pixel(most(0) + 1),
            y1: first_pixel(most(1) + 1),
        };
        let texture = (!plain).then_some(source.id);
        self.push(bounds.intersection(clip), Shape::Triangle { corners, texture }, source.version);
    }

    fn push(&mut self, bounds: PixelRect, shape: Shape, version: u64) {
        if bounds.is_empty() || shape.is_invisible() {
            return;
        }
        let hash = shape.hash(bounds, version);
        self.items.push(Item { bounds, hash, shape });
    }
}

impl Shape {
    fn is_invisible(&self) -> bool {
        match self {
            Self::Solid(color) => *color == 0,
            Self::Glyph { tint, .. } => *tint == 0,
            Self::Triangle { corners, .. } => corners.iter().all(|corner| corner.color == 0),
        }
    }

    fn hash(&self, bounds: PixelRect, version: u64) -> u64 {
        let mut hash = Hash::new();
        // Hashing time is proportional to the number of words: small values are packed into one.
        let PixelRect { x0, y0, x1, y1 } = bounds;
        hash.add((x0 as u64) << 48 | (y0 as u64) << 32 | (x1 as u64) << 16 | y1 as u64);
        match self {
            Self::Solid(color) => hash.add(u64::from(*color)),
            Self::Glyph { tint, offset, .. } => {
                hash.add(version << 32 | u64::from(*tint));
                hash.add((offset[0] as u64) << 32 | offset[1] as u64 & 0xffff_ffff);
            }
            Self::Triangle { corners, texture } => {
                let [a, b, c] = corners.map(|corner| u64::from(corner.color));
                hash.add(a << 32 | b);
                hash.add(if texture.is_some() { version << 32 | c } else { c });
                for corner in corners {
                    hash.add((corner.at[0] as u64) << 32 | corner.at[1] as u64 & 0xffff_ffff);
                    if texture.is_some() {
                        hash.add_pair(corner.texel[0], corner.texel[1]);
                    }
                }
            }
        }
        hash.end()
    }
}

/// The texture of a mesh.
struct Source<'a> {
    id: TextureId,
    texture: &'a Texture,
    version: u64,
}

impl Source<'_> {
    fn texels(&self, vertex: &Vertex) -> [f32; 2] {
        let [width, height] = self.texture.size();
        [vertex.uv.x * width, vertex.uv.y * height]
    }
}

/// The first pixel whose center is at or behind `position`, in 256ths.
fn first_pixel(position: i64) -> usize {
    (position + SUBPIXELS / 2 - 1).div_euclid(SUBPIXELS).max(0) as usize
}

/// The top left and bottom right corners, if two triangles form an axis-aligned rectangle of one color
/// whose texture, if any, is axis-aligned too.
fn quad(mesh: &Mesh, six: [u32; 6]) -> Option<[&Vertex; 2]> {
    let [a, b, c, d, e, f] = six;
    // egui splits rectangles in two ways: rows (glyphs) and fans (paths).
    let (corners, ring) = if [d, e] == [c, b] {
        ([a, b, c, f], false)
    } else if [d, e] == [a, c] {
        ([a, b, c, f], true)
    } else {
        return None;
    };
    let vertex = |index: u32| mesh.vertices.get(index as usize);
    let [p, q, r, s] = corners.map(vertex);
    let (p, q, r, s) = if ring { (p?, q?, s?, r?) } else { (p?, q?, r?, s?) };
    let same_color = p.color == q.color && p.color == r.color && p.color == s.color;
    let upright = |at: fn(&Vertex) -> egui::Pos2| {
        let [p, q, r, s] = [p, q, r, s].map(at);
        let rows = p.y == q.y && r.y == s.y && p.x == r.x && q.x == s.x;
        let columns = p.x == q.x && r.x == s.x && p.y == r.y && q.y == s.y;
        rows || columns
    };
    let sound = same_color && upright(|vertex| vertex.pos) && upright(|vertex| vertex.uv);
    let (min, max) = if p.pos.x <= s.pos.x { (p, s) } else { (s, p) };
    (sound && min.pos.x <= max.pos.x && min.pos.y <= max.pos.y).then_some([min, max])
}
