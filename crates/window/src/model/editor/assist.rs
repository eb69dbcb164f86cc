//! The language service for the texts in the editor: the files of the project, and the list that it offers.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use steerbox_core::text::TextEdit;
use steerbox_project::language::{Action, Completion, Workspace};
use steerbox_project::reload::{EXPERIMENTS, Place, is_experiment, is_script};
use steerbox_script::MEASURES;

use super::buffer::Buffer;

/// Time after which files that are not open are read again.
const FRESH: Duration = Duration::from_secs(2);
/// The maximum number of offered entries.
const MAX_OFFERED: usize = 200;
/// The folder of files that came with the program.
const BUILT_IN: &str = "/steerbox";

/// An entry of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) label: String,
    pub(crate) detail: String,
    pub(crate) about: String,
    /// The edits of each file.
    pub(crate) edits: Vec<(PathBuf, Vec<TextEdit>)>,
    /// The part of the edited text to select, bytes; `None` if the cursor stays.
    pub(crate) selects: Option<Range<usize>>,
    /// The part of the edited text with a new name, which is renamed next, bytes.
    pub(crate) new_name: Option<Range<usize>>,
}

/// A list of completions or of changes, at a place of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Offer {
    /// Name of the file.
    pub(crate) name: String,
    /// The cursor, bytes.
    pub(crate) at: usize,
    pub(crate) entries: Vec<Entry>,
    /// The index of the chosen entry.
    pub(crate) chosen: usize,
}

/// A renaming whose new name is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Renaming {
    /// Name of the file, and a place of the old name in its text, bytes.
    pub(crate) name: String,
    pub(crate) at: usize,
    pub(crate) new: String,
    /// The reason why it was not renamed to that name.
    pub(crate) refusal: Option<String>,
}

/// The signature of a call, which is shown until Esc closes it or the cursor leaves the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShownSignature {
    pub(crate) label: String,
    pub(crate) is_closed: bool,
}

/// The files of the project with all texts of the editor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assist {
    pub(crate) workspace: Workspace,
    pub(crate) offer: Option<Offer>,
    pub(crate) renaming: Option<Renaming>,
    /// The signature of the call at the cursor.
    pub(crate) signature: Option<ShownSignature>,
    place: Option<Place>,
    read: Option<Instant>,
}

impl Assist {
    /// Closes the signature of the call at the cursor.
    pub(crate) fn close_signature(&mut self) {
        if let Some(shown) = &mut self.signature {
            shown.is_closed = true;
        }
    }

    /// Returns the path of a file by its name in messages; files that came with the program have invented ones.
    pub(crate) fn path_of(&self, name: &str) -> PathBuf {
        let place = self.place.as_ref();
        let known = place.and_then(|place| place.path_of(name));
        let root = place.and_then(Place::project).unwrap_or(Path::new(BUILT_IN));
        let folder = match Path::new(name) {
            name if is_script(name) => "scripts",
            name if is_experiment(name) => "",
            _ => "scenes",
        };
        known.unwrap_or_else(|| root.join(folder).join(name))
    }

    /// Reads the files of a place, unless they were read shortly before, and stores the texts of the editor.
    pub(crate) fn update(&mut self, place: &Place, buffers: &[Buffer], now: Instant) {
        let is_fresh = self.read.is_some_and(|read| now.saturating_duration_since(read) < FRESH);
        if self.place.as_ref() != Some(place) || !is_fresh {
            self.read = Some(now);
            self.place = Some(place.clone());
            self.workspace = Workspace::default();
            let scenes = place.scene.as_deref().and_then(Path::parent);
            for folder in place.folders.iter().map(PathBuf::as_path).chain(scenes) {
                self.workspace.read_folder(folder);
                self.workspace.read_folder(&folder.join(MEASURES));
            }
            if let Some(project) = place.project().filter(|project| project.join(EXPERIMENTS).is_dir()) {
                self.workspace.read_folder(&project.join(EXPERIMENTS));
                self.workspace.read_folder(&project.join("scenes"));
            }
        }
        self.follow(buffers);
        let scene = place.scene_name();
        let path = self.path_of(&scene);
        if self.workspace.document(&path).is_none() {
            let saved = place.saved(&scene).and_then(Result::ok).unwrap_or_default();
            self.workspace.set_buffer(&path, saved);
        }
    }

