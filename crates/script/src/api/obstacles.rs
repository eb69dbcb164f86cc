//! Obstacles of every shape.

use glam::Vec3;
use rhai::INT;

use super::attributes::Tag;
use super::function::Table;
use super::host::Host;
use super::intrinsic::{ListOp, ValueOp};
use super::lane_call::LaneCall;
use super::values::{Hit, Obstacle, Obstacles};
#[cfg_attr(not(feature = "native"), allow(unused_imports, reason = "only machine code uses it"))]
pub(crate) use super::work::near_search_work;
use steerbox_core::world::{self, NearObstacle, SearchCost};

use super::{lists, work};

#[rustfmt::skip]
pub(super) fn add(table: &mut Table) {
    table.add("obstacles.len", "the number of obstacles", count).charges_once();
    table.add("obstacles.len()", "the number of obstacles", count).charges_once();
    table.add("obstacles.is_empty", "true if empty", |host: &mut Host<'_>, all: Obstacles| count(host, all) == 0).charges_once();
    table.add("obstacles.is_empty()", "true if empty", |host: &mut Host<'_>, all: Obstacles| count(host, all) == 0).charges_once();
    table.add("obstacles[i]", "the i-th obstacle, from 0; an index past the end is an error", at).charges_once();
    table.add("obstacles.nearest", "the obstacle whose surface is nearest to the unit, or `()`", nearest).batched(nearest_to_each).charges_once();
    table.add("obstacles.within(r)", "the obstacles whose surface is at most `r` from the unit, nearest first", |all: Obstacles, r: f32| Obstacles(if r >= all.0 { all.0 } else { r })).intrinsic(ListOp::ObstaclesWithin);
    table.add("obstacles.ray(from, direction, length)", "the first hit of a ray within `length`, **or `()`**", first_hit).charges_once();
    table.add("hit.distance", "distance along the ray; 0 if the ray starts where it is solid", |hit: Hit| hit.distance).intrinsic(ValueOp::Parts(0, 1));
    table.add("hit.point", "the hit point on the surface", |hit: Hit| hit.point).intrinsic(ValueOp::Parts(1, 4));
    table.add("hit.normal", "the unit normal of the surface there, toward the free side", |hit: Hit| hit.normal).intrinsic(ValueOp::Parts(4, 7));
    table.add("hit.obstacle", "the obstacle that the ray hits", |hit: Hit| hit.obstacle).intrinsic(ValueOp::Parts(7, 8));

    table.add("obstacle.position", "center of the obstacle, across the edge of a seamless world if that is nearer to the unit", |host: &Host<'_>, it: Obstacle| host.context.apparent(read(host, it).position())).tag(Tag::OfUnit).batched(positions);
    table.add("obstacle.radius", "radius of a ball, or in a plane a circle, about the center that encloses the obstacle", |host: &Host<'_>, it: Obstacle| read(host, it).radius());
    table.add("obstacle.velocity", "velocity of the obstacle, of its carrier if it is attached to a unit; zero for one that rests", |host: &Host<'_>, it: Obstacle| read(host, it).velocity);
    table.add("obstacle.inside_out", "true for a container: free inside, solid outside", |host: &Host<'_>, it: Obstacle| read(host, it).inside_out);
    table.add("obstacle.distance_to(point)", "distance from a point to the surface; **negative where it is solid**", |host: &mut Host<'_>, it: Obstacle, point: Vec3| measure(host, it).distance_to(point)).batched(distances);
    table.add("obstacle.nearest_point(point)", "the point of the surface nearest to a point", |host: &mut Host<'_>, it: Obstacle, point: Vec3| measure(host, it).nearest_point(point));
    table.add("obstacle.normal(point)", "the unit normal of the surface there, toward the free side", |host: &mut Host<'_>, it: Obstacle, point: Vec3| measure(host, it).normal(point));
    table.add("obstacle.ray(from, direction, length)", "**the distance** along a ray to the surface, **or `()`** if there is no hit within `length`; 0 if the ray starts where it is solid. The direction may have any length", ray);
    table.add("a == b", "True for the same obstacle.", |a: Obstacle, b: Obstacle| a == b);
    table.add("a != b", "True for different obstacles.", |a: Obstacle, b: Obstacle| a != b);
}

/// Returns the obstacles near the unit; `None` for all obstacles.
fn near<'a>(host: &'a mut Host<'_>, list: Obstacles) -> Option<&'a [NearObstacle]> {
    if list.0 == f32::INFINITY {
        return None;
    }
    work::search_near(host.context, list.0);
    Some(host.context.obstacles_within(list.0))
}

/// Returns the number of obstacles.
pub(crate) fn count(host: &mut Host<'_>, list: Obstacles) -> INT {
    let near = near(host, list).map(<[_]>::len);
    near.unwrap_or_else(|| host.context.obstacles().visible_count()) as INT
}

/// Returns the obstacle at an index.
pub(crate) fn nth(host: &mut Host<'_>, list: Obstacles, index: usize) -> Option<Obstacle> {
    let near = near(host, list).map(|near| near.get(index).map(|it| it.obstacle));
    near.unwrap_or_else(|| host.context.obstacles().visible(index)).map(Obstacle)
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
    let nearest = host.context.obstacles().nearest(position, &mut cost);
    work::search(host.context, cost);
    nearest.map(Obstacle)
}

/// Batched [`nearest`], for the list of all obstacles.
fn nearest_to_each(host: &mut Host<'_>, lanes: &mut LaneCall) -> bool {
    let asks_for_all = |lane: usize| lanes.words[0][lane] == f32::INFINITY.to_bits();
    if !lanes.lanes().all(asks_for_all) {
        return false;
    }
    let (nearest, costs) = host.context.nearest_obstacles_of_batch(&lanes.active);
    for (lane, (nearest, cost)) in nearest.into_iter().zip(costs).enumerate() {
        lanes.words[0][lane] = u32::from(nearest.is_some());
        lanes.words[1][lane] = nearest.map_or(0, |obstacle| obstacle as u32);
        lanes.work[lane] = work::search_work(cost) as u32;
    }
    true
}

/// Batched position of one obstacle without images.
fn positions(host: &mut Host<'_>, lanes: &mut LaneCall) -> bool {
    let Some(obstacle) = lanes.same().filter(|_| host.world().arena.period().is_none()) else {
        return false;
    };
    let position = host.world().shape(obstacle as usize).position();
    (0..3).for_each(|axis| lanes.words[axis] = [position[axis].to_bits(); 8]);
    true
}

/// Batched distances to one obstacle. Lanes with different obstacles are computed one by one.
fn distances(host: &mut Host<'_>, lanes: &mut LaneCall) -> bool {
    let Some(obstacle) = lanes.same() else {
        return false;
    };
    let obstacle = host.world().shape(obstacle as usize);
    let [_, x, y, z, ..] = lanes.words;
    let distances = obstacle.distances_to(&[x, y, z].map(|of| of.map(f32::from_bits)));
    lanes.charge(work::distance_work(obstacle));
    lanes.words[0] = distances.map(f32::to_bits);
    true
}

fn first_hit(host: &mut Host<'_>, list: Obstacles, from: Vec3, direction: Vec3, length: f32) -> Option<Hit> {
    if list.0 == f32::INFINITY {
        let mut cost = SearchCost::default();
        let first = host.context.obstacles().first_hit(from, direction, length, &mut cost);
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
    host.world().shape(it.0)
}

/// As [`read`]; also charges for a distance.
fn measure<'a>(host: &'a mut Host<'_>, it: Obstacle) -> &'a world::Obstacle {
    work::measure(host.context, it.0);
    read(host, it)
}

fn ray(host: &mut Host<'_>, it: Obstacle, from: Vec3, direction: Vec3, length: f32) -> Option<f32> {
    work::trace(host.context, it.0);
    let hit = read(host, it).ray(from, direction, length);
    hit.map(|hit| hit.distance)
}

#[cfg(test)]
mod tests {
    use steerbox_core::sim::{Frozen, UnitContext};
    use steerbox_core::world::{Solid, testing};

    use super::super::function::CallForm;
    use super::super::table;
    use super::*;
    use crate::types::Kind;

    #[test]
    fn batched_distances_are_charged_like_single_ones() {
        let mut world = testing::world(&[8], 1.0, |_, _| (Vec3::ZERO, Vec3::ZERO));
        world.obstacles = vec![Solid::ball(Vec3::X, 2.0).into(), Solid::ball(Vec3::Y, 3.0).into()].into();
        let mut context = UnitContext::new(Frozen::new(world).into());
        let mut host = Host { context: &mut context, texts: &[] };
        let kinds = [Kind::Obstacle, Kind::Vector];
        let (_, row) = table::find(CallForm::Function, "distance_to", &kinds).unwrap();
        // All lanes have the same obstacle, then two.
        for among in [[1; 8], [0, 1, 0, 1, 0, 1, 0, 1]] {
            let mut lanes =
                LaneCall { active: [u32::MAX; 8], work: [0; 8], words: [[0; 8]; LaneCall::MAX_WORDS] };
            lanes.active[2] = 0;
            lanes.words[0] = among;
            lanes.words[1] = std::array::from_fn(|lane| (lane as f32 * 3.0).to_bits());
            let before = host.context.work();
            row.run_each(&mut host, &[0, 1, 2, 3, 4, 5, 6, 7], &mut lanes);
            let charged: u64 = lanes.work.iter().map(|work| u64::from(*work)).sum();
            assert_eq!(host.context.work() - before, charged);
            assert_eq!(lanes.work.map(|work| work > 0), lanes.active.map(|asks| asks != 0));
            for lane in lanes.lanes() {
                let obstacle = &host.world().obstacles[among[lane] as usize];
                let distance = obstacle.distance_to(Vec3::X * (lane as f32 * 3.0));
                assert_eq!(f32::from_bits(lanes.words[0][lane]), distance);
            }
        }
    }
}
