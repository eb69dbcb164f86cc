//! Starting with files that do not work.

use egui::Key;
use steerbox_core::world::ParamValue;
use steerbox_project::reload::{KnobName, Place};
use steerbox_project::session::{Options, parse_setting};

use super::editor::RULE_FILE;
use super::stage::{SMALL, Stage};
use super::{input, labels, options, patient};
use crate::App;
use crate::commands::action::SessionAction;
use crate::model::log::Tone;

#[test]
fn a_scene_with_errors_at_the_start_runs_once_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ron");
    let open = || {
        let place = Place::of_scene(&path);
        App::new(Options { place, ..options() })
    };
    assert!(open().is_err(), "there is no file");
    std::fs::write(&path, "(world: Plane(size: (100, 100)),").unwrap();
    let mut app = open().unwrap();
    assert_eq!(app.step(&input()), 0);
    assert_eq!(app.press(Key::R), 0);
    assert!(app.log()[0].starts_with("a.ron:"), "{:?}", app.log());
    assert_eq!(app.log()[1], "a.ron rejected; no version runs yet");
    let text = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()},
        groups: [(name: \"a\", body: \"m\", count: 7, behaviors: [(script: \"wander\")])])";
    std::fs::write(&path, text).unwrap();
    app.until(|app| !app.session.run.waits());
    assert_eq!(app.world().units.len(), 7);
    let line = "a.ron, wander.rhai loaded (version 1)".to_owned();
    assert!(app.log().contains(&line), "{:?}", app.log());
    app.until(|app| app.world().steps > 3);
}

#[test]
fn a_scene_without_a_valid_script_is_shown() {
    let mut app = Stage::of(&[("a.ron", SMALL), (RULE_FILE, "fn steer(me, world) { let }")]);
    app.idle(1);
    let lines = app.log();
    let line = "mine.rhai rejected; no version runs yet";
    assert!(lines.iter().any(|text| *text == line), "{lines:?}");
    // The status line, the log and a card over the world name the file. An editor below the world shows the fault instead of
    // the log and the card.
    let named = |app: &App| labels(app).iter().filter(|(text, _)| text.starts_with(line)).count();
    let before = named(&app);
    super::editor::open(&mut app, "mine.rhai", 1);
    app.idle(1);
    assert_eq!(named(&app) + 2, before, "{:?}", labels(&app));
    app.write(RULE_FILE, "fn steer(me, world) { 0.5 }");
    let runs = |app: &App| app.session.run.generation.behaviors[0][0].behavior.is_some();
    app.until(runs);
}

#[test]
fn a_setting_that_does_not_fit_the_repaired_scene_stays_an_error_of_the_log() {
    let settings = vec![parse_setting("b.wander.gain=2").unwrap()];
    let files = [("a.ron", "(world: Plane(size: (100, 100)),")];
    let mut app = Stage::with(&files, |place| patient(Options { place, settings, ..options() }));
    app.write("a.ron", &SMALL.replace("mine", "wander"));
    app.until(|app| !app.session.run.waits());
    assert!(app.session.log.has_open_errors());
}

/// A window of a scene with a switched-off rule that needs a view, which no group has.
fn without_view() -> Stage {
    let scene = SMALL.replace("\"mine\"", "\"mine\", enabled: false");
    let mut app = Stage::of(&[("a.ron", &scene), (RULE_FILE, "fn steer(me, world) { me.neighbors.len }")]);
    app.idle(1);
    app
}

fn switch_on(app: &mut App) {
    app.session.act(&SessionAction::Tune(app.rule(0), KnobName::Enabled, ParamValue::Switch(true)));
}

#[test]
fn an_error_stays_while_values_are_tuned_and_saved_and_is_cleared_by_a_reload() {
    let mut app = without_view();
    app.session.log.add(Tone::Bad, 0, "cannot write");
    switch_on(&mut app);
    app.save();
    assert!(app.session.log.has_open_errors());
    app.write(RULE_FILE, "fn steer(me, world) { 0.5 }");
    app.until(|app| !app.session.log.has_open_errors());
}

#[test]
fn errors_over_the_world_are_those_of_used_files_and_can_be_dismissed_until_the_next() {
    let others = (0..17).map(|number| format!("scripts/other{number}.rhai"));
    let others: Vec<_> = others.collect();
    let mut files = vec![("a.ron", SMALL), (RULE_FILE, "fn steer(me, world) { 0.5 }")];
    files.extend(others.iter().map(|path| (&**path, "fn steer(me, world) { let }")));
    let mut app = Stage::of(&files);
    let shown = |app: &App| -> Vec<String> {
        app.session.shown_faulty().iter().map(|file| file.path.clone()).collect()
    };
    // The height of the world: smaller beside a log with errors.
    let height = |app: &mut App| {
        app.idle(2);
        let (min, max) = app.view.camera.view();
        max.y - min.y
    };
    let lines = |app: &App| app.session.log.lines().len();
    let quiet = height(&mut app);
    assert_eq!((shown(&app), lines(&app)), (Vec::new(), 0), "the others are in the panel");
    for (number, fault) in [1, 2].into_iter().enumerate() {
        app.write(RULE_FILE, &format!("fn steer(me, world) {{ let {fault} }}"));
        app.until(|app| shown(app) == ["mine.rhai"]);
        assert!(height(&mut app) < quiet - 30.0, "the log grows with error {number}");
        app.press(Key::Escape);
        assert!(shown(&app).is_empty());
        assert_eq!(height(&mut app), quiet);
    }
    app.write(RULE_FILE, "fn steer(me, world) { 0.25 }");
    app.until(|app| app.session.run.generation.number > 1);
    assert!(shown(&app).is_empty());
    app.press(Key::Escape);
    app.view.selection.replace([0]);
    app.press(Key::Escape);
    assert_eq!(app.view.selection.inspected(), None, "without errors, the key deselects");
}
