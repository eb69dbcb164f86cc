//! Answers about scenes, from the parts that the readers of scenes record.

mod actions;
mod colors;
mod complete;
mod cursor;
mod folds;
mod format;
mod hover;
mod names;
mod scripts;
mod signature;
mod snippet;
mod symbols;
#[cfg(test)]
mod testing;
mod tokens;

pub(super) use actions::{actions, add_to_groups};
pub use colors::color_texts;
pub(super) use colors::colors;
pub(super) use complete::complete;
pub(super) use folds::folds;
pub(super) use format::format;
pub(super) use hover::hover;
pub(super) use names::names;
pub(super) use signature::signature;
pub(super) use symbols::symbols;
pub(super) use tokens::tokens;
