//! A drawing of the last state as SVG, from the same shapes as the pixels.

use std::fmt::Write as _;
use std::io::Write as _;

use glam::Vec2;
use steerbox_core::diagnostics::printable;
use steerbox_project::reload::Pending;
use steerbox_scene::Color;

use super::bar::Bar;
use super::encoder::Encoder;
use super::error::RecordError;
use super::shot::Shot;
use crate::render::canvas::{Canvas, Mark, PixelRect};

/// An SVG file.
pub(super) struct Svg {
    file: Pending,
}

impl Svg {
    pub(super) fn new(file: Pending) -> Self {
        Self { file }
    }
}

impl Encoder for Svg {
    fn frame(&mut self, shot: &Shot<'_>) -> Result<(), RecordError> {
        let (width, height) = shot.options.size();
        let mut canvas = Canvas::of_marks(width, height);
        shot.draw(&mut canvas, &mut Bar::default());
        let text = document(&canvas, shot.options.picture.transparent);
        Ok(self.file.write_all(text.as_bytes())?)
    }

    fn finish(self: Box<Self>) -> Result<Pending, RecordError> {
        Ok(self.file)
    }
}

/// Returns the shapes of a canvas as a document; without its background if that is transparent.
pub(super) fn document(canvas: &Canvas, is_transparent: bool) -> String {
    let (width, height) = (canvas.width(), canvas.height());
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n"
    );
    let mut writer = Writer { text: &mut text, clips: 0, is_open: false, height: height as f32 };
    let whole = PixelRect { x0: 0, y0: 0, x1: width, y1: height };
    for mark in canvas.marks() {
        match mark {
            Mark::Gradient(_) if is_transparent => {}
            Mark::Clip(clip) => writer.clip(*clip, *clip == whole),
            mark => writer.mark(mark),
        }
    }
    writer.close();
    text.push_str("</svg>\n");
    text
}

/// Writes shapes as elements.
struct Writer<'a> {
    text: &'a mut String,
    clips: usize,
    /// True within the group of a clip.
    is_open: bool,
    height: f32,
}

impl Writer<'_> {
    fn close(&mut self) {
        if std::mem::take(&mut self.is_open) {
            self.text.push_str("</g>\n");
        }
    }

    fn clip(&mut self, clip: PixelRect, is_whole: bool) {
        self.close();
        if is_whole {
            return;
        }
        let PixelRect { x0, y0, x1, y1 } = clip;
        let (number, width, height) = (self.clips, x1.saturating_sub(x0), y1.saturating_sub(y0));
        self.add(format_args!(
            "<clipPath id=\"clip{number}\"><rect x=\"{x0}\" y=\"{y0}\" width=\"{width}\" height=\"{height}\"/></clipPath>\n\
             <g clip-path=\"url(#clip{number})\">\n"
        ));
        self.clips += 1;
        self.is_open = true;
    }

    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.text.write_fmt(element);
    }

    fn mark(&mut self, mark: &Mark) {
        match mark {
            Mark::Gradient(colors) => self.gradient(*colors),
            Mark::Polygon(corners, color) => self.polygon(corners, *color),
            Mark::Rect([min, max], color) if min.is_finite() && max.is_finite() => {
                let size = (*max - *min).max(Vec2::ZERO);
                let (x, y, width, height) = (Number(min.x), Number(min.y), Number(size.x), Number(size.y));
                let fill = Paint("fill", *color);
                self.add(format_args!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{fill}/>\n"
                ));
            }
            Mark::Disc { center, radius, color } if center.is_finite() => {
                let (x, y, r, fill) =
                    (Number(center.x), Number(center.y), Number(*radius), Paint("fill", *color));
                self.add(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"{fill}/>\n"));
            }
            Mark::Circle { center, radius, width, color } if center.is_finite() => {
                let (x, y, r, width) = (Number(center.x), Number(center.y), Number(*radius), Number(*width));
                let stroke = Paint("stroke", *color);
                self.add(format_args!(
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"none\" stroke-width=\"{width}\"{stroke}/>\n"
                ));
            }
            Mark::Line { ends: [from, to], width, color } if from.is_finite() && to.is_finite() => {
                self.line([*from, *to], *width, *color);
            }
            Mark::Trail { points, width, taper, color } => {
                for pair in points.windows(2) {
                    let share = (pair[0].1 + pair[1].1) * 0.5;
                    let width = width * (1.0 - taper * (1.0 - share));
                    self.line([pair[0].0, pair[1].0], width, color.with_alpha(share));
                }
            }
            Mark::Path { points, width, color } => self.path(points, *width, *color),
            Mark::Text { at, anchor, height, text, color } => {
                let (x, y, size, fill) =
                    (Number(at.x), Number(at.y - height * 0.25), Number(*height), Paint("fill", *color));
                let text = escaped(text);
                let anchor = match anchor {
                    ..0.25 => "",
                    ..0.75 => " text-anchor=\"middle\"",
                    _ => " text-anchor=\"end\"",
                };
                self.add(format_args!(
                    "<text x=\"{x}\" y=\"{y}\" font-family=\"sans-serif\" font-size=\"{size}\"{anchor} \
                     xml:space=\"preserve\"{fill}>{text}</text>\n"
                ));
            }
            // The shape is not drawn on pixels either.
            Mark::Clip(_) | Mark::Rect(..) | Mark::Disc { .. } | Mark::Circle { .. } | Mark::Line { .. } => {}
        }
    }

    fn gradient(&mut self, [top, bottom]: [Color; 2]) {
        let [top, bottom] = [top, bottom].map(|color| Paint("stop-color", Color { a: 255, ..color }));
        let height = Number(self.height);
        self.add(format_args!(
            "<linearGradient id=\"ground\" gradientUnits=\"userSpaceOnUse\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"{height}\">\
             <stop offset=\"0\"{top}/><stop offset=\"1\"{bottom}/></linearGradient>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"url(#ground)\"/>\n"
        ));
    }

    fn polygon(&mut self, corners: &[Vec2], color: Color) {
        if corners.len() < 3 || color.a == 0 {
            return;
        }
        self.text.push_str("<polygon points=\"");
        for (at, corner) in corners.iter().enumerate() {
            let space = if at == 0 { "" } else { " " };
            self.add(format_args!("{space}{},{}", Number(corner.x), Number(corner.y)));
        }
        self.add(format_args!("\"{}/>\n", Paint("fill", color)));
    }

    fn path(&mut self, points: &[Vec2], width: f32, color: Color) {
        self.text.push_str("<path d=\"");
        for (at, point) in points.iter().filter(|point| point.is_finite()).enumerate() {
            let command = if at == 0 { "M" } else { "L" };
            self.add(format_args!("{command}{},{}", Number(point.x), Number(point.y)));
        }
        let (width, stroke) = (Number(width), Paint("stroke", color));
        self.add(format_args!("\" fill=\"none\" stroke-width=\"{width}\"{stroke}/>\n"));
    }

    fn line(&mut self, [from, to]: [Vec2; 2], width: f32, color: Color) {
        let [x1, y1, x2, y2] = [from.x, from.y, to.x, to.y].map(Number);
        let (width, stroke) = (Number(width), Paint("stroke", color));
        self.add(format_args!("<path d=\"M{x1},{y1}L{x2},{y2}\" stroke-width=\"{width}\"{stroke}/>\n"));
    }
}

