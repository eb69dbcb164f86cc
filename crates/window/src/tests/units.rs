//! Units moved, thrown, added, copied and removed in the window.

use egui::{Key, Modifiers, PointerButton};
use glam::Vec2;

use super::stage::Stage;
use super::time_travel::{hashes, recording, shown};
use super::{app, change, input, pixel, pull as pull_plainly, typed};
use crate::App;
use crate::commands::action::{SessionAction, ViewAction};
use crate::model::frame_input::FrameInput;

/// A frame of a drag with Ctrl at a time, seconds.
fn frame(place: Vec2, time: f64, held: bool, pressed: Option<bool>) -> FrameInput {
    let mut input = input();
    (input.time, input.modifiers) = (time, Modifiers::COMMAND);
    input.pointer.position = Some(place);
    input.pointer.held.primary = held;
    let change = pressed.map(|pressed| change(place, PointerButton::Primary, pressed));
    input.pointer.changes = change.into_iter().collect();
    for change in &mut input.pointer.changes {
        change.modifiers = Modifiers::COMMAND;
    }
    input
}

/// Drags from a pixel to the right by pixels, in 0.2 s; then waits for some seconds, and releases.
fn pull(app: &mut App, from: Vec2, by: f32, rest: f64) {
    app.step(&frame(from, 0.0, true, Some(true)));
    for part in 1_u8..=20 {
        let place = from + Vec2::X * (by * f32::from(part) / 20.0);
        app.step(&frame(place, f64::from(part) * 0.01, true, None));
    }
    let end = from + Vec2::X * by;
    app.step(&frame(end, 0.2 + rest, true, None));
    app.step(&frame(end, 0.2 + rest, false, Some(false)));
}

/// A paused window, and a unit away from others and from the panel.
fn paused() -> (App, usize) {
    let mut app = app();
    app.idle(1);
    app.press(Key::Space);
    let places = app.world().units.position.iter().map(|at| pixel(&app, *at));
    let places: Vec<_> = places.collect();
    let is_clear = |unit: &usize| {
        let place = places[*unit];
        let near = places.iter().filter(|other| other.distance(place) < 20.0).count();
        (60.0..400.0).contains(&place.x) && (160.0..480.0).contains(&place.y) && near == 1
    };
    let unit = (0..places.len()).find(is_clear).unwrap();
    (app, unit)
}

#[test]
fn a_drag_with_ctrl_throws_a_unit_and_is_undone_at_once() {
    let (mut app, unit) = paused();
    let before = app.hash();
    let place = pixel(&app, app.world().units.position[unit]);
    let view = app.view.camera.view();
    app.step(&frame(place, 0.0, false, None));
    assert!(app.view.pointing.hint.as_ref().is_some_and(|hint| hint.contains("throw")));
    pull(&mut app, place, 200.0, 0.0);
    let units = &app.world().units;
    assert!(pixel(&app, units.position[unit]).distance(place + Vec2::X * 200.0) < 1.0);
    let (velocity, group) = (units.velocity[unit], app.world().group_of(unit));
    // The pointer was faster than the unit's top speed.
    assert!((velocity.x - group.body.max_speed()).abs() < 1e-2 && velocity.y.abs() < 1e-2, "{velocity}");
    assert_eq!(app.view.camera.view(), view);
    assert_eq!(app.view.selection.units(), [0; 0], "a drag selects nothing");
    let thrown = app.hash();
    app.undo();
    assert_eq!(app.hash(), before);
    app.redo();
    assert_eq!(app.hash(), thrown);
}

#[test]
fn a_unit_released_at_rest_continues_as_before_and_selected_units_move_with_it() {
    let (mut app, unit) = paused();
    let other = usize::from(unit == 0);
    let units = app.world().units.clone();
    app.view.selection.replace([other, unit]);
    let place = pixel(&app, units.position[unit]);
    pull(&mut app, place, 100.0, 1.0);
    let now = &app.world().units;
    let ways = [unit, other].map(|unit| now.position[unit] - units.position[unit]);
    assert!(ways[0].x > 1.0 && (ways[0] - ways[1]).length() < 1e-2, "{ways:?}");
    assert_eq!([unit, other].map(|unit| now.velocity[unit]), [unit, other].map(|unit| units.velocity[unit]));
}

