//! Text, tokens and syntax trees: places in a text, walks through a tree, syntax errors and their repair.

pub(super) mod absent;
pub(super) mod chain;
pub(super) mod errors;
pub(super) mod failing;
pub(super) mod fixes;
mod forms;
pub(super) mod lexemes;
pub(super) mod missing;
pub(super) mod pieces;
pub(super) mod repair;
mod rewrite;
pub(super) mod site;
pub(super) mod text;
pub(super) mod tokens;
pub(super) mod tree;
pub(super) mod values;
