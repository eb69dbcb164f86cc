//! Frames from input to picture: keys, pointer, drawing and saving.

mod assist;
mod built_in;
mod clicks;
mod commands;
mod compare_and_presets;
mod dialogs;
mod documents;
mod dragging;
mod drawing;
mod drawing_in_space;
mod editor;
#[cfg(unix)]
mod editors;
mod experiments;
mod faulty_files;
mod filming;
mod items;
mod layout;
mod notes;
mod open_scene;
mod over_the_world;
mod panes;
mod pasting;
mod plots;
mod recorded_figures;
mod recovery;
mod renaming;
mod rules;
mod search;
mod slow_step;
mod stage;
mod theme;
mod time_travel;
mod undo;
mod units;
mod unreadable;
mod welcome;

use steerbox_picture::render::theme::ThemeName;
use steerbox_project::reload::Place;
use steerbox_project::session::Options;

use self::stage::Stage;
use crate::App;
use crate::commands::action::{SessionAction, ViewAction};
use crate::model::frame_input::{ButtonChange, FrameInput, KeyChange};
use crate::model::panes::Pane;
use crate::model::switch::Switch;
use crate::shell::config::ConfigFile;
use egui::{Event, Key, Modifiers, PointerButton};
use glam::Vec2;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(super) const SIZE: (usize, usize) = (1000, 700);

pub(super) fn options() -> Options {
    let threads = Some(1);
    Options { threads, ..Options::new(Place::built_in("flock.ron")) }
}

/// An application that shows every step in the frame that requests it, however busy the machine is.
pub(super) fn patient(options: Options) -> App {
    let mut app = App::new(options).unwrap();
    app.session.frame_wait = Duration::MAX;
    app
}

pub(super) fn app() -> App {
    patient(options())
}

/// Returns the path of a file of this repository.
pub(super) fn file(path: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("a workspace");
    root.join(path)
}

pub(super) fn stage_of(scene: &str) -> App {
    let place = Place::of_scene(&file("scenes").join(scene));
    patient(Options { place, ..options() })
}

pub(super) fn input() -> FrameInput {
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(SIZE.0 as f32, SIZE.1 as f32));
    let egui = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
    FrameInput { egui, size: SIZE, focused: true, ..FrameInput::default() }
}

/// An input with the pointer at a place, and a press or release of its primary button.
pub(super) fn pointing(at: egui::Pos2, is_pressed: Option<bool>) -> FrameInput {
    pointing_with(PointerButton::Primary, at, is_pressed)
}

/// As `pointing`, with another button.
pub(super) fn pointing_with(with: PointerButton, at: egui::Pos2, is_pressed: Option<bool>) -> FrameInput {
    let mut input = input();
    input.pointer.position = Some(Vec2::new(at.x, at.y));
    input.egui.events.push(egui::Event::PointerMoved(at));
    input.egui.events.extend(is_pressed.map(|pressed| button(at, with, pressed)));
    input
}

/// An event of a button of the pointer in the panel.
pub(super) fn button(pos: egui::Pos2, button: PointerButton, pressed: bool) -> egui::Event {
    egui::Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE }
}

