//! Random runs of a scene: every recorded step is reproduced bit by bit.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use glam::Vec3;
use proptest::prelude::*;
use proptest::test_runner::Config;
use steerbox_core::dynamics::Motion;
use steerbox_core::sim::UnitState;
use steerbox_core::world::{Controls, Obstacle, ParamValue, Path, Solid, World, testing};
use steerbox_scene::{SceneEdit, newcomer, shifted};
use steerbox_script::Execution;

use super::*;
use crate::reload::{Generation, Handle, KnobName, Loader, Place, Project};

mod attached;
mod changed_past;
mod drawn;
mod expectations;
mod film;
mod moving;
mod random_edits;
mod reproduced;
mod retimed;
mod table;
mod trials;
mod two_runs;

const SCENE: &str = "(world: Plane(size: (60, 60), edges: Bounce), contacts: (obstacles: Bounce(restitution: 0.5), units: Bounce(restitution: 0.5)),
    bodies: {\"m\": Mover(length: Normal(2, 0.2), max_speed: Uniform(6, 12)), \"r\": Rigid(mass: Normal(10, 2), inertia: 10, length: 2, width: 1, thrust: 10)},
    views: {\"far\": Wide(radius: 40), \"near\": Limited(radius: 6)},
    groups: [
        (name: \"a\", body: \"m\", count: 9, most: 14, view: \"far\", behaviors: [(script: \"own\", params: {\"REACH\": Normal(3, 1)}), (script: \"cohesion\", params: {\"REACH\": Uniform(5, 40)})]),
        (name: \"b\", body: \"r\", count: 5, most: 7, path: \"way\", behaviors: [(script: \"own\", gain: 0.5), (script: \"wander\")]),
    ],
    paths: {\"way\": (points: [(5, 5), (50, 30)])},
    obstacles: [Circle(center: (20, 20), radius: 5), Circle(center: (40, 40), radius: 3, path: \"way\", speed: 6), Circle(center: (3, 0), radius: 2, attached: \"b\", unit: 1)], scatter: [(count: 2, radius: 2)],
    player: (body: \"m\", keys: Arrows),
    expect: [(measure: \"count\", group: \"a\", below: 9, by: 0.5)])";

/// Versions of the scene's script: with memory, random draws, errors, an import, births and deaths.
const SCRIPTS: [&str; 7] = [
    "fn steer(me, world) { me.random_direction() * 0.3 }",
    "const MEMORY = #{ turns: 0.0 };
     fn steer(me, world) { this.turns += me.random(); vec(sin(this.turns), cos(this.turns)) * 0.2 }",
    "const MEMORY = #{ turns: 1.0, far: vec(0, 0) }; const REACH = param(3.0, 0.0, 9.0);
     fn steer(me, world) {
         this.turns += 0.1; this.far += me.velocity * 0.01;
         if world.target == () { return (); }
         (world.target - me.position).limit(REACH) * 0.1 + this.far * 0.01
     }",
    "fn steer(me, world) { if me.id == 3 { throw \"three\"; } me.neighbors.mean_velocity * 0.1 }",
    "import \"part\" as part;
     fn steer(me, world) { part::away(me) }",
    "fn steer(me, world) { if me.path == () { return (); } (me.path.nearest_point(me.position) - me.position) * 0.1 }",
    "const MEMORY = #{ age: 0.0 };
     fn born(parent, me) { this.age = if parent == () { 0.8 } else { me.random() }; }
     fn steer(me, world) {
         this.age += me.random() * world.step;
         if this.age > 2.0 { me.die(); }
         if me.random() < 0.02 { me.spawn(\"a\"); me.spawn(\"b\", me.position + vec(2, 0), vec(0, 3)); }
         me.heading * 0.1
     }",
];
const PARTS: [&str; 2] = [
    "fn away(me) { let it = me.others.nearest; if it == () { return vec(0, 0); } (me.position - it.position) * 0.05 }",
    "fn away(me) { vec(0.1, me.random()) }",
];

/// Events of a run.
#[derive(Clone, Debug)]
enum Event {
    Steps(u32),
    Gain(f32, bool),
    Reach(f32),
    Target(Option<(f32, f32)>),
    Controls(f32, f32),
    Drag(f32, f32),
    Move(usize, f32, f32),
    AddObstacle(f32, f32),
    CopyObstacle(usize),
    RemoveObstacle(usize),
    UndoEdit,
    Draw(usize, f32, f32),
    /// The generation of the loader after edits.
    Catch,
    View(usize, Option<usize>),
    Script(usize),
    Part(usize),
    More(usize),
    Throw(usize, [f32; 4]),
    Add(usize, [f32; 2]),
    Copy(usize),
    Remove(usize),
    AddAgain,
    Restart,
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let place = || (0.0_f32..60.0, 0.0_f32..60.0);
    let event = prop_oneof![
        6 => (1_u32..12).prop_map(Event::Steps),
        1 => (0.0_f32..2.0, any::<bool>()).prop_map(|(gain, on)| Event::Gain(gain, on)),
        1 => (0.0_f32..9.0).prop_map(Event::Reach),
        1 => proptest::option::of(place()).prop_map(Event::Target),
        1 => (-1.0_f32..1.0, -1.0_f32..1.0).prop_map(|(turn, power)| Event::Controls(turn, power)),
        1 => place().prop_map(|(x, y)| Event::Drag(x, y)),
        1 => (0_usize..9, place()).prop_map(|(at, (x, y))| Event::Move(at, x, y)),
        2 => place().prop_map(|(x, y)| Event::AddObstacle(x, y)),
        1 => (0_usize..9).prop_map(Event::CopyObstacle),
        1 => (0_usize..9).prop_map(Event::RemoveObstacle),
        2 => Just(Event::UndoEdit),
        1 => (0_usize..3, place()).prop_map(|(which, (x, y))| Event::Draw(which, x, y)),
        1 => Just(Event::Catch),
        1 => (0_usize..2, proptest::option::of(0_usize..2)).prop_map(|(group, view)| Event::View(group, view)),
        2 => (0..SCRIPTS.len()).prop_map(Event::Script),
        1 => (0..PARTS.len()).prop_map(Event::Part),
        1 => (3_usize..12).prop_map(Event::More),
        1 => (0_usize..20, proptest::array::uniform4(-9.0_f32..60.0)).prop_map(|(unit, to)| Event::Throw(unit, to)),
        1 => (0_usize..2, proptest::array::uniform2(0.0_f32..60.0)).prop_map(|(group, at)| Event::Add(group, at)),
        1 => (0_usize..20).prop_map(Event::Copy),
        1 => (0_usize..20).prop_map(Event::Remove),
        1 => Just(Event::AddAgain),
        1 => Just(Event::Restart),
    ];
    proptest::collection::vec(event, 4..24)
}

/// A run, and the state before each of its steps.
struct Run {
    folder: tempfile::TempDir,
    session: Session,
    project: Project,
    seen: Vec<(u64, World)>,
    /// Units that were removed.
    removed: Vec<UnitState>,
    /// Edits of the scene.
    edits: Vec<SceneEdit>,
}

impl Run {
    fn new(keep: Keep, threads: usize, execution: Execution) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("scripts")).unwrap();
        let path = folder.path().join("a.ron");
        std::fs::write(&path, SCENE).unwrap();
        std::fs::write(folder.path().join("scripts/own.rhai"), SCRIPTS[0]).unwrap();
        std::fs::write(folder.path().join("scripts/part.rhai"), PARTS[0]).unwrap();
        let place = Place::of_scene(&path);
        let (project, _) = Loader::load_as(place.clone(), Vec::new(), execution).unwrap();
        let options = Options { keep, execution, threads: Some(threads), ..Options::new(place) };
        let session = Session::open(options).unwrap();
        Self { folder, session, project, seen: Vec::new(), removed: Vec::new(), edits: Vec::new() }
    }

    fn note(&mut self) {
        let world = self.session.simulation.world().clone();
        self.seen.retain(|(_, seen)| seen.steps < world.steps);
        self.seen.push((self.session.simulation.hash(), world));
    }

    fn swap(&mut self) {
        let generation: Generation = self.project.compose().unwrap();
        self.session.swap(generation);
    }

    fn apply(&mut self, event: &Event) {
        let own = || Handle { group: "a".to_owned(), script: "own".to_owned(), occurrence: 0 };
        match event {
            Event::Steps(count) => {
                for _ in 0..*count {
                    self.note();
                    assert!(self.session.simulation.step(&AtomicBool::new(false)));
                }
            }
            Event::Gain(gain, on) => self.session.input(Input::Tune(0, 1, *gain, *on)),
            Event::Reach(reach) => {
                self.project.tune(own(), KnobName::Param("REACH".to_owned()), ParamValue::Number(*reach));
                self.swap();
            }
            Event::Target(at) => self.session.input(Input::Target(at.map(|(x, y)| Vec3::new(x, y, 0.0)))),
            Event::Controls(turn, power) => {
                self.session.input(Input::Controls(Controls { turn: *turn, rise: 0.0, power: *power }));
            }
            Event::Drag(x, y) => {
                let solid = Solid::ball(Vec3::new(*x, *y, 0.0), x.max(1.0));
                self.session.input(Input::Obstacle(0, solid.into()));
            }
            Event::Move(at, x, y) => {
                let Some((at, from)) = self.obstacle(*at) else { return };
                let to = shifted(&from, Vec3::new(*x, *y, 0.0) - from.position());
                self.edit(SceneEdit::Obstacle { at, from: Some(from), to });
            }
            Event::AddObstacle(x, y) => {
                let at = self.session.newest().scene.world.obstacles.len();
                let to = Some(Solid::ball(Vec3::new(*x, *y, 0.0), 3.0).into());
                self.edit(SceneEdit::Obstacle { at, from: None, to });
            }
            Event::CopyObstacle(at) => {
                let Some((at, from)) = self.obstacle(*at) else { return };
                self.edit(SceneEdit::Obstacle { at, from: None, to: shifted(&from, Vec3::ONE.with_z(0.0)) });
            }
            Event::RemoveObstacle(at) => {
                let Some((at, from)) = self.obstacle(*at) else { return };
                self.edit(SceneEdit::Obstacle { at, from: Some(from), to: None });
            }
            Event::UndoEdit => {
                let Some(edit) = self.edits.pop() else { return };
                self.edit(edit.reversed());
                self.edits.pop();
            }
            Event::Draw(which, x, y) => {
                let name = ["way", "new", "newer"][*which].to_owned();
                let paths = &self.session.newest().scene.world.paths;
                let from = paths.iter().find(|path| path.name == name).map(|path| path.path.clone());
                let to = Path::new(vec![Vec3::ZERO, Vec3::new(*x, *y, 0.0)], *x > *y, 3.0);
                self.edit(SceneEdit::Path { name, from, to });
            }
            Event::Catch => self.swap(),
            Event::View(group, view) => {
                let world = self.session.simulation.world();
                let view = view.and_then(|view| world.views.get(view)).map(|view| view.name.clone());
                let group = world.groups[*group].name.clone();
                self.session.input(Input::View(group, view));
            }
            Event::Script(at) => {
                self.project.set_script("own", 0, Some(Ok(SCRIPTS[*at].into())));
                self.swap();
            }
            Event::Part(at) => {
                self.project.set_script("part", 0, Some(Ok(PARTS[*at].into())));
                self.swap();
            }
            Event::More(count) => {
                let text = SCENE.replace("count: 9", &format!("count: {count}"));
                self.project.set_scene(Some(Ok(text.into())));
                self.swap();
            }
            Event::Throw(unit, [x, y, vx, vy]) => {
                let Some(state) = self.unit(*unit) else { return };
                let (position, velocity) = (Vec3::new(*x, *y, 0.0), Vec3::new(*vx, *vy, 0.0));
                let motion = Motion { position, velocity, ..state.motion };
                self.session.input(Input::MoveUnits(vec![(state.key, motion)]));
            }
            Event::Add(group, [x, y]) => {
                let world = self.session.simulation.world();
                let new = newcomer(&self.session.generation.scene, world, *group).unwrap();
                let mut state = UnitState::new(&new, 0, &world.groups[*group].name);
                state.motion.position = Vec3::new(*x, *y, 0.0);
                self.session.input(Input::AddUnits(vec![state]));
            }
            Event::Copy(unit) => {
                let Some(state) = self.unit(*unit) else { return };
                let key = self.session.simulation.world().free_keys()(state.key);
                self.session.input(Input::AddUnits(vec![UnitState { key, ..state }]));
            }
            Event::Remove(unit) => {
                let Some(state) = self.unit(*unit) else { return };
                self.session.input(Input::RemoveUnits(vec![state.key]));
                self.removed.push(state);
            }
            Event::AddAgain => {
                let states = std::mem::take(&mut self.removed);
                self.session.input(Input::AddUnits(states));
            }
            Event::Restart => drop(self.session.restart()),
        }
    }

    /// Edits the scene, in the session and in the project.
    fn edit(&mut self, edit: SceneEdit) {
        if self.session.edit(&edit).is_ok() {
            self.project.count_edit();
            self.project.edit(&edit);
            self.edits.push(edit);
        }
    }

    /// Returns an existing obstacle.
    fn obstacle(&self, at: usize) -> Option<(usize, Obstacle)> {
        let obstacles = &self.session.newest().scene.world.obstacles;
        let at = at % obstacles.len().max(1);
        Some((at, obstacles.get(at)?.clone()))
    }

    /// Returns an existing unit with its memory.
    fn unit(&self, unit: usize) -> Option<UnitState> {
        let count = self.session.simulation.world().units.len().max(1);
        self.session.simulation.unit_state(unit % count)
    }

    /// Seeks a step and compares it with the state when it was made.
    fn check(&mut self, step: u64) {
        self.session.show_step(step);
        while self.session.is_seeking() {
            self.session.settle(Duration::MAX);
        }
        let (hash, world) = self.seen.iter().find(|(_, world)| world.steps == step).unwrap();
        assert_eq!(self.session.simulation.world().steps, step);
        assert_eq!(self.session.simulation.hash(), *hash, "step {step}");
        assert_eq!(self.session.simulation.world(), world, "step {step}");
    }
}

fn keep(interval: u64, memory: usize) -> Keep {
    Keep { memory, seek: Duration::MAX, interval }
}

proptest! {
    #![proptest_config(Config { cases: 24, failure_persistence: None, ..Config::default() })]

    #[test]
    fn recorded_steps_are_reproduced_bit_by_bit(
        events in events(),
        looks in proptest::collection::vec(any::<proptest::sample::Index>(), 1..12),
        interval in 1_u64..20,
        threads in prop_oneof![Just(1_usize), Just(2), Just(4)],
        interpreted in any::<bool>(),
    ) {
        let execution = if interpreted { Execution::Interpreted } else { Execution::default() };
        let mut run = Run::new(keep(interval, 64 << 20), threads, execution);
        for event in &events {
            run.apply(event);
        }
        run.note();
        let Some(recorded) = run.session.recorded() else { return Ok(()) };
        prop_assert!(*recorded.start() == 0 || run.seen.len() as u64 > recorded.end() - recorded.start());
        let present = run.session.simulation.hash();
        let count = recorded.end() - recorded.start() + 1;
        for look in looks {
            run.check(recorded.start() + look.index(count as usize) as u64);
        }
        run.session.return_to_present();
        prop_assert_eq!(run.session.simulation.hash(), present);
        // Showing steps has no effect on the run.
        run.apply(&Event::Steps(3));
        run.note();
        run.check(*recorded.end() + 1);
    }
}

proptest! {
    #![proptest_config(Config { cases: 24, failure_persistence: None, ..Config::default() })]

    #[test]
    fn a_replay_in_a_file_reproduces_every_step(
        events in events(),
        threads in prop_oneof![Just(1_usize), Just(3)],
        interpreted in any::<bool>(),
    ) {
        let execution = if interpreted { Execution::Interpreted } else { Execution::default() };
        let mut run = Run::new(keep(u64::MAX, usize::MAX), threads, Execution::default());
        for event in &events {
            run.apply(event);
        }
        run.note();
        if run.session.recorded().is_none() {
            return Ok(());
        }
        let file = run.session.replay_file(Digests::default()).unwrap();
        let file = ReplayFile::from_bytes(&file.to_bytes().unwrap()).unwrap();
        let seen = std::mem::take(&mut run.seen);
        let mut at = seen.iter().filter(|(_, world)| world.steps > file.start.steps());
        let last = file.load(execution).unwrap().run(file.last, &AtomicBool::new(false), |simulation| {
            // Inputs after the step are part of the next known state.
            at.next().is_some_and(|(_, world)| world.steps == simulation.world().steps)
        });
        prop_assert_eq!(last.world(), &seen.last().unwrap().1);
        prop_assert_eq!((last.hash(), file.hash), (seen.last().unwrap().0, seen.last().unwrap().0));
    }
}

#[test]
fn the_history_stays_within_its_memory_and_contains_the_newest_steps() {
    let budget = 200_000;
    let mut run = Run::new(keep(4, budget), 1, Execution::default());
    for round in 0..60 {
        run.apply(&Event::Steps(10));
        run.apply(&Event::Target(Some((round as f32, 1.0))));
        assert!(run.session.recorded_bytes() <= budget, "{}", run.session.recorded_bytes());
    }
    run.note();
    let recorded = run.session.recorded().unwrap();
    assert!(*recorded.start() > 100 && *recorded.end() == 600, "{recorded:?}");
    for step in [*recorded.start(), recorded.start() + 1, 590, 599] {
        run.check(step);
    }
    run.session.show_step(0);
    assert_eq!(run.session.past_step(), Some(*recorded.start()));
}

#[test]
fn nothing_is_recorded_without_memory() {
    let mut run = Run::new(Keep::NOTHING, 1, Execution::default());
    run.apply(&Event::Steps(3));
    run.apply(&Event::Target(None));
    assert_eq!((run.session.recorded(), run.session.recorded_bytes()), (None, 0));
    run.session.show_step(1);
    assert_eq!(run.session.past_step(), None);
}

#[test]
fn the_past_begins_again_with_the_step_after_edits_that_exceed_its_memory() {
    let mut run = Run::new(keep(100, 20_000), 1, Execution::default());
    run.apply(&Event::Steps(3));
    for _ in 0..200 {
        run.apply(&Event::Copy(0));
        if run.session.recorded().is_none() {
            break;
        }
    }
    assert_eq!(run.session.recorded(), None);
    run.apply(&Event::Steps(1));
    assert_eq!(run.session.recorded(), Some(3..=4));
}

#[test]
fn consecutive_steps_end_when_canceled_or_when_the_observer_fails() {
    let mut run = Run::new(keep(4, 200_000), 2, Execution::default());
    let mut one_by_one = Run::new(Keep::NOTHING, 1, Execution::default());
    one_by_one.apply(&Event::Steps(10));
    let (go_on, cancel, mut looks) = (AtomicBool::new(false), AtomicBool::new(true), 0);
    let steps = &mut run.session.simulation;
    let looked = steps.steps(7, &go_on, |simulation| {
        looks += 1;
        if simulation.world().steps == looks { Ok(()) } else { Err("a step was skipped") }
    });
    assert_eq!((looked, looks), (Ok(()), 7));
    assert_eq!(steps.steps(9, &cancel, |_| Err("canceled before the first step")), Ok(()));
    let looked = steps.steps(
        9,
        &go_on,
        |simulation| if simulation.world().steps < 10 { Ok(()) } else { Err("enough") },
    );
    assert_eq!((looked, steps.world().steps), (Err("enough"), 10));
    assert_eq!(steps.hash(), one_by_one.session.simulation.hash());
    assert_eq!(run.session.recorded(), Some(0..=10));
    let steps = &mut run.session.simulation;
    let nobody = testing::world(&[], 1.0, |_, _| (Vec3::ZERO, Vec3::ZERO));
    steps.replace().simulation.adopt(nobody, &[], Vec::new());
    assert_eq!(steps.steps(9, &cancel, |_| Err("canceled without a decide phase")), Ok(()));
}
