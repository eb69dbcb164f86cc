//! Tables of starts and of values of grids: comma-separated values with a row per unit, or a row per moment in the wide form of idtracker.ai,
//! which `--trace FILE.csv` writes as well.

pub(crate) mod cells;
mod columns;
mod long;
mod table;
#[cfg(test)]
mod tests;
mod wide;

use glam::DVec3;
use steerbox_core::world::{Distribution, Listed, unit_key};

use super::starts::{Column, Spawn};
pub(crate) use table::FrameFault;
use table::{Frame, ParamColumn, Row};

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

/// Reads a table of a plane or of space; positions are relative to the origin.
///
/// # Errors
/// With the first fault.
pub(super) fn read(text: &str, (is_plane, origin): (bool, DVec3)) -> Result<Frame, FrameFault> {
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
        long::read(&header, lines.map(Row::new), (is_plane, origin))?
    } else if wide::is_header(&header.cells) {
        wide::read(&header, lines.map(Row::new), (is_plane, origin))?
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

/// Returns the part of a table that a scene uses: all of it, or the wide form up to its first row without gaps.
pub fn used_part(text: &str) -> &str {
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
