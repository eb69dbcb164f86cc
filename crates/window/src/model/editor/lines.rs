//! Lines of the running text in the text of the editor.

use steerbox_script::Role;

/// Returns the line of the editor's text that shows a line of the running text, both from 0; `None` if that line was
/// changed. Both texts have the same lines up to the first change and after the last one.
pub(crate) fn mapped(running: &str, text: &str) -> impl Fn(usize) -> Option<usize> + use<> {
    let (a, b): (Vec<_>, Vec<_>) = (running.lines().collect(), text.lines().collect());
    let start = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let ends = a[start..].iter().rev().zip(b[start..].iter().rev());
    let end = ends.take_while(|(a, b)| a == b).count();
    let (last, shift) = (a.len() - end, b.len());
    let total = a.len();
    move |line| match line {
        line if line < start => Some(line),
        line if line >= last && line < total => Some(line + shift - total),
        _ => None,
    }
}

/// Returns the line of the function that the program calls, from 1; 1 without one.
pub(crate) fn entry_line(script: &str) -> usize {
    let is_entry = |line: &str| {
        let name = line.strip_prefix("fn ").and_then(|head| head.split('(').next());
        name.is_some_and(|name| Role::is_entry(name.trim()))
    };
    script.lines().position(is_entry).map_or(1, |at| at + 1)
}

/// Returns the byte offset of a character, by its number.
pub(crate) fn byte_of(text: &str, character: usize) -> usize {
    let mut rest = text.chars();
    // Counts many letters at once.
    if let Some(before) = character.checked_sub(1) {
        rest.nth(before);
    }
    text.len() - rest.as_str().len()
}

/// Returns the number of a character at a byte offset.
pub(crate) fn character_of(text: &str, byte: usize) -> usize {
    text[..text.floor_char_boundary(byte.min(text.len()))].chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_around_a_change_are_found() {
        let line = mapped("a\nb\nc\nd", "a\nx\ny\nc\nd");
        assert_eq!([0, 1, 2, 3, 4].map(line), [Some(0), None, Some(3), Some(4), None]);
        let line = mapped("a\nb", "a\nb");
        assert_eq!([0, 1, 2].map(line), [Some(0), Some(1), None]);
    }

    #[test]
    fn characters_and_bytes_convert() {
        assert_eq!((byte_of("aäb", 2), character_of("aäb", 3)), (3, 2));
        assert_eq!((byte_of("aäb", 9), character_of("aäb", 9)), (4, 3));
    }
}
