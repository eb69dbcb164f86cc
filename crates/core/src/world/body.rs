//! Bodies: the physical properties of units.

use glam::Vec3;

use super::distribution::{Distribution, name_key};
use super::extrema::Extrema;

/// The integration of the drag of a rigid body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DragScheme {
    /// In closed form: drag slows a body down as its differential equation does, for every step.
    #[default]
    Closed,
    /// By the force at the start of the step, as in the classic demonstration. Unstable beyond
    /// [`Rigid::explicit_limits`].
    Explicit,
}

/// A rigid body with an engine, a rudder at its bow, and drag. Defaults are the craft of the
/// classic demonstration: 10 kg and 4 units long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rigid {
    /// Mass, above zero.
    pub mass: f32,
    /// Moment of inertia about every axis, above zero.
    pub inertia: f32,
    /// Length along the heading, above zero; rudder and bow thrusters sit at half of it.
    pub length: f32,
    /// Width, above zero.
    pub width: f32,
    /// Height, above zero.
    pub height: f32,
    /// Engine force along the heading, through the center of mass.
    pub thrust: f32,
    /// Force at the bow for a turn of 1.
    pub steering_force: f32,
    /// Linear drag coefficient.
    pub drag: f32,
    /// Angular drag coefficient.
    pub angular_drag: f32,
    /// Density of the medium.
    pub density: f32,
    /// Where drag acts on the keel, as a fraction of the length: negative is aft.
    pub center_of_drag: f32,
    /// The integration of drag.
    pub drag_scheme: DragScheme,
}

impl Default for Rigid {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Rigid {
    /// The body that scenes describe without fields.
    pub const DEFAULT: Self = Self {
        mass: 10.0,
        inertia: 10.0,
        length: 4.0,
        width: 2.0,
        height: 4.0,
        thrust: 10.0,
        steering_force: 6.0,
        drag: 0.3,
        angular_drag: 5000.0,
        density: 0.002_376_9,
        center_of_drag: -0.12,
        drag_scheme: DragScheme::Closed,
    };

    /// Area that drag acts on: (length + width) · height.
    pub fn area(&self) -> f32 {
        (self.length + self.width) * self.height
    }

    /// Force of drag per squared speed; it is doubled while the body moves along its thrust.
    pub fn drag_factor(&self) -> f32 {
        self.drag * 0.5 * self.density * self.area()
    }

    /// Moment of drag per squared angular velocity.
    pub fn angular_drag_factor(&self) -> f32 {
        self.angular_drag * 0.5 * self.density * self.area()
    }

    /// The speed and the angular velocity beyond which one step of [`DragScheme::Explicit`] reverses the motion; beyond
    /// twice that it grows.
    pub fn explicit_limits(&self, step: f32) -> [f32; 2] {
        let speed = self.mass / (2.0 * self.drag_factor() * step);
        [speed, self.inertia / (self.angular_drag_factor() * step)]
    }

    /// The speed at which drag equals thrust, infinite without drag.
    pub fn top_speed(&self) -> f32 {
        (self.thrust / (self.drag * self.density * self.area())).sqrt()
    }
}

/// A body that applies steering directly as a change of its velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mover {
    /// Length along the heading, above zero.
    pub length: f32,
    /// Width, above zero.
    pub width: f32,
    /// Upper limit of the speed, enforced.
    pub max_speed: f32,
    /// Cruising speed, available to behaviors; not enforced.
    pub desired_speed: f32,
    /// Upper limit of the change of velocity by steering in one step.
    pub max_velocity_change: f32,
    /// Factor on each world axis of the velocity, applied every step; below 1 it damps.
    pub axes: Vec3,
}

impl Default for Mover {
    fn default() -> Self {
        Self {
            length: 1.0,
            width: 0.5,
            max_speed: 6.0,
            desired_speed: 3.0,
            max_velocity_change: 0.4,
            axes: Vec3::ONE,
        }
    }
}

