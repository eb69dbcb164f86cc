//! Facts about the texts of files that several crates share: edits, occurrences of names, and cells of tables.

mod cells;
mod edit;
mod name;

pub use cells::{cell_column, cell_columns, cells, decimal, number_cell, separator};
pub use edit::{TextEdit, apply};
pub use name::{Name, Occurrence, Thing, composed};
