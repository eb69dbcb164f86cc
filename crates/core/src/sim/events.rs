//! The search for the events of a step.
//!
//! Events are found by a comparison of the state after a step with that before it. They are not part of the state, so a
//! snapshot restores them, and they cost nothing unless a behavior handles them.

use glam::Vec3;

use super::event::{Event, EventKind, Handled, UnitEvent};
use super::group_behaviors::GroupBehaviors;
use super::slot::Slot;
use crate::world::{Group, PairLists, World, Zone};

/// The search for the events of a step. Its buffers are reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    /// The events that each group handles.
    handled: Vec<Handled>,
    /// The contacts before the step.
    touching: PairLists,
    /// For each unit before the step the zones that contain it, as bits of one or more words; see [`World::zone`].
    inside: Vec<u64>,
    /// The bounds of each present zone.
    bounds: Vec<(Vec3, Vec3)>,
    found: Vec<UnitEvent>,
}

impl Events {
    /// Stores the state before a step as far as behaviors handle its changes.
    pub(super) fn begin(&mut self, world: &World, behaviors: &[GroupBehaviors]) {
        self.found.clear();
        self.handled.clear();
        self.handled.extend(behaviors.iter().map(|behaviors| handled(&behaviors.slots)));
        if self.has(EventKind::Touched) {
            self.touching.clone_from(&world.units.touching);
        }
        let words = words(world);
        self.inside.clear();
        if words > 0 && self.has_zones() {
            self.inside.resize(world.units.len() * words, 0);
            self.bounds.clear();
            self.bounds.extend(world.zones.iter().map(Zone::bounds));
            for (group, handled) in world.groups.iter().zip(&self.handled) {
                if has_zones(*handled) {
                    let units = group.units.start * words..group.units.end * words;
                    fill_inside(world, group, &mut self.inside[units]);
                }
            }
        }
    }

    fn has(&self, kind: EventKind) -> bool {
        self.handled.iter().any(|handled| handled.has(kind))
    }

    fn has_zones(&self) -> bool {
        self.handled.iter().any(|handled| has_zones(*handled))
    }

    /// Finds the events since [`Events::begin`], in the order in which they are handled.
    pub(super) fn find(&mut self, world: &World) {
        let words = words(world);
        for (group, handled) in world.groups.iter().zip(&self.handled) {
            if *handled == Handled::NONE {
                continue;
            }
            let zones = has_zones(*handled) && !self.inside.is_empty();
            for unit in group.units.clone() {
                if handled.has(EventKind::Touched) {
                    find_touched((world, &self.touching), unit, &mut self.found);
                }
                if zones {
                    let before = &self.inside[unit * words..][..words];
                    find_zones((world, &self.bounds), unit, before, *handled, &mut self.found);
                }
            }
        }
    }

    /// Removes and returns the events; [`Events::store`] returns the buffer.
    pub(super) fn take(&mut self) -> Vec<UnitEvent> {
        std::mem::take(&mut self.found)
    }

    pub(super) fn store(&mut self, events: Vec<UnitEvent>) {
        self.found = events;
    }
}

/// Returns the events that the active behaviors of a group handle.
pub(super) fn handled(slots: &[Slot]) -> Handled {
    let active = slots.iter().filter_map(Slot::active);
    active.fold(Handled::NONE, |all, behavior| all.or(behavior.handled()))
}

fn has_zones(handled: Handled) -> bool {
    handled.has(EventKind::Entered) || handled.has(EventKind::Left)
}

/// The number of words with a bit for each zone.
fn words(world: &World) -> usize {
    (world.zones.len() + world.former_zones.as_ref().map_or(0, Vec::len)).div_ceil(64)
}

/// Sets the bits of the zones of the last step that contain each unit of a group.
fn fill_inside(world: &World, group: &Group, inside: &mut [u64]) {
    let words = words(world);
    for (at, zone) in world.former_zones.as_ref().unwrap_or(&world.zones).iter().enumerate() {
        let at = if world.former_zones.is_some() { world.zone_index(&zone.name).unwrap_or(at) } else { at };
        for unit in zone.members(&world.units, group) {
            inside[(unit - group.units.start) * words + at / 64] |= 1 << (at % 64);
        }
    }
}

