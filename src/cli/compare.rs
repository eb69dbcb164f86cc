//! `steerbox compare`: runs a scene twice, with other values or scripts, and reports the differences.

use std::path::{Path, absolute};
use std::process::ExitCode;

use anyhow::{Context as _, bail, ensure};
use serde::Serialize;
use steerbox_core::diagnostics::counted;
use steerbox_core::sim::metrics::{self, GroupFigures};
use steerbox_core::sim::{rounded, rounded_vector};
use steerbox_core::world::{Arena, Coordinates};
use steerbox_project::reload::LoadError;
use steerbox_project::session::{self, Divergence, Failures, GridDivergence, Session};

use super::args::{CompareArgs, Format};
use super::page::Page;
use super::print::{err, json, page};
use super::trace::Steering;
use super::{compare_seeds, failures, interrupt, scene};

/// The scene unchanged, and with other values or scripts.
struct Runs([Box<Session>; 2]);

pub(super) fn compare(args: &CompareArgs) -> anyhow::Result<ExitCode> {
    let mut runs = Runs::open(args)?;
    if let Some(seeds) = args.seeds {
        let generations = runs.0.each_ref().map(|run| &run.generation);
        let invalid: Vec<_> = generations.iter().flat_map(|it| it.faults_of_files()).collect();
        ensure!(invalid.is_empty(), LoadError(invalid));
        return compare_seeds::compare(args, generations, seeds);
    }
    interrupt::listen()?;
    let mut first = First::default();
    for _ in 0..args.steps {
        let [a, b] = &mut runs.0;
        if !(a.simulation.step(interrupt::flag()) && b.simulation.step(interrupt::flag())) {
            break;
        }
        let (a, b) = (&a.simulation, &b.simulation);
        first.unit = first.unit.take().or_else(|| Divergence::find(a, b));
        first.grid = first.grid.take().or_else(|| GridDivergence::find(a, b));
    }
    if let Some(status) = interrupt::status() {
        err(format!("interrupted after {} of {} steps", runs.steps(), args.steps));
        return Ok(status);
    }
    match args.format {
        Format::Text => page(&runs.page(&first))?,
        Format::Json => json(&runs.object(&first))?,
    }
    let [a, b] = &runs.0;
    let failed = [b, a].map(|run| {
        let mut failures = Failures::default();
        failures.note(&run.simulation, &run.generation);
        failures::print(&run.generation, &run.simulation, failures.all())
    });
    let failed = failed.contains(&true);
    let differ = first.unit.is_some() || first.grid.is_some();
    Ok(if failed || differ { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The first differences of the two runs.
#[derive(Default)]
struct First {
    unit: Option<Divergence>,
    grid: Option<GridDivergence>,
}

impl Runs {
    fn open(args: &CompareArgs) -> anyhow::Result<Self> {
        let plain = scene::open(&args.scene, &args.common, |_| ())?;
        let folder = args.with_scripts.as_deref().map(scripts_in).transpose()?;
        let other = scene::open(&args.scene, &args.common, |options| {
            options.settings.extend(args.with.clone());
            options.place.folders.splice(0..0, folder);
        });
        // All common settings fit the first run, so an invalid one is from `--with`.
        Ok(Self([Box::new(plain), Box::new(other.map_err(|error| as_with(&error))?)]))
    }

    fn arenas(&self) -> [&Arena; 2] {
        self.0.each_ref().map(|run| &run.simulation.world().arena)
    }

    fn steps(&self) -> u64 {
        self.0[1].simulation.world().steps
    }

    /// Returns the statistics of every group and grid in both runs: group, name, values. A figure without a value in one
    /// of the runs is omitted.
    fn figures(&self) -> Vec<(String, &'static str, [f32; 2])> {
        let [a, b] = self.0.each_ref().map(|run| metrics::of_groups(run.simulation.world()));
        let names = self.0[0].simulation.world().groups.iter().map(|group| group.name.clone());
        let groups = names.zip(a.iter().zip(&b));
        let rows = |(name, (a, b)): (String, (&GroupFigures, &GroupFigures))| {
            let both = a.iter().zip(b.iter());
            both.filter_map(move |((figure, a), (_, b))| Some((name.clone(), figure.name, [a?, b?])))
        };
        let grids = self.0.each_ref().map(|run| &run.simulation.world().grids);
        let grids = grids[0].iter().zip(grids[1]);
        let totals =
            grids.map(|(a, b)| (format!("grid.{}", a.name), "total", [a, b].map(|grid| grid.total() as f32)));
        groups.flat_map(rows).chain(totals).collect()
    }

    /// Returns the distances between equal units.
    fn difference(&self) -> session::Difference {
        let [a, b] = self.0.each_ref().map(|run| run.simulation.world());
        session::Difference::between(a, b)
    }

    fn page(&self, First { unit, grid }: &First) -> Page {
        let mut found: Vec<(u64, Vec<String>)> = Vec::new();
        found.extend(unit.as_ref().map(|unit| (unit.step, unit_lines(unit, self.arenas()))));
        found.extend(grid.as_ref().map(|grid| (grid.step, grid_lines(grid))));
        // The unit precedes the grid of the same step.
        found.sort_by_key(|(step, _)| *step);
        if found.is_empty() {
            return Page::of_line(format!("no difference in {} steps", self.steps()));
        }
        let mut page = Page::default();
        for (_, lines) in found {
            for line in lines {
                page.line(line);
            }
        }
        let mut row = |what: &str, a: String, b: String, difference: String| {
            page.line(line(what, &a, &b, &difference));
        };
        let session::Difference { mean, farthest, distance } = self.difference();
        let steps = counted(self.steps(), ["step", "steps"]);
        row(&format!("after {steps}"), String::new(), String::new(), String::new());
        let world = self.0[0].simulation.world();
        let player = world.player.map(|unit| world.group_of(unit));
        for (group, figure, [a, b]) in self.figures() {
            if a == b && player.is_some_and(|player| player.name == group) {
                continue;
            }
            row(&format!("{group} {figure}"), rounded(a), rounded(b), signed(b - a));
        }
        page.line(format!(
            "  units are {} apart in the mean, unit {farthest} the farthest: {}",
            rounded(mean),
            rounded(distance)
        ));
        page
    }

    fn object<'a>(&self, found: &'a First) -> Object<'a> {
        let first = found.unit.as_ref().map(|divergence| FirstUnit {
            step: divergence.step,
            unit: divergence.unit,
            group: &divergence.group,
            rule: divergence.rule.as_ref().map(|rule| Rule {
                script: &rule.name,
                contribution: rule.contribution.map(Steering::new),
                gain: rule.gain,
            }),
            position: coordinates(divergence, self.arenas()),
            velocity: divergence.velocity.map(|velocity| velocity.to_array()),
        });
        let first_grid = found.grid.as_ref().map(|found| FirstGrid {
            step: found.step,
            grid: &found.grid,
            center: found.center.to_array(),
            values: found.values,
        });
        let session::Difference { mean, farthest: unit, distance } = self.difference();
        let figures = self.figures().into_iter();
        Object {
            steps: self.steps(),
            first,
            first_grid,
            figures: figures.map(|(group, figure, values)| Row { group, figure, values }).collect(),
            apart: Apart { mean, farthest: Farthest { unit, distance } },
        }
    }
}

/// The output of `--format json`.
#[derive(Serialize)]
struct Object<'a> {
    steps: u64,
    first: Option<FirstUnit<'a>>,
    first_grid: Option<FirstGrid<'a>>,
    figures: Vec<Row>,
    apart: Apart,
}

