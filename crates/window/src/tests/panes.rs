//! Panes: docks, tabs, sizes, and the drag of a pane to another dock.

use egui::{Event, Id, PointerButton, Pos2, Rect, vec2};

use super::layout::{SIZES, act, assert_reachable, frames, input};
use super::time_travel::{hashes, recording};
use super::{app, button, options};
use crate::App;
use crate::commands::action::{EditorAction, ViewAction};
use crate::commands::palette::found;
use crate::model::log::FilePlace;
use crate::model::panes::{Dock, Pane, Panes};
use crate::shell::config::ConfigFile;

const WIDE: ((usize, usize), f32) = ((1500, 1080), 1.0);

fn edit(app: &mut App) {
    let place = FilePlace { file: "flock.ron".to_owned(), line: 1, column: 1 };
    app.act(EditorAction::Open(place));
}

fn world(app: &App) -> Rect {
    app.view.layout.world
}

fn dock(app: &mut App, pane: Pane, dock: Dock) {
    app.act(ViewAction::DockPane(pane, dock));
    frames(app, WIDE, 3);
}

/// Presses at a place, moves in two frames and releases.
fn drag(app: &mut App, from: Pos2, to: Pos2) {
    let pointer = |app: &mut App, place: Pos2, pressed: Option<bool>| {
        let mut input = input(WIDE);
        input.egui.events.push(Event::PointerMoved(place));
        input.egui.events.extend(pressed.map(|pressed| button(place, PointerButton::Primary, pressed)));
        app.step(&input);
    };
    pointer(app, from, None);
    pointer(app, from, Some(true));
    pointer(app, from.lerp(to, 0.5), None);
    pointer(app, to, None);
    pointer(app, to, Some(false));
    frames(app, WIDE, 3);
}

fn grip(app: &App, pane: Pane) -> Pos2 {
    let response = app.context.read_response(Id::unique("grip").with(pane));
    response.expect("the pane has a grip").rect.center()
}

#[test]
fn everything_is_reachable_in_every_dock_at_every_size() {
    for size in SIZES {
        for at in [Dock::Left, Dock::Right, Dock::Bottom] {
            let mut app = recording();
            hashes(&mut app, 8);
            edit(&mut app);
            app.view.plots.open = true;
            for pane in Pane::ALL {
                act(&mut app, size, ViewAction::DockPane(pane, at), &format!("{pane:?} {at:?}"));
                let window = Rect::from_min_size(Pos2::ZERO, vec2(size.0.0 as f32, size.0.1 as f32) / size.1);
                let share = world(&app).size() / window.size();
                assert!(share.x >= 0.39 && share.y >= 0.3, "{pane:?} {at:?} {size:?}: {share}");
            }
            act(&mut app, size, ViewAction::Select(vec![40]), &format!("inspector, {at:?}"));
            for pane in Pane::ALL {
                act(&mut app, size, ViewAction::RaisePane(pane), &format!("{pane:?} in front, {at:?}"));
            }
        }
    }
}

#[test]
fn in_a_wide_window_editor_and_plots_are_beside_the_world_by_default() {
    for (size, docks) in [(SIZES[2], [Dock::Left, Dock::Right]), (WIDE, [Dock::Bottom, Dock::World])] {
        let mut app = app();
        edit(&mut app);
        app.view.plots.open = true;
        frames(&mut app, size, 3);
        let shown = |app: &App| [Pane::Editor, Pane::Plots].map(|pane| app.view.layout.panes.dock(pane));
        assert_eq!(shown(&app), docks, "{size:?}");
        app.act(ViewAction::DockPane(Pane::Editor, Dock::Right));
        frames(&mut app, size, 3);
        assert_eq!(shown(&app)[0], Dock::Right, "{size:?}");
    }
}

#[test]
fn the_world_ends_where_a_low_editor_begins() {
    let size = ((800, 600), 2.0);
    let mut app = app();
    edit(&mut app);
    frames(&mut app, size, 4);
    let head = grip(&app, Pane::Editor).y;
    assert!(world(&app).bottom() <= head, "{} {head}", world(&app));
}

