//! Time travel by keys and the timeline.

use egui::{Key, Modifiers};
use steerbox_core::world::ParamValue;
use steerbox_project::reload::{KnobName, Place};
use steerbox_project::session::{Input, Keep, Options};
use steerbox_scene::{SceneEdit, shifted};

use super::stage::Stage;
use super::{SIZE, has_tooltip, input, options, patient, pointing, pressed, typed};
use crate::App;
use crate::commands::action::{SessionAction, ViewAction};
use crate::model::frame_input::FrameInput;
use crate::time::timeline::MarkKind;

/// A window that records its session.
pub(super) fn recording() -> App {
    patient(Options { keep: Keep::USUAL, ..options() })
}

fn recording_of(scene: &str) -> Stage {
    let open = |place| patient(Options { keep: Keep::USUAL, place, ..options() });
    Stage::with(&[("a.ron", scene)], open)
}

/// Makes steps, and returns the hash after each.
pub(super) fn hashes(app: &mut App, count: u64) -> Vec<u64> {
    app.idle(1);
    app.press(Key::Space);
    let first = app.world().steps;
    let hash = |app: &App| app.hash();
    let mut hashes = vec![0; first as usize];
    hashes.push(hash(app));
    for _ in 0..count {
        app.press(Key::Period);
        hashes.push(hash(app));
    }
    hashes
}

/// The number of the shown step, after pending requests are completed.
pub(super) fn shown(app: &mut App, input: &FrameInput) -> u64 {
    app.step(input);
    app.until(|app| !app.session.run.is_seeking());
    app.world().steps
}

fn with_shift(key: Key) -> FrameInput {
    typed(key, Modifiers::SHIFT)
}

#[test]
fn keys_step_back_and_forth_through_identical_states() {
    let mut app = recording();
    let hashes = hashes(&mut app, 12);
    let last = hashes.len() as u64 - 1;
    for back in 1..=5 {
        assert_eq!(shown(&mut app, &pressed(Key::Comma)), last - back);
        assert_eq!(app.hash(), hashes[(last - back) as usize]);
    }
    assert_eq!(shown(&mut app, &pressed(Key::Period)), last - 4);
    assert_eq!(app.hash(), hashes[(last - 4) as usize]);
    // A paused scene does not move.
    assert_eq!(shown(&mut app, &input()), last - 4);
    assert_eq!(shown(&mut app, &pressed(Key::PageUp)), 0, "without events, the oldest step");
    app.go_to(3);
    // The playback reaches the present, and the scene continues.
    shown(&mut app, &pressed(Key::Space));
    app.until(|app| app.session.run.past_step().is_none());
    assert!(app.step(&input()) >= last);
    assert!(!app.session.paused);
}

#[test]
fn playback_runs_backwards_to_the_oldest_step_and_a_key_returns_to_the_present() {
    let mut app = recording();
    let hashes = hashes(&mut app, 9);
    let last = hashes.len() as u64 - 1;
    let mut at = shown(&mut app, &with_shift(Key::Space));
    assert!(at < last && app.session.backwards);
    while app.session.backwards {
        let next = shown(&mut app, &input());
        assert!(next <= at);
        assert!(next == 0 || app.hash() == hashes[next as usize]);
        at = next;
    }
    assert_eq!((at, app.session.paused), (0, true));
    assert_eq!(shown(&mut app, &pressed(Key::End)), last);
    assert_eq!(app.hash(), hashes[last as usize]);
    assert!(app.session.paused, "the scene stays paused");
}

#[test]
fn inspected_figures_are_those_of_the_shown_step() {
    let mut app = recording();
    hashes(&mut app, 8);
    app.inspect_script(3, Some(0));
    for at in [2, 5, 4] {
        app.go_to(at);
        let explained = app.session.run.simulation.explained().unwrap();
        assert_eq!((explained.facts.unit, explained.facts.step, explained.has_values), (3, at, true));
    }
    app.act(ViewAction::Select(vec![7]));
    shown(&mut app, &input());
    assert_eq!(app.session.run.simulation.explained().unwrap().facts.unit, 7);
}

