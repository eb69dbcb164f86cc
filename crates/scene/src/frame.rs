//! Tables of starts and of values of grids: a row per unit, a row per unit and frame, as most tracking programs write, or a
//! row per moment in the wide form of idtracker.ai, which `--trace FILE.csv` writes as well.

pub(crate) mod cells;
mod columns;
mod header;
mod long;
mod row;
mod table;
#[cfg(test)]
mod tests;
mod tracks;
mod wide;

use steerbox_core::world::{Distribution, Listed, unit_key};

use super::starts::{Column, Spawn};
pub(crate) use row::FrameFault;
use table::{Frame, ParamColumn, Table, rows};
pub(crate) use table::{Moment, Space};

impl Frame {
    /// Returns the spawn of a group whose units have these starts, from the table `name`.
    pub(super) fn spawn(self, name: String, group: &str) -> Spawn {
        let Self { starts, lines, params, used, .. } = self;
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
        Spawn::File { name, starts, columns, used }
    }
}

/// Reads a table with a row per unit, or a table of trajectories at one moment.
///
/// # Errors
/// With the first fault.
pub(super) fn read(text: &str, space: Space, moment: Moment) -> Result<Frame, FrameFault> {
    let Some(table) = Table::of(text) else {
        let help = "the first line has names of columns, such as x,y,heading,vx,vy";
        return Err(FrameFault::new((1, 1), "the table is empty", help));
    };
    let names = &table.header.cells;
    let has = |name: &str| names.iter().any(|cell| cell == name);
    let frame = if tracks::is_header(names) {
        tracks::read(&table, space, moment)?
    } else if has("x") || has("y") {
        moment.reject_without_frames(&table.header)?;
        long::read(&table, space)?
    } else if wide::is_header(names) {
        wide::read(&table, space, moment)?
    } else {
        let message = "the table has no columns x and y, nor x1, y1, x2, y2 and so on";
        let help = "the first line has names of columns, such as x,y,heading,vx,vy";
        return Err(FrameFault::new((table.header.number, 1), message, help));
    };
    if frame.starts.is_empty() {
        let at = (table.header.number, 1);
        return Err(FrameFault::new(at, "the table has no units", "add a row for each unit"));
    }
    Ok(frame)
}
