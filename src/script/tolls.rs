//! What functions of the API charge for their work, for the interpreter and for machine code: what takes
//! the longer the more there is in a scene. See [`crate::sim::work`].

use crate::sim::UnitContext;
use crate::sim::work::Toll;

/// Work for a point of a path that is searched.
const POINT: u64 = 4;
/// Work for a piece of an obstacle's surface that a distance is measured to.
const PIECE: u64 = 5;
/// Distances that a ray takes, mostly fewer.
const RAY: u64 = 32;
/// Work for a name that another is compared with.
const NAME: u64 = 4;

/// Searching a path for the point nearest to another.
pub(super) fn search_path(context: &mut UnitContext, path: usize) {
    let points = context.world().paths[path].path.points().len();
    context.pay(Toll::Paths, POINT * points as u64);
}

/// One distance to an obstacle.
pub(super) fn measure(context: &mut UnitContext, obstacle: usize) {
    let pieces = context.world().obstacles[obstacle].pieces();
    context.pay(Toll::Obstacles, PIECE * pieces as u64);
}

/// One distance to each obstacle.
pub(super) fn measure_all(context: &mut UnitContext) {
    let obstacles = &context.world().obstacles;
    let pieces: usize = obstacles.iter().map(crate::world::Obstacle::pieces).sum();
    context.pay(Toll::Obstacles, PIECE * pieces as u64);
}

/// Distances along a ray to an obstacle.
pub(super) fn trace(context: &mut UnitContext, obstacle: usize) {
    let pieces = context.world().obstacles[obstacle].pieces();
    context.pay(Toll::Obstacles, RAY * PIECE * pieces as u64);
}

/// Looking for a view by its name.
pub(super) fn look_up_view(context: &mut UnitContext) {
    context.charge(NAME * context.world().views.len() as u64);
}

/// Looking for a path by its name.
pub(super) fn look_up_path(context: &mut UnitContext) {
    context.charge(NAME * context.world().paths.len() as u64);
}

/// Looking for a flow field by its name.
pub(super) fn look_up_field(context: &mut UnitContext) {
    context.charge(NAME * context.world().flows.len() as u64);
}
