//! Observers of a simulation.

use steerbox_core::world::World;
use steerbox_scene::Scene;

/// Observes a simulation step by step.
pub trait Observer: Clone + Send + 'static {
    /// True if it shows the drawings of scripts.
    const DRAWS: bool;

    /// Creates an observer for a scene.
    fn new(scene: &Scene) -> Self;

    /// Called after each step.
    fn note(&mut self, world: &World);
}

impl Observer for () {
    const DRAWS: bool = false;

    fn new(_: &Scene) -> Self {}

    fn note(&mut self, _: &World) {}
}
