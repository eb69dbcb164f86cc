//! The tests of a scene. A test that would prove nothing does not pass: it fails, or is skipped with the reason.

use std::sync::Arc;

use steerbox_core::diagnostics::{Fault, Severity};
use steerbox_core::sim::Report;
use steerbox_project::language::CheckedScene;
use steerbox_project::reload::{Generation, Loader, Place};
use steerbox_project::session::{Divergence, Verdict, pool};
use steerbox_scene::Expectation;
use steerbox_script::{Execution, MEASURES};

use super::runs::{self, SeedRun};
use crate::cli::junit::{Case, Outcome};

/// Minimum number of steps of a run, unless another number is requested.
const MIN_STEPS: u64 = 300;
/// The numbers of threads that are compared.
const THREADS: [usize; 2] = [1, 7];

/// Runs all tests of a scene.
///
/// # Errors
/// If the system provides no threads.
pub(super) fn all(place: &Place, seeds: u64, steps: Option<u64>) -> anyhow::Result<Vec<Case>> {
    let load = |execution| {
        let loaded = Loader::load_as(place.clone(), Vec::new(), execution).map(|(_, generation)| generation);
        let CheckedScene { faults, generation } = CheckedScene::of(loaded);
        let error = faults.iter().find(|fault| fault.severity == Severity::Error).map(Fault::summary);
        match (error, generation) {
            (None, Some(generation)) => Ok(Arc::new(generation)),
            (error, _) => Err(error.unwrap_or_else(|| "it cannot be loaded".to_owned())),
        }
    };
    let (native, interpreted) = match (load(Execution::default()), load(Execution::Interpreted)) {
        (Ok(native), Ok(interpreted)) => (native, interpreted),
        (Err(error), _) | (_, Err(error)) => return Ok(vec![loaded(Some(error))]),
    };
    let steps = steps.unwrap_or_else(|| MIN_STEPS.max(steps_of_expectations(&native)));
    let first = native.scene.world.seed;
    let [one, seven, all] = [THREADS[0], THREADS[1], 0].map(pool);
    let (one, seven) = (one?, seven?);
    let differs = |sides| runs::divergence(sides, first, steps).as_ref().map(described);
    let made = runs::with_seeds(&native, first..first.saturating_add(seeds.max(2)), steps, &all?);
    let judged = &made[..made.len().min(seeds as usize)];
    let mut cases = vec![loaded(idle(&native))];
    let [few, many] = THREADS;
    let name = format!("same result on {few} and {many} threads");
    cases.push(Case::failed_for(name, differs([(&native, &one), (&native, &seven)])));
    let is_compiled =
        native.planned().any(|planned| planned.behavior.as_ref().is_some_and(|it| it.is_native()));
    let compared = if is_compiled {
        differs([(&native, &one), (&interpreted, &one)]).map_or(Outcome::Passed, Outcome::Failed)
    } else {
        Outcome::Skipped("no rule is compiled to machine code".to_owned())
    };
    cases.push(Case::new("same result native and interpreted", compared));
    cases.push(Case::new("different results for different seeds", seeds_differ(&native, &made)));
    let name = format!("no failure, NaN or suspension in {steps} steps, {seeds} seeds");
    cases.push(Case::failed_for(name, failure(&native, judged)));
    let expectations = native.scene.expect.iter().enumerate();
    let judge = |(at, expectation): (usize, &Expectation)| {
        Case::new(format!("{expectation}, {seeds} seeds"), outcome(judged, at))
    };
    cases.extend(expectations.map(judge));
    if native.scene.expect.is_empty() {
        let reason = "the scene has no `expect`: see docs/scenes.md".to_owned();
        cases.push(Case::new("expectations", Outcome::Skipped(reason)));
    }
    Ok(cases)
}

fn loaded(reason: Option<String>) -> Case {
    Case::failed_for("scene and scripts are valid, and a rule moves a unit", reason)
}

/// Returns the number of steps after which all expectations are judged.
fn steps_of_expectations(generation: &Generation) -> u64 {
    let steps = |expectation: &Expectation| expectation.last_step(&generation.scene.world.clock()) + 1;
    generation.scene.expect.iter().map(steps).max().unwrap_or(0)
}

