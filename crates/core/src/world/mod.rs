//! The state of a world: units as arrays by field, groups, bodies, views, obstacles.
//!
//! Lengths are world units, times seconds, angles radians. Body axes: x to starboard, y forward,
//! z up. In a plane the world's z is always zero.

mod arena;
mod body;
mod box_tree;
mod carriers;
mod clock;
mod contacts;
mod distribution;
mod drive;
mod extrema;
mod flow;
mod group;
mod images;
pub mod lengths;
mod listed;
mod moving_obstacles;
mod names;
mod obstacle;
mod obstacles;
mod origin;
mod pair_lists;
mod param_value;
mod path;
pub mod random;
mod rotation;
mod route;
mod scalar_grid;
mod segments;
mod splice;
mod state;
pub mod testing;
mod time;
mod units;
mod view;
mod zone;

pub use arena::{Arena, Domain, Edges, minimum_image};
pub use body::{Body, BodyDraw, BodyNumber, DragScheme, Mover, Rigid};
pub use carriers::Carriers;
pub use clock::{Clock, PastSteps, decimal};
pub use contacts::{Contact, Contacts};
pub use distribution::{Distribution, name_key};
pub use drive::{Carrier, Drive, PathDrive};
pub use extrema::Extrema;
pub use flow::{Flow, NamedFlow};
pub use group::{Blend, Group};
pub(crate) use images::{about as image_about, in_first_period};
pub use listed::Listed;
pub use names::{MAX_NAMES, Names, NamesFull};
pub use obstacle::{Angle, Hit, Obstacle, Polygon, PolygonError, Solid, SolidKind, Surface};
pub use obstacles::{Around, NearObstacle, Obstacles, RayHit, SearchCost};
pub use origin::{Coordinates, absolute, relative};
pub use pair_lists::PairLists;
pub use param_value::ParamValue;
pub use path::{NamedPath, Path};
pub use rotation::rotate;
pub use route::{Goal, Route};
pub use scalar_grid::{GridRules, MAX_CELLS, MAX_GRIDS, ScalarGrid};
pub use splice::Splice;
pub(crate) use state::mapped;
pub use state::{Controls, MAX_SIGNALS, World};
pub use units::{KeySet, Signals, Units, child_key, matching, unit_key};
pub use view::{NamedView, View};
pub use zone::Zone;
