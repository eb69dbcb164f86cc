//! The values of plots as tables.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use steerbox_core::sim::csv_field;
use steerbox_core::text::number_cell;

use super::chart::PlottedRun;
use super::plot::{Plot, PlotKind};
use super::sample::of_units;
use super::{Key, Subject};
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

impl ViewState {
    /// The values of a plot, or of all visible plots over time.
    pub(crate) fn plot_table(&self, session: &LiveSession, plot: Option<&Plot>) -> String {
        let runs = self.plotted_runs(session);
        let Some(plot) = plot else {
            return over_time(&runs, &self.plots.keys().cloned().collect::<Vec<_>>(), None);
        };
        let span = self.plots.span.filter(|_| plot.kind != PlotKind::OverTime);
        let mut keys = plot.keys.clone();
        match &plot.kind {
            PlotKind::OverTime => {}
            PlotKind::Histogram => {
                if let Some(table) = by_unit(&runs, &keys) {
                    return table;
                }
            }
            PlotKind::Against(measure) => {
                let x = plot.keys.iter().filter_map(|key| self.plots.series().key(measure, key.subject));
                keys.splice(0..0, x.cloned());
            }
        }
        over_time(&runs, &keys, span)
    }
}

/// The first line of a table: `run` only if there are two.
fn head(runs: &[PlottedRun<'_>], fixed: &str, measures: &[String]) -> String {
    let mut head = if runs.len() > 1 { format!("run,{fixed}") } else { fixed.to_owned() };
    for measure in measures {
        let _ = write!(head, ",{}", csv_field(measure));
    }
    head.push('\n');
    head
}

/// The first cell of a row with its comma: the letter of the run, if there are two.
fn first(run: &PlottedRun<'_>) -> String {
    if run.letter.is_empty() { String::new() } else { format!("{},", run.letter) }
}

/// A row for each time and group, or unit.
pub(super) fn over_time(runs: &[PlottedRun<'_>], keys: &[Key], span: Option<[f32; 2]>) -> String {
    let mut columns: Vec<_> = keys.iter().map(Key::title).collect();
    // Keys are in the order of their quantities, not of their titles.
    let mut titles = BTreeSet::new();
    columns.retain(|title| titles.insert(title.clone()));
    let subjects: BTreeSet<_> = keys.iter().map(|key| key.subject).collect();
    let mut table = head(runs, "time,of", &columns);
    for run in runs {
        let rows = |subject: Subject| {
            let find =
                |title: &String| keys.iter().find(|key| key.subject == subject && key.title() == *title);
            let row: Vec<_> = columns.iter().map(find).collect();
            (run.plots.name_of(subject), run.plots.series().rows(&row).collect::<Vec<_>>())
        };
        let tables: Vec<_> = subjects.iter().copied().map(rows).collect();
        let times = tables.first().map_or(0, |(_, rows)| rows.len());
        for at in 0..times {
            for (name, rows) in &tables {
                let (time, cells) = &rows[at];
                if span.is_none_or(|[from, to]| (from..=to).contains(time)) {
                    let first = first(run);
                    let _ = writeln!(
                        table,
                        "{first}{},{},{}",
                        number_cell(time, false),
                        csv_field(name),
                        cells.join(",")
                    );
                }
            }
        }
    }
    table
}

/// A row for each unit in the shown step; `None` if a series has no values of units.
fn by_unit(runs: &[PlottedRun<'_>], keys: &[Key]) -> Option<String> {
    let title = keys.first()?.title();
    let mut table = head(runs, "time,of,unit", &[title]);
    for run in runs {
        let time = run.simulation.world().decimal_time();
        for key in keys {
            let (first, name) = (first(run), csv_field(&run.plots.name_of(key.subject)).into_owned());
            for (unit, value) in of_units(run.simulation, key)? {
                let _ = writeln!(
                    table,
                    "{first}{},{name},{unit},{}",
                    number_cell(time, false),
                    number_cell(value, key.quantity.is_count())
                );
            }
        }
    }
    Some(table)
}
