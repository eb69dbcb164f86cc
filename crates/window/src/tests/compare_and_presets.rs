//! Previews of a save, snapshots, and comparison of two runs.

use std::time::Duration;

use egui::Key;
use steerbox_core::world::ParamValue;
use steerbox_project::reload::KnobName;

use super::stage::Stage;
use super::{file, input, pixel};
use crate::App;
use crate::commands::action::{CompareWith, SessionAction, ViewAction};
use crate::model::plots::Quantity;
use crate::model::switch::Switch;

/// The default scene in a folder of its own.
pub(super) fn on_disk() -> Stage {
    let text = std::fs::read_to_string(file("scenes/flock.ron")).unwrap();
    Stage::of(&[("scenes/flock.ron", &text)])
}

pub(super) fn tune(app: &mut App, rule: usize, gain: f32) {
    let tune = SessionAction::Tune(app.rule(rule), KnobName::Gain, ParamValue::Number(gain));
    app.act(tune);
}

fn gain(app: &App, rule: usize) -> f32 {
    app.session.run.simulation.slots(0)[rule].gain
}

#[test]
fn a_slider_shows_where_the_selected_unit_will_be_until_a_key_switches_it_off() {
    let mut app = on_disk();
    app.idle(1);
    app.press(Key::Space);
    let tune = |app: &mut App, gain: f32| tune(app, 0, gain);
    app.act(ViewAction::Select(vec![12]));
    app.idle(1);
    tune(&mut app, 3.0);
    let is_whole = |app: &App| app.session.run.preview().is_some() && !app.session.run.is_previewing();
    app.until(is_whole);
    app.idle(1);
    let key = app.world().units.key[12];
    let preview = app.session.run.preview().unwrap().clone();
    assert_eq!(preview.keys, [key]);
    assert!(preview.now != preview.before);
    // The preview ends at the unit's later position.
    let from = app.world().steps;
    assert_eq!(preview.from, from);
    for at in 1..4 {
        app.press(Key::Period);
        assert_eq!(app.world().units.position[12], preview.now[0][at]);
    }
    assert!(app.session.run.preview().is_some());
    app.press(Key::E);
    assert!(app.session.run.preview().is_none() && !app.view.remembered().preview);
    tune(&mut app, 1.0);
    app.until(|app| app.session.run.generation.planned().next().unwrap().gain == 1.0);
    app.press(Key::E);
    // It ends once the scene has run for a while.
    tune(&mut app, 2.0);
    app.until(is_whole);
    app.press(Key::Space);
    for _ in 0..10 {
        app.frame(&input(), Duration::from_secs(1));
    }
    assert!(app.session.run.preview().is_none());
}

#[test]
fn values_are_saved_under_a_name_and_loaded_as_one_edit() {
    let mut app = on_disk();
    app.idle(1);
    let files = [gain(&app, 0), gain(&app, 1)];
    app.act(SessionAction::SaveSnapshot("none".to_owned()));
    assert!(app.logs("nothing to save"));
    tune(&mut app, 0, 2.0);
    app.act(SessionAction::SaveSnapshot(" tight ".to_owned()));
    assert_eq!(app.session.snapshot_names, ["tight"]);
    let path = app.path("scenes/flock.values.ron");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("    \"tight\": [\n        \"starlings.cohesion.gain=2\",\n    ],\n"), "{text}");
    // The file is not a scene.
    let known = steerbox_project::reload::known_scenes_in(&app.path("scenes"));
    assert!(!known.iter().any(|scene| scene.name.contains("values")));
    let before = (3.0, 0.25);
    tune(&mut app, 0, before.0);
    tune(&mut app, 1, before.1);
    let gains = |app: &App| (gain(app, 0), gain(app, 1));
    app.until(|app| gains(app) == before);
    app.act(SessionAction::LoadSnapshot("tight".to_owned()));
    app.until(|app| gains(app) == (2.0, files[1]) && app.session.tuned() == 1);
    app.undo();
    app.until(|app| gains(app) == before);
    app.redo();
    app.until(|app| gains(app) == (2.0, files[1]));
    app.act(SessionAction::DeleteSnapshot("tight".to_owned()));
    assert!(app.session.snapshot_names.is_empty());
    std::fs::write(&path, "{\n    \"odd\": [\"starlings.cohesoin.gain=1.0\"],\n}").unwrap();
    app.act(SessionAction::LoadSnapshot("odd".to_owned()));
    assert!(app.logs("flock.values.ron:2:13: "), "its location is logged");
    std::fs::write(&path, "{\n    \"odd\": [").unwrap();
    app.act(SessionAction::SaveSnapshot("more".to_owned()));
    assert!(app.logs("flock.values.ron:2:"), "a faulty file is not overwritten");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "{\n    \"odd\": [");
}

#[test]
fn two_runs_are_side_by_side_and_either_can_continue() {
    let mut app = on_disk();
    app.idle(1);
    app.press(Key::X);
    assert!(app.logs("nothing to compare with"));
    let (file, whole) = (gain(&app, 0), app.view.camera.view());
    tune(&mut app, 0, 3.0);
    app.press(Key::X);
    app.until(|app| app.session.run.variant().is_some());
    assert_eq!(app.session.compared.name, "values saved in the files");
    app.act(SessionAction::Compare(CompareWith::Snapshot("none".to_owned())));
    assert_eq!(app.session.compared.name, "values saved in the files", "B is unchanged");
    app.act(ViewAction::Toggle(Switch::Plots));
    app.act(ViewAction::Select(vec![12]));
    app.until(|app| {
        let pair = app.session.compared_runs().unwrap();
        pair.divergence.is_some() && app.world().steps > 90
    });
    app.idle(1);
    let variant = app.session.run.variant().unwrap();
    assert_eq!(variant.simulation.slots(0)[0].gain, file);
    assert_eq!(variant.simulation.world().steps, app.world().steps);
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
    app.press(Key::Space);
    let mut over = input();
    over.pointer.position = Some(at(&app, 40) + glam::Vec2::X * (max.x - min.x));
    app.act(ViewAction::Toggle(Switch::Plots));
    // The plots fade.
    app.idle(30);
    app.step(&over);
    assert_eq!(app.view.pointing.hovered, Some(40), "units of the second run are pointed at, too");
    app.press(Key::X);
    assert!(app.session.run.variant().is_none());
    assert_eq!(gain(&app, 0), 3.0);
    // B: its state and its values.
    app.act(SessionAction::Compare(CompareWith::Files));
    app.until(|app| app.session.run.variant().is_some());
    app.press(Key::Space);
    app.idle(10);
    app.press(Key::Space);
    let b = app.session.run.variant().unwrap().simulation.world().units.clone();
    app.act(SessionAction::ContinueRun(true));
    app.idle(1);
    assert_eq!(app.world().units, b);
    app.until(|app| gain(app, 0) == file && app.session.tuned() == 0);
    assert_eq!(app.world().units.position, b.position);
}