/// The body of units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Body {
    /// Mass, loads and moments.
    Rigid(Rigid),
    /// Velocity alone.
    Mover(Mover),
}

impl Default for Body {
    fn default() -> Self {
        Self::Mover(Mover::default())
    }
}

impl Body {
    fn get(&self, rigid: fn(&Rigid) -> f32, mover: fn(&Mover) -> f32) -> f32 {
        match self {
            Self::Rigid(body) => rigid(body),
            Self::Mover(body) => mover(body),
        }
    }

    /// Length along the heading.
    pub fn length(&self) -> f32 {
        self.get(|body| body.length, |body| body.length)
    }

    /// Width across the heading.
    pub fn width(&self) -> f32 {
        self.get(|body| body.width, |body| body.width)
    }

    /// Radius of the bounding circle: half the length.
    pub fn radius(&self) -> f32 {
        self.length() * 0.5
    }

    /// Mass; 1 for a mover.
    pub fn mass(&self) -> f32 {
        self.get(|body| body.mass, |_| 1.0)
    }

    /// Maximum speed: a mover's limit, or the speed at which a rigid body's drag equals its thrust.
    pub fn max_speed(&self) -> f32 {
        self.get(Rigid::top_speed, |body| body.max_speed)
    }

    /// Cruising speed: a mover's `desired_speed`, or a rigid body's maximum speed.
    pub fn desired_speed(&self) -> f32 {
        self.get(Rigid::top_speed, |body| body.desired_speed)
    }

    /// The effect of a turn of 1: a force, or a mover's maximum change of velocity.
    pub fn steering_force(&self) -> f32 {
        self.get(|body| body.steering_force, |body| body.max_velocity_change)
    }

    /// Engine force; 0 for a mover.
    pub fn thrust(&self) -> f32 {
        self.get(|body| body.thrust, |_| 0.0)
    }
}

/// A number of a body that may differ by unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyNumber {
    /// Length along the heading.
    Length,
    /// Width across the heading.
    Width,
    /// Mass of a rigid body.
    Mass,
    /// Upper limit of a mover's speed.
    MaxSpeed,
    /// Cruising speed of a mover.
    DesiredSpeed,
}

/// A number of a body of which each unit draws its own value.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyDraw {
    number: BodyNumber,
    distribution: Distribution,
    /// The key of its name.
    key: u64,
}

/// Key of draws for bodies instead of a behavior's.
const BODIES: u64 = u64::MAX - 1;
/// Draws below this share of the mean count as that, so that no unit vanishes or moves backward.
const LEAST_SHARE: f32 = 0.01;

impl BodyDraw {
    /// Creates the draw of the number that scenes call `name`.
    pub fn new(name: &str, number: BodyNumber, distribution: Distribution) -> Self {
        Self { number, distribution, key: name_key(name) }
    }

    /// Sets the number of a unit's body, at least a hundredth of the mean.
    pub(super) fn apply(&self, body: &mut Body, seed: u64, unit: u64) {
        let least = self.distribution.mean() * LEAST_SHARE;
        let value = self.distribution.of_unit(seed, unit, BODIES, self.key).greater(least);
        let number = match (self.number, body) {
            (BodyNumber::Length, Body::Rigid(body)) => &mut body.length,
            (BodyNumber::Length, Body::Mover(body)) => &mut body.length,
            (BodyNumber::Width, Body::Rigid(body)) => &mut body.width,
            (BodyNumber::Width, Body::Mover(body)) => &mut body.width,
            (BodyNumber::Mass, Body::Rigid(body)) => &mut body.mass,
            (BodyNumber::MaxSpeed, Body::Mover(body)) => &mut body.max_speed,
            (BodyNumber::DesiredSpeed, Body::Mover(body)) => &mut body.desired_speed,
            // Movers have no mass, and rigid bodies no limit of the speed.
            _ => return,
        };
        *number = value;
    }
}