#[test]
fn tuning_in_the_past_shows_both_runs_and_the_old_one_can_be_restored() {
    let mut app = recording();
    let hashes = hashes(&mut app, 30);
    let last = hashes.len() as u64 - 1;
    let world_of = |app: &App| app.world().units.clone();
    let old = world_of(&app);
    app.go_to(10);
    let handle = app.rule(0);
    app.act(SessionAction::Tune(handle, KnobName::Gain, ParamValue::Number(3.0)));
    app.until(|app| app.session.run.run_pair().is_some());
    assert_eq!(shown(&mut app, &input()), last);
    let pair = app.session.run.run_pair().unwrap().clone();
    let divergence = pair.divergence.unwrap();
    assert_eq!((pair.fork, divergence.step, divergence.rule.unwrap().name.as_str()), (10, 11, "cohesion"));
    assert_eq!(app.session.run.ghosts().unwrap().position, old.position);
    assert_ne!(world_of(&app).position, old.position);
    app.act(SessionAction::DiscardChange);
    assert_eq!(shown(&mut app, &input()), last);
    assert_eq!(world_of(&app), old);
    let gain = |app: &App| app.session.run.simulation.slots(0)[0].gain;
    assert_ne!(gain(&app), 3.0, "the tuned values of the old run are restored");
    assert_eq!(app.session.tuned(), 0);
    app.act(SessionAction::Undo);
    assert_eq!(gain(&app), 3.0, "undo sets the newer value again");
}

#[test]
fn marks_name_events_and_keys_jump_between_them() {
    let mut app = recording();
    hashes(&mut app, 4);
    let handle = app.rule(0);
    app.act(SessionAction::Tune(handle, KnobName::Gain, ParamValue::Number(3.0)));
    let tuned = app.session.at();
    for _ in 0..4 {
        app.press(Key::Period);
    }
    let marks = app.session.marks();
    assert!(marks.iter().any(|mark| mark.step == tuned && mark.words() == "gain or switch changed"));
    drop(marks);
    assert_eq!(shown(&mut app, &pressed(Key::Home)), tuned + 4, "Home is not a key of the timeline");
    app.act(SessionAction::GoToStep(1));
    shown(&mut app, &input());
    assert_eq!(shown(&mut app, &pressed(Key::PageDown)), tuned);
}

