//! Scripts with divergent control flow in a crowd that is decided in batches: each unit must have the same result and
//! work as alone.

use glam::Vec3;
use steerbox_core::world::{Edges, Obstacle, Obstacles, Solid, World, testing};

use crate::stage::Both;

/// Two groups of many units near each other, some of them at rest.
pub(crate) fn crowd() -> World {
    let mut world = testing::world(&[60, 40], 2.0, |unit, draw| {
        let velocity = Vec3::new(draw(2) - 0.5, draw(3) - 0.5, 0.0);
        let at_rest = unit.is_multiple_of(7);
        (Vec3::new(draw(0), draw(1), 0.0) * 6.0, if at_rest { Vec3::ZERO } else { velocity })
    });
    world.arena = testing::plane(6.0, 6.0, Edges::Wrap);
    world.arena.seamless = true;
    // Some are at the same point, so that others have equal distances to them.
    for unit in (0..100).step_by(9) {
        world.units.position[unit] = world.units.position[unit / 2];
    }
    // Some units are near obstacles, a few of them near several.
    let center = Vec3::new(1.5, 1.5, 0.0);
    let solids = [
        Solid::Ball { center, radius: 0.3 },
        Solid::Capsule { from: center + Vec3::X * 0.4, to: center + Vec3::ONE.with_z(0.0), radius: 0.1 },
        // Across an edge.
        Solid::Box {
            center: Vec3::new(5.9, 4.5, 0.0),
            half: Vec3::new(0.5, 0.2, f32::INFINITY),
            angle: 0.4.into(),
        },
    ];
    let mut obstacles: Vec<Obstacle> = solids.map(Obstacle::from).to_vec();
    obstacles[2].inside_out = true;
    world.obstacles = Obstacles::new(obstacles, world.arena.period());
    for (group, kinds) in world.groups.iter_mut().zip([1, 2]) {
        (group.kinds, group.enemies, group.sense) = (kinds, 3 - kinds, 1.0);
    }
    world
}

/// The crowd without its container: units without an obstacle nearby query none.
fn open_crowd() -> World {
    let mut world = crowd();
    let solid = world.obstacles.iter().filter(|obstacle| !obstacle.inside_out);
    world.obstacles = Obstacles::new(solid.cloned().collect(), world.arena.period());
    world
}

