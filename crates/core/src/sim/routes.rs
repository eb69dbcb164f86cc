//! Routes around obstacles that move.
//!
//! A route is that around the obstacles of the last step whose number is a multiple of an interval of about a second, so
//! that it is a function of the scene and the step. The places of obstacles are known in advance (those that units carry are
//! ignored, as units are): routes are
//! computed in the background one interval ahead, and a step waits for one that is late.

use std::thread::JoinHandle;

use crate::world::{Arena, Extrema, Flow, Obstacles, Route, World};

/// Simulated seconds from one computation to the next, about.
const INTERVAL: f32 = 1.0;

/// Routes that are computed in the background.
#[derive(Debug, Default)]
pub(super) struct RouteUpdates(Option<(Inputs, JoinHandle<Vec<Flow>>)>);

/// All that routes depend on.
#[derive(Clone, Debug, PartialEq)]
struct Inputs {
    arena: Arena,
    obstacles: Obstacles,
    routes: Vec<Route>,
}

impl Inputs {
    /// Returns the inputs after `steps` steps.
    fn after(world: &World, steps: u64) -> Self {
        let routes = world.routes.iter().map(|(_, route)| route.clone()).collect();
        Self { arena: world.arena, obstacles: world.obstacles_after(steps), routes }
    }

    fn flows(&self) -> Vec<Flow> {
        self.routes.iter().map(|route| route.field(&self.arena, &self.obstacles)).collect()
    }
}

impl RouteUpdates {
    /// Replaces the routes of a world before its next step ends, if they are due.
    pub(super) fn advance(&mut self, world: &mut World) {
        if !changes(world) {
            return;
        }
        let (next, interval) = (world.steps + 1, interval(world));
        if next.is_multiple_of(interval) {
            let inputs = Inputs::after(world, next);
            let known = self.0.take().filter(|(known, _)| *known == inputs);
            let flows = known.and_then(|(_, flows)| flows.join().ok());
            put(world, flows.unwrap_or_else(|| inputs.flows()));
        }
        if self.0.is_none() {
            self.start(Inputs::after(world, (next / interval + 1) * interval));
        }
    }

    fn start(&mut self, inputs: Inputs) {
        let copy = inputs.clone();
        // Workers of a pool may all wait for the result. Without a thread, the step computes it.
        let thread = std::thread::Builder::new().name("routes".to_owned());
        self.0 = thread.spawn(move || copy.flows()).ok().map(|thread| (inputs, thread));
    }
}

/// Sets the routes of a world, which holds the routes of its start, to the routes of its step.
pub(super) fn settle(world: &mut World) {
    let steps = world.steps - world.steps % interval(world);
    if changes(world) && steps > 0 {
        put(world, Inputs::after(world, steps).flows());
    }
}

/// Returns true if routes change during a run.
fn changes(world: &World) -> bool {
    world.movers.iter().any(|(_, mover)| mover.path().is_some()) && !world.routes.is_empty()
}

/// Returns the number of steps from one computation to the next.
fn interval(world: &World) -> u64 {
    (INTERVAL / world.step).round().greater(1.0) as u64
}

fn put(world: &mut World, flows: Vec<Flow>) {
    let places: Vec<usize> = world.routes.iter().map(|(at, _)| *at).collect();
    for (at, flow) in places.into_iter().zip(flows) {
        if let Some(named) = world.flows.get_mut(at) {
            named.flow = flow;
        }
    }
}
