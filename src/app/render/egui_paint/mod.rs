//! Draws the triangles of egui into a canvas; knows nothing of what the panel shows.
//!
//! The panel is kept as a layer of its own, cut into tiles. What each tile shows is hashed, and only
//! tiles whose hash changed are drawn again: a still panel costs its hashing and its blending.

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

/// Draws what an `egui::Context` puts out, frame after frame.
///
/// ```
/// use steerbox::app::{canvas::Canvas, egui_paint::Painter};
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
    /// The content of the layer, or `None` if it has to be drawn.
    shown: Option<u64>,
}

impl Painter {
    /// A painter that has no textures yet: it must see the output of its context from the start.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lays `primitives`, tessellated at `pixels_per_point`, over the whole of `canvas` after taking
    /// in `textures`.
    ///
    /// The clip of the canvas does not apply. Paint callbacks are left out, and textures end at
    /// their borders instead of repeating.
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

    /// The first half of [`Painter::paint`], for a canvas of a width and height: everything but what needs it.
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

    /// The second half: lays what was prepared over a canvas of the size that was named.
    pub fn lay_over(&self, canvas: &mut Canvas) {
        self.layer.blend_onto(canvas);
    }

    /// Forgets what is drawn, so that the next frame is drawn in full.
    pub fn invalidate(&mut self) {
        self.shown = None;
        self.layer.invalidate();
    }

    /// Brings the layer to the state of `primitives`.
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
