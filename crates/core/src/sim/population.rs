//! Births, deaths and headings of movers at rest: behaviors request them during a step, and they are carried out
//! together after it.
//!
//! Requests are processed in the order of units, for each unit in the order of its behaviors and calls. Units are born at
//! the end of their group. The key of a child is a function of its parent's key, the step and its number among the
//! parent's children of the step, so that the draws of a unit do not depend on other units.

use std::ops::Range;
use std::sync::Arc;

use glam::Vec3;

use super::context::UnitContext;
use super::event::{Event, UnitEvent};
use super::group_behaviors::GroupBehaviors;
use super::report::FullGroup;
use super::request::{Request, RequestKind, Requests, Start};
use super::simulation::Simulation;
use crate::dynamics::{self, Motion, confine};
use crate::world::{Body, Splice, Units, World, child_key, lengths::direction};

/// Maximum number of children per behavior, unit and step.
const MAX_CHILDREN: u32 = 64;

/// The message about a call that fails in a handler of births.
pub const NOT_AT_BIRTH: &str = "a unit neither spawns, dies nor faces in `fn born`: call it in `fn steer`";

/// A unit to be born.
struct Birth {
    parent: usize,
    group: usize,
    /// Its number among the children of its parent in the step.
    ordinal: u32,
    start: Option<Start>,
}

/// The births and deaths of a step.
#[derive(Default)]
struct Changes {
    /// By group; within a group in the order of parents.
    births: Vec<Birth>,
    /// In order.
    dead: Vec<usize>,
    /// Groups in which a birth was dropped.
    full: Vec<usize>,
}

impl UnitContext {
    /// Requests the death of the unit after this step.
    ///
    /// # Errors
    /// With a message for the user, in handlers of births.
    pub fn die(&mut self) -> Result<(), String> {
        self.request(RequestKind::Die)
    }

    /// Requests the birth of a child of the unit in group `group` after this step, by default where the unit then is.
    ///
    /// # Errors
    /// With a message for the user: if the group has no maximum number of units, the start is not finite, the call
    /// requests too many children, or in handlers of births.
    pub fn spawn(&mut self, group: usize, start: Option<Start>) -> Result<(), String> {
        let of = &self.frozen.world.groups[group];
        if of.most.is_none() {
            let name = &of.name;
            return Err(match self.frozen.world.player {
                Some(player) if of.units.contains(&player) => {
                    format!("no unit is born in the group \"{name}\" of the player")
                }
                _ => format!("the group \"{name}\" has no `most`: add, for example, `most: 1000` to it"),
            });
        }
        if let Some(Start { position, velocity }) = start
            && !(position.is_finite() && velocity.is_finite())
        {
            return Err(format!(
                "no unit is born at {position} with velocity {velocity}: both must be finite"
            ));
        }
        self.request(RequestKind::Spawn { group, start })
    }

    /// Requests a heading of the unit after this step, which only a mover at rest has; none for the zero vector.
    ///
    /// # Errors
    /// With a message for the user: if the direction is not finite, or in handlers of births.
    pub fn face(&mut self, to: Vec3) -> Result<(), String> {
        if !to.is_finite() {
            return Err(format!("no unit faces the direction {to}: it must be finite"));
        }
        let to = if self.frozen.world.arena.is_plane() { to.with_z(0.0) } else { to };
        direction(to).map_or(Ok(()), |heading| self.request(RequestKind::Face(heading)))
    }

    /// Records a request of the unit.
    ///
    /// # Errors
    /// With a message for the user, if requests are refused or the call has too many children.
    fn request(&mut self, kind: RequestKind) -> Result<(), String> {
        let recording = &mut self.recording;
        if recording.recorded.requests == Requests::Refused {
            return Err(NOT_AT_BIRTH.to_owned());
        }
        if matches!(kind, RequestKind::Spawn { .. }) {
            if recording.born == MAX_CHILDREN {
                return Err(format!("a behavior spawns at most {MAX_CHILDREN} children of a unit in a step"));
            }
            recording.born += 1;
        }
        if recording.recorded.requests == Requests::Recorded {
            recording.requests.push(Request { unit: self.unit, kind });
        }
        Ok(())
    }
}

