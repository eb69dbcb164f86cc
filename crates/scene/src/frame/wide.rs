//! Tables with a row per moment, and columns for each unit: `seconds,x1,y1,x2,y2`. One row is used, and the next one for
//! velocities.

use super::columns::{Columns, NAMES};
use super::row::{FrameFault, Row};
use super::table::{CHOOSE, Frame, Moment, Space, Table};

/// Number of the names that have a number after them: components of vectors.
const COMPONENTS: usize = 9;

/// The columns of a unit, and its number in their names.
type UnitColumns = (u64, Columns);

/// Returns true if a first line is that of the wide form.
pub(super) fn is_header(cells: &[String]) -> bool {
    !cells.iter().any(|cell| cell == "x" || cell == "y")
        && cells.iter().any(|cell| component(cell).is_some_and(|(at, _)| at == 0))
}

/// Returns the component that a column has, and the number of its unit.
fn component(name: &str) -> Option<(usize, u64)> {
    let digits = name.find(|letter: char| letter.is_ascii_digit())?;
    let (name, number) = name.split_at(digits);
    let at = NAMES[..COMPONENTS].iter().position(|known| *known == name)?;
    Some((at, number.parse().ok()?))
}

/// Reads the first row in which each unit has a state, or the row of a frame.
pub(super) fn read(table: &Table<'_>, space: Space, moment: Moment) -> Result<Frame, FrameFault> {
    let header = &table.header;
    let units = units(header)?;
    for (number, columns) in &units {
        columns.check(header, &number.to_string(), space.is_plane)?;
    }
    let number = table.column(&["frame"]);
    if number.is_none() {
        Moment { rate: None, ..moment }.reject_without_frames(header)?;
    }
    let value = |row: &Row, cell: Option<usize>| row.value(cell?).parse::<f64>().ok();
    let mut gap = None;
    for (at, row) in table.rows().enumerate() {
        if moment.frame.is_some() && value(&row, number) != moment.frame {
            continue;
        }
        let (mut frame, mut known) = (Frame::default(), Vec::new());
        for unit in &units {
            match unit.1.start(&row, &unit.0.to_string(), space.origin)? {
                Ok(start) => {
                    frame.starts.push(start);
                    frame.lines.push(row.number);
                    known.push(unit);
                }
                Err(cell) => _ = gap.get_or_insert((row.at(cell), unit.0)),
            }
        }
        if known.len() < units.len() && moment.frame.is_none() {
            continue;
        }
        frame.used = table.end_of(at);
        let has_velocities = known.iter().any(|(_, columns)| columns.has_velocity());
        if let Some(next) = table.row(at + 1).filter(|_| !has_velocities) {
            let later = |(number, columns): &&UnitColumns| {
                let start = columns.start(&next, &number.to_string(), space.origin).ok()?.ok()?;
                Some(start.position)
            };
            let between = |cell: Option<usize>| Some(value(&next, cell)? - value(&row, cell)?);
            let frames = || Some(between(number).unwrap_or(1.0) / moment.rate.or(table.rate)?);
            let seconds = between(table.column(&["time"])).or_else(frames);
            frame.follow(&known.iter().map(later).collect::<Vec<_>>(), (seconds, space.period));
            frame.used = table.end_of(at + 1);
        }
        if at > 0 && moment.frame.is_none() {
            let message = format!("units start at line {}: those before it have gaps", row.number);
            frame.remarks.push((message, CHOOSE));
        }
        return Ok(frame);
    }
    Err(match (moment.frame, gap) {
        (Some(frame), _) => {
            let message = format!("no row has the frame {frame}");
            FrameFault::new((header.number, 1), message, "write a number of the column frame")
        }
        (None, None) => {
            FrameFault::new((header.number, 1), "the table has no row below its first line", "add a row")
        }
        (None, Some((at, number))) => {
            let message = format!("no row has the positions of all units: here unit {number} has none");
            let help = "choose a row by `frame: 12`, leave out the columns of lost units, or fill the gaps of one row";
            FrameFault::new(at, message, help)
        }
    })
}

/// Returns the units in the order of their first columns.
fn units(header: &Row) -> Result<Vec<UnitColumns>, FrameFault> {
    let mut units: Vec<UnitColumns> = Vec::new();
    let mut places = std::collections::BTreeMap::new();
    for (cell, name) in header.cells.iter().enumerate() {
        let Some((at, number)) = component(name) else { continue };
        let place = *places.entry(number).or_insert_with(|| {
            units.push((number, Columns::default()));
            units.len() - 1
        });
        let known = &mut units[place].1.0[at];
        if known.replace(cell).is_some() {
            let message = format!("two columns are called {name}");
            return Err(FrameFault::new(header.at(cell), message, "leave out one of them"));
        }
    }
    Ok(units)
}
