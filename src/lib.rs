//! A live sandbox for steering and flocking: the library behind the program `steerbox`.
//!
//! A simulation advances in fixed steps. Behaviors, which are scripts or closures, steer its units; a scene file describes
//! the world. One seed gives one result, bit for bit, on any number of threads.
//!
//! ```
//! use steerbox::reload::{Loader, Place};
//! use steerbox::sim::metrics;
//!
//! let place = Place::of_scene("scenes/flock.ron".as_ref());
//! let (_, generation) = Loader::load(place, Vec::new())?;
//! let seed = 1;
//! let mut simulation = generation.start(Some(seed));
//! for _ in 0..60 {
//!     simulation.step();
//! }
//! let world = simulation.world();
//! for (group, figures) in world.groups.iter().zip(metrics::of_groups(world)) {
//!     println!("{}: {:.3}", group.name, figures.named("polarization").unwrap_or_default());
//! }
//! # Ok::<(), steerbox::reload::LoadError>(())
//! ```
//!
//! `examples/` has a behavior as a closure, a custom measure and a program for any scene.
//!
//! This crate re-exports modules of others. Each of those can be used alone: `steerbox-core` simulates without files and
//! scripts, `steerbox-scene` and `steerbox-script` add a format and a language to it and do not depend on each other,
//! `steerbox-project` runs folders of both, and `steerbox-picture` draws what runs.
//!
//! | module | crate | contents |
//! |---|---|---|
//! | [`world`] | `steerbox-core` | the state: units, groups, bodies, views, obstacles |
//! | [`perception`] | `steerbox-core` | the grid, neighbor lists and their means |
//! | [`dynamics`] | `steerbox-core` | forces, integration, contacts, edges |
//! | [`sim`] | `steerbox-core` | the step, behaviors, measures, snapshots, the state hash |
//! | [`diagnostics`], [`text`] | `steerbox-core` | errors with their places and fixes; edits of texts |
//! | [`scene`] | `steerbox-scene` | scene files: read, check, build, reconcile, rewrite |
//! | [`script`] | `steerbox-script` | behavior scripts: check, compile, run |
//! | [`reload`] | `steerbox-project` | a scene with its scripts, loaded once or watched |
//! | [`session`] | `steerbox-project` | a running scene: history, replays, states in files |
//! | [`experiment`] | `steerbox-project` | many runs with other values and seeds, and their tables |
//! | [`plot`] | `steerbox-project` | plots of such tables |
//! | [`language`] | `steerbox-project` | completion, faults and names for editors |
//! | [`render`], [`record`] | `steerbox-picture` | pictures, animations, videos and pages |

#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod lsp;
#[cfg(test)]
#[path = "../tests/common/targets.rs"]
mod targets;

pub use steerbox_core::{diagnostics, dynamics, perception, sim, text, world};
pub use steerbox_picture::{record, render};
pub use steerbox_project::{experiment, language, plot, reload, session};
pub use steerbox_scene as scene;
pub use steerbox_script as script;
