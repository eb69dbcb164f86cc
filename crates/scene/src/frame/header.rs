//! The first lines of tables of other programs: names of columns, comments, and lines below the names.

use std::collections::BTreeMap;

use steerbox_core::text::{cells, separator};

use super::row::Row;

/// The names of columns, each with those of other programs (`JuPedSim`, `TrackMate`, `trackpy`). The first one in a table is meant.
const NAMES: [(&str, &[&str]); 6] = [
    ("id", &["track_id", "trackid", "particle", "ped_id", "person_id", "agent_id", "id"]),
    ("frame", &["frame", "fr", "frame_id", "frame_number"]),
    ("time", &["time", "seconds", "position_t"]),
    ("x", &["x", "position_x", "pos_x"]),
    ("y", &["y", "position_y", "pos_y"]),
    ("z", &["z", "position_z", "pos_z"]),
];

/// Returns the header of a table, and the number of lines to the first row.
pub(super) fn of(comments: &[(usize, &str)], lines: &[(usize, &str)]) -> Option<(Row, usize)> {
    let first = *lines.first()?;
    let by = separator(first.1);
    let mut header = Row::new(first, by);
    if header.cells.iter().all(|cell| cell.parse::<f64>().is_ok()) {
        // The names may be in a comment.
        let named = |(number, line): &(usize, &str)| {
            let text = line.trim_start_matches('#').trim();
            let mut header = Row::new((*number, text), separator(text));
            (header.cells, header.separator) = (renamed(&header.cells), by);
            ["x", "y"].iter().all(|name| header.cells.iter().any(|cell| cell == name)).then_some(header)
        };
        if let Some(header) = comments.iter().rev().find_map(named) {
            return Some((header, 0));
        }
    }
    if header.cells[0].eq_ignore_ascii_case("scorer") {
        return Some(of_parts(header, lines));
    }
    header.cells = renamed(&header.cells);
    // TrackMate has descriptions and units below the names.
    let x = header.cells.iter().position(|cell| cell == "x");
    let is_described = header.text.contains("POSITION_X");
    let is_row = |line: &&(usize, &str)| {
        x.is_none_or(|x| cells(line.1, by).get(x).is_some_and(|cell| cell.trim().parse::<f64>().is_ok()))
    };
    let described = if is_described { lines[1..].iter().take_while(|line| !is_row(line)).count() } else { 0 };
    Some((header, 1 + described))
}

/// Returns the frames per second in a comment, as in tables of `PedPy` and `JuPedSim`.
pub(super) fn rate(comment: &str) -> Option<f64> {
    let (name, value) = comment.trim_start_matches('#').split_once([':', '='])?;
    let name = name.to_lowercase().replace([' ', '_'], "");
    let rate = value.split_whitespace().next()?.parse().ok()?;
    (matches!(name.as_str(), "framerate" | "fps") && rate > 0.0 && f64::is_finite(rate)).then_some(rate)
}

/// Returns the names of columns, with names of other programs replaced by the names of this one.
fn renamed(names: &[String]) -> Vec<String> {
    // Units of length and time follow: `x/m`, `x [m]`.
    let plain = |name: &String| name.split(['/', '[', '(']).next().unwrap_or_default().trim().to_lowercase();
    let mut renamed = names.to_vec();
    for (own, others) in NAMES {
        let found = others.iter().find_map(|other| names.iter().position(|name| plain(name) == *other));
        if let Some(at) = found.filter(|at| names[*at] != own) {
            renamed.iter_mut().filter(|name| *name == own).for_each(String::clear);
            own.clone_into(&mut renamed[at]);
        }
    }
    renamed
}

/// Reads the first lines of `DeepLabCut`: scorer, individuals if there are several, bodyparts, and coordinates. Each body part is a
/// unit of the wide form.
fn of_parts(mut header: Row, lines: &[(usize, &str)]) -> (Row, usize) {
    let rows: Vec<Row> = lines.iter().take(4).map(|line| Row::new(*line, header.separator)).collect();
    let end = rows.iter().position(|row| row.cells[0].eq_ignore_ascii_case("coords"));
    let end = end.unwrap_or(rows.len() - 1);
    let cell = |row: &Row, column: usize| row.cells.get(column).cloned().unwrap_or_default();
    let mut parts = BTreeMap::new();
    for column in 1..header.cells.len() {
        let part: Vec<String> = rows[1..end.max(1)].iter().map(|row| cell(row, column)).collect();
        let next = parts.len() + 1;
        let number = parts.entry(part).or_insert(next);
        header.cells[column] = format!("{}{number}", cell(&rows[end], column));
    }
    "frame".clone_into(&mut header.cells[0]);
    (header, end + 1)
}
