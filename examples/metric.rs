//! Runs a scene without a window and prints the order of each group every 60 steps:
//! `cargo run --example metric -- scenes/flock.ron`.
#![allow(clippy::print_stdout, reason = "the figures are the output")]

use std::path::PathBuf;

use steerbox::reload::{Loader, Place};
use steerbox::sim::metrics;

fn main() -> anyhow::Result<()> {
    let scene = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("scenes/flock.ron"), PathBuf::from);
    let (_, generation) = Loader::load(Place::of_scene(&scene), Vec::new())?;
    let seed = 1;
    let mut simulation = generation.start(Some(seed));
    for step in 0..600 {
        simulation.step();
        if step % 60 == 59 {
            let world = simulation.world();
            for (group, figures) in world.groups.iter().zip(metrics::of_groups(world)) {
                let order = figures.named("polarization").unwrap_or_default();
                println!("step {}: {} {order:.3}", step + 1, group.name);
            }
        }
    }
    println!("{:016x}", simulation.hash());
    Ok(())
}
