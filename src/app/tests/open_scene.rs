//! Opening another scene while one runs.

use egui::{Key, Modifiers};

use super::{input, pressed, stage_of, step};
use crate::app::App;
use crate::app::commands::action::{SessionAction, ViewAction};
use crate::app::shell::input::FrameInput;
use crate::reload::KnobName;
use crate::reload::Place;
use crate::scene::ParamValue;

fn with_control(key: Key) -> FrameInput {
    let mut input = pressed(key);
    input.keys[0].modifiers = Modifiers::COMMAND;
    input
}

/// The scene with this name in the browser.
fn known(app: &App, name: &str) -> crate::reload::KnownScene {
    let mut entries = app.view.browser.entries.iter();
    entries.find(|entry| entry.scene.name == name).unwrap().scene.clone()
}

#[test]
fn another_scene_replaces_the_running_one_and_the_view_settings_stay() {
    let mut app = stage_of("flock.ron");
    step(&mut app, &pressed(Key::T));
    app.view.act(&mut app.session, ViewAction::Select(vec![3]));
    step(&mut app, &with_control(Key::O));
    let walls = known(&app, "walls");
    app.view.act(&mut app.session, ViewAction::OpenScene(walls, false));
    step(&mut app, &input());
    assert_eq!(app.session.scene_name(), "walls");
    assert_eq!(app.title(), format!("{} – steerbox", app.session.run.generation.scene.title));
    assert!(app.view.dialog.is_none() && app.view.selection.units().is_empty() && !app.view.trails);
    let lines: Vec<_> = app.session.log.lines().map(|line| line.text.clone()).collect();
    assert!(lines.iter().any(|line| line.contains("files loaded")), "{lines:?}");
    assert!(step(&mut app, &input()) < 10, "the scene begins at step 0");
}

#[test]
fn unsaved_values_are_discarded_only_after_a_confirmation() {
    let mut app = stage_of("flock.ron");
    step(&mut app, &with_control(Key::O));
    let handle = app.session.run.generation.planned().next().unwrap().handle.clone();
    app.session.act(&SessionAction::Tune(handle, KnobName::Gain, ParamValue::Number(2.0)));
    let walls = known(&app, "walls");
    app.view.act(&mut app.session, ViewAction::OpenScene(walls.clone(), false));
    step(&mut app, &input());
    assert_eq!(app.session.scene_name(), "flock");
    assert!(app.view.browser.unconfirmed.is_some());
    app.view.act(&mut app.session, ViewAction::OpenScene(walls, true));
    step(&mut app, &input());
    assert_eq!(app.session.scene_name(), "walls");
}

#[test]
fn a_scene_that_cannot_be_opened_leaves_the_running_one() {
    let mut app = stage_of("flock.ron");
    app.change_scene(Place::of_scene(std::path::Path::new("no/such.ron")));
    step(&mut app, &input());
    assert_eq!(app.session.scene_name(), "flock");
    assert!(app.session.log.lines().any(|line| line.text.contains("such.ron")));
}