    /// Files are read again at the next request.
    pub(crate) fn expire(&mut self) {
        self.read = None;
    }

    /// Stores the texts of the editor that changed.
    pub(crate) fn follow(&mut self, buffers: &[Buffer]) {
        for buffer in buffers {
            let path = self.path_of(&buffer.name);
            let known = self.workspace.document(&path);
            if known.is_none_or(|known| *known.text != *buffer.text()) {
                self.workspace.set_buffer(&path, buffer.text().into());
            }
        }
    }

    /// Opens the field for a new name of the one at a place. Returns its part of the text, or `None` if it cannot be renamed.
    pub(crate) fn start_renaming(&mut self, buffer: &Buffer, at: usize) -> Option<Range<usize>> {
        let range = self.workspace.renamed_at(&self.path_of(&buffer.name), at)?;
        let new = buffer.text().get(range.clone()).unwrap_or_default().to_owned();
        let name = buffer.name.clone();
        self.renaming = Some(Renaming { name, at: range.start, new, refusal: None });
        Some(range)
    }

    /// Offers the completions at a place of a text. Nothing is offered if the word is complete.
    pub(crate) fn complete(&mut self, buffer: &Buffer, at: usize) {
        let path = self.path_of(&buffer.name);
        let all = self.workspace.complete(&path, at);
        let text = buffer.text();
        let typed = |one: &Completion| text.get(one.edit.range.start..at).unwrap_or_default().to_lowercase();
        let mut ranked: Vec<_> =
            all.iter().filter_map(|one| Some((rank(&typed(one), &one.label)?, one))).collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        let is_done =
            matches!(&ranked[..], [(_, one), ..] if text.get(one.edit.range.clone()) == Some(&one.label));
        ranked.truncate(MAX_OFFERED);
        let entries = ranked.into_iter().map(|(_, one)| entry(&path, text, one)).collect();
        self.offer(buffer, at, if is_done { Vec::new() } else { entries });
    }

    /// Offers the fixes and refactorings for a part of a text.
    pub(crate) fn offer_actions(&mut self, buffer: &Buffer, range: Range<usize>) {
        let path = self.path_of(&buffer.name);
        let entries = self.workspace.actions(&path, range.clone()).into_iter().map(of_action).collect();
        self.offer(buffer, range.end, entries);
    }

    fn offer(&mut self, buffer: &Buffer, at: usize, entries: Vec<Entry>) {
        let offer = Offer { name: buffer.name.clone(), at, entries, chosen: 0 };
        self.offer = Some(offer).filter(|offer| !offer.entries.is_empty());
    }
}

/// Returns the rank of a label for a typed word, in lower case: 0 if it begins with it, 1 if one of its words does, or if it
/// contains its letters in order with the same first one; `None` for others.
fn rank(typed: &str, label: &str) -> Option<u8> {
    let label = label.to_lowercase();
    if label.starts_with(typed) {
        return Some(0);
    }
    if label.split(' ').any(|word| word.starts_with(typed)) {
        return Some(1);
    }
    let mut rest = label.chars();
    let is_first = label.chars().next() == typed.chars().next();
    (is_first && typed.chars().all(|letter| rest.any(|other| other == letter))).then_some(1)
}

