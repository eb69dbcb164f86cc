//! Initial positions and velocities of units.

use glam::{Vec2, Vec3};
use steerbox_core::world::{Arena, Body, Distribution};

/// Initial positions and velocities of the units of a group. In a plane every z is 0.
#[derive(Clone, Debug, PartialEq)]
pub enum Spawn {
    /// Uniform in an area.
    In {
        /// The area.
        area: Area,
        /// Initial speed; by default a mover's desired speed, or 0. Draws below 0 count as 0.
        speed: Option<Distribution>,
        /// Initial heading; by default random, in a ring counter-clockwise along it.
        heading: Option<Heading>,
    },
    /// A start for each unit, at least as many as there are units.
    At(Vec<Start>),
    /// A start for each unit in a table, at least as many as there are units; none if the table is not known.
    File {
        /// The name of the file in the scene.
        name: String,
        /// The starts.
        starts: Vec<Start>,
        /// The columns with values of parameters.
        columns: Vec<Column>,
        /// The length of the part of the table that is used, bytes.
        used: usize,
    },
}

/// An area in which units start.
#[derive(Clone, Debug, PartialEq)]
pub enum Area {
    /// A disc perpendicular to z.
    Disc {
        /// Its center.
        center: Vec3,
        /// Its radius, above zero.
        radius: f32,
    },
    /// A ring perpendicular to z.
    Ring {
        /// Its center.
        center: Vec3,
        /// Its outer radius, above zero.
        radius: f32,
        /// Its inner radius, from zero to the outer one.
        inner: f32,
    },
    /// A rectangle or, in space, a box.
    Rect {
        /// Its center.
        center: Vec3,
        /// Its extent, not negative.
        size: Vec3,
    },
    /// A ball.
    Ball {
        /// Its center.
        center: Vec3,
        /// Its radius, above zero.
        radius: f32,
    },
}

impl Area {
    /// Returns the least and the greatest corner of a box around the area.
    pub(super) fn corners(&self) -> [Vec3; 2] {
        let (center, half) = match self {
            Self::Disc { center, radius } | Self::Ring { center, radius, .. } => {
                (center, Vec2::splat(*radius).extend(0.0))
            }
            Self::Ball { center, radius } => (center, Vec3::splat(*radius)),
            Self::Rect { center, size } => (center, *size * 0.5),
        };
        [*center - half, *center + half]
    }
}

/// The initial headings of the units in an area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Heading {
    /// Drawn by each unit.
    Random,
    /// The same unit vector for all.
    Along(Vec3),
    /// Toward a point.
    Toward(Vec3),
}

impl Spawn {
    /// Returns the starts that are listed, in the scene or in a file.
    pub fn listed(&self) -> Option<&[Start]> {
        match self {
            Self::At(starts) | Self::File { starts, .. } => Some(starts),
            Self::In { .. } => None,
        }
    }

    /// Returns true if no unit with this body has a velocity.
    pub fn is_at_rest(&self, body: &Body) -> bool {
        let rests = |speed: &Distribution| *speed == Distribution::Constant(0.0);
        match self {
            Self::In { speed: Some(speed), .. } => rests(speed),
            Self::In { .. } => matches!(body, Body::Rigid(_)) || body.desired_speed() == 0.0,
            Self::At(starts) | Self::File { starts, .. } => {
                starts.iter().all(|start| start.velocity.is_none_or(|velocity| velocity == Vec3::ZERO))
            }
        }
    }

    /// Returns the column of a table with the values of a script's parameter: `script.PARAM`, or else `PARAM`.
    pub fn column(&self, script: &str, param: &str) -> Option<&Column> {
        let Self::File { columns, .. } = self else { return None };
        let of_script = |column: &&Column| column.name.strip_prefix(script) == Some(&format!(".{param}"));
        let own = columns.iter().find(of_script);
        own.or_else(|| columns.iter().find(|column| column.name == param))
    }
}

/// The column of a table that identifies rows.
pub const ID: &str = "id";

/// A column of a table with values of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name in the first line.
    pub name: String,
    /// The values by unit; `Err` with position and text of the first cell that is not a value.
    pub values: Result<Distribution, String>,
    /// Its position in messages: file, line and column.
    pub at: String,
    /// The value and the line of each row.
    pub cells: Vec<(f32, usize)>,
}

/// The initial state of one unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// Center of mass.
    pub position: Vec3,
    /// Forward axis, a unit vector; by default along the velocity, or +x.
    pub heading: Option<Vec3>,
    /// Velocity; zero by default.
    pub velocity: Option<Vec3>,
}

impl Start {
    /// Returns the start with y down in place of up, or up in place of down.
    pub(super) fn flip_y(self, arena: &Arena) -> Self {
        let flipped = |vector: Vec3| vector.with_y(0.0 - vector.y);
        Self {
            position: arena.flip_y(self.position),
            heading: self.heading.map(flipped),
            velocity: self.velocity.map(flipped),
        }
    }
}
