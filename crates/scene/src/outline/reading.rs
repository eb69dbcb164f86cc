//! Reads the parts of a text.

use super::mended::mended;
use crate::node::Node;
use crate::parts::SceneOutline;
use crate::read::{experiment, is_too_large, scene};
use crate::reader::Reader;
use crate::recorder::Recorder;
use crate::ron_file::RonFile;
use crate::span::Lines;
use crate::syntax::Repaired;

/// Returns the parts of a scene, also of one with faults; none of a text beyond the limits of scenes.
pub fn outline(text: &str) -> SceneOutline {
    outline_of(text, RonFile::Scene)
}

/// As [`outline`], for a file of any kind.
pub fn outline_of(text: &str, file: RonFile) -> SceneOutline {
    read((text, file), None, None)
}

/// Returns the parts of a file and the forms of the values at `at`. If `is_missing`, a name or value is inserted there
/// first, so that the answer includes what is expected; its range is empty.
pub fn outline_at((text, file): (&str, RonFile), at: usize, is_missing: bool) -> SceneOutline {
    read((text, file), Some(at), is_missing.then_some(at))
}

fn read((text, file): (&str, RonFile), focus: Option<usize>, missing: Option<usize>) -> SceneOutline {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let within = |at: usize| at.saturating_sub(start);
    let bare = &text[start..];
    if is_too_large(bare) {
        return SceneOutline::default();
    }
    let mended = mended(bare, missing.map(within));
    let (lines, repaired) = (Lines::new(&mended.text), Repaired::new(&mended.text));
    let focus = focus.map(|at| mended.of_original(within(at)));
    let mut reader = Reader::recording(&lines, &repaired, Recorder::new(focus));
    let root = Node::root(&mended.text);
    match file {
        RonFile::Scene => _ = scene(&mut reader, root, ""),
        RonFile::Experiment => _ = experiment(&mut reader, root),
    }
    let mut outline = reader.take_outline();
    outline.map(|range| {
        let range = mended.original(range);
        range.start + start..range.end + start
    });
    outline.sort();
    outline
}
