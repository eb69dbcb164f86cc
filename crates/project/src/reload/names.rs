//! Marks and signals of a scene and its scripts: they are limited by the size of masks and by the signal slots of
//! units.

use std::collections::BTreeSet;
use std::sync::Arc;

use steerbox_core::diagnostics::{Fault, line_and_column, quoted_suggestion};
use steerbox_core::sim::MeasureNames;
use steerbox_core::world::MAX_SIGNALS;
use steerbox_scene::{ColorBy, Look, Scene, ScriptUse};
use steerbox_script::{MEASURES, Script};

use super::generation::NamesUsed;
use super::inputs::{Attempt, script_fault};
use super::planned::Planned;
use super::tracked::{Chosen, RejectedFile};

/// A kind of names, and its limit.
struct Names {
    what: &'static str,
    most: usize,
    help: &'static str,
    of_look: fn(&Look) -> Vec<&String>,
    of_script: fn(&Script) -> &[String],
}

const MARKS: Names = Names {
    what: "marks",
    most: 64,
    help: "marks are what looks name, and what scripts hand to `mark`, `has_mark` and `marked`",
    of_look: |look| look.marks.iter().map(|(name, _)| name).collect(),
    of_script: |script| &script.marks,
};

const SIGNALS: Names = Names {
    what: "signals",
    most: MAX_SIGNALS,
    help: "signals are what looks are colored by, and what scripts hand to `signal`",
    of_look: |look| match &look.color_by {
        Some(ColorBy::Signal { name, .. }) => vec![name],
        _ => Vec::new(),
    },
    of_script: |script| &script.signals,
};

/// Returns every mark and signal of the scene's looks and scripts.
///
/// # Errors
/// With the newer of scene and scripts, if there are too many.
pub(super) fn names_used(attempt: &Attempt<'_>) -> Result<NamesUsed, RejectedFile> {
    let (marks, signals) = (all(attempt, &MARKS)?, all(attempt, &SIGNALS)?);
    let used: Vec<_> = scripts(attempt).map(|(_, script)| script.content).collect();
    let set = set_by(used.iter());
    let unset = signals.iter().filter(|name| set.as_ref().is_some_and(|set| !set.contains(*name)));
    let unset = unset.cloned().collect();
    Ok(NamesUsed { marks, signals, unset })
}

/// Returns the signals that scripts set; `None` if one of them computes a name.
fn set_by<'a>(mut scripts: impl Iterator<Item = &'a Arc<Script>>) -> Option<BTreeSet<String>> {
    scripts.try_fold(BTreeSet::new(), |mut all, script| {
        all.extend(script.set_signals()?);
        Some(all)
    })
}

/// Returns a warning for each signal of the scene's looks and scripts that no script sets. An imported file may read
/// signals that only some scenes have, as every rule may read marks.
pub(super) fn warnings(scene: &Scene, behaviors: &[Vec<Planned>]) -> Vec<Fault> {
    let planned = behaviors.iter().flatten().map(|planned| planned.script.as_ref());
    // A script that does not work yet may set them.
    let scripts = planned.collect::<Option<Vec<_>>>().unwrap_or_default();
    let Some(set) = set_by(scripts.iter().copied()) else { return Vec::new() };
    let mut warned: BTreeSet<&String> = BTreeSet::new();
    let mut warnings = Vec::new();
    let mut warn = |path: &str, text: &str, name| {
        if !set.contains(name) && text.contains(&format!("\"{name}\"")) && warned.insert(name) {
            let message = format!("no rule sets the signal \"{name}\", so that it is 0");
            let near = quoted_suggestion(name, set.iter().map(String::as_str));
            let help = near.unwrap_or_else(|| format!("set it in a rule: `me.signal(\"{name}\", value)`"));
            warnings.push(at(path, text, name, message).help(help).warning());
        }
    };
    if !scripts.is_empty() {
        let looks = scene.groups.iter().flat_map(|group| (SIGNALS.of_look)(&group.look));
        looks.for_each(|name| warn(&scene.path, &scene.source, name));
    }
    for script in &scripts {
        script.signals.iter().for_each(|name| warn(&script.path, &script.text, name));
    }
    warnings
}

/// Returns a warning for each watched value with the name of a figure or of a measure of a script: one hides the other.
pub(super) fn hidden(behaviors: &[Vec<Planned>], is_measure: impl Fn(&str) -> bool) -> Vec<Fault> {
    let scripts = behaviors.iter().flatten().filter_map(|planned| planned.script.as_ref());
    let mut warnings = Vec::new();
    for script in scripts {
        for name in script.watched() {
            let message = if MeasureNames::are_built_in(&name) {
                format!("the measure `{name}` hides this value, which is watched by the same name")
            } else if is_measure(&name) {
                format!("this value hides the measure of {MEASURES}{name}.rhai in groups with this rule")
            } else {
                continue;
            };
            let warning = at(&script.path, &script.text, &name, message);
            let warning = warning.help("give one of them another name").warning();
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
    }
    warnings
}

fn all(attempt: &Attempt<'_>, of: &Names) -> Result<Vec<String>, RejectedFile> {
    let scene = &attempt.scene.content;
    let mut names = of_looks(scene, of);
    for (_, script) in scripts(attempt) {
        names.extend((of.of_script)(&script.content).iter().cloned());
    }
    let mut known = BTreeSet::new();
    names.retain(|name| known.insert(name.clone()));
    let Some(extra) = names.get(of.most) else {
        return Ok(names);
    };
    let (count, what, most) = (names.len(), of.what, of.most);
    let message = format!("scene and scripts name {count} {what}, but there are only {most}");
    if attempt.scene.is_new {
        let mut used = scripts(attempt);
        let used = used.find(|(_, script)| (of.of_script)(&script.content).contains(extra));
        let fault = match used {
            Some((used, _)) if !of_looks(scene, of).contains(extra) => scene.fault(&used.span, message),
            _ => at(&scene.path, &scene.source, extra, message),
        };
        return Err(attempt.scene_fault(vec![fault.help(of.help)]));
    }
    let Some((_, script)) = scripts(attempt).find(|(_, script)| script.is_new) else {
        return Ok(names);
    };
    let script = &script.content;
    let last = (of.of_script)(script).last().map_or("", String::as_str);
    let fault = at(&script.path, &script.text, last, message);
    Err(script_fault(script, fault.help(of.help)))
}

fn scripts<'a>(attempt: &'a Attempt<'_>) -> impl Iterator<Item = (&'a ScriptUse, Chosen<Arc<Script>>)> {
    let groups = attempt.scene.content.groups.iter();
    let used = groups.flat_map(|group| &group.behaviors);
    used.filter_map(|used| Some((used, attempt.script(&used.script)?)))
}

fn of_looks(scene: &Scene, of: &Names) -> Vec<String> {
    scene.groups.iter().flat_map(|group| (of.of_look)(&group.look)).cloned().collect()
}

/// Returns a fault at the place of a name in a text.
fn at(path: &str, text: &str, name: &str, message: String) -> Fault {
    let quoted = format!("\"{name}\"");
    let Some(at) = text.find(&quoted) else {
        return Fault::of_file(path, message);
    };
    let width = quoted.chars().count();
    Fault::at(path, text, line_and_column(text, at), message).wide(width)
}
