//! The columns of a plot, chosen from a table.

use std::collections::{BTreeMap, BTreeSet};

use steerbox_core::diagnostics::{closest, did_you_mean, suggestion};

use super::choice::{Choice, Kind};
use super::column::Role;
use super::table::{Source, Table};
use crate::experiment::split_list;

/// Maximum number of colors, panels of a third variable, and panels that a plot has without being told.
const MAX_COLORS: usize = 8;
const MAX_THIRD: usize = 9;
const MAX_PANELS: usize = 12;
/// Maximum number of panels.
pub(super) const MOST_PANELS: usize = 48;

/// The columns of a plot by their index, and its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The kind.
    pub kind: Kind,
    /// The column of the x-axis; of a histogram none.
    pub x: Option<usize>,
    /// The measures.
    pub y: Vec<usize>,
    /// The column whose values have colors; of a heat map, that of the y-axis.
    pub by: Option<usize>,
    /// The variable with a panel for each value.
    pub third: Option<usize>,
    /// Other variables that vary: their values are not distinguished.
    pub pooled: Vec<usize>,
    /// Measures of the default that have no panel.
    pub left: usize,
}

impl Query {
    /// Completes the options of a plot from a table.
    ///
    /// # Errors
    /// If a column does not exist or does not fit, or there is nothing to plot.
    pub fn of(table: &Table, choice: &Choice) -> Result<Self, String> {
        let find = |option: &str, name: &String| find(table, option, name);
        let x = choice.x.as_ref().map(|name| find("--x", name)).transpose()?;
        let by = choice.by.as_ref().map(|name| find("--by", name)).transpose()?;
        let names = choice.y.iter().flat_map(|text| split_list(text));
        let names = names.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
        let mut y = names.map(|name| find("--y", &name)).collect::<Result<Vec<_>, _>>()?;
        if let (Some(x), true) = (x, x.is_some() && x == by) {
            return Err(format!("--by {}: it is the x-axis, too", table.columns[x].name));
        }
        let mut varied = table.varied();
        let kind = choice.kind.unwrap_or_else(|| default_kind(table, x, by, &varied));
        let is_default = y.is_empty();
        if is_default {
            let has_values = |at: &usize| table.columns[*at].values.iter().any(|value| value.is_finite());
            y = table.of_role(Role::Measure).filter(|at| Some(*at) != x).filter(has_values).collect();
        }
        for at in &y {
            let column = &table.columns[*at];
            if !column.is_numeric() || column.values.iter().all(|value| value.is_nan()) {
                return Err(format!("--y {}: the column has no numbers", column.name));
            }
        }
        if y.is_empty() {
            return Err("nothing to plot: no measure of the table has a value".to_owned());
        }
        varied.retain(|at| Some(*at) != x && Some(*at) != by);
        let x = match (kind, x) {
            (Kind::Histogram, Some(x)) => {
                let name = &table.columns[x].name;
                return Err(format!("--x {name}: the x-axis of a histogram is the measure of --y"));
            }
            (Kind::Histogram, None) => None,
            (_, Some(x)) => Some(x),
            _ => Some(default_x(table, kind, (&mut varied, &mut y))?),
        };
        varied.retain(|at| !follows(table, *at, x));
        let colors = |at: &usize| table.columns[*at].distinct().len() <= MAX_COLORS;
        let by = match kind {
            _ if by.is_some() => by,
            Kind::Heat if varied.is_empty() => {
                return Err(
                    "--kind heat: two variables must vary, and the table has fewer; --by chooses the second"
                        .to_owned(),
                );
            }
            Kind::Heat => Some(varied[0]),
            _ => varied.iter().copied().find(colors),
        };
        varied.retain(|at| Some(*at) != by && !follows(table, *at, by));
        let third = varied.iter().copied().rfind(|at| table.columns[*at].distinct().len() <= MAX_THIRD);
        let third = third.filter(|_| matches!(kind, Kind::Line | Kind::Heat));
        varied.retain(|at| Some(*at) != third);
        let shared = third.map_or(1, |at| table.columns[at].distinct().len());
        let is_by_group = table.source == Source::Metrics;
        let fitting = if is_by_group { MOST_PANELS * 8 } else { (MAX_PANELS / shared).max(1) };
        let left = if is_default { y.len().saturating_sub(fitting) } else { 0 };
        y.truncate(y.len() - left);
        if y.len() * shared > MOST_PANELS && !is_by_group {
            return Err(format!("--y: {} panels, at most {MOST_PANELS} fit", y.len() * shared));
        }
        let pooled = if matches!(kind, Kind::Line | Kind::Heat) { varied } else { Vec::new() };
        Ok(Self { kind, x, y, by, third, pooled, left })
    }
}

