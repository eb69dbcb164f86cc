//! Opening another scene while one runs.

use egui::{Key, Modifiers};
use steerbox_core::world::ParamValue;
use steerbox_project::reload::{KnobName, Place};
use steerbox_project::session::{ChangedRules, Moment, Options};

use super::{input, options, patient, stage_of, typed};
use crate::App;
use crate::commands::action::{SessionAction, ViewAction};
use crate::model::frame_input::FrameInput;

fn with_control(key: Key) -> FrameInput {
    typed(key, Modifiers::COMMAND)
}

/// The scene with this name in the browser.
fn known(app: &App, name: &str) -> steerbox_project::reload::KnownScene {
    let mut entries = app.view.browser.entries.iter();
    entries.find(|entry| entry.scene.name == name).unwrap().scene.clone()
}

#[test]
fn another_scene_replaces_the_running_one_and_the_view_settings_stay() {
    let mut app = stage_of("flock.ron");
    app.press(Key::T);
    app.act(ViewAction::Select(vec![3]));
    app.step(&with_control(Key::O));
    let walls = known(&app, "walls");
    app.act(ViewAction::OpenScene(walls, false));
    app.idle(1);
    assert_eq!(app.session.scene_name(), "walls");
    assert_eq!(app.title(), format!("{} – steerbox", app.session.run.generation.scene.title));
    assert!(app.view.dialog.is_none() && app.view.selection.units().is_empty() && !app.view.window.trails);
    let lines = app.log();
    assert!(lines.iter().any(|line| line.contains("files loaded")), "{lines:?}");
    assert!(app.step(&input()) < 10, "the scene begins at step 0");
}

#[test]
fn unsaved_values_are_discarded_only_after_a_confirmation() {
    let mut app = stage_of("flock.ron");
    app.step(&with_control(Key::O));
    let handle = app.session.run.generation.planned().next().unwrap().handle.clone();
    app.session.act(&SessionAction::Tune(handle, KnobName::Gain, ParamValue::Number(2.0)));
    let walls = known(&app, "walls");
    app.act(ViewAction::OpenScene(walls.clone(), false));
    app.idle(1);
    assert_eq!(app.session.scene_name(), "flock");
    assert!(app.view.browser.unconfirmed.is_some());
    app.act(ViewAction::OpenScene(walls, true));
    app.idle(1);
    assert_eq!(app.session.scene_name(), "walls");
}

#[test]
fn a_scene_that_cannot_be_opened_leaves_the_running_one() {
    let mut app = stage_of("flock.ron");
    app.change_scene(Options::new(Place::of_scene(std::path::Path::new("no/such.ron"))));
    app.idle(1);
    assert_eq!(app.session.scene_name(), "flock");
    assert!(app.logs("such.ron"));
}

/// A window at a moment of the default scene, and the number of its step; `cohesion.rhai` is not as it was.
fn at_moment_of_changed_scene() -> (App, u64) {
    let mut before = stage_of("flock.ron");
    while before.step(&input()) < 5 {}
    let run = &before.session.run;
    let moment = Moment::of(&run.generation, &run.simulation, None).expect("a moment");
    let steps = moment.steps();
    let place = Place::built_in("flock.ron");
    let changed = ChangedRules { place, names: vec!["cohesion.rhai".to_owned()] };
    let app = patient(Options { threads: options().threads, changed: Some(changed), ..Options::at(moment) });
    (app, steps)
}

#[test]
fn a_moment_of_a_changed_scene_waits_for_the_choice_of_its_rules() {
    for (keys, is_now) in
        [(&[Key::Escape][..], false), (&[Key::Enter], false), (&[Key::Tab, Key::Enter], true)]
    {
        let (mut app, steps) = at_moment_of_changed_scene();
        (0..3).for_each(|_| assert_eq!(app.step(&input()), steps));
        let question = app.view.question.as_ref().expect("the rules are a choice");
        assert!(question.text.contains("cohesion.rhai"), "{}", question.text);
        // Space belongs to the focused button, other keys to nothing.
        app.press(Key::Period);
        assert_eq!(app.step(&input()), steps);
        let own = app.session.run.generation.texts().expect("texts");
        for key in keys {
            app.step(&typed(*key, Modifiers::NONE));
            app.idle(1);
        }
        app.idle(3);
        assert!(app.view.question.is_none() && !app.session.paused, "{keys:?}");
        let now = app.idle(1);
        assert!(now > steps && now < steps + 20, "{keys:?}: {now} after {steps}");
        assert_eq!(app.session.place == Place::built_in("flock.ron"), is_now, "{keys:?}");
        assert_eq!(
            app.session.run.generation.texts().expect("texts").differences(&own),
            Vec::<String>::new()
        );
    }
}
