//! Draws the triangles of egui into a canvas; independent of the content of the panel.
//!
//! The panel is stored as a layer, divided into tiles. The content of each tile is hashed, and only
//! tiles whose hash changed are redrawn: an unchanged panel costs only hashing and blending.

mod blend;
mod items;
mod layer;
mod raster;
mod scan;
mod textures;

use egui::{ClippedPrimitive, TexturesDelta, epaint::Primitive};

use super::canvas::Canvas;
use items::Collector;
use layer::Layer;
use textures::Textures;

/// Draws the output of an `egui::Context`, frame after frame.
///
/// ```
/// use steerbox_picture::render::{canvas::Canvas, egui_paint::Painter};
///
/// let context = egui::Context::default();
/// let (mut canvas, mut painter) = (Canvas::new(200, 100), Painter::new());
/// let output = context.run_ui(egui::RawInput::default(), |ui| {
///     ui.label("Hello");
/// });
/// let scale = output.pixels_per_point;
/// let primitives = context.tessellate(output.shapes, scale);
/// painter.paint(&mut canvas, output.textures_delta, &primitives, scale);
/// ```
#[derive(Default)]
pub struct Painter {
    textures: Textures,
    layer: Layer,
    collector: Collector,
    /// The hash of the layer's content; `None` if it must be redrawn.
    shown: Option<u64>,
}

impl Painter {
    /// A painter without textures: it must receive the output of its context from the first frame on.
    pub fn new() -> Self {
        Self::default()
    }

    /// Draws `primitives`, tessellated at `pixels_per_point`, over the whole of `canvas` after applying
    /// `textures`.
    ///
    /// The clip of the canvas does not apply. Paint callbacks are skipped, and textures are clamped at
    /// their borders instead of repeated.
    pub fn paint(
        &mut self,
        canvas: &mut Canvas,
        textures: TexturesDelta,
        primitives: &[ClippedPrimitive],
        pixels_per_point: f32,
    ) {
        self.prepare((canvas.width(), canvas.height()), textures, primitives, pixels_per_point);
        self.lay_over(canvas);
    }

    /// The first half of [`Painter::paint`], for a canvas of this size: all work that does not need the canvas itself.
    pub fn prepare(
        &mut self,
        (width, height): (usize, usize),
        mut textures: TexturesDelta,
        primitives: &[ClippedPrimitive],
        pixels_per_point: f32,
    ) {
        self.textures.set(&mut textures);
        self.update((width, height), primitives, pixels_per_point);
        self.textures.free(&mut textures);
    }

    /// The second half: blends the prepared layer over a canvas of the prepared size.
    pub fn lay_over(&self, canvas: &mut Canvas) {
        self.layer.blend_onto(canvas);
    }

    /// Discards the layer, so that the next frame is drawn in full.
    pub fn invalidate(&mut self) {
        self.shown = None;
        self.layer.invalidate();
    }

    /// Updates the layer to `primitives`.
    fn update(&mut self, (width, height): (usize, usize), primitives: &[ClippedPrimitive], scale: f32) {
        if self.layer.resize(width, height) {
            self.shown = None;
        }
        let hash = self.hash(primitives, scale);
        if self.shown == Some(hash) {
            return;
        }
        self.collector.start(width, height, scale);
        for primitive in primitives {
            if let Primitive::Mesh(mesh) = &primitive.primitive {
                self.collector.add(mesh, primitive.clip_rect, &self.textures);
            }
        }
        self.layer.draw(self.collector.items(), &self.textures);
        self.shown = Some(hash);
    }

    fn hash(&self, primitives: &[ClippedPrimitive], scale: f32) -> u64 {
        let mut hash = scan::Hash::new();
        hash.add(u64::from(scale.to_bits()));
        for primitive in primitives {
            if let Primitive::Mesh(mesh) = &primitive.primitive {
                hash.add_pair(primitive.clip_rect.min.x, primitive.clip_rect.min.y);
                hash.add_pair(primitive.clip_rect.max.x, primitive.clip_rect.max.y);
                hash.add(self.textures.version(mesh.texture_id));
                hash.add_mesh(mesh);
            }
        }
        hash.end()
    }
}

#[cfg(test)]
mod tests;
