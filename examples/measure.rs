//! A measure of one's own: the mean number of units within a radius of each unit, once a second.
#![allow(clippy::print_stdout, reason = "the figures are the output")]

use steerbox::perception::Grid;
use steerbox::reload::{Loader, Place};
use steerbox::world::World;

/// Radius of the count, in world units.
const RADIUS: f32 = 30.0;

fn main() -> anyhow::Result<()> {
    let (_, generation) = Loader::load(Place::of_scene("scenes/flock.ron".as_ref()), Vec::new())?;
    let mut simulation = generation.start(Some(1));
    for second in 1..=10 {
        (0..60).for_each(|_| simulation.step());
        println!("{second} s: {:.2} units within {RADIUS}", crowding(simulation.world()));
    }
    Ok(())
}

fn crowding(world: &World) -> f32 {
    let mut grid = Grid::default();
    grid.rebuild(world);
    let mut pairs = 0;
    for (unit, position) in world.units.position.iter().enumerate() {
        grid.each_within(*position, RADIUS, |other, _, _| pairs += usize::from(other != unit));
    }
    pairs as f32 / world.units.len().max(1) as f32
}
