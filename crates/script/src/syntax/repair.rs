//! Repairs a text with a syntax error so that the rest of it can be parsed: a statement, or the head of a block,
//! becomes [`UNKNOWN`]. All other tokens retain their positions, so that every position in a repaired text is valid
//! in the file.

use std::collections::BTreeSet;
use std::iter::repeat_n;
use std::ops::Range;

use steerbox_core::diagnostics::block_comment;

use super::site::indent;
use super::text::{Missing, Open, is_part_of_name};
use super::tokens::{Token, Tokens};

/// A name that no script can write. Nothing declares it, and checks accept it as a value of any kind.
pub(crate) const UNKNOWN: &str = "\u{E000}";

/// Keywords that begin a statement whenever they are first in a line.
const BEGINNINGS: &str = "let const return fn import";
/// Keywords that begin a statement when first in a line, unless the text before them requires a value.
const VALUES: &str = "if for while loop switch";
/// Keywords that begin a statement with a block, in this language and others.
const WITH_BLOCK: &str = "if else while for loop do switch try catch fn elif elseif elsif foreach until repeat \
     function def func fun sub proc void float int double bool number vec2 vec3 public private protected static async";
/// Keywords that declare the names after them, in this language and others.
const DECLARING: &str = "let const fn import as for foreach each catch var local auto val my our dim mut def function \
     func fun sub proc float int double number bool f32 i32 vec2 vec3 string Vector2 Vector3 PVector";

/// A range of a text and its replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Repair {
    pub(crate) part: Range<usize>,
    by: String,
    /// The range whose names may be declarations.
    declares: Range<usize>,
}

impl Repair {
    fn new(part: Range<usize>, by: impl Into<String>) -> Self {
        Self { declares: part.clone(), part, by: by.into() }
    }

    /// Returns the repaired text; `None` if a token after the range would move.
    pub(crate) fn apply(&self, text: &str) -> Option<String> {
        let (head, part, tail) = (&text[..self.part.start], &text[self.part.clone()], &text[self.part.end..]);
        let first = part.split('\n').next().unwrap_or_default();
        let (room, needed) = (first.chars().count(), self.by.chars().count());
        let behind = tail.lines().next().unwrap_or_default().trim_start();
        let is_last = first.len() < part.len() || behind.is_empty() || behind.starts_with("//");
        if needed > room && !is_last {
            return None;
        }
        let mut repaired = format!("{head}{}", self.by);
        repaired.extend(repeat_n(' ', room.saturating_sub(needed)));
        repaired.extend(part[first.len()..].chars().map(|c| if c == '\n' { c } else { ' ' }));
        repaired.push_str(tail);
        Some(repaired)
    }

    /// Returns the names that the range may declare.
    pub(crate) fn declared(&self, text: &str) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        let mut is_declaring = false;
        let mut rest = &text[self.declares.clone()];
        while let Some(first) = rest.chars().next() {
            let length = rest.find(|c| !is_part_of_name(c)).unwrap_or(rest.len()).max(first.len_utf8());
            let word = &rest[..length];
            if is_in(word, DECLARING) {
                is_declaring = true;
            } else if word == "in" || "=;{".contains(first) {
                is_declaring = false;
            } else if is_part_of_name(first) && (is_declaring || is_assigned(&rest[length..])) {
                names.insert(word.to_owned());
            }
            rest = &rest[length..];
        }
        names
    }
}

/// Repairs an unclosed bracket, text or comment, or a closing bracket without an opening one.
pub(crate) fn bracket(text: &str, open: Open) -> Option<Repair> {
    Some(match open {
        Open::Comment(_) => return None,
        Open::Text(at) if text[..at].ends_with("\"\"") => {
            // Three quotes delimit a comment.
            let end = text[at + 1..].find("\"\"\"").map(|length| at + 1 + length + 3);
            Repair::new(at - 2..end?, "")
        }
        Open::Text(at) => {
            let line = text[at..].find('\n').map_or(text.len(), |length| at + length);
            replaced(text, start(text, at)..line, false)?
        }
        Open::Bracket('{', at, _) => {
            let end = end_of_block(text, at)?;
            Repair { declares: at..end, ..Repair::new(end..end, "}") }
        }
        Open::Bracket(_, at, missing) => {
            let line = text[at..].find('\n').map_or(text.len(), |length| at + length);
            let (end, is_head) = match missing {
                Some(Missing::Before(found, end)) => (end, found == '{'),
                Some(Missing::AtEnd(end)) => (end, false),
                None => (line, false),
            };
            replaced(text, start(text, at)..end, is_head)?
        }
        Open::Hidden(at) => Repair::new(at..at + text[at..].find('}')?, ""),
        Open::Nothing(bracket, at) => Repair::new(at..at + bracket.len_utf8(), ""),
    })
}

