//! Contacts: what units do when they touch obstacles or each other in a step.
//!
//! All units have moved when contacts are solved. Every correction is a function of where everybody was
//! before and after the move, so the order of units cannot matter. Touches are looked for along the
//! whole way of a step: however fast a unit is, it does not pass through anything.

mod obstacles;
mod pairs;

use pairs::Pairs;

use glam::Vec3;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use crate::world::{Contact, Group, World};

/// Fewest units that are worth a thread of their own.
const GRAIN: usize = 128;

/// One unit's ball on its way through a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Way {
    /// Where it began.
    from: Vec3,
    /// Where it leads, from there.
    along: Vec3,
    velocity: Vec3,
    radius: f32,
    mass: f32,
}

/// Solves contacts, and keeps what it needs for that from step to step.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    ways: Vec<Way>,
    pairs: Pairs,
}

impl Solver {
    /// Remembers where all units of `world` are before they move.
    pub fn remember(&mut self, world: &World) {
        let positions = world.units.position.iter();
        self.ways.clear();
        self.ways.extend(positions.map(|position| Way {
            from: *position,
            ..Way::default()
        }));
    }

    /// Corrects positions and velocities of units that have moved since [`Solver::remember`], before
    /// the world's edges are heeded.
    pub fn solve(&mut self, world: &mut World) {
        let contacts = world.contacts;
        self.take_over(world);
        self.against_obstacles(world);
        if contacts.units != Contact::None {
            self.pairs.solve(&mut self.ways, world);
            // Whom others have pushed may have been pushed into an obstacle.
            if contacts.units != Contact::Block {
                self.against_obstacles(world);
            }
        }
        self.give_back(world);
    }

    fn against_obstacles(&mut self, world: &World) {
        let (contact, obstacles) = (world.contacts.obstacles, &world.obstacles);
        if contact != Contact::None && !obstacles.is_empty() {
            (self.ways.par_iter_mut().with_min_len(GRAIN))
                .for_each(|way| obstacles::solve(contact, obstacles, way));
        }
    }

    /// Where everybody ends; who would not be anywhere stays, at rest.
    fn give_back(&self, world: &mut World) {
        for (unit, way) in self.ways.iter().enumerate() {
            let end = way.from + way.along;
            let whole = end.is_finite() && way.velocity.is_finite();
            let (position, velocity) = if whole {
                (end, way.velocity)
            } else {
                (way.from, Vec3::ZERO)
            };
            world.units.position[unit] = position;
            world.units.velocity[unit] = velocity;
        }
    }

    /// Takes over where the units have got to.
    fn take_over(&mut self, world: &World) {
        let (units, reach) = (&world.units, world.contacts.reach);
        let group = |unit: usize| -> &Group { world.group_of(unit) };
        let ways = self.ways.iter_mut().enumerate();
        for (unit, way) in ways {
            let body = &group(unit).body;
            way.along = units.position[unit] - way.from;
            way.velocity = units.velocity[unit];
            way.radius = body.radius() * reach;
            way.mass = body.mass();
        }
    }
}

/// The velocity after a touch whose normal points to the free side.
fn reflected(contact: Contact, velocity: Vec3, normal: Vec3) -> Vec3 {
    let inward = velocity.dot(normal).min(0.0);
    velocity - normal * (inward * (1.0 + restitution(contact)))
}

/// Share of the velocity that comes back.
fn restitution(contact: Contact) -> f32 {
    match contact {
        Contact::Bounce { restitution } => restitution,
        _ => 0.0,
    }
}
