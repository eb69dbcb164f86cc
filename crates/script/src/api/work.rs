//! Charges of functions whose work grows with the scene. See [`steerbox_core::sim::work`].

use steerbox_core::sim::UnitContext;
use steerbox_core::sim::work::WorkSource;
use steerbox_core::world::{Obstacle, Path, SearchCost, World};

/// Work per point of a path in a search.
const POINT: u64 = 4;
/// Work per surface piece of an obstacle in a distance.
const PIECE: u64 = 5;
/// Work per bounding box in a search.
const BOX: u64 = 2;
/// Work per found obstacle, for sorting.
const SORTING: u64 = 32;
/// Distance evaluations charged per ray, an upper estimate.
const RAY: u64 = 32;
/// Work per name comparison.
const NAME: u64 = 4;

/// Charges a search for the nearest point of a path.
pub(super) fn search_path(context: &mut UnitContext, path: usize) {
    let work = path_search_work(&context.world().paths[path].path);
    context.charge_for(WorkSource::Paths, work);
}

/// Returns the charge of such a search.
pub(super) fn path_search_work(path: &Path) -> u64 {
    POINT * path.points().len() as u64
}

/// Charges a distance to an obstacle.
pub(super) fn measure(context: &mut UnitContext, obstacle: usize) {
    let work = distance_work(context.world().shape(obstacle));
    context.charge_for(WorkSource::Obstacles, work);
}

/// Returns the charge of such a distance.
pub(super) fn distance_work(obstacle: &Obstacle) -> u64 {
    PIECE * obstacle.solid.pieces() as u64
}

/// Charges a search for obstacles near a point.
pub(super) fn search(context: &mut UnitContext, cost: SearchCost) {
    context.charge_for(WorkSource::Obstacles, search_work(cost));
}

/// Returns the charge of such a search.
pub(super) fn search_work(cost: SearchCost) -> u64 {
    BOX * cost.boxes + PIECE * cost.pieces
}

/// Charges the search for obstacles within `reach` of the unit, once per call of `steer`.
pub(super) fn search_near(context: &mut UnitContext, reach: f32) {
    if let Some(cost) = context.obstacle_search_cost(reach) {
        let found = context.obstacles_within(reach).len() as u64;
        context.charge_for(WorkSource::Obstacles, near_search_work(cost, found));
    }
}

/// Returns the charge of such a search with this number of results.
pub(crate) fn near_search_work(cost: SearchCost, found: u64) -> u64 {
    search_work(cost) + SORTING * found
}

/// Charges a ray against an obstacle.
pub(super) fn trace(context: &mut UnitContext, obstacle: usize) {
    let pieces = context.world().shape(obstacle).solid.pieces();
    context.charge_for(WorkSource::Obstacles, RAY * PIECE * pieces as u64);
}

/// Charges a search for obstacles on a ray.
pub(super) fn search_along(context: &mut UnitContext, cost: SearchCost) {
    context.charge_for(WorkSource::Obstacles, BOX * cost.boxes + RAY * PIECE * cost.pieces);
}

/// Charges a ray against the obstacles within `reach` of the unit.
pub(super) fn trace_near(context: &mut UnitContext, reach: f32) {
    search_near(context, reach);
    let (near, world) = context.obstacles_within_in_world(reach);
    let pieces: usize = near.iter().map(|it| world.obstacles[it.obstacle].solid.pieces()).sum();
    context.charge_for(WorkSource::Obstacles, RAY * PIECE * pieces as u64);
}

/// Charges a search for a name among this number of names.
pub(super) fn look_up(context: &mut UnitContext, names: impl Fn(&World) -> usize) {
    let names = names(context.world());
    context.charge(NAME * names as u64);
}
