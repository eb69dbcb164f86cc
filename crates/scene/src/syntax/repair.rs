//! Repairs a scene with syntax faults, so that the rest of it can be read: with the fix of a fault, or else without the
//! smallest value, field or item around it.

use std::ops::Range;

use steerbox_core::diagnostics::closing;
use steerbox_core::text::TextEdit;

use super::check::{Cause, Stop, check};
use super::repaired::{LOST, Loss, Repaired};
use crate::ron_file::RonFile;
use crate::span::Lines;
use crate::tokens::{TokenKind, tokens};
use crate::words::{MAX_FAULTS, RangeFault};

/// Maximum total length of the texts that the repairs of a scene parse, in bytes. Each repair parses the scene again.
const MAX_PARSED: usize = 32 << 20;

/// A scene's text without its syntax faults.
pub(crate) struct Parsed<'a> {
    pub(crate) repaired: Repaired<'a>,
    /// The syntax faults, with positions in the original text.
    pub(crate) faults: Vec<RangeFault>,
    /// True if the parser accepts the repaired text.
    pub(crate) is_readable: bool,
}

/// Parses and repairs a file.
pub(crate) fn parse(text: &str, file: RonFile) -> Parsed<'_> {
    let mut parsed = Parsed { repaired: Repaired::new(text), faults: Vec::new(), is_readable: false };
    let mut last: Option<LastRepair<'_>> = None;
    let mut total = text.len();
    for _ in 0..2 * MAX_FAULTS {
        let now = &*parsed.repaired.text;
        let Err(stop) = check(now, &Lines::new(now), file) else {
            parsed.is_readable = true;
            return parsed;
        };
        total += now.len();
        let repair = match &mut last {
            Some(last) if last.explains(now, &stop) => last.next(&stop, &mut parsed),
            _ => {
                let (next, repair) = LastRepair::of(&parsed.repaired, &stop);
                parsed.faults.push(parsed.repaired.of_original(stop.found));
                last = Some(next);
                repair
            }
        };
        let is_over = total > MAX_PARSED || parsed.faults.len() == MAX_FAULTS;
        let Some(repair) = repair.filter(|_| !is_over && stop.cause != Cause::Depth) else {
            return parsed;
        };
        if let Some(last) = &mut last {
            last.parts.extend(repair.parts());
        }
        parsed.repaired.apply(&repair.0);
    }
    parsed
}

/// The repairs of the last fault.
struct LastRepair<'a> {
    /// The ranges of the repaired text that they replaced.
    parts: Vec<Range<usize>>,
    /// The number of enclosing levels skipped.
    levels: usize,
    at: usize,
    cause: Cause,
    /// The text before the fix, if that was the last repair.
    unfixed: Option<Repaired<'a>>,
}

impl<'a> LastRepair<'a> {
    /// Repairs a new fault.
    fn of(repaired: &Repaired<'a>, stop: &Stop) -> (Self, Option<Repair>) {
        let fix = fixed(stop);
        let (at, cause) = (stop.at, stop.cause);
        let unfixed = fix.is_some().then(|| repaired.clone());
        let levels = usize::from(fix.is_none());
        let repair = fix.or_else(|| skipped(&repaired.text, at, cause, 0));
        (Self { parts: Vec::new(), levels, at, cause, unfixed }, repair)
    }

    /// Returns true if the parser stopped because of this repair: within it, or at the first token after it.
    fn explains(&self, text: &str, stop: &Stop) -> bool {
        let is_bracket = |cause| matches!(cause, Cause::Bracket | Cause::End);
        if stop.at <= self.at {
            return true;
        }
        if is_bracket(stop.cause) && !is_bracket(self.cause) {
            return false;
        }
        self.parts.iter().any(|part| {
            // A later repair before the part moves the text, so its start may be inside of a character.
            let start = text[..text.floor_char_boundary(part.start)].rfind('\n').map_or(0, |end| end + 1);
            let mut solid = tokens(&text[start..]).filter(|token| token.kind != TokenKind::Comment);
            let next = solid.find(|token| start + token.range.start >= part.end);
            let next = next.map_or(text.len(), |token| start + token.range.end);
            (part.start..=next).contains(&stop.at)
        })
    }

