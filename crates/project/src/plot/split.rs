//! The division of the rows of a table by values, and the colors of the parts.

use super::chart::{Entry, Hue};
use super::table::Table;

/// Maximum number of colors of the palette; more values have colors of the scale.
const PALETTE: usize = 8;
/// Maximum number of entries of a legend.
const MAX_ENTRIES: usize = 10;

/// The rows of one color: its index, and their indices.
pub(super) type Colored = (usize, Vec<u32>);

pub(super) fn all_rows(table: &Table) -> Vec<u32> {
    (0..table.rows.len() as u32).collect()
}

/// Returns the rows with each value of a column; all rows if there is no column.
pub(super) fn rows_by(table: &Table, column: Option<usize>, values: &[f64], rows: &[u32]) -> Vec<Colored> {
    let Some(column) = column.and_then(|at| table.columns.get(at)) else {
        return vec![(0, rows.to_vec())];
    };
    let mut parts: Vec<Colored> = (0..values.len()).map(|at| (at, Vec::new())).collect();
    for row in rows {
        let value = column.values[*row as usize];
        let at = values.partition_point(|known| *known < value);
        if let Some((_, rows)) = parts.get_mut(at).filter(|_| value.is_finite()) {
            rows.push(*row);
        }
    }
    parts
}

/// Returns the color of one of `count` series.
pub(super) fn hue(at: usize, count: usize) -> Hue {
    if count <= PALETTE { Hue::Palette(at) } else { Hue::Scale(at as f32 / (count - 1) as f32) }
}

/// Returns the legend of `count` series; of many, some of them.
pub(super) fn entries(count: usize, name: impl Fn(usize) -> String) -> Vec<Entry> {
    let shown = count.min(MAX_ENTRIES);
    let at = |index: usize| if shown == count { index } else { index * (count - 1) / (shown - 1) };
    (0..shown).map(at).map(|at| Entry { name: name(at), hue: hue(at, count) }).collect()
}
