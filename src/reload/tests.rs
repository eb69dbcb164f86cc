//! Contents become generations: what is good goes live, what is not changes nothing but a message.

use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::diagnostics::Fault;
use crate::scene::ParamValue;
use crate::sim::{Contribution, Simulation};

const SCENE: &str = "(world: Plane(size: (100, 100)), bodies: { \"m\": Mover() },
    groups: [(name: \"a\", body: \"m\", count: 3, behaviors: [(script: \"one\", params: {\"K\": 2}), (script: \"two\")])])";
const ONE: &str = "const K = param(1.0, 0.0, 9.0);\nconst MEMORY = #{ n: 0 };\nfn steer(me, world) { this.n += 1; K }";
const TWO: &str = "fn steer(me, world) { vec(1, 0) }";

/// A project and a simulation that runs it.
struct Desk {
    project: Project,
    generation: Generation,
    simulation: Simulation,
}

#[allow(clippy::unnecessary_wraps, reason = "the shape that projects take")]
fn text(text: &str) -> Option<Result<Arc<str>, Fault>> {
    Some(Ok(text.into()))
}

impl Desk {
    fn new() -> Self {
        let mut project = Project::new(Place::of_scene(Path::new("/p/scenes/s.ron")));
        project.set_scene(text(SCENE));
        project.set_script("one", 0, text(ONE));
        project.set_script("two", 0, text(TWO));
        let generation = project.compose().unwrap();
        let simulation = generation.start(None);
        Self {
            project,
            generation,
            simulation,
        }
    }

    /// Composes and swaps; returns what happened, as kind and path, and the notes about the world.
    fn swap(&mut self) -> (Vec<(EventKind, String)>, Vec<String>) {
        self.project.set_running(Running {
            scene: Arc::clone(&self.generation.scene),
            sample: self.simulation.sample(),
        });
        let generation = self.project.compose().unwrap();
        let notes = generation.swap_into(&mut self.simulation, &self.generation.scene, None);
        self.generation = generation;
        let events = self
            .generation
            .events
            .iter()
            .map(|event| (event.kind, event.path.clone()));
        (events.collect(), notes)
    }

    fn save(&mut self, script: &str, content: &str) -> Vec<(EventKind, String)> {
        self.project.set_script(script, 0, text(content));
        self.swap().0
    }

    fn save_scene(&mut self, content: &str) -> (Vec<(EventKind, String)>, Vec<String>) {
        self.project.set_scene(text(content));
        self.swap()
    }

    /// What the behaviors ask for the first unit in the next step.
    fn step(&mut self) -> Vec<Contribution> {
        self.simulation.step();
        assert_eq!(self.simulation.reports(), []);
        self.simulation
            .decisions(0)
            .map(|(_, contribution)| contribution)
            .collect()
    }

    fn error(&self) -> &Fault {
        self.generation.events[0].error.as_ref().unwrap()
    }
}

fn turn(x: f32) -> Contribution {
    Contribution::Turn(glam::Vec2::new(x, 0.0))
}

fn live(path: &str) -> Vec<(EventKind, String)> {
    vec![(EventKind::Live, path.to_owned())]
}

fn rejected(path: &str) -> Vec<(EventKind, String)> {
    vec![(EventKind::Rejected, path.to_owned())]
}

#[test]
fn a_good_save_runs_from_the_next_step_on_and_memory_stays() {
    let mut desk = Desk::new();
    assert_eq!(desk.step()[0], turn(2.0));
    assert_eq!(
        desk.save("one", &ONE.replace("1; K", "1; K + 10 * this.n")),
        live("one.rhai")
    );
    assert_eq!(desk.generation.number, 2);
    assert_eq!(desk.step()[0], turn(22.0));
}

#[test]
fn broken_saves_change_nothing_but_a_message() {
    let mut desk = Desk::new();
    desk.step();
    let twin = Desk::new().run(6);
    for broken in [
        "fn steer(me, world) { let a = 3 let b }",
        "fn steer(me, world) { loop {} }",
        "fn steer(me, world) { me.zork }",
        "fn stear(me, world) { 1 }",
        "",
    ] {
        assert_eq!(desk.save("one", broken), rejected("one.rhai"), "{broken}");
        assert_eq!(desk.generation.number, 1);
        desk.step();
    }
    assert_eq!(
        desk.simulation.hash(),
        twin,
        "the state is that of a run without the saves"
    );
    assert_eq!(
        desk.save("one", ONE),
        live("one.rhai"),
        "what ran before is good again"
    );
}

impl Desk {
    fn run(mut self, steps: usize) -> u64 {
        for _ in 0..steps {
            self.step();
        }
        self.simulation.hash()
    }
}

#[test]
fn the_newest_content_counts_also_when_it_was_rejected_for_another_file() {
    let mut desk = Desk::new();
    // The script no longer declares what the scene sets: rejected until the scene follows.
    let renamed = ONE.replace('K', "L");
    assert_eq!(desk.save("one", &renamed), rejected("one.rhai"));
    assert!(
        desk.error().message.contains("no parameter \"K\""),
        "{:?}",
        desk.error()
    );
    let (events, _) = desk.save_scene(&SCENE.replace("\"K\": 2", "\"L\": 4"));
    assert_eq!(
        events,
        [
            (EventKind::Reconciled, "s.ron".to_owned()),
            (EventKind::Live, "one.rhai".to_owned())
        ]
    );
    assert_eq!(desk.step()[0], turn(4.0));
}

#[test]
fn faults_of_the_scene_are_told_with_place_and_remedy() {
    let mut desk = Desk::new();
    for (from, to, message, help) in [
        ("\"two\"", "\"too\"", "no script", "two"),
        ("\"K\": 2", "\"k\": 2", "no parameter \"k\"", "\"K\""),
        ("\"K\": 2", "\"K\": 20", "allows 0 to 9", ""),
        ("body: \"m\"", "body: \"n\"", "", ""),
        ("count: 3,", "count: 3", "", ""),
    ] {
        let (events, _) = desk.save_scene(&SCENE.replace(from, to));
        assert_eq!(events, rejected("s.ron"), "{to}");
        let fault = desk.error();
        assert!(fault.line >= 1 && fault.column > 1, "{fault:?}");
        assert!(fault.message.contains(message), "{fault:?}");
        assert!(
            fault.help.clone().unwrap_or_default().contains(help),
            "{fault:?}"
        );
    }
    assert_eq!(desk.generation.number, 1);
}

#[test]
fn a_scene_swap_keeps_the_units_and_says_what_it_did() {
    let mut desk = Desk::new();
    desk.step();
    let before = desk.simulation.world().units.position.clone();
    let (events, notes) = desk.save_scene(&SCENE.replace("count: 3", "count: 5"));
    assert_eq!(events, [(EventKind::Reconciled, "s.ron".to_owned())]);
    assert!(
        notes.iter().any(|note| note.contains("2 units added to a")),
        "{notes:?}"
    );
    assert_eq!(desk.simulation.world().units.position[..3], before[..]);
    assert_eq!(desk.simulation.world().units.len(), 5);
    desk.save("one", &ONE.replace("1; K", "1; this.n"));
    assert_eq!(desk.step()[0], turn(2.0), "memory survived both swaps");
}

#[test]
fn a_file_that_goes_keeps_running_and_is_told_once() {
    let mut desk = Desk::new();
    desk.project.set_script("two", 0, None);
    assert_eq!(desk.swap().0, [(EventKind::Missing, "two.rhai".to_owned())]);
    assert_eq!(desk.swap().0, []);
    assert_eq!(desk.step()[1], Contribution::Push(glam::Vec3::X));
    assert_eq!(
        desk.save("two", "fn steer(me, world) { 7 }"),
        live("two.rhai")
    );
    assert_eq!(desk.step()[1], turn(7.0));
}

#[test]
fn a_tuned_value_wins_until_the_file_changes_it() {
    let mut desk = Desk::new();
    let handle = Handle {
        group: "a".into(),
        script: "one".into(),
        occurrence: 0,
    };
    let knob = KnobName::Param("K".into());
    desk.project
        .tune(handle.clone(), knob, ParamValue::Number(5.0));
    desk.project
        .tune(handle, KnobName::Gain, ParamValue::Number(3.0));
    desk.swap();
    assert_eq!(desk.step()[0], turn(5.0));
    assert_eq!(desk.simulation.slots(0)[0].gain, 3.0);
    desk.save_scene(&SCENE.replace("count: 3", "count: 4"));
    assert_eq!(desk.step()[0], turn(5.0), "the file's value is what it was");
    desk.save_scene(&SCENE.replace("\"K\": 2", "\"K\": 8"));
    assert_eq!(desk.step()[0], turn(8.0));
}

#[test]
fn a_tuned_value_that_does_not_work_changes_nothing() {
    let mut desk = Desk::new();
    desk.save(
        "one",
        "const K = param(1, 0, 9);\nconst L = 10 / K;\nfn steer(me, world) { L }",
    );
    assert_eq!(desk.step()[0], turn(5.0));
    let handle = Handle {
        group: "a".into(),
        script: "one".into(),
        occurrence: 0,
    };
    desk.project
        .tune(handle, KnobName::Param("K".into()), ParamValue::Integer(0));
    desk.swap();
    assert_eq!(desk.step()[0], turn(5.0));
}

#[test]
fn a_project_whose_scene_does_not_read_does_not_start() {
    let mut project = Project::new(Place::of_scene(Path::new("/p/scenes/s.ron")));
    project.set_scene(text("(world: Plain)"));
    let LoadError(faults) = project.compose().map(|_| ()).unwrap_err();
    assert_eq!(faults[0].line, 1, "{faults:?}");
}

#[test]
fn a_script_that_never_compiled_leaves_the_others_running() {
    let mut project = Project::new(Place::of_scene(Path::new("/p/scenes/s.ron")));
    project.set_scene(text(SCENE));
    project.set_script("one", 0, text("fn steer("));
    project.set_script("two", 0, text(TWO));
    let generation = project.compose().unwrap();
    let mut simulation = generation.start(None);
    simulation.step();
    let decided: Vec<_> = simulation
        .decisions(0)
        .map(|(_, contribution)| contribution)
        .collect();
    assert_eq!(
        decided,
        [Contribution::None, Contribution::Push(glam::Vec3::X)]
    );
    assert_eq!(generation.files[1].generation, 0);
}

#[test]
fn the_default_scene_is_in_the_binary_and_all_its_scripts_work() {
    let mut project = Project::new(Place {
        scene: None,
        folders: Vec::new(),
    });
    let generation = project.compose().unwrap();
    let mut simulation = generation.start(None);
    for _ in 0..30 {
        simulation.step();
    }
    assert_eq!(simulation.reports(), []);
    assert!(simulation.world().units.len() >= 300);
}

#[test]
fn an_event_is_one_line_of_json() {
    let error = Some(Fault::at("u.rhai", "let x", (1, 5), "a `;` is missing").help("end it"));
    let event = Event {
        kind: EventKind::Rejected,
        path: "u.rhai".into(),
        generation: 7,
        error,
        others: vec![Fault::at("u.rhai", "let x", (1, 1), "odd").warning()],
    };
    let json: serde_json::Value = serde_json::from_str(&event.to_json(1234)).unwrap();
    assert_eq!(json["event"], "rejected");
    assert_eq!(
        (&json["generation"], &json["step"]),
        (&7.into(), &1234.into())
    );
    assert_eq!(
        (&json["error"]["line"], &json["error"]["column"]),
        (&1.into(), &5.into())
    );
    let other = &json["others"][0];
    assert_eq!(
        (&other["message"], &other["severity"]),
        (&"odd".into(), &"warning".into())
    );
    let live = Event {
        kind: EventKind::Live,
        error: None,
        ..event
    };
    assert!(live.to_json(1).contains("\"error\":null"));
}

const STREAM: &str = "(world: Plane(size: (100, 100)), bodies: { \"m\": Mover() },
    fields: { \"stream\": Script(script: \"two\", cells: 4, params: {\"K\": 3}) },
    groups: [(name: \"a\", body: \"m\", field: \"stream\", behaviors: [(script: \"one\")])])";
const SWIM: &str = "fn steer(me, world) { me.field.at(me.position) }";
const FLOW: &str =
    "const K = param(1.0, 0.0, 9.0);\nfn flow(point, world) { vec(K, world.size.y) }";

#[test]
fn a_script_fills_a_flow_field_and_its_save_fills_it_anew() {
    let mut desk = Desk::new();
    desk.project.set_script("one", 0, text(SWIM));
    desk.project.set_script("two", 0, text(FLOW));
    desk.save_scene(STREAM);
    let push = |x: f32, y: f32| Contribution::Push(glam::Vec3::new(x, y, 0.0));
    assert_eq!(desk.step(), [push(3.0, 100.0)]);
    let turned = FLOW.replace("vec(K", "vec(-K");
    assert_eq!(desk.save("two", &turned), live("two.rhai"));
    assert_eq!(desk.step(), [push(-3.0, 100.0)]);
    assert_eq!(
        desk.save("two", "const K = param(1.0);\nfn flow(point, world) { 1 }"),
        rejected("two.rhai")
    );
    let fault = desk.error();
    assert!(fault.message.contains("flow returned"), "{fault:?}");
    assert_eq!(desk.step(), [push(-3.0, 100.0)]);
    // As a behavior it is of no use here.
    assert_eq!(desk.save("two", TWO), rejected("two.rhai"));
    let misused = STREAM.replace(
        "Script(script: \"two\", cells: 4, params: {\"K\": 3})",
        "Script(script: \"one\")",
    );
    assert_eq!(desk.save_scene(&misused).0[0].0, EventKind::Rejected);
    assert_eq!(desk.step(), [push(-3.0, 100.0)]);
}

#[test]
fn a_field_whose_filling_never_ends_is_refused() {
    let mut desk = Desk::new();
    desk.project.set_script("one", 0, text(SWIM));
    desk.project.set_script("two", 0, text(FLOW));
    desk.save_scene(STREAM);
    let endless = "const K = param(1.0);\nfn flow(point, world) { loop { } }";
    assert_eq!(desk.save("two", endless), rejected("two.rhai"));
    let lost = "const K = param(1.0);\nfn flow(point, world) { world.target; world.obstacles.nearest; point }";
    desk.save("two", lost);
    desk.step();
}

const MAPPED: &str = "const K = param(1.0, 0.0, 9.0);
const MEMORY = #{ thrice: 0.0, n: vec(0, 0) };
fn reloaded(old) { this.thrice = old.n * 3; this.n.x; }
fn steer(me, world) { this.thrice }";

#[test]
fn a_script_may_map_what_its_last_version_remembered() {
    let mut desk = Desk::new();
    desk.step();
    desk.step();
    assert_eq!(desk.save("one", MAPPED), live("one.rhai"));
    assert_eq!(desk.step()[0], turn(6.0));
    // Neither another value, nor another scene, nor another script is a new version of this one.
    let (handle, k) = (desk.generation.crews[0][0].handle.clone(), "K".to_owned());
    let value = ParamValue::Number(3.0);
    desk.project.tune(handle, KnobName::Param(k), value);
    desk.swap();
    desk.save_scene(&SCENE.replace("count: 3", "count: 4"));
    desk.save("two", "fn steer(me, world) { vec(0, 1) }");
    assert_eq!(desk.step()[0], turn(6.0));
    // Mapped by name and kind, and again by the script.
    let thrice = MAPPED.replace("old.n * 3", "old.thrice + 1");
    assert_eq!(desk.save("one", &thrice), live("one.rhai"));
    assert_eq!(desk.step()[0], turn(7.0));
}

#[test]
fn a_map_of_memory_that_fails_is_rejected_and_nothing_is_forgotten() {
    let mut desk = Desk::new();
    desk.step();
    for (broken, at) in [
        ("old.m * 3", (3, 31)),
        ("loop {}", (3, 1)),
        ("\"three\"", (3, 31)),
    ] {
        let broken = MAPPED.replace("old.n * 3", broken);
        assert_eq!(desk.save("one", &broken), rejected("one.rhai"), "{broken}");
        assert_eq!(desk.error().line, at.0, "{:?}", desk.error());
    }
    assert_eq!(
        desk.save("one", &ONE.replace("1; K", "1; this.n")),
        live("one.rhai")
    );
    assert_eq!(desk.step()[0], turn(2.0));
}

#[test]
fn new_behaviors_are_tried_on_what_runs() {
    let mut desk = Desk::new();
    for _ in 0..5 {
        desk.step();
    }
    let at_the_start = ONE.replace(
        "1; K",
        "1; if this.n > 3 { me.enemies.nearest.speed } else { K }",
    );
    assert_eq!(desk.save("one", &at_the_start), rejected("one.rhai"));
    let later = ONE.replace(
        "1; K",
        "1; if this.n < 3 { me.enemies.nearest.speed } else { K }",
    );
    assert_eq!(desk.save("one", &later), live("one.rhai"));
    assert_eq!(desk.step()[0], turn(2.0));
}

#[test]
fn a_map_that_fails_for_few_units_is_told_and_leaves_them_as_they_were() {
    let mut desk = Desk::new();
    let count = ONE.replace("this.n += 1", "this.n = me.id");
    desk.save("one", &count);
    desk.step();
    let picky = "const MEMORY = #{ n: 0 };
        fn reloaded(old) { this.n = 100; if old.n > 1 { old.zork.x; } }
        fn steer(me, world) { this.n }";
    let picky = &format!("const K = param(1.0, 0.0, 9.0);\n{picky}");
    assert_eq!(desk.save("one", picky), live("one.rhai"));
    let reports = desk.simulation.reports().to_vec();
    assert_eq!(reports.len(), 1, "{reports:?}");
    assert_eq!((reports[0].unit, reports[0].script.as_str()), (2, "one"));
    desk.simulation.step();
    let turns: Vec<_> = (0..3)
        .filter_map(|unit| Some(desk.simulation.decisions(unit).next()?.1))
        .collect();
    assert_eq!(turns, [turn(100.0), turn(100.0), turn(2.0)]);
}

#[test]
fn a_script_that_imports_follows_what_it_imports() {
    let mut desk = Desk::new();
    let one = "import \"helpers\" as h;\nconst K = param(1.0, 0.0, 9.0);\nfn steer(me, world) { h::push() * K }";
    let events = desk.save("one", one);
    assert_eq!(events, [(EventKind::Rejected, "one.rhai".to_owned())]);
    let live = |name: &str| (EventKind::Live, name.to_owned());
    let rejected = |name: &str| (EventKind::Rejected, name.to_owned());
    let events = desk.save("helpers", "fn push() { vec(1, 0) }");
    assert_eq!(events, [live("helpers.rhai"), live("one.rhai")]);
    let pushed = |desk: &mut Desk| {
        desk.simulation.step();
        desk.simulation.decisions(0).next().unwrap().1
    };
    assert_eq!(pushed(&mut desk), Contribution::Push(glam::Vec3::X * 2.0));
    let used = desk
        .generation
        .files
        .iter()
        .find(|file| file.path == "helpers.rhai");
    assert!(
        used.is_some_and(|file| file.used && file.status == Status::Live),
        "{used:?}"
    );

    let events = desk.save("helpers", "fn push() { vec(3, 0) }");
    assert_eq!(events, [live("helpers.rhai"), live("one.rhai")]);
    assert_eq!(pushed(&mut desk), Contribution::Push(glam::Vec3::X * 6.0));

    let events = desk.save("helpers", "fn push() { vec(3, }");
    assert_eq!(events, [rejected("helpers.rhai"), rejected("one.rhai")]);
    let Status::Rejected(faults) = &desk
        .generation
        .files
        .iter()
        .find(|file| file.path == "one.rhai")
        .unwrap()
        .status
    else {
        panic!("{:?}", desk.generation.files);
    };
    assert!(
        faults[0]
            .summary()
            .starts_with("one.rhai:1:1: helpers.rhai cannot be imported: helpers.rhai:1:"),
        "{faults:?}"
    );
    assert_eq!(faults[1].path, "helpers.rhai");
    assert_eq!(
        pushed(&mut desk),
        Contribution::Push(glam::Vec3::X * 6.0),
        "what ran runs on"
    );

    let events = desk.save("helpers", "fn push() { vec(3, 0) }");
    assert_eq!(events, [live("helpers.rhai"), live("one.rhai")]);
    desk.simulation.step();
    assert_eq!(desk.simulation.reports(), []);
}

#[test]
fn a_file_without_steer_is_faulty_unless_another_imports_it() {
    let mut desk = Desk::new();
    let state = |desk: &Desk| {
        desk.generation
            .files
            .iter()
            .find(|file| file.path == "helpers.rhai")
            .cloned()
    };
    desk.save("helpers", "fn push() { vec(1, 0) }");
    assert!(matches!(state(&desk).unwrap().status, Status::Rejected(_)));
    desk.save(
        "three",
        "import \"helpers\" as h;\nfn steer(me, world) { h::push() }",
    );
    assert_eq!(state(&desk), None, "sound, but no part of the scene");
    let scene = SCENE.replace("\"two\"", "\"helpers\"");
    desk.project.set_scene(text(&scene));
    let events = desk.swap().0;
    assert_eq!(events, [(EventKind::Rejected, "s.ron".to_owned())]);
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_out_of_the_folder_is_not_imported() {
    let home = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(home.path().join(name), text).unwrap();
    std::fs::create_dir(home.path().join("scripts")).unwrap();
    write("secret.rhai", "fn push() { vec(1, 0) }");
    write("scripts/near.rhai", "fn push() { vec(1, 0) }");
    let link =
        |from: &str, to: &str| std::os::unix::fs::symlink(from, home.path().join(to)).unwrap();
    link("../secret.rhai", "scripts/out.rhai");
    link("near.rhai", "scripts/within.rhai");
    let learn = |name: &str| {
        let text = format!("import \"{name}\" as h;\nfn steer(me, world) {{ h::push() }}");
        learn_file(&home.path().join("scripts/a.rhai"), text.into())
    };
    assert!(learn("near").is_ok() && learn("within").is_ok());
    let faults = learn("out").unwrap_err();
    assert!(
        faults[0].message.contains("leads out of its folder"),
        "{faults:?}"
    );
}
