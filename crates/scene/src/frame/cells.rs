//! Initial values of environment grids: a picture as plain PGM, a matrix, or a table with a row per cell.

use glam::{DVec3, Vec3};
use steerbox_core::text::separator;
use steerbox_core::world::{Arena, MAX_CELLS, ScalarGrid};

use super::row::{FrameFault, Row};
use super::rows;

/// The first word of a plain PGM.
const PLAIN_PGM: &str = "P2";
const COLUMNS: [&str; 3] = ["x", "y", "z"];
const VALUE: &str = "value";

/// Returns the grid with the values of a file, times `scale`.
///
/// # Errors
/// With the first fault.
pub(crate) fn read(
    text: &str,
    grid: ScalarGrid,
    arena: &Arena,
    scale: f32,
) -> Result<ScalarGrid, FrameFault> {
    if text.starts_with(PLAIN_PGM) {
        require_plane(&grid, "a picture")?;
        let (size, mut pixels) = picture(text).ok_or_else(|| {
            let message = format!("it is not a plain PGM of at most {MAX_CELLS} pixels");
            FrameFault::new((1, 1), message, "save the picture as PNG")
        })?;
        for pixel in &mut pixels {
            *pixel *= scale;
        }
        return Ok(grid.with_picture(arena, size, pixels));
    }
    let rows = || rows(text).filter(|(_, line)| !line.starts_with('#'));
    let by = rows().next().map_or(',', |(_, line)| separator(line));
    let mut lines = rows().map(|line| Row::new(line, by));
    let example = "write rows of numbers, or a first line with the names x,y,value";
    let Some(first) = lines.next() else {
        return Err(FrameFault::new((1, 1), "the table is empty", example));
    };
    let is_number = |cell: &String| cell.is_empty() || cell.replace(',', ".").parse::<f32>().is_ok();
    let mut values = if first.cells.iter().all(is_number) {
        matrix(first, lines, &grid)?
    } else {
        listed(&first, lines, &grid, arena.origin)?
    };
    for value in &mut values {
        *value *= scale;
    }
    let mut grid = grid;
    grid.set_values(values);
    Ok(grid)
}

fn require_plane(grid: &ScalarGrid, what: &str) -> Result<(), FrameFault> {
    let message = format!("{what} has the values of a plane, but the world is a space");
    let help = "write a table with the columns x, y, z and value";
    if grid.is_plane() { Ok(()) } else { Err(FrameFault::new((1, 1), message, help)) }
}

/// Reads a plain PGM. Returns its size, and its pixels from 0 to 1 from the lower row on.
fn picture(text: &str) -> Option<((u32, u32), Vec<f32>)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut words = lines.flat_map(str::split_ascii_whitespace).skip(1);
    let mut next = || words.next()?.parse::<u32>().ok();
    let (width, height, most) = (next()?, next()?, next()?);
    let count = u64::from(width) * u64::from(height);
    if count == 0 || count > MAX_CELLS || !(1..=65535).contains(&most) {
        return None;
    }
    let mut pixels = vec![0.0; count as usize];
    for row in pixels.chunks_mut(width as usize).rev() {
        for pixel in row {
            *pixel = next().filter(|level| *level <= most)? as f32 / most as f32;
        }
    }
    words.next().is_none().then_some(((width, height), pixels))
}

/// Reads rows of numbers, the first one at the top.
fn matrix(first: Row, rest: impl Iterator<Item = Row>, grid: &ScalarGrid) -> Result<Vec<f32>, FrameFault> {
    require_plane(grid, "a table of rows of numbers")?;
    let [columns, rows, _] = grid.cells().to_array().map(|count| count as usize);
    let help = format!("the grid has {columns} x {rows} cells: write {rows} lines of {columns} numbers");
    let mut values = vec![0.0; columns * rows];
    let (mut count, mut end) = (0, 1);
    for row in std::iter::once(first).chain(rest) {
        let found = row.cells.len();
        if found != columns {
            let message = format!("the line has {found} numbers, the grid has {columns} cells along x");
            return Err(FrameFault::new(row.at(found.min(columns)), message, help));
        }
        if count == rows {
            let message = format!("the table has more lines than the {rows} cells of the grid along y");
            return Err(FrameFault::new((row.number, 1), message, help));
        }
        let start = (rows - 1 - count) * columns;
        for (cell, value) in values[start..start + columns].iter_mut().enumerate() {
            *value = known(&row, (cell, VALUE), 0.0)?;
        }
        (count, end) = (count + 1, row.number);
    }
    if count < rows {
        let message = format!("the table has {count} lines, the grid has {rows} cells along y");
        return Err(FrameFault::new((end, 1), message, help));
    }
    Ok(values)
}

