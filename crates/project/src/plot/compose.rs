//! The panels, legend and remarks of a plot.

use steerbox_core::diagnostics::counted;

use super::chart::{Chart, Content, Panel};
use super::choice::Kind;
use super::query::Query;
use super::split::{all_rows, entries, rows_by};
use super::table::{Source, Table};
use super::units::labeled;
use super::{heat, lines};

/// Returns the plot of a table.
///
/// # Errors
/// If there is nothing to plot.
pub fn chart_of(table: &Table, query: &Query) -> Result<Chart, String> {
    let mut chart = Chart { notes: notes(table, query), ..Chart::default() };
    if table.source == Source::Metrics && query.by.is_none() && query.kind == Kind::Line {
        lines::by_group(table, query, &mut chart);
    } else {
        panels(table, query, &mut chart);
    }
    if chart.panels.iter().all(|panel| panel.content.is_empty()) {
        return Err("nothing to plot: no row has a number in each of the chosen columns".to_owned());
    }
    Ok(chart)
}

/// Adds the panels, for each measure and value of the third variable.
fn panels(table: &Table, query: &Query, chart: &mut Chart) {
    let is_heat = query.kind == Kind::Heat;
    let by = query.by.filter(|_| !is_heat);
    let colors = by.map(|at| table.columns[at].distinct()).unwrap_or_default();
    if let Some(at) = by {
        chart.legend = labeled(&table.columns[at].name);
        chart.entries = entries(colors.len(), |index| table.columns[at].text(colors[index]));
    }
    let thirds = query.third.map(|at| table.columns[at].distinct()).unwrap_or_default();
    for y in &query.y {
        let first = chart.panels.len();
        let parts = rows_by(table, query.third, &thirds, &all_rows(table));
        for (part, rows) in parts {
            let colored = rows_by(table, by, &colors, &rows);
            let mut title = labeled(&table.columns[*y].name);
            if let Some(third) = query.third {
                let column = &table.columns[third];
                title = format!("{title}, {} = {}", column.name, column.text(thirds[part]));
            }
            let count = colors.len();
            let panel = match query.kind {
                Kind::Line => lines::means(table, query, *y, (title, &colored, count)),
                Kind::Scatter => lines::scatter(table, query, *y, (title, &colored, count)),
                Kind::Histogram => lines::histogram(table, *y, (title, &colored, count)),
                Kind::Heat => heat::panel(table, query, *y, (title, &rows)),
            };
            chart.panels.push(panel);
        }
        share_ends(&mut chart.panels[first..]);
    }
}

/// Extends the axes and colors of panels of one measure to common ends.
pub fn share_ends(panels: &mut [Panel]) {
    let join = |ends: &mut Option<[f64; 2]>, [first, last]: [f64; 2]| {
        let [a, b] = ends.unwrap_or([first, last]);
        *ends = Some([a.min(first), b.max(last)]);
    };
    let (mut of_x, mut of_y, mut of_scale) = (None, None, None);
    for panel in panels.iter().filter(|panel| !panel.content.is_empty()) {
        join(&mut of_x, panel.x.ends);
        join(&mut of_y, panel.y.ends);
        if let Content::Cells(_, scale) = &panel.content {
            join(&mut of_scale, scale.ends);
        }
    }
    for panel in panels {
        panel.x.ends = of_x.unwrap_or(panel.x.ends);
        panel.y.ends = of_y.unwrap_or(panel.y.ends);
        if let Content::Cells(_, scale) = &mut panel.content {
            scale.ends = of_scale.unwrap_or(scale.ends);
        }
    }
}

/// Returns the remarks below a plot.
fn notes(table: &Table, query: &Query) -> Vec<String> {
    let mut notes = Vec::new();
    if matches!(query.kind, Kind::Line | Kind::Heat) && table.source == Source::Sweep {
        notes.push("mean of runs".to_owned());
        if query.kind == Kind::Line {
            notes[0].push_str(" with the 95 % confidence interval");
        }
    }
    if !query.pooled.is_empty() {
        let names: Vec<_> = query.pooled.iter().map(|at| table.columns[*at].name.as_str()).collect();
        notes.push(format!("over all values of {}", names.join(", ")));
    }
    if query.left > 0 {
        notes.push(format!("{} more: --y chooses", counted(query.left, ["measure", "measures"])));
    }
    if table.failed > 0 {
        notes.push(format!("{} skipped", counted(table.failed, ["failed run", "failed runs"])));
    }
    notes
}

impl Content {
    fn is_empty(&self) -> bool {
        match self {
            Self::Lines(lines) | Self::Points(lines) => lines.iter().all(|line| line.points.is_empty()),
            Self::Cells(cells, _) => cells.is_empty(),
            Self::Bars(bars) => bars.is_empty(),
        }
    }
}
