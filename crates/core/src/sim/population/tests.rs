//! Tests of births, deaths and headings.

use std::sync::Mutex;

use super::*;
use crate::sim::{
    Behavior, Contribution, EventKind, Failure, FieldKind, Handled, Inspection, Measure, MeasureNames,
    MemoryLayout, Slot, UnitContext, number_words,
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
    (world.groups[1].name, world.groups[1].most) = ("b".to_owned(), Some(4));
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
    let counts = |name: &str| {
        let of = |what| Measure::parse(&format!("{name}.{what}"), &MeasureNames::of(&simulation));
        ["births", "deaths"].map(|what| of(what).expect("a measure").value(&simulation))
    };
    assert_eq!((counts("a"), counts("b")), ([Some(0.0), Some(1.0)], [Some(2.0), Some(2.0)]));
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
fn an_inspection_of_a_unit_that_dies_has_the_memory_after_its_last_decision() {
    let act: Act = |context| if context.world().steps == 2 { context.die() } else { Ok(()) };
    let (mut simulation, _) = simulation(act, NOTHING);
    simulation.world_mut().groups[1].view = None;
    let cancel = std::sync::atomic::AtomicBool::new(false);
    for steps in 1..=3 {
        let mut inspection = None;
        simulation.try_step_with(&cancel, |decided| inspection = Some(Inspection::new(decided, 4)));
        let mut inspection = inspection.unwrap();
        inspection.finish(&simulation);
        assert_eq!(inspection.now.is_none(), steps == 3);
        let memory = ("steps".to_owned(), crate::sim::MemoryValue::Number(steps as f32));
        assert_eq!(inspection.rules[0].memory, [memory]);
    }
}

#[test]
fn everybody_and_the_player_may_die() {
    let (mut simulation, acts) = simulation(UnitContext::die, NOTHING);
    simulation.world_mut().player = Some(4);
    (0..3).for_each(|_| simulation.step());
    assert_eq!((simulation.world().units.len(), simulation.world().player), (0, None));
    assert_eq!((simulation.world().groups[1].units.clone(), acts.births.lock().unwrap().len()), (0..0, 0));
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
        let reported: Vec<_> = simulation.reports().iter().map(|it| it.failure.message.as_str()).collect();
        assert!(reported.contains(&message), "{reported:?}");
    }
}
