//! Collects the events of the window between two frames.

mod collect;
mod keys;
pub(crate) mod position;
#[cfg(test)]
mod tests;

pub(crate) use collect::{Collector, Sample};