    /// Repairs the same fault again: without its fix, which was wrong, or further out.
    fn next(&mut self, stop: &Stop, parsed: &mut Parsed<'a>) -> Option<Repair> {
        let is_bracket = |cause| matches!(cause, Cause::Bracket | Cause::End);
        if is_bracket(stop.cause)
            && let Some(repair) = fixed(stop)
        {
            return Some(repair);
        }
        let is_incomplete = self.cause == Cause::Bracket && self.unfixed.is_some() && stop.at > self.at;
        if let Some(unfixed) = self.unfixed.take() {
            let comma = fixed(stop).filter(|_| is_incomplete);
            if let (Some(repair), Some(fault)) = (comma, parsed.faults.last_mut()) {
                fault.fixes.clear();
                return Some(repair);
            }
            parsed.repaired = unfixed;
            self.parts.clear();
            if let Some(fault) = parsed.faults.last_mut() {
                fault.fixes.clear();
            }
        }
        self.levels += 1;
        let at = if self.parts.is_empty() { self.at } else { stop.at };
        skipped(&parsed.repaired.text, at, self.cause, self.levels - 1)
    }
}

/// Edits after which the parser can continue, in ascending order.
struct Repair(Vec<(TextEdit, Loss)>);

impl Repair {
    fn new(range: Range<usize>, by: &str, loss: Loss) -> Self {
        Self(vec![(TextEdit::replace(range, by), loss)])
    }

    /// Returns the ranges of the new texts in the repaired text.
    fn parts(&self) -> Vec<Range<usize>> {
        let (mut added, mut removed) = (0, 0);
        let parts = self.0.iter().map(|(edit, _)| {
            let start = edit.range.start + added - removed;
            (added, removed) = (added + edit.text.len(), removed + edit.range.len());
            start..start + edit.text.len()
        });
        parts.collect()
    }
}

/// Returns the fix of a fault as a repair.
fn fixed(stop: &Stop) -> Option<Repair> {
    let edits = &stop.found.fixes.first()?.edits;
    if let (Cause::End, [TextEdit { range, text }]) = (stop.cause, &edits[..]) {
        // Items that are open at the end of the file may lack fields.
        let closing = text.chars().map(|bracket| (TextEdit::replace(range.clone(), bracket), Loss::Field));
        return Some(Repair(closing.collect()));
    }
    Some(Repair(edits.iter().map(|edit| (edit.clone(), Loss::Nothing)).collect()))
}

/// A bracket around an offset, and the current item in it.
struct Level {
    bracket: char,
    /// The offset after the bracket or the last comma in it.
    item: usize,
    /// The end of the first colon of the item.
    colon: Option<usize>,
    /// True if an item before has a name.
    is_named: bool,
}

/// Removes the item around an offset, `levels` brackets further out than the innermost one. An item with an unclosed text
/// ends with its line.
fn skipped(text: &str, at: usize, cause: Cause, levels: usize) -> Option<Repair> {
    let mut open = self::levels(text, at);
    open.truncate(open.len().checked_sub(levels)?);
    let level = open.pop()?;
    let is_text = cause == Cause::Text;
    let line_end = text[at..].find(['\r', '\n']).map_or(text.len(), |length| at + length);
    let item = Item::read(if is_text { &text[..line_end] } else { text }, level.item, at);
    let colon = level.colon.or(item.colon.filter(|_| level.bracket != '['));
    let is_field = level.bracket != '[' && (level.is_named || level.bracket == '{' || colon.is_some());
    let mut repair = match colon.filter(|colon| is_field && (*colon <= at || levels > 0)) {
        Some(colon) => {
            let end = item.end.max(colon);
            let value = &text[colon..end];
            let start = colon + value.len() - value.trim_start().len();
            Repair::new(start..end, LOST, Loss::Value)
        }
        None if is_field || item.start >= item.end => {
            let end = item.comma.unwrap_or(item.end).max(item.start);
            let loss = if item.start >= item.end { Loss::Nothing } else { Loss::Field };
            (item.start < end).then(|| Repair::new(item.start..end, "", loss))?
        }
        None => Repair::new(item.start..item.end, LOST, Loss::Value),
    };
    if is_text && let Some((edit, _)) = repair.0.last() {
        // The rest of the line may have been further fields.
        let end = edit.range.end;
        let comma = if edit.text.is_empty() { "" } else { "," };
        repair.0.push((TextEdit::insert(end, comma), Loss::Field));
    }
    Some(repair)
}