/// The text before `steer`, and its body.
const SCRIPTS: &[(&str, &str)] = &[
    (
        "",
        "let s = vec(0, 0); for it in world.obstacles.within(me.speed + 0.5) { s += it.normal(me.position); } s + me.velocity",
    ),
    (
        "",
        "let n = 0; if me.velocity.x > 0.0 { for it in world.obstacles.within(1.5) { n += 1; } } if n > 0 { 1.0 } else { -1.0 }",
    ),
    (
        "",
        "let s = 0.0; for it in world.obstacles.within(2.0) { let hit = it.ray(me.position, me.heading, 1.0); \
          if hit == () { if it.inside_out { continue; } s += it.radius; continue; } \
          me.draw_line(me.position, me.position + me.heading * hit); s += hit; } s",
    ),
    (
        "",
        "let s = vec(0, 0); for it in world.obstacles.within(9.0) { if it.distance_to(me.position) > 1.0 { break; } \
          s += it.nearest_point(me.position) - it.position; } s + me.velocity * 0.1",
    ),
    (
        "fn seen(me, world, r) { for it in world.obstacles.within(r) { \
           if it.normal(me.position).x > 0.0 { return it.distance_to(me.position); } } 7.5 }",
        "if me.velocity.y > 0.0 { return seen(me, world, me.speed * 2.0) + 1.0; } me.speed",
    ),
    (
        "",
        "for it in world.obstacles { if me.side(it.position) > 0.0 { return it.distance_to(me.position); } } ()",
    ),
    (
        "",
        "let n = 0; for a in world.obstacles { for o in me.others.within(0.5) { if o.speed < 0.2 { continue; } \
          if a.distance_to(o.position) < 1.0 { n += 1; } } if n > 9 { break; } } n",
    ),
    (
        "",
        "let wall = world.obstacles.nearest; if wall == () || me.speed < 0.1 { return (); } \
          if wall.distance_to(me.position) > 1.0 { return wall.position; } wall.normal(me.position) + me.velocity",
    ),
    ("", "let s = 0.0; for it in world.obstacles.within(1.0 / (me.speed - me.speed)) { s += it.radius; } s"),
    (
        "",
        "for o in me.others { if o.speed < 0.2 { continue; } if me.distance_to(o) > 1.0 { break; } \
          return o.velocity * o.radius + o.position - me.position; } me.velocity",
    ),
    (
        "",
        "let s = 0.0; let n = 0; for o in me.enemies.within(0.8) { if n > 3 { break; } n += 1; \
          s = s * 0.5 + me.distance_to(o) * o.max_speed; } for o in me.enemies { s += o.speed; if s > 3.0 { break; } } s",
    ),
    (
        "fn seen(me, r) { for o in me.neighbors.within(r) { if me.side(o.position) > 0.0 { return o.heading; } } vec(0, 0) }",
        "if me.velocity.y > 0.0 { return seen(me, 0.4); } if me.speed > 0.3 { return (); } seen(me, 0.9) * 2.0",
    ),
    (
        "",
        "if me.position.x > 5.0 { me.mark(\"far\"); return me.velocity; } \
          let n = 0.0; if me.position.y > 4.0 { for i in 0..3 { n += me.speed * i; } } n",
    ),
    (
        "const MEMORY = #{ left: 0.0 };",
        "this.left = max(this.left - 0.3, 0.0); if this.left == 0.0 { let foe = me.enemies.nearest; \
          if foe == () || me.distance_to(foe) > 0.3 { return (); } this.left = 1.0; } \
          me.mark(\"caught\"); for o in me.others.within(0.3) { if o.has_mark(\"caught\") { me.mark(\"near\"); break; } } 1.0",
    ),
    (
        "",
        "if me.position.x > 5.0 { me.signal(\"far\", 1.0); return me.velocity; } me.mark(\"near\"); me.position",
    ),
    (
        "",
        "let foe = me.enemies.nearest; if foe == () { return (); } foe.heading * (foe.radius + foe.length) + foe.up",
    ),
    (
        "",
        "for o in me.others { if o.has_mark(\"x\") { return 1.0; } if me.distance_to(o) > 0.6 { return o.speed; } } ()",
    ),
    // The best of the remaining units, and the first of them.
    (
        "",
        "let best = 0.9; let way = vec(0, 0); for o in me.others { let gap = o.position - me.position; \
          let d = gap.length + o.speed; if o.speed < 0.2 || d >= best { continue; } \
          if gap.dot(o.velocity) > 0.2 { continue; } best = d; way = o.velocity; } way * best",
    ),
    (
        "",
        "let best = 0.0; let found = vec(0, 0); for o in me.enemies { let d = o.radius + floor(o.speed * 3.0); \
          if d > best { best = d; found = o.position - me.position; } } found",
    ),
    (
        "",
        "let least = 5.0; let n = 0; for o in me.others { let d = floor(o.speed * 4.0); if least <= d { continue; } \
          n += 1; if o.velocity.x > 0.0 { least = d; } } n + least",
    ),
    (
        "",
        "let most = me.speed; let sum = 0.0; for o in me.others.within(0.9) { let d = o.velocity.x; \
          if o.velocity.y > 0.0 && me.distance_to(o) * d + o.velocity.y > 0.02 && most < d { most = d; sum = sum * 0.5 + o.speed; } } sum",
    ),
    (
        "",
        "let best = -9.0; let way = vec(0, 0); for o in me.others { let d = o.velocity.x / o.velocity.y; \
          if d >= best { continue; } best = d; way = o.position; } way - me.position",
    ),
    (
        "",
        "let best = 9.0; for o in me.others { let way = o.velocity / o.speed; if way.x < 0.6 { continue; } \
          best = best * 0.5 + way.y; } best",
    ),
    (
        "",
        "for o in me.others { let gap = o.position - me.position; if gap.dot(me.velocity) < 0.05 { continue; } \
          if gap.x < 0.0 || gap.dot(gap) * 2.0 + gap.x - gap.y > 0.9 * o.speed + 0.2 { continue; } \
          if o.speed > 0.4 { return o.position; } return gap * o.radius; } ()",
    ),
    (
        "",
        "for o in me.others.within(1.2) { if o.distance_to(me.position + me.heading * 0.4) < 0.3 { me.mark(\"near\"); \
          return o.velocity - me.velocity; } } me.velocity",
    ),
    (
        "",
        "let n = 0.0; for o in me.enemies { let d = me.distance_to(o); if d < 0.2 { continue; } n = n * 0.5 + d; break; } n",
    ),
    (
        "const MEMORY = #{ most: 0.2 };",
        "let n = 0; for o in me.others { if o.speed < this.most { continue; } this.most = o.speed; n += 1; } \
          this.most *= 0.5; n + this.most",
    ),
    (
        "",
        "let n = 0.0; for a in world.obstacles { for o in me.others.within(0.8) { if o.speed < 0.2 { continue; } \
          n = n * 0.5 + a.distance_to(o.position); } } n",
    ),
    (
        "",
        "let n = 1.0; if me.velocity.x > 0.0 { for o in me.others { if o.speed < 0.3 { continue; } \
          if n < 1.2 { me.signal(\"far\", n); } n = n * 0.5 + o.speed; } } n",
    ),
    (
        "",
        "let n = 9.0; if me.velocity.x > 0.3 { for o in me.others { let d = o.speed; \
          if d >= n || o.id % 2 == 0 { continue; } n = d; } } for o in me.enemies { if o.speed < 0.2 { continue; } n = n * 0.5 + o.speed; } n",
    ),
    ("", "let x = 0.0; if me.velocity.x > 0.0 { x = 1.0; } x"),
    ("", "let x = 2.0; if me.velocity.x > 0.0 { x = 1.0; } else if me.velocity.y > 0.0 { x = -1.0; } x"),
    ("", "let v = vec(1, 2); if me.speed > 0.3 { v.x = 7.0; if me.velocity.y > 0.0 { v.y += me.speed; } } v"),
    (
        "",
        "if me.speed > 0.3 { return me.velocity; } let rest = 1.0; if me.position.x > 3.0 { rest = 2.0; } rest",
    ),
    ("", "if me.position.x > 3.0 { if me.position.y > 3.0 { return 1.0; } return (); } turn(0.5, 0)"),
    (
        "",
        "let n = 0; let s = 0.0; for o in me.others { if o.speed < 0.2 { continue; } n += 1; s += o.speed; } \
          if n > 0 { s / n } else { () }",
    ),
    (
        "",
        "let s = vec(0, 0); if me.position.x > 3.0 { for o in me.others.within(0.7) { s += o.position; } } s",
    ),
    (
        "",
        "let far = 0.0; let any = false; for o in me.enemies { let d = me.distance_to(o); \
          if d > 0.4 { far = max(far, d); any = true; } } if any { far } else { -1.0 }",
    ),
    (
        "fn way_of(x) { if x > 0.1 { return 1.0; } if x < -0.1 { return -1.0; } 0.5 }",
        "way_of(me.velocity.x) + 10.0 * way_of(me.velocity.y)",
    ),
    (
        "fn near(me, r) { let s = 0.0; for o in me.others.within(r) { s += me.distance_to(o); } s }",
        "if me.speed > 0.2 { near(me, 0.5) } else { near(me, 1.5) }",
    ),
    (
        "const MEMORY = #{ angle: 0.5, on: false };",
        "if me.velocity.x > 0.0 { this.angle += me.random(); this.on = !this.on; } \
      if this.on { this.angle } else { me.random_between(-1, 1) }",
    ),
    (
        "",
        "let foe = me.enemies.nearest; if foe == () { return (); } let d = me.distance_to(foe); \
          if d > 0.5 { return (); } me.position - foe.position + foe.velocity",
    ),
    ("", "me.neighbors.within(0.3).nearest.velocity"),
    // Reaches that differ by unit: negative, zero, infinite and NaN among them.
    (
        "",
        "let near = me.others.within(me.velocity.x * 2.0); near.mean_position + near.mean_velocity * near.len \
          + if near.within(0.2).is_empty { 1.0 } else { 2.0 } * me.enemies.within(0.1 / me.speed).mean_velocity",
    ),
    (
        "",
        "let s = vec(0, 0); for o in me.others.within(me.speed - 0.2) { s += (o.position - me.position) * o.speed; } s",
    ),
    (
        "",
        "for o in me.others.within(0.1 / me.speed) { if o.speed < 0.2 { continue; } return o.velocity * o.radius; } ()",
    ),
    (
        "",
        "let s = 0.0; let n = 0; for o in me.enemies.within(me.velocity.x * 2.0) { if n > 3 { break; } n += 1; \
          s = s * 0.5 + me.distance_to(o) * o.max_speed; } s",
    ),
    (
        "",
        "if me.velocity.y > 0.0 { let foe = me.enemies.within(me.speed * 0.5).nearest; if foe == () { return (); } \
          return foe.position + foe.velocity; } me.others.within(me.speed / (me.speed - me.speed)).mean_position",
    ),
    // Elements of lists and groups, by constant indices and by indices that differ by unit.
    (
        "",
        "let far = me.others[3]; far.position - me.position + far.velocity + far.heading * me.others[0].radius",
    ),
    (
        "",
        "if me.position.x > 3.0 { return me.enemies.within(me.speed)[to_int(me.position.y) - 1].position; } \
          let o = me.neighbors.within(0.5)[me.velocity.y * 4.0]; if o.has_mark(\"x\") { 1.0 } else { o.speed }",
    ),
    (
        "",
        "let group = world.group(\"1\"); let foe = group[me.index - 5]; me.mark(\"x\"); \
          if foe.has_mark(\"x\") && foe.is(\"0\") { return foe.velocity * group.count; } foe.position - group[0].position",
    ),
    (
        "",
        "if me.velocity.x > 0.0 { world.group(\"0\")[me.id + 40].velocity } else { world.group(\"2\")[0].velocity }",
    ),
    ("", "to_int(me.position.x * 1e9) - to_int(me.position.y * 1e8)"),
    ("", "let x = 1; if me.neighbors.len > 5 { x += me.others.len; } x -= 3; x"),
    ("", "1.0 / (me.speed - me.speed)"),
    (
        "",
        "let a = me.heading.rotated(me.speed).angle_to(me.velocity); if abs(a) > 0.1 { sin(a) } else { atan2(a, 2.0) }",
    ),
];

