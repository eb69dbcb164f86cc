//! Every fix is right: with it, its fault is gone, and no other one is new.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use super::{AT_RUN, SOUND, checked, copy, project};
use crate::common::project::ProjectDir;

/// A fault, a fix of it and the number of faults of its file.
struct Fixed {
    fault: Value,
    title: String,
    faults: usize,
}

#[test]
fn every_fix_of_a_script_removes_its_fault_and_adds_none() {
    let project = project("scripts", "rhai", |name| !AT_RUN.contains(&name));
    println!("{}", verify(&project, "scripts", "rhai", 68));
}

#[test]
fn every_fix_of_a_scene_removes_its_fault_and_adds_none() {
    let project = project("scenes", "ron", |_| true);
    let needed = [SOUND, AT_RUN].concat();
    copy(&project, "scripts", "rhai", |name| needed.contains(&name));
    println!("{}", verify(&project, "scenes", "ron", 75));
}

/// Applies every fix of every file of a folder to a copy of its file, and checks the copies. At least `least` percent of the
/// faults must have a fix. Returns a summary.
fn verify(project: &ProjectDir, folder: &str, extension: &str, least: usize) -> String {
    let (_, faults) = checked(project, folder);
    let by_file = by_file(faults, folder);
    let (mut all, mut with_fix, mut fixed) = (0, 0, BTreeMap::new());
    for (file, faults) in &by_file {
        all += faults.len();
        let text = fs::read(project.path(file)).expect("the file is there");
        let text = String::from_utf8_lossy(&text).into_owned();
        for fault in faults {
            let fixes = fault["fixes"].as_array().expect("every fault has a list of fixes");
            with_fix += usize::from(!fixes.is_empty());
            for fix in fixes {
                let copy = format!("{folder}/fixed_{}.{extension}", fixed.len());
                project.save(&copy, &applied(&text, fix));
                let title = format!("{file}: {}", fix["title"]);
                fixed.insert(copy, Fixed { fault: fault.clone(), title, faults: faults.len() });
            }
        }
    }
    let share = 100 * with_fix / all;
    let (_, faults) = checked(project, folder);
    let after = self::by_file(faults, folder);
    let wrong: Vec<_> = fixed.iter().filter_map(|(copy, fixed)| wrong(fixed, after.get(copy))).collect();
    assert!(wrong.is_empty(), "{} wrong fixes:\n{}", wrong.len(), wrong.join("\n"));
    assert!(share >= least, "only {share} % of the faults in {folder} have a fix");
    format!("{folder}: {with_fix} of {all} faults have a fix ({share} %), {} fixes", fixed.len())
}

/// Explains what is wrong with a fix, given the faults of the file after it.
fn wrong(fixed: &Fixed, after: Option<&Vec<Value>>) -> Option<String> {
    let after = after.map_or(&[][..], Vec::as_slice);
    let is_same = |fault: &&Value| {
        ["message", "line", "column"].iter().all(|field| fault[*field] == fixed.fault[*field])
    };
    let left: Vec<_> = after.iter().map(|fault| format!("{}:{}", fault["line"], fault["message"])).collect();
    let is_wrong = after.len() >= fixed.faults || after.iter().any(|fault| is_same(&fault));
    is_wrong.then(|| format!("{}\n    {} → {left:?}", fixed.title, fixed.fault["message"]))
}

/// Groups the faults of the files of a folder by path.
fn by_file(faults: Vec<Value>, folder: &str) -> BTreeMap<String, Vec<Value>> {
    let mut files: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for fault in faults.into_iter().filter(|fault| fault["severity"] != "note") {
        let path = fault["path"].as_str().expect("a fault has a path").to_owned();
        if path.starts_with(folder) {
            files.entry(path).or_default().push(fault);
        }
    }
    files
}

/// Returns a text with the edits of a fix.
fn applied(text: &str, fix: &Value) -> String {
    let place = |edit: &Value, line: &str, column: &str| {
        let [line, column] = [line, column].map(|field| edit[field].as_u64().expect("a number") as usize);
        steerbox_core::diagnostics::offset_of(text, (line, column))
    };
    let mut fixed = text.to_owned();
    for edit in fix["edits"].as_array().expect("a fix has edits").iter().rev() {
        let range = place(edit, "line", "column")..place(edit, "end_line", "end_column");
        fixed.replace_range(range, edit["text"].as_str().expect("an edit has a text"));
    }
    fixed
}
