//! Signals, watched values and contacts from the view of behaviors.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use glam::Vec3;

use super::{Behavior, Contribution, DecidedStep, Frozen, Simulation, Slot, UnitContext, WatchValue};
use crate::dynamics::Motion;
use crate::perception::{List, Source};
use crate::world::{
    Body, Contact, Contacts, Controls, Edges, Flow, Group, Mover, NamedFlow, Rigid, Solid, World, testing,
};

fn simulation<B: Fn(&mut UnitContext) -> Contribution + Send + Sync + 'static>(
    world: World,
    behavior: B,
) -> Simulation {
    let behavior: Arc<dyn Behavior> = Arc::new(behavior);
    let slots = vec![Slot::new("test", 1, Some(behavior))];
    let groups = world.groups.len();
    Simulation::new(world, vec![slots; groups])
}

fn crowd() -> World {
    testing::world(&[300, 200], 1.0, |_, draw| (Vec3::new(draw(0), draw(1), 0.0), Vec3::ZERO))
}

#[test]
fn contacts_preserve_the_maximum_speed_of_movers_and_unit_headings() {
    for speed in [1e3, 1e6] {
        let rigid = Group {
            body: Body::Rigid(Rigid { thrust: 0.0, drag: 0.0, ..Rigid::default() }),
            ..Group::default()
        };
        let arena = testing::plane(400.0, 300.0, Edges::Open);
        let units = Contact::Bounce { restitution: 1.0 };
        let contacts = Contacts { units, reach: 1.0, ..Contacts::default() };
        let world = World { arena, contacts, step: 0.01, ..World::default() };
        let world = world.with_group(rigid, [(Vec3::new(90.0, 150.0, 0.0), Vec3::X * speed)]);
        let mut world = world.with_group(Group::default(), [(Vec3::new(100.0, 150.0, 0.0), Vec3::ZERO)]);
        world.groups[1].body = Body::Mover(Mover { max_speed: 24.0, ..Mover::default() });
        let mut simulation = simulation(world, |_: &mut UnitContext| Contribution::None);
        simulation.step();
        let units = &simulation.world().units;
        assert!((units.velocity[1].x - 24.0).abs() < 1e-4, "{speed}: {}", units.velocity[1]);
        assert!(units.heading[1].abs_diff_eq(Vec3::X, 1e-6), "{}", units.heading[1]);
    }
}

/// Every third unit sets the second of two signals in every second step, after reading all others.
fn signaling(context: &mut UnitContext) -> Contribution {
    let (unit, steps) = (context.unit(), context.world().steps);
    let expected = match (unit % 3, steps) {
        (0, 1..) => unit as f32 + ((steps - 1) / 2 * 2) as f32,
        _ => 0.0,
    };
    assert_eq!(context.signal(unit, 1), expected, "unit {unit} in step {steps}");
    assert_eq!((context.signal(unit, 0), context.signal(unit, 2)), (0.0, 0.0));
    if unit % 3 == 0 && steps.is_multiple_of(2) {
        assert!(context.set_signal(1, -1.0) && context.set_signal(1, unit as f32 + steps as f32));
        assert!(!context.set_signal(1, f32::NAN) && !context.set_signal(2, 1.0));
    }
    Contribution::None
}

#[test]
fn signals_are_visible_from_the_next_step_until_they_are_set_again() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let mut simulation = simulation(crowd(), signaling);
            simulation.set_names(&[], &["calm", "fear"].map(str::to_owned));
            (0..5).for_each(|_| simulation.step());
            simulation
        })
    };
    let mut one = run(1);
    assert_eq!(one.hash(), run(3).hash());
    assert_eq!(one.world().units.signals.get(3, 1), 7.0);
    let (before, hash) = (one.snapshot(), one.hash());
    let mut other = one.world().clone();
    other.units.signals.of_units_mut(3..4)[1] = 8.0;
    assert_ne!(hash, simulation(other, signaling).hash());
    (0..2).for_each(|_| one.step());
    assert_ne!(one.hash(), hash);
    one.restore(&before);
    assert_eq!(one.hash(), hash);
    one.set_names(&[], &["fear", "hunger"].map(str::to_owned));
    assert_eq!(one.world().units.signals.of(3), [7.0, 0.0]);
    // A name that returns has no value of the past.
    one.set_names(&[], &["calm", "hunger", "fear"].map(str::to_owned));
    assert_eq!(one.world().units.signals.of(3), [0.0, 0.0, 7.0]);
}

#[test]
fn a_world_without_signals_has_the_hash_of_one_without_the_feature() {
    let mut named = simulation(crowd(), |_: &mut UnitContext| Contribution::None);
    let hash = named.hash();
    named.set_names(&[], &[]);
    assert_eq!(named.hash(), hash);
    let names: Vec<_> = (0..20).map(|name| name.to_string()).collect();
    named.set_names(&[], &names);
    assert_eq!(named.world().signals.all().len(), 16);
    assert_ne!(named.hash(), hash);
}

