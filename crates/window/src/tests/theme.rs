//! Themes, hints and the scale.

use std::time::Duration;

use egui::{Event, Key, Pos2};

use super::{SIZE, app, input, pressed, stage_of, step};
use crate::App;
use crate::commands::action::SessionAction;
use crate::model::frame_input::FrameInput;

/// The pixels of a part of the window, from its top left corner.
fn part(app: &App, (x, y): (usize, usize), (width, height): (usize, usize)) -> Vec<u32> {
    let rows = app.canvas().pixels().chunks(SIZE.0).skip(y).take(height);
    rows.flat_map(|row| row[x..x + width].to_vec()).collect()
}

fn brightness(pixels: &[u32]) -> u32 {
    let sum: u64 =
        pixels.iter().map(|pixel| u64::from((pixel >> 16 & 255) + (pixel >> 8 & 255) + (pixel & 255))).sum();
    (sum / (3 * pixels.len() as u64)) as u32
}

#[test]
fn a_key_switches_world_panel_and_log_to_the_paper_theme_and_back() {
    let mut app = app();
    let places = [(300, 300), (SIZE.0 - 300, 600), (200, SIZE.1 - 60)];
    let seen = |app: &App| places.map(|place| brightness(&part(app, place, (60, 40))));
    step(&mut app, &input());
    assert!(seen(&app).iter().all(|seen| *seen < 90), "{:?}", seen(&app));
    step(&mut app, &pressed(Key::N));
    step(&mut app, &input());
    assert!(seen(&app).iter().all(|seen| *seen > 190), "{:?}", seen(&app));
    step(&mut app, &pressed(Key::N));
    step(&mut app, &input());
    assert!(seen(&app).iter().all(|seen| *seen < 90), "{:?}", seen(&app));
}

#[test]
fn a_key_cycles_through_the_colors_of_units() {
    let mut app = app();
    for _ in 0..30 {
        step(&mut app, &input());
    }
    step(&mut app, &pressed(Key::Space));
    step(&mut app, &input());
    // The whole world except the figures of the legend.
    let seen = |app: &App| part(app, (0, 0), (SIZE.0 - 330, SIZE.1 - 250));
    let of_scene = seen(&app);
    let mut names = Vec::new();
    loop {
        step(&mut app, &pressed(Key::C));
        step(&mut app, &input());
        let Some(shown) = &app.view.color_by else {
            break;
        };
        names.push(steerbox_picture::render::coloring::words(shown).0);
        assert!(seen(&app) != of_scene, "{names:?}");
    }
    assert_eq!(names, ["disagreement", "speed", "turn rate", "neighbors"]);
    assert!(seen(&app) == of_scene);
}

#[test]
fn the_hint_disappears_after_a_while_and_returns_while_the_pointer_is_over_the_title() {
    let mut app = stage_of("targets.ron");
    app.session.act(&SessionAction::TogglePause);
    let hint = |app: &App| part(app, (220, 10), (240, 30));
    let mut frame = |time: f64, pointer: Option<Pos2>| {
        let mut input = FrameInput { time, ..input() };
        input.egui.time = Some(time);
        input.egui.events.extend(pointer.map(Event::PointerMoved));
        app.frame(&input, Duration::ZERO);
        hint(&app)
    };
    frame(0.0, None);
    let first = frame(1.0, None);
    assert!(frame(5.9, None) == first);
    frame(6.1, None);
    let later = frame(6.2, None);
    assert!(later != first);
    // The title is on the panel's first line.
    let mut shows_hint = |y: f32| {
        let title = Pos2::new(SIZE.0 as f32 - 300.0, y);
        let frames = (0..3).map(|at| frame(f64::from(y + at as f32 * 0.1), Some(title)));
        frames.last().is_some_and(|seen| seen == first)
    };
    assert!([10.0, 14.0, 18.0, 22.0, 26.0].into_iter().any(&mut shows_hint));
    assert!(!shows_hint(300.0));
}

#[test]
fn in_a_narrow_window_panel_and_log_are_side_by_side() {
    let mut app = stage_of("aidemo4.ron");
    let size = (400, 300);
    let mut input = FrameInput { size, ..input() };
    let screen = egui::Rect::from_min_size(Pos2::ZERO, egui::vec2(size.0 as f32, size.1 as f32));
    input.egui.screen_rect = Some(screen);
    for _ in 0..3 {
        step(&mut app, &input);
    }
    let (min, max) = app.view.camera.view();
    assert!(min.x == 0.0 && (max.x - 200.0).abs() < 2.0, "{min} {max}");
}
