//! Tables with a row per unit and frame: `id,frame,x,y`. The units of one frame start, and the next one has their
//! velocities.

use std::collections::{BTreeMap, BTreeSet};

use super::columns::{Columns, NAMES};
use super::row::{FrameFault, Row};
use super::table::{CHOOSE, Frame, Moment, ParamColumn, Space, Table};
use crate::starts::ID;

/// A row with a position.
struct Entry {
    frame: f64,
    /// The index of the unit among all.
    unit: usize,
    /// The index of the line below the header.
    line: usize,
}

/// Returns true if a first line has frames, or identified units at times.
pub(super) fn is_header(cells: &[String]) -> bool {
    let has = |name: &str| cells.iter().any(|cell| cell == name);
    has("x") && has("y") && (has("frame") || (has(ID) && has("time")))
}

/// Reads the first frame in which all units have positions, or the one that is chosen.
pub(super) fn read(table: &Table<'_>, space: Space, moment: Moment) -> Result<Frame, FrameFault> {
    let header = &table.header;
    let mut columns = Columns(NAMES.map(|name| table.column(&[name])));
    if space.is_plane {
        // Programs write the z of images as 0.
        columns.0[2] = None;
    }
    columns.check(header, "", space.is_plane)?;
    let time = table.column(&["time"]);
    let frames = table.column(&["frame"]).or(time).unwrap_or_default();
    let (entries, ids) = entries(table, (&columns, frames, table.column(&[ID])))?;
    let chosen = chosen(&entries, ids.len(), moment);
    let chosen = chosen.map_err(|(message, help)| FrameFault::new((header.number, 1), message, help))?;
    let of_frame = |frame: f64| entries.iter().filter(move |entry| entry.frame == frame);
    let row = |entry: &Entry| table.row(entry.line);
    let mut frame = Frame { used: table.end_of(usize::MAX), ..Frame::default() };
    let mut units = Vec::new();
    for (entry, row) in of_frame(chosen).filter_map(|entry| Some((entry, row(entry)?))) {
        if let Ok(start) = columns.start(&row, "", space.origin)? {
            frame.starts.push(start);
            frame.lines.push(row.number);
            units.push(entry.unit);
        }
    }
    let later = entries.iter().map(|entry| entry.frame).filter(|frame| *frame > chosen);
    if let Some(next) = later.min_by(f64::total_cmp).filter(|_| !columns.has_velocity()) {
        let lines: BTreeMap<usize, &Entry> = of_frame(next).map(|entry| (entry.unit, entry)).collect();
        let at = |unit: &usize| {
            let row = row(lines.get(unit)?)?;
            Some((columns.start(&row, "", space.origin).ok()?.ok()?.position, seconds(&row, time)))
        };
        let found: Vec<_> = units.iter().map(at).collect();
        let begin = of_frame(chosen).next().and_then(row).and_then(|row| seconds(&row, time));
        let end = found.iter().flatten().find_map(|(_, seconds)| *seconds);
        let frames = || Some((next - chosen) / moment.rate.or(table.rate)?);
        let duration = end.zip(begin).map(|(end, begin)| end - begin).or_else(frames);
        let next: Vec<_> = found.iter().map(|it| it.map(|(place, _)| place)).collect();
        frame.follow(&next, (duration, space.period));
    }
    let first = entries.iter().map(|entry| entry.frame).min_by(f64::total_cmp);
    if moment.frame.is_none() && first != Some(chosen) {
        let message = format!("units start at frame {chosen}, the first one with all {} units", ids.len());
        frame.remarks.push((message, CHOOSE));
    }
    let numbers: Vec<Option<f32>> = units.iter().map(|unit| ids[*unit].parse().ok()).collect();
    if let Some(cell) = table.column(&[ID]).filter(|_| numbers.iter().all(Option::is_some)) {
        frame.params.push(ParamColumn { name: ID.to_owned(), column: header.at(cell).1, values: numbers });
    }
    Ok(frame)
}

/// Returns the rows with positions, and the names of all units in the order of the table.
fn entries(
    table: &Table<'_>,
    (columns, frame, id): (&Columns, usize, Option<usize>),
) -> Result<(Vec<Entry>, Vec<String>), FrameFault> {
    let (mut entries, mut ids, mut units) = (Vec::<Entry>::new(), Vec::new(), BTreeMap::new());
    let mut seen = BTreeSet::new();
    for (line, row) in table.rows().enumerate() {
        let (found, expected) = (row.cells.len(), table.header.cells.len());
        if found != expected {
            let message = format!("the line has {found} cells, the first line has {expected}");
            return Err(FrameFault::new(
                row.at(found.min(expected)),
                message,
                "write a cell for each column",
            ));
        }
        let Some(_) = row.number((frame, "frame"))? else { continue };
        let frame: f64 = row.value(frame).parse().unwrap_or_default();
        // Without names, units are counted in each frame.
        let same = || entries.iter().rev().take_while(|entry| entry.frame == frame).count();
        let name = id.map_or_else(|| same().to_string(), |id| row.value(id).into_owned());
        let mut has_position = !name.is_empty();
        for (cell, axis) in columns.0[..2].iter().zip(NAMES) {
            has_position &= row.number((cell.unwrap_or_default(), axis))?.is_some();
        }
        if !has_position {
            continue;
        }
        let next = units.len();
        let unit = *units.entry(name).or_insert_with_key(|name| {
            ids.push(name.clone());
            next
        });
        if !seen.insert((frame.to_bits(), unit)) {
            let message = format!("the unit {} has two rows in frame {frame}", ids[unit]);
            return Err(FrameFault::new((row.number, 1), message, "leave out one of them"));
        }
        entries.push(Entry { frame, unit, line });
    }
    Ok((entries, ids))
}

/// Returns the frame that is chosen, or the first one with all units.
fn chosen(entries: &[Entry], units: usize, moment: Moment) -> Result<f64, (String, String)> {
    let mut frames: Vec<_> = entries.iter().map(|entry| entry.frame).collect();
    frames.sort_by(f64::total_cmp);
    let (Some(first), Some(last)) = (frames.first(), frames.last()) else {
        return Err((
            "the table has no positions".to_owned(),
            "add a row for each unit and frame".to_owned(),
        ));
    };
    if let Some(frame) = moment.frame {
        let message =
            || (format!("no row has the frame {frame}"), format!("frames are from {first} to {last}"));
        return if frames.contains(&frame) { Ok(frame) } else { Err(message()) };
    }
    let counts: Vec<_> = frames.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len())).collect();
    if let Some((frame, _)) = counts.iter().find(|(_, count)| *count == units) {
        return Ok(*frame);
    }
    // The first of the fullest frames.
    let (fullest, count) = counts.iter().rev().max_by_key(|(_, count)| *count).unwrap_or(&counts[0]);
    let message = format!(
        "no frame has all {units} units of the table; frame {fullest} has the greatest number, {count}"
    );
    Err((message, format!("choose the frame: File(\"…\", frame: {fullest})")))
}

/// Returns the number of a column of seconds.
fn seconds(row: &Row, cell: Option<usize>) -> Option<f64> {
    row.value(cell?).parse().ok()
}
