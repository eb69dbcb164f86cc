//! Previews of a save, snapshots, and comparison of two runs.

use std::time::{Duration, Instant};

use egui::{Key, Modifiers};
use steerbox_core::world::ParamValue;
use steerbox_project::reload::{Handle, KnobName, Place};
use steerbox_project::session::Options;

use super::{file, input, options, pixel, pressed, step};
use crate::App;
use crate::commands::action::{Action, CompareWith, SessionAction, ViewAction};
use crate::model::plots::Quantity;
use crate::model::switch::Switch;

/// The default scene in a folder of its own.
pub(super) fn on_disk() -> (tempfile::TempDir, App) {
    let folder = tempfile::tempdir().unwrap();
    let scenes = folder.path().join("scenes");
    std::fs::create_dir(&scenes).unwrap();
    std::fs::copy(file("scenes/flock.ron"), scenes.join("flock.ron")).unwrap();
    let place = Place::of_scene(&scenes.join("flock.ron"));
    let mut app = App::new(Options { place, ..options() }).unwrap();
    app.session.frame_wait = Duration::MAX;
    (folder, app)
}

fn act(app: &mut App, action: impl Into<Action>) {
    app.view.act(&mut app.session, action);
}

fn handle(app: &App, rule: usize) -> Handle {
    app.session.run.generation.planned().nth(rule).unwrap().handle.clone()
}

pub(super) fn tune(app: &mut App, rule: usize, gain: f32) {
    let tune = SessionAction::Tune(handle(app, rule), KnobName::Gain, ParamValue::Number(gain));
    act(app, tune);
}

fn gain(app: &App, rule: usize) -> f32 {
    app.session.run.simulation.slots(0)[rule].gain
}

/// Draws frames until a condition is true.
pub(super) fn until(app: &mut App, what: &str, is_so: impl Fn(&App) -> bool) {
    let end = Instant::now() + Duration::from_mins(2);
    while !is_so(app) {
        assert!(Instant::now() < end, "{what}");
        step(app, &input());
        std::thread::yield_now();
    }
}

fn logged(app: &App, part: &str) -> bool {
    app.session.log.lines().any(|line| line.text.contains(part))
}

#[test]
fn a_slider_shows_where_the_selected_unit_will_be_until_a_key_switches_it_off() {
    let (_folder, mut app) = on_disk();
    step(&mut app, &input());
    step(&mut app, &pressed(Key::Space));
    let tune = |app: &mut App, gain: f32| tune(app, 0, gain);
    act(&mut app, ViewAction::Select(vec![12]));
    step(&mut app, &input());
    tune(&mut app, 3.0);
    let is_whole = |app: &App| app.session.run.preview().is_some() && !app.session.run.is_previewing();
    until(&mut app, "a preview", is_whole);
    step(&mut app, &input());
    let key = app.session.run.simulation.world().units.key[12];
    let preview = app.session.run.preview().unwrap().clone();
    assert_eq!(preview.keys, [key]);
    assert!(preview.now != preview.before);
    // The preview ends at the unit's later position.
    let from = app.session.run.simulation.world().steps;
    assert_eq!(preview.from, from);
    for at in 1..4 {
        step(&mut app, &pressed(Key::Period));
        assert_eq!(app.session.run.simulation.world().units.position[12], preview.now[0][at]);
    }
    assert!(app.session.run.preview().is_some());
    step(&mut app, &pressed(Key::E));
    assert!(app.session.run.preview().is_none() && !app.view.remembered().preview);
    tune(&mut app, 1.0);
    until(&mut app, "the value", |app| app.session.run.generation.planned().next().unwrap().gain == 1.0);
    step(&mut app, &pressed(Key::E));
    // It ends once the scene has run for a while.
    tune(&mut app, 2.0);
    until(&mut app, "another preview", is_whole);
    step(&mut app, &pressed(Key::Space));
    for _ in 0..10 {
        app.frame(&input(), Duration::from_secs(1));
    }
    assert!(app.session.run.preview().is_none());
}