#[test]
fn units_with_divergent_control_flow_decide_as_alone() {
    for (before, body) in SCRIPTS {
        decides_together(&format!("{before}\nfn steer(me, world) {{ {body} }}"));
    }
}

#[test]
fn each_mark_is_set_for_the_units_that_reach_it() {
    let mark = |number: usize| {
        format!("if me.position.x > {:.2} {{ me.mark(\"m{number}\"); }}\n", number as f32 * 0.15)
    };
    let marks: String = (0..40).map(mark).collect();
    decides_together(&format!("fn steer(me, world) {{ {marks} me.velocity }}"));
    // Units that fail later keep their marks.
    let failing = "if me.velocity.x > 0.0 { me.mark(\"on\"); } me.velocity / (me.position.x - me.position.x)";
    decides_together(&format!("fn steer(me, world) {{ {failing} }}"));
}

/// Constants at limits of the language's comparisons.
const CONSTANTS: [f32; 12] =
    [0.0, -0.0, 1.0, -1.0, 3.7, -2.5e-7, 1.2e-7, f32::EPSILON, 1e-30, -1e-44, f32::MAX, -1e30];

#[test]
fn comparisons_with_constants_follow_the_language() {
    let operators = ["<", "<=", ">", ">=", "==", "!="];
    for constant in CONSTANTS {
        let each = operators.iter().enumerate().map(|(bit, operator)| {
            let (one, other) = (1 << (2 * bit), 2 << (2 * bit));
            format!("if x {operator} C {{ n += {one}.0; }} if C {operator} x {{ n += {other}.0; }}\n")
        });
        let each: String = each.collect();
        // Infinity from a finite number, and NaN from infinity.
        let text = format!(
            "const C = {constant:?};
            fn all(x) {{ let n = 0.0; {each} n }}
            fn steer(me, world) {{ let x = me.velocity.x; let y = x * 3e38 * 3e38; vec(all(x), all(y), all(y - y)) }}"
        );
        let mut world = crowd();
        for (unit, velocity) in world.units.velocity.iter_mut().enumerate() {
            let near = if unit % 2 == 0 { constant } else { -constant };
            let edge =
                [near, f32::EPSILON, -f32::EPSILON, 1e-30, 1e-44, -1e-40, 0.0, 2.0, -1e38, 1.3e-7][unit / 10];
            let bits = edge.to_bits().saturating_add(unit as u32 % 10).saturating_sub(5);
            velocity.x = if f32::from_bits(bits).is_finite() { f32::from_bits(bits) } else { edge };
        }
        decides_in(&text, [world]);
    }
}

/// Runs a script in batches and one by one.
fn decides_together(text: &str) {
    decides_in(text, [crowd(), open_crowd()]);
}

fn decides_in(text: &str, worlds: impl IntoIterator<Item = World>) {
    let both = Both::of(text, &[]).unwrap_or_else(|faults| panic!("{}", faults[0].summary()));
    assert_eq!(both.unsupported, None, "{text}");
    for world in worlds {
        let tally = both.in_world(world).run(5).unwrap_or_else(|difference| panic!("{text}\n{difference}"));
        let calls = tally.succeeded + tally.failed;
        assert!(
            !cfg!(feature = "native") || tally.in_batches > 0 || tally.succeeded == 0,
            "{text}: {tally:?}"
        );
        assert!(calls == 700, "{text}: {tally:?}");
    }
}
