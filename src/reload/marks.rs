//! The marks of a scene and its scripts: all of them must fit into a mask.

use std::collections::BTreeSet;

use super::inputs::{Attempt, Chosen, RejectedFile};
use crate::diagnostics::{Fault, line_and_column};
use crate::scene::{Scene, ScriptUse};
use crate::script::Script;

/// Bits of a mask.
const MOST: usize = 64;

/// Every mark that the scene's looks and its scripts name.
///
/// # Errors
/// With the newer of scene and scripts, if there are too many.
pub(super) fn marks(attempt: &Attempt<'_>) -> Result<Vec<String>, RejectedFile> {
    let scene = &attempt.scene.content;
    let mut marks = of_looks(scene);
    for (_, script) in scripts(attempt) {
        marks.extend(script.content.marks.iter().cloned());
    }
    let mut known = BTreeSet::new();
    marks.retain(|mark| known.insert(mark.clone()));
    let Some(extra) = marks.get(MOST) else {
        return Ok(marks);
    };
    let count = marks.len();
    let message = format!("scene and scripts name {count} marks, but there are only {MOST}");
    let help = "marks are what looks name, and what scripts hand to `mark` and `has_mark`";
    if attempt.scene.is_new {
        let used = scripts(attempt).find(|(_, script)| script.content.marks.contains(extra));
        let fault = match used {
            Some((used, _)) if !of_looks(scene).contains(extra) => scene.fault(&used.span, message),
            _ => at(attempt.inputs.scene_name, &scene.source, extra, message),
        };
        return Err(attempt.scene_fault(vec![fault.help(help)]));
    }
    let Some((_, script)) = scripts(attempt).find(|(_, script)| script.is_new) else {
        return Ok(marks);
    };
    let script = &script.content;
    let last = script.marks.last().map_or("", String::as_str);
    let fault = at(&script.path, &script.text, last, message);
    Err(RejectedFile::of(script, fault.help(help)))
}

fn scripts<'a>(attempt: &'a Attempt<'_>) -> impl Iterator<Item = (&'a ScriptUse, Chosen<Script>)> {
    let groups = attempt.scene.content.groups.iter();
    let used = groups.flat_map(|group| &group.behaviors);
    used.filter_map(|used| Some((used, attempt.script(&used.script)?)))
}

fn of_looks(scene: &Scene) -> Vec<String> {
    let looks = scene.groups.iter().flat_map(|group| &group.look.marks);
    looks.map(|(name, _)| name.clone()).collect()
}

/// A fault where a text names a mark.
fn at(path: &str, text: &str, mark: &str, message: String) -> Fault {
    let quoted = format!("\"{mark}\"");
    let Some(at) = text.find(&quoted) else {
        return Fault::of_file(path, message);
    };
    let width = quoted.chars().count();
    Fault::at(path, text, line_and_column(text, at), message).wide(width)
}
