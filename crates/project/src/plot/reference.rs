//! References of a plot: the points of another table, with their intervals, beside the curves of the results.

use std::io::BufRead;

use steerbox_core::text::{cells, separator};

use super::chart::{Chart, Content, Point};
use super::column::Role;
use super::query::Query;
use super::table::{Table, read_line, text};
use crate::experiment::interval_of_error;

/// Maximum number of rows of a table.
const MAX_ROWS: usize = 1_000_000;
/// Maximum difference of equal values, as a share of them: tables have six digits.
const EQUAL: f64 = 1e-5;

/// A table of known values: a row per point.
#[derive(Clone, Debug)]
pub struct Reference {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Reference {
    /// Reads a table with names in the first line.
    ///
    /// # Errors
    /// With the line and the reason.
    pub fn read(mut file: impl BufRead) -> Result<Self, String> {
        let (mut line, mut rows) = (Vec::new(), Vec::new());
        read_line(&mut file, &mut line, 1)?;
        let header = text(&line, 1)?.trim_start_matches('\u{feff}');
        let separator = separator(header);
        let names = cells(header, separator);
        let names: Vec<_> = names.into_iter().map(|name| name.trim().to_owned()).collect();
        let mut number = 1;
        while read_line(&mut file, &mut line, number + 1)? {
            number += 1;
            let cells = cells(text(&line, number)?, separator);
            if cells.len() != names.len() {
                let (found, expected) = (cells.len(), names.len());
                return Err(format!("line {number} has {found} cells, the first line {expected}"));
            }
            if rows.len() == MAX_ROWS {
                return Err(format!("it has more than {MAX_ROWS} rows"));
            }
            rows.push(cells);
        }
        if rows.is_empty() { Err("it has no rows".to_owned()) } else { Ok(Self { names, rows }) }
    }

    /// Returns the index of the column that a name refers to: the same name, or its last part in any case.
    fn column(&self, name: &str) -> Option<usize> {
        let last = name.rsplit('.').next().unwrap_or_default();
        let same = self.names.iter().position(|known| known == name);
        same.or_else(|| self.names.iter().position(|known| known.eq_ignore_ascii_case(last)))
    }

