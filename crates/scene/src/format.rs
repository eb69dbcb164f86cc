//! Formatting of scenes: indentation, spaces and trailing commas. Lines are broken where they were, and comments remain.
//!
//! Only what is between two tokens changes, so no value and no comment can.

use std::ops::Range;

use steerbox_core::text::TextEdit;

use super::syntax;
use super::tokens::{Token, TokenKind, tokens};

/// The indentation of a level.
const STEP: &str = "    ";

/// Returns the edits that format a scene; `None` if it has syntax faults.
pub fn format(text: &str) -> Option<Vec<TextEdit>> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let bare = &text[start..];
    if !syntax::is_valid(bare) {
        return None;
    }
    let mut edits = Formatter::new(bare).edits();
    for edit in &mut edits {
        edit.range = edit.range.start + start..edit.range.end + start;
    }
    Some(edits)
}

/// An open bracket.
struct Open {
    /// The level of the line in which it is.
    level: usize,
    /// The space inside of it, at both ends, if it is closed in the same line.
    inner: &'static str,
}

struct Formatter<'a> {
    text: &'a str,
    line_break: &'static str,
    tokens: Vec<Token>,
    /// True for tokens whose comma is after comments; it moves to the token.
    moved: Vec<bool>,
    open: Vec<Open>,
    /// The level of the current line.
    level: usize,
    /// The new text before each token, and at the end.
    gaps: Vec<String>,
    /// Commas that are removed.
    removed: Vec<Range<usize>>,
    /// The last token that is not a comment.
    solid: Option<usize>,
    /// True if a comma moved to the line before, and what follows it has to remain in its line.
    is_broken: bool,
}

