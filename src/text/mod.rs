//! Facts about the texts of files that several layers share: edits, and occurrences of names.

mod edit;
mod name;

pub use edit::{TextEdit, apply};
pub use name::{Name, Occurrence};
