//! A table of results beside the scene: its plot, and the run of a row that is opened.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;

use steerbox_core::diagnostics::counted;
use steerbox_project::experiment::Manifest;
use steerbox_project::plot::{Chart, Choice, Content, Query, Spot, Table, chart_of, rounded};
use steerbox_project::session::{Moment, Options};

/// A table of results, its plot and its runs.
pub struct Results {
    /// The name of the file.
    pub(crate) name: String,
    pub(crate) table: Table,
    manifest: Arc<Manifest>,
    /// True if the pane is open.
    pub(crate) open: bool,
    /// The chosen columns, and the plot or the reason why there is none.
    pub(crate) choice: Choice,
    pub(crate) plotted: Result<(Query, Chart), String>,
    /// The run that is being opened.
    opening: Option<Opening>,
}

/// A run that is repeated on a thread of its own; it ends when this is dropped.
struct Opening {
    row: u64,
    moment: Receiver<Result<Moment, String>>,
    ended: Arc<AtomicBool>,
}

impl Drop for Opening {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Release);
    }
}

impl Results {
    /// The results of a sweep, from its table and its manifest.
    pub fn new(name: String, table: Table, manifest: Manifest) -> Self {
        let (choice, manifest) = (Choice::default(), Arc::new(manifest));
        let plotted = plotted(&table, &choice);
        Self { name, table, manifest, open: true, choice, plotted, opening: None }
    }

    /// Plots other columns.
    pub(crate) fn choose(&mut self, choice: Choice) {
        self.plotted = plotted(&self.table, &choice);
        self.choice = choice;
    }

    /// The row whose run is being opened.
    pub(crate) fn opening(&self) -> Option<u64> {
        self.opening.as_ref().map(|opening| opening.row)
    }

    /// Starts to repeat the run of a row, counted from 1, in place of one that is repeated.
    pub(crate) fn open_row(&mut self, row: u64) {
        let (sender, moment) = channel();
        let (manifest, ended) = (Arc::clone(&self.manifest), Arc::new(AtomicBool::new(false)));
        let until = Arc::clone(&ended);
        let repeat = move || {
            let moment = manifest.before_last_step(row, &until);
            if let Some(moment) = moment.map_err(|error| format!("{error:#}")).transpose() {
                // The receiver may be gone.
                let _ = sender.send(moment);
            }
        };
        // Without a thread, the channel is closed.
        let _ = thread::Builder::new().name("row".to_owned()).spawn(repeat);
        self.opening = Some(Opening { row, moment, ended });
    }

    /// Returns row and options of the run that is ready: the moment before its last measured step.
    pub(crate) fn take_run(&mut self) -> Option<(u64, Result<Options, String>)> {
        let opening = self.opening.as_ref()?;
        let moment = match opening.moment.try_recv() {
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Err("its thread ended".to_owned()),
            Ok(moment) => moment,
        };
        let row = opening.row;
        self.opening = None;
        Some((row, moment.map(Options::at)))
    }

    /// Describes a drawn value, and lists its rows by their index, that of the run nearest to the value first.
    pub(crate) fn at(&self, spot: &Spot) -> Option<(String, Vec<u32>)> {
        let (query, chart) = self.plotted.as_ref().ok()?;
        let [line, at] = spot.item;
        let panel = chart.panels.get(spot.panel)?;
        let column = |at: Option<usize>| at.and_then(|at| self.table.columns.get(at));
        let text = |at: Option<usize>, value: f64| {
            column(at).map_or_else(String::new, |column| {
                let value = if column.is_numeric() { rounded(value) } else { column.text(value) };
                format!("{} = {value}", column.name)
            })
        };
        let mean = |value: f64, interval: Option<[f64; 2]>| match interval {
            Some([low, high]) => format!("{} ({} to {})", rounded(value), rounded(low), rounded(high)),
            None => rounded(value),
        };
        let (place, value, words, rows) = match &panel.content {
            Content::Lines(lines) | Content::Points(lines) => {
                let point = lines.get(line)?.points.get(at)?;
                let by = column(query.by).zip(point.rows.first());
                let by = by.map(|(column, row)| text(query.by, column.values[*row as usize]));
                let place = [Some(text(query.x, point.at[0])), by].into_iter().flatten();
                let place = place.collect::<Vec<_>>().join(", ");
                (place, point.at[1], mean(point.at[1], point.interval), &point.rows)
            }
            Content::Cells(cells, _) => {
                let cell = cells.get(at)?;
                let place = format!("{}, {}", text(query.x, cell.at[0]), text(query.by, cell.at[1]));
                (place, cell.value, mean(cell.value, cell.interval), &cell.rows)
            }
            Content::Bars(bars) => {
                let bar = bars.get(at)?;
                let place = bar.ends.map(rounded).join(" to ");
                (place, (bar.ends[0] + bar.ends[1]) * 0.5, panel.title.clone(), &bar.rows)
            }
        };
        let measure = self.measure(spot.panel)?;
        let values = &self.table.columns[measure].values;
        let mut rows = rows.clone();
        let far = |row: &u32| (values[*row as usize] - value).abs();
        rows.sort_by(|a, b| far(a).total_cmp(&far(b)));
        let runs = counted(rows.len() as u64, ["run", "runs"]);
        Some((format!("{}\n{place}\n{words}, {runs}", panel.title), rows))
    }

    /// The column of the measure of a panel.
    fn measure(&self, panel: usize) -> Option<usize> {
        let (query, chart) = self.plotted.as_ref().ok()?;
        let parts = chart.panels.len() / query.y.len().max(1);
        query.y.get(panel / parts.max(1)).copied()
    }

    /// Describes a row: its number, its seed, and its value in a panel.
    pub(crate) fn words(&self, row: u32, panel: usize) -> String {
        let (number, seed) = (self.number(row), self.table.seeds.get(row as usize));
        let value = self.measure(panel).and_then(|at| self.table.columns[at].values.get(row as usize));
        let [seed, value] = [seed.map(u64::to_string), value.map(|value| rounded(*value))];
        format!("row {number}, seed {}: {}", seed.unwrap_or_default(), value.unwrap_or_default())
    }

    /// The number of a row in the file, from 1.
    pub(crate) fn number(&self, row: u32) -> u64 {
        self.table.rows.get(row as usize).copied().unwrap_or_default()
    }
}

fn plotted(table: &Table, choice: &Choice) -> Result<(Query, Chart), String> {
    let query = Query::of(table, choice)?;
    let chart = chart_of(table, &query)?;
    Ok((query, chart))
}
