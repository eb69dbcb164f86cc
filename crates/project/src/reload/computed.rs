//! Measures that scripts compute: the files in `measures/` of the folders of scripts.

use std::sync::Arc;

use steerbox_core::diagnostics::Fault;
use steerbox_core::sim::{GroupMeasure, MeasureNames, NamedMeasure};
use steerbox_script::{MEASURES, Role, Script, ScriptMeasure};

use super::cache::Cache;
use super::inputs::{Attempt, script_fault};
use super::planned::PlannedMeasure;
use super::tracked::{Chosen, RejectedFile};
use super::trial_run::TrialRuns;

/// Plans all measures.
///
/// # Errors
/// With the rejected file.
pub(super) fn measures(
    attempt: &Attempt<'_>,
    cache: &mut Cache,
    trials: &TrialRuns<'_>,
) -> Result<Vec<PlannedMeasure>, RejectedFile> {
    let planned = scripts(attempt).map(|(name, chosen)| {
        let (measure, script) = match chosen {
            Ok(chosen) => {
                let measure = compiled((&name, &chosen), cache, trials)?;
                (Ok(measure as Arc<dyn GroupMeasure>), Some(chosen.content))
            }
            Err(reason) => (Err(reason), None),
        };
        let script_name = format!("{MEASURES}{name}");
        Ok(PlannedMeasure { named: NamedMeasure { name, script: script_name, measure }, script })
    });
    planned.collect()
}

/// Returns the name of each measure with the reason why it does not work.
pub(super) fn names(attempt: &Attempt<'_>) -> Vec<(String, Result<(), String>)> {
    scripts(attempt).map(|(name, chosen)| (name, chosen.map(drop))).collect()
}

/// Returns the newest version of each measure that is not rejected, or the first fault of one without such a version.
fn scripts<'a>(
    attempt: &'a Attempt<'_>,
) -> impl Iterator<Item = (String, Result<Chosen<Arc<Script>>, String>)> + 'a {
    attempt.inputs.scripts.iter().filter_map(|(name, file)| {
        let measure = name.strip_prefix(MEASURES)?.to_owned();
        let reason = || attempt.rejected.faults(&file.path)?.first().map(Fault::summary);
        match file.chosen(attempt.rejected) {
            Some(chosen) if chosen.content.role == Role::Measure => Some((measure, Ok(chosen))),
            Some(_) => None,
            None => Some((measure, Err(reason()?))),
        }
    })
}

/// Compiles a measure, and tries a new version in the running world.
fn compiled(
    (name, chosen): (&str, &Chosen<Arc<Script>>),
    cache: &mut Cache,
    trials: &TrialRuns<'_>,
) -> Result<Arc<ScriptMeasure>, RejectedFile> {
    let script = &chosen.content;
    let rejected = |faults| RejectedFile { path: script.path.clone(), faults };
    let measure = cache.measure(script).map_err(rejected)?;
    if chosen.is_new {
        check_name(name, script)?;
        let tried = trials.check_measure(&*measure, script);
        tried.map_err(|fault| script_fault(script, fault))?;
    }
    Ok(measure)
}

/// Rejects a measure whose name is that of a figure, or which conditions cannot name.
fn check_name(name: &str, script: &Script) -> Result<(), RejectedFile> {
    let message = if MeasureNames::are_built_in(name) {
        format!("`{name}` is a built-in measure")
    } else if !name.starts_with(char::is_alphabetic)
        || name.contains(|it: char| !it.is_alphanumeric() && it != '_')
    {
        format!("`{name}` is not the name of a measure: a name has letters, digits and `_`")
    } else {
        return Ok(());
    };
    let fault = Fault::of_file(&script.path, message).help("give the file another name");
    Err(script_fault(script, fault))
}