/// Reads a table with a row per cell: coordinates of a point in the cell, and its value.
fn listed(
    header: &Row,
    rest: impl Iterator<Item = Row>,
    grid: &ScalarGrid,
    origin: DVec3,
) -> Result<Vec<f32>, FrameFault> {
    let column =
        |name: &'static str| header.cells.iter().position(|cell| cell.eq_ignore_ascii_case(name)).ok_or(name);
    let axes = &COLUMNS[..if grid.is_plane() { 2 } else { 3 }];
    let columns = axes.iter().chain([&VALUE]).map(|name| Ok((column(name)?, *name)));
    let columns: Result<Vec<_>, &str> = columns.collect();
    let columns = columns.map_err(|name| {
        let message = format!("the table has neither rows of numbers nor a column {name}");
        FrameFault::new((header.number, 1), message, format!("add the column {name}"))
    })?;
    let mut lines = vec![0; grid.values().len()];
    let mut values = vec![0.0; lines.len()];
    for row in rest {
        let mut point = Vec3::ZERO;
        for (axis, (cell, name)) in columns[..axes.len()].iter().enumerate() {
            point[axis] = known(&row, (*cell, name), origin[axis])?;
        }
        let (cell, name) = columns[axes.len()];
        let value = known(&row, (cell, name), 0.0)?;
        let Some(at) = grid.cell_at(point) else {
            let help = "leave out the line, or enlarge the world";
            return Err(FrameFault::new((row.number, 1), "the point is outside the grid", help));
        };
        if lines[at] > 0 {
            let message = format!("the line is in the same cell as line {}", lines[at]);
            return Err(FrameFault::new((row.number, 1), message, "write one line for each cell"));
        }
        (lines[at], values[at]) = (row.number, value);
    }
    match lines.iter().position(|line| *line == 0) {
        Some(at) => {
            let center = (origin + grid.center(at).as_dvec3()).to_array();
            let center: Vec<_> = center[..axes.len()].iter().map(f64::to_string).collect();
            let message = format!("no line has the value of the cell at ({})", center.join(", "));
            let help = format!("the grid has {} cells: write a line for each", lines.len());
            Err(FrameFault::new((header.number, 1), message, help))
        }
        None => Ok(values),
    }
}

