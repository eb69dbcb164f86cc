//! Holding units with the mouse, and throwing them.

use std::collections::VecDeque;

use glam::{Vec2, Vec3};

use crate::app::commands::action::{Action, SessionAction};
use crate::app::model::drags::{HeldUnit, UnitDrag};
use crate::app::model::live_session::LiveSession;
use crate::app::render::camera::Camera;
use crate::dynamics::Motion;
use crate::world::Body;

/// Seconds of the pointer's way that tell how fast it is.
const MOMENT: f64 = 0.1;
/// Points a second that the pointer has to make for a throw.
const SLOWEST: f32 = 40.0;

impl UnitDrag {
    /// Takes hold of units, the first of which is at a pixel.
    pub(in crate::app) fn take(
        units: &[usize],
        pixel: Vec2,
        camera: &Camera,
        session: &LiveSession,
    ) -> Option<Self> {
        let world = session.run.simulation.world();
        let place = *world.units.position.get(*units.first()?)?;
        let pointer = camera.to_world_at(pixel, place);
        let held = session.run.simulation.unit_states(units.iter().copied()).into_iter();
        let held = held.map(|state| {
            let group = world.groups.iter().find(|group| *group.name == *state.group);
            let fastest = match group.map(|group| &group.body) {
                Some(Body::Mover(body)) => body.max_speed,
                // Its highest speed is that of its engine.
                _ => f32::INFINITY,
            };
            let (key, taken) = (state.key, state.motion);
            HeldUnit { key, offset: taken.position - pointer, taken, fastest }
        });
        Some(Self { units: held.collect(), place, way: VecDeque::new() })
    }

    /// How many there are.
    pub(in crate::app) fn count(&self) -> usize {
        self.units.len()
    }

    /// What dragging them to a pixel asks for, at a time in seconds.
    pub(in crate::app) fn drag(
        &mut self,
        pixel: Vec2,
        time: f64,
        camera: &Camera,
        session: &LiveSession,
    ) -> Vec<(u64, Motion)> {
        let pointer = camera.to_world_at(pixel, self.place);
        self.way.push_back((time, pointer));
        while self.way.front().is_some_and(|(then, _)| time - then > MOMENT) {
            self.way.pop_front();
        }
        let velocity = self.velocity(session);
        let moved = self.units.iter().map(|unit| (unit.key, unit.moved(pointer, velocity)));
        moved.collect()
    }

    /// What letting go at a pixel asks for: they fly on as fast as the pointer was, as far as they can be that
    /// fast; if it rested, they go on as they did before.
    pub(in crate::app) fn release(
        mut self,
        pixel: Vec2,
        time: f64,
        camera: &Camera,
        session: &LiveSession,
    ) -> Action {
        let mut to = self.drag(pixel, time, camera, session);
        let least = SLOWEST * camera.pixels_per_point() / camera.scale_at(self.place).max(1e-9);
        if self.velocity(session).length() * session.rate() < least {
            for ((_, motion), unit) in to.iter_mut().zip(&self.units) {
                *motion = Motion { position: motion.position, ..unit.taken };
            }
        }
        SessionAction::DropUnits { from: self.as_taken(), to }.into()
    }

    /// The units as they were.
    fn as_taken(&self) -> Vec<(u64, Motion)> {
        self.units.iter().map(|unit| (unit.key, unit.taken)).collect()
    }

    /// How fast the pointer is, world units a simulated second: what is thrown leaves it as fast as it went.
    fn velocity(&self, session: &LiveSession) -> Vec3 {
        let (Some((begin, from)), Some((end, to))) = (self.way.front(), self.way.back()) else {
            return Vec3::ZERO;
        };
        let seconds = (end - begin) as f32 * session.rate();
        if seconds > 1e-4 { (*to - *from) / seconds } else { Vec3::ZERO }
    }
}

impl HeldUnit {
    fn moved(&self, pointer: Vec3, velocity: Vec3) -> Motion {
        let velocity =
            if self.fastest.is_finite() { velocity.clamp_length_max(self.fastest) } else { velocity };
        let position = pointer + self.offset;
        Motion { position, velocity, angular_velocity: Vec3::ZERO, ..self.taken }
    }
}
