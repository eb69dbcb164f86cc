//! Answers about scripts, from the outline of the text and the table of the API.

mod actions;
mod api;
mod complete;
mod context;
mod describe;
mod edits;
mod extract;
mod format;
mod names;
mod structure;
#[cfg(test)]
mod tests;

pub(super) use actions::actions;
pub(super) use complete::complete;
pub(super) use describe::{hover, signature};
pub(super) use format::format;
pub(super) use names::names;
pub(super) use structure::{folds, symbols, tokens};
