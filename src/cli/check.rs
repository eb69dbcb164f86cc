//! `steerbox check`: reports all faults of scenes and scripts.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use steerbox_core::diagnostics::{Fault, Fix, Severity, counted, line_and_column};
use steerbox_core::text::TextEdit;
use steerbox_project::experiment::check_experiment;
use steerbox_project::language::{CheckedExperiment, CheckedScene, CheckedScript};
use steerbox_project::reload::{
    BuiltIn, EXPERIMENTS, LoadError, Loader, Place, compile_file, embedded_helpers, embedded_measures,
    embedded_scenes, embedded_scripts, in_project, is_experiment, is_scene, is_script, read_dir_if_any,
    read_dir_sorted, read_experiment_text, script_in,
};
use steerbox_scene::Written;
use steerbox_script::{Execution, Script, Unsupported};

use super::args::{CheckArgs, CheckFormat};
use super::check_runs::CheckRuns;
use super::execution::Interpreted;
use super::idle::IdleParams;
use super::loops::Loops;
use super::print::{err, faults, json, note, out, raw};
use super::scene;
use super::sweep_args::{Experiment, scene_of};

/// Notes on scripts in addition to faults.
#[derive(Default)]
struct Notes {
    interpreted: Interpreted,
    loops: Loops,
    idle: IdleParams,
    /// The runs of scenes, if requested.
    runs: Option<CheckRuns>,
}

pub(super) fn check(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let mut found = Vec::new();
    let mut notes = Notes { runs: args.run.then(CheckRuns::default), ..Notes::default() };
    let paths = match &args.paths[..] {
        [] => here(),
        paths => paths.to_vec(),
    };
    let checked = if paths.is_empty() {
        let count = built_in(&mut found, &mut notes);
        format!("{count} built-in files checked, as there is no scenes or scripts folder here")
    } else {
        let count = check_all(&paths, &mut found, &mut notes)?;
        format!("{} checked", counted(count, ["file", "files"]))
    };
    // Scenes share scripts: each fault is reported once, at its first occurrence.
    let mut known = BTreeSet::new();
    found.retain(|fault| known.insert(fault.clone()));
    notes.interpreted.leave_out(&found);
    let is_warning = |fault: &&Fault| fault.severity == Severity::Warning;
    let (warnings, all) = (found.iter().filter(is_warning).count(), found.len());
    let judged = notes.runs.as_ref().map_or_else(String::new, |runs| {
        format!(", {} judged", counted(runs.count(), ["expectation", "expectations"]))
    });
    let result = format!("{checked}{judged}, {}", faults_and_warnings(all - warnings, warnings));
    match args.format {
        CheckFormat::Text => {
            faults(&found);
            notes.interpreted.print(out)?;
            if args.explain {
                notes.loops.print()?;
                notes.idle.print()?;
            }
            out(result)?;
        }
        CheckFormat::Json => {
            found.iter().try_for_each(print_json)?;
            let mut refusals = notes.interpreted.refusals();
            refusals.try_for_each(|(file, refusal)| print_note(&file, refusal))?;
            if args.explain {
                notes.loops.print_json()?;
                notes.idle.print_json()?;
            }
            err(result);
        }
        CheckFormat::Junit => {
            raw(notes.runs.unwrap_or_default().junit(&found).as_bytes())?;
            err(result);
        }
    }
    Ok(ExitCode::from(u8::from(warnings < all)))
}

/// Checks the files, folders and scenes named by `paths`; returns the number of files.
fn check_all(paths: &[PathBuf], found: &mut Vec<Fault>, notes: &mut Notes) -> anyhow::Result<usize> {
    let mut checked = 0;
    for path in paths {
        if !path.exists() && path.extension().is_none_or(|extension| extension != "rhai") {
            let place = scene::place(path)?;
            let path = place.scene.as_deref().map(relative);
            let shown = path.map_or_else(|| place.scene_name(), |path| path.display().to_string());
            found.extend(check_scene(place, &shown, notes));
            checked += 1;
            continue;
        }
        for file in files(path)? {
            checked += 1;
            found.extend(check_file(&file, notes));
        }
    }
    Ok(checked)
}

