//! Tuned values are written to the newest content of the file.

use std::fs;

use glam::Vec3;
use steerbox_core::world::ParamValue;
use steerbox_project::reload::{Command, Generation, Handle, Knob, KnobName, Loader, Place, Project, save};
use steerbox_scene::{SceneEdit, shifted};

use crate::common::project::{PATIENCE, ProjectDir};

const SCENE: &str = "// mine
(
    world: Plane(size: (100, 100)), bodies: {\"m\": Mover()},
    groups: [(name: \"a\", body: \"m\", count: 5, behaviors: [
        (script: \"one\", gain: 1), // the first
        (script: \"two\", params: {\"K\": 2}),
    ])],
    obstacles: [
        Circle(center: (10, 20), radius: 3), // rock
        Circle(center: (50, 60), radius: 3),
    ],
)
";
const FILE: &str = "scenes/s.ron";
const ONE: &str = "const FAR = param(1.0, 0.0, 9.0);\nfn steer(me, world) { me.random() * FAR }";
const TWO: &str = "const K = param(1.0, 0.0, 9.0);\nfn steer(me, world) { vec(K, 0) }";

/// A project with a loaded scene.
struct Case {
    folder: ProjectDir,
    project: Project,
    generation: Generation,
}

impl Case {
    fn new() -> Self {
        let scripts = [("scripts/one.rhai", ONE), ("scripts/two.rhai", TWO)];
        let folder = ProjectDir::with(&scripts);
        folder.save(FILE, SCENE);
        let place = Place::of_scene(&folder.path(FILE));
        let (project, generation) = Loader::load(place, Vec::new()).expect("it reads");
        Self { folder, project, generation }
    }

    fn text(&self) -> String {
        self.folder.read(FILE)
    }

    fn tune(&mut self, script: &str, knob: KnobName, value: ParamValue) {
        self.project.tune(handle(script), knob, value);
    }

    fn shift(&mut self, at: usize, shift: Vec3) {
        let from = self.generation.scene.world.obstacles[at].clone();
        let to = shifted(&from, shift);
        self.project.edit(&SceneEdit::Obstacle { at, from: Some(from), to });
    }

    /// Saves and composes; also returns the number of generations caused by changes of the file before.
    fn save(&mut self) -> (Result<Vec<String>, String>, usize) {
        let mut before = 0;
        let told = &mut |_, generation: Option<Generation>| before += usize::from(generation.is_some());
        let saved = save(&mut self.project, told);
        self.generation = self.project.compose().expect("it works");
        (saved.map_err(|fault| fault.summary()), before)
    }

    fn knob(&self, script: &str, name: &KnobName) -> &Knob {
        knob(&self.generation, script, name)
    }
}

fn handle(script: &str) -> Handle {
    Handle { group: "a".to_owned(), script: script.to_owned(), occurrence: 0 }
}

fn knob<'a>(generation: &'a Generation, script: &str, name: &KnobName) -> &'a Knob {
    let mut group_behaviors = generation.behaviors[0].iter();
    let planned = group_behaviors.find(|planned| planned.handle.script == script);
    let mut knobs = planned.expect("the behavior").knobs.iter();
    knobs.find(|knob| knob.name == *name).expect("the knob")
}

fn param(name: &str) -> KnobName {
    KnobName::Param(name.to_owned())
}

#[test]
fn tuned_values_are_written_and_no_longer_tuned() {
    let mut case = Case::new();
    case.tune("one", KnobName::Gain, ParamValue::Number(1.5));
    case.tune("one", param("FAR"), ParamValue::Number(4.0));
    case.tune("two", KnobName::Enabled, ParamValue::Switch(false));
    case.tune("two", param("K"), ParamValue::Number(2.0));
    case.shift(1, Vec3::new(-0.5, 7.0, 0.0));
    let generation = case.project.compose().expect("it works");
    assert_eq!(generation.scene_edits.count(), 1);
    let (saved, before) = case.save();
    assert_eq!(
        saved.expect("it is written"),
        ["a.one gain 1.5", "a.one FAR 4", "a.two off", "obstacle 2 at (49.5, 67)",]
    );
    let expected = SCENE
        .replace("gain: 1)", "gain: 1.5, params: {\"FAR\": 4})")
        .replace("\"two\", ", "\"two\", enabled: false, ")
        .replace("(50, 60)", "(49.5, 67)");
    assert_eq!(case.text(), expected);
    assert_eq!(before, 0);
    assert_eq!((&case.generation.events[..], case.generation.number), (&[][..], generation.number));
    let knobs = case.generation.behaviors[0].iter().flat_map(|planned| &planned.knobs);
    assert!(knobs.clone().all(|knob| !knob.tuned && knob.value == knob.file));
    assert!(case.generation.scene_edits.is_empty());
    assert_eq!(case.generation.scene.world.obstacles, generation.scene.world.obstacles);
    assert_eq!(&*case.generation.scene.source, expected);
    let (again, _) = case.save();
    assert_eq!(again.expect("there is nothing to do"), [""; 0]);
    assert_eq!(case.text(), expected);
}

