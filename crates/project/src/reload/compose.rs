//! Composition of the newest contents of all files that work together.
//!
//! Every file's newest content is a candidate. All candidates are tried together; a faulty one is rejected with its
//! faults and replaced by the version that runs, until the set works as a whole. Rejected candidates are tried again
//! whenever anything changes.
//!
//! A parameter and its value in the scene often change in one save, and neither works with the old version of the
//! other; so files are not accepted one by one.

use std::sync::Arc;

use steerbox_core::world::NamedFlow;
use steerbox_scene::{Scene, SceneEdits};

use super::cache::Cache;
use super::computed;
use super::generation::NamesUsed;
use super::inputs::{Attempt, Inputs};
use super::names::names_used;
use super::plan::Planner;
use super::planned::{Planned, PlannedMeasure};
use super::tracked::{Chosen, Rejected, RejectedFile};
use super::trial_run::TrialRuns;
use super::uses;

/// Versions that work together, and the files that do not work.
pub(super) struct Composed {
    pub(super) scene: Chosen<Arc<Scene>>,
    /// The scene with its edits.
    pub(super) edited: Arc<Scene>,
    pub(super) scene_edits: SceneEdits,
    pub(super) parts: Parts,
    pub(super) rejected: Rejected,
}

/// Results of scene and scripts together.
pub(super) struct Parts {
    pub(super) flows: Vec<NamedFlow>,
    pub(super) behaviors: Vec<Vec<Planned>>,
    pub(super) measures: Vec<PlannedMeasure>,
    pub(super) names: NamesUsed,
}

/// Composes the newest versions that work together. The cache does not affect the result.
///
/// # Errors
/// With the rejected files, if no version of the scene works.
pub(super) fn compose(inputs: &Inputs<'_>, cache: &mut Cache) -> Result<Composed, Rejected> {
    let mut rejected = broken(inputs);
    let mut trials = TrialRuns::new(inputs.trials);
    loop {
        let Some(scene) = inputs.scene.chosen(&rejected) else {
            return Err(rejected);
        };
        let scene_edits = inputs.scene_edits.resolved(&scene.content);
        let edited = cache.edited(&scene.content, &scene_edits);
        let attempt = Attempt { inputs, rejected: &rejected, scene: &scene, edited: &edited };
        match parts(&attempt, cache, &mut trials) {
            Ok(parts) => {
                return Ok(Composed { scene, edited, scene_edits, parts, rejected });
            }
            // A rejected file is not used again, so it cannot be rejected again.
            Err(file) if rejected.contains(&file.path) => return Err(Rejected(vec![file])),
            Err(file) => {
                if file.path == inputs.scene.path {
                    // Scripts that did not fit the new scene may fit the one that runs.
                    rejected = broken(inputs);
                }
                rejected.0.push(file);
            }
        }
    }
}

/// Returns the files that do not compile. The uses of scripts in a broken scene are checked, as far as they are readable.
fn broken(inputs: &Inputs<'_>) -> Rejected {
    let mut rejected = inputs.broken_scripts();
    if let Some(mut scene) = inputs.scene.broken() {
        if let Some(rest) = inputs.rest {
            let chosen = Chosen { content: Arc::clone(rest), is_new: true };
            let attempt = Attempt { inputs, rejected: &rejected, scene: &chosen, edited: rest };
            scene.faults.extend(uses::faults(&attempt));
            uses::sort(&mut scene.faults);
        }
        rejected.0.insert(0, scene);
    }
    rejected
}

fn parts(
    attempt: &Attempt<'_>,
    cache: &mut Cache,
    trials: &mut TrialRuns<'_>,
) -> Result<Parts, RejectedFile> {
    if attempt.scene.is_new {
        let faults = uses::faults(attempt);
        if uses::has_errors(&faults) {
            return Err(attempt.scene_fault(faults));
        }
    }
    let names = names_used(attempt)?;
    let mut planner = Planner { attempt, cache, trials };
    let flows = planner.flows()?;
    planner.trials.enter(attempt.edited, &flows, &names);
    let behaviors = planner.behaviors()?;
    let measures = computed::measures(attempt, cache, trials)?;
    Ok(Parts { flows, behaviors, measures, names })
}
