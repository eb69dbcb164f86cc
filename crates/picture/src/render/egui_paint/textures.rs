//! The textures of a context as packed pixels, updated from its deltas.

use std::collections::BTreeMap;

use egui::epaint::{ImageData, ImageDelta};
use egui::{TextureFilter, TextureId, TexturesDelta};

use super::blend::pack;

/// One texture: premultiplied `0xAARRGGBB`, row after row.
#[derive(Default)]
pub(super) struct Texture {
    width: usize,
    height: usize,
    pixels: Vec<u32>,
    nearest: bool,
    version: u64,
}

impl Texture {
    /// Width and height in texels.
    pub(super) fn size(&self) -> [f32; 2] {
        [self.width as f32, self.height as f32]
    }

    /// The texel in column `x` and row `y`, clamped to the border.
    #[inline]
    pub(super) fn texel(&self, x: i32, y: i32) -> u32 {
        let x = (x.max(0) as usize).min(self.width.saturating_sub(1));
        let y = (y.max(0) as usize).min(self.height.saturating_sub(1));
        self.pixels.get(y * self.width + x).copied().unwrap_or(0)
    }

    /// The texels of row `y` from column `x` on, if they exist.
    pub(super) fn row(&self, x: i32, y: i32, length: usize) -> Option<&[u32]> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        let start = (x + length <= self.width).then_some(y * self.width + x)?;
        self.pixels.get(start..start + length)
    }

    /// The color at `u`, `v` in texels, with the filter of the texture.
    pub(super) fn sample(&self, u: f32, v: f32) -> u32 {
        if self.nearest {
            return self.texel(u.floor() as i32, v.floor() as i32);
        }
        let (u, v) = (u - 0.5, v - 0.5);
        let (x, y) = (u.floor(), v.floor());
        // In 256ths, so that centers of texels are exact.
        let share_x = ((u - x) * 256.0 + 0.5) as u32;
        let share_y = ((v - y) * 256.0 + 0.5) as u32;
        let (x, y) = (x as i32, y as i32);
        let texel = |dx, dy| self.texel(x.saturating_add(dx), y.saturating_add(dy));
        let top = mix(texel(0, 0), texel(1, 0), share_x);
        let bottom = mix(texel(0, 1), texel(1, 1), share_x);
        mix(top, bottom, share_y)
    }

    fn apply(&mut self, delta: &ImageDelta) {
        let ImageData::Color(image) = &delta.image;
        self.nearest = delta.options.magnification == TextureFilter::Nearest;
        let [width, height] = image.size;
        let pixels = image.pixels.iter().map(|&color| pack(color));
        let Some([left, top]) = delta.pos else {
            (self.width, self.height) = (width, height);
            self.pixels = pixels.collect();
            return;
        };
        let fits = left + width <= self.width && top + height <= self.height;
        if !fits || width == 0 {
            return;
        }
        let mut pixels = pixels;
        for row in self.pixels.chunks_mut(self.width).skip(top).take(height) {
            for (target, source) in row[left..left + width].iter_mut().zip(&mut pixels) {
                *target = source;
            }
        }
    }
}

/// Interpolates from `a` to `b` by `share` of 256.
#[inline]
fn mix(a: u32, b: u32, share: u32) -> u32 {
    if a == b {
        return a;
    }
    let lanes = |shift: u32| {
        let (a, b) = (a >> shift & 0x00ff_00ff, b >> shift & 0x00ff_00ff);
        ((a * (256 - share) + b * share + 0x0080_0080) >> 8 & 0x00ff_00ff) << shift
    };
    lanes(0) | lanes(8)
}

/// All textures by their id.
#[derive(Default)]
pub(super) struct Textures {
    all: BTreeMap<TextureId, Texture>,
    changes: u64,
}

impl Textures {
    pub(super) fn get(&self, id: TextureId) -> Option<&Texture> {
        self.all.get(&id)
    }

    /// A version that differs between any two states of any texture; 0 for a missing one.
    pub(super) fn version(&self, id: TextureId) -> u64 {
        self.all.get(&id).map_or(0, |texture| texture.version)
    }

    /// Applies new and changed textures, before drawing.
    pub(super) fn set(&mut self, delta: &mut TexturesDelta) {
        #[allow(clippy::disallowed_methods, reason = "put in order at once")]
        let set: BTreeMap<_, _> = delta.set.drain().collect();
        for (id, changes) in set {
            for change in &changes {
                self.changes += 1;
                let texture = self.all.entry(id).or_default();
                texture.apply(change);
                texture.version = self.changes;
            }
        }
    }

    /// Drops unused textures, after drawing.
    pub(super) fn free(&mut self, delta: &mut TexturesDelta) {
        self.all.retain(|id, _| !delta.free.contains(id));
        delta.free.clear();
    }
}
