//! Tests of the script API through whole simulations.

use steerbox_core::perception::Source;

use super::*;
use crate::api::{self, ListRole};

#[test]
fn every_return_kind_becomes_its_contribution() {
    assert_eq!(first("()"), Contribution::None);
    assert_eq!(first(""), Contribution::None);
    assert_eq!(first("2"), Contribution::Turn(Vec2::new(2.0, 0.0)));
    assert_eq!(first("0.5"), Contribution::Turn(Vec2::new(0.5, 0.0)));
    assert_eq!(first("turn(1, -0.5)"), Contribution::Turn(Vec2::new(1.0, -0.5)));
    assert_eq!(first("vec(1, 2.5)"), Contribution::Push(Vec3::new(1.0, 2.5, 0.0)));
    assert_eq!(first("return vec(1, 2, 3);"), Contribution::Push(Vec3::new(1.0, 2.0, 3.0)));
}

#[test]
fn properties_of_units_and_world_read_the_frozen_state() {
    are_near(
        1e-5,
        r#"
        me.position.x + me.position.y ¦ 20.0
        me.velocity.y + me.speed ¦ 4.0
        me.heading.y * 10 + me.starboard.x ¦ 11.0
        me.up.z + me.angular_velocity.length ¦ 1.0
        me.length + me.width + me.radius + me.mass ¦ 3.0
        me.max_speed + me.desired_speed + me.thrust ¦ 9.0
        me.steering_force ¦ 0.4
        me.id ¦ 0.0
        if me.group == "flock" && me.is("craft") && !me.is("boat") { 1 } else { 0 } ¦ 1.0
        world.time + world.step ¦ 0.5
        world.steps ¦ 0.0
        if world.every(3) { 1 } else { 0 } ¦ 1.0
        world.center.x + world.size.y + world.radius ¦ 170.0
        world.target.x + world.target.y ¦ 3.0
        if world.player == () { 1 } else { 0 } ¦ 1.0
        me.to_local(vec(3, 4)).x * 10 + me.to_local(vec(3, 4)).y ¦ 34.0
        me.to_world(me.to_local(vec(3, 4))).y ¦ 4.0
        me.side(vec(11, 0)) * 2 + me.side(vec(9, 0)) + me.side(vec(10, 50)) ¦ 1.0
        me.distance_to(me.neighbors[0]) + me.distance_to(vec(10, 11)) + me.neighbors[0].distance_to(me) ¦ 7.0
        "#,
    );
}

#[test]
fn every_source_of_lists_is_returned_by_a_row() {
    for source in Source::EACH {
        let count = api::functions().iter().filter(|row| row.list == ListRole::Source(source)).count();
        assert_eq!(count, 1, "{source:?}");
    }
}

#[test]
fn lists_are_sorted_by_distance_and_limited_by_radius() {
    are_near(
        1e-5,
        r#"
        me.neighbors.len ¦ 2.0
        me.neighbors.len() ¦ 2.0
        me.neighbors.nearest.position.x ¦ 13.0
        me.neighbors[1].position.y ¦ 14.0
        let sum = 0; for mate in me.neighbors { sum = sum * 10 + mate.id } sum ¦ 21.0
        me.others.within(3.5).len ¦ 1.0
        me.others.within(-1).within(100).len ¦ 0.0
        me.others.within(3).len + me.see("around").within(4).len ¦ 3.0
        me.neighbors.mean_position.x ¦ 11.5
        me.neighbors.mean_velocity.y ¦ 2.0
        if me.enemies.is_empty && me.enemies.nearest == () { 1 } else { 0 } ¦ 1.0
        me.enemies.mean_position.x - me.position.x ¦ 0.0
        if me.neighbors[0] == me.neighbors.nearest && me.neighbors[0] != me && me == me { 1 } else { 0 } ¦ 1.0
        "#,
    );
}

#[test]
fn obstacles_have_distance_point_normal_and_ray() {
    are_near(
        1e-3,
        r"
        world.obstacles.len ¦ 1.0
        world.obstacles[0].distance_to(me.position) ¦ 15.0
        world.obstacles[0].nearest_point(me.position).y ¦ 25.0
        world.obstacles[0].normal(me.position).y ¦ -1.0
        world.obstacles[0].ray(me.position, vec(0, 1), 100) ¦ 15.0
        if world.obstacles[0].ray(me.position, vec(1, 0), 100) == () { 1 } else { 0 } ¦ 1.0
        let sum = 0.0; for o in world.obstacles { sum += o.radius + o.position.y; } sum ¦ 35.0
        ",
    );
}