fn entry(path: &Path, text: &str, one: &Completion) -> Entry {
    let line = text[..one.edit.range.start].rfind('\n').map_or(0, |end| end + 1);
    let before = &text[line..one.edit.range.start];
    let indent = &before[..before.len() - before.trim_start().len()];
    let (new, stop) = if one.is_snippet {
        expanded(&one.edit.text.replace('\n', &format!("\n{indent}")))
    } else {
        (one.edit.text.clone(), one.edit.text.len()..one.edit.text.len())
    };
    let start = one.edit.range.start;
    Entry {
        label: one.label.clone(),
        detail: one.detail.clone(),
        about: one.documentation.clone(),
        edits: vec![(path.to_owned(), vec![TextEdit::replace(one.edit.range.clone(), new)])],
        selects: Some(start + stop.start..start + stop.end),
        new_name: None,
    }
}

fn of_action(action: Action) -> Entry {
    let detail = action.fault.unwrap_or_default();
    Entry {
        label: action.title,
        detail,
        about: String::new(),
        edits: action.edit.edits,
        selects: None,
        new_name: action.new_name,
    }
}

/// Returns a snippet without its tab stops, and the part of the first one.
fn expanded(snippet: &str) -> (String, Range<usize>) {
    let (mut text, mut rest) = (String::new(), snippet);
    let mut stops: Vec<(u32, Range<usize>)> = Vec::new();
    while let Some(at) = rest.find('$') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some((number, (word, after))) = rest.strip_prefix('{').and_then(|inside| {
            let (number, inside) = inside.split_once(':')?;
            Some((number.parse().ok()?, inside.split_once('}')?))
        }) {
            stops.push((number, text.len()..text.len() + word.len()));
            text.push_str(word);
            rest = after;
        } else if let Some(number) = rest.chars().next().and_then(|digit| digit.to_digit(10)) {
            stops.push((if number == 0 { u32::MAX } else { number }, text.len()..text.len()));
            rest = &rest[1..];
        } else {
            text.push('$');
        }
    }
    text.push_str(rest);
    let first = stops.into_iter().min_by_key(|(number, _)| *number);
    let end = text.len();
    (text, first.map_or(end..end, |(_, range)| range))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_is_inserted_without_its_stops() {
        assert_eq!(expanded("for ${1:m} in ${2:l} { $0 }"), ("for m in l {  }".to_owned(), 4..5));
        assert_eq!(expanded("f($0)"), ("f()".to_owned(), 2..2));
        assert_eq!(expanded("{\"$1\": $0}"), ("{\"\": }".to_owned(), 2..2));
        assert_eq!(expanded("a $b ${1"), ("a $b ${1".to_owned(), 8..8));
    }

    #[test]
    fn labels_match_by_their_start_or_by_letters_in_order() {
        assert_eq!(rank("ne", "nearest"), Some(0));
        assert_eq!(rank("mp", "mean_position"), Some(1));
        assert_eq!(rank("pm", "mean_position"), None);
        assert_eq!(rank("", "anything"), Some(0));
        assert_eq!((rank("fn st", "fn steer"), rank("ste", "fn steer")), (Some(0), Some(1)));
    }

    #[test]
    fn completions_of_an_unsaved_text_are_offered_and_applied() {
        let mut assist = Assist::default();
        let text = "fn steer(me, world) {\n    me.neigh\n}\n";
        let buffer = Buffer::new("rule.rhai", Some(text.into()));
        assist.update(&Place::built_in("flock.ron"), std::slice::from_ref(&buffer), Instant::now());
        assist.complete(&buffer, text.find("\n}").expect("the end"));
        let offer = assist.offer.as_ref().expect("an offer");
        assert_eq!(offer.entries[0].label, "neighbors");
        let edited = steerbox_core::text::apply(text, &offer.entries[0].edits[0].1).expect("the edits fit");
        assert!(edited.contains("me.neighbors\n"), "{edited}");
        let complete = Buffer::new("rule.rhai", Some(edited.as_str().into()));
        assist.follow(std::slice::from_ref(&complete));
        assist.complete(&complete, edited.find("\n}").expect("the end"));
        assert_eq!(assist.offer, None, "the word is complete");
    }
}
