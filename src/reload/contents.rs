//! The files of a place: which they are, and how their contents reach the project.

use std::path::{Path, PathBuf};

use super::disk::{Change, FileState as Content, Interest, ReadFault};
use super::place::{Place, file_name};
use super::project::Project;
use crate::diagnostics::Fault;
use crate::{scene, script};

/// How the names of files end that tell editors of the API: no scripts, though their names end in `.rhai`.
const DEFINITIONS: &str = ".d.rhai";
/// Most bytes of a script that are read.
pub(super) const SCRIPT_BYTES: u64 = script::LONGEST as u64;
/// Most bytes of a scene that are read.
pub(super) const SCENE_BYTES: u64 = scene::LONGEST as u64;

/// Whether a file is a script, by its name: definitions for editors are none.
pub fn is_script(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    name.ends_with(b".rhai") && !name.ends_with(DEFINITIONS.as_bytes())
}

/// The files of a place.
pub(super) fn interest(place: &Place) -> Interest {
    let mut interest = scripts_in(&place.folders);
    if let Some(scene) = &place.scene {
        interest = interest.file(scene, SCENE_BYTES);
    }
    interest
}

/// The scenes of a folder.
pub(super) fn scenes_in(folder: &Path) -> Interest {
    Interest::new().folder(folder, "ron", SCENE_BYTES)
}

/// The scripts of folders.
pub(super) fn scripts_in(folders: &[PathBuf]) -> Interest {
    let mut interest = Interest::new();
    for folder in folders {
        interest = interest.folder(folder, "rhai", SCRIPT_BYTES);
    }
    interest.except(DEFINITIONS)
}

/// Hands a content to the project.
pub(super) fn take(project: &mut Project, change: Change) {
    let name = file_name(&change.path);
    let text = match change.state {
        Content::Content(text) => Some(Ok(text)),
        Content::Missing => None,
        Content::Unreadable(fault) => Some(Err(unreadable(&name, &fault))),
    };
    if project.place().scene.as_ref() == Some(&change.path) {
        project.set_scene(text);
    } else if let Some((script, rank)) = project.place().script_at(&change.path) {
        project.set_script(&script, rank, text);
    }
}

/// Why a file cannot serve.
pub(super) fn unreadable(name: &str, fault: &ReadFault) -> Fault {
    let message = fault.to_string();
    match fault {
        ReadFault::NotUtf8(text) => {
            let shown = format!("{text}\u{fffd}");
            Fault::not_utf8(name, shown.as_bytes(), text.len())
        }
        _ => Fault::of_file(name, message),
    }
}