/// A coordinate with at most two decimals.
struct Number(f32);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Zero without a sign.
        let rounded = (self.0 * 100.0).round() / 100.0 + 0.0;
        write!(f, "{rounded}")
    }
}

/// An attribute with a color, and its opacity unless it is opaque.
struct Paint(&'static str, Color);

impl std::fmt::Display for Paint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(name, Color { r, g, b, a }) = *self;
        write!(f, " {name}=\"#{r:02x}{g:02x}{b:02x}\"")?;
        if a < 255 { write!(f, " {name}-opacity=\"{}\"", Number(f32::from(a) / 255.0)) } else { Ok(()) }
    }
}

/// Escapes a text. XML permits neither control characters nor the last two characters of the plane.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ if letter.is_control() => escaped.push_str(&printable(letter.encode_utf8(&mut [0; 4]))),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_is_an_element() {
        let mut canvas = Canvas::of_marks(100, 50);
        let color = Color::rgba(255, 0, 16, 128);
        canvas.fill_gradient(Color::WHITE, Color::BLACK);
        canvas.set_clip(PixelRect { x0: 10, y0: 5, x1: 90, y1: 45 });
        let (a, b) = (Vec2::new(1.0, 2.0), Vec2::new(30.126, 40.0));
        canvas.fill_polygon(&[a, b, Vec2::new(5.0, -0.001)], color);
        canvas.fill_disc(a, 2.5, color);
        canvas.stroke_circle(a, 9.0, 2.0, color);
        canvas.stroke_line(a, b, 2.0, color);
        canvas.trail(&[(a, 1.0), (b, 0.0)], (4.0, 0.5), color);
        canvas.fill_disc(Vec2::NAN, 2.5, color);
        canvas.reset_clip();
        canvas.mark(|| Mark::Text {
            at: a,
            anchor: 1.0,
            height: 8.0,
            text: "a < b ]]> \u{1}\u{ffff}".to_owned(),
            color,
        });
        canvas.stroke_path(&[a, b, a], 1.5, color);
        let text = document(&canvas, false);
        for expected in [
            "viewBox=\"0 0 100 50\"",
            "fill=\"url(#ground)\"",
            "<g clip-path=\"url(#clip0)\">",
            "<polygon points=\"1,2 30.13,40 5,0\" fill=\"#ff0010\" fill-opacity=\"0.5\"/>",
            "<circle cx=\"1\" cy=\"2\" r=\"2.5\" fill=\"#ff0010\"",
            "<circle cx=\"1\" cy=\"2\" r=\"9\" fill=\"none\" stroke-width=\"2\" stroke=\"#ff0010\"",
            "<path d=\"M1,2L30.13,40\" stroke-width=\"2\"",
            "<path d=\"M1,2L30.13,40\" stroke-width=\"3\" stroke=\"#ff0010\" stroke-opacity=\"0.25\"/>",
            "</g>\n<text",
            "text-anchor=\"end\"",
            ">a &lt; b ]]&gt; \u{2401}\u{fffd}</text>",
            "<path d=\"M1,2L30.13,40L1,2\" fill=\"none\" stroke-width=\"1.5\"",
        ] {
            assert!(text.contains(expected), "{expected} in\n{text}");
        }
        assert!(!text.contains("NaN") && text.ends_with("</svg>\n"));
        assert!(!document(&canvas, true).contains("ground"));
    }
}
