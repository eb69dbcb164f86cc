//! Layout of the window at every size.

use std::time::Duration;

use egui::{Id, Key, Pos2, Rect, Sense, ViewportId, vec2};
use steerbox_core::world::ParamValue;
use steerbox_picture::render::camera::Lens as _;
use steerbox_project::reload::KnobName;

use super::time_travel::{hashes, recording};
use super::{app, labels};
use crate::App;
use crate::commands::action::{Action, CompareWith, EditorAction, SessionAction, ViewAction};
use crate::model::dialog::Dialog;
use crate::model::editor::Editor;
use crate::model::frame_input::FrameInput;
use crate::model::log::FilePlace;
use crate::model::panes::Pane;
use crate::model::switch::Switch;

/// Pixels of a window, and pixels of a point.
pub(super) type Size = ((usize, usize), f32);

pub(super) const SIZES: [Size; 5] =
    [((1280, 800), 1.0), ((800, 600), 1.0), ((1920, 1080), 1.0), ((1280, 800), 2.0), ((1000, 640), 1.5)];

pub(super) fn input(((width, height), scale): Size) -> FrameInput {
    let mut input = FrameInput { size: (width, height), ..super::input() };
    let points = vec2(width as f32, height as f32) / scale;
    input.egui.screen_rect = Some(Rect::from_min_size(Pos2::ZERO, points));
    input.egui.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point = Some(scale);
    input
}

pub(super) fn frames(app: &mut App, size: Size, count: usize) {
    for _ in 0..count {
        app.step(&input(size));
    }
}

/// The rectangles of all widgets that sense a click, and their parts that are not clipped, points.
fn clickable(app: &App) -> Vec<[Rect; 2]> {
    app.context.viewport(|viewport| {
        let layers = viewport.prev_pass.widgets.layers();
        // A text scrolls to both sides.
        let text = app.view.editor.open_name().map(Editor::field_of);
        let widgets = layers.flat_map(|(_, widgets)| widgets).filter(|widget| Some(widget.id) != text);
        let clickable =
            widgets.filter(|widget| widget.sense.senses_click() && widget.interact_rect.is_positive());
        clickable.map(|widget| [widget.rect, widget.interact_rect]).collect()
    })
}

/// No widget is clipped at a side; widgets that are clipped above or below scroll.
pub(super) fn assert_reachable(app: &App, ((width, height), scale): Size, what: &str) {
    let window = Rect::from_min_size(Pos2::ZERO, vec2(width as f32, height as f32) / scale).expand(0.5);
    let clickable = clickable(app);
    assert!(clickable.len() > 5, "{what}, {width} × {height} at {scale}: {clickable:?}");
    for [rect, seen] in clickable {
        assert!(window.contains_rect(seen), "{what}, {width} × {height} at {scale}: {seen}");
        let is_whole = seen.x_range().expand(0.6).contains(rect.left())
            && seen.x_range().expand(0.6).contains(rect.right());
        assert!(is_whole, "{what}, {width} × {height} at {scale}: {rect} is cut off: {seen}");
    }
}

/// The rectangle of the inspector, points, if it is over the world.
fn inspector(app: &App, size: Size) -> Option<Rect> {
    let layer = egui::LayerId::new(egui::Order::Middle, Id::unique("inspector"));
    let is_shown = app.context.memory(|memory| memory.areas().is_visible(&layer));
    let rect = app.context.memory(|memory| memory.area_rect(Id::unique("inspector")));
    let window = input(size).egui.screen_rect.unwrap();
    rect.filter(|_| is_shown).inspect(|rect| assert!(window.contains_rect(*rect), "{rect}"))
}

/// The position of a unit in the window, points.
fn on_screen(app: &App, unit: usize) -> Pos2 {
    let session = &app.session;
    let position = session.poses.position(session.run.simulation.world(), unit);
    let pixel = app.view.camera.sight().project(position).unwrap().pixel / app.context.pixels_per_point();
    Pos2::new(pixel.x, pixel.y)
}

/// Executes an action and checks that all widgets are reachable.
pub(super) fn act(app: &mut App, size: Size, action: impl Into<Action>, what: &str) {
    app.act(action);
    frames(app, size, 4);
    assert_reachable(app, size, what);
}

