//! Contacts over complete steps.

mod rules;
mod shapes;

use steerbox::sim::Simulation;
use steerbox::world::World;

/// A simulation without steering.
fn coasting(world: World) -> Simulation {
    Simulation::new(world, Vec::new())
}
