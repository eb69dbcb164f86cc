//! What clicks do, and what they leave alone.

use std::time::Duration;

use egui::{Key, Modifiers, PointerButton};
use glam::Vec2;

use super::App;
use super::tests::{SIZE, app, change, input, pixel, pressed, pull, stage_of, step};
use crate::app::input::{ButtonChange, FrameInput};

/// A press and a release within one frame.
fn click(position: Vec2, button: PointerButton, modifiers: Modifiers) -> FrameInput {
    let mut input = input();
    input.pointer.position = Some(position);
    let changes =
        [true, false].map(|pressed| ButtonChange { modifiers, ..change(position, button, pressed) });
    input.pointer.changes = changes.to_vec();
    input
}

fn target(app: &App) -> Option<glam::Vec3> {
    app.session.run.simulation.world().target
}

#[test]
fn a_click_selects_alone_and_shift_or_the_right_button_sets_the_target() {
    let mut app = stage_of("targets.ron");
    step(&mut app, &pressed(Key::Space));
    let before = target(&app);
    let world = app.session.run.simulation.world();
    let unit = pixel(&app, world.units.position[0]);
    let primary = |place, modifiers| click(place, PointerButton::Primary, modifiers);
    step(&mut app, &primary(unit, Modifiers::NONE));
    assert!(app.view.selected.is_some());
    assert_eq!(target(&app), before);
    step(&mut app, &primary(unit, Modifiers::SHIFT));
    let at_unit = target(&app).unwrap();
    assert!(pixel(&app, at_unit).distance(unit) < 1.0);
    assert!(app.view.selected.is_some());
    let place = Vec2::new(320.0, 420.0);
    step(&mut app, &click(place, PointerButton::Secondary, Modifiers::NONE));
    assert!(pixel(&app, target(&app).unwrap()).distance(place) < 1.0);
    // Into the panel, nothing happens.
    let panel = Vec2::new(SIZE.0 as f32 - 20.0, 300.0);
    step(&mut app, &primary(panel, Modifiers::SHIFT));
    assert!(pixel(&app, target(&app).unwrap()).distance(place) < 1.0);
    // Its crosshair can be dragged.
    pull(&mut app, place, Vec2::new(200.0, 300.0));
    let there = pixel(&app, target(&app).unwrap());
    assert!(there.distance(Vec2::new(200.0, 300.0)) < 1.0, "{there}");
    step(&mut app, &pressed(Key::Escape));
    assert_eq!(app.view.selected, None);
    assert!(target(&app).is_some());
}

#[test]
fn no_target_is_set_or_shown_where_no_behavior_asks_for_it() {
    let mut app = app();
    step(&mut app, &input());
    let place = Vec2::new(200.0, 200.0);
    step(&mut app, &click(place, PointerButton::Secondary, Modifiers::NONE));
    assert_eq!(target(&app), None);
    let told = |line: &crate::app::log::Line| line.text.contains("`world.target`");
    assert!(app.session.log.lines().any(told));
    let mut app = stage_of("targets.ron");
    assert_eq!(app.session.shown_target(), target(&app));
    assert!(target(&app).is_some());
    for planned in app.session.run.generation.behaviors.iter_mut().flatten() {
        planned.enabled = false;
    }
    assert_eq!(app.session.shown_target(), None);
}

#[test]
fn escape_closes_the_help_before_it_deselects() {
    let mut app = app();
    app.view.selected = Some(0);
    step(&mut app, &pressed(Key::H));
    step(&mut app, &pressed(Key::Escape));
    assert_eq!((app.view.help, app.view.selected), (false, Some(0)));
    step(&mut app, &pressed(Key::Escape));
    assert_eq!(app.view.selected, None);
}

#[test]
fn selecting_a_unit_moves_nothing_in_the_panel() {
    let mut app = app();
    for _ in 0..3 {
        step(&mut app, &pressed(Key::Space));
    }
    let panel = |app: &App| -> Vec<u32> {
        let (width, pixels) = (SIZE.0, app.canvas().pixels());
        let rows = pixels.chunks(width).skip(170).take(350);
        rows.flat_map(|row| row[width - 310..].to_vec()).collect()
    };
    let before = panel(&app);
    app.view.selected = Some(0);
    for _ in 0..3 {
        app.frame(&input(), Duration::ZERO);
    }
    assert!(before == panel(&app));
}
