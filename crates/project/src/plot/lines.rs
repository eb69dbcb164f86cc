//! Curves, scatter plots and histograms.

use super::axis::{Axis, result_ends};
use super::chart::{Bar, Chart, Content, Hue, Line, Panel, Point};
use super::query::{MOST_PANELS, Query};
use super::split::{Colored, all_rows, entries, hue, rows_by};
use super::table::Table;
use super::units::{labeled, most};
use crate::experiment::Sample;

/// Fewest and most bars of a histogram.
const BARS: [usize; 2] = [5, 50];

/// The common parts of panels: the title, the rows of each color, and the number of colors.
type Part<'a> = (String, &'a [Colored], usize);

/// Returns the curves of means over the rows with the same x.
pub(super) fn means(table: &Table, query: &Query, y: usize, (title, colored, count): Part<'_>) -> Panel {
    let at = query.x.unwrap_or_default();
    let (x, values) = (&table.columns[at], &table.columns[y].values);
    let distinct = x.distinct();
    let mut bounds = Bounds::default();
    let lines = colored.iter().map(|(color, rows)| {
        let parts = rows_by(table, Some(at), &distinct, rows);
        let point = |(index, rows): Colored| {
            let rows: Vec<_> = rows.into_iter().filter(|row| values[*row as usize].is_finite()).collect();
            let sample: Sample = rows.iter().map(|row| values[*row as usize]).collect();
            let interval = sample.interval().map(|(low, high)| [low, high]);
            Some(Point { at: [distinct[index], sample.mean()?], interval, rows })
        };
        let points: Vec<_> = parts.into_iter().filter(|(_, rows)| !rows.is_empty()).map(point).collect();
        for point in points.iter().flatten() {
            bounds.add(point.at[1]);
            point.interval.iter().flatten().for_each(|end| bounds.add(*end));
        }
        parted(&points, hue(*color, count))
    });
    let lines = lines.flatten().collect();
    let ends = result_ends(bounds.ends(), most(&table.columns[y].name));
    let x = Axis::of_values(x, &distinct).with_own(x, &distinct);
    Panel {
        title,
        x,
        y: Axis::of_interval(String::new(), ends),
        content: Content::Lines(lines),
        reference: Vec::new(),
    }
}

/// Returns the parts of a curve between gaps, which are places without a value.
fn parted(points: &[Option<Point>], hue: Hue) -> Vec<Line> {
    let parts = points.split(Option::is_none).filter(|part| !part.is_empty());
    let line = |part: &[Option<Point>]| Line {
        hue,
        is_dashed: false,
        points: part.iter().flatten().cloned().collect(),
    };
    parts.map(line).collect()
}

/// Returns a point for each row.
pub(super) fn scatter(table: &Table, query: &Query, y: usize, (title, colored, count): Part<'_>) -> Panel {
    let (x, values) = (&table.columns[query.x.unwrap_or_default()], &table.columns[y].values);
    let mut bounds = Bounds::default();
    let lines = colored.iter().map(|(color, rows)| {
        let points = rows.iter().map(|row| [x.values[*row as usize], values[*row as usize]]);
        let points = points.zip(rows).filter(|(at, _)| at.iter().all(|value| value.is_finite()));
        let points: Vec<_> = points.map(|(at, row)| Point { at, interval: None, rows: vec![*row] }).collect();
        for point in &points {
            bounds.add(point.at[1]);
        }
        Line { hue: hue(*color, count), is_dashed: false, points }
    });
    let content = Content::Points(lines.collect());
    let y = Axis::of_interval(String::new(), bounds.ends());
    Panel { title, x: Axis::of_values(x, &x.distinct()), y, content, reference: Vec::new() }
}

/// Returns the numbers of rows by ranges of a measure, the colors above each other.
pub(super) fn histogram(table: &Table, y: usize, (title, colored, count): Part<'_>) -> Panel {
    let values = &table.columns[y].values;
    let parts = colored.iter().map(|(color, rows)| {
        let value = |row: &u32| Some((values[*row as usize], *row)).filter(|(value, _)| value.is_finite());
        (hue(*color, count), rows.iter().filter_map(value).collect())
    });
    let label = labeled(&table.columns[y].name);
    bars(&parts.collect::<Vec<_>>(), (title, label), "runs")
}