#[test]
fn paths_and_fields_belong_to_the_group_or_are_found_by_name() {
    let corners = [(0.0, 0.0), (40.0, 0.0), (40.0, 40.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
    let mut world = world();
    let path = Path::new(corners.to_vec(), false, 3.0).unwrap();
    let name = "track".to_owned();
    world.paths.push(NamedPath { name, path });
    let flow = Flow::new(&world.arena, glam::UVec3::ONE, vec![Vec3::X * 7.0]).unwrap();
    let name = "wind".to_owned();
    world.flows.push(NamedFlow { name, flow });
    let ask = |world: &World, body: &str| {
        let text = format!("fn steer(me, world) {{ {body} }}");
        let slots = vec![vec![Slot::new("test", 1, Some(behavior(&text, &[])))]];
        let mut simulation = Simulation::new(world.clone(), slots);
        simulation.step();
        let failure = simulation.reports().first().map(|report| report.failure.message.clone());
        let decided = simulation.decisions(0).next().unwrap().1;
        (decided, failure.unwrap_or_default())
    };
    assert_eq!(ask(&world, "if me.path == () && me.field == () { 1 }").0, Contribution::Turn(Vec2::X));
    world.groups[0].path = Some(0);
    world.groups[0].flow = Some(0);
    for [body, expected] in rows(
        r#"
        me.path.length ¦ 80.0
        me.path.radius ¦ 3.0
        if me.path.is_closed { 1 } else { 0 } ¦ 0.0
        me.path.distance_along(vec(50, 10)) ¦ 50.0
        me.path.point_at(50).y ¦ 10.0
        me.path.direction_at(41.5).y ¦ 1.0
        world.path("track").nearest_point(vec(20, -5)).x ¦ 20.0
        me.field.at(me.position).x + world.field("wind").at(vec(0, 0)).x ¦ 14.0
        if world.obstacles[0].inside_out { 1 } else { 0 } ¦ 0.0
        if me.has_view { 1 } else { 0 } ¦ 1.0
        "#,
    ) {
        assert_eq!(
            ask(&world, &body),
            (Contribution::Turn(Vec2::X * expected.parse::<f32>().unwrap()), String::new()),
            "{body}"
        );
    }
    let area = Solid::ball(Vec3::new(10.0, 0.0, 0.0), 4.0).into();
    world.zones.push(Zone { name: "pen".to_owned(), area });
    let decided = ask(&world, "world.zone(\"pen\").distance_to(me.position) + world.zone(\"pen\").radius").0;
    assert_eq!(decided, Contribution::Turn(Vec2::X * 10.0));
    assert_eq!(
        ask(&world, "world.zone(\"pan\").radius").1,
        "the scene has no zone \"pan\": did you mean \"pen\"?"
    );
    let (_, failure) = ask(&world, "world.group(\"nobody\").count");
    assert!(failure.starts_with("the scene has no group \"nobody\""), "{failure}");
    let (_, failure) = ask(&world, "world.path(\"trak\").length");
    assert_eq!(failure, "the scene has no path \"trak\": did you mean \"track\"?");
}

#[test]
fn units_of_a_group_are_nearest_to_the_deciding_unit_across_a_periodic_edge() {
    let mut world = world();
    world.arena.seamless = true;
    for (unit, x) in [2.0, 98.0, 3.0].into_iter().enumerate() {
        world.units.position[unit] = Vec3::new(x, 10.0, 0.0);
    }
    world.groups.push(Group { name: "nobody".to_owned(), units: 3..3, ..Group::default() });
    let group = "let flock = world.group(\"flock\"); let nobody = world.group(\"nobody\");";
    for (value, expected) in [
        ("flock[1].position.x", -2.0),
        ("flock.nearest(vec(97, 10)).position.x", -2.0),
        ("flock.nearest(vec(-2.5, 10)).position.x", -2.0),
        ("round(flock.mean_position.x)", 1.0),
        ("flock.mean_velocity.y + flock.count", 5.0),
        ("nobody.mean_position.x + nobody.mean_velocity.y + nobody.count", 4.0),
        ("if nobody.nearest(me.position) == () { 1 } else { 2 }", 1.0),
        (
            "let sum = 0.0; for unit in flock { sum += unit.position.x; } for unit in nobody { sum += 9; } sum",
            3.0,
        ),
    ] {
        let text = format!("fn steer(me, world) {{ {group} {value} }}");
        let slots = vec![vec![Slot::new("test", 1, Some(behavior(&text, &[])))], Vec::new()];
        let mut simulation = Simulation::new(world.clone(), slots);
        simulation.step();
        assert_eq!(simulation.reports(), [], "{value}");
        let decided = simulation.decisions(0).next().expect("a unit").1;
        assert_eq!(decided, Contribution::Turn(Vec2::X * expected), "{value}");
    }
}

#[test]
fn vectors_and_numbers_mix_integers_and_floats() {
    are_near(
        1e-5,
        r#"
        (vec(3, 4) * 2).length + (2 * vec(3, 4)).length + (vec(3, 4) / 2).length ¦ 22.5
        (vec(1, 2) + vec(3.0, 4) - vec(1, 1)).dot(vec(1, 10)) ¦ 53.0
        (-vec(1, 2)).x + vec(0, 0).normalized.length ¦ -1.0
        vec(1, 0).cross(vec(0, 1)).z + vec(30, 40).limit(5).length ¦ 6.0
        vec(1, 0).rotated(PI / 2).y + vec(1, 0).angle_to(vec(0, 1)) / PI ¦ 1.5
        vec(1, 2, 3).distance_to(vec(1, 2, 5)) ¦ 2.0
        clamp(5, 0, 3) + clamp(2.5, 0, 3) + clamp(-1, 0.0, 3) + min(1, 2.0) + max(1, 2) ¦ 8.5
        sin(0) + cos(0) + sqrt(4) + abs(-2) + sign(-3) + atan2(0, 1) + acos(1) ¦ 4.0
        lerp(0, 10, 0.5) + TAU / PI + floor(2.7) ¦ 9.0
        let v = vec(1, 2); v.x = 5; v += vec(1, 1); v *= 2; v.x + v.y ¦ 18.0
        let k = 7 / 2; k + 0.5 ¦ 3.5
        let a = [1, 2]; a.push(a.len); a.pop() + a.len() + if a.is_empty { 9 } else { 0 } ¦ 4.0
        let m = #{ x: 1.5 }; if "x" in m && !m.contains("y") { m.x } else { 0 } ¦ 1.5
        if "a" + 1 + true == "a1true" { 1 } else { 0 } ¦ 1.0
        "#,
    );
}

#[test]
fn lists_can_be_filtered() {
    are_near(
        1e-5,
        "me.neighbors.first(1).len ¦ 1
         me.neighbors.first(9).len ¦ 2
         me.neighbors.first(-1).len ¦ 0
         me.neighbors.first(1).nearest.id ¦ 2
         me.neighbors.first(2).within(3.5).len ¦ 1
         let n = 0; for unit in me.neighbors.first(2) { n += unit.id } n ¦ 3
         me.neighbors.first(1).mean_position.x ¦ 13
         me.neighbors.first(0).mean_position.x ¦ 10
         me.neighbors.first(2)[1].id ¦ 1
         me.neighbors.of_kind(\"craft\").len ¦ 2
         me.neighbors.of_kind(\"boat\").len ¦ 0
         me.neighbors.marked(\"seen\").len ¦ 0
         me.neighbors.farthest.id ¦ 1
         me.neighbors.mean_heading.y ¦ 1
         me.touching.len ¦ 0",
    );
}

#[test]
fn a_unit_steers_toward_a_velocity_and_arrives_at_a_point() {
    let limit = number("me.steering_force");
    let pushed = |body: &str| match first(body) {
        Contribution::Push(push) => push,
        other => panic!("{body}: {other:?}"),
    };
    assert_eq!(pushed("me.steer_toward(me.velocity)"), Vec3::ZERO);
    let toward = pushed("me.steer_toward(vec(1e6, 2))");
    assert!((toward - Vec3::X * limit).length() < 1e-4, "{toward}");
    // At the point, it stops: the push cancels its velocity.
    let stop = pushed("me.arrive_at(me.position, 10)");
    assert!((stop - (Vec3::NEG_Y * 2.0).clamp_length_max(limit)).length() < 1e-4, "{stop}");
}

#[test]
fn rays_and_searches_include_all_obstacles() {
    are_near(
        1e-3,
        "world.obstacles.ray(me.position, vec(0, 1), 100).distance ¦ 15
         world.obstacles.ray(me.position, vec(0, 1), 100).point.y ¦ 25
         world.obstacles.ray(me.position, vec(0, 1), 100).normal.y ¦ -1
         if world.obstacles.ray(me.position, vec(0, 1), 100).obstacle == world.obstacles[0] { 1 } else { 0 } ¦ 1
         if world.obstacles.ray(me.position, vec(0, 1), 10) == () { 1 } else { 0 } ¦ 1
         world.obstacles.within(15.5).len ¦ 1
         world.obstacles.within(14.5).len ¦ 0
         world.obstacles.within(0.0 / 0.0).len ¦ 0
         world.obstacles.within(20).ray(me.position, vec(0, 1), 100).distance ¦ 15
         if world.obstacles.within(10).ray(me.position, vec(0, 1), 100) == () { 1 } else { 0 } ¦ 1
         let n = 0; for it in world.obstacles.within(20) { n += it.radius } n ¦ 5
         let n = 0; for it in world.obstacles { n += it.radius } n ¦ 5
         if world.visible(me.position, vec(10, 20)) { 1 } else { 0 } ¦ 1
         if world.visible(me.position, vec(10, 40)) { 1 } else { 0 } ¦ 0",
    );
}
