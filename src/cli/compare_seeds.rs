//! `compare --seeds N`: the effect of a change on figures and measures of groups, over several seeds.
//!
//! Both runs of a pair have the same seed, so that differences of starts cancel.

use std::collections::BTreeMap;
use std::ops::Range;
use std::process::ExitCode;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::Serialize;
use steerbox_core::diagnostics::counted;
use steerbox_core::sim::metrics::FIGURES;
use steerbox_core::sim::{Measure, MeasureNames, Measured, Simulation, rounded};
use steerbox_project::experiment::{Paired, Sample};
use steerbox_project::reload::Generation;
use steerbox_project::session;

use super::args::{CompareArgs, Format};
use super::interrupt;
use super::page::Page;
use super::print::{err, json, page};

/// The last states of the runs of a seed.
struct Pair {
    measured: [Vec<(Name, f64)>; 2],
    /// The first failure of a rule or a measure, as text.
    failure: Option<String>,
}

pub(super) fn compare(
    args: &CompareArgs,
    generations: [&Generation; 2],
    seeds: u64,
) -> anyhow::Result<ExitCode> {
    interrupt::listen()?;
    let first = args.common.seed.unwrap_or(generations[0].scene.world.seed);
    let seeds = first..first.saturating_add(seeds);
    let pool = session::pool(args.common.threads.map_or(0, usize::from))?;
    let pair = |seed| Pair::of(generations, seed, args.steps);
    let pairs: Option<Vec<_>> = pool.install(|| seeds.clone().into_par_iter().map(pair).collect());
    let Some(pairs) = pairs else {
        err("interrupted: a comparison over seeds needs all runs");
        return Ok(interrupt::status().unwrap_or(ExitCode::FAILURE));
    };
    let effects = effects(&pairs);
    match args.format {
        Format::Text => {
            let player = generations[0].scene.groups.iter().find(|group| group.is_player);
            let is_listed = |effect: &&Effect| {
                let of_player = player.is_some_and(|player| player.common.name == effect.group);
                !of_player || !effect.difference.is_zero()
            };
            page(&shown(effects.iter().filter(is_listed), args.steps, &seeds))?;
        }
        Format::Json => effects.iter().try_for_each(json)?,
    }
    let failures: Vec<_> = pairs.iter().filter_map(|pair| pair.failure.as_deref()).collect();
    if let Some(first) = failures.first() {
        err(format!("{first} ({} of {} seeds fail)", failures.len(), pairs.len()));
    }
    let is_same = failures.is_empty() && effects.iter().all(|effect| effect.difference.is_zero());
    Ok(if is_same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Group and measure.
type Name = (String, String);

impl Pair {
    /// Makes both runs of a seed; `None` if they were interrupted.
    fn of(generations: [&Generation; 2], seed: u64, steps: u64) -> Option<Self> {
        let mut failure = None;
        let mut measured = [Vec::new(), Vec::new()];
        for (measured, generation) in measured.iter_mut().zip(generations) {
            let mut simulation = generation.start(Some(seed));
            for _ in 0..steps {
                // A step without decisions does not check the flag.
                if interrupt::is_requested() || !simulation.try_step(interrupt::flag()) {
                    return None;
                }
            }
            *measured = measures(&simulation);
            let of_measures = simulation.measures().reports();
            let report = simulation.reports().first().or(of_measures.first());
            failure = failure.or_else(|| report.map(|report| generation.fault(report).summary()));
        }
        Some(Self { measured, failure })
    }
}

/// Returns the figures of each group and the measures of scripts, vectors and lists with their components.
fn measures(simulation: &Simulation) -> Vec<(Name, f64)> {
    let (names, measured) = (MeasureNames::of(simulation), Measured::new(simulation));
    let computed = names.computed.iter().filter(|(_, state)| state.is_ok()).map(|(name, _)| name.as_str());
    let all: Vec<_> = FIGURES.iter().map(|figure| figure.name).chain(computed).collect();
    let mut values = Vec::new();
    for group in &names.groups {
        let measure = |name: &&str| Measure::parse(&format!("{}.{name}", group.name), &names).ok();
        for measure in all.iter().filter_map(measure) {
            let components = measured.components(&measure);
            for measure in std::iter::once(measure).chain(components) {
                let name = measure.short_name().to_owned();
                values.extend(measured.value(&measure).map(|value| ((group.name.clone(), name), value)));
            }
        }
    }
    values
}

/// The effect of the change on a measure of a group.
#[derive(Serialize)]
struct Effect {
    group: String,
    figure: String,
    /// The means of both sides.
    means: [Option<f64>; 2],
    #[serde(flatten)]
    difference: Paired,
}

/// Returns the effects on all measures that have a value for a seed, in the order of their first values.
fn effects(pairs: &[Pair]) -> Vec<Effect> {
    let (mut names, mut known) = (Vec::new(), BTreeMap::new());
    for (at, pair) in pairs.iter().enumerate() {
        for (side, measured) in pair.measured.iter().enumerate() {
            for (name, value) in measured {
                let values = known.entry(name).or_insert_with(|| {
                    names.push(name);
                    vec![[None; 2]; pairs.len()]
                });
                values[at][side] = Some(*value);
            }
        }
    }
    let of_name = |name: &Name| {
        let values: &Vec<[Option<f64>; 2]> = &known[name];
        let means = [0, 1].map(|side| values.iter().filter_map(|it| it[side]).collect::<Sample>().mean());
        let difference = values.iter().filter_map(|[a, b]| Some((*b)? - (*a)?)).collect::<Sample>();
        Effect { group: name.0.clone(), figure: name.1.clone(), means, difference: Paired::of(&difference) }
    };
    names.into_iter().map(of_name).collect()
}

fn shown<'a>(effects: impl Iterator<Item = &'a Effect>, steps: u64, seeds: &Range<u64>) -> Page {
    let steps = counted(steps, ["step", "steps"]);
    let count = counted(seeds.end - seeds.start, ["seed", "seeds"]);
    let mut page = Page::of_line(format!("after {steps}, {count} from {} on", seeds.start));
    let mut row = |cells: [&str; 6]| {
        let [name, a, b, difference, interval, effect] = cells;
        let text = format!("  {name:<28}{a:>12}{b:>12}{difference:>12}   {interval:<26}{effect}");
        page.line(text.trim_end());
    };
    row(["", "as it is", "compared", "difference", "95 % interval", "effect size d, 95 % interval"]);
    let number = |number: Option<f64>| number.map_or(String::new(), |number| rounded(number as f32));
    let interval = |ends: Option<[f64; 2]>| {
        ends.map_or(String::new(), |[low, high]| {
            format!("{} to {}", rounded(low as f32), rounded(high as f32))
        })
    };
    for Effect { group, figure, means, difference } in effects {
        let size = difference.effect.map_or(String::new(), |size| {
            format!("{}, {}", rounded(size as f32), interval(difference.effect_interval))
        });
        row([
            &format!("{group} {figure}"),
            &number(means[0]),
            &number(means[1]),
            &number(difference.difference),
            &interval(difference.interval),
            &size,
        ]);
    }
    page
}
