//! The panel in pixels: full and incremental frames, and the fill rules of single triangles.

use egui::epaint::{ColorImage, ImageDelta, Mesh, Primitive, Vertex, WHITE_UV};
use egui::{
    ClippedPrimitive, Color32, Context, Event, Pos2, RawInput, Rect, TextureId, TextureOptions,
    TexturesDelta, pos2, vec2,
};

use super::Painter;
use crate::render::canvas::{Canvas, Color};

const SIZE: usize = 40;

fn white() -> TexturesDelta {
    textures(ColorImage::filled([1, 1], Color32::WHITE))
}

fn textures(image: ColorImage) -> TexturesDelta {
    let mut delta = TexturesDelta::default();
    delta.push(TextureId::default(), ImageDelta::full(image, TextureOptions::LINEAR));
    delta
}

fn vertex(x: f32, y: f32, color: Color32) -> Vertex {
    Vertex { pos: pos2(x, y), uv: WHITE_UV, color }
}

fn clipped(mesh: Mesh, clip: Rect) -> ClippedPrimitive {
    ClippedPrimitive { clip_rect: clip, primitive: Primitive::Mesh(mesh) }
}

fn painted(mesh: Mesh, clip: Rect, textures: TexturesDelta, under: Color) -> Canvas {
    let mut canvas = Canvas::new(SIZE, SIZE);
    canvas.clear(under);
    Painter::new().paint(&mut canvas, textures, &[clipped(mesh, clip)], 1.0);
    canvas
}

fn rect_mesh(rect: Rect, color: Color32) -> Mesh {
    let mut mesh = Mesh::default();
    mesh.add_colored_rect(rect, color);
    mesh
}

#[test]
fn rectangles_fill_the_pixels_whose_centers_they_contain_within_the_clip() {
    let rect = Rect::from_min_max(pos2(3.6, 4.5), pos2(30.0, 20.4));
    let clip = Rect::from_min_max(pos2(0.0, 6.0), pos2(12.0, 100.0));
    let canvas = painted(rect_mesh(rect, Color32::RED), clip, white(), Color::BLACK);
    for y in 0..SIZE {
        for x in 0..SIZE {
            let inside = (4..12).contains(&x) && (6..20).contains(&y);
            let expected = if inside { 0x00ff_0000 } else { 0 };
            assert_eq!(canvas.pixel(x, y), Some(expected), "at {x} {y}");
        }
    }
}

#[test]
fn both_ways_of_drawing_a_rectangle_agree() {
    for step in 0..20 {
        let min = pos2(3.0 + step as f32 * 0.13, 2.0 + step as f32 * 0.29);
        let rect = Rect::from_min_size(min, vec2(7.3, 9.9));
        let color = Color32::from_rgba_unmultiplied(200, 100, 50, 130);
        let fast = rect_mesh(rect, color);
        let mut slow = fast.clone();
        slow.indices = vec![0, 1, 3, 0, 3, 2].into_iter().rev().collect();
        let fast = painted(fast, Rect::EVERYTHING, white(), Color::WHITE);
        let slow = painted(slow, Rect::EVERYTHING, white(), Color::WHITE);
        assert_eq!(fast.pixels(), slow.pixels());
    }
}

#[test]
fn triangles_that_share_edges_cover_every_pixel_once() {
    let half = Color32::from_rgba_premultiplied(100, 0, 0, 100);
    let mut mesh = Mesh::default();
    let center = vertex(20.3, 19.6, half);
    mesh.vertices.push(center);
    for i in 0..9 {
        let angle = i as f32 * std::f32::consts::TAU / 9.0;
        let (sin, cos) = (libm::sinf(angle), libm::cosf(angle));
        mesh.vertices.push(vertex(20.0 + 17.0 * cos, 20.0 + 17.0 * sin, half));
        mesh.indices.extend([0, i + 1, (i + 1) % 9 + 1]);
    }
    let canvas = painted(mesh, Rect::EVERYTHING, white(), Color::BLACK);
    let colors: std::collections::BTreeSet<_> = canvas.pixels().iter().copied().collect();
    assert_eq!(colors.into_iter().collect::<Vec<_>>(), [0, 0x0064_0000]);
}

