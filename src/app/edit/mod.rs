//! Direct manipulation with pointer and keys: units, obstacles, paths, target and tuned values.

pub(in crate::app) mod corners;
pub(in crate::app) mod drawing;
pub(in crate::app) mod obstacle_at;
pub(in crate::app) mod obstacle_drag;
pub(in crate::app) mod obstacles;
pub(in crate::app) mod path_points;
pub(in crate::app) mod pointing;
pub(in crate::app) mod question;
pub(in crate::app) mod snapshots;
pub(in crate::app) mod tuning;
pub(in crate::app) mod unit_drag;
pub(in crate::app) mod units;
