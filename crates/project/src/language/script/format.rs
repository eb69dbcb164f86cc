//! Formatting of scripts: indentation by brackets, one space around operators and after commas. Line breaks, and the
//! distance of a comment behind code, remain.

use steerbox_core::text::TextEdit;
use steerbox_script::{Lexeme, LexemeKind, lexemes};

use crate::language::document::Document;

/// The spaces of one level of indentation.
const INDENT: usize = 4;
/// The maximum number of consecutive empty lines.
const MAX_EMPTY: usize = 1;

/// Returns the edits of all lines that change; none if the text has syntax errors.
pub(in crate::language) fn format(document: &Document) -> Vec<TextEdit> {
    let text = &*document.text;
    if !document.outline().is_whole {
        return Vec::new();
    }
    let new = formatted(text);
    // Formatting must not change names; a bug here must not damage a file.
    let words = |text: &str| -> Vec<String> {
        let lexemes = lexemes(text);
        lexemes.iter().map(|one| text[one.range.clone()].to_owned()).collect()
    };
    if new == text || words(&new) != words(text) {
        return Vec::new();
    }
    vec![TextEdit::replace(0..text.len(), new)]
}

/// Formats a text.
pub(super) fn formatted(text: &str) -> String {
    let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let lexemes = lexemes(text);
    let mut writer = Writer { text, new: String::with_capacity(text.len()), ending, open: Vec::new() };
    let mut index = 0;
    while index < lexemes.len() {
        let end = line_end(text, &lexemes, index);
        writer.line(&lexemes, index, end);
        index = end;
    }
    let mut new = writer.new;
    new.push_str(ending);
    if text.trim().is_empty() { String::new() } else { new }
}

/// Returns the index after the last lexeme of the line that begins with lexeme `from`.
fn line_end(text: &str, lexemes: &[Lexeme], from: usize) -> usize {
    let mut at = from + 1;
    while at < lexemes.len() && !text[lexemes[at - 1].range.end..lexemes[at].range.start].contains('\n') {
        at += 1;
    }
    at
}

struct Writer<'a> {
    text: &'a str,
    new: String,
    ending: &'static str,
    /// The open brackets, each with the indentation of the lines in it.
    open: Vec<usize>,
}

