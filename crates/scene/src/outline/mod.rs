//! The parts of a scene's text for editors, also of a text with faults.
//!
//! Readers record what they read while they read it. Recording is off while a scene is loaded.

mod mended;
mod reading;
#[cfg(test)]
mod tests;

pub use reading::{outline, outline_at, outline_of};
