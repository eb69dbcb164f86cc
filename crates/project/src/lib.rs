//! Running projects without a window: files that reload, running scenes, experiments, plots, and answers for editors.
//!
//! Joins scenes and scripts, which do not know each other. Must not know windows, terminals or pictures; only `reload` and
//! `link` access files.

pub mod experiment;
pub mod language;
pub mod link;
pub mod plot;
pub mod reload;
pub mod session;
#[cfg(test)]
#[path = "../../../tests/common/targets.rs"]
mod targets;
