//! Warnings about units that start without a route to the goal of their group.

use glam::{UVec3, Vec3};
use steerbox_core::diagnostics::Fault;
use steerbox_core::world::{Goal, NamedFlow, Obstacles, Route, SearchCost, World, absolute};
use steerbox_scene::{self as scene, FlowSource, Scene};

/// Returns a warning for each group with a field of routes in which units start without one.
pub(super) fn warnings(scene: &Scene, flows: &[NamedFlow]) -> Vec<Fault> {
    let routes: Vec<_> = scene.groups.iter().map(|plan| route_of(scene, plan.common.flow)).collect();
    if routes.iter().all(Option::is_none) {
        return Vec::new();
    }
    let world = scene::build(scene, None);
    let obstacles = world.obstacles.without_carried();
    let warning = |(index, route): (usize, Option<(usize, &Route)>)| {
        let (at, route) = route?;
        let (named, group) = (flows.get(at)?, world.groups.get(index)?);
        let starts = world.units.position.get(group.units.clone())?;
        let is_lost =
            |at: &Vec3| named.flow.distance_at(*at) == Some(f32::INFINITY) || is_inside(&obstacles, *at);
        let lost = starts.iter().filter(|at| is_lost(at)).count();
        let first = starts.iter().position(is_lost)?;
        let (reason, help) = reason((scene, &world), (route, &obstacles), starts[first]);
        let (who, name) = (who(lost, starts.len()), &named.name);
        let message = format!(
            "{who} in {} without a path in the field \"{name}\": {reason}",
            scene.groups[index].common.name
        );
        Some(scene.fault(scene.spans.spawns.get(index)?, message).help(help).warning())
    };
    routes.into_iter().enumerate().filter_map(warning).collect()
}

fn route_of(scene: &Scene, field: Option<usize>) -> Option<(usize, &Route)> {
    match &scene.flows.get(field?)?.source {
        FlowSource::Toward(route) => Some((field?, route)),
        FlowSource::Grid(_) | FlowSource::Script { .. } => None,
    }
}

fn who(lost: usize, all: usize) -> String {
    match lost {
        1 if all == 1 => "the unit starts".to_owned(),
        1 => "1 unit starts".to_owned(),
        _ if lost == all => "all units start".to_owned(),
        _ => format!("{lost} units start"),
    }
}

fn is_inside(obstacles: &Obstacles, point: Vec3) -> bool {
    !obstacles.is_free(point, point, &mut SearchCost::default())
}

/// Returns the reason why no path leads from a point to the goal, and a remedy.
fn reason(
    (scene, world): (&Scene, &World),
    (route, obstacles): (&Route, &Obstacles),
    from: Vec3,
) -> (String, String) {
    let place = |point: Vec3| {
        let [x, y, z] = [0, 1, 2].map(|axis| absolute(point[axis], world.arena.origin[axis]));
        if world.arena.is_plane() { format!("({x}, {y})") } else { format!("({x}, {y}, {z})") }
    };
    if is_inside(obstacles, from) {
        return (
            format!("{} is inside an obstacle", place(from)),
            "move the start or the obstacle".to_owned(),
        );
    }
    if let Goal::Point(goal) = route.goal
        && is_inside(obstacles, goal)
    {
        return ("its goal is inside an obstacle".to_owned(), "move the goal or the obstacle".to_owned());
    }
    let size = scene.world.arena.size();
    let finer = [2, 4, 8].map(|factor| (route.nodes - 1) * factor + 1);
    let count = |nodes: &UVec3| nodes.to_array().into_iter().map(u64::from).product::<u64>();
    for nodes in finer.into_iter().filter(|nodes| count(nodes) <= Route::MAX_NODES) {
        let finer = Route { nodes, margin: 0.0, ..route.clone() };
        if finer.field(&world.arena, obstacles).distance_at(from).is_some_and(f32::is_finite) {
            let cell = (size / (nodes - 1).as_vec3().max(Vec3::ONE)).max_element();
            let reason = format!("from {} the passage is narrower than its `cell`", place(from));
            return (reason, format!("write a smaller `cell`, for example cell: {cell}"));
        }
    }
    let reason = format!("obstacles enclose {} or the goal", place(from));
    (reason, "leave a gap between the obstacles that is as wide as `cell`".to_owned())
}
