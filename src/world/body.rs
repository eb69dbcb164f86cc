//! What a unit is made of.

use glam::Vec3;

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
    /// Engine force along the heading through the center of mass.
    pub thrust: f32,
    /// Force at the bow that a turn of 1 stands for.
    pub steering_force: f32,
    /// Linear drag coefficient.
    pub drag: f32,
    /// Angular drag coefficient.
    pub angular_drag: f32,
    /// Density of the medium.
    pub density: f32,
    /// Where drag acts on the keel, as a fraction of the length: negative is aft.
    pub center_of_drag: f32,
}

impl Default for Rigid {
    fn default() -> Self {
        Self {
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
        }
    }
}

impl Rigid {
    /// Area that drag acts on: (length + width) · height.
    pub fn area(&self) -> f32 {
        (self.length + self.width) * self.height
    }

    /// The speed at which drag equals thrust, infinite without drag.
    pub fn top_speed(&self) -> f32 {
        (self.thrust / (self.drag * self.density * self.area())).sqrt()
    }
}

/// A body that takes each steering as a change of its velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mover {
    /// Length along the heading, above zero.
    pub length: f32,
    /// Width, above zero.
    pub width: f32,
    /// Speed that is never exceeded.
    pub max_speed: f32,
    /// Speed that behaviors may aim at.
    pub desired_speed: f32,
    /// Most that the velocity changes in one step by steering.
    pub max_velocity_change: f32,
    /// Factor of each world axis on the velocity, every step: 1 keeps, less damps.
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

/// The body that all units of a group share.
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

    /// Radius of the circle that stands for the body: half its length.
    pub fn radius(&self) -> f32 {
        self.length() * 0.5
    }

    /// Mass; a mover's is 1.
    pub fn mass(&self) -> f32 {
        self.get(|body| body.mass, |_| 1.0)
    }

    /// The highest speed: a mover's limit, a rigid body's balance of thrust and drag.
    pub fn max_speed(&self) -> f32 {
        self.get(Rigid::top_speed, |body| body.max_speed)
    }

    /// The speed to aim at; a rigid body aims at its highest.
    pub fn desired_speed(&self) -> f32 {
        self.get(Rigid::top_speed, |body| body.desired_speed)
    }

    /// What a turn of 1 stands for: a force, or a mover's largest change of velocity.
    pub fn steering_force(&self) -> f32 {
        self.get(|body| body.steering_force, |body| body.max_velocity_change)
    }

    /// Engine force; a mover has none.
    pub fn thrust(&self) -> f32 {
        self.get(|body| body.thrust, |_| 0.0)
    }
}
