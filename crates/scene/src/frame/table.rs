//! Lines of a table, and what is read from it.

use glam::{DVec3, Vec3};

use super::header;
use super::row::Row;
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
    /// The line and the moment of the starts, if it is not the first one and the scene does not choose it.
    pub(crate) skipped_to: Option<String>,
    /// The length of the part of the table that is used, bytes.
    pub(crate) used: usize,
}

/// The moment of a table of trajectories at which units start.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moment {
    /// The number of the frame; by default the first one in which all units have a position.
    pub(crate) frame: Option<f64>,
    /// Frames per second, for velocities of tables without a column of seconds.
    pub(crate) rate: Option<f64>,
}

/// The world of the starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Space {
    /// True in a plane.
    pub(crate) is_plane: bool,
    /// The origin of positions.
    pub(crate) origin: DVec3,
}

/// A column with the values of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ParamColumn {
    /// The name of the column.
    pub(super) name: String,
    /// The position of its name in the first line, counted from 1.
    pub(super) column: usize,
    /// The value of each unit; `None` if a cell is no value.
    pub(super) values: Vec<Option<f32>>,
}

/// A table whose header has the names of this program, whichever program wrote it.
pub(super) struct Table<'a> {
    text: &'a str,
    pub(super) header: Row,
    /// The lines below the header, with their numbers, without comments.
    lines: Vec<(usize, &'a str)>,
}

impl<'a> Table<'a> {
    /// Splits a text; `None` if it is empty.
    pub(super) fn of(text: &'a str) -> Option<Self> {
        let (comments, mut lines): (Vec<_>, Vec<_>) = rows(text).partition(|(_, line)| line.starts_with('#'));
        let (header, data) = header::of(&comments, &lines)?;
        lines.drain(..data);
        Some(Self { text, header, lines })
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
    pub(super) fn follow(&mut self, next: &[Option<Vec3>], seconds: Option<f64>) {
        for (start, next) in self.starts.iter_mut().zip(next) {
            let Some(way) = next.map(|next| next - start.position) else { continue };
            match seconds.filter(|seconds| *seconds > 0.0) {
                Some(seconds) => start.velocity = Some(way / seconds as f32),
                None => start.heading = start.heading.or_else(|| unit(way)),
            }
        }
    }
}