impl<'a> Formatter<'a> {
    fn new(text: &'a str) -> Self {
        let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let trimmed = |Token { kind, range }: Token| {
            let end = range.start + text[range.clone()].trim_end().len();
            Token { kind, range: range.start..end }
        };
        let (mut kept, mut moved, mut solid) = (Vec::new(), Vec::new(), 0);
        for token in tokens(text).map(trimmed) {
            let is_comment = token.kind == TokenKind::Comment;
            if token.kind == TokenKind::Comma && solid + 1 < kept.len() {
                moved[solid] = true;
                continue;
            }
            solid = if is_comment { solid } else { kept.len() };
            kept.push(token);
            moved.push(false);
        }
        let (open, gaps, removed) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            text,
            line_break,
            tokens: kept,
            moved,
            open,
            level: 0,
            gaps,
            removed,
            solid: None,
            is_broken: false,
        }
    }

    fn edits(mut self) -> Vec<TextEdit> {
        for at in 0..self.tokens.len() {
            let gap = self.gap(at);
            let comma = if at > 0 && self.moved[at - 1] { "," } else { "" };
            self.gaps.push(format!("{comma}{gap}"));
            self.advance(at);
        }
        let end = if self.tokens.is_empty() { "" } else { self.line_break };
        self.gaps.push(end.to_owned());
        let mut edits = Vec::new();
        for (at, new) in self.gaps.iter().enumerate() {
            let old = self.between(at);
            if self.text[old.clone()] != **new {
                edits.push(TextEdit::replace(old, new));
            }
        }
        edits.extend(self.removed.into_iter().map(|comma| TextEdit::replace(comma, "")));
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        edits
    }

    /// Returns the range before a token, or after the last one.
    fn between(&self, at: usize) -> Range<usize> {
        let start = at.checked_sub(1).map_or(0, |before| self.tokens[before].range.end);
        start..self.tokens.get(at).map_or(self.text.len(), |token| token.range.start)
    }

    /// Returns the new text before a token.
    fn gap(&mut self, at: usize) -> String {
        use TokenKind::{Close, Colon, Comma, Comment, Open, Plain};
        let old = &self.text[self.between(at)].replace(',', "");
        let breaks = old.matches('\n').count();
        let kind = self.tokens[at].kind;
        let Some(before) = at.checked_sub(1).map(|before| self.tokens[before].kind) else {
            return String::new();
        };
        let is_broken = std::mem::take(&mut self.is_broken);
        if breaks == 0 && !is_broken {
            return self.within_line(at, (before, kind), old);
        }
        let is_joined = match (before, kind) {
            (Comment, _) => false,
            (Open(_), Close(_)) | (_, Comma | Colon) | (Plain, Open('(')) => true,
            _ => false,
        };
        if is_joined {
            self.is_broken = kind == Comma;
            return String::new();
        }
        if before == Colon && kind != Comment {
            return " ".to_owned();
        }
        let is_blank = breaks > 1 && !matches!(before, Open(_)) && !matches!(kind, Close(_));
        let content = || self.open.last().map_or(0, |open| open.level + 1);
        self.level = match kind {
            Close(_) => self.open.last().map_or(0, |open| open.level),
            _ => content(),
        };
        let comma = if matches!(kind, Close(_)) && self.lacks_comma(at) { "," } else { "" };
        let breaks = self.line_break.repeat(if is_blank { 2 } else { 1 });
        format!("{comma}{breaks}{}", STEP.repeat(self.level))
    }

    /// Returns the new text between two tokens of a line.
    fn within_line(&mut self, at: usize, kinds: (TokenKind, TokenKind), old: &str) -> String {
        use TokenKind::{Close, Colon, Comma, Comment, Open, Plain};
        let space = match kinds {
            (_, Comment) if old.is_empty() && self.text[self.tokens[at].range.start..].starts_with("//") => {
                " "
            }
            (_, Comment) | (Comment, _) => old,
            (Open(_), Close(_)) => "",
            (Open('{'), _) => {
                let inner = if old.is_empty() { "" } else { " " };
                if let Some(open) = self.open.last_mut() {
                    open.inner = inner;
                }
                inner
            }
            (_, Close(_)) => {
                self.end_without_comma();
                self.open.last().map_or("", |open| open.inner)
            }
            (Open(_), _) | (_, Comma | Colon) | (Plain, Open('(')) => "",
            (Comma | Colon, _) => " ",
            _ => old,
        };
        space.to_owned()
    }

    /// Returns true if the last value needs a comma directly before token `at`; before a comment, it is added there.
    fn lacks_comma(&mut self, at: usize) -> bool {
        let is_value = |solid: &usize| {
            let kind = self.tokens[*solid].kind;
            !matches!(kind, TokenKind::Comma | TokenKind::Open(_)) && !self.moved[*solid]
        };
        let Some(solid) = self.solid.filter(is_value) else {
            return false;
        };
        if let Some(gap) = self.gaps.get_mut(solid + 1) {
            gap.insert(0, ',');
        }
        solid + 1 == at
    }

    /// Removes the comma after the last value.
    fn end_without_comma(&mut self) {
        match self.solid {
            Some(solid) if self.tokens[solid].kind == TokenKind::Comma => {
                self.removed.push(self.tokens[solid].range.clone());
            }
            Some(solid) if self.moved[solid] => {
                self.gaps.iter_mut().skip(solid + 1).take(1).for_each(|gap| *gap = gap.replace(',', ""));
            }
            _ => {}
        }
    }

    fn advance(&mut self, at: usize) {
        match self.tokens[at].kind {
            TokenKind::Comment => return,
            TokenKind::Open(_) => self.open.push(Open { level: self.level, inner: "" }),
            TokenKind::Close(_) => _ = self.open.pop(),
            _ => {}
        }
        self.solid = Some(at);
    }
}

#[cfg(test)]
mod tests {
    use steerbox_core::text::apply;

    use super::*;
    use crate::read;
    use crate::testing::shipped;

