//! Lines for a terminal, in which no name or message can move the cursor or forge a line.

use std::fmt::Display;

use steerbox_core::diagnostics::{Fault, printable, render};

pub(super) const DIM: &str = "\x1b[2m";
pub(super) const BOLD: &str = "\x1b[1m";
pub(super) const VALUE: &str = "\x1b[36m";
pub(super) const BAD: &str = "\x1b[31m";
const PLAIN: &str = "\x1b[0m";

/// Lines for a terminal, with styles that the printer removes if the output does not support color.
#[derive(Default)]
pub(super) struct Page(String);

impl Page {
    /// Creates a page of one line.
    pub(super) fn of_line(line: impl Display) -> Self {
        let mut page = Self::default();
        page.line(line);
        page
    }

    /// Appends text to the current line.
    pub(super) fn text(&mut self, text: impl Display) -> &mut Self {
        self.0.push_str(&printable(&text.to_string()));
        self
    }

    /// Appends styled text to the current line.
    pub(super) fn styled(&mut self, style: &str, text: impl Display) -> &mut Self {
        self.0.push_str(style);
        self.text(text).0.push_str(PLAIN);
        self
    }

    /// Ends the line.
    pub(super) fn end(&mut self) {
        self.0.push('\n');
    }

    /// Adds a line.
    pub(super) fn line(&mut self, text: impl Display) {
        self.text(text).end();
    }

    /// Adds a fault with its source line, of which this number of columns is shown.
    pub(super) fn fault(&mut self, fault: &Fault, columns: Option<usize>) {
        self.0.push_str(&render(fault, columns));
        self.end();
    }

    /// Appends text formatted by another library, whose names are printable already.
    pub(super) fn formatted(&mut self, text: &str) {
        self.0.push_str(text);
    }

    /// The lines with style codes.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}