/// Returns the open brackets around an offset.
fn levels(text: &str, at: usize) -> Vec<Level> {
    let mut open: Vec<Level> = Vec::new();
    for token in tokens(text).take_while(|token| token.range.start < at) {
        let after = token.range.end;
        match (token.kind, open.last_mut()) {
            (TokenKind::Open(bracket), _) => {
                open.push(Level { bracket, item: after, colon: None, is_named: false });
            }
            (TokenKind::Close(found), _) => {
                let closed = open.iter().rposition(|level| closing(level.bracket) == found);
                open.truncate(closed.unwrap_or(open.len()));
            }
            (TokenKind::Comma, Some(level)) => {
                level.is_named |= level.colon.is_some();
                (level.item, level.colon) = (after, None);
            }
            (TokenKind::Colon, Some(level)) => level.colon = level.colon.or(Some(after)),
            _ => {}
        }
    }
    open
}

/// An item within brackets.
pub(super) struct Item {
    /// Its first and last token.
    start: usize,
    end: usize,
    /// The end of its first colon.
    colon: Option<usize>,
    /// The end of the comma after it.
    comma: Option<usize>,
}

impl Item {
    /// Reads the item that begins at or after `from` and contains `at`.
    fn read(text: &str, from: usize, at: usize) -> Self {
        let mut item = Self { start: at.max(from), end: 0, colon: None, comma: None };
        let (mut open, mut is_first) = (Vec::new(), true);
        for token in tokens(&text[from..]).filter(|token| token.kind != TokenKind::Comment) {
            let range = from + token.range.start..from + token.range.end;
            match token.kind {
                TokenKind::Open(bracket) => open.push(bracket),
                TokenKind::Close(found) => {
                    match open.iter().rposition(|bracket| closing(*bracket) == found) {
                        Some(closed) => open.truncate(closed),
                        None if range.start >= at => break,
                        None => {}
                    }
                }
                TokenKind::Comma if open.is_empty() && range.start >= at => {
                    item.comma = Some(range.end);
                    if is_first {
                        item.start = range.start;
                    }
                    break;
                }
                TokenKind::Colon if open.is_empty() => item.colon = item.colon.or(Some(range.end)),
                _ => {}
            }
            if is_first {
                item.start = range.start;
            }
            is_first = false;
            item.end = range.end;
        }
        item
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_part_around_a_fault_is_skipped() {
        for (text, repaired, faults) in [
            ("(a: ?, b: 1)", "(a: _, b: 1)", 1),
            ("(a: , b: 1)", "(a:_ , b: 1)", 1),
            ("(a: 1, ?, b: 1)", "(a: 1,  b: 1)", 1),
            ("(a: [1, ?, 3], b: ?)", "(a: [1, _, 3], b: _)", 2),
            ("(a: (1, ?), b: 2)", "(a: (1, _), b: 2)", 1),
            ("(a: {\"b\": ?, ?: 1, \"c\": 2})", "(a: {\"b\": _,  \"c\": 2})", 2),
            ("(a: 1 b: 2\nc: 3)", "(a: 1, b: 2,\nc: 3)", 2),
            ("(a: [1, 2, b: (3 4))", "(a: [1, 2, _])", 1),
            ("(a: [b: 1, c: (3 4)], d: 5)", "(a: [(b: 1, c: (3, 4))], d: 5)", 2),
            ("(a: 1,, b: 2)", "(a: 1, b: 2)", 1),
        ] {
            let parsed = parse(text, RonFile::Scene);
            let messages: Vec<_> = parsed.faults.iter().map(|found| &found.message).collect();
            assert_eq!(parsed.repaired.text, repaired, "{text} {messages:?}");
            assert!(parsed.is_readable, "{text}");
            assert_eq!(parsed.faults.len(), faults, "{text} {messages:?}");
        }
    }

    #[test]
    fn every_text_is_parsed() {
        const PIECES: [&str; 16] = [
            "(a: 1",
            "{",
            "}",
            "[",
            ")",
            ", ",
            ": ",
            "b: \"x",
            "\"",
            "\n",
            "\u{2028}",
            "🐟",
            "\u{feff}",
            "let x = ",
            "A = f(1.0);",
            "//",
        ];
        for seed in 0..3000 {
            let mut draws =
                (0..).map(|draw| steerbox_core::world::random::bits(seed, 0, 0, 0, draw) as usize >> 8);
            let count = draws.next().unwrap() % 16;
            let text: String = draws.take(count).map(|draw| PIECES[draw % PIECES.len()]).collect();
            parse(&text, RonFile::Scene);
        }
    }
}