/// Repairs the statement in which the parser stopped.
pub(crate) fn statement(text: &str, at: usize) -> Option<Repair> {
    let start = start(text, at);
    let (end, is_head) = end(text, start, at)?;
    replaced(text, start..end, is_head)
}

/// Replaces a word by another.
pub(super) fn word(word: &str, at: usize, by: &str) -> Repair {
    Repair::new(at..at + word.len(), by)
}

/// Removes a `;` before a block.
pub(crate) fn nothing(at: usize) -> Repair {
    Repair::new(at..at + 1, "")
}

/// Inserts a `;` at the end of the line before the one in which the parser missed it.
pub(crate) fn semicolon(text: &str, at: usize) -> Option<Repair> {
    let end = code_end(text, 0, at);
    text[end..at].contains('\n').then(|| Repair::new(end..end, ";"))
}

/// Repairs the whole function or constant around an offset, delimited by unindented lines because its brackets may
/// be wrong.
pub(crate) fn item(text: &str, at: usize) -> Option<Repair> {
    let begins = |line: &str| line.starts_with(|c: char| is_part_of_name(c));
    let (mut start, mut end, mut offset) = (0, text.len(), 0);
    for line in text.split_inclusive('\n') {
        if begins(line) && offset <= at {
            start = offset;
        } else if begins(line) {
            end = offset;
            break;
        }
        offset += line.len();
    }
    let part = &text[start..end];
    let head = part.find('{').and_then(|end| function_head(&part[..end]));
    let by = head.map_or_else(String::new, |head| format!("{head}{{{UNKNOWN}}}"));
    Some(Repair::new(start..end, by)).filter(|_| start < end)
}

/// Replaces a statement, or the head of a block.
fn replaced(text: &str, part: Range<usize>, is_head: bool) -> Option<Repair> {
    let words = &text[part.clone()];
    let is_ended =
        text[part.end..].trim_start().starts_with([';', '}']) || text[part.end..].trim().is_empty();
    let by = match is_head {
        true => head(words)?,
        false if is_ended => UNKNOWN.to_owned(),
        false => format!("{UNKNOWN};"),
    };
    Some(Repair::new(part, by)).filter(|repair| !repair.part.is_empty())
}

/// Returns the head of a block with [`UNKNOWN`] as its condition, list or value.
fn head(words: &str) -> Option<String> {
    let mut names = words.split(|c| !is_part_of_name(c)).filter(|word| !word.is_empty());
    let first = names.next()?;
    let second = names.next();
    Some(match first {
        "if" | "while" | "switch" => format!("{first} {UNKNOWN}"),
        "else" if second.is_none() => first.to_owned(),
        "else" | "elif" | "elseif" | "elsif" => format!("else if {UNKNOWN}"),
        "for" | "foreach" | "until" | "repeat" => format!("while {UNKNOWN}"),
        "loop" | "do" | "try" | "catch" => first.to_owned(),
        _ => function_head(words)?,
    })
}

/// Returns the head of a function with its name and parameters, whatever syntax declares them.
fn function_head(words: &str) -> Option<String> {
    let last = |words: &str| {
        let words = words.split([':', '=']).next().unwrap_or_default().trim();
        words.rsplit(|c| !is_part_of_name(c)).next().unwrap_or_default().to_owned()
    };
    let (before, after) = words.split_once('(')?;
    let arguments = after.rsplit_once(')').map_or(after, |(arguments, _)| arguments);
    let arguments: Vec<_> = arguments.split(',').map(last).filter(|name| !name.is_empty()).collect();
    let name = last(before);
    let is_function = !name.is_empty() && before.split_whitespace().count() > 1;
    is_function.then(|| format!("fn {name}({})", arguments.join(",")))
}

/// A bracket level, and the offset of its current statement.
struct Level {
    start: usize,
    /// True if it holds statements.
    is_block: bool,
}