#[test]
fn expectations_are_marks_that_follow_edits_of_the_past() {
    let scene = "(world: Plane(size: (60, 60)), bodies: {\"m\": Mover(length: 2)},
        groups: [(name: \"a\", body: \"m\", count: 3)],
        expect: [(measure: \"count\", group: \"a\", below: 3, by: 0.1), (measure: \"time\", above: 9, by: 10)])";
    let mut app = recording_of(scene);
    hashes(&mut app, 12);
    let marks = |app: &App| -> Vec<_> {
        let marks = app.session.marks();
        marks.iter().map(|mark| (mark.step, mark.kind, mark.words().into_owned())).collect()
    };
    let failed = "expected a.count below 3 by 0.1 s, but the nearest value was 3 at 0 s";
    let before = marks(&app);
    assert_eq!(before[0], (6, MarkKind::Failed, failed.to_owned()));
    assert_eq!((before[1].0, before[1].1), (600, MarkKind::Pending));
    assert!(before[1].2.starts_with("expected time above 9 by 10 s: not judged yet; nearest "));
    app.go_to(3);
    assert_eq!(marks(&app), before, "the display of the past changes no judgment");
    assert_eq!(shown(&mut app, &pressed(Key::PageDown)), 6);
    app.act(SessionAction::GoToStep(3));
    shown(&mut app, &input());
    let key = app.world().units.key[0];
    app.session.run.input(Input::RemoveUnits(vec![key]));
    shown(&mut app, &input());
    assert!(
        marks(&app).contains(&(
            4,
            MarkKind::Met,
            "expected a.count below 3 by 0.1 s: 2 at 0.067 s".to_owned()
        )),
        "{:?}",
        marks(&app)
    );
}

#[test]
fn the_timeline_handles_a_drag_and_is_visible_in_both_themes() {
    let mut app = recording();
    hashes(&mut app, 20);
    app.idle(1);
    let bottom = app.view.camera.view().1.y;
    let place = |x: f32| egui::pos2(x, bottom + 16.0);
    let drag = |app: &mut App, x: f32, pressed: Option<bool>| {
        let mut input = input();
        input.egui.events.push(egui::Event::PointerMoved(place(x)));
        input.egui.events.extend(pressed.map(|pressed| egui::Event::PointerButton {
            pos: place(x),
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        }));
        shown(app, &input)
    };
    drag(&mut app, 640.0, None);
    drag(&mut app, 640.0, Some(true));
    let first = drag(&mut app, 620.0, None);
    let second = drag(&mut app, 450.0, None);
    drag(&mut app, 450.0, Some(false));
    assert!(second < first && app.session.run.past_step() == Some(second), "{first} {second}");
    let strip = |app: &App| {
        let rows = app.canvas().pixels().chunks(SIZE.0).skip(bottom as usize + 8).take(16);
        rows.flat_map(|row| row[400..650].to_vec()).collect::<Vec<u32>>()
    };
    let dark = strip(&app);
    app.press(Key::N);
    app.idle(1);
    assert!(dark != strip(&app));
    // In presentation mode, the timeline is hidden.
    app.step(&with_shift(Key::F11));
    app.idle(1);
    assert_eq!(app.view.camera.view().1.y, SIZE.1 as f32);
}

#[test]
fn another_scene_records_anew() {
    let mut app = recording();
    hashes(&mut app, 4);
    app.press(Key::Comma);
    app.change_scene(Options::new(Place::named("walls").unwrap()));
    app.idle(1);
    assert!(app.session.run.past_step().is_none() && app.session.run.records());
}

#[test]
fn edits_are_undone_and_redone_by_keys() {
    let mut app = recording();
    hashes(&mut app, 2);
    let gain = |app: &App| app.session.run.simulation.slots(0)[0].gain;
    let planned = |app: &App| app.session.run.generation.planned().next().unwrap().handle.clone();
    let at = |app: &App| app.world().obstacles[0].position();
    // An earlier request may still be completed before the last one.
    let until = |app: &mut App, expected| app.until(|app| (gain(app), at(app)) == expected);
    let (before, handle, place) = (gain(&app), planned(&app), at(&app));
    let moved = place + glam::Vec3::X * 9.0;
    app.act(SessionAction::Tune(handle.clone(), KnobName::Gain, ParamValue::Number(2.0)));
    app.act(SessionAction::Tune(handle, KnobName::Gain, ParamValue::Number(3.0)));
    let from = app.world().obstacles[0].clone();
    let to = shifted(&from, glam::Vec3::X * 9.0);
    app.act(SessionAction::EditScene(SceneEdit::Obstacle { at: 0, from: Some(from), to }));
    until(&mut app, (3.0, moved));
    app.undo();
    until(&mut app, (3.0, place));
    // Both values of the slider were one edit.
    app.undo();
    until(&mut app, (before, place));
    app.chord(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    until(&mut app, (3.0, place));
    app.redo();
    until(&mut app, (3.0, moved));
    assert!(app.session.command().contains(".gain=3"), "{}", app.session.command());
}

#[test]
fn the_scene_pauses_in_the_step_in_which_a_condition_becomes_true() {
    let mut app = recording();
    app.act(SessionAction::PauseWhen("step >= 7 && starlings.count > 0".to_owned()));
    app.act(SessionAction::Speed(20.0));
    app.idle(40);
    assert_eq!((app.world().steps, app.session.paused), (7, true));
    // The condition stays true: there is no second pause.
    app.press(Key::Space);
    assert!(app.step(&input()) > 7 && !app.session.paused);
    app.act(SessionAction::PauseWhen("starlings.nonsense > 1".to_owned()));
    app.idle(2);
    assert!(app.session.pause_when.is_some(), "the previous condition stays");
    assert!(app.logs("nonsense"));
    app.act(SessionAction::PauseWhen(String::new()));
    assert!(app.session.pause_when.is_none());
}

#[test]
fn the_mark_of_an_expectation_has_a_tooltip_and_a_click_shows_its_step() {
    let scene = "(world: Plane(size: (60, 60)), bodies: {\"m\": Mover(length: 2)},
        groups: [(name: \"a\", body: \"m\", count: 3)],
        expect: [(measure: \"count\", group: \"a\", below: 3, by: 1)])";
    let mut app = recording_of(scene);
    hashes(&mut app, 300);
    let failed = app.session.marks()[0].step;
    assert_eq!((failed, app.session.marks()[0].kind), (60, MarkKind::Failed));
    let y = app.view.camera.view().1.y + 14.0;
    let clicked = |app: &mut App, x: f32| {
        for pressed in [None, Some(true), Some(false)] {
            app.step(&pointing(egui::pos2(x, y), pressed));
        }
        shown(app, &input())
    };
    // Two steps of the rail have the places of all others.
    let (left, right) = (420.0, 620.0);
    let [first, last] = [left, right].map(|x| clicked(&mut app, x) as f32);
    assert!(last > first + 100.0, "{first} {last}");
    let place = left + (failed as f32 - first) * (right - left) / (last - first);
    for beside in [-2.0, 0.0, 2.0] {
        assert_eq!(clicked(&mut app, place + beside), failed, "{beside}");
    }
    assert_ne!(clicked(&mut app, place + 12.0), failed);
    app.step(&pointing(egui::pos2(place, 100.0), None));
    app.idle(1);
    assert!(!has_tooltip(&app.context), "the pointer is over the world");
    // A tooltip appears above a pointer that rests.
    let mut resting = pointing(egui::pos2(place, y), None);
    app.step(&resting);
    resting.egui.events.clear();
    for _ in 0..60 {
        app.step(&resting);
    }
    assert!(has_tooltip(&app.context), "the pointer is over the mark");
}
