//! Compilation of a script that no scene uses.

use std::path::Path;

use steerbox_core::diagnostics::Fault;
use steerbox_script::Script;

use super::disk::{Content, FileWatcher};
use super::embedded::DEFAULT_SCENE;
use super::place::{Place, SCRIPT_BYTES, script_in, scripts_in};
use super::scripts::Scripts;

/// Reads and compiles a script without a scene, with its imports from the same folder of scripts.
///
/// # Errors
/// With its faults; those of an imported file contain that file's name.
pub fn compile_file(path: &Path) -> Result<Script, Vec<Fault>> {
    let (folder, name) = script_in(path).unwrap_or((path, String::new()));
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let folders = vec![folder.to_owned()];
    // A watch set of a folder does not contain hidden files.
    let file = folder.join(&name);
    let watch_set = scripts_in(&folders).file(file, SCRIPT_BYTES);
    let embedded = Place::built_in(DEFAULT_SCENE);
    let mut scripts = Scripts::new(embedded.scripts_without_file(), folders.len());
    for change in FileWatcher::unwatched(watch_set).read_all() {
        let name = script_in(&change.path).map_or_else(String::new, |(_, name)| name);
        let text = match change.content {
            Content::Text(text) => Ok(text),
            Content::Unreadable(fault) => Err(fault.of_file(&name)),
            Content::Missing => Err(Fault::of_file(&name, "there is no such file")),
        };
        scripts.set_text(stem(&name), 0, Some(text));
    }
    scripts.compile(stem(&name)).map_err(|mut faults| {
        if faults.is_empty() {
            let message = "the file is being written all the time: it cannot be read as a whole";
            faults.push(Fault::of_file(name, message));
        }
        faults
    })
}

fn stem(name: &str) -> &str {
    name.strip_suffix(".rhai").unwrap_or(name)
}