/// Returns the offset at which the statement around `at` begins.
fn start(text: &str, at: usize) -> usize {
    let mut levels = vec![Level { start: 0, is_block: true }];
    let mut has_cases = false;
    let mut tokens = Tokens::from(text, 0);
    while let Ok(Some((token, offset))) = tokens.next() {
        if offset >= at {
            break;
        }
        let after = offset + 1;
        match token {
            Token::Open(bracket) => {
                let is_block = bracket == '{' && !text[..offset].ends_with('#') && !has_cases;
                has_cases &= bracket != '{';
                levels.push(Level { start: after, is_block });
            }
            Token::Close(bracket) => {
                let closed = if levels.len() > 1 { levels.pop() } else { None };
                let is_block = bracket == '}' && closed.is_some_and(|level| level.is_block);
                let next = text[skipped(text, after)..].chars().next();
                let ends = is_block && next.is_none_or(|c| is_part_of_name(c) || c == '}');
                begin(&mut levels, after, ends);
            }
            Token::End => begin(&mut levels, after, true),
            Token::Word(word) if is_in(word, BEGINNINGS) && begins_line(text, offset) => {
                // Brackets opened before the keyword are unclosed.
                let inner = levels.iter().rposition(|level| level.is_block).unwrap_or(0);
                levels.truncate(inner + 1);
                begin(&mut levels, offset, true);
            }
            Token::Word(word) => has_cases |= word == "switch",
        }
    }
    let level = levels.iter().rev().find(|level| level.is_block);
    skipped(text, level.map_or(0, |level| level.start)).min(at)
}

/// Starts the next statement of the innermost block at `at`.
fn begin(levels: &mut [Level], at: usize, begins: bool) {
    if let Some(level) = levels.last_mut().filter(|level| level.is_block && begins) {
        level.start = at;
    }
}

/// Returns the end of the statement that begins at `start`, and true if its block begins there.
fn end(text: &str, start: usize, at: usize) -> Option<(usize, bool)> {
    let (mut open, mut has_block) = (Vec::new(), None);
    let mut tokens = Tokens::from(text, start);
    loop {
        let before = tokens.end;
        let Some((token, offset)) = tokens.next().ok()? else {
            return Some((tokens.end, false));
        };
        let is_after = offset >= at && open.is_empty();
        match token {
            Token::Open('{') if is_after && has_block == Some(true) => return Some((offset, true)),
            Token::Open(bracket) => open.push(bracket),
            Token::Close(_) | Token::End if open.is_empty() => return Some((offset, false)),
            Token::Close(_) => _ = open.pop(),
            Token::Word(word)
                if has_block.is_some()
                    && !open.contains(&'{')
                    && begins_line(text, offset)
                    && (is_in(word, BEGINNINGS)
                        || (is_in(word, VALUES) && !expects_value(&text[..before]))) =>
            {
                return Some((code_end(text, before, offset), false));
            }
            Token::Word(word) if has_block.is_none() => has_block = Some(is_in(word, WITH_BLOCK)),
            Token::Word(_) | Token::End => {}
        }
        has_block = has_block.or(Some(false));
    }
}

/// Returns the end of an unclosed block by its indentation: after the last line that is indented more than the first
/// one; `None` if a brace follows there.
fn end_of_block(text: &str, at: usize) -> Option<usize> {
    let first = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let outer = indent(&text[first..]);
    let mut offset = at + text[at..].find('\n')? + 1;
    for line in text[offset..].split_inclusive('\n') {
        if ends_block(line, outer) {
            let is_closing = line.trim_start().starts_with('}') && indent(line) == outer;
            return (!is_closing).then(|| code_end(text, 0, offset));
        }
        offset += line.len();
    }
    Some(code_end(text, 0, text.len()))
}

/// Returns true if a line cannot be in a block whose first line has this indentation. A block that is not indented, as of an
/// editor without automatic indentation, extends to the next item.
fn ends_block(line: &str, outer: usize) -> bool {
    const ITEMS: [&str; 4] = ["const", "fn", "import", "private"];
    let word = line.split(|c: char| !is_part_of_name(c)).next().unwrap_or_default();
    let is_outside = outer > 0 || line.starts_with('}') || ITEMS.contains(&word);
    !line.trim().is_empty() && indent(line) <= outer && is_outside
}

/// Returns the end of the code between two offsets, without trailing comments and white space.
fn code_end(text: &str, from: usize, to: usize) -> usize {
    let mut tokens = Tokens::from(&text[..to], from);
    while let Ok(Some(_)) = tokens.next() {}
    tokens.end
}

