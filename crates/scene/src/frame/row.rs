//! Lines of a table with their cells, and faults in them.

use std::borrow::Cow;

use steerbox_core::text::{cell_column, cell_columns, cells, decimal};
use steerbox_core::world::relative;

use crate::bounds::Bounds;

/// A fault of a table.
#[derive(Debug, PartialEq)]
pub(crate) struct FrameFault {
    /// Line and column in characters, counted from 1.
    pub(crate) at: (usize, usize),
    pub(crate) message: String,
    pub(crate) help: String,
}

impl FrameFault {
    pub(super) fn new(at: (usize, usize), message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { at, message: message.into(), help: help.into() }
    }
}

/// A line of a table with its cells.
pub(super) struct Row {
    /// Counted from 1.
    pub(super) number: usize,
    pub(super) text: String,
    pub(super) cells: Vec<String>,
    /// The character between cells.
    pub(super) separator: char,
}

impl Row {
    pub(super) fn new((number, text): (usize, &str), separator: char) -> Self {
        let cells = cells(text, separator).into_iter().map(|cell| cell.trim().to_owned()).collect();
        Self { number, text: text.to_owned(), cells, separator }
    }

    /// Returns the position of a cell.
    pub(super) fn at(&self, cell: usize) -> (usize, usize) {
        (self.number, cell_column(&self.text, cell, self.separator))
    }

    /// Returns the columns of the cells, but for an empty one at the end.
    pub(super) fn places(&self) -> impl Iterator<Item = usize> {
        cell_columns(&self.text, self.separator)
    }

    /// Returns the text of a cell; empty for the words with which programs mark a missing value. A comma is a decimal point
    /// where it does not separate cells.
    pub(super) fn value(&self, cell: usize) -> Cow<'_, str> {
        match self.cells.get(cell).map_or("", String::as_str) {
            "NA" | "N/A" | "null" | "None" => "".into(),
            text => decimal(text, self.separator),
        }
    }

    /// Returns a coordinate of the column `name` relative to that of the origin; `None` if the cell is empty or NaN.
    pub(super) fn coordinate(&self, at: (usize, &str), origin: f64) -> Result<Option<f32>, FrameFault> {
        let exact = || relative(self.value(at.0).parse().unwrap_or_default(), origin);
        Ok(self.number(at)?.map(|number| if origin == 0.0 { number } else { exact() }))
    }

    /// Returns a number of the column `name`; `None` if the cell is empty or NaN.
    pub(super) fn number(&self, (cell, name): (usize, &str)) -> Result<Option<f32>, FrameFault> {
        let text = self.value(cell);
        if text.is_empty() {
            return Ok(None);
        }
        let fault = |message: String| {
            let help = "write a number such as 12.5, with a point before the decimals";
            Err(FrameFault::new(self.at(cell), message, help))
        };
        match text.parse::<f32>() {
            Ok(number) if number.is_nan() => Ok(None),
            Ok(number) => match Bounds::Any.broken(number) {
                Some(broken) => fault(format!("`{name}` {broken}, not {text}")),
                None => Ok(Some(number)),
            },
            Err(_) => fault(format!("`{name}` must be a number, not \"{text}\"")),
        }
    }
}
