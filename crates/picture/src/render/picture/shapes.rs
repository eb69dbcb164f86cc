//! Shapes of units: outlines in the unit's frame, y forward, one unit long.

use glam::Vec2;
use steerbox_scene::{Color, UnitShape};

use crate::render::canvas::{Canvas, Pattern, Sheet};

/// The shape of a group's units and the size at which they are drawn.
#[derive(Clone, Copy)]
pub(super) struct Form {
    pub(super) shape: UnitShape,
    /// Pixels.
    pub(super) length: f32,
    /// Pixels.
    pub(super) width: f32,
    /// Pixels per point.
    pub(super) scale: f32,
    pub(super) outline: Option<Color>,
}

/// The pose of a unit on the screen.
struct Pose<'a> {
    form: &'a Form,
    center: Vec2,
    /// Heading on the screen, y down; shorter than 1 if it points out of the screen.
    heading: Vec2,
}

impl Pose<'_> {
    /// The screen position of a point of the unit's frame (x to starboard, y forward).
    fn at(&self, x: f32, y: f32) -> Vec2 {
        let starboard = Vec2::new(-self.heading.y, self.heading.x);
        self.center + starboard * (x * self.form.width) + self.heading * (y * self.form.length)
    }
}

/// Length in points below which a unit is a dot, and below which it has one color.
const SMALLEST: f32 = 3.5;
const PLAIN: f32 = 12.0;
/// Points by which the outline extends beyond the unit.
const OUTLINE: f32 = 1.0;
/// Maximum reach in pixels of units that are stamped: a sheet of larger ones would be used for few units.
const LARGEST_STAMP: f32 = 28.0;
/// Squared length from which a heading counts as lying in the plane of the screen.
const IN_PLANE: f32 = 0.998;

/// A dart, with a notch in its stern.
const DART: [(f32, f32); 4] = [(0.0, 0.5), (-0.5, -0.5), (0.0, -0.3), (0.5, -0.5)];

/// A hull, top view.
const HULL: [(f32, f32); 7] =
    [(0.0, 0.5), (0.38, 0.12), (0.5, -0.38), (0.28, -0.5), (-0.28, -0.5), (-0.5, -0.38), (-0.38, 0.12)];

/// A fish with its tail.
const FISH: [(f32, f32); 9] = [
    (0.0, 0.5),
    (0.28, 0.3),
    (0.36, 0.08),
    (0.17, -0.24),
    (0.4, -0.5),
    (-0.4, -0.5),
    (-0.17, -0.24),
    (-0.36, 0.08),
    (-0.28, 0.3),
];

/// Returns the outline of a shape, in parts of its length and its width; that of a disc is empty.
pub fn outline(shape: UnitShape) -> Vec<Vec2> {
    match shape {
        UnitShape::Craft => HULL.map(Vec2::from).to_vec(),
        UnitShape::Fish => FISH.map(Vec2::from).to_vec(),
        UnitShape::Dart => DART.map(Vec2::from).to_vec(),
        UnitShape::Pie => {
            let form = Form { shape, length: 1.0, width: 1.0, scale: 1.0, outline: None };
            // On the screen, y is down.
            let pose = Pose { form: &form, center: Vec2::ZERO, heading: Vec2::NEG_Y };
            pie(&pose, 1.0).map(|point| Vec2::new(point.x, -point.y)).to_vec()
        }
        UnitShape::Dot => Vec::new(),
    }
}

impl Form {
    /// The sheet of stamps for units of this form with the opacity of `color`; `None` if they are too large for stamps.
    pub(super) fn sheet(&self, canvas: &mut Canvas, color: Color) -> Option<Sheet> {
        let more = if self.outline.is_some() { OUTLINE * self.scale } else { 0.0 };
        let reach = self.length.max(self.width).max(2.0 * self.scale) * 0.72 + more + 1.0;
        (reach <= LARGEST_STAMP && !canvas.is_of_marks()).then(|| {
            canvas.sheet(Pattern {
                shape: self.shape as u32,
                length: self.length,
                width: self.width,
                scale: self.scale,
                reach,
                alphas: [self.outline.map_or(0, |outline| outline.a), color.a],
            })
        })
    }

