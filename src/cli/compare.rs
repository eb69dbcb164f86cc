//! `steerbox compare`: runs a scene twice, with other values or scripts, and reports the differences.

use std::path::{Path, absolute};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use serde::Serialize;

use super::args::{CompareArgs, Format};
use super::page::Page;
use super::print::{err, json, page};
use super::trace::Steering;
use super::{compare_seeds, failures, interrupt, scene};
use crate::diagnostics::counted;
use crate::session::{self, Divergence, Session};
use crate::sim::metrics::{self, GroupFigures};
use crate::sim::{rounded, rounded_vector};

/// The scene unchanged, and with other values or scripts.
struct Runs([Box<Session>; 2]);

pub(super) fn compare(args: &CompareArgs) -> anyhow::Result<ExitCode> {
    let mut runs = Runs::open(args)?;
    if let Some(seeds) = args.seeds {
        let generations = runs.0.each_ref().map(|run| &run.generation);
        return compare_seeds::compare(args, generations, seeds);
    }
    interrupt::listen()?;
    let mut divergence = None;
    for _ in 0..args.steps {
        let [a, b] = &mut runs.0;
        if !(a.simulation.step(interrupt::flag()) && b.simulation.step(interrupt::flag())) {
            break;
        }
        divergence = divergence.or_else(|| Divergence::find(&a.simulation, &b.simulation));
    }
    if let Some(status) = interrupt::status() {
        err(format!("interrupted after {} of {} steps", runs.steps(), args.steps));
        return Ok(status);
    }
    match args.format {
        Format::Text => page(&runs.page(divergence.as_ref()))?,
        Format::Json => json(&runs.object(divergence.as_ref()))?,
    }
    let [a, b] = &runs.0;
    let failed =
        failures::print(&b.generation, &b.simulation) | failures::print(&a.generation, &a.simulation);
    Ok(if failed || divergence.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
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

    fn steps(&self) -> u64 {
        self.0[1].simulation.world().steps
    }

    /// Returns the statistics of every group in both runs: group, name, values.
    fn figures(&self) -> Vec<(String, &'static str, [f32; 2])> {
        let [a, b] = self.0.each_ref().map(|run| metrics::of_groups(run.simulation.world()));
        let names = self.0[0].simulation.world().groups.iter().map(|group| group.name.clone());
        let groups = names.zip(a.iter().zip(&b));
        let rows = |(name, (a, b)): (String, (&GroupFigures, &GroupFigures))| {
            a.iter().zip(b.iter()).map(move |((figure, a), (_, b))| (name.clone(), figure.name, [a, b]))
        };
        groups.flat_map(rows).collect()
    }

    /// Returns the distances between equal units.
    fn difference(&self) -> session::Difference {
        let [a, b] = self.0.each_ref().map(|run| run.simulation.world());
        session::Difference::between(a, b)
    }

    fn page(&self, divergence: Option<&Divergence>) -> Page {
        let Some(Divergence { step, unit, group, rule, position, velocity }) = divergence else {
            return Page::of_line(format!("no difference in {} steps", self.steps()));
        };
        let name = rule.as_ref().map_or(String::new(), |rule| format!(", rule {}", rule.name));
        let mut page = Page::of_line(format!("first difference: step {step}, unit {unit} of {group}{name}"));
        let mut row = |what: &str, a: String, b: String, difference: String| {
            let text = format!("  {what:<24}{a:<28}{b:<28}{difference}");
            page.line(text.trim_end());
        };
        row("", "as it is".to_owned(), "compared".to_owned(), "difference".to_owned());
        if let Some(rule) = rule {
            let [a, b] = rule.contribution.map(|contribution| contribution.to_string());
            row("contribution", a, b, String::new());
            let [a, b] = rule.gain;
            row("gain", rounded(a), rounded(b), signed(b - a));
        }
        for (what, [a, b]) in [("position", position), ("velocity", velocity)] {
            row(what, rounded_vector(*a), rounded_vector(*b), rounded(a.distance(*b)));
        }
        let session::Difference { mean, farthest, distance } = self.difference();
        let steps = counted(self.steps(), ["step", "steps"]);
        row(&format!("after {steps}"), String::new(), String::new(), String::new());
        for (group, figure, [a, b]) in self.figures() {
            row(&format!("{group} {figure}"), rounded(a), rounded(b), signed(b - a));
        }
        page.line(format!(
            "  units are {} apart in the mean, unit {farthest} the farthest: {}",
            rounded(mean),
            rounded(distance)
        ));
        page
    }

    fn object<'a>(&self, divergence: Option<&'a Divergence>) -> Object<'a> {
        let first = divergence.map(|divergence| First {
            step: divergence.step,
            unit: divergence.unit,
            group: &divergence.group,
            rule: divergence.rule.as_ref().map(|rule| Rule {
                script: &rule.name,
                contribution: rule.contribution.map(Steering::new),
                gain: rule.gain,
            }),
            position: divergence.position.map(|position| position.to_array()),
            velocity: divergence.velocity.map(|velocity| velocity.to_array()),
        });
        let session::Difference { mean, farthest: unit, distance } = self.difference();
        let figures = self.figures().into_iter();
        Object {
            steps: self.steps(),
            first,
            figures: figures.map(|(group, figure, values)| Row { group, figure, values }).collect(),
            apart: Apart { mean, farthest: Farthest { unit, distance } },
        }
    }
}

/// The output of `--format json`.
#[derive(Serialize)]
struct Object<'a> {
    steps: u64,
    first: Option<First<'a>>,
    figures: Vec<Row>,
    apart: Apart,
}

#[derive(Serialize)]
struct First<'a> {
    step: u64,
    unit: usize,
    group: &'a str,
    rule: Option<Rule<'a>>,
    position: [[f32; 3]; 2],
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
