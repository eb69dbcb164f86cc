//! Tables with a row per moment, and columns for each unit: `seconds,x1,y1,x2,y2`. Only the first row without gaps is
//! used.

use glam::DVec3;

use super::columns::{Columns, NAMES};
use super::table::{Frame, FrameFault, Row};

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

/// Reads the first row in which each unit has a state.
pub(super) fn read(
    header: &Row,
    rows: impl Iterator<Item = Row>,
    (is_plane, origin): (bool, DVec3),
) -> Result<Frame, FrameFault> {
    let units = units(header)?;
    for (number, columns) in &units {
        columns.check(header, &number.to_string(), is_plane)?;
    }
    let mut gap = None;
    for row in rows {
        let mut frame = Frame::default();
        for (number, columns) in &units {
            match columns.start(&row, &number.to_string(), origin)? {
                Ok(start) => {
                    frame.starts.push(start);
                    frame.lines.push(row.number);
                }
                Err(cell) => {
                    gap.get_or_insert((row.at(cell), *number));
                    break;
                }
            }
        }
        if frame.starts.len() == units.len() {
            return Ok(frame);
        }
    }
    Err(match gap {
        None => FrameFault::new((header.number, 1), "the table has no row below its first line", "add a row"),
        Some((at, number)) => {
            let message = format!("no row has the positions of all units: here unit {number} has none");
            FrameFault::new(at, message, "leave out the columns of lost units, or fill the gaps of one row")
        }
    })
}

/// Returns true if each unit has a number in each of its columns.
pub(super) fn is_complete(header: &Row, row: &Row) -> bool {
    let cells = header.cells.iter().enumerate().filter(|(_, name)| component(name).is_some());
    let is_number = |cell: usize| matches!(row.number((cell, "")), Ok(Some(_)) | Err(_));
    cells.map(|(cell, _)| cell).all(is_number)
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
