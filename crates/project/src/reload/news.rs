//! Texts of reload events, for the log of the window and `run --watch`.

use std::collections::BTreeSet;

use steerbox_core::diagnostics::Fault;

use super::event::{Event, EventKind};
use super::generation::{FileState, Generation, Status};

/// Maximum number of files that a line names.
const NAMED: usize = 3;

/// A line of the log.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// Newest contents run.
    Loaded(String),
    /// A script is interpreted, with the reason.
    Interpreted(String),
    /// The newest content of a file does not run, or was deleted; a behavior fails or is suspended.
    Kept(String),
    /// A change of the world by a reload.
    World(String),
    /// A choice of the user that a reload dropped.
    Dropped(String),
    /// A fault or a warning.
    Fault(Fault),
}

/// Returns the lines about all events of a generation.
pub fn news(events: &[Event], generation: &Generation) -> Vec<News> {
    let number = generation.number;
    let version = |path: &str| version(generation, path).unwrap_or(number);
    let live = events.iter().filter(|event| event.kind.runs());
    let (unsaved, live): (Vec<_>, Vec<_>) = live.partition(|event| event.is_unsaved);
    let live = live.into_iter().map(|event| event.path.as_str());
    let unsaved = unsaved.into_iter().map(|event| event.path.as_str());
    let unsaved: Vec<_> = unsaved.collect();
    let (fresh, again): (Vec<_>, Vec<_>) = live.partition(|path| version(path) == number);
    let loaded = loaded(&fresh, number).into_iter();
    let again = again.into_iter().map(|path| format!("{path} loaded again (version {})", version(path)));
    let state = |path: &str| generation.files.iter().find(|file| file.path == path);
    let drafts = unsaved.iter().map(|path| format!("{path}: {}", state(path).map_or("", unsaved_text)));
    let mut news: Vec<_> = loaded.chain(again).chain(drafts).map(News::Loaded).collect();
    let fresh = [fresh, unsaved].concat();
    news.extend(interpreted(&fresh, generation).into_iter().map(News::Interpreted));
    news.extend(trouble(events, generation));
    news
}

/// Returns the scripts among these files that the compiler does not support, with the reasons.
fn interpreted(files: &[&str], generation: &Generation) -> BTreeSet<String> {
    let planned = generation.planned().filter_map(|planned| {
        let path = format!("{}.rhai", planned.handle.script);
        let refusal = planned.behavior.as_ref()?.unsupported()?;
        let is_fresh = files.contains(&path.as_str());
        is_fresh.then(|| format!("{path} is interpreted, which is slower: {refusal}"))
    });
    planned.collect()
}

/// Returns the lines of [`news`] about files that were not loaded. More than three files with the same status that
/// the scene does not use share a line.
pub fn trouble(events: &[Event], generation: &Generation) -> Vec<News> {
    let is_unused = |event: &&Event| {
        let mut files = generation.files.iter();
        !event.kind.runs() && files.find(|file| file.path == event.path).is_none_or(|file| !file.used)
    };
    let unused = |kind| events.iter().filter(is_unused).filter(|event| event.kind == kind).count();
    let kinds = [(EventKind::Rejected, "have errors"), (EventKind::Missing, "were deleted")];
    let counted = kinds.map(|(kind, status)| (kind, unused(kind), status));
    let many: Vec<_> = counted.into_iter().filter(|(_, count, _)| *count > NAMED).collect();
    let lines =
        many.iter().map(|(_, count, status)| format!("{count} files that the scene does not use {status}"));
    let mut news: Vec<_> = lines.map(News::Kept).collect();
    let is_counted = |event: &&Event| many.iter().any(|(kind, ..)| *kind == event.kind) && is_unused(event);
    for event in events.iter().filter(|event| !is_counted(event)) {
        news.extend(event.error.iter().chain(&event.others).cloned().map(News::Fault));
        if !event.kind.runs() {
            let version = version(generation, &event.path).unwrap_or(0);
            let status = status_text(event.kind == EventKind::Missing, version);
            news.push(News::Kept(format!("{} {status}", event.path)));
        }
    }
    news
}

/// Returns the text of a status, `None` for a file that runs.
pub fn fate_of(file: &FileState) -> Option<String> {
    match file.status {
        Status::Live => None,
        Status::Missing => Some(status_text(true, file.generation)),
        Status::Rejected(_) => Some(status_text(false, file.generation)),
    }
}

/// Returns the text of a file whose unsaved text is accepted.
pub fn unsaved_text(file: &FileState) -> &'static str {
    if file.used { "unsaved text runs" } else { "unsaved text; used by no group" }
}

/// Returns the version of a file that runs; 0 if none does, `None` if the file is unknown.
fn version(generation: &Generation, path: &str) -> Option<u64> {
    let file = generation.files.iter().find(|file| file.path == path);
    file.map(|file| file.generation)
}

fn loaded(files: &[&str], number: u64) -> Option<String> {
    match files.len() {
        0 => None,
        count if count <= NAMED => Some(format!("{} loaded (version {number})", files.join(", "))),
        count => Some(format!("{count} files loaded (version {number})")),
    }
}

/// Returns the text of a faulty or deleted file; `version` is 0 if none ever worked.
fn status_text(is_gone: bool, version: u64) -> String {
    match (is_gone, version) {
        (true, 0) => "is missing; no version runs".to_owned(),
        (true, version) => format!("was deleted; version {version} keeps running"),
        (false, 0) => "rejected; no version runs yet".to_owned(),
        (false, version) => format!("rejected; version {version} keeps running"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reload::{Loader, Place};

    #[test]
    fn files_loaded_together_are_one_line() {
        assert_eq!(loaded(&[], 1), None);
        assert_eq!(loaded(&["a.rhai"], 2).unwrap(), "a.rhai loaded (version 2)");
        assert_eq!(loaded(&["a", "b", "c", "d"], 1).unwrap(), "4 files loaded (version 1)");
    }

    #[test]
    fn many_files_that_the_scene_does_not_use_are_one_line() {
        let event = |number: usize, kind| {
            let path = format!("m{number}.rhai");
            let fault = Fault::of_file(&path, "faulty");
            Event { kind, path, generation: 0, error: Some(fault), others: Vec::new(), is_unsaved: false }
        };
        let (_, generation) = Loader::load(Place::built_in("flock.ron"), Vec::new()).unwrap();
        let news = |count: usize| {
            let kinds = [EventKind::Rejected, EventKind::Missing].into_iter();
            let events = kinds.flat_map(|kind| (0..count).map(move |number| event(number, kind)));
            trouble(&events.collect::<Vec<_>>(), &generation)
        };
        let two = ["have errors", "were deleted"];
        let two = two.map(|status| News::Kept(format!("17 files that the scene does not use {status}")));
        assert_eq!(news(17), two);
        assert_eq!(news(1).len(), 4, "each by itself");
    }

    #[test]
    fn the_text_of_a_status_names_the_running_version_only_if_there_is_one() {
        assert_eq!(status_text(false, 0), "rejected; no version runs yet");
        assert_eq!(status_text(false, 2), "rejected; version 2 keeps running");
        assert_eq!(status_text(true, 0), "is missing; no version runs");
        assert_eq!(status_text(true, 7), "was deleted; version 7 keeps running");
    }
}
