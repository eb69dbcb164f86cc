//! Stored states.

use super::*;
use crate::sim::{Behavior, Contribution, Failure, Slot, UnitContext, number_words};
use crate::world::{Distribution, GridRules, ScalarGrid, Solid, testing};

/// Turns by a memory that counts calls.
struct Counts(MemoryLayout);

impl Behavior for Counts {
    fn memory(&self) -> &MemoryLayout {
        &self.0
    }

    fn decide(&self, context: &mut UnitContext, words: &mut [u32]) -> Result<Contribution, Failure> {
        let count = f32::from_bits(words[0]) + 1.0 + context.unit() as f32;
        words[0] = count.to_bits();
        Ok(Contribution::Push(Vec3::new(count, 0.5, 0.0)))
    }
}

fn simulation() -> Simulation {
    let mut layout = MemoryLayout::default();
    layout.push("count", FieldKind::Number, number_words(2.0));
    let behavior: Arc<dyn Behavior> = Arc::new(Counts(layout));
    let mut world = testing::world(&[3, 2], 1.0, |unit, _| (Vec3::new(9.0 * unit as f32, 1.0, 0.0), Vec3::X));
    world.player = Some(4);
    world.name_signals(&["s".to_owned()]);
    let rules = GridRules { cell: 0.25, diffusion: 1.0, evaporation: 0.1 };
    world.grids.push(ScalarGrid::new("trail", rules, &world.arena).filled(&Distribution::Constant(2.0), 1));
    let mut simulation = Simulation::new(world, vec![vec![Slot::new("counts", 7, Some(behavior))]]);
    simulation.set_target(Some(Vec3::Y));
    simulation.tune(0, 0, 0.25, true);
    simulation
}

type Change = fn(&mut SavedState);

/// A state as a file holds it.
fn stored(state: &SavedState) -> SavedState {
    postcard::from_bytes(&postcard::to_stdvec(state).unwrap()).unwrap()
}

#[test]
fn a_loaded_state_continues_like_the_saved_one() {
    let mut one = simulation();
    (0..5).for_each(|_| one.step());
    one.remove_units(&[one.world().units.key[1]]);
    let state = stored(&one.saved_state());
    let mut other = simulation();
    other.load_state(&state).unwrap();
    assert_eq!((other.hash(), other.world()), (one.hash(), one.world()));
    (0..5).for_each(|_| (one.step(), other.step()).0);
    assert_eq!((other.hash(), other.world()), (one.hash(), one.world()));
    assert_eq!(other.slots(0)[0].gain, 0.25);
}

#[test]
fn names_that_only_the_state_has_do_not_displace_those_of_the_scene() {
    let mut old = simulation();
    let names: Vec<_> = (0..16).map(|at| format!("old{at}")).collect();
    let marks: Vec<_> = (0..64).map(|at| format!("mark{at}")).collect();
    old.set_names(&marks, &names);
    let state = stored(&old.saved_state());
    let mut new = simulation();
    new.load_state(&state).unwrap();
    assert_eq!(new.hash(), old.hash());
    new.set_names(&["m".to_owned()], &["s".to_owned()]);
    assert_eq!((new.world().marks.bit("m"), new.world().signals.index("s")), (Some(1), Some(0)));
    assert_eq!(new.world().units.signals.all(), [0.0; 5]);
}

#[test]
fn changes_of_earlier_versions_have_no_births_and_deaths() {
    let started: std::collections::BTreeMap<_, _> = [("a".to_owned(), 1_usize)].into();
    let earlier = (vec![(1_u64, 0.5_f32)], Vec::<(usize, f64)>::new(), None::<Vec<Zone>>, started.clone());
    let bytes = postcard::to_stdvec(&earlier).expect("it is encoded");
    let changes: SavedChanges = postcard::from_bytes(&bytes).expect("it is decoded");
    assert_eq!(changes, SavedChanges { steps: vec![(1, 0.5)], started, ..SavedChanges::default() });
}