    /// Returns the 95 % interval of a mean: `low` and `high`, or the one that follows from `error`, the standard error, and
    /// `n`, the number of runs, if it is there.
    fn interval(&self, row: &[String], mean: f64) -> Option<[f64; 2]> {
        let named = |name: &str| number(row, self.column(name)?);
        if let (Some(low), Some(high)) = (named("low"), named("high")) {
            return Some([low, high]);
        }
        let half = interval_of_error(named("error")?, named("n").map(|n| n as u64));
        Some([mean - half, mean + half])
    }
}

impl Chart {
    /// Adds the points of a reference to the panels of curves; `name` is the name of its file.
    ///
    /// # Errors
    /// If the plot has no curves of a sweep, a column is missing, or no point is at a place of the plot.
    pub fn add_reference(
        &mut self,
        (name, reference): (&str, &Reference),
        (table, query): (&Table, &Query),
    ) -> Result<(), String> {
        let column = |at: usize| &table.columns[at];
        let Some(x) = query.x.filter(|at| column(*at).role == Role::Variable) else {
            return Err("only curves over a variable have a reference".to_owned());
        };
        if !self.panels.iter().all(|panel| matches!(panel.content, Content::Lines(_))) {
            return Err("only curves over a variable have a reference".to_owned());
        }
        let missing = |what: &str| format!("it has no column {what}; it has {}", reference.names.join(", "));
        let at_x = reference.column(&column(x).name).ok_or_else(|| missing(&column(x).name))?;
        // A value that the reference distinguishes must be one of the plot.
        let of = |at: Option<usize>| Some((reference.column(&column(at?).name)?, column(at?).distinct()));
        let (by, third) = (of(query.by), of(query.third));
        let measured = reference.column("measure");
        let parts = (self.panels.len() / query.y.len().max(1)).max(1);
        let mut count = 0;
        for (index, panel) in self.panels.iter_mut().enumerate() {
            let measure = &column(query.y[index / parts]).name;
            let last = measure.rsplit('.').next().unwrap_or_default();
            let value = reference.column("mean").or_else(|| reference.column(measure));
            let value = value.ok_or_else(|| missing(&format!("mean or {measure}")))?;
            let is_shown = |row: &&Vec<String>| {
                let is_measured = measured.is_none_or(|at| row[at] == *measure || row[at] == last);
                let is_known = by.as_ref().is_none_or(|(at, values)| {
                    let found = number(row, *at);
                    found.is_some_and(|found| values.iter().any(|value| are_equal(found, *value)))
                });
                let is_third = third.as_ref().is_none_or(|(at, values)| {
                    let found = number(row, *at).zip(values.get(index % parts));
                    found.is_some_and(|(found, value)| are_equal(found, *value))
                });
                is_measured && is_known && is_third
            };
            for row in reference.rows.iter().filter(is_shown) {
                let pair = number(row, at_x).zip(number(row, value));
                let Some((x, mean)) = pair else { continue };
                let interval = reference.interval(row, mean);
                panel.reference.push(Point { at: [x, mean], interval, rows: Vec::new() });
                let ends = interval.unwrap_or([mean; 2]);
                panel.x.ends = [panel.x.ends[0].min(x), panel.x.ends[1].max(x)];
                panel.y.ends = [panel.y.ends[0].min(ends[0]), panel.y.ends[1].max(ends[1])];
                count += 1;
            }
        }
        if count == 0 {
            return Err("none of its rows has the measure and the values of the plot".to_owned());
        }
        self.notes.push(format!("circles: {name} with the 95 % interval"));
        Ok(())
    }
}

/// Returns the number in a cell of a row.
fn number(row: &[String], column: usize) -> Option<f64> {
    row.get(column)?.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

fn are_equal(a: f64, b: f64) -> bool {
    (a - b).abs() <= EQUAL * a.abs().max(b.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Choice, chart_of};

    const SWEEP: &str = "a.count,a.rule.NOISE,seed,order,hash\n\
        40,0,1,1,00\n40,0,2,0.9,01\n40,1,1,0.5,02\n40,1,2,0.4,03\n\
        100,0,1,1,04\n100,0,2,1,05\n100,1,1,0.2,06\n100,1,2,0.3,07\n";

    fn with(reference: &str) -> Result<Chart, String> {
        let table = Table::read(SWEEP.as_bytes()).expect("a table");
        let some = |name: &str| Some(name.to_owned());
        let choice = Choice { x: some("a.rule.NOISE"), by: some("a.count"), ..Choice::default() };
        let query = Query::of(&table, &choice).expect("columns");
        let mut chart = chart_of(&table, &query).expect("a chart");
        let reference = Reference::read(reference.as_bytes())?;
        chart.add_reference(("r.csv", &reference), (&table, &query)).map(|()| chart)
    }

    fn points(chart: &Chart) -> Vec<([f64; 2], Option<[f64; 2]>)> {
        chart.panels[0].reference.iter().map(|point| (point.at, point.interval)).collect()
    }

    #[test]
    fn rows_at_the_values_of_the_plot_are_points_with_intervals() {
        let chart =
            with("count,noise,n,mean,error\n40,0,2,0.9,0.1\n40,1,,1.5,0.1\n400,1,2,7,1\n").expect("it fits");
        let found = points(&chart);
        assert_eq!(found.len(), 2, "a row of another count is not a point: {found:?}");
        let [low, high] = found[0].1.expect("an interval");
        // Student's distribution with one degree of freedom.
        assert!((low + 0.3706).abs() < 1e-3 && (high - 2.1706).abs() < 1e-3, "{low} {high}");
        let [low, high] = found[1].1.expect("an interval");
        assert!((low - 1.304).abs() < 1e-3 && (high - 1.696).abs() < 1e-3, "{low} {high}");
        assert!(chart.panels[0].y.ends[1] >= 2.17, "the axis contains the intervals");
        assert!(chart.notes.contains(&"circles: r.csv with the 95 % interval".to_owned()));
    }

    #[test]
    fn summaries_and_plain_values_are_references() {
        let summary = "a.count,a.rule.NOISE,measure,n,mean,deviation,low,high\n40,0,order,2,0.9,0.1,0.8,1\n40,0,speed,2,9,0,9,9\n";
        assert_eq!(points(&with(summary).expect("it fits")), [([0.0, 0.9], Some([0.8, 1.0]))]);
        assert_eq!(points(&with("NOISE,order\n1,0.3\n").expect("it fits")), [([1.0, 0.3], None)]);
    }

    #[test]
    fn tables_that_do_not_fit_the_plot_are_refused_with_the_reason() {
        for (text, part) in [
            ("", "no rows"),
            ("noise,mean\n", "no rows"),
            ("noise,mean\n1\n", "line 2 has 1 cells, the first line 2"),
            ("eta,mean\n1,2\n", "no column a.rule.NOISE; it has eta, mean"),
            ("noise,speed\n1,2\n", "no column mean or order"),
            ("count,noise,mean\n7,1,2\n", "none of its rows"),
        ] {
            let error = with(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