#[test]
fn texels_on_the_grid_are_copied_and_tinted() {
    let texel = |i: usize| Color32::from_rgba_premultiplied((i * 3) as u8, 9, 7, 255);
    let image = ColorImage::new([8, 8], (0..64).map(texel).collect());
    let uv = Rect::from_min_max(pos2(0.25, 0.5), pos2(0.75, 1.0));
    let rect = Rect::from_min_size(pos2(30.0, 29.0), vec2(4.0, 4.0));
    let draw = |tint, order: [u32; 6]| {
        let mut mesh = Mesh::default();
        mesh.add_rect_with_uv(rect, uv, tint);
        mesh.indices = order.to_vec();
        painted(mesh, Rect::EVERYTHING, textures(image.clone()), Color::BLACK)
    };
    let copied = draw(Color32::WHITE, [0, 1, 2, 2, 1, 3]);
    for (x, y) in [(0, 0), (3, 0), (1, 2), (3, 3)] {
        let [r, g, b, _] = texel((y + 4) * 8 + x + 2).to_array();
        let expected = Color::rgb(r, g, b).packed();
        assert_eq!(copied.pixel(30 + x, 29 + y), Some(expected));
    }
    let sampled = draw(Color32::WHITE, [1, 0, 2, 3, 1, 2]);
    assert_eq!(copied.pixels(), sampled.pixels());
    let tinted = draw(Color32::from_rgb(0, 255, 0), [0, 1, 2, 2, 1, 3]);
    assert_eq!(tinted.pixel(31, 30), Some(0x0000_0900));
}

#[test]
fn additive_colors_brighten_the_world_below() {
    let rect = Rect::from_min_size(Pos2::ZERO, vec2(5.0, 5.0));
    let glow = Color32::from_rgba_premultiplied(10, 20, 250, 0);
    let canvas = painted(rect_mesh(rect, glow), Rect::EVERYTHING, white(), Color::rgb(1, 2, 30));
    assert_eq!(canvas.pixel(2, 2), Some(0x000b_16ff));
}

#[test]
fn wild_meshes_are_survived() {
    let wild = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.0e30, -1.0e30, 0.0, 17.0];
    let mut mesh = Mesh::default();
    for (i, &x) in wild.iter().enumerate() {
        for &y in &wild {
            mesh.vertices.push(Vertex { uv: pos2(y, x), ..vertex(x, y, Color32::RED) });
        }
        mesh.indices.extend([0, i as u32 * 3 + 1, 48 - i as u32, 48, 7, 1000]);
    }
    let everywhere = Rect::from_min_max(pos2(f32::NAN, -1.0e30), pos2(1.0e30, f32::INFINITY));
    painted(mesh.clone(), everywhere, white(), Color::BLACK);
    painted(mesh, Rect::NOTHING, white(), Color::BLACK);
}

/// Two painters over the same frames: one reuses its layer, the other starts anew each time.
struct Pair {
    context: Context,
    kept: Painter,
    fresh: Painter,
}

impl Pair {
    fn frame(&mut self, size: (usize, usize), scale: f32, events: Vec<Event>, frame: usize) {
        let mut input = RawInput { events, time: Some(frame as f64 / 60.0), ..RawInput::default() };
        let points = vec2(size.0 as f32, size.1 as f32) / scale;
        input.screen_rect = Some(Rect::from_min_size(Pos2::ZERO, points));
        self.context.set_pixels_per_point(scale);
        let output = self.context.run_ui(input, |ui| panel(ui, frame));
        let primitives = self.context.tessellate(output.shapes, output.pixels_per_point);
        let scale = output.pixels_per_point;
        let mut world = Canvas::new(size.0, size.1);
        world.fill_gradient(Color::rgb(10, 20, frame as u8), Color::rgb(40, 50, 60));
        let mut other = world.clone();
        let textures = output.textures_delta;
        self.kept.paint(&mut world, textures.clone(), &primitives, scale);
        self.fresh.invalidate();
        self.fresh.paint(&mut other, textures, &primitives, scale);
        assert!(world.pixels() == other.pixels(), "frame {frame} differs");
    }
}

fn panel(ui: &mut egui::Ui, frame: usize) {
    egui::Panel::left("side").show(ui, |ui| {
        let mut value = frame as f32;
        ui.heading("Steering");
        ui.add(egui::Slider::new(&mut value, 0.0..=40.0).text("distance"));
        ui.collapsing("more", |ui| ui.label(format!("frame {frame} äöü")));
        for line in 0..frame {
            ui.monospace(format!("line {line}"));
        }
        let _ = ui.button("Reset");
    });
    if frame > 6 {
        egui::Window::new("Floating").show(ui.ctx(), |ui| ui.label("over the world"));
    }
}

#[test]
fn redrawing_damaged_tiles_equals_a_full_redraw() {
    let (kept, fresh) = (Painter::new(), Painter::new());
    let mut pair = Pair { context: Context::default(), kept, fresh };
    for frame in 0..12 {
        let pointer = pos2(30.0 + frame as f32 * 4.0, 40.0);
        pair.frame((300, 220), 1.0, vec![Event::PointerMoved(pointer)], frame);
    }
    pair.frame((300, 220), 1.0, vec![], 11);
    pair.frame((371, 203), 1.0, vec![], 11);
    pair.frame((371, 203), 1.5, vec![], 12);
    pair.frame((0, 0), 1.5, vec![], 13);
    pair.frame((90, 333), 2.0, vec![], 14);
}
