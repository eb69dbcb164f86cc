//! What units can follow: paths and flow fields.

use glam::Vec3;

use super::function::Table;
use super::host::Host;
use super::values::{Field, Path};
use super::work;
use crate::world;

#[rustfmt::skip]
pub(super) fn add(table: &mut Table) {
    table.add("path.length", "from start to end, or once around", |host: &Host<'_>, path: Path| read(host, path).length());
    table.add("path.radius", "how far it reaches to either side", |host: &Host<'_>, path: Path| read(host, path).radius());
    table.add("path.is_closed", "whether it leads back to its start", |host: &Host<'_>, path: Path| read(host, path).is_closed());
    table.add("path.nearest_point(point)", "the point of its middle line nearest to a point", |host: &mut Host<'_>, path: Path, point: Vec3| nearest(host, path, point).0);
    table.add("path.distance_along(point)", "how far along that is", |host: &mut Host<'_>, path: Path, point: Vec3| nearest(host, path, point).1);
    table.add("path.point_at(distance)", "the point so far from the start: round and round on a closed path, held at the ends of an open one", |host: &Host<'_>, path: Path, distance: f32| read(host, path).point_at(along(distance))).work(40);
    table.add("path.direction_at(distance)", "the unit vector along it there", |host: &Host<'_>, path: Path, distance: f32| read(host, path).direction_at(along(distance))).work(40);
    table.add("field.at(point)", "the vector of the flow field at a point", |host: &Host<'_>, field: Field, point: Vec3| host.world().flows[field.0].flow.at(point)).work(10);
}

fn read<'a>(host: &'a Host<'_>, path: Path) -> &'a world::Path {
    &host.world().paths[path.0].path
}

/// The nearest point of a path, and how far along that is.
fn nearest(host: &mut Host<'_>, path: Path, point: Vec3) -> (Vec3, f32) {
    work::search_path(host.context, path.0);
    read(host, path).nearest(point)
}

/// A distance along a path; what is no number counts as the start.
fn along(distance: f32) -> f32 {
    if distance.is_finite() { distance } else { 0.0 }
}
