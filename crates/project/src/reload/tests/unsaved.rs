//! Unsaved texts: they run like saves, precede the saved contents, and are never written unless requested.

use super::*;
use crate::reload::{News, news};

const KEY: &str = "const K = param(1.0, 0.0, 9.0);\nconst MEMORY = #{ n: 0 };\n";

/// A version of the script `one` that turns by `turn` times `K`.
fn one(turn: f32) -> String {
    format!("{KEY}fn steer(me, world) {{ {turn:?} * K }}")
}

impl Case {
    fn buffer(&mut self, name: &str, content: Option<&str>) -> Vec<(EventKind, String)> {
        self.project.set_buffer(name, content.map(Into::into));
        assert!(self.project.has_news());
        self.swap().0
    }

    fn state(&self, path: &str) -> (bool, Option<&str>, bool) {
        let file = self.file(path).expect("the file is known");
        let saved = file.saved.as_ref().map(|saved| &**saved.as_ref().expect("it is text"));
        (file.unsaved.is_some(), saved, file.status == Status::Live)
    }
}

#[test]
fn an_unsaved_text_runs_until_it_is_dropped() {
    let mut case = Case::new();
    assert_eq!(case.buffer("one.rhai", Some(&one(3.0))), live("one.rhai"));
    let line = "one.rhai: unsaved text runs".to_owned();
    assert_eq!(news(&case.generation.events, &case.generation), [News::Loaded(line)]);
    assert_eq!(case.state("one.rhai"), (true, Some(ONE), true));
    assert_eq!(case.first(), turn(6.0));
    assert_eq!(case.buffer("one.rhai", Some(&one(4.0))), live("one.rhai"));
    assert_eq!(case.first(), turn(8.0));
    assert_eq!(case.buffer("one.rhai", None), live("one.rhai"));
    assert_eq!((case.first(), case.generation.number), (turn(2.0), 4));
    assert_eq!(case.generation.changed, ["one"]);
    assert_eq!(case.state("one.rhai"), (false, Some(ONE), true));
    assert!(!case.project.has_news());
}

#[test]
fn a_faulty_unsaved_text_is_rejected_and_the_version_before_it_runs() {
    let mut case = Case::new();
    case.buffer("one.rhai", Some(&one(3.0)));
    assert_eq!(case.buffer("one.rhai", Some("fn steer(me, world) { 1 + }")), rejected("one.rhai"));
    assert_eq!((case.first(), case.generation.number), (turn(6.0), 2));
    assert_eq!(case.state("one.rhai"), (true, Some(ONE), false));
    // An endless loop fails in the trial run.
    let endless = "fn steer(me, world) { let x = 0; while true { x += 1; } x }";
    assert_eq!(case.buffer("one.rhai", Some(endless)), rejected("one.rhai"));
    case.buffer("one.rhai", None);
    assert_eq!((case.first(), case.state("one.rhai").2), (turn(2.0), true));
}

#[test]
fn a_dropped_text_that_never_ran_changes_nothing() {
    let mut case = Case::new();
    case.buffer("one.rhai", Some("fn"));
    assert_eq!(case.buffer("one.rhai", None), live("one.rhai"));
    assert_eq!((case.generation.number, case.generation.changed.len()), (1, 0));
}

#[test]
fn a_save_behind_an_unsaved_text_is_reported_and_runs_once_the_text_is_dropped() {
    let mut case = Case::new();
    case.buffer("one.rhai", Some(&one(3.0)));
    let saved = one(5.0);
    assert_eq!(case.save("one", &saved), []);
    assert_eq!(case.state("one.rhai"), (true, Some(&*saved), true));
    assert_eq!((case.first(), case.generation.number), (turn(6.0), 2));
    case.buffer("one.rhai", None);
    assert_eq!(case.first(), turn(10.0));
    // If the saved content is faulty, the version before the unsaved text runs.
    case.buffer("one.rhai", Some(&one(3.0)));
    case.save("one", "fn");
    assert_eq!(case.buffer("one.rhai", None), rejected("one.rhai"));
    assert_eq!(case.first(), turn(10.0));
    assert_eq!(case.generation.changed, ["one"]);
}

#[test]
fn a_text_that_is_saved_continues_to_run() {
    let mut case = Case::new();
    case.buffer("one.rhai", Some(&one(3.0)));
    case.project.set_script("one", 0, text(&one(3.0)));
    case.buffer("one.rhai", None);
    assert_eq!((case.first(), case.generation.number), (turn(6.0), 2));
    assert_eq!(case.state("one.rhai"), (false, Some(&*one(3.0)), true));
}

#[test]
fn a_scene_has_unsaved_text_too() {
    let mut case = Case::new();
    let edited = SCENE.replace("count: 3", "count: 5");
    let reconciled = vec![(EventKind::Reconciled, "s.ron".to_owned())];
    assert_eq!(case.buffer("s.ron", Some(&edited)), reconciled);
    assert_eq!(case.simulation.world().units.len(), 5);
    assert_eq!(case.state("s.ron"), (true, Some(SCENE), true));
    assert_eq!(case.buffer("s.ron", Some("(")), rejected("s.ron"));
    assert_eq!(case.buffer("s.ron", None), reconciled);
    assert_eq!(case.simulation.world().units.len(), 3);
}

#[test]
fn a_file_of_the_binary_has_unsaved_text_too() {
    let mut project = Project::new(Place::built_in("flock.ron"));
    let first = project.compose().expect("it works");
    let text = "fn steer(me, world) { vec(1, 0) }";
    project.set_buffer("cohesion.rhai", Some(text.into()));
    let second = project.compose().expect("it works");
    let state = |generation: &Generation| {
        let file = generation.files.iter().find(|file| file.path == "cohesion.rhai");
        let file = file.expect("the scene uses it").clone();
        (file.embedded, file.unsaved.is_some(), file.status)
    };
    assert_eq!((second.changed.len(), state(&second)), (1, (true, true, Status::Live)));
    project.set_buffer("cohesion.rhai", None);
    let third = project.compose().expect("it works");
    assert_eq!(state(&third), (true, false, Status::Live));
    assert!(third.runs_like(&first) || third.changed == ["cohesion"]);
    let scene = first.scene.source.replace("separation", "wander");
    project.set_buffer("flock.ron", Some(scene.into()));
    let fourth = project.compose().expect("it works");
    assert!(fourth.planned().any(|planned| planned.handle.script == "wander"));
    project.set_buffer("flock.ron", None);
    let fifth = project.compose().expect("it works");
    assert!(fifth.planned().any(|planned| planned.handle.script == "separation"));
}

#[test]
fn a_script_that_the_scene_does_not_use_is_listed_while_it_has_unsaved_text() {
    let mut case = Case::new();
    case.buffer("new.rhai", Some(&one(1.0)));
    assert_eq!(case.state("new.rhai"), (true, None, true));
    case.save_scene(&SCENE.replace("\"two\"", "\"new\""));
    assert_eq!(case.step().len(), 2);
}