/// The texts of the panel with their places, in the order in which they are drawn.
pub(super) fn labels(app: &App) -> Vec<(String, egui::Rect)> {
    fn collect(shape: &egui::Shape, found: &mut Vec<(String, egui::Rect)>) {
        match shape {
            egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, found)),
            egui::Shape::Text(text) => {
                found.push((text.galley.text().to_owned(), shape.visual_bounding_rect()));
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    let output = app.context.run_ui(input().egui, |ui| {
        crate::panel::show(ui, &app.session, &app.view, &mut Vec::new());
    });
    output.shapes.iter().for_each(|clipped| collect(&clipped.shape, &mut found));
    found
}

/// Returns true if a tooltip is visible.
pub(super) fn has_tooltip(context: &egui::Context) -> bool {
    let is_tooltip = |layer: &egui::LayerId| layer.order == egui::Order::Tooltip;
    context.memory(|memory| memory.layer_ids().any(|it| is_tooltip(&it) && memory.areas().is_visible(&it)))
}

/// A press of a key as the window reports it: to the panel and to the world.
pub(super) fn typed(key: Key, modifiers: Modifiers) -> FrameInput {
    let mut input = input();
    input.keys = vec![KeyChange { key, pressed: true, repeat: false, modifiers }];
    for pressed in [true, false] {
        input.egui.events.push(Event::Key { key, physical_key: None, pressed, repeat: false, modifiers });
    }
    input
}

pub(super) fn pressed(key: Key) -> FrameInput {
    typed(key, Modifiers::NONE)
}

#[test]
fn keys_pause_resume_and_step() {
    let mut app = app();
    app.idle(1);
    assert!(app.step(&input()) >= 1);
    let held = app.press(Key::Space);
    assert_eq!(app.step(&input()), held);
    assert_eq!(app.press(Key::Period), held + 1);
    assert_eq!(app.step(&input()), held + 1);
    assert_eq!(app.press(Key::R), 0);
}

#[test]
fn slow_motion_moves_in_every_frame_and_a_pause_shows_the_last_step() {
    let mut app = app();
    app.act(SessionAction::Speed(0.1));
    let place = |app: &App| app.session.poses.position(app.world(), 0);
    while app.step(&input()) < 3 {}
    let (mut last, mut frames) = (place(&app), 0);
    while app.step(&input()) < 5 {
        let now = place(&app);
        let way = now.distance(last);
        assert!(way > 0.0 && way < 1.0, "frame {frames}: {way}");
        (last, frames) = (now, frames + 1);
    }
    assert!(frames > 10, "{frames}");
    let exact = |app: &App| app.world().units.position[0];
    assert_ne!(place(&app), exact(&app));
    app.press(Key::Space);
    assert_eq!(place(&app), exact(&app));
    app.press(Key::Period);
    assert_eq!(place(&app), exact(&app));
    // It continues from there.
    app.press(Key::Space);
    assert!(place(&app).distance(exact(&app)) < 3.0);
    assert!(place(&app).distance(exact(&app)) > 0.0);
}

#[test]
fn a_window_restores_the_last_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("window.ron");
    let open = || App::with_config(options(), ConfigFile::at(path.clone())).unwrap();
    let mut app = open();
    assert_eq!((app.choose_scale(None, Some(1.5)), app.size()), (1.5, None));
    assert_eq!(app.choose_scale(Some(9.0), Some(1.5)), 4.0);
    app.choose_scale(None, None);
    for action in [
        ViewAction::ToggleTheme,
        ViewAction::Toggle(Switch::Log),
        ViewAction::Toggle(Switch::Plots),
        ViewAction::Rescale(1.25),
    ] {
        app.act(action);
    }
    app.view.layout.panes.resize(Pane::Controls, 400.0);
    app.finish();
    let mut app = open();
    assert_eq!(app.choose_scale(None, Some(2.0)), 1.25);
    let view = &app.view;
    assert_eq!((view.prefs.theme, view.prefs.log_open, view.plots.open), (ThemeName::Paper, true, true));
    app.idle(1);
    app.press(Key::J);
    app.idle(1);
    let size = |app: &App, pane| app.view.layout.panes.size(pane);
    assert_eq!((size(&app, Pane::Controls), size(&app, Pane::Log)), (400.0, 120.0));
    app.act(ViewAction::Rescale(2.0));
    app.idle(3);
    assert_eq!(size(&app, Pane::Controls), 400.0, "a small window shows less of it, and stores its width");
    app.finish();
    // In points, of 1.25 · 2 pixels each.
    assert_eq!(open().size(), Some((400, 280)));
    std::fs::write(&path, "(theme: Paper, nonsense").unwrap();
    let app = open();
    assert!(app.logs("is not a valid configuration"));
    assert_eq!(app.view.prefs.theme, ThemeName::Dark);
}

#[test]
fn world_and_panel_are_drawn_at_every_size() {
    let mut app = app();
    for size in [SIZE, (1, 1), (300, 60), SIZE] {
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(size.0 as f32, size.1 as f32));
        let mut input = FrameInput { size, ..input() };
        input.egui.screen_rect = Some(screen);
        app.step(&input);
        app.step(&input);
        assert_eq!((app.canvas().width(), app.canvas().height()), size);
    }
    let mut colors: Vec<_> = app.canvas().pixels().to_vec();
    colors.sort_unstable();
    colors.dedup();
    assert!(colors.len() > 100, "{}", colors.len());
}

pub(super) fn change(position: Vec2, button: PointerButton, pressed: bool) -> ButtonChange {
    ButtonChange { button, pressed, position, modifiers: Modifiers::NONE }
}

pub(super) fn pixel(app: &App, point: glam::Vec3) -> Vec2 {
    let sight = app.view.camera.sight();
    steerbox_picture::render::camera::Lens::project(&sight, point).unwrap().pixel
}