#[derive(Serialize)]
struct FirstGrid<'a> {
    step: u64,
    grid: &'a str,
    center: [f32; 3],
    values: [f32; 2],
}

#[derive(Serialize)]
struct FirstUnit<'a> {
    step: u64,
    unit: usize,
    group: &'a str,
    rule: Option<Rule<'a>>,
    position: [Coordinates; 2],
    velocity: [[f32; 3]; 2],
}

#[derive(Serialize)]
struct Rule<'a> {
    script: &'a str,
    contribution: [Option<Steering>; 2],
    gain: [f32; 2],
}

#[derive(Serialize)]
struct Row {
    group: String,
    figure: &'static str,
    values: [f32; 2],
}

#[derive(Serialize)]
struct Apart {
    mean: f32,
    farthest: Farthest,
}

#[derive(Serialize)]
struct Farthest {
    unit: usize,
    distance: f32,
}

/// Returns the positions of the first unit that differs in both runs.
fn coordinates(divergence: &Divergence, [a, b]: [&Arena; 2]) -> [Coordinates; 2] {
    let [p, q] = divergence.position;
    [a.coordinates(p), b.coordinates(q)]
}

/// Returns the lines about the first unit that differs.
fn unit_lines(divergence: &Divergence, arenas: [&Arena; 2]) -> Vec<String> {
    let Divergence { step, unit, group, rule, position: [p, q], velocity: [v, w] } = divergence;
    let name = rule.as_ref().map_or(String::new(), |rule| format!(", rule {}", rule.name));
    let mut lines = vec![format!("first difference: step {step}, unit {unit} of {group}{name}"), head()];
    if let Some(rule) = rule {
        let [a, b] = rule.contribution.map(|contribution| contribution.to_string());
        lines.push(line("contribution", &a, &b, ""));
        let [a, b] = rule.gain;
        lines.push(line("gain", &rounded(a), &rounded(b), &signed(b - a)));
    }
    let [a, b] = coordinates(divergence, arenas).map(|position| position.to_string());
    lines.push(line("position", &a, &b, &rounded(p.distance(*q))));
    lines.push(line("velocity", &rounded_vector(*v), &rounded_vector(*w), &rounded(v.distance(*w))));
    lines
}

/// Returns the lines about the first grid that differs.
fn grid_lines(GridDivergence { step, grid, center, values: [a, b] }: &GridDivergence) -> Vec<String> {
    let place = rounded_vector(*center);
    let first = format!("first difference of grids: step {step}, {grid}, cell at {place}");
    vec![first, head(), line("value", &rounded(*a), &rounded(*b), &signed(b - a))]
}

/// Returns the names of the columns.
fn head() -> String {
    line("", "as it is", "compared", "difference")
}

fn line(what: &str, a: &str, b: &str, difference: &str) -> String {
    format!("  {what:<24}{a:<28}{b:<28}{difference}").trim_end().to_owned()
}

fn signed(difference: f32) -> String {
    let sign = if difference > 0.0 { "+" } else { "" };
    format!("{sign}{}", rounded(difference))
}

/// Resolves the folder of scripts given by `--with-scripts`.
fn scripts_in(folder: &Path) -> anyhow::Result<std::path::PathBuf> {
    if !folder.is_dir() {
        bail!("--with-scripts {}: there is no such folder", folder.display());
    }
    absolute(folder).with_context(|| format!("--with-scripts {}", folder.display()))
}

/// Rewords the error of an invalid setting, which names `--set`, for `--with`.
fn as_with(error: &anyhow::Error) -> anyhow::Error {
    anyhow::anyhow!("{}", format!("{error:#}").replacen("--set", "--with", 1))
}
