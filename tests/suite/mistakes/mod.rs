//! Typical mistakes, each a small faulty file, and the expected messages in the text beside it.
//!
//! Read the texts to review all messages at a glance. `STEERBOX_REWRITE=1 cargo test --test suite mistakes` writes them.

mod events;
mod fixes;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use steerbox_project::reload::read_dir_sorted;

use crate::common::file;
use crate::common::project::{ProjectDir, failed, json_lines, stdout};

/// Valid scripts that other files need.
const SOUND: [&str; 2] = ["sound", "still_air"];
/// Scripts whose mistake shows only in a world without other units.
const AT_RUN: [&str; 2] = ["nothing_asked", "nothing_in_a_sum"];

/// The folder of the faulty files of a kind.
fn corpus(folder: &str) -> PathBuf {
    file("tests/mistakes").join(folder)
}

/// Returns the sorted names of the files of a folder, without extension.
fn names(folder: &str, extension: &str) -> Vec<String> {
    let paths = read_dir_sorted(&corpus(folder)).unwrap().into_iter();
    paths
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect()
}

/// Creates a project of the faulty files whose names satisfy `wanted`.
fn project(folder: &str, extension: &str, wanted: impl Fn(&str) -> bool) -> ProjectDir {
    let project = ProjectDir::with(&[]);
    copy(&project, folder, extension, wanted);
    project
}

fn copy(project: &ProjectDir, folder: &str, extension: &str, wanted: impl Fn(&str) -> bool) {
    for name in names(folder, extension).iter().filter(|name| wanted(name)) {
        let name = format!("{name}.{extension}");
        fs::create_dir_all(project.path(folder)).unwrap();
        // Copied as bytes: one of them is not UTF-8.
        let to = project.path(folder).join(&name);
        fs::copy(corpus(folder).join(&name), to).unwrap();
    }
}

/// Returns the output of `check` for a folder, as text and as JSON.
fn checked(project: &ProjectDir, folder: &str) -> (String, Vec<Value>) {
    let text = project.refuses(&["check", folder], &[]);
    let output = project.call(&["check", "--format", "json", folder]);
    failed(&output, 1, &[]);
    (text, json_lines(&stdout(&output)))
}

#[test]
fn every_mistake_in_a_script_is_explained() {
    let project = project("scripts", "rhai", |name| !AT_RUN.contains(&name));
    compare(&project, "scripts", "rhai", &[SOUND, AT_RUN].concat());
}

#[test]
fn every_mistake_in_a_scene_is_explained() {
    let project = project("scenes", "ron", |_| true);
    let needed = [SOUND, AT_RUN].concat();
    copy(&project, "scripts", "rhai", |name| needed.contains(&name));
    compare(&project, "scenes", "ron", &[]);
}

/// Compares the output of `check` for every file of a folder, as text and as JSON, with the expected one.
fn compare(project: &ProjectDir, folder: &str, extension: &str, sound: &[&str]) {
    let (text, mut faults) = checked(project, folder);
    faults.retain(|fault| fault["severity"] != "note");
    let told = by_file(&text);
    for fault in &faults {
        let (path, message) = (fault["path"].as_str().unwrap(), fault["message"].as_str());
        let text = told.get(path).map_or("", String::as_str);
        assert!(text.contains(message.unwrap()), "{fault}\n{text}");
        let caret = fault["excerpt"].as_str().unwrap().lines().last();
        assert!(fault["line"] == 0 || caret.unwrap_or("^").contains('^'), "{fault}");
    }
    let blocks: usize = told.values().map(|text| text.matches("\n\n").count()).sum();
    assert_eq!(blocks, faults.len(), "as many in JSON as in text");
    let mut wrong = Vec::new();
    for name in names(folder, extension) {
        if sound.contains(&name.as_str()) {
            continue;
        }
        // Failures at run time are reported for the script that a scene names.
        let path = match name.strip_prefix("at_run_") {
            Some(script) => format!("scripts/{script}.rhai"),
            None => format!("{folder}/{name}.{extension}"),
        };
        let said = told.get(&path).map_or("", String::as_str);
        let file = corpus(folder).join(format!("{name}.txt"));
        if std::env::var_os("STEERBOX_REWRITE").is_some() {
            fs::write(&file, said).unwrap();
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        if said.is_empty() || said != expected {
            wrong.push(format!("{name}: expected\n{expected}\nbut it says\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Groups rendered faults by file, each followed by an empty line.
fn by_file(text: &str) -> BTreeMap<String, String> {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let mut block = String::new();
    for line in text.lines().chain(["error: end"]) {
        if line.starts_with("error: ") || line.starts_with("warning: ") {
            if let Some(path) = path_of(&block) {
                let told = files.entry(path).or_default();
                told.push_str(block.trim_end());
                told.push_str("\n\n");
            }
            block.clear();
        }
        if !line.ends_with(" files checked") && !line.contains(" files checked, ") {
            block.push_str(line.trim_end());
            block.push('\n');
        }
    }
    files
}

fn path_of(block: &str) -> Option<String> {
    let line = block.lines().nth(1)?;
    let (_, place) = line.split_once("--> ").or_else(|| line.split_once("::: "))?;
    place.split(':').next().map(str::to_owned)
}
