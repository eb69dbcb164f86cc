//! Errors and warnings in files, with positions.

use std::ops::Range;

use super::excerpt;
use super::fix::Fix;
use super::same::same_words;

/// The severity of a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file cannot be used.
    #[default]
    Error,
    /// The file can be used, but probably does not work as intended.
    Warning,
}

impl Severity {
    /// "error" or "warning".
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// A fault in a file, with all data for consoles, terminals and JSON.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// Its severity.
    pub severity: Severity,
    /// The path of the file, as in messages.
    pub path: String,
    /// Line, from 1; 0 for the whole file.
    pub line: usize,
    /// Column in characters, from 1; 0 for the whole line.
    pub column: usize,
    /// Number of characters from `column` on, at least 1.
    pub width: usize,
    /// The message: one sentence without a full stop.
    pub message: String,
    /// A suggestion in words, if known.
    pub help: Option<String>,
    /// The source line without its line ending; a long line is truncated around the fault, with `…`.
    pub source: Box<str>,
    /// Number of characters removed at the start: the fault begins at character `column - cut` of `source`.
    pub cut: u32,
    /// Fixes, the likeliest first, of the file at `path`.
    pub fixes: Vec<Fix>,
}

impl Fault {
    /// Creates a fault of the whole file.
    pub fn of_file(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            path: path.into(),
            line: 0,
            column: 0,
            width: 1,
            message: message.into(),
            help: None,
            source: Box::default(),
            cut: 0,
            fixes: Vec::new(),
        }
    }

    /// Creates a fault at `line` and `column` (both from 1) of `text`, with the line as excerpt. Its width is that of the
    /// word, number, text or operator there.
    pub fn at(
        path: impl Into<String>,
        text: &str,
        (line, column): (usize, usize),
        message: impl Into<String>,
    ) -> Self {
        let whole = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
        let mut fault = Self::of_file(path, message);
        fault.line = line;
        fault.column = column;
        if whole.len() <= excerpt::READABLE {
            fault.width = excerpt::width_of_word(whole, column);
            let (source, cut) = excerpt::cut(whole.trim_end(), column);
            (fault.source, fault.cut) = (source.into(), cut as u32);
        }
        fault
    }

    /// Creates a fault of a file whose bytes are invalid UTF-8 from `offset` on.
    pub fn not_utf8(path: impl Into<String>, bytes: &[u8], offset: usize) -> Self {
        let before = bytes.get(..offset).unwrap_or(bytes);
        let place = line_and_column(&String::from_utf8_lossy(before), offset);
        let text = String::from_utf8_lossy(bytes);
        let message = "the file is not UTF-8 text from here on";
        Self::at(path, &text, place, message).wide(1).help("save it as UTF-8")
    }

    /// Sets the width in characters.
    #[must_use]
    pub fn wide(mut self, width: usize) -> Self {
        self.width = width.max(1);
        self
    }

    /// Sets the help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the help, or removes it.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }

    /// Adds fixes.
    #[must_use]
    pub fn fixed(mut self, fixes: impl IntoIterator<Item = Fix>) -> Self {
        self.fixes.extend(fixes);
        self
    }

    /// Converts it to a warning.
    #[must_use]
    pub fn warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// Returns true if both are at the same position.
    pub fn is_where(&self, other: &Self) -> bool {
        (&self.path, self.line, self.column) == (&other.path, other.line, other.column)
    }

    /// Returns true if both have the same cause: the same position, and the same message except for numbers.
    pub fn has_cause_of(&self, other: &Self) -> bool {
        self.severity == other.severity && self.is_where(other) && same_words(&self.message, &other.message)
    }

    /// `path:line:column: message`, which editors recognize.
    pub fn summary(&self) -> String {
        match (self.line, self.column) {
            (0, _) => format!("{}: {}", self.path, self.message),
            (line, 0) => format!("{}:{line}: {}", self.path, self.message),
            (line, column) => format!("{}:{line}:{column}: {}", self.path, self.message),
        }
    }

    /// Returns true if the excerpt contains `text` at the fault.
    pub fn underlines(&self, text: &str) -> bool {
        let mut rest = self.source.chars().skip(self.underlined().start);
        !self.source.is_empty() && text.chars().all(|of_text| rest.next() == Some(of_text))
    }

    /// The range of characters of `source` at fault, from 0; empty without an excerpt.
    pub fn underlined(&self) -> Range<usize> {
        let count = self.source.chars().count();
        if count == 0 || self.column == 0 {
            return 0..0;
        }
        let start = self.column.saturating_sub(self.cut as usize + 1).min(count);
        start..(start + self.width).min(count).max(start + 1)
    }

    /// The source line and the caret line below it, for monospaced text; empty without an excerpt.
    pub fn excerpt(&self) -> String {
        let under = self.underlined();
        if under.is_empty() {
            return self.source.to_string();
        }
        excerpt::underlined(&self.source, under)
    }
}

/// Returns line and column (both from 1, the column in characters) of a byte offset in `text`.
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(offset.min(text.len()))];
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (line, before[start..].chars().count() + 1)
}

/// Returns the byte offset of a line and column (both from 1, the column in characters) in `text`, or the nearest valid
/// one.
pub fn offset_of(text: &str, (line, column): (usize, usize)) -> usize {
    let lines = text.split_inclusive('\n');
    let start: usize = lines.take(line.saturating_sub(1)).map(str::len).sum();
    let rest = text[start..].lines().next().unwrap_or_default();
    let within = rest.char_indices().nth(column.saturating_sub(1));
    start + within.map_or(rest.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_convert_to_lines_and_columns_and_back() {
        assert_eq!(line_and_column("ab\nçd", 0), (1, 1));
        assert_eq!(line_and_column("ab\nçd", 5), (2, 2));
        assert_eq!(line_and_column("ab\nçd", 99), (2, 3));
        assert_eq!(offset_of("ab\nçd", (1, 1)), 0);
        assert_eq!(offset_of("ab\nçd", (2, 2)), 5);
        assert_eq!(offset_of("ab\nçd", (2, 9)), 6);
        assert_eq!(offset_of("ab\nçd", (9, 9)), 6);
    }

    #[test]
    fn the_caret_is_below_the_fault() {
        let fault = Fault::at("a.rhai", "one\n\tlet x = oops;", (2, 10), "unknown").wide(4);
        assert_eq!(fault.excerpt(), "\tlet x = oops;\n\t        ^^^^");
        assert_eq!(fault.summary(), "a.rhai:2:10: unknown");
    }

    #[test]
    fn the_caret_is_as_wide_as_the_word_and_accounts_for_wide_characters() {
        let fault = Fault::at("a.rhai", "let a = \"日本\"; oops", (1, 15), "unknown");
        let carets = format!("{}^^^^", " ".repeat(16));
        assert_eq!(fault.excerpt().lines().nth(1), Some(carets.as_str()));
    }

    #[test]
    fn a_long_line_is_truncated_around_the_fault() {
        let line = format!("{} oops {}", "a".repeat(400), "b".repeat(400));
        let fault = Fault::at("a.rhai", &line, (1, 402), "unknown");
        assert!(fault.source.chars().count() < 140, "{}", fault.source);
        let excerpt = fault.excerpt();
        let (source, carets) = excerpt.split_once('\n').unwrap();
        let place = carets.chars().take_while(|c| *c == ' ').count();
        let under: String = source.chars().skip(place).take(4).collect();
        assert_eq!((under.as_str(), &carets[place..]), ("oops", "^^^^"));
    }
}
