//! Contacts through whole steps.

mod rules;
mod shapes;

use steerbox::sim::Simulation;
use steerbox::world::World;

/// A simulation whose units coast.
fn coasting(world: World) -> Simulation {
    Simulation::new(world, Vec::new())
}
