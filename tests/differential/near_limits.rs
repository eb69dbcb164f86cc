//! Random programs whose calls are close to the work limit, or exceed it slightly, in both modes.
//!
//! `STEERBOX_PROGRAMS=1000 cargo test --test differential near_limits` runs more of them, `STEERBOX_SEED=7` others. The
//! number of iterations of the outer loop is fitted to each program and world, so that the first unit exceeds the limit.
//! Each further unit has one iteration less.

use glam::{Vec2, Vec3};
use steerbox_core::sim::{Simulation, Slot, work};
use steerbox_core::world::{Obstacle, Path, Polygon, Solid, World};

use crate::common::{self, dice::Dice};
use crate::compare::{Pair, Tally};
use crate::setting::Setting;
use crate::stage::{Both, on_threads, seed_and_programs};
use crate::watch::Log;

/// Default number of programs, unless `STEERBOX_PROGRAMS` is set.
const PROGRAMS: u64 = 12;
/// Minimum number of points of the path that each iteration searches, so that few iterations reach the limit.
const MIN_POINTS: usize = 800;
/// More iterations than any program can have.
const MAX_ITERATIONS: u32 = 10_000;

const HELPERS: &str = "
fn idle() { }
fn sum(i, n) { let s = n; for j in 0..(i % 5) { s += j; } s }
fn deep(n, d) { if d <= 0 { return n; } deep(n * 0.5, d - 1) + 1.0 }
fn near(world, i) { let r = 0.0; for o in world.obstacles { r += o.distance_to(vec(i, 1)); } r }
fn along(me, world, n) {
    let hit = world.obstacles.ray(me.position, vec(1, n), 80.0);
    if hit == () { return n; }
    hit.distance + sqrt(n * n)
}
fn far(world, i) {
    let s = 0.0;
    for j in 0..8 {
        s += world.path(\"road\").nearest_point(vec(i % 70, j)).y;
        if s > 12.0 { return s; }
    }
    s
}
";

/// Statements of an iteration. `{}` is a block of further ones.
const STATEMENTS: [&str; 29] = [
    "n += 1.0;",
    "n = n % 7.0 + sqrt(i + 1.0) / 3.0;",
    "if (i + me.id) % 3 == 0 { continue; }",
    "if n > 1000000000.0 { break; }",
    "if n > 900000000.0 { return vec(n, 1); }",
    "if n < -900000000.0 { return (); } else {}",
    "idle();",
    "n += sum(i, n % 3.0);",
    "n += deep(1.5, i % 9);",
    "n += near(world, i % 50);",
    "n += along(me, world, n % 5.0);",
    "for o in world.obstacles { n += o.distance_to(vec(i % 90, n % 9.0)); }",
    "for o in world.obstacles { let d = o.ray(me.position, me.heading, 50.0) ?? 1.0; n += d; if d < 9.0 { break; } }",
    "for o in world.obstacles.within(30.0) { n += o.nearest_point(me.position).x; }",
    "n += world.path(\"road\").nearest_point(vec(i % 80, 3)).x;",
    "n += world.path(\"ring\").distance_along(me.position);",
    "n += me.others.len + me.neighbors.within(20.0).mean_position.x;",
    "for u in me.others { if u.speed > 2.0 { continue; } n += me.distance_to(u); }",
    "for u in me.enemies { if u.speed > 1.0 {} }",
    "for (u, at) in me.others.first(3) { n += at; if at == 1 { break; } }",
    "let u = me.others.nearest; if u != () { n += u.speed; }",
    "let j = 0; while j < 3 && n > 0.0 { j += 1; if j == 2 { continue; } n += 0.5; }",
    "let k = i % 4; do { k += 1; n += 0.25; } while k % 5 != 0;",
    "switch i % 5 { 0 => { n += 1.0; } 1 => {} 2..4 => { n -= 0.5; } _ => { n *= 0.5; } }",
    "if n > 3.0 && me.id > 1 || i % 2 == 0 {} else {}",
    "for j in 0..4 {}",
    "for (j, at) in range(0, 10, 3) { n += at; if j > 6 { break; } }",
    "this.total += n % 2.0; n += me.random();",
    "n += loop { if n > 5.0 || i % 2 == 0 { break 1.0; } n += 2.0; };",
];

/// Statements with a search of the path.
const SEARCHES: [&str; 6] = [
    "n += world.path(\"road\").nearest_point(vec(i % 80, 3)).x;",
    "for j in 0..20 { n += world.path(\"road\").distance_along(vec(j, i % 9)); if n > 90.0 { n -= 80.0; continue; } }",
    "n += far(world, i);",
    "let j = 0; while world.path(\"road\").nearest_point(vec(j, 1)).x < 50.0 && j < 5 { j += 1; n += 0.5; }",
    "if i < 0 || world.path(\"road\").nearest_point(vec(i % 9, 1)).x > 2.0 && n > 1.0 { n -= 1.0; }",
    "switch i % 2 { 0 => { n += far(world, i % 30); } _ => { n += world.path(\"road\").distance_along(vec(n % 5.0, 1)); } }",
];

fn block(dice: &mut Dice, depth: usize) -> String {
    let mut text = String::from("{ ");
    for _ in 0..=dice.below(3) {
        let statement = dice.pick(&STATEMENTS);
        if depth == 3 && statement.contains("{}") {
            continue;
        }
        let mut parts = statement.split("{}");
        text.push_str(parts.next().unwrap_or_default());
        for part in parts {
            text.push_str(&block(dice, depth + 1));
            text.push_str(part);
        }
        text.push(' ');
    }
    text.push('}');
    text
}

/// Outer loops: the text before the body, at its start, and after it.
const LOOPS: [(&str, &str, &str); 6] = [
    ("for i in 0..most", "", ""),
    ("for i in range(0, most, 1)", "", ""),
    ("for h in 0..2 { for i in 0..most", "", "}"),
    ("let i = -1; while i < most", "i += 1;", ""),
    ("let i = -1; do", "i += 1;", "while i < most;"),
    ("let i = -1; loop", "i += 1; if i >= most { break; }", ""),
];

/// Generates a program whose outer loop has as many iterations as the x of the target, minus the `id` of the unit.
fn program(dice: &mut Dice) -> String {
    let (before, begin, after) = dice.pick(&LOOPS);
    // The search is first, so that `continue` does not skip it.
    let search = dice.pick(&SEARCHES);
    let rest = block(dice, 0);
    format!(
        "const MEMORY = #{{ total: 0.0 }};{HELPERS}
        fn steer(me, world) {{
            let n = 0.5;
            let most = to_int(world.target.x) - me.id;
            {before} {{ {begin} {search} {rest} }} {after}
            vec(n, 1)
        }}"
    )
}

/// A small world with an obstacle and a path whose searches are expensive.
fn world(dice: &mut Dice) -> World {
    let mut world = Setting::random(dice).world();
    let teeth = 20 + dice.below(200);
    if world.arena.is_plane() {
        let tooth = |at: usize| Vec2::new(10.0 + at as f32 * 0.1, 15.0 + (at % 2) as f32);
        let foot = [Vec2::new(10.0 + teeth as f32 * 0.1, 10.0), Vec2::splat(10.0)];
        let polygon = Polygon::new((0..teeth).map(tooth).chain(foot).collect()).expect("a comb");
        let mut obstacles: Vec<Obstacle> = world.obstacles.iter().cloned().collect();
        obstacles.push(Solid::Polygon(polygon).into());
        world.obstacles = obstacles.into();
    }
    let points = MIN_POINTS + dice.below(3000);
    let point = |at: usize| Vec3::new(at as f32 * 0.02, (at % 7) as f32, 0.0);
    let path = Path::new((0..points).map(point).collect(), false, 3.0);
    world.paths[0].path = path.expect("points differ");
    world
}

/// Returns the maximum work of a call in one step.
fn max_work(pair: &Pair, slots: &[Vec<Slot>]) -> u64 {
    let log = Log::default();
    let mut simulation = Simulation::new(pair.world.clone(), log.watch(slots));
    on_threads(|| simulation.step());
    log.take().iter().map(|deed| deed.work).max().unwrap_or(0)
}

/// Generates a program near the limit, with its text.
fn near_limit(dice: &mut Dice) -> (String, Pair) {
    let (text, world) = (program(dice), world(dice));
    let both = Both::of(&text, &[]).unwrap_or_else(|faults| panic!("{text}: {faults:#?}"));
    let refusal = &both.unsupported;
    assert!(!cfg!(feature = "native") || refusal.is_none(), "{text}: {refusal:?}");
    let mut pair = both.in_world(world);
    let (mut few, mut many) = (0, MAX_ITERATIONS);
    while many - few > 1 {
        let rounds = few.midpoint(many);
        pair.world.target = Some(Vec3::X * rounds as f32);
        *(if max_work(&pair, &pair.native) > work::CALL { &mut many } else { &mut few }) = rounds;
    }
    pair.world.target = Some(Vec3::X * many as f32);
    (text, pair)
}

#[test]
fn calls_near_the_limit_fail_for_the_same_unit_and_step() {
    let (seed, programs) = seed_and_programs(PROGRAMS);
    let (mut tally, mut split) = (Tally::default(), 0);
    for program in 0..programs {
        let mut dice = Dice::new(seed << 32 | program);
        let (text, pair) = near_limit(&mut dice);
        let run = pair.run(3).unwrap_or_else(|difference| {
            panic!("STEERBOX_SEED={seed}, program {program}\n{difference}\n{text}");
        });
        split += usize::from(run.exhausted > 0 && run.succeeded > 0);
        tally.add(run);
    }
    println!("seed {seed}: {programs} programs, {split} with both, {tally:?}");
    assert!(split as u64 * 2 >= programs, "{split} of {programs} programs are near the limit");
}

/// Each call is below its limit; together, the calls of a group exceed its share.
#[test]
fn a_group_near_its_share_is_suspended_in_the_same_step_on_any_number_of_threads() {
    let mut dice = Dice::new(7);
    let mut world = world(&mut dice);
    // A group of almost all units, whose calls exceed the share before one of them exceeds its own limit.
    let is_crowd = |world: &World| world.groups.iter().any(|group| group.units.len() >= 11);
    while !world.arena.is_plane() || world.units.len() < 12 || !is_crowd(&world) {
        world = self::world(&mut dice);
    }
    // The work of a group grows step by step, and exceeds its share in about the third step.
    let rounds = |share: f64| {
        let calls = world.units.len() as f64;
        let ray = 160.0 * world.obstacles.iter().map(|it| it.solid.pieces()).sum::<usize>() as f64;
        (share * work::share(world.units.len()) as f64 / calls / ray) as u64
    };
    let text = format!(
        "const MEMORY = #{{ steps: 0 }};
        fn steer(me, world) {{
            this.steps += 1;
            let n = 0.0;
            for i in 0..({} + {} * this.steps.to_int()) {{
                for o in world.obstacles {{ n += o.ray(me.position, vec(1, i), 500.0) ?? 0.0; }}
            }}
            vec(n, this.steps)
        }}",
        rounds(0.7),
        rounds(0.12),
    );
    let both = Both::of(&text, &[]).unwrap_or_else(|faults| panic!("{text}: {faults:#?}"));
    let pair = both.in_world(world);
    let mut seen = Vec::new();
    for slots in [&pair.native, &pair.interpreted] {
        for threads in [1, 3] {
            let simulation = common::on_threads(threads, || {
                let mut simulation = Simulation::new(pair.world.clone(), slots.clone());
                (0..5).for_each(|_| simulation.step());
                simulation
            });
            let suspended = |group: usize| {
                let slots = simulation.slots(group).iter();
                slots.map(Slot::suspended).collect::<Vec<_>>()
            };
            let suspended: Vec<_> = (0..2).map(suspended).collect();
            seen.push((simulation.reports().to_vec(), suspended, simulation.hash()));
        }
    }
    let words = |failure: &str| failure.contains("operations in one step");
    assert!(seen[0].0.iter().any(|report| words(&report.failure.message)), "{:?}", seen[0]);
    for other in &seen[1..] {
        assert_eq!(*other, seen[0]);
    }
}
