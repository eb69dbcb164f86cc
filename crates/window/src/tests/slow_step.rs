//! The window responds during a slow step: steps here do not end until the test opens a gate.

use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Condvar, Mutex};

use steerbox_core::sim::{Behavior, Contribution, Simulation, Slot, UnitContext};

use super::stage::Stage;
use super::{SIZE, input, pressed};
use crate::App;
use crate::commands::action::{SessionAction, ViewAction};
use crate::model::frame_input::FrameInput;
use egui::Key;
use glam::Vec3;
use std::time::Duration;

const SCENE: &str = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()},
    groups: [(name: \"a\", body: \"m\", count: 2)])";

/// A gate that blocks every step until it is opened.
#[derive(Default)]
struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn open(&self) {
        *self.open.lock().unwrap() = true;
        self.opened.notify_all();
    }

    fn pass(&self) {
        let open = self.open.lock().unwrap();
        drop(self.opened.wait_while(open, |open| !*open).unwrap());
    }
}

/// A scene whose first step blocks at a gate, its file, and the channel that reports when the step reaches the gate.
struct Stuck {
    app: Stage,
    gate: Arc<Gate>,
    reached: Receiver<()>,
}

impl Stuck {
    fn new() -> Self {
        let mut app = Stage::of(&[("a.ron", SCENE)]);
        app.session.frame_wait = Duration::ZERO;
        app.session.swap_wait = Duration::ZERO;
        let (gate, (reach, reached)) = (Arc::new(Gate::default()), mpsc::channel());
        let passed = Arc::clone(&gate);
        decide_by(&mut app, move |_: &mut UnitContext| {
            let _ = reach.send(());
            passed.pass();
            Contribution::None
        });
        let mut stuck = Self { app, gate, reached };
        stuck.frame();
        stuck.reached.recv().unwrap();
        stuck
    }

    fn frame(&mut self) {
        self.app.frame(&input(), Duration::from_millis(17));
    }

    fn simulation(&self) -> &Simulation {
        &self.app.session.run.simulation
    }

    /// Sets the target; no behavior of the scene reads it.
    fn aim(&mut self, target: Vec3) {
        let simulation = &mut self.app.session.run.simulation;
        simulation.input(steerbox_project::session::Input::Target(Some(target)));
    }

    fn steps(&self) -> u64 {
        self.simulation().world().steps
    }

    /// Draws frames until `done`.
    fn frames_until(&mut self, done: impl Fn(&Self) -> bool) {
        while !done(self) {
            self.frame();
            std::thread::yield_now();
        }
    }
}

fn decide_by(app: &mut App, behavior: impl Behavior + 'static) {
    let slot = Slot::new("test", 1, Some(Arc::new(behavior)));
    let state = app.session.run.simulation.replace();
    state.simulation.replace_behaviors(vec![vec![slot]]);
}

#[test]
fn a_window_with_a_blocked_step_draws_pauses_and_accepts_a_save() {
    let mut stuck = Stuck::new();
    for size in [(300, 200), SIZE] {
        let input = FrameInput { size, ..input() };
        stuck.app.frame(&input, Duration::from_millis(17));
        let canvas = stuck.app.canvas();
        assert_eq!((canvas.width(), canvas.height()), size);
    }
    let space = pressed(Key::Space);
    stuck.app.frame(&space, Duration::from_millis(17));
    assert!(stuck.app.session.paused);
    let target = Vec3::new(10.0, 20.0, 0.0);
    stuck.aim(target);
    let target = Some(target);
    assert_eq!(stuck.simulation().world().target, target);
    stuck.app.write("a.ron", &SCENE.replace("count: 2", "count: 3"));
    stuck.frames_until(|stuck| stuck.simulation().world().units.len() == 3);
    assert_eq!(stuck.app.session.run.generation.number, 2);
    assert_eq!(stuck.simulation().world().target, target);
    assert_eq!(stuck.steps(), 0);
    stuck.gate.open();
    stuck.app.frame(&space, Duration::from_millis(17));
    stuck.frames_until(|stuck| stuck.steps() > 0);
}

#[test]
fn a_restart_does_not_wait_for_a_blocked_step() {
    let mut stuck = Stuck::new();
    stuck.app.session.act(&SessionAction::Restart);
    assert_eq!(stuck.simulation().slots(0).len(), 0);
    stuck.gate.open();
    stuck.frames_until(|stuck| stuck.steps() > 0);
    assert_eq!(stuck.simulation().slots(0).len(), 0);
}

#[test]
fn edits_that_replace_units_or_views_cancel_a_blocked_step() {
    let edits: [fn(&mut Stuck); 7] = [
        |stuck| stuck.app.act(ViewAction::DuplicateSelected),
        |stuck| stuck.app.act(ViewAction::AddAtPointer(None)),
        |stuck| stuck.app.act(ViewAction::RemoveSelected),
        |stuck| stuck.app.act(ViewAction::Nudge(glam::Vec2::X)),
        |stuck| stuck.app.session.act(&SessionAction::SetView(0, None)),
        |stuck| stuck.app.session.act(&SessionAction::Undo),
        |stuck| stuck.app.session.act(&SessionAction::GoToStep(0)),
    ];
    for (number, edit) in edits.into_iter().enumerate() {
        let mut stuck = Stuck::new();
        stuck.app.act(ViewAction::Select(vec![1]));
        if number == 5 {
            // The undone edit precedes the step.
            stuck.app.session.paused = true;
            stuck.app.session.act(&SessionAction::RemoveUnits(vec![0]));
            stuck.app.session.run.simulation.start(1);
        }
        assert!(stuck.app.session.run.simulation.busy().is_some(), "{number}");
        edit(&mut stuck);
        let is_canceled = stuck.app.session.run.simulation.busy().is_none();
        // The session records nothing: there is no past.
        assert_eq!(is_canceled, number < 6, "{number}");
        stuck.gate.open();
    }
}

#[test]
fn actions_during_a_step_are_executed_before_the_next() {
    let mut stuck = Stuck::new();
    let mut plain = Simulation::clone(stuck.simulation());
    let target = Vec3::new(10.0, 20.0, 0.0);
    let toward = move |context: &mut UnitContext| {
        let world = context.world();
        let way = world.target.unwrap_or_default() - world.units.position[context.unit()];
        Contribution::Push(way)
    };
    plain.replace_behaviors(vec![vec![Slot::new("test", 1, Some(Arc::new(toward)))]]);
    decide_by(&mut stuck.app, toward);
    stuck.app.session.paused = true;
    // The step is blocked before it has begun: the only thread still runs the previous one.
    stuck.app.session.act(&SessionAction::Step);
    stuck.frame();
    assert_eq!(stuck.steps(), 0);
    stuck.aim(target);
    stuck.frame();
    assert_eq!(stuck.steps(), 0);
    assert_eq!(stuck.simulation().world().target, Some(target));
    stuck.gate.open();
    stuck.frames_until(|stuck| stuck.steps() == 1);
    plain.step();
    plain.set_target(Some(target));
    assert_eq!(stuck.simulation().world().target, Some(target));
    assert_eq!(stuck.simulation().hash(), plain.hash());
    stuck.app.session.act(&SessionAction::Step);
    stuck.frames_until(|stuck| stuck.steps() == 2);
    plain.step();
    assert_eq!(stuck.simulation().hash(), plain.hash());
}

#[test]
fn closing_does_not_wait_for_a_blocked_step() {
    let Stuck { app, gate, .. } = Stuck::new();
    drop(app);
    gate.open();
}

#[test]
fn a_panic_in_a_step_pauses_and_is_reported() {
    let mut stuck = Stuck::new();
    stuck.gate.open();
    decide_by(&mut stuck.app, |_: &mut UnitContext| -> Contribution { panic!("as the test wants") });
    stuck.frames_until(|stuck| stuck.app.session.paused);
    assert_eq!(stuck.steps(), 0);
    let mut lines = stuck.app.session.log.lines();
    assert!(lines.any(|line| line.text.starts_with("an internal error")));
}

#[test]
fn a_paused_scene_is_drawn_only_when_something_changes() {
    let mut stuck = Stuck::new();
    stuck.gate.open();
    stuck.app.session.paused = true;
    stuck.frames_until(|stuck| stuck.app.session.run.simulation.busy().is_none());
    let mut draws = |input: &FrameInput| {
        let passed = Duration::from_millis(17);
        stuck.app.frame_if_new(input, passed, true).is_some()
    };
    // The pending requests are completed first.
    while draws(&input()) {}
    assert!(!(0..50).any(|_| draws(&input())));
    let wide = FrameInput { size: (500, 400), ..input() };
    assert!(draws(&wide));
    stuck.app.opened(Duration::ZERO);
    let passed = Duration::from_millis(17);
    assert!(stuck.app.frame_if_new(&wide, passed, true).is_some());
}