impl Simulation {
    /// Groups in which births were dropped since the start.
    pub fn full_groups(&self) -> &[FullGroup] {
        self.reports.full()
    }

    /// Returns true if units of a group were born or died since the start, by requests of behaviors.
    pub fn is_populated(&self, group: usize) -> bool {
        let world = self.world();
        world.groups.get(group).is_some_and(|group| world.population.contains_key(&group.name))
    }

    /// Carries out the changes that behaviors requested in the last step, and calls the handlers of births.
    pub(super) fn populate(&mut self) {
        self.buffers.targets = None;
        let requested = |it: &mut GroupBehaviors| std::mem::take(&mut it.recording.requests);
        let requests: Vec<Request> = self.behaviors.iter_mut().flat_map(requested).collect();
        if requests.is_empty() {
            return;
        }
        self.face(&requests);
        let changes = Changes::new(self.world(), &requests);
        for group in &changes.full {
            self.reports.add_full(*group, self.frozen.world.steps);
        }
        if changes.births.is_empty() && changes.dead.is_empty() {
            return;
        }
        changes.count(&mut Arc::make_mut(&mut self.frozen).world);
        let (splice, mut new) = (changes.splice(self.world()), changes.new_units(self.world()));
        let targets = self.splice(&splice, &mut new);
        let parents = changes.births.iter().map(|birth| Event::Born { parent: targets[birth.parent] });
        let born = splice.origins().enumerate().filter(|(_, origin)| origin.is_none());
        let events: Vec<_> = born.zip(parents).map(|((unit, _), event)| UnitEvent { unit, event }).collect();
        self.buffers.targets = Some(targets);
        self.handle(&events, Requests::Refused);
    }

    /// Turns the movers at rest that requested it, each by its last request.
    fn face(&mut self, requests: &[Request]) {
        for Request { unit, kind } in requests {
            let RequestKind::Face(heading) = *kind else { continue };
            let world = &mut Arc::make_mut(&mut self.frozen).world;
            let is_mover = matches!(world.body_of(*unit), Body::Mover(_));
            if is_mover && dynamics::is_still(world.units.velocity[*unit]) {
                world.units.heading[*unit] = heading;
                world.units.up[*unit] = world.arena.upright(heading);
            }
        }
    }

    /// The index after the last step of each unit before it, if units were born or died.
    pub(super) fn targets(&self) -> Option<&[Option<usize>]> {
        self.buffers.targets.as_deref()
    }

    /// Removes and inserts units with the state of their behaviors; `new` are the new ones, by group. Returns the new
    /// index of each previous unit. Decisions of remaining units are preserved.
    pub(super) fn splice(&mut self, splice: &Splice, new: &mut Units) -> Vec<Option<usize>> {
        let frozen = Arc::make_mut(&mut self.frozen);
        let (groups, seed) = (&frozen.world.groups, frozen.world.seed);
        let targets = splice.targets(frozen.world.units.len());
        for (number, (group, behaviors)) in groups.iter().zip(&mut self.behaviors).enumerate() {
            let keys = &new.key[splice.new_units(number)];
            behaviors.splice(splice, (number, group.units.start), &targets, (seed, keys));
        }
        frozen.splice(splice, &targets, new);
        self.buffers.fit(targets.len(), frozen.world.units.len());
        targets
    }
}

impl Changes {
    fn new(world: &World, requests: &[Request]) -> Self {
        let mut changes = Self::default();
        for requests in requests.chunk_by(|one, other| one.unit == other.unit) {
            let (parent, mut ordinal, mut dies) = (requests[0].unit, 0, false);
            for request in requests {
                match request.kind {
                    RequestKind::Die => dies = true,
                    RequestKind::Face(_) => {}
                    RequestKind::Spawn { group, start } => {
                        changes.births.push(Birth { parent, group, ordinal, start });
                        ordinal += 1;
                    }
                }
            }
            if dies {
                changes.dead.push(parent);
            }
        }
        changes.limit(world);
        // A stable sort: within a group they remain in the order of parents.
        changes.births.sort_by_key(|birth| birth.group);
        changes
    }