#[test]
fn a_click_with_ctrl_selects_and_moves_nothing() {
    let (mut app, unit) = paused();
    let before = app.hash();
    let place = pixel(&app, app.world().units.position[unit]);
    app.step(&frame(place, 0.0, true, Some(true)));
    app.step(&frame(place, 0.05, false, Some(false)));
    assert_eq!((app.view.selection.units(), app.hash()), (&[unit][..], before));
}

#[test]
fn units_are_copied_removed_and_added_by_keys_and_each_is_undone() {
    let (mut app, unit) = paused();
    let count = |app: &App| app.world().units.len();
    let key = |app: &App, unit: usize| app.world().units.key[unit];
    let (all, before, known) = (count(&app), app.hash(), key(&app, unit));
    let last = key(&app, all - 1);
    app.view.selection.replace([unit]);
    app.view.selection.toggle_pin(all - 1);
    app.idle(1);
    app.chord(Modifiers::COMMAND, Key::D);
    assert_eq!(count(&app), all + 1);
    let copy = app.view.selection.inspected().unwrap();
    assert_ne!(key(&app, copy), known);
    let place = |unit: usize| pixel(&app, app.world().units.position[unit]);
    assert!(place(copy).distance(place(unit)) < 60.0);
    // Other units have new indices, and stay identified for the user.
    assert_eq!(key(&app, app.view.selection.pinned()[0]), last);
    app.undo();
    assert_eq!((count(&app), app.hash()), (all, before));
    // Removes the selected units.
    let others: Vec<_> = (0..all).filter(|other| *other != unit).take(2).collect();
    app.view.selection.replace(others.into_iter().chain([unit]));
    app.press(Key::Delete);
    assert_eq!((count(&app), app.view.selection.units()), (all - 3, &[][..]));
    let logged = |app: &App, text: &str| app.session.log.lines().filter(|line| line.text == text).count();
    assert_eq!((logged(&app, "added 1 unit"), logged(&app, "removed 3 units")), (1, 1));
    app.press(Key::Period);
    app.undo();
    assert_eq!(count(&app), all);
    app.redo();
    assert_eq!(count(&app), all - 3);
    // Adds another unit at the pointer.
    let place = Vec2::new(300.0, 300.0);
    app.step(&frame(place, 9.0, false, None));
    let mut insert = typed(Key::Insert, Modifiers::NONE);
    insert.pointer.position = Some(place);
    app.step(&insert);
    let new = app.view.selection.inspected().unwrap();
    let world = app.world();
    assert_eq!(count(&app), all - 2);
    assert!(pixel(&app, world.units.position[new]).distance(place) < 1.0);
    app.press(Key::Period);
}

