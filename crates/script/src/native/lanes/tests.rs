//! Tests which scripts have code for eight units. The suite `differential` tests that its results are bit-identical.

use crate::native::Native;
use crate::{Program, Script, WorldForm};

fn has_lanes(text: &str) -> bool {
    let script = Script::compile("test.rhai", text).unwrap_or_else(|faults| panic!("{faults:#?}"));
    let program = Program::fold(&script, &[]).unwrap_or_else(|faults| panic!("{faults:#?}"));
    let [space, plane] = [false, true].map(|plane| {
        let form = WorldForm { plane, varied: false };
        Native::compile(&program, form).unwrap().has_lanes()
    });
    assert_eq!(space, plane);
    plane
}

/// Returns true if a body of `steer` is supported.
fn is_supported(body: &str) -> bool {
    has_lanes(&format!("const MEMORY = #{{ angle: 0.0, on: false }};\nfn steer(me, world) {{\n{body}\n}}"))
}

#[test]
fn rules_over_means_and_sums_are_supported() {
    for body in [
        "me.neighbors.mean_position - me.position",
        "let near = me.others.within(9); if near.is_empty { return (); } near.mean_velocity * me.max_speed",
        "let sum = vec(0, 0); for other in me.others { sum += me.position - other.position; } sum",
        "let n = 0; for other in me.others { if other.speed > 1.0 { continue; } n += 1; } n",
        "let near = me.others.within(me.speed); near.mean_position + near.mean_velocity * near.len",
        "let sum = 0.0; for other in me.others.within(me.speed) { sum += other.speed; } sum",
        "for other in me.others.within(me.speed) { if other.speed > 1.0 { return other.velocity; } } ()",
        "let foe = me.enemies.within(me.speed).nearest; if foe == () { return (); } foe.velocity",
        "me.others[1].position + me.others[me.id].velocity + me.enemies.within(me.speed)[0].heading",
        "world.group(\"hunters\")[0].position + world.group(\"hunters\")[me.index].velocity",
        "world.grid(\"trail\").gradient(me.position) * world.steps",
        "let far = 0.0; for other in me.enemies { far = max(far, me.distance_to(other)); } far",
        "let any = false; for other in me.others { any |= other.is(\"craft\"); } if any { 1.0 } else { () }",
        "this.angle = clamp(this.angle + me.random_between(-1, 1), -2, 2); me.heading.rotated(this.angle)",
        "me.heading.rotated(me.random_normal(0, me.speed) + me.random_walk(me.radius))",
        "let foe = me.enemies.nearest; if foe == () { return (); } me.position - foe.position + foe.velocity",
        "me.neighbors.nearest.velocity",
        "if me.speed > 3.0 { this.on = true; } if this.on { turn(1, 0) } else { () }",
        "me.draw_line(me.position, world.center); atan2(me.velocity.y, me.velocity.x)",
        "me.side(world.center) * sin(world.time)",
        "if world.every(0.5) { me.heading } else { () }",
        "let sum = 0.0; for it in world.obstacles.within(me.speed) { sum += it.radius; } sum",
        "let sum = 0.0; for it in world.obstacles { sum += it.radius; } sum",
        "for it in world.obstacles { if it.distance_to(me.position) < 1.0 { break; } return 1.0; } 2.0",
        "for other in me.others { if other.speed > 1.0 { return other.velocity; } } ()",
        "for foe in me.enemies { if foe.is(\"craft\") { continue; } return foe.radius * foe.heading; } ()",
        "let path = me.path; if path == () { return (); } path.point_at(path.distance_along(me.position)) - me.position",
        "let field = me.field; if field == () { return (); } field.at(me.position)",
        "if me.speed > 1.0 { me.mark(\"fast\"); return 1.0; } ()",
        "me.mark(\"seen\"); ()",
        "let wall = world.obstacles.nearest; if wall == () { return (); } wall.normal(me.position)",
        "if me.speed > 1.0 { me.signal(\"fear\", 1.0); } ()",
        "let foe = me.enemies.nearest; if foe == () { return (); } if foe.is(\"craft\") { foe.mass } else { 1.0 }",
        "for it in world.obstacles.within(9) { if it.ray(me.position, me.heading, 1.0) != () { return it.position; } } ()",
    ] {
        assert!(is_supported(body), "{body}");
    }
}

#[test]
fn code_with_effects_or_divergent_lists_is_not_supported() {
    for body in [
        "let i = 0; while i < 3 { i += 1; } i",
        "for a in me.others { for b in me.others { if a == b { return 1.0; } } } ()",
        "me.signal(\"fear\", 1.0); ()",
        "let wall = world.obstacles.within(9).nearest; if wall == () { return (); } wall.normal(me.position)",
        "me.others.within(me.speed).farthest.position",
        "for a in me.others { if me.others[0] == a { return 1.0; } } ()",
        "let n = 0; for a in world.obstacles.within(9) { n += 1; } for a in world.obstacles.within(8) { n += 1; } n",
        "let n = 0; for o in me.others { for a in world.obstacles.within(9) { n += 1; } } n",
        "let n = 0; for o in world.obstacles { for a in world.obstacles.within(9) { n += 1; } } n",
        "5000000000 * me.neighbors.len",
    ] {
        assert!(!is_supported(body), "{body}");
    }
}

#[test]
fn functions_with_early_returns_are_supported() {
    let text = "fn sign_of(x) { if x > 0.0 { return 1.0; } if x < 0.0 { return -1.0; } 0.0 }
        fn steer(me, world) { sign_of(me.velocity.x) + sign_of(me.velocity.y) }";
    assert!(has_lanes(text));
    // The deepest recursion that is too large to inline.
    let endless = "fn again(x) { if x > 0.0 { again(x - 1.0) + again(x - 2.0) } else { x } }
        fn steer(me, world) { again(me.speed) }";
    assert!(has_lanes(endless));
    let calls = |from: usize| format!("fn f{from}(x) {{ f{0}(x) + f{0}(x + 1.0) }}\n", from + 1);
    let many: String = (0..20).map(calls).collect();
    let many = format!("{many}fn f20(x) {{ x }}\nfn steer(me, world) {{ f0(me.speed) }}");
    assert!(!has_lanes(&many), "a million calls are not put in their own place");
}
