//! The shipped scenes: they run long without a failure, have the recorded hashes, and show the behavior they are named
//! after.

mod colors;
#[path = "../common/mod.rs"]
mod common;
mod cost;
mod crossing;
mod degenerate;
mod emergence;
mod golden;
mod literature;
mod models;
mod players;
mod run;
mod stage;
mod steps;
