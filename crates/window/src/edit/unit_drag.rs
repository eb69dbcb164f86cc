//! Dragging and throwing units.

use std::collections::VecDeque;

use glam::Vec3;
use steerbox_core::dynamics::Motion;
use steerbox_core::world::Body;
use steerbox_picture::render::camera::Camera;

use crate::commands::action::SessionAction;
use crate::model::handle::{HeldUnit, HeldUnits};
use crate::model::live_session::LiveSession;

/// Seconds of the pointer's track that determine its velocity.
const TRACKED: f64 = 0.1;
/// Minimum speed of the pointer for a throw, points per second.
const MIN_THROW: f32 = 40.0;

impl HeldUnits {
    /// The units of a drag that starts with the pointer at a position of the world.
    pub(super) fn new(units: &[usize], pointer: Vec3, session: &LiveSession) -> Self {
        let world = session.run.simulation.world();
        let held = session.run.simulation.unit_states(units.iter().copied()).into_iter();
        let held = held.map(|state| {
            let group = world.groups.iter().find(|group| *group.name == *state.group);
            let max_speed = match group.map(|group| group.body_of(world.seed, state.key)) {
                Some(Body::Mover(body)) => body.max_speed,
                // Only movers have a maximum speed.
                _ => f32::INFINITY,
            };
            let (key, initial) = (state.key, state.motion);
            HeldUnit { key, offset: initial.position - pointer, initial, max_speed }
        });
        Self { units: held.collect(), track: VecDeque::new() }
    }

    /// The action of a drag to `to`, or of the release there: the units continue with the velocity of the pointer, at
    /// most with their highest speed; if the pointer rested, with their previous velocity. The drag began at `from`.
    pub(super) fn action(
        &mut self,
        (from, to): (Vec3, Vec3),
        time: f64,
        released: bool,
        camera: &Camera,
        session: &LiveSession,
    ) -> SessionAction {
        self.track.push_back((time, to));
        while self.track.front().is_some_and(|(then, _)| time - then > TRACKED) {
            self.track.pop_front();
        }
        let velocity = self.velocity(session);
        let moved = self.units.iter().map(|unit| (unit.key, unit.moved(to, velocity)));
        let mut moved: Vec<_> = moved.collect();
        if !released {
            return SessionAction::DragUnits(moved);
        }
        let least = MIN_THROW * camera.pixels_per_point() / camera.scale_at(from).max(1e-9);
        if velocity.length() * session.rate() < least {
            for ((_, motion), unit) in moved.iter_mut().zip(&self.units) {
                *motion = Motion { position: motion.position, ..unit.initial };
            }
        }
        let from = self.units.iter().map(|unit| (unit.key, unit.initial)).collect();
        SessionAction::MoveUnits { from, to: moved }
    }

    /// The velocity of the pointer, world units per simulated second.
    fn velocity(&self, session: &LiveSession) -> Vec3 {
        let (Some((begin, from)), Some((end, to))) = (self.track.front(), self.track.back()) else {
            return Vec3::ZERO;
        };
        let seconds = (end - begin) as f32 * session.rate();
        if seconds > 1e-4 { (*to - *from) / seconds } else { Vec3::ZERO }
    }
}

impl HeldUnit {
    fn moved(&self, pointer: Vec3, velocity: Vec3) -> Motion {
        let velocity =
            if self.max_speed.is_finite() { velocity.clamp_length_max(self.max_speed) } else { velocity };
        let position = pointer + self.offset;
        Motion { position, velocity, angular_velocity: Vec3::ZERO, ..self.initial }
    }
}