#[test]
fn every_widget_is_reachable_at_every_size() {
    for size in SIZES {
        let mut app = recording();
        hashes(&mut app, 8);
        if size.1 > 1.0 {
            // The narrowest width that a user can set.
            app.view.layout.panes.resize(Pane::Controls, 240.0);
        }
        frames(&mut app, size, 3);
        assert_reachable(&app, size, "at first");
        act(&mut app, size, ViewAction::Select(vec![40]), "inspector");
        act(&mut app, size, ViewAction::Toggle(Switch::Vectors), "arrows");
        act(&mut app, size, ViewAction::NextColors, "disagreement");
        act(&mut app, size, SessionAction::GoToStep(3), "the past");
        act(&mut app, size, SessionAction::ReturnToPresent, "the present");
        act(&mut app, size, ViewAction::Toggle(Switch::Plots), "plots");
        act(&mut app, size, ViewAction::Toggle(Switch::Plots), "no plots");
        let handle = app.session.run.generation.planned().next().unwrap().handle.clone();
        act(
            &mut app,
            size,
            SessionAction::Tune(handle, KnobName::Gain, ParamValue::Number(3.0)),
            "a tuned value",
        );
        app.act(SessionAction::Compare(CompareWith::Files));
        app.until(|app| app.session.run.variant().is_some());
        act(&mut app, size, ViewAction::Toggle(Switch::Vectors), "two runs");
        act(&mut app, size, ViewAction::ToggleDialog(Dialog::Scenes), "two runs and scenes");
    }
}

#[test]
fn the_inspector_never_covers_its_unit_nor_most_of_the_world() {
    for size in SIZES {
        let mut app = app();
        let count = app.world().units.len();
        frames(&mut app, size, 3);
        let mut placed = 0;
        for unit in (0..count).step_by(count / 4) {
            app.act(ViewAction::Select(vec![unit]));
            frames(&mut app, size, 3);
            for _ in 0..12 {
                frames(&mut app, size, 1);
                let Some(rect) = inspector(&app, size) else {
                    continue;
                };
                placed += 1;
                assert!(!rect.contains(on_screen(&app, unit)), "{size:?}: unit {unit} is under {rect}");
                let world = app.view.layout.world;
                assert!(rect.area() < world.area() * 0.45, "{size:?}: {rect} of {world}");
            }
        }
        let has_room = size.0.0 as f32 / size.1 >= 800.0;
        assert!(placed > 0 || !has_room, "{size:?}: it is in the panel although the world has room");
    }
}

#[test]
fn the_inspector_is_dragged_and_stays_there_while_it_is_open() {
    let (mut app, size) = (app(), SIZES[0]);
    frames(&mut app, size, 3);
    app.press(Key::Space);
    app.act(ViewAction::Select(vec![40]));
    frames(&mut app, size, 4);
    let before = inspector(&app, size).unwrap();
    let handle = before.right_top() + vec2(-12.0, 12.0);
    let to = handle + vec2(60.0, 30.0);
    let unit = on_screen(&app, 40);
    assert!(!before.translate(to - handle).expand(40.0).contains(unit), "the test has no room");
    let pointer = |app: &mut App, place: Pos2, pressed: Option<bool>| {
        let mut input = input(size);
        input.egui.events.push(egui::Event::PointerMoved(place));
        input.egui.events.extend(pressed.map(|pressed| egui::Event::PointerButton {
            pos: place,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        }));
        app.step(&input);
    };
    pointer(&mut app, handle, None);
    pointer(&mut app, handle, Some(true));
    pointer(&mut app, handle.lerp(to, 0.5), None);
    pointer(&mut app, to, None);
    pointer(&mut app, to, Some(false));
    frames(&mut app, size, 3);
    let after = inspector(&app, size).unwrap();
    assert!((after.min - before.min - vec2(60.0, 30.0)).length() < 2.0, "{before} {after}");
    app.act(ViewAction::Select(vec![41]));
    frames(&mut app, size, 3);
    let other = inspector(&app, size).unwrap();
    assert!(other.min == after.min || after.expand(20.0).contains(on_screen(&app, 41)));
}

/// The rectangles of the widgets of the panel that sense only clicks, down to the separator below the head.
fn buttons(app: &App) -> Vec<Rect> {
    let left = app.view.layout.world.right();
    app.context.viewport(|viewport| {
        let layers = viewport.prev_pass.widgets.layers();
        let panel = layers.filter(|(layer, _)| layer.order == egui::Order::Background);
        let widgets = panel.flat_map(|(_, widgets)| widgets.to_vec());
        // Sliders, and fields for numbers and text, also sense drags.
        let buttons =
            widgets.filter(|widget| widget.sense.contains(Sense::CLICK) && !widget.sense.senses_drag());
        let fixed = buttons.filter(|widget| widget.rect == widget.interact_rect);
        fixed.map(|widget| widget.rect).filter(|rect| rect.left() > left && rect.bottom() < 134.0).collect()
    })
}

