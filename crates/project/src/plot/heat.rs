//! Heat maps.

use super::axis::{Axis, result_ends};
use super::chart::{Cell, Content, Panel};
use super::column::Column;
use super::lines::Bounds;
use super::query::Query;
use super::split::rows_by;
use super::table::Table;
use super::units::most;
use crate::experiment::Sample;

/// Returns the means of a measure over two columns.
pub(super) fn panel(table: &Table, query: &Query, y: usize, (title, rows): (String, &[u32])) -> Panel {
    let [across, up] = [query.x, query.by].map(Option::unwrap_or_default);
    let (x, by, values) = (&table.columns[across], &table.columns[up], &table.columns[y].values);
    let [xs, ys] = [x.distinct(), by.distinct()];
    let (mut cells, mut bounds) = (Vec::new(), Bounds::default());
    for (row, rows) in rows_by(table, Some(up), &ys, rows) {
        for (column, rows) in rows_by(table, Some(across), &xs, &rows) {
            let rows: Vec<_> = rows.into_iter().filter(|row| values[*row as usize].is_finite()).collect();
            let sample: Sample = rows.iter().map(|row| values[*row as usize]).collect();
            let Some(value) = sample.mean() else { continue };
            bounds.add(value);
            let ends = [edges(&xs, column), edges(&ys, row)];
            let interval = sample.interval().map(|(low, high)| [low, high]);
            cells.push(Cell { at: [xs[column], ys[row]], ends, value, interval, rows });
        }
    }
    let ends = result_ends(bounds.ends(), most(&table.columns[y].name));
    let ends = if ends[1] > ends[0] { ends } else { [ends[0] - 0.5, ends[0] + 0.5] };
    let scale = Axis { label: String::new(), ends, own: Vec::new() };
    Panel {
        title,
        x: axis(x, &xs),
        y: axis(by, &ys),
        content: Content::Cells(cells, scale),
        reference: Vec::new(),
    }
}

/// Returns the axis whose ends are those of the outer cells.
fn axis(column: &Column, values: &[f64]) -> Axis {
    let axis = Axis::of_values(column, values).with_own(column, values);
    let ends = [edges(values, 0)[0], edges(values, values.len().saturating_sub(1))[1]];
    Axis { ends, ..axis }
}

/// Returns the ends of the cell of a value: halfway to its neighbors.
fn edges(values: &[f64], at: usize) -> [f64; 2] {
    let value = values.get(at).copied().unwrap_or_default();
    let half = |other: Option<&f64>| other.map(|other| (other - value).abs() * 0.5);
    let before = half(at.checked_sub(1).and_then(|at| values.get(at)));
    let after = half(values.get(at + 1));
    let [before, after] = [before.or(after).unwrap_or(0.5), after.or(before).unwrap_or(0.5)];
    [value - before, value + after]
}
