//! The text of a script: positions of faults, unclosed brackets, declarations of functions.

use std::ops::Range;

use rhai::Position;

use super::rewrite::rewrite;
use super::site::Site;
pub(crate) use super::tokens::{Missing, Open, is_part_of_name};
use steerbox_core::diagnostics::{Fault, Fix, closest, closing, line_and_column, offset_of};

use super::tokens::{Token, Tokens};

/// A script's file: its path as shown to the user, and its text.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) path: &'a str,
    pub(crate) text: &'a str,
}

impl Source<'_> {
    /// Builds a fault at a line and column.
    pub(crate) fn fault(self, place: (usize, usize), message: impl Into<String>) -> Fault {
        Fault::at(self.path, self.text, place, message)
    }

    /// Returns a fault of a repaired text with the line of the original text.
    pub(crate) fn shown(self, fault: Fault) -> Fault {
        if fault.line == 0 {
            return fault;
        }
        let shown = self.fault((fault.line, fault.column), fault.message);
        shown.wide(fault.width).maybe_help(fault.help).fixed(fault.fixes)
    }

    /// Builds a fault at an offset in bytes.
    pub(crate) fn fault_at(self, at: usize, message: impl Into<String>) -> Fault {
        self.fault(line_and_column(self.text, at), message)
    }

    /// Returns the underlined range of a fault.
    pub(crate) fn underlined(self, fault: &Fault) -> Range<usize> {
        let start = offset_of(self.text, (fault.line, fault.column));
        let width: usize = self.text[start..].chars().take(fault.width).map(char::len_utf8).sum();
        start..start + width
    }

    /// Returns the fix that writes `text` instead of what a fault underlines.
    pub(crate) fn instead(self, fault: &Fault, text: impl Into<String>) -> Fix {
        let text = text.into();
        Fix::replace(format!("write `{text}`"), self.underlined(fault), text)
    }

    /// Returns the fix of a name of another language at a fault, by its remedy.
    pub(crate) fn rewritten(self, fault: &Fault, help: Option<&str>) -> Option<Fix> {
        let site = Site::read(self.text, self.underlined(fault).start)?;
        let (range, new) = rewrite(self.text, &site, help?)?;
        Some(Fix::replace(format!("write `{new}`"), range, new))
    }

    /// Returns line and column of a function's name.
    pub(crate) fn function(self, name: &str) -> (usize, usize) {
        line_and_column(self.text, function(self.text, name).unwrap_or(0))
    }
}

/// Offsets in bytes of lines and columns.
pub(crate) struct Offsets<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Offsets<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let after = text.match_indices('\n').map(|(at, _)| at + 1);
        Self { text, starts: std::iter::once(0).chain(after).collect() }
    }

    /// Returns the offset of a line and a column, which counts characters from 1.
    pub(crate) fn at(&self, (line, column): (usize, usize)) -> usize {
        let line = line.saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(self.text.len());
        let rest = &self.text[start..];
        let within = rest.char_indices().nth(column.saturating_sub(1));
        start + within.map_or(rest.len(), |(at, _)| at)
    }

    /// Returns line and column of an offset.
    pub(crate) fn place(&self, at: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= at);
        (line, self.text[self.starts[line - 1]..at].chars().count() + 1)
    }

    /// Returns the offset of a position within a line.
    pub(crate) fn of(&self, position: Position) -> Option<usize> {
        Some(self.at((position.line()?, position.position()?))).filter(|at| *at < self.text.len())
    }
}

/// Returns line and column, if the position has them.
pub(crate) fn place(position: Position) -> Option<(usize, usize)> {
    Some((position.line()?, position.position().unwrap_or(1)))
}

/// "1 argument", "2 arguments".
pub(crate) fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        count => format!("{count} arguments"),
    }
}

/// Rewrites a message of the engine in the style of this crate: no initial capital, names in backticks.
pub(crate) fn plain(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(letters).collect::<String>().replace('\'', "`")
}

/// Returns the misspelled `fn` before the head of a function, `ifn steer(me, world) {`, that ends at an offset or begins there,
/// and the offset at which it begins.
pub(crate) fn misspelled_function(text: &str, at: usize) -> Option<(&str, usize)> {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next()?;
    let first = line.trim_start();
    let word = &first[..first.find(|c| !is_part_of_name(c)).unwrap_or(first.len())];
    let rest = first[word.len()..].strip_prefix(' ')?.trim_start();
    let (name, rest) = rest.split_once('(')?;
    let is_head = is_name(name) && rest.split_once(')')?.1.trim_start().starts_with('{');
    let begin = start + line.len() - first.len();
    let is_stop = text[begin..at.max(begin)].trim_end() == word || begin == at;
    let is_misspelled = word != "fn" && closest(word, ["fn"]).is_some();
    (is_head && is_stop && is_misspelled).then_some((word, begin))
}

/// Returns true if all characters are allowed in names.
pub(crate) fn is_name(text: &str) -> bool {
    text.chars().all(is_part_of_name)
}

