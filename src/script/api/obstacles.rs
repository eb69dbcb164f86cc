//! Obstacles, whatever their shape, through the same few functions.

use glam::Vec3;
use rhai::INT;

use super::function::Table;
use super::host::Host;
use super::values::{Hit, Obstacle, Obstacles};
use super::{lists, work};
use crate::world::{self, NearObstacle, SearchCost};

#[rustfmt::skip]
pub(super) fn add(table: &mut Table) {
    table.add("obstacles.len", "how many", count);
    table.add("obstacles.len()", "how many", count);
    table.add("obstacles.is_empty", "whether there are none", |host: &mut Host<'_>, all: Obstacles| count(host, all) == 0);
    table.add("obstacles.is_empty()", "whether there are none", |host: &mut Host<'_>, all: Obstacles| count(host, all) == 0);
    table.add("obstacles[i]", "the i-th, from 0; past the end is an error", at);
    table.add("obstacles.nearest", "the one whose surface is nearest to the unit, or `()`", nearest);
    table.add("obstacles.within(r)", "those whose surface is no farther from the unit than `r`, nearest first", |all: Obstacles, r: f32| Obstacles(if r >= all.0 { all.0 } else { r }));
    table.add("obstacles.ray(from, direction, length)", "where a ray first meets any of them within `length`, **or `()`**", first_hit);
    table.add("hit.distance", "how far along the ray; 0 from where it is solid", |hit: Hit| hit.distance);
    table.add("hit.point", "the point of the surface", |hit: Hit| hit.point);
    table.add("hit.normal", "the unit normal there, toward the free side", |hit: Hit| hit.normal);
    table.add("hit.obstacle", "the obstacle", |hit: Hit| hit.obstacle);

    table.add("obstacle.position", "its center", |host: &Host<'_>, it: Obstacle| read(host, it).position());
    table.add("obstacle.radius", "of a ball about its center that holds it; in a plane, circle", |host: &Host<'_>, it: Obstacle| read(host, it).radius());
    table.add("obstacle.inside_out", "whether it is a container: free inside, solid outside", |host: &Host<'_>, it: Obstacle| read(host, it).inside_out);
    table.add("obstacle.distance_to(point)", "from a point to the surface; **negative where it is solid**", |host: &mut Host<'_>, it: Obstacle, point: Vec3| measure(host, it).distance_to(point));
    table.add("obstacle.nearest_point(point)", "the point of the surface nearest to a point", |host: &mut Host<'_>, it: Obstacle, point: Vec3| measure(host, it).nearest_point(point));
    table.add("obstacle.normal(point)", "the unit normal there, toward the free side", |host: &mut Host<'_>, it: Obstacle, point: Vec3| measure(host, it).normal(point));
    table.add("obstacle.ray(from, direction, length)", "**the distance** along a ray to the surface, **or `()`** if it is not met within `length`; 0 from where it is solid. The direction may have any length", ray);
    table.add("a == b", "Whether they are the same obstacle.", |a: Obstacle, b: Obstacle| a == b);
    table.add("a != b", "Whether they are different obstacles.", |a: Obstacle, b: Obstacle| a != b);
}

/// The obstacles near the unit; `None` if all are meant.
fn near<'a>(host: &'a mut Host<'_>, list: Obstacles) -> Option<&'a [NearObstacle]> {
    if list.0 == f32::INFINITY {
        return None;
    }
    work::search_near(host.context, list.0);
    Some(host.context.obstacles_within(list.0))
}

/// How many there are.
pub(in crate::script) fn count(host: &mut Host<'_>, list: Obstacles) -> INT {
    let near = near(host, list).map(<[_]>::len);
    near.unwrap_or_else(|| host.world().obstacles.len()) as INT
}

/// The `index`-th, if there are so many.
pub(in crate::script) fn nth(host: &mut Host<'_>, list: Obstacles, index: usize) -> Option<Obstacle> {
    let near = near(host, list).map(|near| near.get(index).map(|it| it.obstacle));
    let all = host.world().obstacles.len();
    near.unwrap_or_else(|| Some(index).filter(|index| *index < all)).map(Obstacle)
}

/// For which of eight points there are surely none within a reach, and what each of these searches is charged.
#[cfg_attr(not(feature = "native"), allow(dead_code, reason = "machine code asks for this"))]
pub(in crate::script) fn none_near(
    host: &Host<'_>,
    points: &[[f32; 8]; 3],
    reach: &[f32; 8],
) -> ([bool; 8], u64) {
    let (none, cost) = host.world().obstacles.none_within(points, reach);
    (none, work::of_search(cost))
}

/// Gives each of them, with its place in the list.
#[cfg_attr(not(feature = "native"), allow(dead_code, reason = "machine code asks for this"))]
pub(in crate::script) fn each(host: &mut Host<'_>, list: Obstacles, mut give: impl FnMut(usize, usize)) {
    match near(host, list) {
        Some(near) => near.iter().enumerate().for_each(|(index, it)| give(index, it.obstacle)),
        None => (0..host.world().obstacles.len()).for_each(|index| give(index, index)),
    }
}

fn at(host: &mut Host<'_>, list: Obstacles, i: INT) -> Result<Obstacle, String> {
    let index = usize::try_from(i).ok();
    let found = index.and_then(|index| nth(host, list, index));
    found.ok_or_else(|| lists::no_index(i, count(host, list) as usize))
}

fn nearest(host: &mut Host<'_>, list: Obstacles) -> Option<Obstacle> {
    if list.0 != f32::INFINITY {
        return nth(host, list, 0);
    }
    let (position, mut cost) = (host.me().position, SearchCost::default());
    let nearest = host.world().obstacles.nearest(position, &mut cost);
    work::search(host.context, cost);
    nearest.map(Obstacle)
}

fn first_hit(host: &mut Host<'_>, list: Obstacles, from: Vec3, direction: Vec3, length: f32) -> Option<Hit> {
    if list.0 == f32::INFINITY {
        let mut cost = SearchCost::default();
        let first = host.world().obstacles.first_hit(from, direction, length, &mut cost);
        work::search_along(host.context, cost);
        return first.map(|it| hit(it.obstacle, it.hit));
    }
    work::trace_near(host.context, list.0);
    let (near, world) = host.context.obstacles_within_in_world(list.0);
    let hits = near.iter().filter_map(|it| {
        let met = world.obstacles[it.obstacle].ray(from, direction, length)?;
        Some(hit(it.obstacle, met))
    });
    hits.min_by(|a, b| a.distance.total_cmp(&b.distance))
}

fn hit(obstacle: usize, world::Hit { distance, point, normal }: world::Hit) -> Hit {
    let obstacle = Obstacle(obstacle);
    Hit { distance, point, normal, obstacle }
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