/// Returns a histogram of numbers with their rows, by color; `counted` is the name of the rows.
pub fn bars(parts: &[(Hue, Vec<(f64, u32)>)], (title, label): (String, String), counted: &str) -> Panel {
    let mut bounds = Bounds::default();
    parts.iter().flat_map(|(_, values)| values).for_each(|(value, _)| bounds.add(*value));
    let total: usize = parts.iter().map(|(_, values)| values.len()).sum();
    let count = ((total as f64).sqrt().ceil() as usize).clamp(BARS[0], BARS[1]);
    let [first, last] = bounds.ends();
    let width = (last - first) / count as f64;
    let (count, width) = if width > 0.0 && width.is_finite() { (count, width) } else { (1, 0.0) };
    let (mut tops, mut bars) = (vec![0.0; count], Vec::new());
    for (hue, values) in parts {
        let mut rows = vec![Vec::new(); count];
        for (value, row) in values {
            let at = if width > 0.0 { (((value - first) / width) as usize).min(count - 1) } else { 0 };
            rows[at].push(*row);
        }
        for (at, rows) in rows.into_iter().enumerate().filter(|(_, rows)| !rows.is_empty()) {
            let (from, top) = (tops[at], tops[at] + rows.len() as f64);
            tops[at] = top;
            let start = first + at as f64 * width;
            let ends = if width > 0.0 { [start, start + width] } else { [start - 0.5, start + 0.5] };
            bars.push(Bar { ends, counts: [from, top], hue: *hue, rows });
        }
    }
    let highest = tops.iter().fold(0.0, |a: f64, b| a.max(*b));
    let ends = bars.iter().fold([first, last], |[a, b], bar| [a.min(bar.ends[0]), b.max(bar.ends[1])]);
    let y = Axis { label: counted.to_owned(), ends: [0.0, highest.max(1.0) * 1.05], own: Vec::new() };
    Panel { title, x: Axis::of_interval(label, ends), y, content: Content::Bars(bars), reference: Vec::new() }
}

/// Adds a panel for each measure of a run, with a line for each group that has it.
pub(super) fn by_group(table: &Table, query: &Query, chart: &mut Chart) {
    let x = query.x.unwrap_or_default();
    let split = |at: usize| {
        let name = &table.columns[at].name;
        name.split_once('.').unwrap_or(("", name))
    };
    let (mut figures, mut groups) = (Vec::new(), Vec::new());
    for (group, figure) in query.y.iter().map(|at| split(*at)) {
        if !figures.contains(&figure) {
            figures.push(figure);
        }
        if !groups.contains(&group) && !group.is_empty() {
            groups.push(group);
        }
    }
    if figures.len() > MOST_PANELS {
        chart.notes.push(format!("{} more measures: --y chooses", figures.len() - MOST_PANELS));
        figures.truncate(MOST_PANELS);
    }
    if groups.len() > 1 {
        "group".clone_into(&mut chart.legend);
        chart.entries = entries(groups.len(), |at| groups[at].to_owned());
    }
    for figure in figures {
        let columns: Vec<_> = query.y.iter().copied().filter(|at| split(*at).1 == figure).collect();
        let lines = columns.iter().map(|y| {
            let color = groups.iter().position(|group| *group == split(*y).0).unwrap_or_default();
            let (x, values) = (&table.columns[x].values, &table.columns[*y].values);
            let point = |row: u32| {
                let at = [x[row as usize], values[row as usize]];
                at.iter().all(|value| value.is_finite()).then(|| Point {
                    at,
                    interval: None,
                    rows: vec![row],
                })
            };
            let points: Vec<_> = all_rows(table).into_iter().map(point).collect();
            parted(&points, hue(color, groups.len()))
        });
        let lines: Vec<_> = lines.flatten().collect();
        let values = lines.iter().flat_map(|line| &line.points).map(|point| point.at[1]);
        let ends = values.fold(Bounds::default(), Bounds::with).ends();
        let title = match groups.as_slice() {
            [group] => labeled(&format!("{group}.{figure}")),
            _ => labeled(figure),
        };
        let y = Axis::of_interval(String::new(), result_ends(ends, most(figure)));
        let column = &table.columns[x];
        let x = Axis::of_values(column, &column.distinct());
        chart.panels.push(Panel { title, x, y, content: Content::Lines(lines), reference: Vec::new() });
    }
}

/// The least and the greatest of some numbers.
#[derive(Default)]
pub(super) struct Bounds(Option<[f64; 2]>);

impl Bounds {
    pub(super) fn add(&mut self, value: f64) {
        let [least, most] = self.0.unwrap_or([value; 2]);
        self.0 = Some([least.min(value), most.max(value)]);
    }

    fn with(mut self, value: f64) -> Self {
        self.add(value);
        self
    }

    pub(super) fn ends(&self) -> [f64; 2] {
        self.0.unwrap_or([0.0, 1.0])
    }
}
