//! Starting with files that do not work.

use egui::Key;
use steerbox_core::world::ParamValue;
use steerbox_project::reload::{KnobName, Place};
use steerbox_project::session::{Options, parse_setting};

use super::{drawing, input, labels, options, pressed, step};
use crate::App;
use crate::commands::action::SessionAction;
use crate::model::log::Tone;

/// Draws frames until a condition is true.
fn until(app: &mut App, is_so: impl Fn(&App) -> bool) {
    while !is_so(app) {
        step(app, &input());
        std::thread::yield_now();
    }
}

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
    assert_eq!(step(&mut app, &input()), 0);
    assert_eq!(step(&mut app, &pressed(Key::R)), 0);
    let texts = |app: &App| -> Vec<String> {
        let lines = app.session.log.lines();
        lines.map(|line| line.text.clone()).collect()
    };
    assert!(texts(&app)[0].starts_with("a.ron:"), "{:?}", texts(&app));
    assert_eq!(texts(&app)[1], "a.ron rejected; no version runs yet");
    let text = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()},
        groups: [(name: \"a\", body: \"m\", count: 7, behaviors: [(script: \"wander\")])])";
    std::fs::write(&path, text).unwrap();
    until(&mut app, |app| !app.session.run.waits());
    assert_eq!(app.session.run.simulation.world().units.len(), 7);
    let line = "a.ron, wander.rhai loaded (version 1)".to_owned();
    assert!(texts(&app).contains(&line), "{:?}", texts(&app));
    until(&mut app, |app| app.session.run.simulation.world().steps > 3);
}

#[test]
fn a_scene_without_a_valid_script_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ron");
    std::fs::create_dir(folder.path().join("scripts")).unwrap();
    let script = folder.path().join("scripts/mine.rhai");
    std::fs::write(&script, "fn steer(me, world) { let }").unwrap();
    let text = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()},
        groups: [(name: \"a\", body: \"m\", behaviors: [(script: \"mine\")])])";
    std::fs::write(&path, text).unwrap();
    let place = Place::of_scene(&path);
    let mut app = App::new(Options { place, ..options() }).unwrap();
    step(&mut app, &input());
    let lines: Vec<_> = app.session.log.lines().map(|line| &line.text).collect();
    let line = "mine.rhai rejected; no version runs yet";
    assert!(lines.iter().any(|text| *text == line), "{lines:?}");
    // The status line, the log and a card over the world name the file. An editor below the world shows the fault instead of
    // the log and the card.
    let named = |app: &App| labels(app).iter().filter(|(text, _)| text.starts_with(line)).count();
    let before = named(&app);
    super::editor::open(&mut app, "mine.rhai", 1);
    step(&mut app, &input());
    assert_eq!(named(&app) + 2, before, "{:?}", labels(&app));
    std::fs::write(&script, "fn steer(me, world) { 0.5 }").unwrap();
    let runs = |app: &App| app.session.run.generation.behaviors[0][0].behavior.is_some();
    until(&mut app, runs);
}

#[test]
fn a_setting_that_does_not_fit_the_repaired_scene_stays_an_error_of_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ron");
    std::fs::write(&path, "(world: Plane(size: (100, 100)),").unwrap();
    let settings = vec![parse_setting("b.wander.gain=2").unwrap()];
    let mut app = App::new(Options { place: Place::of_scene(&path), settings, ..options() }).unwrap();
    let text = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()},
        groups: [(name: \"a\", body: \"m\", behaviors: [(script: \"wander\")])])";
    std::fs::write(&path, text).unwrap();
    until(&mut app, |app| !app.session.run.waits());
    assert!(app.session.log.has_open_errors());
}

/// A window of a scene with a switched-off rule that needs a view, which no group has.
fn without_view() -> (tempfile::TempDir, App) {
    let folder = tempfile::tempdir().unwrap();
    let scripts = folder.path().join("scripts");
    std::fs::create_dir(&scripts).unwrap();
    std::fs::write(scripts.join("mine.rhai"), "fn steer(me, world) { me.neighbors.len }").unwrap();
    let text = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()},
        groups: [(name: \"a\", body: \"m\", behaviors: [(script: \"mine\", enabled: false)])])";
    let path = folder.path().join("a.ron");
    std::fs::write(&path, text).unwrap();
    let mut app = App::new(Options { place: Place::of_scene(&path), ..options() }).unwrap();
    step(&mut app, &input());
    (folder, app)
}

fn switch_on(app: &mut App) {
    let handle = app.session.run.newest().planned().next().unwrap().handle.clone();
    app.session.act(&SessionAction::Tune(handle, KnobName::Enabled, ParamValue::Switch(true)));
}

#[test]
fn an_error_stays_while_values_are_tuned_and_saved_and_is_cleared_by_a_reload() {
    let (folder, mut app) = without_view();
    app.session.log.add(Tone::Bad, 0, "cannot write");
    switch_on(&mut app);
    drawing::save(&mut app);
    assert!(app.session.log.has_open_errors());
    std::fs::write(folder.path().join("scripts/mine.rhai"), "fn steer(me, world) { 0.5 }").unwrap();
    until(&mut app, |app| !app.session.log.has_open_errors());
}

#[test]
fn errors_over_the_world_are_those_of_used_files_and_can_be_dismissed_until_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let (path, scripts) = (folder.path().join("a.ron"), folder.path().join("scripts"));
    std::fs::create_dir(&scripts).unwrap();
    let script = scripts.join("mine.rhai");
    std::fs::write(&script, "fn steer(me, world) { 0.5 }").unwrap();
    let text = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()},
        groups: [(name: \"a\", body: \"m\", behaviors: [(script: \"mine\")])])";
    std::fs::write(&path, text).unwrap();
    for number in 0..17 {
        std::fs::write(scripts.join(format!("other{number}.rhai")), "fn steer(me, world) { let }").unwrap();
    }
    let mut app = App::new(Options { place: Place::of_scene(&path), ..options() }).unwrap();
    let shown = |app: &App| -> Vec<String> {
        app.session.shown_faulty().iter().map(|file| file.path.clone()).collect()
    };
    // The height of the world: smaller beside a log with errors.
    let height = |app: &mut App| {
        step(app, &input());
        step(app, &input());
        let (min, max) = app.view.camera.view();
        max.y - min.y
    };
    let lines = |app: &App| app.session.log.lines().len();
    let quiet = height(&mut app);
    assert_eq!((shown(&app), lines(&app)), (Vec::new(), 0), "the others are in the panel");
    for (number, fault) in [1, 2].into_iter().enumerate() {
        std::fs::write(&script, format!("fn steer(me, world) {{ let {fault} }}")).unwrap();
        until(&mut app, |app| shown(app) == ["mine.rhai"]);
        assert!(height(&mut app) < quiet - 30.0, "the log grows with error {number}");
        step(&mut app, &pressed(Key::Escape));
        assert!(shown(&app).is_empty());
        assert_eq!(height(&mut app), quiet);
    }
    std::fs::write(&script, "fn steer(me, world) { 0.25 }").unwrap();
    until(&mut app, |app| app.session.run.generation.number > 1);
    assert!(shown(&app).is_empty());
    step(&mut app, &pressed(Key::Escape));
    app.view.selection.replace([0]);
    step(&mut app, &pressed(Key::Escape));
    assert_eq!(app.view.selection.inspected(), None, "without errors, the key deselects");
}
