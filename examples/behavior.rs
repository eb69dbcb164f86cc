//! A behavior as a Rust closure: units are drawn to the center of the world, harder the farther they are.
#![allow(clippy::print_stdout, reason = "the figures are the output")]

use std::sync::Arc;

use steerbox::reload::{Loader, Place};
use steerbox::sim::{Contribution, Simulation, Slot, UnitContext, slot_key};

fn main() -> anyhow::Result<()> {
    let (_, generation) = Loader::load(Place::of_scene("scenes/flock.ron".as_ref()), Vec::new())?;
    let world = generation.start(Some(1)).world().clone();
    let center = world.arena.center();
    let homing = move |context: &mut UnitContext| {
        let offset = center - context.world().units.position[context.unit()];
        Contribution::Push(offset * 0.2)
    };
    let slot = || vec![Slot::new("homing", slot_key("homing", 0), Some(Arc::new(homing)))];
    let slots = world.groups.iter().map(|_| slot()).collect();
    let mut simulation = Simulation::new(world, slots);
    for _ in 0..600 {
        simulation.step();
    }
    let positions = &simulation.world().units.position;
    let mean = positions.iter().map(|at| at.distance(center)).sum::<f32>() / positions.len() as f32;
    println!("mean distance to the center after 10 s: {mean:.1}");
    Ok(())
}
