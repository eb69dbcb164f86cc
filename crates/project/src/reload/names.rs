//! Marks and signals of a scene and its scripts: they are limited by the size of masks and by the signal slots of
//! units.

use std::collections::BTreeSet;
use std::sync::Arc;

use steerbox_core::diagnostics::{Fault, line_and_column};
use steerbox_core::world::MAX_SIGNALS;
use steerbox_scene::{ColorBy, Look, Scene, ScriptUse};
use steerbox_script::Script;

use super::generation::NamesUsed;
use super::inputs::{Attempt, script_fault};
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
    Ok(NamesUsed { marks: all(attempt, &MARKS)?, signals: all(attempt, &SIGNALS)? })
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
