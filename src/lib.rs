//! A live sandbox for steering and flocking.
//!
//! A fixed-step simulation moves units; behavior scripts steer them, and a scene file describes the
//! world. Both reload while the simulation runs. The modules are layers, and imports run downwards
//! only: see `ARCHITECTURE.md`.

pub mod cli;
pub mod lsp;
#[cfg(test)]
#[path = "../tests/common/targets.rs"]
mod targets;

pub use steerbox_core::{diagnostics, dynamics, perception, sim, text, world};
pub use steerbox_picture::{record, render};
pub use steerbox_project::{experiment, language, link, plot, reload, session};
pub use steerbox_scene as scene;
pub use steerbox_script as script;
