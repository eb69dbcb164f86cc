//! The shipped scenes: they run long without a failure, give the hashes that they always gave, and show
//! what they are there to show.

#[path = "../common/mod.rs"]
mod common;
mod cost;
mod emergence;
mod golden;
mod run;
mod stage;
