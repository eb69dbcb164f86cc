//! Diagnostics of files: place, message, and help. Independent of what the files contain.

mod caught;
mod excerpt;
mod fault;
mod render;
mod same;
mod suggest;

pub use caught::caught;
#[cfg(test)]
pub(crate) use caught::wanted::panics_are_wanted;
pub use fault::{Fault, Severity, line_and_column, offset_of};
pub use render::render;
pub use same::same_words;
pub use suggest::{closest, did_you_mean};
