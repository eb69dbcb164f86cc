//! A program that replaces many files at once, such as `git checkout`.

use std::fmt::Write as _;
use std::process::Command;
use std::time::Instant;

use steerbox_core::world::ParamValue;
use steerbox_project::reload::{EventKind, Generation, Loader, Place};

use crate::common::project::{PATIENCE, ProjectDir};

const FILES: usize = 100;
/// Maximum number of generations of a branch switch, on a busy machine.
const MAX_GENERATIONS: u64 = 10;

/// Returns the value of each script's parameter.
fn values(generation: &Generation) -> Vec<ParamValue> {
    generation.planned().map(|planned| planned.knobs[planned.knobs.len() - 1].value.clone()).collect()
}

#[test]
fn a_branch_switch_loads_every_file_in_a_few_generations() {
    let project = ProjectDir::with(&[]);
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        let command = command.args(["-c", "user.name=a", "-c", "user.email=a@b.c"]).args(args);
        let output = command.current_dir(project.path("")).output();
        output.is_ok_and(|output| output.status.success())
    };
    if !git(&["init", "-q", "-b", "one"]) {
        eprintln!("not tested: there is no git");
        return;
    }
    let mut groups = String::new();
    for group in 0..FILES / 10 {
        let names = (0..10).map(|at| format!("(script: \"s{}\")", group * 10 + at)).collect::<Vec<_>>();
        let behaviors = names.join(", ");
        let _ = write!(groups, "(name: \"g{group}\", body: \"m\", count: 1, behaviors: [{behaviors}]),");
    }
    let scene = format!("(world: Plane(size: (100, 100)), bodies: {{\"m\": Mover()}}, groups: [{groups}])");
    project.save("scenes/s.ron", &scene);
    let branch = |value: u32| {
        for at in 0..FILES {
            // Different lengths, so that a partial file is detected.
            let filler = "// filler\n".repeat(at * value as usize);
            let text =
                format!("const K = param({value}.0, 0.0, 9.0);\n{filler}fn steer(me, world) {{ vec(K, 0) }}");
            project.save(&format!("scripts/s{at}.rhai"), &text);
        }
        assert!(git(&["add", "-A"]) && git(&["commit", "-qm", "values"]));
    };
    branch(1);
    assert!(git(&["checkout", "-q", "-b", "two"]));
    branch(2);

    let place = Place::of_scene(&project.path("scenes/s.ron"));
    let (loading, first) = Loader::load(place, Vec::new()).expect("it reads");
    let [one, two] = [1.0, 2.0].map(ParamValue::Number);
    assert_eq!(values(&first), vec![two.clone(); FILES]);
    let loader = Loader::start(loading).expect("a thread");
    let mut number = first.number;
    for (name, value) in [("one", &one), ("two", &two)] {
        assert!(git(&["checkout", "-q", name]));
        let (give_up, begin) = (Instant::now() + PATIENCE, number);
        loop {
            assert!(Instant::now() < give_up, "not all files of `{name}` are loaded");
            let Some(generation) = loader.wait(PATIENCE) else { continue };
            let is_live = generation.events.iter().all(|event| event.kind == EventKind::Live);
            assert!(is_live, "{:?}", generation.events);
            number = generation.number;
            let values = values(&generation);
            assert!(values.iter().all(|value| [&one, &two].contains(&value)), "{values:?}");
            if values.iter().all(|found| found == value) {
                break;
            }
        }
        assert!(number - begin <= MAX_GENERATIONS, "{} generations", number - begin);
    }
}
