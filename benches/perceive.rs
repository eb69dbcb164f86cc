//! The cost of a step without the behaviors: three rules with means and with sorted lists, and the same sums in a
//! hand-written program.
//!
//! Custom harness, as in `step.rs`: long runs, interleaved, compared by medians.
#![allow(clippy::print_stdout, reason = "the program prints tables")]

use std::sync::Arc;
use std::time::Instant;

use glam::{Vec2, Vec3};
use steerbox_core::perception::{List, Source};
use steerbox_core::sim::{Behavior, Contribution, Frozen, Simulation, Slot, UnitContext};
use steerbox_core::world::{
    Arena, Body, Domain, Edges, Group, Mover, NamedView, Units, View, World, random, unit_key,
};

#[path = "perceive/by_hand.rs"]
mod by_hand;

/// View radius.
const RADIUS: f32 = 1.0;
/// Separation distance.
const APART: f32 = RADIUS / 3.0;
/// Numbers of units and threads.
const CASES: [(usize, usize); 5] = [(1_000, 1), (20_000, 1), (20_000, 2), (100_000, 1), (100_000, 2)];
/// Number of warm-up steps, and of runs.
const WARM_UP: usize = 20;
const RUNS: usize = 7;
/// Unit-steps per run.
const WORK: usize = 600_000;

const NEIGHBORS: List = List { source: Source::Neighbors, within: f32::INFINITY };
const CLOSE: List = List { source: Source::Neighbors, within: APART };

fn main() {
    println!("| rules | units | threads | M unit-steps/s | ns | perceive | decide | act |");
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    // Numbers of units may be given; by default all cases are run.
    let only: Vec<usize> = (std::env::args().filter_map(|asked| asked.parse().ok())).collect();
    for (units, threads) in CASES {
        if only.is_empty() || only.contains(&units) {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().expect("threads");
            pool.install(|| compare(units, threads));
        }
    }
}

/// Runs every kind of rules in turns, several times.
fn compare(units: usize, threads: usize) {
    let kinds = [("none", Vec::new()), ("blind", blind()), ("means", means()), ("loops", loops())];
    let mut flocks = kinds.map(|(name, rules)| (name, flock(units, rules)));
    for (_, flock) in &mut flocks {
        (0..WARM_UP).for_each(|_| flock.step());
    }
    let steps = WORK.div_ceil(units);
    let (mut runs, mut by_hand) = (flocks.each_ref().map(|_| Vec::new()), Vec::new());
    let mut sorted = Vec::new();
    for _ in 0..RUNS {
        for ((_, flock), runs) in flocks.iter_mut().zip(&mut runs) {
            runs.push(run(flock, steps));
        }
        let world = flocks[2].1.world();
        sorted.push(sorting(world, steps));
        by_hand.push(by_hand::nanoseconds(world, RADIUS, APART, steps));
    }
    let phases = runs.map(|runs| median(runs, |run| run.iter().sum()));
    for ((name, _), [perceive, decide, act]) in flocks.iter().zip(phases) {
        let total = perceive + decide + act;
        println!(
            "| {name} | {units} | {threads} | {:.2} | {total:.0} | {perceive:.1} | {decide:.1} | {act:.1} |",
            1e3 / total,
        );
    }
    let [_, blind, means, _] = phases;
    let [sorted, by_hand] = [sorted, by_hand].map(|runs| median(runs, |run| *run));
    let sums = sorted + means[1] - blind[1];
    println!(
        "| sorting and sums alone | {units} | {threads} | | {sums:.0} | by hand, one thread: | {by_hand:.0} | ratio {:.2} |",
        sums / by_hand
    );
}

/// Returns nanoseconds per unit for sorting. In a step, rows for decisions are assigned in parallel with it.
fn sorting(world: &World, steps: usize) -> f64 {
    let mut frozen = Frozen::new(world.clone());
    frozen.sort();
    let start = Instant::now();
    for _ in 0..steps {
        frozen.sort();
    }
    start.elapsed().as_secs_f64() * 1e9 / (steps * world.units.len()) as f64
}

/// Returns nanoseconds of each phase per unit and step.
fn run(flock: &mut Simulation, steps: usize) -> [f64; 3] {
    let mut spent = [0.0; 3];
    for _ in 0..steps {
        flock.step();
        let phases = flock.phases;
        for (spent, phase) in spent.iter_mut().zip([phases.perceive, phases.decide, phases.act]) {
            *spent += phase.as_secs_f64();
        }
    }
    spent.map(|spent| spent * 1e9 / (steps * flock.world().units.len()) as f64)
}