#[test]
fn buttons_of_a_row_have_one_height() {
    let mut app = app();
    frames(&mut app, SIZES[0], 3);
    let buttons = buttons(&app);
    assert!(buttons.len() >= 10, "{buttons:?}");
    for a in &buttons {
        for b in buttons.iter().filter(|b| (b.center().y - a.center().y).abs() < 3.0) {
            assert!((a.height() - b.height()).abs() < 0.6, "{a} {b}");
        }
    }
}

#[test]
fn showing_the_past_does_not_move_the_layout() {
    for size in SIZES {
        let mut app = recording();
        hashes(&mut app, 8);
        frames(&mut app, size, 4);
        let layout = app.view.layout;
        app.act(SessionAction::GoToStep(3));
        frames(&mut app, size, 4);
        assert!(app.session.run.past_step().is_some());
        assert_eq!(app.view.layout, layout, "{size:?}");
    }
}

#[test]
fn a_slow_run_errors_and_unsaved_text_move_nothing() {
    for size in [SIZES[0], SIZES[1], SIZES[3]] {
        let mut app = app();
        app.session.paused = true;
        let name = "cohesion.rhai";
        let place = FilePlace { file: name.to_owned(), line: 1, column: 1 };
        app.act(EditorAction::Open(place));
        frames(&mut app, size, 3);
        let field = |app: &App| app.context.read_response(Editor::field_of(name)).expect("the text").rect.min;
        let (before, text, world) = (buttons(&app), field(&app), app.view.layout.world);
        (app.session.paused, app.session.pace) = (false, 0.5);
        frames(&mut app, size, 2);
        assert!(app.session.pace < 0.9, "it is behind");
        assert_eq!(buttons(&app), before, "{size:?}");
        app.session.paused = true;
        let faulty = EditorAction::replace(name, "fn steer(".to_owned());
        app.act(faulty);
        let is_checked = |app: &App| app.view.editor.shown().is_some_and(|text| text.faults().is_some());
        app.until(is_checked);
        app.session.log.fault(0, &steerbox_core::diagnostics::Fault::of_file(name, "an error"));
        frames(&mut app, size, 3);
        assert!(app.session.log.has_open_errors());
        assert_eq!((field(&app), app.view.layout.world), (text, world), "{size:?}");
        assert_eq!(buttons(&app), before, "{size:?}");
    }
}

#[test]
fn escape_and_the_same_key_leave_full_screen_after_what_is_open() {
    let mut app = app();
    app.press(Key::F11);
    assert!(app.full_screen() && !app.view.window.presenting);
    app.press(Key::F11);
    assert!(!app.full_screen());
    app.press(Key::F11);
    app.view.selection.replace([0]);
    app.press(Key::Escape);
    assert!(app.full_screen() && app.view.selection.is_empty());
    app.press(Key::Escape);
    assert!(!app.full_screen());
    app.act(ViewAction::Toggle(Switch::Presentation));
    app.press(Key::Escape);
    assert!(!app.view.window.presenting);
    app.note_full_screen(true);
    let size = app.size();
    let mut large = super::input();
    large.size = (1600, 900);
    app.frame(&large, Duration::ZERO);
    assert_eq!(app.size(), size, "the size of the screen is not remembered as that of the window");
}

#[test]
fn pictures_of_scenes_follow_the_theme() {
    let mut app = app();
    app.step(&super::input());
    app.act(ViewAction::ToggleDialog(Dialog::Scenes));
    let first = |app: &App| app.view.browser.entries[0].picture.as_ref().map(egui::TextureHandle::id);
    let until_other = |app: &mut App, than| {
        app.until(|app| first(app) != than);
        first(app)
    };
    let before = until_other(&mut app, None);
    app.act(ViewAction::ToggleTheme);
    let after = until_other(&mut app, before);
    assert!(after.is_some(), "the picture of before stays until then");
}

#[test]
fn the_order_of_buttons_does_not_depend_on_the_width() {
    let mut app = app();
    for width in [240.0, 330.0, 480.0] {
        app.view.layout.panes.resize(Pane::Controls, width);
        let place = FilePlace { file: "cohesion.rhai".to_owned(), line: 1, column: 1 };
        app.act(EditorAction::Open(place));
        for _ in 0..3 {
            app.step(&super::input());
        }
        let labels = labels(&app);
        let place = |text: &str| {
            let found = labels.iter().find(|(label, _)| label == text);
            found.unwrap_or_else(|| panic!("{width}: there is no {text}")).1.center()
        };
        for row in [
            &["Scenes", "Plots", "A | B", "Share"][..],
            &["Live", "Run", "Run saved", "Changes", "Save", "Close"],
        ] {
            for pair in row.windows(2) {
                let (before, after) = (place(pair[0]), place(pair[1]));
                let is_later = after.x > before.x || after.y > before.y + 8.0;
                assert!(is_later, "{width}: {pair:?} at {before} and {after}");
            }
        }
    }
}
