//! The simulation as a library: worlds, perception, dynamics and the step.
//!
//! Holds what is computed for every unit in every step, and what all other crates share: edits of texts and diagnostics.
//! Knows no scene file, no script language, no folder and no window: a world is built in Rust, and a behavior is a
//! closure ([`sim::Behavior`]).

pub mod diagnostics;
pub mod dynamics;
pub mod perception;
pub mod sim;
pub mod text;
pub mod world;
