//! Processor time to compute a field of shortest paths, with obstacles and without.
#![allow(clippy::print_stdout, reason = "the program prints a table")]

use clock::thread_seconds;
use glam::{UVec3, Vec3};
use steerbox_core::world::{Edges, Goal, Obstacle, Obstacles, Route, Solid, random, testing};

mod clock;

/// Number of measured fields.
const RUNS: usize = 21;

fn main() {
    println!("| nodes | obstacles | ms, median of {RUNS} |");
    println!("|---|--:|--:|");
    for (nodes, obstacles) in [((201, 151), 0), ((201, 151), 3), ((201, 151), 200), ((331, 301), 200)] {
        let median = measured(UVec3::new(nodes.0, nodes.1, 1), obstacles);
        println!("| {} × {} | {obstacles} | {median:.1} |", nodes.0, nodes.1);
    }
}

fn measured(nodes: UVec3, obstacles: u64) -> f64 {
    let arena = testing::plane(8.0 * nodes.x as f32, 8.0 * nodes.y as f32, Edges::Bounce);
    let part = |number: u64, axis: u32| random::draw(1, number, 0, 0, axis);
    let obstacle = |number: u64| {
        let center = arena.size() * Vec3::new(0.9 * part(number, 0), part(number, 1), 0.0);
        Obstacle::from(Solid::ball(center, 10.0 + 30.0 * part(number, 2)))
    };
    let obstacles: Obstacles = (0..obstacles).map(obstacle).collect();
    let goal = Goal::Point(arena.size() * Vec3::new(0.98, 0.5, 0.0));
    let route = Route { goal, nodes, margin: 6.0, speed: 1.0 };
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = thread_seconds();
            std::hint::black_box(route.field(&arena, &obstacles));
            1000.0 * (thread_seconds() - start)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[RUNS / 2]
}
