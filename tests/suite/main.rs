//! Tests that need no separate process; see `tests/README.md`.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue fails")]

mod api_names;
mod budget;
mod cli;
#[path = "../common/mod.rs"]
mod common;
mod contacts;
mod determinism;
mod docs;
mod dynamics;
mod explained;
mod grids;
mod layers;
mod lints;
mod lsp;
mod mistakes;
mod perception;
mod processes;
mod random_texts;
#[cfg(unix)]
mod reload;
mod seamless;
mod sources;
mod write_back;