#[test]
fn a_pane_is_dragged_to_another_dock_and_back() {
    let mut app = app();
    edit(&mut app);
    frames(&mut app, WIDE, 4);
    let before = world(&app);
    let middle = before.center();
    let (from, left) = (grip(&app, Pane::Controls), Pos2::new(60.0, middle.y));
    drag(&mut app, from, left);
    assert_eq!(app.view.layout.panes.dock(Pane::Controls), Dock::Left);
    assert_eq!((world(&app).left(), world(&app).width()), (1500.0 - before.right(), before.width()));
    let (from, bottom) = (grip(&app, Pane::Editor), Pos2::new(1480.0, middle.y));
    drag(&mut app, from, bottom);
    assert_eq!(app.view.layout.panes.dock(Pane::Editor), Dock::Right);
    assert!(world(&app).right() < 1100.0 && world(&app).bottom() > before.bottom() + 100.0);
    // In the middle of the window, only the plots have a place.
    let from = grip(&app, Pane::Editor);
    drag(&mut app, from, middle);
    assert_eq!(app.view.layout.panes.dock(Pane::Editor), Dock::Right);
    app.act(ViewAction::ResetLayout);
    frames(&mut app, WIDE, 3);
    assert_eq!(world(&app), before);
}

#[test]
fn the_border_of_a_pane_is_dragged_and_the_layout_is_restored() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let path = folder.path().join("window.ron");
    let open = || {
        let mut app = App::with_config(options(), ConfigFile::at(path.clone())).expect("the scene works");
        app.view.prefs.welcome = false;
        edit(&mut app);
        frames(&mut app, WIDE, 3);
        app
    };
    let mut app = open();
    dock(&mut app, Pane::Editor, Dock::Left);
    let before = world(&app);
    drag(&mut app, before.left_center(), before.left_center() + vec2(70.0, 0.0));
    let after = world(&app);
    assert!((after.left() - before.left() - 70.0).abs() < 2.0, "{before} {after}");
    // The world retains its share.
    drag(&mut app, after.left_center(), after.right_center());
    assert!(world(&app).width() >= 0.39 * 1500.0, "{}", world(&app));
    let before = world(&app);
    assert_eq!(app.view.layout.panes.size(Pane::Log), 0.0);
    dock(&mut app, Pane::Log, Dock::Right);
    assert!(world(&app).right() < before.right(), "the status line is not the log");
    app.finish();
    let again = open();
    assert_eq!(again.view.layout.panes, app.view.layout.panes);
    assert_eq!(world(&again), world(&app));
}

#[test]
fn tabs_share_a_dock_without_room_and_the_last_one_used_is_in_front() {
    let small = SIZES[3];
    let mut app = app();
    edit(&mut app);
    act(&mut app, small, ViewAction::DockPane(Pane::Editor, Dock::Right), "the editor at the right");
    let editor = Id::unique("grip").with(Pane::Editor);
    let controls = Id::unique("grip").with(Pane::Controls);
    let is_shown = |app: &App, id| app.context.read_response(id).is_some();
    assert!(is_shown(&app, editor) && !is_shown(&app, controls));
    app.act(ViewAction::PromptUnit);
    frames(&mut app, small, 2);
    assert!(!is_shown(&app, editor) && is_shown(&app, controls), "the field is in the panel");
    edit(&mut app);
    frames(&mut app, small, 2);
    assert!(is_shown(&app, editor));
    frames(&mut app, WIDE, 3);
    assert!(is_shown(&app, editor) && is_shown(&app, controls), "both have room");
    assert_reachable(&app, WIDE, "beside each other");
}

#[test]
fn the_list_of_commands_moves_panes_and_opens_them() {
    let mut app = app();
    frames(&mut app, WIDE, 3);
    let mut run = |typed: &str| {
        let first = found(typed, &app.session, &app.view).swap_remove(0);
        app.act(first.action.expect("it applies"));
        frames(&mut app, WIDE, 3);
        (app.view.layout.panes, app.view.plots.open, first.name.into_owned())
    };
    let (panes, is_open, name) = run("dock the plots left");
    assert_eq!((panes.dock(Pane::Plots), is_open, &*name), (Dock::Left, true, "Dock the plots left"));
    let (panes, ..) = run("show the plots over the world");
    assert_eq!(panes.dock(Pane::Plots), Dock::World);
    let (panes, ..) = run("dock the log right");
    assert_eq!(panes.dock(Pane::Log), Dock::Right);
    let (panes, ..) = run("reset the layout");
    assert_eq!(panes, Panes::default());
}
