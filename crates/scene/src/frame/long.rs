//! Tables with a row per unit.

use std::collections::BTreeMap;

use super::columns::{Columns, NAMES};
use super::row::FrameFault;
use super::table::{Frame, ParamColumn, Space, Table};

/// Reads all rows.
pub(super) fn read(table: &Table<'_>, Space { is_plane, origin, .. }: Space) -> Result<Frame, FrameFault> {
    let header = &table.header;
    let (mut columns, mut frame, mut cells) = (Columns::default(), Frame::default(), Vec::new());
    let (mut seen, mut places) = (BTreeMap::new(), header.places());
    for (cell, name) in header.cells.iter().enumerate() {
        let column = places.next().unwrap_or_default();
        if !name.is_empty() && seen.insert(name, cell).is_some() {
            let message = format!("two columns are called {name}");
            return Err(FrameFault::new(header.at(cell), message, "leave out one of them, or rename it"));
        }
        if let Some(at) = NAMES.iter().position(|known| known == name) {
            columns.0[at] = Some(cell);
        } else {
            frame.params.push(ParamColumn { name: name.clone(), column, values: Vec::new() });
            cells.push(cell);
        }
    }
    columns.check(header, "", is_plane)?;
    for row in table.rows() {
        let (found, expected) = (row.cells.len(), header.cells.len());
        if found != expected {
            let message = format!("the line has {found} cells, the first line has {expected}");
            let help = "write a cell for each column";
            return Err(FrameFault::new(row.at(found.min(expected)), message, help));
        }
        let start = columns.start(&row, "", origin)?.map_err(|cell| {
            let message = format!("the unit has no {}", header.cells[cell]);
            FrameFault::new(row.at(cell), message, "write a number, or leave out the line")
        })?;
        frame.starts.push(start);
        frame.lines.push(row.number);
        for (column, cell) in frame.params.iter_mut().zip(&cells) {
            column.values.push(value(&row.value(*cell)));
        }
    }
    frame.params.retain(|column| !column.name.is_empty());
    frame.used = table.end_of(usize::MAX);
    Ok(frame)
}

/// Returns the value of a parameter: a finite number, or a switch as 0 or 1.
fn value(cell: &str) -> Option<f32> {
    match cell {
        "true" => Some(1.0),
        "false" => Some(0.0),
        number => number.parse().ok().filter(|number: &f32| number.is_finite()),
    }
}