#[test]
fn values_are_recorded_only_while_watching() {
    let mut simulation = simulation(crowd(), |context: &mut UnitContext| {
        let watching = context.is_watching();
        for name in 0..20 {
            context.watch(&name.to_string(), || {
                assert!(watching);
                WatchValue::Number(name as f32)
            });
        }
        Contribution::None
    });
    simulation.step();
    assert_eq!(simulation.watches().count(), 0);
    simulation.watching = true;
    simulation.step();
    let watched: Vec<_> = simulation.watches().map(|it| (it.unit, it.name.clone())).collect();
    let expected = (0..500).flat_map(|unit| (0..16).map(move |name| (unit, name.to_string())));
    assert!(watched.into_iter().eq(expected));
    simulation.watching = false;
    simulation.step();
    assert_eq!(simulation.watches().count(), 0);
}

#[test]
fn units_in_contact_in_the_last_step_are_a_list() {
    for (contact, expected) in
        [(Contact::None, vec![]), (Contact::Block, vec![1]), (Contact::Bounce { restitution: 1.0 }, vec![1])]
    {
        // The first two touch within one step, the third remains apart.
        let mut world = testing::world(&[3], 1.0, |unit, _| match unit {
            0 => (Vec3::X * -2.0, Vec3::X * 60.0),
            1 => (Vec3::X * 2.0, Vec3::X * -60.0),
            _ => (Vec3::Y * 9.0, Vec3::ZERO),
        });
        world.contacts.units = contact;
        world.groups[0].body = Body::Mover(Mover { length: 4.0, max_speed: 1e3, ..Mover::default() });
        let mut simulation = simulation(world, |_: &mut UnitContext| Contribution::None);
        simulation.step();
        let mut frozen = Frozen::clone(&simulation.frozen());
        frozen.sort();
        let mut context = UnitContext::new(Arc::new(frozen));
        context.set_unit(0);
        let list = List::all(Source::Touching);
        let touching: Vec<_> = context.units(list).map(|it| it.unit).collect();
        assert_eq!(touching, expected, "{contact:?}");
        assert_eq!(context.count(list), expected.len());
        context.set_unit(2);
        assert_eq!(context.count(list), 0);
    }
}

#[test]
fn deciding_ahead_returns_the_next_decisions_and_changes_no_state() {
    let wander = |context: &mut UnitContext| {
        let (unit, steps) = (context.unit() as f32, context.world().steps as f32);
        Contribution::Push(Vec3::new(unit, steps, 1.0))
    };
    let mut one = simulation(crowd(), wander);
    one.step();
    assert_eq!(one.decided(), DecidedStep::Last);
    let mut other = one.clone();
    let units: Vec<_> = (0..one.world().units.len()).collect();
    let keys: Vec<_> = units.iter().map(|unit| one.world().units.key[*unit]).collect();
    other.remove_units(&keys[..7]);
    one.remove_units(&keys[..7]);
    assert_eq!(one.decided(), DecidedStep::Unknown);
    let hash = one.hash();
    assert!(one.decide_next(&AtomicBool::new(false)));
    assert_eq!((one.decided(), one.hash()), (DecidedStep::Next, hash));
    let decided = |simulation: &Simulation| {
        let of_unit = |unit: usize| simulation.decisions(unit).next().map(|(_, contribution)| contribution);
        (0..simulation.world().units.len()).map(of_unit).collect::<Vec<_>>()
    };
    let next = decided(&one);
    one.step();
    other.step();
    assert_eq!((decided(&one), one.hash()), (next, other.hash()));
    assert!(!one.decide_next(&AtomicBool::new(true)));
    assert_eq!((one.decided(), one.hash()), (DecidedStep::Unknown, other.hash()));
    assert!(decided(&one).iter().all(|contribution| *contribution == Some(Contribution::None)));
}

#[test]
fn a_changed_input_invalidates_the_next_decisions_but_not_the_last() {
    type Change = fn(&mut Simulation);
    let inputs: [(&str, Change); 9] = [
        ("motion", |it| it.move_units(&[(it.world().units.key[0], Motion::from_unit(&it.world().units, 1))])),
        ("target", |it| it.set_target(Some(Vec3::X))),
        ("controls", |it| it.set_controls(Controls::default())),
        ("obstacle", |it| it.set_obstacle(0, &Solid::ball(Vec3::ONE, 3.0).into())),
        ("flows", |it| {
            let flow = Flow::still(&it.world().arena);
            it.set_flows(&[NamedFlow { name: "a".to_owned(), flow }]);
        }),
        ("view", |it| it.set_view(0, None)),
        ("gain", |it| it.tune(0, 0, 0.5, true)),
        ("marks", |it| it.set_names(&["a".to_owned()], &[])),
        ("signals", |it| it.set_names(&[], &["a".to_owned()])),
    ];
    let mut world = crowd();
    world.obstacles = [Solid::ball(Vec3::ZERO, 3.0).into()].into_iter().collect();
    let mut before = simulation(world, |_: &mut UnitContext| Contribution::None);
    before.step();
    for (input, change) in inputs {
        let mut simulation = before.clone();
        change(&mut simulation);
        assert_eq!(simulation.decided(), DecidedStep::Last, "{input}");
        let mut simulation = before.clone();
        assert!(simulation.decide_next(&AtomicBool::new(false)));
        change(&mut simulation);
        assert_eq!(simulation.decided(), DecidedStep::Unknown, "{input}");
    }
}
