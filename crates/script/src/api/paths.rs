//! Paths and flow fields.

use glam::Vec3;
use steerbox_core::sim::BATCH as LANES;
use steerbox_core::world;

use super::function::Table;
use super::host::Host;
use super::lane_call::LaneCall;
use super::values::{Field, Path};
use super::work;

/// The largest number of active lanes that are computed one by one.
const MAX_SINGLE: usize = 2;

#[rustfmt::skip]
pub(super) fn add(table: &mut Table) {
    table.add("path.length", "length from start to end, or once around", |host: &Host<'_>, path: Path| read(host, path).length());
    table.add("path.radius", "half the width", |host: &Host<'_>, path: Path| read(host, path).radius());
    table.add("path.is_closed", "true if the path returns to its start", |host: &Host<'_>, path: Path| read(host, path).is_closed());
    table.add("path.nearest_point(point)", "the point of the center line nearest to a point", |host: &mut Host<'_>, path: Path, point: Vec3| nearest(host, path, point).0).batched(nearest_points);
    table.add("path.distance_along(point)", "the distance of that point along the path", |host: &mut Host<'_>, path: Path, point: Vec3| nearest(host, path, point).1).batched(distances_along);
    table.add("path.distance_along(point, last)", "as `distance_along(point)`, on the branch of the path at the distance `last`, such as that of the last step: other branches that cross or touch it count for points far away only", |host: &mut Host<'_>, path: Path, point: Vec3, last: f32| nearest_about(host, path, point, last));
    table.add("path.point_at(distance)", "the point at a distance from the start: wraps around on a closed path, clamps to the ends of an open one. In a seamless world, its image nearest to the unit", |host: &Host<'_>, path: Path, distance: f32| host.context.apparent(read(host, path).point_at(along(distance)))).work(40).batched(points_at);
    table.add("path.direction_at(distance)", "the unit vector along the path at that point", |host: &Host<'_>, path: Path, distance: f32| read(host, path).direction_at(along(distance))).work(40).batched(directions_at);
    table.add("field.at(point)", "the vector of the flow field at a point", |host: &Host<'_>, field: Field, point: Vec3| host.world().flows[field.0].flow.at(point)).work(10);
}

fn read<'a>(host: &'a Host<'_>, path: Path) -> &'a world::Path {
    &host.world().paths[path.0].path
}

/// Returns the nearest point of a path, and its distance along the path.
fn nearest(host: &mut Host<'_>, path: Path, point: Vec3) -> (Vec3, f32) {
    work::search_path(host.context, path.0);
    read(host, path).nearest(point)
}

/// Returns the distance along a path of the nearest point of a branch.
fn nearest_about(host: &mut Host<'_>, path: Path, point: Vec3, last: f32) -> f32 {
    work::search_path(host.context, path.0);
    read(host, path).nearest_about(point, along(last)).1
}

/// Batched [`nearest`] for one path.
fn nearest_to_each(host: &Host<'_>, lanes: &mut LaneCall) -> Option<[(Vec3, f32); LANES]> {
    let path = Path(lanes.same()? as usize);
    if lanes.lanes().count() <= MAX_SINGLE {
        return None;
    }
    let path = read(host, path);
    lanes.charge(work::path_search_work(path));
    let [_, x, y, z, ..] = lanes.words;
    Some(path.nearest_to_each(&[x, y, z].map(|of| of.map(f32::from_bits))))
}

fn nearest_points(host: &mut Host<'_>, lanes: &mut LaneCall) -> bool {
    let Some(nearest) = nearest_to_each(host, lanes) else {
        return false;
    };
    write_vectors(lanes, nearest.map(|(point, _)| point));
    true
}

fn distances_along(host: &mut Host<'_>, lanes: &mut LaneCall) -> bool {
    let nearest = nearest_to_each(host, lanes);
    if let Some(nearest) = nearest {
        lanes.words[0] = nearest.map(|(_, along)| along.to_bits());
    }
    nearest.is_some()
}

fn points_at(host: &mut Host<'_>, lanes: &mut LaneCall) -> bool {
    // Images differ by unit.
    host.world().arena.period().is_none() && of_distances(host, lanes, world::Path::points_at)
}

fn directions_at(host: &mut Host<'_>, lanes: &mut LaneCall) -> bool {
    of_distances(host, lanes, world::Path::directions_at)
}

/// Batched properties of a path at distances along it.
fn of_distances(
    host: &Host<'_>,
    lanes: &mut LaneCall,
    ask: fn(&world::Path, &[f32; LANES]) -> [Vec3; LANES],
) -> bool {
    let Some(path) = lanes.same() else {
        return false;
    };
    let distances = lanes.words[1].map(|word| along(f32::from_bits(word)));
    write_vectors(lanes, ask(read(host, Path(path as usize)), &distances));
    true
}

/// Writes a vector as the result of each lane.
fn write_vectors(lanes: &mut LaneCall, vectors: [Vec3; LANES]) {
    for axis in 0..3 {
        lanes.words[axis] = vectors.map(|vector| vector[axis].to_bits());
    }
}

/// Converts a distance along a path; NaN counts as the start.
fn along(distance: f32) -> f32 {
    if distance.is_finite() { distance } else { 0.0 }
}
