//! Contacts over complete steps.

mod rules;
mod shapes;

use steerbox_core::sim::Simulation;
use steerbox_core::world::World;

/// A simulation without steering.
fn coasting(world: World) -> Simulation {
    Simulation::new(world, Vec::new())
}