fn median<T: Clone>(mut runs: Vec<T>, total: impl Fn(&T) -> f64) -> T {
    runs.sort_by(|a, b| total(a).total_cmp(&total(b)));
    runs[runs.len() / 2].clone()
}

/// Random movers in a seamless plane with about twenty neighbors each.
fn flock(units: usize, behaviors: Vec<Arc<dyn Behavior>>) -> Simulation {
    let side = (units as f32 * std::f32::consts::PI * RADIUS * RADIUS / 20.0).sqrt();
    let mut world = World {
        arena: Arena {
            domain: Domain::Plane { size: Vec2::splat(side) },
            edges: Edges::Wrap,
            seamless: true,
            ..Arena::default()
        },
        views: vec![NamedView { name: "around".to_owned(), view: View::Around { radius: RADIUS } }],
        groups: vec![Group {
            name: "flock".to_owned(),
            body: Body::Mover(Mover {
                max_speed: 2.0 * RADIUS,
                max_velocity_change: 0.1 * RADIUS,
                ..Mover::default()
            }),
            view: Some(0),
            units: 0..units,
            ..Group::default()
        }],
        units: Units::default(),
        ..World::default()
    };
    for unit in 0..units {
        let key = unit_key("flock", unit);
        let draw = |number| random::draw(7, key, 0, 0, number);
        let position = Vec3::new(draw(0) * side, draw(1) * side, 0.0);
        let velocity = Vec3::new(draw(2) - 0.5, draw(3) - 0.5, 0.0) * 2.0;
        let heading = velocity.normalize_or(Vec3::X);
        world.units.push(position, velocity, (heading, Vec3::Z), 0, key);
    }
    let slots = behaviors.into_iter().enumerate();
    let slots = slots.map(|(key, behavior)| Slot::new("rule", key as u64, Some(behavior)));
    Simulation::new(world, vec![slots.collect()])
}

fn rule(rule: impl Fn(&mut UnitContext) -> Vec3 + Send + Sync + 'static) -> Arc<dyn Behavior> {
    Arc::new(move |context: &mut UnitContext| Contribution::Push(rule(context)))
}

fn own(context: &UnitContext) -> (Vec3, Vec3) {
    let (units, me) = (&context.world().units, context.unit());
    (units.position[me], units.velocity[me])
}

/// Three rules without queries.
fn blind() -> Vec<Arc<dyn Behavior>> {
    let toward = |factor: f32| rule(move |context| (own(context).1 - own(context).0) * factor);
    [0.0, 1e-6, 0.0].map(toward).into()
}

/// Cohesion, alignment and separation with means.
fn means() -> Vec<Arc<dyn Behavior>> {
    vec![
        rule(|context| {
            let center = context.means(NEIGHBORS).position;
            (center - own(context).0) * 0.01
        }),
        rule(|context| {
            let common = context.means(NEIGHBORS).velocity;
            (common - own(context).1) * 0.05
        }),
        rule(|context| {
            let close = context.means(CLOSE);
            (own(context).0 - close.position) * (0.05 * close.count as f32)
        }),
    ]
}

/// The same as loops, nearest first.
fn loops() -> Vec<Arc<dyn Behavior>> {
    vec![
        rule(|context| {
            let position = own(context).0;
            let seen = context.ordered(NEIGHBORS);
            let sum = seen.iter().fold(Vec3::ZERO, |sum, seen| sum + (seen.position - position));
            sum * (0.01 / seen.len().max(1) as f32)
        }),
        rule(|context| {
            let velocity = own(context).1;
            let (seen, world) = context.ordered_in_world(NEIGHBORS);
            let velocities = &world.units.velocity;
            let sum = seen.iter().fold(Vec3::ZERO, |sum, seen| sum + (velocities[seen.unit] - velocity));
            let count = seen.len();
            sum * (0.05 / count.max(1) as f32)
        }),
        rule(|context| {
            let position = own(context).0;
            let seen = context.ordered(CLOSE).iter();
            seen.fold(Vec3::ZERO, |sum, seen| sum + (position - seen.position)) * 0.05
        }),
    ]
}
