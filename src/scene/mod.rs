//! Scene files: their exact shape, every check, building and reconciling a world. Knows no script engine.

mod build;
mod changes;
mod color;
mod color_names;
mod fields;
mod node;
mod place;
mod plan;
mod read;
mod reader;
mod reconcile;
mod scatter;
mod spawn;
mod syntax;

pub use build::build;
pub use color::Color;
pub use place::Place;
pub use plan::{
    GroupPlan, Look, ParamSetting, ParamValue, Scatter, Scene, ScriptUse, Shape, Spawn, Start,
};
pub use read::read;
pub use reconcile::{Reconciled, reconcile};