/// Finds the first unclosed bracket, text or comment, or closing bracket without an opening one.
pub(crate) fn left_open(text: &str) -> Option<Open> {
    let mut open: Vec<(char, usize, usize)> = Vec::new();
    // A brace closed by a less indented one is probably unclosed itself.
    let mut suspect = None;
    let mut tokens = Tokens::from(text, 0);
    loop {
        let (token, at) = match tokens.next() {
            Ok(Some(found)) => found,
            Ok(None) => break,
            Err(open) => return Some(open),
        };
        match token {
            Token::Open(bracket) => open.push((bracket, at, tokens.indent(at))),
            Token::Close(found) => match open.pop() {
                None => return Some(Open::Nothing(found, at)),
                Some((bracket, from, _)) if closing(bracket) != found => {
                    if open.iter().all(|(outer, ..)| closing(*outer) != found) {
                        return Some(Open::Nothing(found, at));
                    }
                    let missing = missing(text, bracket, from).unwrap_or(Missing::Before(found, at));
                    return Some(Open::Bracket(bracket, from, Some(missing)));
                }
                Some((bracket, from, indent)) => {
                    if bracket == '{' && tokens.indent(at) < indent {
                        suspect = suspect.or(Some((bracket, from)));
                    }
                }
            },
            Token::Word(_) | Token::End => {}
        }
    }
    let (bracket, at, _) = *open.last()?;
    if let (Some(hidden), '{') = (tokens.hides, bracket) {
        return Some(Open::Hidden(hidden));
    }
    let (bracket, at) = suspect.filter(|_| bracket == '{').unwrap_or((bracket, at));
    Some(Open::Bracket(bracket, at, missing(text, bracket, at)))
}

/// Returns the nearest position at which the bracket opened at `from` must be closed: the end of a statement, the
/// start of a block, or a line that begins another statement. Braces may contain all of these.
fn missing(text: &str, bracket: char, from: usize) -> Option<Missing> {
    if bracket == '{' {
        return None;
    }
    let (mut depth, mut has_block) = (0, false);
    let mut tokens = Tokens::from(text, from + bracket.len_utf8());
    while let Ok(Some((token, at))) = tokens.next() {
        let head = text[..at].trim_end();
        let is_continued = head.ends_with(|c| "=+-*/%&|<>,([{!?:#$".contains(c));
        match token {
            Token::Open('{') if depth == 0 && !has_block && !is_continued => {
                return Some(Missing::Before('{', at));
            }
            Token::Open(_) => depth += 1,
            Token::Close(_) if depth == 0 => return None,
            Token::Close(_) => depth -= 1,
            Token::End if depth == 0 => return Some(Missing::Before(';', at)),
            Token::Word(word) if depth == 0 => {
                let is_first = text[head.len()..at].contains('\n');
                let is_statement = ["let", "const", "return", "fn", "import"].contains(&word);
                let has_body = ["if", "switch", "for", "while", "loop", "do"].contains(&word);
                if is_first && (is_statement || (has_body && !is_continued)) {
                    return Some(Missing::AtEnd(head.len()));
                }
                has_block |= has_body;
            }
            Token::Word(_) | Token::End => {}
        }
    }
    None
}

/// Returns the offset of the name in `fn name`.
pub(crate) fn function(text: &str, name: &str) -> Option<usize> {
    let mut tokens = Tokens::from(text, 0);
    let mut is_declared = false;
    while let Ok(Some((token, at))) = tokens.next() {
        if is_declared && token == Token::Word(name) {
            return Some(at);
        }
        is_declared = token == Token::Word("fn");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unclosed_brackets_are_found_despite_comments_and_texts() {
        for sound in ["", "fn f() { [1, (2)] } // {", "/* { /* [ */ ( */ \"}\\\"{\" `\n{` ' '"] {
            assert_eq!(left_open(sound), None, "{sound}");
        }
        for (text, open) in [
            ("a /* b", Open::Comment(2)),
            ("/* /* */", Open::Comment(0)),
            ("f(\"a);\n", Open::Text(2)),
            ("f(`a);\n", Open::Text(2)),
            ("f { (1 }", bracket('(', 4, Missing::Before('}', 7))),
            ("f { [1", Open::Bracket('[', 4, None)),
            ("f { }\n}", Open::Nothing('}', 6)),
            ("f { 1) }", Open::Nothing(')', 5)),
            ("f {\n1 // 2 }\n", Open::Hidden(6)),
            ("f {\n// 2 }\n", Open::Bracket('{', 2, None)),
        ] {
            assert_eq!(left_open(text), Some(open), "{text}");
        }
    }

    fn bracket(bracket: char, from: usize, missing: Missing) -> Open {
        Open::Bracket(bracket, from, Some(missing))
    }

    #[test]
    fn a_bracket_is_missing_at_the_nearest_required_position() {
        for (inside, missing) in [
            ("(1 + (2); 3", Missing::Before(';', 8)),
            ("(1 + (2)\n  let x = 3", Missing::AtEnd(8)),
            ("(1 +\n  if a { 2 } else { 3 };", Missing::Before(';', 28)),
            ("(1\n  if a { 2 }", Missing::AtEnd(2)),
            ("(a { 2 }", Missing::Before('{', 3)),
            ("(switch a { 2 => #{ b: 1 } }; 4", Missing::Before(';', 28)),
            ("[1, 2; 3", Missing::Before(';', 5)),
            ("(f(1)", Missing::Before('}', 5)),
        ] {
            let text = format!("{inside} }}");
            let text = format!("{{{text}");
            let shifted = match missing {
                Missing::Before('}', _) => Missing::Before('}', text.len() - 1),
                Missing::Before(letter, at) => Missing::Before(letter, at + 1),
                Missing::AtEnd(at) => Missing::AtEnd(at + 1),
            };
            let open = inside.chars().next().unwrap();
            assert_eq!(left_open(&text), Some(bracket(open, 1, shifted)), "{text}");
        }
    }

    #[test]
    fn indentation_selects_the_unclosed_brace() {
        let text = "fn f() {\n    if a {\n        b\n\n    c\n}\n";
        let at = text.find("{\n        b").unwrap();
        assert_eq!(left_open(text), Some(Open::Bracket('{', at, None)));
    }

    #[test]
    fn a_function_is_found_at_its_declaration() {
        let text = "// fn steer\n/* fn steer */ fn steer_by() {}\nfn  steer(";
        assert_eq!(function(text, "steer"), text.rfind("steer("));
        assert_eq!(function(text, "stear"), None);
    }
}
