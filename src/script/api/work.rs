//! What functions charge for their work where it grows with the scene. See [`crate::sim::work`].

use crate::sim::UnitContext;
use crate::sim::work::WorkSource;
use crate::world::{Obstacle, Path, SearchCost, World};

/// Work for a point of a path that is searched.
const POINT: u64 = 4;
/// Work for a piece of an obstacle's surface that a distance is measured to.
const PIECE: u64 = 5;
/// Work for a box that is looked at in a search.
const BOX: u64 = 2;
/// Work for an obstacle that is found, to sort it.
const SORTING: u64 = 32;
/// Distances that a ray takes, mostly fewer.
const RAY: u64 = 32;
/// Work for a name that another is compared with.
const NAME: u64 = 4;

/// Searching a path for the point nearest to another.
pub(super) fn search_path(context: &mut UnitContext, path: usize) {
    let work = of_searching_path(&context.world().paths[path].path);
    context.charge_for(WorkSource::Paths, work);
}

/// What searching a path is charged.
pub(super) fn of_searching_path(path: &Path) -> u64 {
    POINT * path.points().len() as u64
}

/// One distance to an obstacle.
pub(super) fn measure(context: &mut UnitContext, obstacle: usize) {
    let work = of_measuring(&context.world().obstacles[obstacle]);
    context.charge_for(WorkSource::Obstacles, work);
}

/// What a distance to an obstacle is charged.
pub(super) fn of_measuring(obstacle: &Obstacle) -> u64 {
    PIECE * obstacle.solid.pieces() as u64
}

/// A search for obstacles near a point.
pub(super) fn search(context: &mut UnitContext, cost: SearchCost) {
    context.charge_for(WorkSource::Obstacles, of_search(cost));
}

/// What such a search is charged.
pub(super) fn of_search(cost: SearchCost) -> u64 {
    BOX * cost.boxes + PIECE * cost.pieces
}

/// Finding and sorting the obstacles within `reach` of the unit, once a call.
pub(super) fn search_near(context: &mut UnitContext, reach: f32) {
    if let Some(cost) = context.obstacle_search_cost(reach) {
        let found = context.obstacles_within(reach).len() as u64;
        context.charge_for(WorkSource::Obstacles, of_search_near(cost, found));
    }
}

/// What such a search is charged that found so many.
pub(in crate::script) fn of_search_near(cost: SearchCost, found: u64) -> u64 {
    of_search(cost) + SORTING * found
}

/// Distances along a ray to an obstacle.
pub(super) fn trace(context: &mut UnitContext, obstacle: usize) {
    let pieces = context.world().obstacles[obstacle].solid.pieces();
    context.charge_for(WorkSource::Obstacles, RAY * PIECE * pieces as u64);
}

/// A search for obstacles on a ray.
pub(super) fn search_along(context: &mut UnitContext, cost: SearchCost) {
    context.charge_for(WorkSource::Obstacles, BOX * cost.boxes + RAY * PIECE * cost.pieces);
}

/// Distances along a ray to the obstacles within `reach` of the unit.
pub(super) fn trace_near(context: &mut UnitContext, reach: f32) {
    search_near(context, reach);
    let (near, world) = context.obstacles_within_in_world(reach);
    let pieces: usize = near.iter().map(|it| world.obstacles[it.obstacle].solid.pieces()).sum();
    context.charge_for(WorkSource::Obstacles, RAY * PIECE * pieces as u64);
}

/// Looking for a name among as many of the scene.
pub(super) fn look_up(context: &mut UnitContext, names: impl Fn(&World) -> usize) {
    let names = names(context.world());
    context.charge(NAME * names as u64);
}
