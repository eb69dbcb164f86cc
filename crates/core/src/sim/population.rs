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
            return Err(
                "a unit neither spawns, dies nor faces in `fn born`: call it in `fn steer`".to_owned()
            );
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
        self.reports.is_populated(group)
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
        let dead = changes.dead.iter().map(|unit| usize::from(self.frozen.world.units.group[*unit]));
        for group in changes.births.iter().map(|birth| birth.group).chain(dead) {
            self.reports.add_populated(group);
        }
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
            let of_group = |group: usize| self.births.partition_point(|birth| birth.group < group);
            splice.add_new(of_group(number + 1) - of_group(number));
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
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::sim::{
        Behavior, Contribution, EventKind, Failure, FieldKind, Handled, Inspection, MemoryLayout, Slot,
        UnitContext, number_words,
    };
    use crate::world::testing;

    type Act = fn(&mut UnitContext) -> Result<(), String>;
    const NOTHING: Act = |_| Ok(());

    /// Runs `act` in each step and logs births. Its memory counts the steps of each unit.
    struct Acts {
        act: Act,
        born: Act,
        layout: MemoryLayout,
        births: Mutex<Vec<(usize, Event)>>,
    }

    impl Behavior for Acts {
        fn memory(&self) -> &MemoryLayout {
            &self.layout
        }

        fn handled(&self) -> Handled {
            Handled::NONE.with(EventKind::Born, false)
        }

        fn handle(&self, event: Event, context: &mut UnitContext, _: &mut [u32]) -> Result<(), Failure> {
            self.births.lock().unwrap().push((context.unit(), event));
            (self.born)(context).map_err(Failure::new)
        }

        fn decide(&self, context: &mut UnitContext, memory: &mut [u32]) -> Result<Contribution, Failure> {
            memory[0] = (f32::from_bits(memory[0]) + 1.0).to_bits();
            (self.act)(context).map_err(Failure::new)?;
            Ok(Contribution::None)
        }
    }

    /// Groups of 3 and 2 units; the second has at most 4. Unit i starts at (10 i, 0) and moves along y by 1 in a step.
    fn simulation(act: Act, born: Act) -> (Simulation, Arc<Acts>) {
        let mut world = testing::world(&[3, 2], 1.0, |unit, _| (Vec3::X * 10.0 * unit as f32, Vec3::Y));
        world.arena = testing::plane(1000.0, 1000.0, crate::world::Edges::Open);
        world.step = 1.0;
        world.groups[0].name = "a".to_owned();
        world.groups[1].most = Some(4);
        simulation_of(world, act, born)
    }

    fn simulation_of(world: World, act: Act, born: Act) -> (Simulation, Arc<Acts>) {
        let mut layout = MemoryLayout::default();
        layout.push("steps", FieldKind::Number, number_words(0.0));
        let acts = Arc::new(Acts { act, born, layout, births: Mutex::default() });
        let slots = |_| vec![Slot::new("acts", 1, Some(Arc::clone(&acts) as Arc<dyn Behavior>))];
        let slots = world.groups.iter().map(slots).collect();
        (Simulation::new(world, slots), acts)
    }

    #[test]
    fn movers_at_rest_face_the_last_direction_of_a_step() {
        let act: Act = |context| {
            context.face(Vec3::Y)?;
            context.face(Vec3::new(3e20, -4e20, 5e20))?;
            context.face(Vec3::ZERO)
        };
        for arena in [
            testing::plane(100.0, 100.0, crate::world::Edges::Open),
            testing::space(100.0, crate::world::Edges::Open),
        ] {
            let mut world = testing::world(&[2, 1], 1.0, |unit, _| (Vec3::X, Vec3::X * (unit % 2) as f32));
            world.arena = arena;
            world.groups[1].body = Body::Rigid(crate::world::Rigid::default());
            let before = world.units.heading[2];
            let (mut simulation, _) = simulation_of(world, act, NOTHING);
            simulation.step();
            let units = &simulation.world().units;
            let expected = Vec3::new(3.0, -4.0, if arena.is_plane() { 0.0 } else { 5.0 }).normalize();
            assert!(units.heading[0].abs_diff_eq(expected, 1e-6), "{}", units.heading[0]);
            assert!(units.up[0].abs_diff_eq(arena.upright(expected), 1e-6), "{}", units.up[0]);
            assert_eq!((units.heading[1], units.heading[2]), (Vec3::X, before));
        }
    }

    fn x(simulation: &Simulation) -> Vec<f32> {
        simulation.world().units.position.iter().map(|position| position.x).collect()
    }

    /// The counted steps of each unit.
    fn steps(simulation: &Simulation) -> Vec<f32> {
        let count = |unit: usize| simulation.memory(unit).map(|(.., words)| f32::from_bits(words[0])).sum();
        (0..simulation.world().units.len()).map(count).collect()
    }

    #[test]
    fn units_die_and_are_born_at_the_end_of_their_group() {
        let act: Act = |context| match (context.world().steps, context.unit()) {
            (1, 0 | 3) => context.die(),
            (1, 1) => context.spawn(1, None),
            (1, 4) => {
                let (position, subnormal_square) = (Vec3::new(70.0, 5.0, 9.0), Vec3::new(2e-22, 0.0, 1.0));
                context.spawn(1, Some(Start { position, velocity: subnormal_square }))?;
                context.die()
            }
            _ => Ok(()),
        };
        let (mut simulation, acts) = simulation(act, NOTHING);
        simulation.set_names(&[], &["unit".to_owned()]);
        simulation.world_mut().units.signals.of_units_mut(0..5).copy_from_slice(&[0.0, 1.0, 2.0, 3.0, 4.0]);
        simulation.step();
        let keys = simulation.world().units.key.clone();
        simulation.step();
        let world = simulation.world();
        assert_eq!(x(&simulation), [10.0, 20.0, 10.0, 70.0]);
        assert_eq!((world.groups[0].units.clone(), world.groups[1].units.clone()), (0..2, 2..4));
        assert_eq!(world.units.group, [0, 0, 1, 1]);
        assert_eq!(world.units.key[..2], keys[1..3]);
        assert_eq!(world.units.key[2..], [child_key(keys[1], 2, 0), child_key(keys[4], 2, 0)]);
        assert_eq!(world.units.born, [0, 0, 2, 2]);
        assert_eq!(world.units.signals.all(), [1.0, 2.0, 1.0, 4.0], "those of the parents");
        let child = Motion::from_unit(&world.units, 3);
        assert_eq!((child.position, child.velocity), (Vec3::new(70.0, 5.0, 0.0), Vec3::X * 2e-22));
        assert_eq!((child.heading, child.up), (Vec3::X, Vec3::Z));
        // The parent of the second child is dead.
        let born = |unit, parent| (unit, Event::Born { parent });
        assert_eq!(*acts.births.lock().unwrap(), [born(2, Some(0)), born(3, None)]);
        assert_eq!(steps(&simulation), [2.0, 2.0, 0.0, 0.0]);
        simulation.step();
        assert_eq!(steps(&simulation), [3.0, 3.0, 1.0, 1.0]);
        assert_eq!(simulation.reports(), []);
    }

    #[test]
    fn a_full_group_drops_births_and_is_reported_once() {
        let act: Act = |context| (0..2).try_for_each(|_| context.spawn(1, None));
        let (mut simulation, _) = simulation(act, NOTHING);
        (0..3).for_each(|_| simulation.step());
        assert_eq!(x(&simulation), [0.0, 10.0, 20.0, 30.0, 40.0, 0.0, 0.0]);
        assert_eq!(simulation.full_groups(), [FullGroup { group: 1, step: 1 }]);
        assert_eq!(simulation.reports(), []);
        // Deaths of the step leave room for its births. The ordinals count dropped births.
        let act: Act = |context| match context.unit() {
            3 => context.die(),
            0 if context.world().steps == 1 => (0..9).try_for_each(|_| context.spawn(1, None)),
            _ => Ok(()),
        };
        let (mut simulation, _) = self::simulation(act, NOTHING);
        simulation.step();
        assert_eq!(x(&simulation), [0.0, 10.0, 20.0, 40.0]);
        simulation.step();
        assert_eq!(x(&simulation), [0.0, 10.0, 20.0, 0.0, 0.0, 0.0, 0.0]);
        let key = simulation.world().units.key[0];
        assert_eq!(simulation.world().units.key[3..], [0, 1, 2, 3].map(|ordinal| child_key(key, 2, ordinal)));
    }

    #[test]
    fn an_inspection_has_the_indices_before_the_step_and_after_it() {
        let act: Act = |context| match context.unit() {
            0 | 3 => context.die(),
            _ => Ok(()),
        };
        let (mut simulation, _) = simulation(act, NOTHING);
        simulation.world_mut().groups[1].view = None;
        let mut inspection = None;
        let cancel = std::sync::atomic::AtomicBool::new(false);
        simulation.try_step_with(&cancel, |decided| inspection = Some(Inspection::new(decided, 1)));
        let mut inspection = inspection.unwrap();
        inspection.finish(&simulation);
        assert_eq!((inspection.unit, inspection.now), (1, Some(0)));
        assert_eq!(inspection.indices_after(&[0, 1, 2, 3, 4]), [0, 1, 2]);
        assert_eq!(inspection.after.position, simulation.world().units.position[0]);
    }

    #[test]
    fn everybody_and_the_player_may_die() {
        let (mut simulation, acts) = simulation(UnitContext::die, NOTHING);
        simulation.world_mut().player = Some(4);
        (0..3).for_each(|_| simulation.step());
        assert_eq!((simulation.world().units.len(), simulation.world().player), (0, None));
        assert_eq!(
            (simulation.world().groups[1].units.clone(), acts.births.lock().unwrap().len()),
            (0..0, 0)
        );
    }

    #[test]
    fn impossible_requests_fail() {
        let failures: [(Act, &str); 5] = [
            (
                |context| context.spawn(0, None),
                "the group \"a\" has no `most`: add, for example, `most: 1000` to it",
            ),
            (
                |context| context.spawn(1, Some(Start { position: Vec3::NAN, velocity: Vec3::ZERO })),
                "no unit is born at [NaN, NaN, NaN] with velocity [0, 0, 0]: both must be finite",
            ),
            (
                |context| (0..65).try_for_each(|_| context.spawn(1, None)),
                "a behavior spawns at most 64 children of a unit in a step",
            ),
            (
                |context| context.face(Vec3::X / 0.0),
                "no unit faces the direction [inf, NaN, NaN]: it must be finite",
            ),
            (NOTHING, "a unit neither spawns, dies nor faces in `fn born`: call it in `fn steer`"),
        ];
        for (at, (act, message)) in failures.into_iter().enumerate() {
            let (mut simulation, _) = simulation(act, UnitContext::die);
            if at == 4 {
                let once: Act = |context| if context.unit() == 0 { context.spawn(1, None) } else { Ok(()) };
                simulation = self::simulation(once, UnitContext::die).0;
            }
            simulation.step();
            let reported: Vec<_> =
                simulation.reports().iter().map(|it| it.failure.message.as_str()).collect();
            assert!(reported.contains(&message), "{reported:?}");
        }
    }
}