    /// Drops births in groups that have the maximum number of units.
    fn limit(&mut self, world: &World) {
        let mut room: Vec<_> = (0..world.groups.len()).map(|group| self.room(world, group)).collect();
        let full = &mut self.full;
        self.births.retain(|birth| {
            let room = &mut room[birth.group];
            let fits = *room > 0;
            *room = room.saturating_sub(1);
            if !fits && !full.contains(&birth.group) {
                full.push(birth.group);
            }
            fits
        });
    }

    /// The number of units that may be born in a group, after the deaths.
    fn room(&self, world: &World, group: usize) -> usize {
        let group = &world.groups[group];
        let living = group.units.len() - self.dead_of(&group.units).len();
        group.most.unwrap_or(0).saturating_sub(living)
    }

    /// The dead units of a range.
    fn dead_of(&self, units: &Range<usize>) -> &[usize] {
        let at = |unit: usize| self.dead.partition_point(|dead| *dead < unit);
        &self.dead[at(units.start)..at(units.end)]
    }

    /// The number of births in a group.
    fn born_in(&self, group: usize) -> usize {
        let up_to = |group: usize| self.births.partition_point(|birth| birth.group < group);
        up_to(group + 1) - up_to(group)
    }

    /// Adds the births and deaths to their counts in the world.
    fn count(&self, world: &mut World) {
        let World { groups, population, .. } = world;
        for (number, group) in groups.iter().enumerate() {
            let counts = [self.born_in(number), self.dead_of(&group.units).len()];
            if counts != [0, 0] {
                let sums = population.entry(group.name.clone()).or_default();
                sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count as u64);
            }
        }
    }

    fn splice(&self, world: &World) -> Splice {
        let mut splice = Splice::default();
        for (number, group) in world.groups.iter().enumerate() {
            splice.add_group();
            let mut next = group.units.start;
            for dead in self.dead_of(&group.units) {
                splice.add_remaining(next..*dead);
                next = dead + 1;
            }
            splice.add_remaining(next..group.units.end);
            splice.add_new(self.born_in(number));
        }
        splice
    }

    /// The units that are born, with the signals of their parents.
    fn new_units(&self, world: &World) -> Units {
        let mut units = Units::default();
        units.signals.resize(world.units.signals.count(), 0);
        for (unit, Birth { parent, group, ordinal, start }) in self.births.iter().enumerate() {
            let Motion { position, velocity, heading, up, .. } = start_motion(world, *parent, *start);
            let key = child_key(world.units.key[*parent], world.steps, *ordinal);
            units.push(position, velocity, (heading, up), *group as u16, key);
            let signals = units.signals.of_units_mut(unit..unit + 1);
            signals.copy_from_slice(world.units.signals.of(*parent));
        }
        units.born.fill(world.steps);
        units
    }
}

/// Returns the motion of a child: that of its parent without rotation, or the specified one, with a heading along its
/// velocity.
fn start_motion(world: &World, parent: usize, start: Option<Start>) -> Motion {
    let parent = Motion::from_unit(&world.units, parent);
    let mut motion = Motion { angular_velocity: Vec3::ZERO, ..parent };
    let Some(Start { position, velocity }) = start else {
        return motion;
    };
    let is_plane = world.arena.is_plane();
    let [position, velocity] = [position, velocity].map(|v| if is_plane { v.with_z(0.0) } else { v });
    (motion.position, motion.velocity) = (position, velocity);
    if let Some(heading) = direction(motion.velocity) {
        (motion.heading, motion.up) = (heading, world.arena.upright(heading));
    }
    confine(&world.arena, &mut motion);
    motion
}

#[cfg(test)]
mod tests;
