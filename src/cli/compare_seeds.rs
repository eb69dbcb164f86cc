//! `compare --seeds N`: the effect of a change on the figures of groups, over several seeds.
//!
//! Both runs of a pair have the same seed, so that differences of starts cancel.

use std::ops::Range;
use std::process::ExitCode;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::Serialize;

use super::args::{CompareArgs, Format};
use super::interrupt;
use super::page::Page;
use super::print::{err, json, page};
use crate::diagnostics::counted;
use crate::experiment::{Paired, Sample};
use crate::reload::Generation;
use crate::session;
use crate::sim::metrics::{FIGURES, GroupFigures, of_groups};
use crate::sim::rounded;

/// The last states of the runs of a seed.
struct Pair {
    figures: [Vec<GroupFigures>; 2],
    /// The first failure of a rule, as text.
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
    let groups = generations[0].scene.groups.iter().map(|group| group.common.name.clone());
    let effects: Vec<_> = groups.enumerate().flat_map(|(at, group)| effects(at, &group, &pairs)).collect();
    match args.format {
        Format::Text => page(&shown(&effects, args.steps, &seeds))?,
        Format::Json => effects.iter().try_for_each(json)?,
    }
    let failures: Vec<_> = pairs.iter().filter_map(|pair| pair.failure.as_deref()).collect();
    if let Some(first) = failures.first() {
        err(format!("{first} ({} of {} seeds fail)", failures.len(), pairs.len()));
    }
    let is_same = failures.is_empty() && effects.iter().all(|effect| effect.difference.is_zero());
    Ok(if is_same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Pair {
    /// Makes both runs of a seed; `None` if they were interrupted.
    fn of(generations: [&Generation; 2], seed: u64, steps: u64) -> Option<Self> {
        let mut failure = None;
        let mut figures = [Vec::new(), Vec::new()];
        for (figures, generation) in figures.iter_mut().zip(generations) {
            let mut simulation = generation.start(Some(seed));
            for _ in 0..steps {
                // A step without decisions does not check the flag.
                if interrupt::is_requested() || !simulation.try_step(interrupt::flag()) {
                    return None;
                }
            }
            *figures = of_groups(simulation.world());
            let report = simulation.reports().first();
            failure = failure.or_else(|| report.map(|report| generation.fault(report).summary()));
        }
        Some(Self { figures, failure })
    }
}

/// The effect of the change on a figure of a group.
#[derive(Serialize)]
struct Effect {
    group: String,
    figure: &'static str,
    /// The means of both sides.
    means: [Option<f64>; 2],
    #[serde(flatten)]
    difference: Paired,
}

fn effects(group: usize, name: &str, pairs: &[Pair]) -> Vec<Effect> {
    let of_figure = |(at, figure): (usize, &crate::sim::metrics::Figure)| {
        let values = |side: usize| {
            let of_pair = move |pair: &Pair| {
                let (_, value) = pair.figures[side].get(group).copied()?.iter().nth(at)?;
                Some(f64::from(value))
            };
            pairs.iter().filter_map(of_pair)
        };
        let means = [0, 1].map(|side| values(side).collect::<Sample>().mean());
        let difference = values(1).zip(values(0)).map(|(b, a)| b - a).collect::<Sample>();
        Effect { group: name.to_owned(), figure: figure.name, means, difference: Paired::of(&difference) }
    };
    FIGURES.iter().enumerate().map(of_figure).collect()
}

fn shown(effects: &[Effect], steps: u64, seeds: &Range<u64>) -> Page {
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