    fn formatted(text: &str) -> String {
        let edits = format(text).unwrap_or_else(|| panic!("a syntax fault: {text}"));
        assert!(edits.is_sorted_by_key(|edit| edit.range.start));
        assert!(edits.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start));
        apply(text, &edits).expect("the edits fit")
    }

    #[test]
    fn shipped_scenes_are_formatted() {
        for (file, text) in shipped() {
            assert_eq!(formatted(text), text, "{file}");
        }
    }

    #[test]
    fn indentation_spaces_and_commas_are_normalized_and_lines_remain() {
        for (text, wanted) in [
            ("(a:1,b :[1,2 , 3,],c: Disc (r:1))", "(a: 1, b: [1, 2, 3], c: Disc(r: 1))\n"),
            (
                "(\n a: [(\n\t b: 1\n )],\n\n\n\n // c\n d: 2 // e\n)",
                "(\n    a: [(\n        b: 1,\n    )],\n\n    // c\n    d: 2, // e\n)\n",
            ),
            (
                "(m: {\"a\": 1}, n: { \"a\": 1}, o: {\"a\": 1 }, p: { })",
                "(m: {\"a\": 1}, n: { \"a\": 1 }, o: {\"a\": 1}, p: {})\n",
            ),
            ("\n\n(a\n  : 1\n, b: 2\n)\n\n", "(a: 1,\n    b: 2,\n)\n"),
            ("(a: 1)//x  \n", "(a: 1) //x\n"),
            ("(a: 1 // x\n, b: [2 /* y */, ])", "(a: 1, // x\n    b: [2, /* y */ ])\n"),
            ("(\r\n a: 1, // x\r\n)\r\n", "(\r\n    a: 1, // x\r\n)\r\n"),
            ("\u{feff}( a: 1)", "\u{feff}(a: 1)\n"),
            ("(a: [\n\n 1, 2\n\n])", "(a: [\n    1, 2,\n])\n"),
            (
                "(a: /* x */ 1 /* y */,\n /* z\n   z */ b: 2)",
                "(a: /* x */ 1, /* y */\n    /* z\n   z */ b: 2)\n",
            ),
        ] {
            assert_eq!(formatted(text), wanted, "{text}");
        }
        assert_eq!(format("(a: 1"), None);
    }

    /// Returns the next number of a sequence.
    fn draw(state: &mut u64) -> usize {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) as usize
    }

    /// Returns a text with comments and white space between its tokens.
    fn disturbed(text: &str, state: &mut u64) -> String {
        const BETWEEN: [&str; 12] = [
            "",
            "",
            "",
            "",
            " ",
            "\n",
            "\n\n\n",
            "\t",
            "// x, (\n",
            " /* \"y\" */ ",
            "\n/* z\n ] */\n",
            "\r\n",
        ];
        let mut new = String::new();
        for token in tokens(text) {
            let written = &text[token.range];
            new.push_str(written);
            if written.starts_with("//") {
                new.push('\n');
            }
            new.push_str(BETWEEN[draw(state) % BETWEEN.len()]);
        }
        new
    }

    #[test]
    fn formatting_never_changes_a_scene_or_its_comments_and_is_idempotent() {
        let mut state = 7;
        let comments = |text: &str| {
            let comments = tokens(text).filter(|token| token.kind == TokenKind::Comment);
            comments.map(|token| text[token.range].trim_end().to_owned()).collect::<Vec<_>>()
        };
        for (file, text) in shipped() {
            for _ in 0..5 {
                let disturbed = disturbed(text, &mut state);
                let once = formatted(&disturbed);
                assert_eq!(formatted(&once), once, "{file}: {disturbed}");
                assert_eq!(comments(&once), comments(&disturbed), "{file}");
                let shape = |text: &str| {
                    let scene = read(file, text).unwrap_or_else(|faults| panic!("{}", faults[0].summary()));
                    (crate::build(&scene, None), scene.title, scene.keys, scene.scatter)
                };
                assert!(shape(&once) == shape(text), "{file}: {disturbed}");
            }
        }
    }
}
