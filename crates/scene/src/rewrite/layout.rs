//! Text insertion that follows the existing layout.

use std::ops::Range;

use steerbox_core::diagnostics::block_comment;
use steerbox_core::text::TextEdit;

use crate::tokens::skip_blank;

/// In replacement text: a line break followed by an indentation one level deeper than that of the line in which the list
/// starts. A control character, which no scene contains here.
pub(super) const INNER_LINE: char = '\u{1}';
/// The same, with the indentation of that line.
pub(super) const OUTER_LINE: char = '\u{2}';

/// Replacements of ranges of a text.
#[derive(Default)]
pub(super) struct Splices(Vec<TextEdit>);

impl Splices {
    /// Replaces a range; an empty range inserts.
    pub(super) fn put(&mut self, range: Range<usize>, new: impl Into<String>) {
        self.0.push(TextEdit::replace(range, new));
    }

    /// Adds the replacements of another list.
    pub(super) fn join(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    fn insert(&mut self, at: usize, new: impl Into<String>) {
        self.put(at..at, new);
    }

    /// Returns the text with all replacements. Of overlapping ranges, the first applies.
    pub(super) fn apply(mut self, text: &str) -> String {
        self.0.sort_by_key(|edit| edit.range.start);
        let (mut edited, mut at) = (String::with_capacity(text.len() + 64), 0);
        for TextEdit { range, text: new } in &self.0 {
            if let Some(kept) = text.get(at..range.start) {
                edited.push_str(kept);
                push_lines(&mut edited, new, line_break(text));
                at = range.end;
            }
        }
        edited.push_str(text.get(at..).unwrap_or_default());
        edited
    }

    /// Inserts `new` items after `item`, on separate lines if `item` has one.
    pub(super) fn add_after(&mut self, text: &str, item: &Range<usize>, new: &[String]) {
        let next = skip_blank(&text[item.end..]);
        let comma = next.starts_with(',').then(|| text.len() - next.len() + ','.len_utf8());
        let behind = past_comments(text, item.end);
        let line = text[..item.start].rfind('\n').map_or(0, |at| at + 1);
        let indent = &text[line..item.start];
        let own_line = line > 0 && indent.chars().all(|c| c == ' ' || c == '\t');
        match line_end(text, comma.unwrap_or(behind)) {
            Some(end) if own_line => {
                if comma.is_none() {
                    self.insert(behind, ",");
                }
                let last = if comma.is_some() { "," } else { "" };
                let items = new.join(&format!(",{}{indent}", line_break(text)));
                self.insert(end, format!("{}{indent}{items}{last}", line_break(text)));
            }
            None if own_line && comma.is_none() => {
                for item in new {
                    self.insert(behind, format!(",{}{indent}{item}", line_break(text)));
                }
            }
            _ => self.insert(behind, format!(", {}", new.join(", "))),
        }
    }

    /// Inserts a `new` item before `item`, on a separate line if `item` has one.
    pub(super) fn add_before(&mut self, text: &str, item: &Range<usize>, new: &str) {
        let between = indent(text, item.start).map(|indent| format!("{}{indent}", line_break(text)));
        let between = between.unwrap_or_else(|| " ".to_owned());
        self.insert(item.start, format!("{new},{between}"));
    }

    /// Inserts `new` items into empty brackets.
    pub(super) fn fill(&mut self, text: &str, brackets: &Range<usize>, new: &[String]) {
        let inner = brackets.start + 1..brackets.end - 1;
        let blank = &text[inner.clone()];
        let blank = &blank[..blank.len() - blank.trim_start().len()];
        if blank.contains('\n') {
            let line = text[..brackets.start].rfind('\n').map_or(0, |at| at + 1);
            let line = &text[line..];
            let indent = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
            let step = if indent.contains('\t') { "\t" } else { "    " };
            for item in new {
                let item = format!("{}{indent}{step}{item},", line_break(text));
                self.insert(inner.start, item);
            }
        } else if blank.len() == inner.len() && !blank.is_empty() {
            self.put(inner, format!(" {} ", new.join(", ")));
        } else {
            self.insert(inner.start, new.join(", "));
        }
    }
}

/// Appends a text and expands its line break characters.
fn push_lines(edited: &mut String, new: &str, line_break: &str) {
    let mut outer = None;
    for part in new.split_inclusive([INNER_LINE, OUTER_LINE]) {
        edited.push_str(part.trim_end_matches([INNER_LINE, OUTER_LINE]));
        let (inner, ends) = (part.ends_with(INNER_LINE), part.ends_with(OUTER_LINE));
        if inner || ends {
            let line = edited.rfind('\n').map_or(0, |at| at + 1);
            let line = &edited[line..];
            let indent = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
            let indent = outer.get_or_insert_with(|| indent.to_owned()).clone();
            edited.push_str(line_break);
            edited.push_str(&indent);
        }
        if inner {
            let is_tabbed = outer.as_ref().is_some_and(|outer| outer.contains('\t'));
            edited.push_str(if is_tabbed { "\t" } else { "    " });
        } else if ends {
            outer = None;
        }
    }
}

/// Returns the lines that contain only this item, with its comma and comments, if any.
pub(super) fn own_lines(text: &str, item: &Range<usize>) -> Option<Range<usize>> {
    let start = text[..item.start].rfind('\n')? + 1;
    let is_first = text[start..item.start].chars().all(|c| c == ' ' || c == '\t');
    let next = skip_blank(&text[item.end..]);
    let behind =
        if next.starts_with(',') { text.len() - next.len() + 1 } else { past_comments(text, item.end) };
    let end = line_end(text, behind).filter(|_| is_first)?;
    Some(start..end + text[end..].find('\n')? + 1)
}

/// Returns the indentation before `at`, if nothing else precedes it in the line.
pub(super) fn indent(text: &str, at: usize) -> Option<&str> {
    let line = text[..at].rfind('\n')? + 1;
    Some(&text[line..at]).filter(|indent| indent.chars().all(|c| c == ' ' || c == '\t'))
}

/// The line ending of `text`.
pub(super) fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Skips the block comments that follow `at` in its line.
pub(super) fn past_comments(text: &str, mut at: usize) -> usize {
    let mut end = at;
    loop {
        let rest = &text[at..];
        at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let rest = &text[at..];
        let comment = if rest.starts_with("/*") {
            &rest[..block_comment(rest).unwrap_or(rest.len())]
        } else {
            return end;
        };
        if comment.contains('\n') {
            return end;
        }
        at += comment.len();
        end = at;
    }
}

/// Returns the end of the line of `at`, if only comments follow.
pub(super) fn line_end(text: &str, at: usize) -> Option<usize> {
    let at = past_comments(text, at);
    let rest = &text[at..];
    let line = &rest[..rest.find('\n')?];
    let bare = line.trim_start();
    let over = bare.is_empty() || bare.starts_with("//");
    over.then(|| at + line.trim_end_matches('\r').len())
}
