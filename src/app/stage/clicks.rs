//! What clicks do, and what they leave alone.

use std::time::Duration;

use egui::{Key, Modifiers, PointerButton};
use glam::Vec2;

use super::Stage;
use super::tests::{SIZE, change, input, pixel, pressed, pull, stage, stage_of, step};
use crate::app::input::{ButtonChange, FrameInput};

/// A press and a release within one frame.
fn click(position: Vec2, button: PointerButton, modifiers: Modifiers) -> FrameInput {
    let mut input = input();
    input.pointer.position = Some(position);
    let changes = [true, false].map(|pressed| ButtonChange {
        modifiers,
        ..change(position, button, pressed)
    });
    input.pointer.changes = changes.to_vec();
    input
}

fn target(stage: &Stage) -> Option<glam::Vec3> {
    stage.session.simulation.world().target
}

#[test]
fn a_click_selects_alone_and_shift_or_the_right_button_sets_the_target() {
    let mut stage = stage_of("targets.ron");
    step(&mut stage, &pressed(Key::Space));
    let before = target(&stage);
    let world = stage.session.simulation.world();
    let unit = pixel(&stage, world.units.position[0]);
    let primary = |place, modifiers| click(place, PointerButton::Primary, modifiers);
    step(&mut stage, &primary(unit, Modifiers::NONE));
    assert!(stage.shown.selected.is_some());
    assert_eq!(target(&stage), before);
    step(&mut stage, &primary(unit, Modifiers::SHIFT));
    let at_unit = target(&stage).unwrap();
    assert!(pixel(&stage, at_unit).distance(unit) < 1.0);
    assert!(stage.shown.selected.is_some());
    let place = Vec2::new(320.0, 420.0);
    step(
        &mut stage,
        &click(place, PointerButton::Secondary, Modifiers::NONE),
    );
    assert!(pixel(&stage, target(&stage).unwrap()).distance(place) < 1.0);
    // Into the panel, nothing happens.
    let panel = Vec2::new(SIZE.0 as f32 - 20.0, 300.0);
    step(&mut stage, &primary(panel, Modifiers::SHIFT));
    assert!(pixel(&stage, target(&stage).unwrap()).distance(place) < 1.0);
    // Its crosshair can be dragged.
    pull(&mut stage, place, Vec2::new(200.0, 300.0));
    let there = pixel(&stage, target(&stage).unwrap());
    assert!(there.distance(Vec2::new(200.0, 300.0)) < 1.0, "{there}");
    step(&mut stage, &pressed(Key::Escape));
    assert_eq!(stage.shown.selected, None);
    assert!(target(&stage).is_some());
}

#[test]
fn no_target_is_set_or_shown_where_no_behavior_asks_for_it() {
    let mut stage = stage();
    step(&mut stage, &input());
    let place = Vec2::new(200.0, 200.0);
    step(
        &mut stage,
        &click(place, PointerButton::Secondary, Modifiers::NONE),
    );
    assert_eq!(target(&stage), None);
    let told = |line: &crate::app::log::Line| line.text.contains("`world.target`");
    assert!(stage.session.log.lines().any(told));
    let mut stage = stage_of("targets.ron");
    assert_eq!(stage.session.shown_target(), target(&stage));
    assert!(target(&stage).is_some());
    for planned in stage.session.generation.behaviors.iter_mut().flatten() {
        planned.enabled = false;
    }
    assert_eq!(stage.session.shown_target(), None);
}

#[test]
fn escape_closes_the_help_before_it_deselects() {
    let mut stage = stage();
    stage.shown.selected = Some(0);
    step(&mut stage, &pressed(Key::H));
    step(&mut stage, &pressed(Key::Escape));
    assert_eq!((stage.shown.help, stage.shown.selected), (false, Some(0)));
    step(&mut stage, &pressed(Key::Escape));
    assert_eq!(stage.shown.selected, None);
}

#[test]
fn selecting_a_unit_moves_nothing_in_the_panel() {
    let mut stage = stage();
    for _ in 0..3 {
        step(&mut stage, &pressed(Key::Space));
    }
    let panel = |stage: &Stage| -> Vec<u32> {
        let (width, pixels) = (SIZE.0, stage.canvas().pixels());
        let rows = pixels.chunks(width).skip(170).take(350);
        rows.flat_map(|row| row[width - 310..].to_vec()).collect()
    };
    let before = panel(&stage);
    stage.shown.selected = Some(0);
    for _ in 0..3 {
        stage.frame(&input(), Duration::ZERO);
    }
    assert!(before == panel(&stage));
}
