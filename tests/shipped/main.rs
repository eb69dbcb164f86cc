//! The shipped scenes: they run long without a failure, give the hashes that they always gave, and show
//! what they are there to show.

mod cost;
mod emergence;
mod golden;
mod run;
mod stage;