    /// Draws a unit, by a stamp if there is a sheet and the unit does not point out of the screen.
    pub(super) fn draw(
        &self,
        canvas: &mut Canvas,
        sheet: Option<&mut Sheet>,
        (center, heading): (Vec2, Vec2),
        color: Color,
    ) {
        let plain = |canvas: &mut Canvas, center: Vec2, heading: Vec2, [outline, color]: [Color; 2]| {
            let outline = self.outline.is_some().then_some(outline);
            draw(canvas, &Pose { form: self, center, heading }, (color, outline));
        };
        let colors = [self.outline.unwrap_or_default(), color];
        // A dot has one stamp for all headings.
        let heading = if self.length < SMALLEST * self.scale { Vec2::X } else { heading };
        match sheet {
            Some(sheet) if heading.length_squared() > IN_PLANE && sheet.matches(colors) => {
                sheet.draw(canvas, (center, heading), colors, plain);
            }
            _ => plain(canvas, center, heading, colors),
        }
    }
}

/// Draws a unit in a color, with its outline, if it has one.
fn draw(canvas: &mut Canvas, pose: &Pose<'_>, (color, outline): (Color, Option<Color>)) {
    let Form { shape, length, scale, .. } = *pose.form;
    let points = length / scale;
    if points < SMALLEST {
        canvas.fill_disc(pose.center, (length * 0.5).max(0.8 * scale), color);
        return;
    }
    if let Some(outline) = outline {
        draw_outline(canvas, pose, outline);
    }
    let dark = if points < PLAIN { color } else { color.mix(Color::BLACK, 0.28) };
    match shape {
        UnitShape::Dot => canvas.fill_disc(pose.center, length * 0.5, color),
        UnitShape::Dart if points < PLAIN => {
            canvas.fill_polygon(&DART.map(|(x, y)| pose.at(x, y)), color);
        }
        UnitShape::Dart => {
            canvas.fill_triangle(pose.at(0.0, 0.5), pose.at(-0.5, -0.5), pose.at(0.0, -0.3), color);
            canvas.fill_triangle(pose.at(0.0, 0.5), pose.at(0.0, -0.3), pose.at(0.5, -0.5), dark);
        }
        UnitShape::Craft => {
            canvas.fill_polygon(&HULL.map(|(x, y)| pose.at(x, y)), color);
            let cabin = [(0.0, 0.22), (0.22, -0.12), (0.0, -0.3), (-0.22, -0.12)];
            canvas.fill_polygon(&cabin.map(|(x, y)| pose.at(x, y)), dark);
        }
        UnitShape::Fish => {
            canvas.fill_triangle(pose.at(0.0, -0.2), pose.at(-0.4, -0.5), pose.at(0.4, -0.5), dark);
            let body = [
                (0.0, 0.5),
                (0.28, 0.3),
                (0.36, 0.08),
                (0.2, -0.2),
                (0.0, -0.36),
                (-0.2, -0.2),
                (-0.36, 0.08),
                (-0.28, 0.3),
            ];
            canvas.fill_polygon(&body.map(|(x, y)| pose.at(x, y)), color);
        }
        UnitShape::Pie => canvas.fill_polygon(&pie(pose, length), color),
    }
}

/// The area of a unit with a margin that separates overlapping units.
fn draw_outline(canvas: &mut Canvas, pose: &Pose<'_>, color: Color) {
    let Form { shape, length, width, scale, .. } = *pose.form;
    let more = 2.0 * OUTLINE * scale;
    let shares = Vec2::new(1.0 + more / width, 1.0 + more / length);
    let at = |(x, y): (f32, f32)| pose.at(x * shares.x, y * shares.y);
    match shape {
        UnitShape::Dot => canvas.fill_disc(pose.center, (length + more) * 0.5, color),
        UnitShape::Dart => canvas.fill_polygon(&DART.map(at), color),
        UnitShape::Craft => canvas.fill_polygon(&HULL.map(at), color),
        UnitShape::Fish => canvas.fill_polygon(&FISH.map(at), color),
        UnitShape::Pie => {
            canvas.fill_polygon(&pie(pose, length + more), color);
        }
    }
}

/// A 45° sector of a disc with a radius in pixels, whose tip points forward.
fn pie(pose: &Pose<'_>, radius: f32) -> [Vec2; 6] {
    let starboard = Vec2::new(-pose.heading.y, pose.heading.x);
    let tip = pose.center + pose.heading * (radius * 0.5);
    let rim = |degrees: f32| {
        let (sin, cos) = libm::sincosf(degrees.to_radians());
        tip - pose.heading * (radius * cos) + starboard * (radius * sin)
    };
    [tip, rim(-22.5), rim(-11.25), rim(0.0), rim(11.25), rim(22.5)]
}