/// Returns the first offset from `at` on that is neither white space nor in a comment.
pub(crate) fn skipped(text: &str, at: usize) -> usize {
    let mut rest = &text[at..];
    loop {
        rest = rest.trim_start();
        rest = match rest.get(..2) {
            Some("//") => rest.trim_start_matches(|c| c != '\n'),
            Some("/*") => match block_comment(rest) {
                Some(length) => &rest[length..],
                None => return text.len() - rest.len(),
            },
            _ => return text.len() - rest.len(),
        };
    }
}

/// Returns true if `=` follows a name before this text.
fn is_assigned(rest: &str) -> bool {
    let rest = rest.trim_start().strip_prefix('=');
    rest.is_some_and(|rest| !rest.starts_with(['=', '>']))
}

/// Returns true if a value must follow this text.
fn expects_value(head: &str) -> bool {
    head.trim_end().ends_with(|c| "=+-*/%&|<>,([{!?:".contains(c))
}

fn begins_line(text: &str, at: usize) -> bool {
    let line = text[..at].rsplit('\n').next();
    line.is_none_or(|line| line.trim().is_empty())
}

fn is_in(word: &str, words: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use steerbox_core::diagnostics::line_and_column;

    use super::*;
    use crate::tests::rows;

    #[test]
    fn a_statement_or_the_head_of_a_block_becomes_a_value_of_any_kind() {
        // `§` marks the offset at which the parser stops; `?` is the value.
        for [text, repaired] in rows(
            r"
            let a = §; b ¦ ? ; b
            a; let b = f(1 § 2) + 3; c ¦ a; ? ; c
            { a; b § c } d ¦ { a; ? } d
            if a §= 3 { b } else { c } ¦ if ? { b } else { c }
            if a { b } else if c §= 3 { d } ¦ if a { b } else if ? { d }
            for (i §= 0; i < 3; i++) { b } ¦ while ? { b }
            switch a §= 3 { 0 => 1 } ¦ switch ? { 0 => 1 }
            let a = #{ b: 1, c § 2 }; d ¦ ? ; d
            let a = switch b { 0 => § }; d ¦ ? ; d
            function steer(me: Unit, §float x) { b } ¦ fn steer(me,x) { b }
            let a = 3 §\nlet b = 4; ¦ ?; let b = 4;
            a.b( §\n    return 3; ¦ ?; return 3;
            a // c\n  .b §; d ¦ ? ; d
            ",
        ) {
            let at = text.find('§').unwrap();
            let text = text.replace('§', "");
            let repair = statement(&text, at).unwrap();
            let found = repair.apply(&text).unwrap();
            let words: Vec<_> = found.split_whitespace().collect();
            assert_eq!(words.join(" "), repaired.replace('?', UNKNOWN), "{text}");
            let tail = &text[repair.part.end..];
            let place = |text: &str| line_and_column(text, text.len() - tail.len());
            assert_eq!(place(&found), place(&text), "{text}");
        }
    }

    #[test]
    fn unclosed_brackets_are_closed_or_removed() {
        let text = "fn f(a) {\n    if a {\n        b\n\n    c\n}\n";
        let open = Open::Bracket('{', text.find("{\n        b").unwrap(), None);
        let repaired = bracket(text, open).unwrap().apply(text).unwrap();
        assert_eq!(repaired, text.replace("        b", "        b}"));
        let text = "a;\nb(\"c);\nd";
        let repaired = bracket(text, Open::Text(5)).unwrap().apply(text).unwrap();
        assert_eq!(repaired, format!("a;\n{UNKNOWN};    \nd"));
        let text = "const A = 3;\nfn f(a, b) {\n    ) {\n}\nfn g() {}";
        let repaired = item(text, 30).unwrap().apply(text).unwrap();
        assert!(repaired.starts_with(&format!("const A = 3;\nfn f(a,b){{{UNKNOWN}}}")), "{repaired}");
        assert!(repaired.ends_with("\nfn g() {}"), "{repaired}");
    }

    #[test]
    fn declared_names_of_a_part_are_found() {
        let text = "let (a, b) = c(d); for (e, f) in g { h } float i = j; import \"k\" as l;";
        let declared = Repair::new(0..text.len(), "").declared(text);
        let declared: Vec<_> = declared.iter().map(String::as_str).collect();
        assert_eq!(declared, ["a", "b", "e", "f", "i", "k", "l"]);
    }
}