#[test]
fn values_are_saved_under_a_name_and_loaded_as_one_edit() {
    let (folder, mut app) = on_disk();
    step(&mut app, &input());
    let files = [gain(&app, 0), gain(&app, 1)];
    act(&mut app, SessionAction::SaveSnapshot("none".to_owned()));
    assert!(logged(&app, "nothing to save"));
    tune(&mut app, 0, 2.0);
    act(&mut app, SessionAction::SaveSnapshot(" tight ".to_owned()));
    assert_eq!(app.session.snapshot_names, ["tight"]);
    let path = folder.path().join("scenes/flock.values.ron");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("    \"tight\": [\n        \"starlings.cohesion.gain=2\",\n    ],\n"), "{text}");
    // The file is not a scene.
    let known = steerbox_project::reload::known_scenes_in(&folder.path().join("scenes"));
    assert!(!known.iter().any(|scene| scene.name.contains("values")));
    let before = (3.0, 0.25);
    tune(&mut app, 0, before.0);
    tune(&mut app, 1, before.1);
    let gains = |app: &App| (gain(app, 0), gain(app, 1));
    until(&mut app, "tuned", |app| gains(app) == before);
    act(&mut app, SessionAction::LoadSnapshot("tight".to_owned()));
    until(&mut app, "loaded", |app| gains(app) == (2.0, files[1]) && app.session.tuned() == 1);
    let command = |key: Key| {
        let mut input = pressed(key);
        input.keys[0].modifiers = Modifiers::COMMAND;
        input
    };
    step(&mut app, &command(Key::Z));
    until(&mut app, "undone at once", |app| gains(app) == before);
    step(&mut app, &command(Key::Y));
    until(&mut app, "redone", |app| gains(app) == (2.0, files[1]));
    act(&mut app, SessionAction::DeleteSnapshot("tight".to_owned()));
    assert!(app.session.snapshot_names.is_empty());
    std::fs::write(&path, "{\n    \"odd\": [\"starlings.cohesoin.gain=1.0\"],\n}").unwrap();
    act(&mut app, SessionAction::LoadSnapshot("odd".to_owned()));
    assert!(logged(&app, "flock.values.ron:2:13: "), "its location is logged");
    std::fs::write(&path, "{\n    \"odd\": [").unwrap();
    act(&mut app, SessionAction::SaveSnapshot("more".to_owned()));
    assert!(logged(&app, "flock.values.ron:2:"), "a faulty file is not overwritten");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "{\n    \"odd\": [");
}

#[test]
fn two_runs_are_side_by_side_and_either_can_continue() {
    let (_folder, mut app) = on_disk();
    step(&mut app, &input());
    step(&mut app, &pressed(Key::X));
    assert!(logged(&app, "nothing to compare with"));
    let (file, whole) = (gain(&app, 0), app.view.camera.view());
    tune(&mut app, 0, 3.0);
    step(&mut app, &pressed(Key::X));
    until(&mut app, "a comparison", |app| app.session.run.variant().is_some());
    assert_eq!(app.session.compared.name, "values saved in the files");
    act(&mut app, SessionAction::Compare(CompareWith::Snapshot("none".to_owned())));
    assert_eq!(app.session.compared.name, "values saved in the files", "B is unchanged");
    act(&mut app, ViewAction::Toggle(Switch::Plots));
    act(&mut app, ViewAction::Select(vec![12]));
    until(&mut app, "they part", |app| {
        let pair = app.session.compared_runs().unwrap();
        pair.divergence.is_some() && app.session.run.simulation.world().steps > 90
    });
    step(&mut app, &input());
    let variant = app.session.run.variant().unwrap();
    assert_eq!(variant.simulation.slots(0)[0].gain, file);
    assert_eq!(variant.simulation.world().steps, app.session.run.simulation.world().steps);
    let pair = app.session.compared_runs().unwrap();
    let [words, _] = app.session.words_of(&pair, ["A", "B"]);
    assert!(words.contains("of starlings, rule cohesion"), "{words}");
    assert!(app.session.apart(12).unwrap() > 0.0);
    let key = app
        .view
        .second
        .plots
        .keys()
        .find(|key| Some(key.quantity) == Quantity::named("speed"))
        .unwrap()
        .clone();
    assert!(!app.view.second.plots.series().lines(&key).is_empty());
    // One camera for both, each in a half.
    let (min, max) = app.view.camera.view();
    assert!((max.x - min.x) * 2.0 <= whole.1.x - whole.0.x + 2.0);
    let at = |app: &App, unit: usize| pixel(app, app.session.world_and_poses(true).0.units.position[unit]);
    step(&mut app, &pressed(Key::Space));
    let mut over = input();
    over.pointer.position = Some(at(&app, 40) + glam::Vec2::X * (max.x - min.x));
    act(&mut app, ViewAction::Toggle(Switch::Plots));
    // The plots fade.
    for _ in 0..30 {
        step(&mut app, &input());
    }
    step(&mut app, &over);
    assert_eq!(app.view.pointing.hovered, Some(40), "units of the second run are pointed at, too");
    step(&mut app, &pressed(Key::X));
    assert!(app.session.run.variant().is_none());
    assert_eq!(gain(&app, 0), 3.0);
    // B: its state and its values.
    act(&mut app, SessionAction::Compare(CompareWith::Files));
    until(&mut app, "another comparison", |app| app.session.run.variant().is_some());
    step(&mut app, &pressed(Key::Space));
    for _ in 0..10 {
        step(&mut app, &input());
    }
    step(&mut app, &pressed(Key::Space));
    let b = app.session.run.variant().unwrap().simulation.world().units.clone();
    act(&mut app, SessionAction::ContinueRun(true));
    step(&mut app, &input());
    assert_eq!(app.session.run.simulation.world().units, b);
    until(&mut app, "its values", |app| gain(app, 0) == file && app.session.tuned() == 0);
    assert_eq!(app.session.run.simulation.world().units.position, b.position);
}