impl Writer<'_> {
    /// Writes the lexemes of one line.
    fn line(&mut self, lexemes: &[Lexeme], from: usize, to: usize) {
        if from > 0 {
            let gap = &self.text[lexemes[from - 1].range.end..lexemes[from].range.start];
            let empty = gap.matches('\n').count().saturating_sub(1).min(MAX_EMPTY);
            (0..=empty).for_each(|_| self.new.push_str(self.ending));
        }
        let closing =
            lexemes[from..to].iter().take_while(|one| matches!(one.kind, LexemeKind::Close(_))).count();
        let level =
            self.open.len().checked_sub(closing).map_or(0, |at| {
                if closing > 0 { self.open[at].saturating_sub(INDENT) } else { self.indent() }
            });
        let is_continued = closing == 0 && self.is_continued(lexemes, from);
        let indent = level + if is_continued { INDENT } else { 0 };
        self.new.extend(std::iter::repeat_n(' ', indent));
        for (at, one) in lexemes.iter().enumerate().take(to).skip(from) {
            if at > from {
                let gap = self.gap(lexemes, at);
                self.new.push_str(&gap);
            }
            self.new.push_str(&self.text[one.range.clone()]);
            match one.kind {
                LexemeKind::Open(_) => self.open.push(indent + INDENT),
                LexemeKind::Close(_) => _ = self.open.pop(),
                _ => {}
            }
        }
        let end = self.new.trim_end_matches([' ', '\t']).len();
        self.new.truncate(end);
    }

    fn indent(&self) -> usize {
        self.open.last().copied().unwrap_or(0)
    }

    fn word(&self, one: &Lexeme) -> &str {
        &self.text[one.range.clone()]
    }

    /// Returns true if a line continues the statement before it.
    fn is_continued(&self, lexemes: &[Lexeme], from: usize) -> bool {
        let first = &lexemes[from];
        // Without this, each line of a long comment would read all lines above it.
        if first.kind == LexemeKind::Comment {
            return false;
        }
        let mut before = lexemes[..from].iter().rev().filter(|one| one.kind != LexemeKind::Comment);
        let Some(last) = before.next() else {
            return false;
        };
        let starts = first.kind == LexemeKind::Symbol && !["-", "!", "#"].contains(&self.word(first));
        let ends = last.kind == LexemeKind::Symbol && self.word(last) != ",";
        starts || ends
    }

    /// Returns the space before lexeme `at` of a line.
    fn gap(&self, lexemes: &[Lexeme], at: usize) -> String {
        let (left, right) = (&lexemes[at - 1], &lexemes[at]);
        let old = &self.text[left.range.end..right.range.start];
        if right.kind == LexemeKind::Comment {
            return if old.is_empty() { " ".to_owned() } else { old.replace('\t', " ") };
        }
        if left.kind == LexemeKind::Comment {
            return " ".to_owned();
        }
        match self.spacing(lexemes, at) {
            Some(false) => String::new(),
            None if old.is_empty() => String::new(),
            Some(true) | None => " ".to_owned(),
        }
    }

    /// Returns if there is a space between lexeme `at` and the one before it; `None` if both are in use.
    fn spacing(&self, lexemes: &[Lexeme], at: usize) -> Option<bool> {
        let (left, right) = (&lexemes[at - 1], &lexemes[at]);
        let (before, after) = (self.word(left), self.word(right));
        match (left.kind, right.kind) {
            (_, LexemeKind::End) => Some(false),
            (LexemeKind::End, _) => Some(true),
            _ if [".", "?.", "::", "?["].contains(&before) || [".", "?.", "::", "?["].contains(&after) => {
                Some(false)
            }
            (_, LexemeKind::Symbol) if after == "," || after == ":" => Some(false),
            (LexemeKind::Symbol, _) if before == "," || before == ":" => Some(true),
            (_, LexemeKind::Symbol) if ["..", "..="].contains(&after) => None,
            (LexemeKind::Symbol, _) if ["..", "..="].contains(&before) => None,
            (LexemeKind::Open('{'), LexemeKind::Close('}')) => Some(false),
            (LexemeKind::Open('{'), _) | (_, LexemeKind::Close('}')) => Some(true),
            (LexemeKind::Open(_), _) | (_, LexemeKind::Close(_)) => Some(false),
            (LexemeKind::Symbol, _) if self.is_unary(lexemes, at - 1) => Some(false),
            (LexemeKind::Symbol, _) | (_, LexemeKind::Symbol | LexemeKind::Open('{')) => Some(true),
            (LexemeKind::Word, LexemeKind::Open(_)) => {
                let is_call =
                    !["if", "while", "return", "in", "switch", "for", "until", "else"].contains(&before);
                Some(!is_call)
            }
            (LexemeKind::Close(_), LexemeKind::Open(_)) => Some(false),
            _ => Some(true),
        }
    }

    /// Returns true if the symbol at `at` is a sign or `!`: no value stands before it.
    fn is_unary(&self, lexemes: &[Lexeme], at: usize) -> bool {
        let sign = self.word(&lexemes[at]);
        if !["-", "+", "!"].contains(&sign) {
            return false;
        }
        let before = lexemes[..at].iter().rev().find(|one| one.kind != LexemeKind::Comment);
        before.is_none_or(|before| match before.kind {
            LexemeKind::Open(_) | LexemeKind::End | LexemeKind::Symbol => true,
            LexemeKind::Close(bracket) => bracket == '}',
            LexemeKind::Word => {
                ["return", "in", "if", "while", "until", "switch", "else"].contains(&self.word(before))
            }
            _ => false,
        })
    }
}