#[test]
fn every_part_of_a_state_is_hashed_or_listed_with_the_reason() {
    let mut simulation = simulation();
    (0..3).for_each(|_| simulation.step());
    let good = simulation.saved_state();
    // The compiler demands new fields here; `false` marks those that are not hashed.
    let SavedState { steps: _, seed: _, target: _, controls: _, player: _, marks: _, .. } = &good;
    let SavedState { signals: _, obstacles: _, grids: _, touching: _, groups, changes, .. } = &good;
    let SavedChanges { steps: _, leads: _, zones: _, started: _, population: _ } = changes;
    let SavedGroup { name: _, view: _, units, behaviors } = &groups[0];
    let SavedBehavior { key: _, gain: _, enabled: _, suspension: _ } = &behaviors[0];
    let SavedUnit { key: _, motion: _, born: _, marks: _, signals: _, memory: _ } = &units[0];
    let changes: [(bool, Change); 20] = [
        (true, |state| state.steps += 1),
        (true, |state| state.seed += 1),
        (true, |state| state.grids[0].1[3] += 1.0),
        (true, |state| state.changes.steps = vec![(1, 0.5)]),
        (true, |state| state.groups[0].units[0].motion.angular_velocity.z += 1.0),
        (true, |state| state.groups[0].units[0].born = 1),
        (true, |state| state.groups[0].units[0].marks = 1),
        (true, |state| state.groups[0].units[0].signals[0] = 1.0),
        (true, |state| state.groups[0].units[0].memory[0].2[0] ^= 1),
        // Input, which sessions record beside the hashes.
        (false, |state| state.target = None),
        (false, |state| state.controls.turn = 1.0),
        (false, |state| state.player = Some(state.groups[0].units[0].key)),
        (false, |state| state.groups[0].behaviors[0].gain = 0.5),
        (false, |state| state.groups[0].behaviors[0].enabled = false),
        // Names, whose bits and slots are hashed.
        (false, |state| state.marks.push("more".to_owned())),
        // Functions of the scene, and of earlier states.
        (false, |state| state.obstacles.push(Solid::ball(Vec3::ZERO, 1.0).into())),
        (false, |state| state.changes.zones = Some(Vec::new())),
        (false, |state| state.changes.started = [("a".to_owned(), 1)].into()),
        (false, |state| state.changes.population = [("a".to_owned(), [1, 0])].into()),
        (false, |state| state.groups[0].units[0].key ^= 1),
    ];
    for (number, (is_hashed, change)) in changes.into_iter().enumerate() {
        let mut state = good.clone();
        change(&mut state);
        let mut loaded = self::simulation();
        loaded.load_state(&state).unwrap();
        assert_eq!(loaded.hash() != simulation.hash(), is_hashed, "change {number}");
    }
}

#[test]
fn impossible_states_are_rejected_and_change_nothing() {
    let mut simulation = simulation();
    let (good, before) = (simulation.saved_state(), simulation.hash());
    let changes: [(&str, Change); 15] = [
        ("not finite", |state| state.groups[0].units[0].motion.position.x = f32::NAN),
        ("perpendicular", |state| state.groups[0].units[0].motion.up = Vec3::X * 2.0),
        ("after the moment", |state| state.groups[0].units[0].born = 1),
        ("incomplete", |state| state.groups[0].units[1].memory[0].2.clear()),
        ("same key", |state| state.groups[0].units[0].key = state.groups[0].units[1].key),
        ("its groups are", |state| state.groups[0].name.push('x')),
        ("no view zoom", |state| state.groups[0].view = Some("zoom".to_owned())),
        ("no player", |state| state.player = Some(1)),
        ("are not finite", |state| state.target = Some(Vec3::NAN)),
        ("no grid trail", |state| state.grids[0].0.push('x')),
        ("no grid trail of the same cells", |state| state.grids[0].1[3] = f32::NAN),
        ("durations of its steps", |state| state.changes.steps = vec![(1, 0.1)]),
        ("way of an obstacle", |state| state.changes.leads = vec![(0, f64::NAN)]),
        ("a zone", |state| {
            let area = Solid::Ball { center: Vec3::NAN, radius: 1.0 }.into();
            state.changes.zones = Some(vec![Zone { name: "q".to_owned(), area }]);
        }),
        ("signals: at most", |state| state.signals = (0..99).map(|at| at.to_string()).collect()),
    ];
    for (reason, change) in changes {
        let mut state = good.clone();
        change(&mut state);
        let error = simulation.load_state(&state).unwrap_err();
        assert!(error.0.contains(reason), "{error}");
        assert_eq!(postcard::to_stdvec(&state).is_err(), reason == "perpendicular", "{reason}");
        assert_eq!(simulation.hash(), before);
    }
    simulation.load_state(&good).unwrap();
    assert_eq!(simulation.hash(), before);
}
