//! Faults in files: where, what, and how to mend it. Knows nothing of what the files mean.

mod render;
mod suggest;

pub use render::render;
pub use suggest::closest;

/// One fault in a file, with everything needed to show it anywhere: console, terminal, JSON.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// The file as the user would name it.
    pub path: String,
    /// Line, counted from 1; 0 when the whole file is meant.
    pub line: usize,
    /// Column in characters, counted from 1; 0 when the whole line is meant.
    pub column: usize,
    /// How many characters from `column` on are at fault, at least 1.
    pub width: usize,
    /// The cause in the user's words: one sentence without a full stop.
    pub message: String,
    /// A likely remedy, if one is known.
    pub help: Option<String>,
    /// The source line as it stands in the file, without its line end.
    pub source: String,
}

impl Fault {
    /// A fault of the whole file.
    pub fn of_file(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            line: 0,
            column: 0,
            width: 1,
            message: message.into(),
            help: None,
            source: String::new(),
        }
    }

    /// A fault at `line` and `column` (both from 1) of `text`, whose line is kept as the excerpt.
    pub fn at(
        path: impl Into<String>,
        text: &str,
        (line, column): (usize, usize),
        message: impl Into<String>,
    ) -> Self {
        let source = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
        let mut fault = Self::of_file(path, message);
        fault.line = line;
        fault.column = column;
        fault.source = source.trim_end().chars().take(EXCERPT).collect();
        fault
    }

    /// The same fault over `width` characters.
    #[must_use]
    pub fn wide(mut self, width: usize) -> Self {
        self.width = width.max(1);
        self
    }

    /// The same fault with a remedy.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// `path:line:column: message`, the form editors follow.
    pub fn summary(&self) -> String {
        match (self.line, self.column) {
            (0, _) => format!("{}: {}", self.path, self.message),
            (line, 0) => format!("{}:{line}: {}", self.path, self.message),
            (line, column) => format!("{}:{line}:{column}: {}", self.path, self.message),
        }
    }

    /// The source line and, below it, the caret under the fault; empty without an excerpt.
    pub fn excerpt(&self) -> String {
        if self.source.is_empty() || self.column == 0 {
            return self.source.clone();
        }
        // A tab before the caret stays a tab, so that both lines shift alike.
        let indent: String = self
            .source
            .chars()
            .take(self.column - 1)
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .collect();
        format!("{}\n{indent}{}", self.source, "^".repeat(self.width))
    }
}

/// Longest excerpt kept of a line, in characters.
const EXCERPT: usize = 240;

/// Line and column (both from 1, the column in characters) of a byte offset in `text`.
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(offset.min(text.len()))];
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (line, before[start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_becomes_a_line_and_a_column_in_characters() {
        assert_eq!(line_and_column("ab\nçd", 0), (1, 1));
        assert_eq!(line_and_column("ab\nçd", 5), (2, 2));
        assert_eq!(line_and_column("ab\nçd", 99), (2, 3));
    }

    #[test]
    fn the_caret_stands_under_the_fault() {
        let fault = Fault::at("a.rhai", "one\n\tlet x = oops;", (2, 10), "unknown").wide(4);
        assert_eq!(fault.excerpt(), "\tlet x = oops;\n\t        ^^^^");
        assert_eq!(fault.summary(), "a.rhai:2:10: unknown");
    }
}