/// Presses, drags in two frames and releases, from pixel to pixel.
pub(super) fn pull(app: &mut App, from: Vec2, to: Vec2) {
    app.pointer(from, true, &[(PointerButton::Primary, true)]);
    app.pointer(from.midpoint(to), true, &[]);
    app.pointer(to, true, &[]);
    app.pointer(to, false, &[(PointerButton::Primary, false)]);
}

#[test]
fn waiting_for_a_save_ends() {
    let mut app = app();
    let session = &mut app.session;
    session.act(&SessionAction::Save);
    session.report_slow_save(session.save_requested + Duration::from_secs(1));
    assert!(session.saving);
    session.report_slow_save(session.save_requested + Duration::from_secs(6));
    assert!(!session.saving);
    // The result arrives nevertheless.
    let answer = |text: &str| text.contains("no file to write to");
    while !session.log.lines().any(|line| answer(&line.text)) {
        session.receive();
        std::thread::yield_now();
    }
}

#[test]
fn an_obstacle_is_dragged_saved_and_undone() {
    let text = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()},
        groups: [(name: \"a\", body: \"m\")],
        obstacles: [Circle(center: (50, 50), radius: 9), Circle(center: (20, 20), radius: 9)],
        scatter: [(count: 1, radius: 9)])";
    let mut app = Stage::of(&[("a.ron", text)]);
    app.idle(1);
    let center = |app: &App, at: usize| app.world().obstacles[at].position();
    for at in [0, 2] {
        let from = center(&app, at);
        let (start, end) = (pixel(&app, from), pixel(&app, from) + Vec2::new(40.0, 0.0));
        pull(&mut app, start, end);
        assert!(center(&app, at).x > from.x + 1.0);
    }
    assert_eq!(app.session.changed_obstacles(), [0, 2]);
    let (moved, stray) = (center(&app, 0), center(&app, 2));
    assert_eq!(app.world().target, None);
    app.save();
    let lines = app.log();
    let written = format!("wrote 1 value to a.ron: obstacle 1 at ({}, 50)", moved.x);
    assert!(lines.contains(&written), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("1 moved obstacle was scattered")));
    let expected = text.replace("(50, 50)", &format!("({}, 50)", moved.x));
    assert_eq!(app.read("a.ron"), expected);
    assert_eq!(app.session.changed_obstacles(), [2]);
    assert_eq!((center(&app, 0), center(&app, 2)), (moved, stray));
    let (_, back) = app.session.revertible_edits().remove(0);
    app.session.act(&back);
    assert_ne!(center(&app, 2), stray);
    assert_eq!(app.session.tuned(), 0);
}

#[test]
fn the_keys_of_a_scene_switch_its_views_and_behaviors() {
    let mut app = stage_of("aidemo4.ron");
    let views = |app: &App| -> Vec<Option<usize>> {
        let groups = &app.world().groups;
        groups.iter().map(|group| group.view).collect()
    };
    let running = |app: &App, script: &str| {
        let slots = app.session.run.simulation.slots(0).iter();
        slots.filter(|slot| slot.enabled && slot.script == script).count()
    };
    assert_eq!(views(&app), [Some(0), Some(0), None]);
    app.press(Key::Num3);
    assert_eq!(views(&app), [Some(2), Some(2), None]);
    app.press(Key::Num4);
    assert_eq!(views(&app), [None; 3]);
    assert_eq!((running(&app, "chase"), running(&app, "lead")), (1, 1));
    app.press(Key::C);
    assert_eq!((running(&app, "chase"), running(&app, "lead")), (0, 0));
    assert_eq!(app.session.tuned(), 0);
    let before = app.session.run.generation.number;
    app.until(|app| app.session.run.generation.number != before);
    assert_eq!((running(&app, "chase"), app.session.tuned()), (0, 0));
    app.press(Key::C);
    assert_eq!(running(&app, "chase"), 1);
    let mut app = stage_of("heading.ron");
    app.press(Key::Z);
    assert!((app.session.speed - 1.25).abs() < 1e-6);
    app.press(Key::X);
    assert!((app.session.speed - 1.0).abs() < 1e-6);
}

#[test]
fn right_turns_right_and_left_turns_left() {
    for (key, sign) in [(Key::ArrowRight, -1.0), (Key::ArrowLeft, 1.0)] {
        let mut app = stage_of("aidemo4.ron");
        let world = app.world();
        let player = world.player.unwrap();
        let before = world.units.heading[player];
        let held = FrameInput { held: vec![key], ..input() };
        for _ in 0..20 {
            app.frame(&held, Duration::from_millis(17));
        }
        let after = app.world().units.heading[player];
        assert!(before.cross(after).z * sign > 0.01, "{key:?}: {before} to {after}");
    }
}
