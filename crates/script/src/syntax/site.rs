//! The text around a name: its receiver and its arguments.

use std::ops::Range;

use super::lexemes::is_part_of_name;
use super::tokens::Tokens;

/// The text around the name of a property or function.
pub(crate) struct Site {
    /// The value before the dot.
    pub(crate) receiver: Option<Range<usize>>,
    pub(crate) name: Range<usize>,
    /// The arguments in parentheses.
    pub(crate) arguments: Option<Vec<Range<usize>>>,
    pub(crate) end: usize,
}

impl Site {
    /// Reads the text around the name at an offset.
    pub(crate) fn read(text: &str, at: usize) -> Option<Self> {
        let rest = text.get(at..)?;
        let end = at + rest.find(|c| !is_part_of_name(c)).unwrap_or(rest.len());
        let called = text[end..].starts_with('(');
        let (arguments, after) = if called {
            let (arguments, after) = arguments(text, end)?;
            (Some(arguments), after)
        } else {
            (None, end)
        };
        Some(Self { receiver: receiver(text, at), name: at..end, arguments, end: after })
    }
}

/// Returns the arguments in the parentheses opened at an offset, and the offset after them.
pub(super) fn arguments(text: &str, open: usize) -> Option<(Vec<Range<usize>>, usize)> {
    let (mut depth, mut start, mut found) = (0_usize, open + 1, Vec::new());
    let mut add = |start: usize, end: usize| {
        let part = &text[start..end];
        let from = start + part.len() - part.trim_start().len();
        let to = start + part.trim_end().len();
        if from < to {
            found.push(from..to);
        }
    };
    let mut quote = None;
    for (at, c) in text[open..].char_indices().map(|(at, c)| (open + at, c)) {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => {
                depth -= 1;
                if depth == 0 {
                    add(start, at);
                    return Some((found, at + 1));
                }
            }
            (None, ',') if depth == 1 => {
                add(start, at);
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}

/// Returns the range of the chain before the dot in front of an offset.
fn receiver(text: &str, at: usize) -> Option<Range<usize>> {
    chain_before(text, text[..at].trim_end().strip_suffix('.')?.len())
}

/// Returns the range of the chain, number or text in quotes before an offset.
pub(super) fn operand_before(text: &str, at: usize) -> Option<Range<usize>> {
    let end = text[..at].trim_end().len();
    match text[..end].strip_suffix('"') {
        Some(head) => Some(head.rfind('"')?..end),
        None => chain_before(text, end),
    }
}

/// Returns the range of the chain, number or text in quotes after an offset.
pub(super) fn operand_after(text: &str, at: usize) -> Option<Range<usize>> {
    let start = text.len() - text[at..].trim_start().len();
    let rest = &text[start..];
    if let Some(quoted) = rest.strip_prefix('"') {
        return Some(start..start + quoted.find('"')? + 2);
    }
    let mut end = start;
    loop {
        let rest = &text[end..];
        end += rest.find(|c| !is_part_of_name(c)).unwrap_or(rest.len());
        while text[end..].starts_with(['(', '[']) {
            end = arguments(text, end)?.1;
        }
        let is_dot = text[end..].starts_with('.') && text[end + 1..].starts_with(is_part_of_name);
        if !is_dot {
            return (start < end).then_some(start..end);
        }
        end += 1;
    }
}

/// Returns the range of the chain that ends at an offset.
fn chain_before(text: &str, end: usize) -> Option<Range<usize>> {
    let mut start = end;
    loop {
        while text[..start].ends_with([')', ']']) {
            let mut depth = 0_usize;
            let open = text[..start].char_indices().rev().find(|(_, c)| {
                match c {
                    ')' | ']' => depth += 1,
                    '(' | '[' => depth -= 1,
                    _ => {}
                }
                depth == 0
            });
            start = open?.0;
        }
        start = text[..start].trim_end_matches(is_part_of_name).len();
        match text[..start].strip_suffix('.') {
            Some(head) if !head.ends_with('.') => start = head.len(),
            _ => return (start < end).then_some(start..end),
        }
    }
}

/// Returns the end of a block by its indentation, and the indentation of its first line.
pub(super) fn end_of_block(text: &str, at: usize) -> (usize, String) {
    let first = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let outer = indent(&text[first..]);
    let mut offset = at + text[at..].find('\n').map_or(text.len() - at, |length| length + 1);
    for line in text[offset..].split_inclusive('\n') {
        if !line.trim().is_empty() && indent(line) <= outer {
            break;
        }
        offset += line.len();
    }
    (code_end(&text[..offset]), text[first..first + outer].to_owned())
}

/// Returns the indentation of a line, in bytes.
pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// Returns the end of the code of a text.
pub(super) fn code_end(text: &str) -> usize {
    let mut tokens = Tokens::from(text, 0);
    while let Ok(Some(_)) = tokens.next() {}
    tokens.end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_has_the_receiver_and_the_arguments_of_a_name() {
        let text = "let a = b.c(1)[2].name(f(1, 2), \"),\") + 3";
        let site = Site::read(text, text.find("name").expect("it is there")).expect("it is a call");
        let part = |range: &Range<usize>| &text[range.clone()];
        assert_eq!(site.receiver.as_ref().map(part), Some("b.c(1)[2]"));
        let arguments: Vec<_> = site.arguments.iter().flatten().map(part).collect();
        assert_eq!((arguments, &text[site.end..]), (vec!["f(1, 2)", "\"),\""], " + 3"));
    }
}
