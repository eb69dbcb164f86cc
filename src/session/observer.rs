//! What looks at a simulation step by step.

use crate::scene::Scene;
use crate::world::World;

/// Observes a simulation step by step.
pub trait Observer: Clone + Send + 'static {
    /// Whether it shows what scripts draw.
    const DRAWS: bool;

    /// One that has seen nothing of a scene yet.
    fn of(scene: &Scene) -> Self;

    /// Called after each step.
    fn note(&mut self, world: &World);
}

impl Observer for () {
    const DRAWS: bool = false;

    fn of(_: &Scene) -> Self {}

    fn note(&mut self, _: &World) {}
}
