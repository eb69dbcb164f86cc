//! Plots in the colors of a theme and with the window's fonts: as shapes of egui, and on a canvas.

use egui::{Align2, FontId, LayerId, Painter, Pos2, Rect, Shape, Stroke, pos2};
use glam::Vec2;
use steerbox_project::plot::{Chart, Drawing, Ink, Look, draw};

use super::canvas::{Canvas, Mark};
use super::egui_paint;
use super::system_fonts;
use super::theme::{Theme, ThemeName, color32, opaque, palette};

/// Draws a plot of a size in points; `painter` measures its texts.
pub fn drawing(chart: &Chart, size: Vec2, theme: &'static Theme, painter: &Painter) -> Drawing {
    let look = Look {
        text: opaque(theme.text),
        weak: opaque(theme.weak),
        line: opaque(theme.line),
        palette: &palette(theme),
        scale: &|share| theme.world.of_share(share),
    };
    let measure = |text: &str, size: f32| {
        let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(size), theme.text);
        galley.size().x
    };
    draw(chart, size, &look, &measure)
}

/// Paints a drawing in a place of the window.
pub fn paint(painter: &Painter, at: Pos2, drawing: &Drawing) {
    let place = |point: &Vec2| at + egui::vec2(point.x, point.y);
    for ink in &drawing.inks {
        match ink {
            Ink::Area(corners, color) => {
                // A band is not convex: each piece between two points of the upper and the lower edge is.
                let half = corners.len() / 2;
                for at in 1..half {
                    let last = corners.len() - 1;
                    let piece = [at - 1, at, last - at, last - at + 1].map(|at| place(&corners[at]));
                    let mut mesh = egui::Mesh::default();
                    for corner in piece {
                        mesh.colored_vertex(corner, color32(*color));
                    }
                    mesh.add_triangle(0, 1, 2);
                    mesh.add_triangle(0, 2, 3);
                    painter.add(Shape::mesh(mesh));
                }
            }
            Ink::Rect([min, max], color) => {
                painter.rect_filled(Rect::from_min_max(place(min), place(max)), 0.0, color32(*color));
            }
            Ink::Disc(center, radius, color) => {
                painter.circle_filled(place(center), *radius, color32(*color));
            }
            Ink::Path(points, width, color) => {
                let points = points.iter().map(place).collect();
                painter.add(Shape::line(points, Stroke::new(*width, color32(*color))));
            }
            Ink::Text { .. } => write(painter, at, ink),
        }
    }
}

/// Writes a text of a drawing.
fn write(painter: &Painter, origin: Pos2, ink: &Ink) {
    let Ink::Text { at, anchor, size, text, color } = ink else { return };
    let align = match anchor {
        ..0.25 => Align2::LEFT_CENTER,
        ..0.75 => Align2::CENTER_CENTER,
        _ => Align2::RIGHT_CENTER,
    };
    let place = origin + egui::vec2(at.x, at.y);
    painter.text(place, align, text, FontId::proportional(*size), color32(*color));
}

/// A plot in a file.
#[derive(Clone, Copy, Debug)]
pub struct Sheet {
    /// Width and height in points.
    pub size: Vec2,
    /// Pixels per point.
    pub scale: f32,
    /// Its colors.
    pub theme: ThemeName,
}

impl Sheet {
    /// Draws a plot: as pixels, or as shapes for vector graphics.
    pub(crate) fn canvas(&self, chart: &Chart, is_vector: bool) -> Canvas {
        let (size, scale, theme) = (self.size * self.scale, self.scale, self.theme.theme());
        let (width, height) = (size.x.round() as usize, size.y.round() as usize);
        let mut canvas = if is_vector { Canvas::of_marks(width, height) } else { Canvas::new(width, height) };
        canvas.fill_rect(Vec2::ZERO, size, opaque(theme.card));
        let context = egui::Context::default();
        system_fonts::add_to(&context);
        let screen = Rect::from_min_max(Pos2::ZERO, pos2(self.size.x, self.size.y));
        let mut input = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
        if let Some(viewport) = input.viewports.get_mut(&input.viewport_id) {
            viewport.native_pixels_per_point = Some(scale);
        }
        let output = context.run_ui(input, |ui| {
            let painter = ui.ctx().layer_painter(LayerId::background());
            let drawing = drawing(chart, self.size, theme, &painter);
            for ink in &drawing.inks {
                put(&mut canvas, ink, scale);
                if !is_vector {
                    write(&painter, Pos2::ZERO, ink);
                }
            }
        });
        if !is_vector {
            let primitives = context.tessellate(output.shapes, output.pixels_per_point);
            let mut painter = egui_paint::Painter::new();
            painter.paint(&mut canvas, output.textures_delta, &primitives, output.pixels_per_point);
        }
        canvas
    }
}

/// Draws a shape on a canvas; a text only on one of shapes.
fn put(canvas: &mut Canvas, ink: &Ink, scale: f32) {
    let scaled = |points: &[Vec2]| points.iter().map(|point| *point * scale).collect::<Vec<_>>();
    match ink {
        Ink::Area(corners, color) => canvas.fill_polygon(&scaled(corners), *color),
        Ink::Rect([min, max], color) => canvas.fill_rect(*min * scale, *max * scale, *color),
        Ink::Disc(center, radius, color) => canvas.fill_disc(*center * scale, radius * scale, *color),
        Ink::Path(points, width, color) => canvas.stroke_path(&scaled(points), width * scale, *color),
        Ink::Text { at, anchor, size, text, color } => {
            // The middle of capitals is 0.35 of the size above the base line, and that 0.25 above the lower edge.
            let (at, height) = ((*at + Vec2::Y * size * 0.6) * scale, size * scale);
            canvas.mark(|| Mark::Text { at, anchor: *anchor, height, text: text.clone(), color: *color });
        }
    }
}
