//! A live sandbox for steering and flocking.
//!
//! Units move by a fixed-step simulation; what each one wants is decided by behavior scripts, and
//! the world comes from a scene file. Both reload while the simulation runs. The modules are
//! layers, and imports run downwards only: see `ARCHITECTURE.md`.

pub mod app;
pub mod cli;
pub mod diagnostics;
pub mod dynamics;
pub mod perception;
pub mod reload;
pub mod scene;
pub mod script;
pub mod session;
pub mod sim;
pub mod world;
