//! Events of reloading as lines of the log.

use super::log::{Log, Tone};
use crate::reload::{Event, EventKind, FileState, Generation, Status};

/// Files that one line names.
const NAMED: usize = 3;

/// Tells what happened to files.
pub(super) fn tell(log: &mut Log, step: u64, events: &[Event], generation: &Generation) {
    let number = generation.number;
    let version = |path: &str| version(generation, path).unwrap_or(number);
    let (fresh, again): (Vec<_>, Vec<_>) = live(events).into_iter().partition(|path| version(path) == number);
    if let Some(line) = loaded(&fresh, number) {
        log.say(Tone::Good, step, line);
    }
    for path in again {
        let text = format!("{path} is as in version {} again", version(path));
        log.say(Tone::Good, step, text);
    }
    tell_trouble(log, step, events, generation);
}

/// Tells of all files but those that were loaded.
pub(super) fn tell_trouble(log: &mut Log, step: u64, events: &[Event], generation: &Generation) {
    for event in events {
        for fault in event.error.iter().chain(&event.others) {
            log.fault(step, fault);
        }
        if !event.kind.runs() {
            let version = version(generation, &event.path).unwrap_or(0);
            let fate = fate(event.kind == EventKind::Missing, version);
            log.say(Tone::Warning, step, format!("{} {fate}", event.path));
        }
    }
}

/// The version of a file that runs; 0 if none does, nothing if the file is not known.
fn version(generation: &Generation, path: &str) -> Option<u64> {
    let file = generation.files.iter().find(|file| file.path == path);
    file.map(|file| file.generation)
}

/// The files that were loaded.
pub(super) fn live(events: &[Event]) -> Vec<&str> {
    let live = events.iter().filter(|event| event.kind.runs());
    live.map(|event| event.path.as_str()).collect()
}

fn loaded(files: &[&str], number: u64) -> Option<String> {
    let verb = if number > 1 { "reloaded" } else { "loaded" };
    match files.len() {
        0 => None,
        count if count <= NAMED => Some(format!("{} {verb} (version {number})", files.join(", "))),
        count => Some(format!("{count} files {verb} (version {number})")),
    }
}

/// What became of a file that is faulty or gone; 0 is the version of one that never worked.
pub(super) fn fate(is_gone: bool, version: u64) -> String {
    let what = if is_gone { "is gone" } else { "not loaded" };
    match version {
        0 => format!("{what}; no version runs yet"),
        version => format!("{what}; version {version} keeps running"),
    }
}

/// What became of a file, if its newest content does not run.
pub(super) fn fate_of(file: &FileState) -> Option<String> {
    match file.status {
        Status::Live => None,
        Status::Missing => Some(fate(true, file.generation)),
        Status::Rejected(_) => Some(fate(false, file.generation)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_loaded_together_are_one_line() {
        assert_eq!(loaded(&[], 1), None);
        let line = loaded(&["a.rhai"], 2).unwrap();
        assert_eq!(line, "a.rhai reloaded (version 2)");
        let line = loaded(&["a", "b", "c", "d"], 1).unwrap();
        assert_eq!(line, "4 files loaded (version 1)");
    }

    #[test]
    fn a_version_that_does_not_exist_does_not_run_on() {
        assert_eq!(fate(false, 0), "not loaded; no version runs yet");
        assert_eq!(fate(false, 2), "not loaded; version 2 keeps running");
        assert_eq!(fate(true, 7), "is gone; version 7 keeps running");
    }
}