/// Finds the contacts of a unit that began, in the order of the other units.
fn find_touched((world, before): (&World, &PairLists), unit: usize, found: &mut Vec<UnitEvent>) {
    let (first, before) = (found.len(), before.of(unit));
    for other in world.units.touching.of(unit) {
        if !before.contains(other) {
            found.push(UnitEvent { unit, event: Event::Touched { other: *other as usize } });
        }
    }
    let other = |it: &UnitEvent| match it.event {
        Event::Touched { other } => other,
        _ => 0,
    };
    found[first..].sort_unstable_by_key(other);
}

/// Finds the zones that a unit entered and left, in the order of the scene. Those that a reload removed follow.
fn find_zones(
    (world, bounds): (&World, &[(Vec3, Vec3)]),
    unit: usize,
    before: &[u64],
    handled: Handled,
    found: &mut Vec<UnitEvent>,
) {
    let position = world.units.position[unit];
    let was_inside = |zone: usize| before[zone / 64] >> (zone % 64) & 1 == 1;
    for kind in [EventKind::Entered, EventKind::Left] {
        if !handled.has(kind) {
            continue;
        }
        for (zone, (it, bounds)) in world.zones.iter().zip(bounds).enumerate() {
            let wanted = kind == EventKind::Left;
            if was_inside(zone) == wanted && it.contains_in(*bounds, position) != wanted {
                let event = if wanted { Event::Left { zone } } else { Event::Entered { zone } };
                found.push(UnitEvent { unit, event });
            }
        }
    }
    let removed = if handled.has(EventKind::Left) { world.zones.len()..before.len() * 64 } else { 0..0 };
    let removed = removed.filter(|zone| was_inside(*zone));
    found.extend(removed.map(|zone| UnitEvent { unit, event: Event::Left { zone } }));
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use glam::Vec3;

    use super::*;
    use crate::sim::{Behavior, Contribution, Failure, Simulation, UnitContext, work};
    use crate::world::{Body, Contact, Contacts, Edges, Mover, Solid, Zone, testing};

    /// Units and the events that they handled.
    type Log = Arc<Mutex<Vec<(usize, Event)>>>;

    /// Logs the events of some kinds; each takes `work`.
    struct Logs {
        kinds: Vec<EventKind>,
        work: u64,
        log: Log,
    }

    impl Behavior for Logs {
        fn handled(&self) -> Handled {
            self.kinds.iter().fold(Handled::NONE, |all, kind| all.with(*kind, false))
        }

        fn handle(&self, event: Event, context: &mut UnitContext, _: &mut [u32]) -> Result<(), Failure> {
            self.log.lock().unwrap().push((context.unit(), event));
            context.charge(self.work);
            Ok(())
        }

        fn decide(&self, _: &mut UnitContext, _: &mut [u32]) -> Result<Contribution, Failure> {
            Ok(Contribution::None)
        }
    }

    /// Units 0 to 2 move along x by 2 in each step, the first one toward unit 3. The zones 70 to 76 are from x = 8.5 to
    /// 11.5, the others far away.
    fn simulation(kinds: [&[EventKind]; 2], work: u64) -> (Simulation, Log) {
        let mut world = testing::world(&[3, 1], 1.0, |unit, _| match unit {
            3 => (Vec3::new(20.0, 0.0, 0.0), Vec3::ZERO),
            unit => (Vec3::new(6.0, 10.0 * unit as f32, 0.0), Vec3::X * 2.0),
        });
        world.arena = testing::plane(200.0, 200.0, Edges::Open);
        world.step = 1.0;
        world.contacts = Contacts { units: Contact::Separate, ..Contacts::default() };
        for group in &mut world.groups {
            group.body = Body::Mover(Mover { length: 2.0, max_speed: 10.0, ..Mover::default() });
        }
        for zone in 0..77 {
            let x = if zone < 70 { 500.0 } else { 10.0 };
            let (from, to) = (Vec3::new(x, -50.0, 0.0), Vec3::new(x, 50.0, 0.0));
            let area = Solid::Capsule { from, to, radius: 1.5 }.into();
            world.zones.push(Zone { name: zone.to_string(), area });
        }
        let log = Log::default();
        let slots = |kinds: &[EventKind]| {
            let logs = Logs { kinds: kinds.to_vec(), work, log: Arc::clone(&log) };
            vec![Slot::new("logs", 1, Some(Arc::new(logs)))]
        };
        (Simulation::new(world, kinds.map(slots).into()), log)
    }

    fn step(simulation: &mut Simulation, log: &Log) -> Vec<(usize, Event)> {
        simulation.step();
        std::mem::take(&mut log.lock().unwrap())
    }

    #[test]
    fn events_are_handled_in_the_order_of_units_and_zones() {
        let all = &EventKind::ALL[..];
        let (mut simulation, log) = simulation([all, &[EventKind::Touched]], 1);
        let of_zones = |event: fn(usize) -> Event| -> Vec<_> {
            (0..3).flat_map(|unit| (70..77).map(move |zone| (unit, event(zone)))).collect()
        };
        assert_eq!(step(&mut simulation, &log), []);
        assert_eq!(step(&mut simulation, &log), of_zones(|zone| Event::Entered { zone }));
        assert_eq!(step(&mut simulation, &log), of_zones(|zone| Event::Left { zone }));
        let mut touched = Vec::new();
        (0..6).for_each(|_| touched.extend(step(&mut simulation, &log)));
        assert_eq!(touched, [(0, Event::Touched { other: 3 }), (3, Event::Touched { other: 0 })]);
    }

    #[test]
    fn zones_that_a_reload_changed_are_left_and_entered_once_in_the_next_step() {
        let (mut simulation, log) = simulation([&EventKind::ALL, &[]], 1);
        (0..2).for_each(|_| _ = step(&mut simulation, &log));
        // The units move from x = 10 to 12. Zone 70 is removed, 71 moves away, and 0 moves to them.
        let world = simulation.world_mut();
        let former = world.zones.clone();
        world.former_zones = Some(former.clone());
        let far = former[0].area.clone();
        world.zones.remove(70);
        world.zones[70].area = far;
        let removed = world.zone_index("70").unwrap();
        assert_eq!((removed, &world.zone(removed).unwrap().name), (76 + 70, &former[70].name));
        let mut expected = Vec::new();
        for unit in 0..3 {
            expected.push((unit, Event::Entered { zone: 0 }));
            expected.extend((70..76).chain([removed]).map(|zone| (unit, Event::Left { zone })));
        }
        world.zones[0].area = Solid::ball(Vec3::new(12.0, 10.0, 0.0), 30.0).into();
        assert_eq!(step(&mut simulation, &log), expected);
        assert_eq!(simulation.world().former_zones, None);
        assert_eq!(step(&mut simulation, &log), []);
    }

    #[test]
    fn a_contact_that_lasts_is_not_found_again() {
        let mut world = testing::world(&[4], 1.0, |_, _| Default::default());
        let pairs = |pairs: &'static [(u32, u32)]| {
            let mut lists = PairLists::default();
            lists.set(4, pairs.len(), |at| pairs[at]);
            lists
        };
        let before = pairs(&[(0, 2)]);
        world.units.touching = pairs(&[(0, 3), (0, 2), (1, 0)]);
        let mut found = Vec::new();
        (0..4).for_each(|unit| find_touched((&world, &before), unit, &mut found));
        let touched = |unit, other| UnitEvent { unit, event: Event::Touched { other } };
        assert_eq!(found, [touched(0, 1), touched(0, 3), touched(1, 0), touched(3, 0)]);
    }

    #[test]
    fn only_kinds_that_a_behavior_handles_are_passed_to_it_while_it_is_enabled() {
        let (mut simulation, log) = simulation([&[EventKind::Left], &[]], 1);
        let mut all = Vec::new();
        (0..9).for_each(|_| all.extend(step(&mut simulation, &log)));
        assert!(all.len() == 21 && all.iter().all(|(_, event)| event.kind() == EventKind::Left), "{all:?}");
        let (mut simulation, log) = self::simulation([&EventKind::ALL, &EventKind::ALL], 1);
        (0..2).for_each(|group| simulation.tune(group, 0, 1.0, false));
        (0..9).for_each(|_| assert_eq!(step(&mut simulation, &log), []));
    }

    #[test]
    fn the_work_of_all_events_of_a_step_is_limited() {
        let (mut simulation, log) = simulation([&EventKind::ALL, &[]], work::share(3) / 2);
        step(&mut simulation, &log);
        assert_eq!(step(&mut simulation, &log).len(), 3);
        let report = &simulation.reports()[0];
        assert!(
            report.failure.exhausted && report.suspended.is_some() && report.first_step == 2,
            "{report:?}"
        );
        (0..9).for_each(|_| assert_eq!(step(&mut simulation, &log), []));
    }
}