#[test]
fn dragging_the_rim_of_a_circle_enlarges_it_and_the_scene_stores_that() {
    let text = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()},
        groups: [(name: \"a\", body: \"m\")], obstacles: [Circle(center: (50, 50), radius: 10)])";
    let mut app = Stage::of(&[("a.ron", text)]);
    app.idle(1);
    let circle = |app: &App| {
        let obstacle = &app.world().obstacles[0];
        (obstacle.position().x, obstacle.radius())
    };
    let rim = pixel(&app, glam::Vec3::new(60.0, 50.0, 0.0));
    let end = pixel(&app, glam::Vec3::new(75.0, 50.0, 0.0));
    app.point(rim);
    assert_eq!(app.view.pointing.cursor, egui::CursorIcon::ResizeHorizontal);
    assert!(app.view.pointing.hint.as_ref().is_some_and(|hint| hint.contains("radius")));
    pull_plainly(&mut app, rim, end);
    let (x, radius) = circle(&app);
    assert_eq!(x, 50.0);
    assert!((radius - 25.0).abs() < 0.5, "{radius}");
    app.undo();
    assert_eq!(circle(&app), (50.0, 10.0));
    app.redo();
    assert_eq!(circle(&app), (50.0, radius));
    app.save();
    assert_eq!(app.read("a.ron"), text.replace("radius: 10", &format!("radius: {radius}")));
}

#[test]
fn an_obstacle_that_is_dragged_in_the_past_changes_the_steps_since() {
    let mut app = recording();
    let hashes = hashes(&mut app, 40);
    let last = hashes.len() as u64 - 1;
    app.go_to(10);
    let place = |app: &App| app.world().obstacles[0].position();
    let (before, from) = (place(&app), pixel(&app, place(&app)));
    pull_plainly(&mut app, from, from + Vec2::new(60.0, 40.0));
    let there = place(&app);
    assert!(there.distance(before) > 10.0);
    app.until(|app| app.session.run.run_pair().is_some());
    assert_eq!(shown(&mut app, &input()), last);
    assert_eq!(place(&app), there);
    assert_ne!(app.hash(), hashes[last as usize]);
    assert_eq!(app.session.run.run_pair().unwrap().fork, 10);
    app.act(SessionAction::GoToStep(9));
    shown(&mut app, &input());
    assert_eq!((app.hash(), place(&app)), (hashes[9], before), "before that, it is where it was");
}

#[test]
fn keys_move_the_selected_units_and_each_move_is_undone_at_once() {
    let (mut app, unit) = paused();
    let place = |app: &App| pixel(app, app.world().units.position[unit]);
    app.act(ViewAction::Select(vec![unit]));
    let (before, hash_before) = (place(&app), app.hash());
    app.chord(Modifiers::COMMAND, Key::ArrowRight);
    app.chord(Modifiers::COMMAND, Key::ArrowUp);
    let by = place(&app) - before;
    assert!(by.distance(Vec2::new(10.0, -10.0)) < 0.1, "{by}");
    for _ in 0..2 {
        app.undo();
    }
    assert_eq!(app.hash(), hash_before);
}

#[test]
fn a_duplication_that_makes_steps_slow_waits_for_an_answer() {
    let (mut app, _) = paused();
    let count = |app: &App| app.world().units.len();
    let select_all = |app: &mut App| {
        let all: Vec<_> = (0..count(app)).collect();
        app.act(ViewAction::Select(all));
    };
    let copy = |app: &mut App| {
        select_all(app);
        app.chord(Modifiers::COMMAND, Key::D);
    };
    let mut rounds = 0;
    while app.view.question.is_none() {
        copy(&mut app);
        rounds += 1;
        assert!(rounds < 12, "{} units", count(&app));
    }
    let before = count(&app);
    let text = app.view.question.as_ref().unwrap().text.clone();
    assert!(text.starts_with("Duplicate ") && text.contains("A step would take about"), "{text}");
    // Other keys have no effect now, and Cancel has the focus.
    app.press(Key::Delete);
    app.press(Key::R);
    let log = app.log();
    assert!(!log.iter().any(|line| line == "restarted"), "{log:?}");
    app.press(Key::Enter);
    assert!(app.view.question.is_none());
    assert_eq!(count(&app), before, "nothing was duplicated");
    copy(&mut app);
    app.idle(1);
    app.press(Key::Escape);
    assert!(app.view.question.is_none());
    copy(&mut app);
    app.idle(1);
    app.press(Key::Tab);
    app.press(Key::Enter);
    assert!(app.view.question.is_none());
    assert!(count(&app) > before, "Enter pressed the other button");
    app.undo();
    assert_eq!(count(&app), before);
    // One more unit is not expensive.
    app.press(Key::Insert);
    assert_eq!(count(&app), before + 1);
}