/// Formats numbers of faults and warnings: "no faults", "1 fault, 2 warnings".
fn faults_and_warnings(faults: usize, warnings: usize) -> String {
    let faults = match faults {
        0 => "no faults".to_owned(),
        count => counted(count, ["fault", "faults"]),
    };
    match warnings {
        0 => faults,
        count => format!("{faults}, {}", counted(count, ["warning", "warnings"])),
    }
}

/// Returns the default folders that exist or may exist.
fn here() -> Vec<PathBuf> {
    let folders = ["scenes", "scripts", EXPERIMENTS].map(PathBuf::from).into_iter();
    folders.filter(|folder| folder.is_dir() || read_dir_if_any(folder).is_err()).collect()
}

/// Returns the scenes and scripts in a folder, or the file itself. Hidden files and definition files for editors are
/// skipped.
pub(super) fn files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    if path.is_dir() {
        collect(path, &mut BTreeSet::new(), &mut files)?;
        files.sort();
        return Ok(files);
    }
    let shown = path.display();
    ensure!(path.exists(), "{shown}: there is no such file or folder");
    let is_one = is_scene(path) || is_script(path) || is_experiment(path);
    let is_known = is_one || has_extension(path, "ron") || has_extension(path, "rhai");
    ensure!(is_known, "{shown} is neither a scene (.ron) nor a script (.rhai)");
    files.extend(is_one.then(|| path.to_owned()));
    Ok(files)
}

/// Collects the scenes and scripts of a folder, recursively. Links may be cyclic: each folder is visited once.
fn collect(folder: &Path, seen: &mut BTreeSet<PathBuf>, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let reading = || format!("cannot read {}", folder.display());
    if !seen.insert(folder.canonicalize().with_context(reading)?) {
        return Ok(());
    }
    for path in read_dir_sorted(folder).with_context(reading)? {
        let name = path.file_name().unwrap_or_default();
        if name.as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if path.is_dir() {
            collect(&path, seen, files)?;
        } else if is_scene(&path) || is_script(&path) || is_experiment(&path) {
            files.push(path);
        }
    }
    Ok(())
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

fn check_file(path: &Path, notes: &mut Notes) -> Vec<Fault> {
    if is_script(path) {
        check_script(path, notes)
    } else if is_experiment(path) {
        match check_experiment_file(path).map_err(anyhow::Error::downcast::<LoadError>) {
            Ok(faults) | Err(Ok(LoadError(faults))) => faults,
            Err(Err(error)) => vec![Fault::of_file(path.display().to_string(), format!("{error:#}"))],
        }
    } else {
        let shown = path.display().to_string();
        check_scene(Place::of_scene(path), &shown, notes)
    }
}

/// Returns the faults of an experiment with its scene and its table.
///
/// # Errors
/// If the file cannot be read, or the faults of its fields.
fn check_experiment_file(path: &Path) -> anyhow::Result<Vec<Fault>> {
    let (Experiment { text, file }, shown) = (Experiment::read(path)?, path.display().to_string());
    let at = |written: &Written, message: String| {
        let span = &written.span;
        vec![Fault::at(&shown, &text, (span.line, span.column), message).wide(span.width)]
    };
    let place = match scene::place(&scene_of(path, &file)) {
        Ok(place) => place,
        Err(error) => return Ok(at(&file.scene, format!("{error:#}"))),
    };
    let Ok((_, generation)) = Loader::load(place, Vec::new()) else {
        return Ok(at(&file.scene, CheckedExperiment::faulty_scene(&file)));
    };
    let design = file.design.as_ref().map(|design| read_experiment_text(&in_project(path, &design.text)));
    Ok(check_experiment((&shown, &text), &file, design, &generation))
}

/// Returns the faults of a scene and of the scripts that it uses.
fn check_scene(place: Place, shown: &str, notes: &mut Notes) -> Vec<Fault> {
    let scene_name = place.scene_name();
    let folders = place.folders.clone();
    let loaded = Loader::load(place, Vec::new()).map(|(_, generation)| generation);
    let CheckedScene { faults: mut found, generation } = CheckedScene::of(loaded);
    let is_sound = found.iter().all(|fault| fault.severity == Severity::Warning);
    if let Some(generation) = generation {
        if let Some(runs) = notes.runs.as_mut().filter(|_| is_sound) {
            match runs.run(&generation, shown) {
                Ok(faults) => found.extend(faults),
                Err(error) => found.push(Fault::of_file(&scene_name, format!("{error:#}"))),
            }
        }
        notes.interpreted.add_all(&generation);
        notes.idle.add(shown, &generation, |script| shown_script(script, &folders));
        for script in generation.planned().filter_map(|planned| planned.script.as_ref()) {
            notes.loops.add(&shown_script(&script.path, &folders), script);
        }
    }
    // Faults contain file names only; a check of many files reports paths.
    let named = found.into_iter().map(|mut fault| {
        if fault.path == scene_name {
            shown.clone_into(&mut fault.path);
        } else {
            fault.path = shown_script(&fault.path, &folders);
        }
        fault
    });
    named.collect()
}

/// Returns the path of a script, given its file name: in the first folder that contains it.
fn shown_script(path: &str, folders: &[PathBuf]) -> String {
    let mut paths = folders.iter().map(|folder| folder.join(path));
    let found = paths.find(|path| path.exists());
    found.map_or_else(|| path.to_owned(), |script| relative(&script).display().to_string())
}

/// Returns the path relative to the working directory, if it is below it.
fn relative(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).map_or_else(|_| path.to_owned(), Path::to_owned)
}