/// Returns true if a column has one value for each of the few values of another, as the size of a world has for a number of
/// units at a constant density: a part for each of its values would have one of the other column.
fn follows(table: &Table, at: usize, other: Option<usize>) -> bool {
    let few = other.filter(|other| table.columns[*other].distinct().len() <= MAX_COLORS);
    let Some(other) = few else { return false };
    let mut values = BTreeMap::new();
    let pairs = table.columns[other].values.iter().zip(&table.columns[at].values);
    pairs
        .into_iter()
        .all(|(key, value)| values.entry(key.to_bits()).or_insert(value.to_bits()) == &value.to_bits())
}

/// Returns the index of the column with a name.
fn find(table: &Table, option: &str, name: &String) -> Result<usize, String> {
    if let Some(at) = table.columns.iter().position(|column| column.name == *name) {
        return Ok(at);
    }
    let names = || table.columns.iter().map(|column| column.name.as_str());
    // A figure without its group, then a similar figure, then a similar name.
    let measures = || table.of_role(Role::Measure).map(|at| table.columns[at].name.as_str());
    let figures = || measures().filter_map(|name| Some((name.rsplit_once('.')?.1, name)));
    let of_figure = |figure: &str| figures().find(|(known, _)| *known == figure);
    let similar = || of_figure(closest(name, figures().map(|(figure, _)| figure))?);
    let meant = of_figure(name).or_else(similar).map(|(_, name)| did_you_mean(name));
    let remedy = meant.or_else(|| suggestion(name, names()));
    let remedy = remedy.unwrap_or_else(|| format!("it has {}", names().collect::<Vec<_>>().join(", ")));
    Err(format!("{option} {name}: the table has no such column: {remedy}"))
}

fn default_kind(table: &Table, x: Option<usize>, by: Option<usize>, varied: &[usize]) -> Kind {
    let is_measure = |at: usize| table.columns[at].role == Role::Measure;
    match (table.source, x) {
        (_, Some(x)) if is_measure(x) => return Kind::Scatter,
        (Source::Metrics, _) => return Kind::Line,
        (_, None) if varied.is_empty() => return Kind::Histogram,
        _ => {}
    }
    let first = x.or(varied.first().copied());
    let others: Vec<_> = varied.iter().copied().filter(|at| Some(*at) != first).collect();
    let (Some(first), Some(second)) = (first, others.first()) else { return Kind::Line };
    let lengths = [first, *second].map(|at| table.columns[at].distinct().len());
    // A sample has other values in nearly each point: its cells and curves would have one run.
    let pairs: BTreeSet<_> = {
        let [x, y] = [first, *second].map(|at| &table.columns[at].values);
        x.iter().zip(y).map(|(x, y)| (x.to_bits(), y.to_bits())).collect()
    };
    if lengths.iter().all(|length| *length > MAX_COLORS) && pairs.len() * 4 < lengths[0] * lengths[1] {
        return Kind::Scatter;
    }
    let is_numeric = [first, *second].iter().all(|at| table.columns[*at].is_numeric());
    let is_heat = by.is_none() && others.len() == 1 && is_numeric && lengths[1] > MAX_COLORS;
    if is_heat { Kind::Heat } else { Kind::Line }
}

/// Returns the column of the x-axis of a plot without `--x`, and removes it from those that are left.
fn default_x(
    table: &Table,
    kind: Kind,
    (varied, y): (&mut Vec<usize>, &mut Vec<usize>),
) -> Result<usize, String> {
    if table.source == Source::Metrics {
        return Ok(1);
    }
    if !varied.is_empty() {
        // A variable with more values than colors has no other place in a plot of curves.
        let is_long = |at: &usize| table.columns[*at].distinct().len() > MAX_COLORS;
        let long = varied.iter().position(is_long).filter(|_| kind == Kind::Line);
        return Ok(varied.remove(long.unwrap_or(0)));
    }
    match kind {
        Kind::Scatter if y.len() > 1 => Ok(y.remove(0)),
        Kind::Line | Kind::Scatter => table.of_role(Role::Seed).next().ok_or_else(String::new),
        _ => Err(format!("--kind {kind}: no variable of the table varies; --kind histogram plots its runs")),
    }
}
