//! `steerbox check`: every fault of scenes and scripts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use serde_json::json;

use super::args::{CheckArgs, Format};
use super::execution::Executions;
use super::print::{err, faults, out};
use crate::diagnostics::{Fault, Severity};
use crate::reload::{
    Generation, LoadError, Loader, Place, Project, Status, embedded_scenes, embedded_scripts,
    is_script, learn_file, listing, try_alone, try_out,
};
use crate::script::{Execution, NoLibrary, Program, Refusal, Role, Script, ScriptBehavior};

pub(super) fn check(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let mut found = Vec::new();
    let mut executions = Executions::default();
    let mut checked = 0;
    let paths = if args.paths.is_empty() {
        here()
    } else {
        args.paths.clone()
    };
    if paths.is_empty() {
        checked = embedded(&mut found, &mut executions);
    }
    for path in paths {
        for file in files(&path)? {
            checked += 1;
            found.extend(check_file(&file, &mut executions));
        }
    }
    // Scenes share scripts: each fault once, where it was met first.
    let mut known = BTreeSet::new();
    found.retain(|fault| known.insert(fault.clone()));
    executions.leave_out(&found);
    match args.format {
        Format::Text => {
            faults(&found);
            executions.tell();
        }
        Format::Json => {
            found.iter().for_each(print_json);
            for (file, refusal) in executions.refusals() {
                print_note(&file, refusal);
            }
        }
    }
    let warnings = found
        .iter()
        .filter(|fault| fault.severity == Severity::Warning);
    let (warnings, all) = (warnings.count(), found.len());
    err(format!(
        "{checked} files checked, {}",
        counted(all - warnings, warnings)
    ));
    Ok(if warnings == all {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// "no faults", "1 fault, 2 warnings".
fn counted(faults: usize, warnings: usize) -> String {
    let faults = match faults {
        0 => "no faults".to_owned(),
        1 => "1 fault".to_owned(),
        count => format!("{count} faults"),
    };
    match warnings {
        0 => faults,
        1 => format!("{faults}, 1 warning"),
        count => format!("{faults}, {count} warnings"),
    }
}

/// The usual folders, as far as they are there.
fn here() -> Vec<PathBuf> {
    ["scenes", "scripts"]
        .map(PathBuf::from)
        .into_iter()
        .filter(|folder| folder.is_dir())
        .collect()
}

/// Scenes and scripts in a folder, or the file itself. What is hidden is an editor's own, and what is
/// written for editors is none of both.
fn files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        anyhow::ensure!(path.exists(), "there is no {}", path.display());
        let is_one = has_extension(path, "ron") || is_script(path);
        anyhow::ensure!(
            is_one || has_extension(path, "rhai"),
            "{} is neither a scene (.ron) nor a script (.rhai)",
            path.display()
        );
        return Ok(is_one.then(|| path.to_owned()).into_iter().collect());
    }
    let reading = || format!("cannot read {}", path.display());
    let mut files = Vec::new();
    for path in listing(path).with_context(reading)? {
        let name = path.file_name().unwrap_or_default();
        if name.as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if path.is_dir() {
            files.extend(self::files(&path)?);
        } else if has_extension(&path, "ron") || is_script(&path) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

fn check_file(path: &Path, executions: &mut Executions) -> Vec<Fault> {
    if is_script(path) {
        check_script(path, executions)
    } else {
        check_scene(path, executions)
    }
}

/// The scene's own faults, and those of the scripts it uses.
fn check_scene(path: &Path, executions: &mut Executions) -> Vec<Fault> {
    let place = Place::of_scene(path);
    let scene_name = place.scene_name();
    let folders = place.folders.clone();
    let found = match Loader::load(place, Vec::new()) {
        Err(LoadError(found)) => found,
        Ok((_, generation)) => {
            executions.merge(Executions::of(&generation));
            let mut found = try_out(&generation);
            found.extend(warnings(&generation));
            let rejected = (generation.files.into_iter().filter(|file| file.used))
                .filter_map(|file| match file.status {
                    Status::Rejected(found) => Some(found),
                    _ => None,
                })
                .flatten();
            found.extend(rejected);
            found
        }
    };
    // Faults name the file by its last part; a check of many files names it in full.
    let named = found.into_iter().map(|mut fault| {
        if fault.path == scene_name {
            fault.path = path.display().to_string();
        } else if let Some(script) = folders
            .iter()
            .map(|folder| folder.join(&fault.path))
            .find(|path| path.exists())
        {
            fault.path = relative(&script).display().to_string();
        }
        fault
    });
    named.collect()
}

/// The warnings about a scene and the scripts that it runs.
fn warnings(generation: &Generation) -> Vec<Fault> {
    let planned = generation.crews.iter().flatten();
    let scripts = planned.filter_map(|planned| planned.script.as_ref());
    let of_scripts = scripts.flat_map(|script| script.warnings.clone());
    generation
        .warnings
        .iter()
        .cloned()
        .chain(of_scripts)
        .collect()
}

/// The path from the working folder, if it is below it.
fn relative(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here)
        .map_or_else(|_| path.to_owned(), Path::to_owned)
}

fn check_script(path: &Path, executions: &mut Executions) -> Vec<Fault> {
    let mut found = tried(path, learn_file(path), executions);
    if let Some(folder) = path.parent() {
        for fault in &mut found {
            fault.path = folder.join(&fault.path).display().to_string();
        }
    }
    found
}

/// What is found in a script; faults name files without their folder.
fn tried(
    path: &Path,
    learned: Result<Script, Vec<Fault>>,
    executions: &mut Executions,
) -> Vec<Fault> {
    let script = match learned {
        Ok(script) => script,
        Err(found) => return found,
    };
    let mut found = script.warnings.clone();
    match Program::fold(&script, &[]) {
        Ok(program) if script.role == Role::Behavior => {
            let behavior = ScriptBehavior::new(program, Execution::Native);
            let name = path.file_stem().unwrap_or_default();
            executions.add(&name.to_string_lossy(), &behavior);
            found.extend(try_alone(&script, &behavior));
        }
        Ok(_) => {}
        Err(faults) => found.extend(faults),
    }
    found
}

/// Checks what is built in; how many files that is.
fn embedded(found: &mut Vec<Fault>, executions: &mut Executions) -> usize {
    for (name, text) in embedded_scripts() {
        let learned = Script::reviewed(name, text, &NoLibrary, false);
        found.extend(tried(Path::new(name), learned, executions));
    }
    let mut project = Project::new(Place {
        scene: None,
        folders: Vec::new(),
    });
    if let Err(LoadError(faults)) = project.compose() {
        found.extend(faults);
    }
    embedded_scripts().count() + embedded_scenes().count()
}

fn print_json(fault: &Fault) {
    let Fault {
        severity,
        path,
        line,
        column,
        width,
        message,
        help,
        ..
    } = fault;
    let (severity, excerpt) = (severity.name(), fault.excerpt());
    out(json!({
        "path": path, "line": line, "column": column, "width": width, "message": message,
        "help": help, "excerpt": excerpt, "severity": severity,
    }));
}

/// A behavior that is not compiled, as a note: it works all the same.
fn print_note(file: &str, refusal: &Refusal) {
    let Refusal {
        construct,
        line,
        column,
    } = refusal;
    let message = format!("interpreted: the compiler does not take {construct}");
    let help: Option<&str> = None;
    out(
        json!({ "path": file, "line": line, "column": column, "message": message, "help": help, "severity": "note" }),
    );
}
