//! Obstacles, whatever their shape, through the same few functions.

use glam::Vec3;
use rhai::INT;

use super::function::{Host, Table};
use super::values::{Obstacle, Obstacles};
use super::{lists, work};
use crate::world;

#[rustfmt::skip]
pub(super) fn add(table: &mut Table) {
    table.add("obstacles.len", "how many", count);
    table.add("obstacles.len()", "how many", count);
    table.add("obstacles.is_empty", "whether there are none", |host: &mut Host<'_>, all: Obstacles| count(host, all) == 0);
    table.add("obstacles.is_empty()", "whether there are none", |host: &mut Host<'_>, all: Obstacles| count(host, all) == 0);
    table.add("obstacles[i]", "the i-th of the scene, from 0; past the end is an error", at);
    table.add("obstacles.nearest", "the one whose surface is nearest to the unit, or `()`", nearest);

    table.add("obstacle.position", "its center", |host: &mut Host<'_>, it: Obstacle| read(host, it).position());
    table.add("obstacle.radius", "of a ball about its center that holds it; in a plane, circle", |host: &mut Host<'_>, it: Obstacle| read(host, it).radius());
    table.add("obstacle.inside_out", "whether it is a container: free inside, solid outside", |host: &mut Host<'_>, it: Obstacle| read(host, it).inside_out);
    table.add("obstacle.distance_to(point)", "from a point to the surface; **negative where it is solid**", |host: &mut Host<'_>, it: Obstacle, point: Vec3| measure(host, it).distance_to(point));
    table.add("obstacle.nearest_point(point)", "the point of the surface nearest to a point", |host: &mut Host<'_>, it: Obstacle, point: Vec3| measure(host, it).nearest_point(point));
    table.add("obstacle.normal(point)", "the unit normal there, toward the free side", |host: &mut Host<'_>, it: Obstacle, point: Vec3| measure(host, it).normal(point));
    table.add("obstacle.ray(from, direction, length)", "**the distance** along a ray to the surface, **or `()`** if it is not met within `length`; 0 from where it is solid. The direction may have any length", ray);
    table.add("a == b", "Whether they are the same obstacle.", |a: Obstacle, b: Obstacle| a == b);
    table.add("a != b", "Whether they are different obstacles.", |a: Obstacle, b: Obstacle| a != b);
}

fn count(host: &mut Host<'_>, _: Obstacles) -> INT {
    host.world().obstacles.len() as INT
}

fn at(host: &mut Host<'_>, _: Obstacles, i: INT) -> Result<Obstacle, String> {
    let count = host.world().obstacles.len();
    let index = usize::try_from(i).ok().filter(|index| *index < count);
    index.map(Obstacle).ok_or_else(|| lists::no_index(i, count))
}

fn nearest(host: &mut Host<'_>, _: Obstacles) -> Option<Obstacle> {
    work::measure_all(host.context);
    let position = host.me().position;
    let distances = host
        .world()
        .obstacles
        .iter()
        .map(|obstacle| obstacle.distance_to(position));
    let nearest = distances.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
    nearest.map(|(index, _)| Obstacle(index))
}

fn read<'a>(host: &'a Host<'_>, it: Obstacle) -> &'a world::Obstacle {
    &host.world().obstacles[it.0]
}

/// As [`read`], where a distance is measured.
fn measure<'a>(host: &'a mut Host<'_>, it: Obstacle) -> &'a world::Obstacle {
    work::measure(host.context, it.0);
    read(host, it)
}

fn ray(host: &mut Host<'_>, it: Obstacle, from: Vec3, direction: Vec3, length: f32) -> Option<f32> {
    work::trace(host.context, it.0);
    let hit = read(host, it).ray(from, direction, length);
    hit.map(|hit| hit.distance)
}
