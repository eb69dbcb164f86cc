//! What can be asked of units, lists, the world and what is in it.

use super::Case;

pub(super) const CASES: &[Case] = &[
    (
        "the unit itself",
        "vec(me.id + me.index * 10, me.mass + me.radius, me.thrust)",
        "push 0.0 1.5 0.0",
    ),
    (
        "what a body can do",
        "vec(me.max_speed, me.desired_speed, me.steering_force)",
        "push 6.0 3.0 0.4",
    ),
    (
        "axes",
        "me.heading * 1 + me.starboard * 2 + me.up * 3 + me.angular_velocity",
        "push 2.0 1.0 3.0",
    ),
    (
        "another unit",
        "let u = me.neighbors[1]; u.position + u.velocity * 10 + u.heading * 100",
        "push 10.0 134.0 0.0",
    ),
    (
        "kinds and groups",
        "(if me.is(\"craft\") { 1 } else { 0 }) + (if me.is(\"boat\") { 10 } else { 0 }) + (if me.is(\"zork\") { 100 } else { 0 }) + (if me.group == \"flock\" { 1000 } else { 0 })",
        "1001.0",
    ),
    (
        "the same unit",
        "let u = me.neighbors[0]; (if u == u { 1 } else { 0 }) + (if u == me { 10 } else { 0 }) + (if me != u { 100 } else { 0 }) + (if me == me { 1000 } else { 0 }) + (if u == me.neighbors.nearest { 10000 } else { 0 })",
        "11101.0",
    ),
    (
        "a unit against nothing",
        "(if me == () { 1 } else { 2 }) + (if () != world.player { 10 } else { 20 }) + (if me.path != () { 100 } else { 0 })",
        "",
    ),
    ("a unit against a number", "if me == 1 { 1 } else { 2 }", ""),
    (
        "distances",
        "vec(me.distance_to(me.neighbors[0]), me.distance_to(vec(0, 0)), me.neighbors[0].distance_to(me))",
        "push 3.0 14.142136 3.0",
    ),
    (
        "a distance to nothing",
        "me.distance_to(me.see(\"narrow\").within(0).nearest)",
        "",
    ),
    (
        "own axes and back",
        "me.to_world(me.to_local(vec(3, 4))) * 10 + me.to_local(vec(1, 2, 3))",
        "push 31.0 42.0 3.0",
    ),
    (
        "sides",
        "me.side(vec(11, 0)) + me.side(vec(9, 0)) * 10 + me.side(vec(10, 50)) * 100",
        "-9.0",
    ),
    (
        "counts",
        "me.neighbors.len + me.others.len() * 10 + me.enemies.len * 100 + world.obstacles.len * 1000",
        "1132.0",
    ),
    (
        "empty or not",
        "(if me.neighbors.is_empty { 1 } else { 2 }) + (if me.enemies.is_empty() { 10 } else { 20 }) + (if world.obstacles.is_empty { 100 } else { 200 })",
        "",
    ),
    (
        "an index past the end",
        "me.neighbors[2]",
        "fails: there is no [2] in a list of 2",
    ),
    (
        "a negative index",
        "me.neighbors[-1].position",
        "fails: there is no [-1] in a list of 2",
    ),
    (
        "an index that is a number",
        "me.neighbors[0.9].id + me.neighbors[1.0].id * 10",
        "12.0",
    ),
    (
        "an index that is no number",
        "let x = 0.0 / (me.speed - 2.0); me.neighbors[x].id",
        "",
    ),
    ("an index that is a word", "me.neighbors[\"a\"]", ""),
    ("an index of what has none", "me.position[0]", ""),
    ("nobody", "me.neighbors.within(0).nearest", "nothing"),
    (
        "nobody's property",
        "me.neighbors.within(0).nearest.speed",
        "fails: `speed` is not a property of nothing",
    ),
    (
        "means",
        "me.neighbors.mean_position + me.neighbors.mean_velocity * 100",
        "push 11.5 212.0 0.0",
    ),
    (
        "means of nobody",
        "me.neighbors.within(0).mean_position + me.neighbors.within(-1).mean_velocity * 100",
        "push 10.0 210.0 0.0",
    ),
    (
        "within",
        "me.others.within(3).len + me.others.within(3.5).len * 10 + me.others.within(100).within(4).len * 100 + me.others.within(-1).len * 1000 + me.others.within(-1).within(9).len * 1000",
        "211.0",
    ),
    (
        "within no number",
        "let x = 0.0 / (me.speed - 2.0); me.others.within(x).len",
        "",
    ),
    (
        "a view by its name",
        "me.see(\"near\").len + me.see(\"narrow\").len * 10",
        "13.0",
    ),
    (
        "a view that is not there",
        "me.see(\"narow\").len",
        "fails: the scene has no view \"narow\": did you mean \"narrow\"?",
    ),
    ("a view by a number", "me.see(3)", ""),
    (
        "marks",
        "me.mark(\"seen\"); let n = 0; for o in me.others { if o.has_mark(\"seen\") { n += 1; } } n + (if me.has_mark(\"seen\") { 100 } else { 0 })",
        "",
    ),
    (
        "a mark that is put together",
        "me.mark(\"se\" + \"en\"); if me.has_mark(\"se\" + \"en\") { 1 } else { 0 }",
        "",
    ),
    (
        "a mark as a plain call",
        "mark(me, \"seen\"); if has_mark(me, \"seen\") { 1 } else { 0 }",
        "",
    ),
    (
        "a mark of another",
        "me.neighbors[0].mark(\"seen\")",
        "fails: `mark` does not take (a unit, a string)",
    ),
    (
        "drawings",
        "me.draw_line(me.position, vec(1, 2)); me.draw_circle(me.position, 3); me.draw_circle(me.position, 0.5); me.draw_text(me.position, \"hi\"); me.draw_text(me.position, 3); me.draw_text(me.position, me.speed); me.draw_text(me.position, 1.0e20)",
        "",
    ),
    (
        "texts of numbers",
        "me.draw_text(me.position, 0.1 + me.speed); me.draw_text(me.position, me.speed / 0.0); me.draw_text(me.position, -0.0 * me.speed); me.draw_text(me.position, 1.0e-8)",
        "",
    ),
    (
        "texts of other things",
        "me.draw_text(me.position, true); me.draw_text(me.position, me.velocity); me.draw_text(me.position, ()); me.draw_text(me.position, me.group)",
        "",
    ),
    (
        "texts put together",
        "me.draw_text(me.position, \"v \" + me.speed + \" \" + me.id + `, ${me.id + 1}`)",
        "",
    ),
    (
        "too many drawings",
        "for i in 0..70 { me.draw_circle(me.position, i); }",
        "",
    ),
    (
        "a drawing of nothing",
        "me.draw_line(me.position, me.see(\"narrow\").within(0).nearest)",
        "",
    ),
    (
        "the world",
        "vec(world.time, world.step, world.radius) + world.center + world.size",
        "push 150.0 120.25 40.0",
    ),
    (
        "target and player",
        "world.target + world.player.position + world.player.velocity",
        "push 61.0 64.0 0.0",
    ),
    (
        "what the world has not",
        "world.zork",
        "fails: `zork` is not a property of the world",
    ),
    (
        "what a unit has not",
        "me.neighbors[0].neighbors",
        "fails: `neighbors` is not a property of a unit",
    ),
    (
        "what cannot be set",
        "me.velocity = vec(1, 2); 1",
        "fails: `velocity` cannot be set on me",
    ),
    (
        "me cannot be counted",
        "me + 1",
        "fails: `+` does not work between me and an integer",
    ),
    (
        "an obstacle",
        "let o = world.obstacles[0]; vec(o.distance_to(me.position), o.radius, o.position.y) + o.nearest_point(me.position) + o.normal(me.position) * 100",
        "push 25.0 -70.0 30.0",
    ),
    (
        "the nearest obstacle",
        "let o = world.obstacles.nearest; if o == world.obstacles[0] && !o.inside_out && !(o != o) { o.radius } else { 0 }",
        "5.0",
    ),
    (
        "an obstacle past the end",
        "world.obstacles[1].radius",
        "fails: there is no [1] in a list of 1",
    ),
    (
        "a ray that meets",
        "world.obstacles[0].ray(me.position, vec(0, 3), 100)",
        "15.0",
    ),
    (
        "a ray that misses",
        "world.obstacles[0].ray(me.position, vec(1, 0), 100)",
        "nothing",
    ),
    (
        "a ray too short",
        "let hit = world.obstacles[0].ray(me.position, vec(0, 1), 3); if hit == () { 1 } else { hit }",
        "1.0",
    ),
    (
        "a ray without a direction",
        "world.obstacles[0].ray(me.position, vec(0, 0), 100)",
        "",
    ),
    (
        "a ray from inside",
        "world.obstacles[0].ray(vec(10, 30), vec(0, 1), 100)",
        "0.0",
    ),
    (
        "arithmetic with a ray that misses",
        "world.obstacles[0].ray(me.position, vec(1, 0), 100) + 1",
        "fails: `+` does not work between nothing and an integer",
    ),
    (
        "a path",
        "let p = me.path; vec(p.length, p.radius, p.distance_along(me.position)) + p.nearest_point(me.position)",
        "push 128.0 19.0 0.0",
    ),
    (
        "points of paths",
        "world.path(\"ring\").point_at(-10) + world.path(\"road\").point_at(-10) + me.path.direction_at(1.0e9) * 1000 + me.path.point_at(me.speed / 0.0)",
        "",
    ),
    (
        "a path closed or open",
        "(if world.path(\"ring\").is_closed { 1 } else { 0 }) + (if me.path.is_closed { 10 } else { 0 })",
        "",
    ),
    (
        "a path that is not there",
        "world.path(\"rode\").length",
        "fails: the scene has no path \"rode\"",
    ),
    (
        "a flow field",
        "me.field.at(me.position) + world.field(\"wind\").at(vec(1.0e9, 0))",
        "push 2.6999998 4.35 0.0",
    ),
    (
        "a flow field that is not there",
        "world.field(\"wnd\").at(me.position)",
        "fails: the scene has no flow field \"wnd\": did you mean \"wind\"?",
    ),
    (
        "a flow field at no point",
        "let x = 0.0 / (me.speed - 2.0); me.field.at(vec(x, x))",
        "",
    ),
    (
        "a path at no point",
        "let x = 0.0 / (me.speed - 2.0); me.path.nearest_point(vec(x, x)) + world.obstacles[0].nearest_point(vec(1, x))",
        "",
    ),
    ("ask nobody for a path", "me.neighbors[0].path", ""),
];