/// Returns a reason if no unit has a rule, so that all other tests would pass without proving anything.
fn idle(generation: &Generation) -> Option<String> {
    let simulation = generation.start(None);
    let moves =
        |group: usize| simulation.slots(group).iter().any(|slot| slot.enabled && slot.behavior.is_some());
    let groups = simulation.world().groups.iter().enumerate();
    let is_moved = groups.into_iter().any(|(at, group)| !group.units.is_empty() && moves(at));
    (!is_moved).then(|| "no unit has an enabled rule: the tests would prove nothing".to_owned())
}

fn described(divergence: &Divergence) -> String {
    let Divergence { step, unit, group, rule, .. } = divergence;
    let rule = rule.as_ref().map_or(String::new(), |rule| format!(", rule {}", rule.name));
    format!("first difference: step {step}, unit {unit} of {group}{rule}")
}

fn seeds_differ(generation: &Generation, made: &[SeedRun]) -> Outcome {
    let Some([a, b]) = made.first_chunk() else { return Outcome::Skipped("there is one seed".to_owned()) };
    if a.motions[1] != b.motions[1] {
        return Outcome::Passed;
    }
    let scripts = generation.texts().map(|texts| texts.scripts).unwrap_or_default();
    let drawing = scripts.iter().find(|(_, text)| text.contains("random"));
    match drawing {
        _ if a.motions[0] != b.motions[0] => Outcome::Failed(format!(
            "seeds {} and {} have other starts and the same last state",
            a.seed, b.seed
        )),
        Some((name, _)) => Outcome::Failed(format!(
            "seeds {} and {} have the same last state, although {name}.rhai draws random numbers",
            a.seed, b.seed
        )),
        None => Outcome::Skipped("nothing in the scene is random".to_owned()),
    }
}

/// Returns the first failure of a rule in any run.
fn failure(generation: &Generation, made: &[SeedRun]) -> Option<String> {
    made.iter().find_map(|run| {
        let report: &Report = run.reports.first()?;
        let fault = generation.fault(report);
        let suspended = if report.suspended.is_some() { ", then suspended" } else { "" };
        let place = if fault.line > 0 {
            format!("{}:{}:{}", fault.path, fault.line, fault.column)
        } else {
            fault.path.clone()
        };
        let of = match generation.scene.groups.get(report.group) {
            Some(group) if report.script.starts_with(MEASURES) => format!("group {}", group.common.name),
            _ => format!("unit {}", report.unit),
        };
        Some(format!(
            "{place}: {}: first in step {}, {of}, seed {}{suspended}",
            fault.message, report.first_step, run.seed
        ))
    })
}

/// Returns the result of an expectation over all seeds.
fn outcome(made: &[SeedRun], at: usize) -> Outcome {
    let verdicts = || made.iter().filter_map(|run| Some((run.seed, run.verdicts.get(at)?)));
    let failed = verdicts().filter_map(|(seed, verdict)| match verdict {
        Verdict::Failed { reason, .. } => Some((seed, reason)),
        _ => None,
    });
    let failed: Vec<_> = failed.collect();
    if let Some((seed, reason)) = failed.first() {
        return Outcome::Failed(format!(
            "seed {seed}: {reason} ({} of {} seeds fail)",
            failed.len(),
            made.len()
        ));
    }
    let open = verdicts().find_map(|(seed, verdict)| match verdict {
        Verdict::Open { end, .. } => Some((seed, end)),
        _ => None,
    });
    if let Some((seed, end)) = open {
        return Outcome::Skipped(format!(
            "seed {seed}: the run ends before step {end}, until which it is judged"
        ));
    }
    let at_start =
        verdicts().all(|(_, verdict)| matches!(verdict, Verdict::Met(reached) if reached.time == 0.0));
    if at_start {
        let reason = "it holds at the start, before any rule acts, so that it proves nothing";
        return Outcome::Failed(reason.to_owned());
    }
    Outcome::Passed
}
