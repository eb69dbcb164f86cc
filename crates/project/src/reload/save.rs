//! Saving of tuned values into the newest content of the scene's file.

use std::sync::Arc;

use steerbox_core::diagnostics::Fault;
use steerbox_core::world::ParamValue;
use steerbox_scene::{self as scene, Edit, SceneEdit, Set};

use super::generation::{Generation, Saved, Status};
use super::place::SCENE_BYTES;
use super::planned::Knob;
use super::project::Project;
use super::replace::{ATTEMPTS, Base, ReplaceError};
use super::tuned::{Handle, KnobName};

/// Receives each content of the scene's file, and its generation, if it results in one.
type Sink<'a> = dyn FnMut(Arc<str>, Option<Generation>) + 'a;

/// Writes every tuned value into the scene's file, and resets it. This is not a reload. `sink` receives the generation
/// of the file's newest content, if that is new, and each known content of the file.
///
/// # Errors
/// If nothing was written: file and tuned values are unchanged.
pub fn save(project: &mut Project, sink: &mut Sink<'_>) -> Saved {
    let name = project.place().scene_name();
    let Some(path) = project.place().scene.clone() else {
        let message = "this scene came with the program: there is no file to write to";
        let help = "`steerbox new DIR` writes a project with it; open that one and tune there";
        return Err(Fault::of_file(name, message).help(help));
    };
    if project.has_scene_buffer() {
        let message = "nothing was written: the editor has unsaved text of this scene";
        return Err(Fault::of_file(&name, message).help("save that text first, or return to the saved one"));
    }
    for _ in 0..ATTEMPTS {
        let base = Base::read(&path, SCENE_BYTES).map_err(|error| error.of_file(&name))?;
        let old = base.text().map_err(|error| error.of_file(&name))?;
        let generation = catch_up(project, &name, old, sink)?;
        if let Some((script, param)) = project.unsaved_param(&generation) {
            let message = format!("nothing was written: only the unsaved text of {script}.rhai has {param}");
            return Err(Fault::of_file(&name, message).help("save that text first, or reset the value"));
        }
        let (edits, mut values) = changes(&generation);
        values.extend(generation.scene_edits.changes(&generation.file).iter().map(SceneEdit::words));
        if !values.is_empty() {
            let text = scene::rewrite(&name, old, &edits, &generation.scene_edits).map_err(unwritten)?;
            match base.replace(&text) {
                Ok(()) => {
                    let text = without_mark(&text);
                    project.wrote_scene(&text);
                    sink(text, None);
                }
                Err(ReplaceError::Changed) => continue,
                Err(error) => return Err(error.of_file(&name)),
            }
        }
        project.settle_saved(&generation);
        return Ok(values);
    }
    Err(ReplaceError::Changed.of_file(&name))
}

/// Loads the newest content of the scene's file first, so that values that have changed in the file are not
/// overwritten.
fn catch_up(project: &mut Project, name: &str, text: &str, sink: &mut Sink<'_>) -> Result<Generation, Fault> {
    let text = without_mark(text);
    // A file that is being written may have errors: it is not loaded.
    scene::read(name, &text).map_err(unwritten)?;
    project.set_scene(Some(Ok(Arc::clone(&text))));
    let generation = project.compose().map_err(|error| unwritten(error.0))?;
    let is_news = !generation.events.is_empty() || !generation.changed.is_empty();
    sink(text, is_news.then(|| generation.clone()));
    match project.scene_status() {
        Some(Status::Rejected(faults)) => Err(unwritten(faults.clone())),
        _ => Ok(generation),
    }
}

/// Returns the changes to write, and their texts.
fn changes(generation: &Generation) -> (Vec<Edit>, Vec<String>) {
    let mut changes = Vec::new();
    for planned in generation.planned() {
        let tuned = planned.knobs.iter().filter(|knob| knob.tuned);
        changes.extend(tuned.filter_map(|knob| change(&planned.handle, knob)));
    }
    changes.into_iter().unzip()
}

fn change(handle: &Handle, knob: &Knob) -> Option<(Edit, String)> {
    let (what, set) = match (&knob.name, &knob.value) {
        (KnobName::Gain, ParamValue::Number(gain)) => (format!("gain {gain}"), Set::Gain(*gain)),
        (KnobName::Enabled, ParamValue::Switch(on)) => {
            (if *on { "on" } else { "off" }.to_owned(), Set::Enabled(*on))
        }
        (KnobName::Param(name), value) => {
            (format!("{name} {value}"), Set::Param(name.clone(), value.clone()))
        }
        _ => return None,
    };
    let Handle { group, script, occurrence } = handle.clone();
    let which = match occurrence {
        0 => String::new(),
        others => format!(" ({})", others + 1),
    };
    let words = format!("{group}.{script}{which} {what}");
    Some((Edit::Behavior { group, script, occurrence, set }, words))
}

fn without_mark(text: &str) -> Arc<str> {
    Arc::from(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Returns the fault of a save that wrote nothing because the scene has errors.
fn unwritten(faults: Vec<Fault>) -> Fault {
    let first = faults.into_iter().next();
    let mut fault = first.unwrap_or_else(|| Fault::of_file("", "the scene does not read"));
    fault.message = format!("nothing was written: {}", fault.message);
    fault
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    #[test]
    fn a_scene_is_saved_to_plain_files_only() {
        use super::*;
        use crate::reload::{Loader, Place, default_scene};
        use crate::targets::{Policy, check_writer};
        let (name, text) = default_scene();
        check_writer(name, text, Policy::FollowsLinks, &|path| {
            // The scene is loaded before another file replaces it.
            let aside = path.with_file_name("aside");
            let io = |error: std::io::Error| error.to_string();
            let is_taken = std::fs::symlink_metadata(path).is_ok();
            if is_taken {
                std::fs::rename(path, &aside).map_err(io)?;
            }
            std::fs::write(path, text).map_err(io)?;
            let (mut project, generation) = Loader::load(Place::of_scene(path), Vec::new()).unwrap();
            if is_taken {
                std::fs::remove_file(path).map_err(io)?;
                std::fs::rename(&aside, path).map_err(io)?;
            }
            let handle = generation.behaviors[0][0].handle.clone();
            project.tune(handle, KnobName::Gain, ParamValue::Number(2.5));
            project.compose().unwrap();
            save(&mut project, &mut |_, _| {}).map(drop).map_err(|fault| fault.message)
        });
    }
}
