//! What functions charge for their work where it grows with the scene. See [`crate::sim::work`].

use crate::sim::UnitContext;
use crate::sim::work::WorkSource;
use crate::world::{Obstacle, World};

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
    context.charge_for(WorkSource::Paths, POINT * points as u64);
}

/// One distance to an obstacle.
pub(super) fn measure(context: &mut UnitContext, obstacle: usize) {
    let pieces = context.world().obstacles[obstacle].solid.pieces();
    context.charge_for(WorkSource::Obstacles, PIECE * pieces as u64);
}

/// One distance to each obstacle.
pub(super) fn measure_all(context: &mut UnitContext) {
    let pieces = |obstacle: &Obstacle| obstacle.solid.pieces();
    let pieces: usize = context.world().obstacles.iter().map(pieces).sum();
    context.charge_for(WorkSource::Obstacles, PIECE * pieces as u64);
}

/// Distances along a ray to an obstacle.
pub(super) fn trace(context: &mut UnitContext, obstacle: usize) {
    let pieces = context.world().obstacles[obstacle].solid.pieces();
    context.charge_for(WorkSource::Obstacles, RAY * PIECE * pieces as u64);
}

/// Distances along a ray to each obstacle: few of them are near enough.
pub(super) fn trace_all(context: &mut UnitContext) {
    let pieces: usize = context.world().obstacles.iter().map(|it| it.solid.pieces()).sum();
    context.charge_for(WorkSource::Obstacles, RAY * pieces as u64);
}

/// Looking for a name among as many of the scene.
pub(super) fn look_up(context: &mut UnitContext, names: impl Fn(&World) -> usize) {
    let names = names(context.world());
    context.charge(NAME * names as u64);
}
