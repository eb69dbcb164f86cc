//! Contacts: what touching does to units, once all have moved and before edges count.
//!
//! Obstacles come first, so that units know who is stopped by one; then units against each other; then
//! obstacles again, so that nobody is pushed into one.

mod crowd;
mod march;
mod neighbors;
mod obstacles;
mod pair;
mod reentry;

use glam::Vec3;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use super::{GRAIN, Motion, confine, mover};
use crate::world::{Arena, Body, Contact, World};
use crowd::Crowd;
use neighbors::Swarm;
use obstacles::Walls;

/// Solves the contacts of one step. Its buffers stay from step to step; none of them matters for
/// the next step's result.
#[derive(Clone, Debug, Default)]
pub struct ContactSolver {
    before: Vec<Vec3>,
    end: Vec<Vec3>,
    velocity: Vec<Vec3>,
    radius: Vec<f32>,
    crowd: Crowd,
}

impl ContactSolver {
    /// Notes where units are, before they move.
    pub fn begin(&mut self, world: &World) {
        self.before.clone_from(&world.units.position);
    }

    /// Corrects the moves that all units made since [`ContactSolver::begin`], then applies the
    /// edges. The first unit whose state would no longer be finite is the answer; such units stay
    /// where they were, at rest.
    pub fn settle(&mut self, world: &mut World) -> Option<usize> {
        // A world replaced in between has no moves yet.
        if self.before.len() != world.units.len() {
            self.begin(world);
        }
        self.end.clone_from(&world.units.position);
        self.velocity.clone_from(&world.units.velocity);
        self.measure(world);
        if world.contacts.units != Contact::None {
            self.stop(world);
            let swarm = Swarm {
                arena: &world.arena,
                keys: &world.units.key,
                radius: &self.radius,
                before: &self.before,
            };
            let group = world.units.group.iter();
            let masses = group.map(|group| world.groups[*group as usize].body.mass());
            let motions = (&mut self.end, &mut self.velocity);
            self.crowd
                .solve(&swarm, world.contacts.units, masses, motions);
        }
        self.write(world)
    }

    fn measure(&mut self, world: &World) {
        self.radius.clear();
        let reach = world.contacts.reach;
        let radius = |group: &u16| world.groups[*group as usize].body.radius() * reach;
        self.radius.extend(world.units.group.iter().map(radius));
    }

    /// Ends the moves that obstacles end.
    fn stop(&mut self, world: &World) {
        let (obstacles, contact) = (&*world.obstacles, world.contacts.obstacles);
        if contact == Contact::None || obstacles.is_empty() {
            return;
        }
        let rows = (
            &self.before,
            &self.radius,
            &mut self.end,
            &mut self.velocity,
        );
        (rows.into_par_iter().with_min_len(GRAIN)).for_each(|(before, radius, end, velocity)| {
            let walls = Walls {
                obstacles,
                contact,
                radius: *radius,
                flat: world.arena.is_plane(),
            };
            let moved = Motion {
                position: *end,
                velocity: *velocity,
                heading: Vec3::X,
                up: Vec3::Z,
                angular_velocity: Vec3::ZERO,
            };
            match walls.travel(*before, moved) {
                Some((stopped, _)) => (*end, *velocity) = (stopped.position, stopped.velocity),
                None => *end = *before,
            }
        });
    }

    /// Obstacles and edges for each unit, and the result into the world.
    fn write(&self, world: &mut World) -> Option<usize> {
        let (groups, arena, units) = (&world.groups, &world.arena, &mut world.units);
        let (obstacles, contact) = (&*world.obstacles, world.contacts.obstacles);
        let rows = (
            (&self.before, &self.end, &self.velocity, &self.radius),
            (&units.group, &units.angular_velocity),
            (
                &mut units.position,
                &mut units.velocity,
                &mut units.heading,
                &mut units.up,
            ),
        );
        let (solved, fixed, moving) = rows;
        let rows = (
            solved.into_par_iter(),
            fixed.into_par_iter(),
            moving.into_par_iter(),
        );
        let lost = (rows.into_par_iter().enumerate().with_min_len(GRAIN)).map(
            |(unit, (solved, (group, spin), (position, velocity, heading, up)))| {
                let (before, end, solved_velocity, radius) = solved;
                let walls = Walls {
                    obstacles,
                    contact,
                    radius: *radius,
                    flat: arena.is_plane(),
                };
                let moved = Motion {
                    position: *end,
                    velocity: *solved_velocity,
                    heading: *heading,
                    up: *up,
                    angular_velocity: *spin,
                };
                let body = &groups[*group as usize].body;
                let mut motion = settled(&walls, arena, *before, moved);
                if motion.velocity != *velocity && matches!(body, Body::Mover(_)) {
                    mover::face(&mut motion, arena);
                }
                let lost = !motion.is_finite();
                if lost {
                    (motion.position, motion.velocity) = (*before, Vec3::ZERO);
                    (motion.heading, motion.up) = (*heading, *up);
                }
                *position = motion.position;
                *velocity = motion.velocity;
                *heading = motion.heading;
                *up = motion.up;
                if lost { unit } else { usize::MAX }
            },
        );
        let lost = lost.reduce(|| usize::MAX, usize::min);
        (lost != usize::MAX).then_some(lost)
    }
}

/// Ways from edge to edge of one move; after them a unit stays where it was.
const WAYS: usize = 4;

/// One unit's motion after obstacles and edges. Where it comes in again past an edge, the rest of
/// its way is checked, too.
fn settled(walls: &Walls<'_>, arena: &Arena, before: Vec3, moved: Motion) -> Motion {
    let (mut from, mut motion) = (before, moved);
    for _ in 0..WAYS {
        let Some((reached, corner)) = walls.travel(from, motion) else {
            return Motion {
                position: before,
                ..moved
            };
        };
        motion = reached;
        confine(arena, &mut motion);
        if motion.position == reached.position || walls.contact == Contact::None {
            if arena.is_plane() {
                motion.position.z = 0.0;
                motion.velocity.z = 0.0;
            }
            return motion;
        }
        from = reentry::entry(arena, corner, reached.position, motion.position);
    }
    Motion {
        position: before,
        ..motion
    }
}