fn check_script(path: &Path, notes: &mut Notes) -> Vec<Fault> {
    let mut found = tried(path, compile_file(path), notes);
    if let Some((folder, _)) = script_in(path) {
        for fault in &mut found {
            fault.path = folder.join(&fault.path).display().to_string();
        }
    }
    found
}

/// Returns the faults of a compiled script, including those of a trial run; faults contain file names without folders.
fn tried(path: &Path, compiled: Result<Script, Vec<Fault>>, notes: &mut Notes) -> Vec<Fault> {
    let CheckedScript { faults, script, behavior } = CheckedScript::of(compiled, Execution::Native);
    if let Some(script) = &script {
        notes.loops.add(&path.display().to_string(), script);
    }
    if let Some(behavior) = &behavior {
        let name = path.file_stem().unwrap_or_default();
        notes.interpreted.add(&name.to_string_lossy(), behavior);
    }
    faults
}

/// Checks all built-in files; returns their number.
fn built_in(found: &mut Vec<Fault>, notes: &mut Notes) -> usize {
    let behaviors = embedded_scripts().chain(embedded_measures()).map(|file| (file, false));
    let helpers = embedded_helpers().map(|file| (file, true));
    for ((name, text), is_imported) in behaviors.chain(helpers) {
        let script = Script::reviewed(name, text, &BuiltIn, is_imported);
        found.extend(tried(Path::new(name), script, notes));
    }
    for (name, _) in embedded_scenes() {
        found.extend(check_scene(Place::built_in(name), name, notes));
    }
    let scripts = embedded_scripts().count() + embedded_measures().count() + embedded_helpers().count();
    scripts + embedded_scenes().count()
}

fn print_json(fault: &Fault) -> anyhow::Result<()> {
    json(&json!({
        "path": fault.path, "line": fault.line, "column": fault.column, "width": fault.width,
        "message": fault.message, "help": fault.help, "excerpt": fault.excerpt(),
        "severity": fault.severity.name(), "fixes": fixes(fault),
    }))
}

/// Returns the fixes of a fault with lines and columns, which count from 1.
fn fixes(fault: &Fault) -> Vec<Value> {
    if fault.fixes.is_empty() {
        return Vec::new();
    }
    let Ok(text) = fs::read_to_string(&fault.path) else {
        return Vec::new();
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let edit = |edit: &TextEdit| {
        let [start, end] = [edit.range.start, edit.range.end].map(|at| line_and_column(text, at));
        json!({
            "line": start.0, "column": start.1, "end_line": end.0, "end_column": end.1, "text": edit.text,
        })
    };
    let fix =
        |fix: &Fix| json!({"title": fix.title, "edits": fix.edits.iter().map(edit).collect::<Vec<_>>()});
    fault.fixes.iter().map(fix).collect()
}

/// Prints a note about a behavior that is interpreted.
fn print_note(file: &str, refusal: &Unsupported) -> anyhow::Result<()> {
    let message = format!("interpreted: the compiler does not support {}", refusal.construct);
    let path = refusal.file.as_deref().unwrap_or(file);
    note(path, (refusal.line, refusal.column), &message, refusal.help.as_deref())
}
