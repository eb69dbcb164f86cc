//! Themes, hints and the scale.

use std::time::Duration;

use egui::{Key, Pos2};

use super::{SIZE, app, input, labels, stage_of};
use crate::App;
use crate::commands::action::ViewAction;
use crate::model::frame_input::FrameInput;
use crate::model::log::Tone;
use crate::model::switch::Switch;

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
    app.idle(1);
    assert!(seen(&app).iter().all(|seen| *seen < 90), "{:?}", seen(&app));
    app.press(Key::N);
    app.idle(1);
    assert!(seen(&app).iter().all(|seen| *seen > 190), "{:?}", seen(&app));
    app.press(Key::N);
    app.idle(1);
    assert!(seen(&app).iter().all(|seen| *seen < 90), "{:?}", seen(&app));
}

#[test]
fn a_key_cycles_through_the_colors_of_units() {
    let mut app = app();
    app.idle(30);
    app.press(Key::Space);
    app.idle(1);
    // The whole world except the figures of the legend.
    let seen = |app: &App| part(app, (0, 0), (SIZE.0 - 330, SIZE.1 - 250));
    let of_scene = seen(&app);
    let mut names = Vec::new();
    loop {
        app.press(Key::C);
        app.idle(1);
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
fn the_hint_stays_in_the_status_line_between_messages_until_it_is_dismissed() {
    let mut app = stage_of("targets.ron");
    let hint = app.session.run.generation.scene.hint.clone().unwrap().replace('`', "");
    let shows = |app: &mut App, time: f64| {
        let mut input = input();
        input.egui.time = Some(time);
        (0..2).for_each(|_| _ = app.frame(&input, Duration::ZERO));
        labels(app).iter().any(|(text, _)| *text == hint)
    };
    assert!(shows(&mut app, 0.0) && shows(&mut app, 60.0));
    for text in ["one", "two"] {
        app.session.log.add(Tone::Good, 0, text);
    }
    assert!(!shows(&mut app, 61.0), "a message is new");
    assert!(shows(&mut app, 90.0), "and then it is not");
    app.act(ViewAction::Toggle(Switch::Hint));
    assert!(!shows(&mut app, 91.0));
    app.view.change_scene();
    assert!(shows(&mut app, 92.0), "another scene has another hint");
}

#[test]
fn in_a_narrow_window_panel_and_log_are_side_by_side() {
    let mut app = stage_of("aidemo4.ron");
    let size = (400, 300);
    let mut input = FrameInput { size, ..input() };
    let screen = egui::Rect::from_min_size(Pos2::ZERO, egui::vec2(size.0 as f32, size.1 as f32));
    input.egui.screen_rect = Some(screen);
    for _ in 0..3 {
        app.step(&input);
    }
    let (min, max) = app.view.camera.view();
    assert!(min.x == 0.0 && (max.x - 200.0).abs() < 2.0, "{min} {max}");
}
