//! Values as they stand beside the lines of a script.

use std::collections::BTreeMap;

use super::code::{Site, SiteKind};
use super::recorder::SiteLog;
use super::recording::Recording;

/// Values of a loop that are shown, beside the last.
const ROUNDS: usize = 3;

/// The values of a file in a few words, by the line on which they begin.
pub fn values_by_line(recording: &Recording, file: usize) -> BTreeMap<usize, Vec<String>> {
    let mut lines: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (site, log) in recording.values().into_iter().filter(|(site, _)| site.file == file) {
        lines.entry(site.span.start.0).or_default().push(shown(site, log));
    }
    lines
}

/// The values of a site in a few words.
fn shown(site: &Site, log: &SiteLog) -> String {
    let values: Vec<_> = log.entries().map(|entry| entry.value.to_string()).collect();
    let few = match &values[..] {
        [] => String::new(),
        [value] => value.clone(),
        [first @ .., last] if values.len() <= ROUNDS + 1 && log.last.is_none() => {
            format!("{}, {last}", first.join(", "))
        }
        [.., last] => format!("{} … {last} ({} times)", values[..ROUNDS].join(", "), log.count),
    };
    match (&site.name, site.kind) {
        (Some(name), _) => format!("{name} = {few}"),
        (None, SiteKind::Return | SiteKind::Value) => format!("→ {few}"),
        (None, _) => few,
    }
}
