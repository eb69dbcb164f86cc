//! Tables of starts: comma-separated values with a row per unit, or a row per moment in the wide form of idtracker.ai,
//! which `--trace FILE.csv` writes as well.

mod columns;
mod long;
#[cfg(test)]
mod tests;
mod wide;

use super::bounds::Bounds;
use super::starts::{Column, Spawn, Start};
use crate::text::{cell_column, cells};
use crate::world::{Distribution, Listed, unit_key};

/// The starts in a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Frame {
    /// The starts, in the order of the rows, or of the columns in the wide form.
    pub(super) starts: Vec<Start>,
    /// The line of each start, counted from 1.
    pub(super) lines: Vec<usize>,
    /// Further columns: parameters.
    pub(super) params: Vec<ParamColumn>,
}

impl Frame {
    /// Returns the spawn of a group whose units have these starts, from the table `name`.
    pub(super) fn spawn(self, name: String, group: &str) -> Spawn {
        let Self { starts, lines, params } = self;
        let columns = params.into_iter().map(|ParamColumn { name: param, column, values }| {
            let keyed = values.iter().enumerate().map(|(at, value)| Some((unit_key(group, at), (*value)?)));
            let keyed: Option<Vec<_>> = keyed.collect();
            let gap =
                || values.iter().zip(&lines).find(|(value, _)| value.is_none()).map_or(1, |(_, line)| *line);
            let no_value = || format!("{name}:{}: `{param}` has no value", gap());
            let listed = keyed.map(|keyed| Distribution::Listed(Listed::new(keyed).into()));
            Column {
                values: listed.ok_or_else(no_value),
                at: format!("{name}:1:{column}"),
                cells: values.iter().flatten().copied().zip(lines.iter().copied()).collect(),
                name: param,
            }
        });
        let columns = columns.collect();
        Spawn::File { name, starts, columns }
    }
}

/// A column with the values of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ParamColumn {
    /// The name of the column.
    pub(super) name: String,
    /// The position of its name in the first line, counted from 1.
    pub(super) column: usize,
    /// The value of each unit; `None` if a cell is no value.
    pub(super) values: Vec<Option<f32>>,
}

/// A fault of a table.
#[derive(Debug, PartialEq)]
pub(super) struct FrameFault {
    /// Line and column in characters, counted from 1.
    pub(super) at: (usize, usize),
    pub(super) message: String,
    pub(super) help: String,
}

impl FrameFault {
    fn new(at: (usize, usize), message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { at, message: message.into(), help: help.into() }
    }
}

/// A line of a table with its cells.
struct Row {
    /// Counted from 1.
    number: usize,
    text: String,
    cells: Vec<String>,
}

impl Row {
    fn new((number, text): (usize, &str)) -> Self {
        let cells = cells(text).into_iter().map(|cell| cell.trim().to_owned()).collect();
        Self { number, text: text.to_owned(), cells }
    }

    /// Returns the position of a cell.
    fn at(&self, cell: usize) -> (usize, usize) {
        (self.number, cell_column(&self.text, cell))
    }

    /// Returns a number of the column `name`; `None` if the cell is empty or NaN.
    fn number(&self, (cell, name): (usize, &str)) -> Result<Option<f32>, FrameFault> {
        let text = self.cells.get(cell).map_or("", String::as_str);
        if text.is_empty() {
            return Ok(None);
        }
        let fault = |message: String| {
            let help = "write a number such as 12.5, with a point before the decimals";
            Err(FrameFault::new(self.at(cell), message, help))
        };
        match text.parse::<f32>() {
            Ok(number) if number.is_nan() => Ok(None),
            Ok(number) => match Bounds::Any.broken(number) {
                Some(broken) => fault(format!("`{name}` {broken}, not {text}")),
                None => Ok(Some(number)),
            },
            Err(_) => fault(format!("`{name}` must be a number, not \"{text}\"")),
        }
    }
}

/// Reads a table.
///
/// # Errors
/// With the first fault.
pub(super) fn read(text: &str, is_plane: bool) -> Result<Frame, FrameFault> {
    let mut lines = rows(text);
    let header = lines.next().map(Row::new);
    let example = "the first line has names of columns, such as x,y,heading,vx,vy";
    let Some(header) = header else {
        return Err(FrameFault::new((1, 1), "the table is empty", example));
    };
    if header.cells.len() == 1 && header.text.contains([';', '\t']) {
        let message = "the cells of the first line are not separated by commas";
        return Err(FrameFault::new((header.number, 1), message, "separate cells by commas"));
    }
    let has = |name: &str| header.cells.iter().any(|cell| cell == name);
    let mut frame = if has("x") || has("y") {
        long::read(&header, lines.map(Row::new), is_plane)?
    } else if wide::is_header(&header.cells) {
        wide::read(&header, lines.map(Row::new), is_plane)?
    } else {
        let message = "the table has no columns x and y, nor x1, y1, x2, y2 and so on";
        return Err(FrameFault::new((header.number, 1), message, example));
    };
    if frame.starts.is_empty() {
        return Err(FrameFault::new((header.number, 1), "the table has no units", "add a row for each unit"));
    }
    frame.params.retain(|column| !column.name.is_empty());
    Ok(frame)
}

/// Returns the part of a table that [`read`] uses: all of it, or the wide form up to its first row without gaps.
pub(super) fn used_part(text: &str) -> &str {
    let mut lines = rows(text);
    let header = lines.next().map(Row::new);
    match header.filter(|header| wide::is_header(&header.cells)) {
        Some(header) => {
            let first = lines.find(|line| wide::is_complete(&header, &Row::new(*line)));
            // A line is a part of the text.
            first.map_or(text, |(_, line)| {
                &text[..line.as_ptr() as usize - text.as_ptr() as usize + line.len()]
            })
        }
        None => text,
    }
}

/// Returns the lines that are not blank, with their numbers.
fn rows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty())
}
