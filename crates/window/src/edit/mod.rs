//! Direct manipulation with pointer and keys: units, obstacles, paths, target and tuned values.

pub(crate) mod additions;
pub(crate) mod assist;
pub(crate) mod drawing;
mod experiments;
mod file_changes;
pub(crate) mod handles;
pub(crate) mod obstacle_at;
pub(crate) mod obstacles;
pub(crate) mod path_points;
pub(crate) mod pointing;
pub(crate) mod question;
mod renaming;
pub(crate) mod rounding;
pub(crate) mod shapes;
pub(crate) mod snapshots;
pub(crate) mod texts;
pub(crate) mod tuning;
pub(crate) mod unit_drag;
pub(crate) mod units;