#[test]
fn saving_does_not_change_the_running_world() {
    let run = |save: bool| {
        let mut case = Case::new();
        case.tune("one", param("FAR"), ParamValue::Number(4.0));
        case.shift(0, Vec3::X);
        let mut generation = case.project.compose().expect("it works");
        let mut simulation = generation.start(None);
        for step in 0..20 {
            if save && step == 10 {
                case.save().0.expect("it is written");
                case.generation.swap_into(&mut simulation, &generation.scene, None);
                generation = case.generation.clone();
            }
            simulation.step();
        }
        simulation.hash()
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn the_newest_content_of_the_file_is_preserved_and_its_own_values_take_precedence() {
    let mut case = Case::new();
    case.tune("one", KnobName::Gain, ParamValue::Number(1.5));
    case.tune("two", param("K"), ParamValue::Number(3.0));
    case.shift(0, Vec3::X);
    case.shift(1, Vec3::X);
    case.project.compose().expect("it works");
    let newest = SCENE
        .replace("// mine", "// mine, and more")
        .replace("\"K\": 2", "\"K\": 7")
        .replace("(50, 60)", "(51, 60)")
        .replace("obstacles: [", "obstacles: [Circle(center: (90, 90), radius: 1),");
    case.folder.save(FILE, &newest);
    let (saved, before) = case.save();
    let expected = ["a.one gain 1.5", "obstacle 2 at (11, 20)"];
    assert_eq!(saved.expect("it is written"), expected);
    assert_eq!(before, 1);
    let written = newest.replace("gain: 1)", "gain: 1.5)").replace("(10, 20)", "(11, 20)");
    assert_eq!(case.text(), written);
    assert_eq!(case.knob("two", &param("K")).value, ParamValue::Number(7.0));
}

#[test]
fn an_invalid_or_missing_file_is_not_written_and_the_values_remain_tuned() {
    let mut case = Case::new();
    case.tune("one", KnobName::Gain, ParamValue::Number(1.5));
    let [first, second] = [0, 1].map(|at| Some(case.generation.scene.world.obstacles[at].clone()));
    let to = shifted(second.as_ref().expect("it exists"), Vec3::X);
    case.project.edit(&SceneEdit::Obstacle { at: 0, from: first, to: None });
    case.project.edit(&SceneEdit::Obstacle { at: 1, from: None, to });
    for (broken, expected) in [
        ("(world: ", "s.ron:1:1: nothing was written: the file ends before this `(` is closed"),
        ("", "s.ron:1:1: nothing was written: the scene is empty"),
        (
            &*SCENE.replace("\"two\"", "\"zork\""),
            "s.ron:6:18: nothing was written: there is no script `zork`",
        ),
    ] {
        case.folder.save(FILE, broken);
        assert_eq!(case.save().0.expect_err("it is refused"), expected);
        assert_eq!(case.text(), broken);
        assert!(case.knob("one", &KnobName::Gain).tuned);
        assert_eq!(case.generation.scene_edits.count(), 2);
    }
    fs::remove_file(case.folder.path(FILE)).expect("it was there");
    let refused = case.save().0.expect_err("it is refused");
    assert!(refused.starts_with("s.ron: nothing was written: the file cannot be read"));
    assert!(!case.folder.path(FILE).exists());
    case.folder.save(FILE, SCENE);
    let written = ["a.one gain 1.5", "obstacle 1 removed", "obstacle 2 added"];
    assert_eq!(case.save().0.expect("it is written"), written);
    let scene = steerbox_scene::read(FILE, &case.text()).expect("it reads");
    let places: Vec<_> = scene.world.obstacles.iter().map(|obstacle| obstacle.position().x).collect();
    assert_eq!(places, [50.0, 51.0]);
}

#[test]
fn a_moved_obstacle_remains_until_it_is_reset_or_the_file_moves_it() {
    let mut case = Case::new();
    let file = case.generation.scene.world.obstacles.clone();
    let mut simulation = case.generation.start(None);
    case.shift(0, Vec3::X);
    let moved = case.project.compose().expect("it works");
    assert_eq!(moved.scene.world.obstacles[0].position(), Vec3::new(11.0, 20.0, 0.0));
    let notes = moved.swap_into(&mut simulation, &case.generation.scene, None);
    assert_eq!(notes, ["obstacle 1 moved"]);
    assert_eq!(simulation.world().obstacles, moved.scene.world.obstacles);
    assert_eq!(moved.start(None).world().obstacles, moved.scene.world.obstacles);
    let back = moved.scene_edits.changes(&moved.file).remove(0).reversed();
    case.project.edit(&back);
    let returned = case.project.compose().expect("it works");
    assert_eq!((&returned.scene.world.obstacles, returned.scene_edits.count()), (&file, 0));
    case.shift(0, Vec3::X);
    case.project.compose().expect("it works");
    let text = SCENE.replace("(10, 20)", "(30, 30)");
    case.project.set_scene(Some(Ok(text.into())));
    let changed = case.project.compose().expect("it works");
    assert_eq!(changed.scene.world.obstacles[0].position(), Vec3::new(30.0, 30.0, 0.0));
    assert!(changed.scene_edits.is_empty());
}

#[test]
fn the_error_for_an_embedded_scene_suggests_a_project() {
    let place = Place::built_in("flock.ron");
    let (mut project, _) = Loader::load(place, Vec::new()).expect("it reads");
    let fault = save(&mut project, &mut |_, _| {}).expect_err("there is no file");
    assert!(fault.summary().contains("there is no file to write to"));
    assert!(fault.help.expect("a remedy").contains("steerbox new DIR"));
}

#[test]
fn a_running_loader_writes_without_a_reload() {
    let Case { folder, project, .. } = Case::new();
    let loader = Loader::start(project).expect("a thread");
    let gain = ParamValue::Number(2.5);
    loader.send(Command::Tune(handle("one"), KnobName::Gain, gain.clone()));
    loader.send(Command::Save);
    let next = |what: &dyn Fn(&Generation) -> bool| loop {
        let generation = loader.wait(PATIENCE).expect("a generation");
        if what(&generation) {
            return generation;
        }
        assert_eq!(generation.events, [], "the file brought no news");
    };
    let saved = next(&|generation| generation.saved.is_some());
    assert_eq!(saved.saved.as_ref().unwrap().as_ref().unwrap(), &["a.one gain 2.5"]);
    let knob = knob(&saved, "one", &KnobName::Gain);
    assert_eq!((&knob.value, knob.tuned), (&gain, false));
    // The next event is that of another file: until then there was none.
    folder.save("scripts/two.rhai", &format!("{TWO} // new"));
    let script = next(&|generation| !generation.events.is_empty());
    let paths: Vec<_> = script.events.iter().map(|event| event.path.as_str()).collect();
    assert_eq!((paths, script.number), (vec!["two.rhai"], saved.number + 1));
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_the_scene_is_an_error_and_the_next_save_succeeds() {
    let Case { folder, project, .. } = Case::new();
    let (path, aside) = (folder.path(FILE), folder.path("aside"));
    let loader = Loader::start(project).expect("a thread");
    let answer = || loop {
        let generation = loader.wait(PATIENCE).expect("a generation");
        if let Some(saved) = generation.saved {
            return saved;
        }
    };
    fs::rename(&path, &aside).expect("a file");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.expect("mkfifo").success());
    loader.send(Command::Tune(handle("one"), KnobName::Gain, ParamValue::Number(2.5)));
    loader.send(Command::Save);
    let fault = answer().expect_err("it is not a file");
    assert!(fault.message.contains("not a plain file"), "{fault:?}");
    fs::rename(&aside, &path).expect("a file");
    loader.send(Command::Save);
    assert_eq!(answer(), Ok(vec!["a.one gain 2.5".to_owned()]));
    assert!(folder.read(FILE).contains("gain: 2.5"));
}
