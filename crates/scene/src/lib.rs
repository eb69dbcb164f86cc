//! Scene files: format, validation, building and reconciling of worlds.
//!
//! Reads a text to a checked scene or to all its faults, builds its world, reconciles a running world with a changed
//! scene, and writes edits back with comments and layout intact. Must not know the script language, folders or windows:
//! the caller passes the texts of data files and the names of scripts.
//!
//! ```
//! use steerbox_scene as scene;
//!
//! let text = r#"(
//!     world: Plane(size: (200, 100)),
//!     bodies: {"dart": Mover(max_speed: 9)},
//!     groups: [(name: "flock", body: "dart", count: 50, behaviors: [(script: "cohesion")])],
//! )"#;
//! let scene = scene::read("scenes/flock.ron", text).expect("the scene is sound");
//! assert_eq!(scene::build(&scene, None).units.len(), 50);
//!
//! let faults = scene::read("scenes/flock.ron", &text.replace("count", "cuont")).unwrap_err();
//! assert_eq!(faults[0].summary(), "scenes/flock.ron:4:44: a group has no field `cuont`");
//! assert_eq!(faults[0].help.as_deref(), Some("did you mean `count`?"));
//! ```

mod about;
mod bounds;
mod build;
mod changes;
mod chosen_views;
mod color;
mod color_names;
mod cost;
mod data;
mod edits;
mod expectation;
mod experiment;
mod fields;
mod foreign;
pub mod format;
mod frame;
pub mod lineage;
mod members;
mod node;
mod numerics;
pub mod outline;
mod parts;
mod plan;
mod points;
mod read;
mod reader;
mod reconcile;
#[cfg(test)]
mod reconcile_tests;
mod recorder;
mod recording;
mod remedy;
mod rewrite;
mod ron_file;
mod rows;
mod scatter;
mod shifted;
mod span;
mod spawn;
mod starts;
mod syntax;
#[cfg(test)]
mod testing;
pub mod tokens;
mod words;

pub use about::field_tables;
pub use about::{CaseAbout, Fallback, FieldAbout, Value, about_case, about_field, fields_of};
pub use build::build;
pub use changes::NOTHING_CHANGED;
pub use color::Color;
pub use cost::{Cost, CostTerm, cost, cost_with};
pub use data::{DataTexts, MAX_DATA, data_name_fault, data_names};
pub use edits::{SceneEdit, SceneEdits};
pub use expectation::Expectation;
pub use experiment::{ExperimentFile, Written};
pub use format::format;
pub use numerics::numeric_warnings;
pub use outline::{outline, outline_at, outline_of};
pub use parts::{Collection, Form, Item, Mention, PresentField, SceneOutline, Thing};
pub use plan::{
    ColorBy, FlowPlan, FlowSource, GroupPlan, KeyAction, KeyPlan, Look, ParamSetting, Scatter, Scene,
    SceneLook, ScriptUse, UnitShape,
};
pub use read::{MAX_CORNERS, MAX_LENGTH, MAX_UNITS, Unread, read, read_experiment, read_with};
pub use reconcile::{Reconciled, reconcile};
pub use rewrite::free_group_name;
pub use rewrite::{
    Addition, Edit, Growing, ListItem, Rearrange, Set, grown, rearranged, rewrite, with_counts,
};
pub use ron_file::RonFile;
pub use shifted::{difference, shifted};
pub use span::{Span, Spans};
pub use spawn::newcomer;
pub use starts::{Area, Column, Heading, ID, Spawn, Start};
pub use tokens::with_comma;
pub use tokens::{Token, TokenKind, tokens};
