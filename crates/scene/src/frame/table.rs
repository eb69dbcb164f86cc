//! Lines of a table, and what is read from it.

use glam::{DVec3, Vec2, Vec3};
use steerbox_core::world::minimum_image;

use super::header;
use super::row::{FrameFault, Row};
use crate::points::unit;
use crate::starts::Start;

/// The starts in a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Frame {
    /// The starts, in the order of the rows, or of the columns in the wide form.
    pub(crate) starts: Vec<Start>,
    /// The line of each start, counted from 1.
    pub(crate) lines: Vec<usize>,
    /// Further columns: parameters.
    pub(crate) params: Vec<ParamColumn>,
    /// Assumptions about the table that the scene can replace, each with its remedy.
    pub(crate) remarks: Vec<(String, &'static str)>,
    /// The length of the part of the table that is used, bytes.
    pub(crate) used: usize,
}

/// The remedy for a moment that the scene does not choose.
pub(super) const CHOOSE: &str = "choose the moment by `frame: 12`, or shorten the table";

/// The moment of a table of trajectories at which units start.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moment {
    /// The number of the frame; by default the first one in which all units have a position.
    pub(crate) frame: Option<f64>,
    /// Frames per second, for velocities of tables without a column of seconds.
    pub(crate) rate: Option<f64>,
}

impl Moment {
    /// Returns a fault if a moment is chosen, but the table has no frames.
    pub(super) fn reject_without_frames(self, header: &Row) -> Result<(), FrameFault> {
        let unused = self.frame.map(|_| "frame").or(self.rate.map(|_| "fps"));
        unused.map_or(Ok(()), |option| {
            let message = format!("the table has no column frame, which `{option}` needs");
            let help = format!("leave out `{option}`, or add the column");
            Err(FrameFault::new((header.number, 1), message, help))
        })
    }
}

/// The world of the starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Space {
    /// True in a plane.
    pub(crate) is_plane: bool,
    /// The origin of positions.
    pub(crate) origin: DVec3,
    /// The period of positions, if units wrap.
    pub(crate) period: Option<Vec2>,
}

/// A column with the values of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ParamColumn {
    /// The name of the column.
    pub(super) name: String,
    /// The position of its name in the first line, counted from 1.
    pub(super) column: usize,
    /// The value of each unit; `None` if a cell is not a value.
    pub(super) values: Vec<Option<f32>>,
}

/// A table whose header has the names of this program, whichever program wrote it.
pub(super) struct Table<'a> {
    text: &'a str,
    pub(super) header: Row,
    /// Frames per second in a comment: `# framerate: 25`.
    pub(super) rate: Option<f64>,
    /// The lines below the header, with their numbers, without comments.
    lines: Vec<(usize, &'a str)>,
}

impl<'a> Table<'a> {
    /// Splits a text; `None` if it is empty.
    pub(super) fn of(text: &'a str) -> Option<Self> {
        let (comments, mut lines): (Vec<_>, Vec<_>) = rows(text).partition(|(_, line)| line.starts_with('#'));
        let (header, data) = header::of(&comments, &lines)?;
        lines.drain(..data);
        let rate = comments.iter().find_map(|(_, line)| header::rate(line));
        Some(Self { text, header, rate, lines })
    }

    /// The rows below the header.
    pub(super) fn rows(&self) -> impl Iterator<Item = Row> {
        self.lines.iter().map(|line| Row::new(*line, self.header.separator))
    }

    /// Returns the row of a line by its index below the header.
    pub(super) fn row(&self, at: usize) -> Option<Row> {
        Some(Row::new(*self.lines.get(at)?, self.header.separator))
    }

    /// Returns the column of a name.
    pub(super) fn column(&self, names: &[&str]) -> Option<usize> {
        self.header.cells.iter().position(|cell| names.contains(&cell.as_str()))
    }

    /// Returns the length of the text up to the end of a line by its index below the header, without its line break.
    pub(super) fn end_of(&self, at: usize) -> usize {
        // A line is a part of the text.
        let end =
            |(_, line): &(usize, &str)| line.as_ptr() as usize - self.text.as_ptr() as usize + line.len();
        self.lines.get(at).map_or(self.text.len(), end)
    }
}

/// Returns the lines that are not blank, with their numbers.
pub(super) fn rows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty())
}

impl Frame {
    /// Adds velocities, from the positions of the units a duration later. Without a duration, adds headings.
    pub(super) fn follow(&mut self, next: &[Option<Vec3>], (seconds, period): (Option<f64>, Option<Vec2>)) {
        if seconds.is_none() && next.iter().any(Option::is_some) {
            let message = "units start at rest, since the table has no column of seconds".to_owned();
            self.remarks.push((message, "write the frames per second, such as `fps: 25`"));
        }
        for (start, next) in self.starts.iter_mut().zip(next) {
            let Some(way) = next.map(|next| minimum_image(next - start.position, period)) else { continue };
            match seconds.filter(|seconds| *seconds > 0.0) {
                Some(seconds) => start.velocity = Some(way / seconds as f32),
                None => start.heading = start.heading.or_else(|| unit(way)),
            }
        }
    }
}