/// Returns the number of a column relative to that of the origin.
fn known(row: &Row, (cell, name): (usize, &str), origin: f64) -> Result<f32, FrameFault> {
    row.coordinate((cell, name), origin)?.ok_or_else(|| {
        let message = format!("the cell has no `{name}`");
        FrameFault::new(row.at(cell), message, "write a number")
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crate::{Unread, build, read_with};

    /// Returns the values of a grid of 3 x 2 cells in a plane of 30 x 20, or of 2 x 2 x 2 in a space.
    fn values(table: &str, world: &str, scale: &str) -> Result<Vec<f32>, Unread> {
        let text = format!(
            "(world: {world}, bodies: {{\"m\": Mover()}}, groups: [(name: \"a\", body: \"m\")],
            grids: {{\"g\": (cell: 10, initial: File(\"t.csv\"{scale}))}})"
        );
        let files = BTreeMap::from([("t.csv".to_owned(), Ok(table.into()))]);
        read_with("s.ron", &text, &files).map(|scene| build(&scene, Some(9)).grids[0].values().to_vec())
    }

    const PLANE: &str = "Plane(size: (30, 20))";
    const SPACE: &str = "Space(radius: 10)";

    #[test]
    fn pictures_matrices_and_tables_have_the_upper_row_at_the_top() {
        let lower_row_first = [4.0, 5.0, 6.0, 1.0, 2.0, 3.5];
        for (table, scale) in [
            ("1,2,3.5\n4,5,6\n", ""),
            ("1 2  3.5\n4 5 6\n", ""),
            ("1;2;3,5\n4;5;6\n", ""),
            ("# by a program\n1,2,3.5\n# below\n4,5,6\n", ""),
            ("# by a program\nX,Y,Value\n5,15,1\n15,15,2\n25,15,3.5\n5,5,4\n12.5,1,5\n29,9,6\n", ""),
            ("0.5, 1 ,1.75\r\n\r\n2,2.5,3\r\n", ", scale: 2"),
            ("x,y,value\n5,15,1\n15,15,2\n25,15,3.5\n5,5,4\n12.5,1,5\n29,9,6\n", ""),
            ("value,name,y,x\n1,a,15,5\n2,,15,15\n3.5,,15,25\n4,,5,5\n5,,5,15\n6,,5,25\n", ""),
            ("P2\n# a comment\n3 2\n20\n2 4 7\n8 10 12\n", ", scale: 10"),
        ] {
            assert_eq!(values(table, PLANE, scale).unwrap(), lower_row_first, "{table}");
        }
        assert_eq!(values("P2 1 1 4 1", PLANE, "").unwrap(), [0.25; 6]);
        let far = "Plane(size: (30, 20), origin: (481000, 5811000))";
        let table = "x,y,value\n481005,5811015,1\n481015,5811015,2\n481025,5811015,3.5\n481005,5811005,4\n481015,5811005,5\n481029.9,5811000.1,6\n";
        assert_eq!(values(table, far, "").unwrap(), lower_row_first);
        let corners =
            (0..8).map(|at| format!("{},{},{},{at}\n", at % 2 * 9 - 5, at / 2 % 2 * 9 - 5, at / 4 * 9 - 5));
        let table = format!("x,y,z,value\n{}", corners.rev().collect::<String>());
        assert_eq!(values(&table, SPACE, "").unwrap(), (0..8).map(|at| at as f32).collect::<Vec<_>>());
    }

    #[test]
    fn faults_have_positions_and_remedies() {
        let header = "x,y,value\n5,15,1\n";
        for (table, world, at, help) in [
            ("", PLANE, "1:1: the table is empty", "rows of numbers"),
            (
                "1,2\n3,4\n",
                PLANE,
                "1:4: the line has 2 numbers, the grid has 3 cells along x",
                "2 lines of 3",
            ),
            ("1,2,3\n4,5,6,7\n", PLANE, "2:7: the line has 4 numbers", "3 x 2 cells"),
            ("1,2,3\n", PLANE, "1:1: the table has 1 lines, the grid has 2 cells along y", "3 x 2 cells"),
            ("1,2,3\n1,2,3\n\n1,2,3", PLANE, "4:1: the table has more lines than the 2 cells", "3 x 2 cells"),
            ("1,2,3\n1,,3\n", PLANE, "2:3: the cell has no `value`", "write a number"),
            ("1,2,3\n1,nan,3\n", PLANE, "2:3: the cell has no `value`", "write a number"),
            ("1,2,3\n1,two,3\n", PLANE, "2:3: `value` must be a number, not \"two\"", "write a number"),
            ("1,2,3\n1,1e30,3\n", PLANE, "2:3: `value` must be within", "write a number"),
            (
                "1,2\n1,2\n",
                SPACE,
                "1:1: a table of rows of numbers has the values of a plane",
                "x, y, z and value",
            ),
            ("P2 1 1 1 1", SPACE, "1:1: a picture has the values of a plane", "x, y, z and value"),
            ("P2 2 1 1 1", PLANE, "1:1: it is not a plain PGM", "PNG"),
            ("P2 1 1 1 2", PLANE, "1:1: it is not a plain PGM", "PNG"),
            ("P2 0 1 1", PLANE, "1:1: it is not a plain PGM", "PNG"),
            ("P2 65536 65536 1", PLANE, "1:1: it is not a plain PGM", "PNG"),
            (
                "a,b\n1,2\n",
                PLANE,
                "1:1: the table has neither rows of numbers nor a column x",
                "add the column x",
            ),
            (
                "x,y\n1,2\n",
                PLANE,
                "1:1: the table has neither rows of numbers nor a column value",
                "column value",
            ),
            (
                "x,y,value\n",
                SPACE,
                "1:1: the table has neither rows of numbers nor a column z",
                "add the column z",
            ),
            (&format!("{header}15,15\n"), PLANE, "3:6: the cell has no `value`", "write a number"),
            (
                &format!("{header}1,12,1\n"),
                PLANE,
                "3:1: the line is in the same cell as line 2",
                "one line for each",
            ),
            (header, PLANE, "1:1: no line has the value of the cell at (5, 5)", "the grid has 6 cells"),
        ] {
            let faults = values(table, world, "").unwrap_err().faults;
            let (fault, place) = (&faults[0], format!("t.csv:{at}"));
            assert!(fault.message.starts_with(&place), "{table}: {}", fault.message);
            assert!(
                fault.help.as_deref().is_some_and(|text| text.contains(help)),
                "{table}: {:?}",
                fault.help
            );
            assert_eq!((fault.line, fault.column), (2, 51), "{table}");
        }
        let open = "Plane(size: (30, 20), edges: Open)";
        let outside = values(&format!("{header}-1,5,1\n"), open, "").unwrap_err().faults;
        assert!(outside[0].message.starts_with("t.csv:3:1: the point is outside the grid"), "{outside:?}");
    }
}
