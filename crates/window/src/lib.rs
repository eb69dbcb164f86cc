//! The window: input, panel, editor and timeline. Reads the simulation, and changes it only through its commands. Must not
//! know the command line, the terminal or the protocol of editors.
//!
//! The window is a pixel buffer with a rasterizer of its own for world and panel: it builds with a C compiler
//! alone, needs no graphics driver, and tests read every pixel.
//!
//! The window library reports only the state of buttons, so short clicks would be lost. An input-only window over
//! its own, on a second connection, receives all pointer events in safe code.
//!
//! Plots and sparklines store samples while steps are made. Samples of closed plots, other units and other
//! quantities are missing; a replay computes them from the record, one interval between keyframes at a time, newest
//! first, on one thread, with a pause of the same length after each while the scene runs.

mod commands;
mod edit;
mod model;
mod panel;
mod shell;
#[cfg(test)]
#[path = "../../../tests/common/targets.rs"]
mod targets;
#[cfg(test)]
mod tests;
mod time;

pub use model::frame_input as input;
pub use model::results::Results;
pub use shell::application::App;
pub use shell::main_loop::open;
pub use shell::window::{WindowError, settle_input_method};
