//! Designs: the variables of an experiment and the way in which their values form points.

use std::collections::BTreeSet;

use anyhow::{Context as _, anyhow, bail, ensure};
use steerbox_core::text::{self, composed};

use super::point_set::PointSet;
use super::request::Request;
use super::variable::Variable;
use crate::reload::Generation;

/// Maximum number of points of a table.
const MAX_POINTS: usize = 1_000_000;

/// The variables of an experiment.
#[derive(Debug)]
pub(super) struct Design {
    pub(super) variables: Vec<Variable>,
    /// True if point `i` has value `i` of each variable; otherwise the points are all combinations.
    pub(super) is_paired: bool,
}

impl Design {
    /// Reads the design of a request: all combinations of the values of `--vary`, a sample of their ranges, or a table.
    ///
    /// # Errors
    /// If the scene has no such variable, or a value does not fit.
    pub(super) fn of(request: &Request, first_seed: u64, generation: &Generation) -> anyhow::Result<Self> {
        let vary = request.vary.iter();
        match (&request.design, request.sample) {
            (Some(_), Some(_)) => bail!("--design and --sample: a table has its own points"),
            (Some(table), None) => {
                ensure!(request.vary.is_empty(), "--design and --vary: a table has its own variables");
                of_table(&composed(table), generation)
            }
            (None, Some(points)) => {
                ensure!(!request.vary.is_empty(), "--sample: name variables by --vary PATH=a..b");
                let variables = vary.map(|text| Variable::parse_bounds(&composed(text), generation));
                sampled(variables.collect::<anyhow::Result<_>>()?, points, first_seed, generation)
            }
            (None, None) => {
                let variables = vary.map(|text| Variable::parse(&composed(text), generation));
                Ok(Self { variables: variables.collect::<anyhow::Result<_>>()?, is_paired: false })
            }
        }
    }
}

fn sampled(
    variables: Vec<(Variable, [f64; 2])>,
    points: PointSet,
    seed: u64,
    generation: &Generation,
) -> anyhow::Result<Design> {
    let coordinates = points.coordinates(variables.len(), seed)?;
    let valued = variables.into_iter().zip(coordinates).map(|((variable, bounds), shares)| {
        let values = shares.iter().map(|share| variable.text_at(*share, bounds)).collect();
        variable.with_values(values, generation)
    });
    Ok(Design { variables: valued.collect::<anyhow::Result<_>>()?, is_paired: true })
}

/// Reads a table of values that commas, semicolons or tabs separate: paths of variables in the first line, then a point per line.
fn of_table(text: &str, generation: &Generation) -> anyhow::Result<Design> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let header = lines.next().context("--design: the table is empty")?;
    let separator = text::separator(header.1);
    let paths = text::cells(header.1, separator);
    let variable = |(at, path): (usize, &String)| {
        let of_path = || {
            let text = format!("{}=", path.trim());
            ensure!(
                path.contains('.'),
                "{path} is not a variable, such as GROUP.SCRIPT.PARAM: leave out the column"
            );
            let (variable, _) = Variable::of_path(&text, generation)?;
            variable.check_name(generation).map(|()| variable)
        };
        of_path().map_err(|error| at_cell(header, (at, separator), &error))
    };
    let mut variables = paths.iter().enumerate().map(variable).collect::<anyhow::Result<Vec<_>>>()?;
    for line in lines {
        let cells = text::cells(line.1, separator);
        let (number, expected, found) = (line.0, paths.len(), cells.len());
        ensure!(
            expected == found,
            "--design: line {number} has {found} cells, the first line has {expected}"
        );
        for ((at, cell), variable) in cells.iter().enumerate().zip(&mut variables) {
            let cell = cell.trim();
            let path = &variable.name;
            ensure!(
                !cell.is_empty(),
                at_cell(line, (at, separator), &anyhow!("there is no value of {path}"))
            );
            variable
                .add(&text::decimal(cell, separator), generation)
                .map_err(|error| at_cell(line, (at, separator), &error))?;
        }
        let points = variables.first().map_or(0, |variable| variable.values.len());
        ensure!(points <= MAX_POINTS, "--design: a table has at most {MAX_POINTS} points");
    }
    let has_points = variables.first().is_some_and(|variable| !variable.values.is_empty());
    ensure!(has_points, "--design: the table has no points below its first line");
    Ok(Design { variables, is_paired: true })
}

/// Adds line and column to the error of a cell, in place of the option of the command line.
fn at_cell(
    (number, line): (usize, &str),
    (at, separator): (usize, char),
    error: &anyhow::Error,
) -> anyhow::Error {
    let (error, column) = (format!("{error:#}"), text::cell_column(line, at, separator));
    anyhow!("--design: line {number}, column {column}: {}", without_option(&error))
}

/// Returns a message without the option of the command line at its start.
pub(super) fn without_option(error: &str) -> &str {
    match error.strip_prefix("--").and_then(|rest| rest.split_once(": ")) {
        Some((_, message)) => message,
        None => error,
    }
}

/// Returns the distinct numbers of units of the values of a variable, with the text of one of each.
pub(super) fn distinct_counts(variable: &Variable) -> BTreeSet<(&str, usize)> {
    (0..variable.values.len()).filter_map(|at| variable.count(at)).collect()
}
