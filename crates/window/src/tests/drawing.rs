//! Obstacles and paths added, copied, removed and drawn in the window.

use egui::{Key, Modifiers, PointerButton};
use glam::{Vec2, Vec3};
use steerbox_core::world::Solid;
use steerbox_scene::{SceneEdit, read, shifted};

use super::stage::Stage;
use super::time_travel::{hashes, recording, shown};
use super::{input, pixel, pull, typed};
use crate::App;
use crate::commands::action::{DrawStep, SessionAction, ViewAction};
use crate::model::drawing::Drawn;

const SCENE: &str = "(
    world: Plane(size: (100, 100)), bodies: {\"m\": Mover()},
    paths: {\"way\": (points: [(10, 90), (90, 90)], radius: 3)}, // kept
    groups: [(name: \"a\", body: \"m\", path: \"way\", spawn: At([(position: (95, 5))]))],
    obstacles: [
        Circle(center: (50, 50), radius: 10), // one
        Box(center: (20, 20), size: (10, 8)),
    ],
)";

fn opened() -> Stage {
    opened_as(SCENE)
}

/// A paused window of a scene in a file.
pub(super) fn opened_as(scene: &str) -> Stage {
    let mut app = Stage::of(&[("a.ron", scene)]);
    app.idle(1);
    app.press(Key::Space);
    app
}

fn at(app: &App, x: f32, y: f32) -> Vec2 {
    pixel(app, Vec3::new(x, y, 0.0))
}

fn click(app: &mut App, x: f32, y: f32) {
    let place = at(app, x, y);
    click_at(app, place);
}

pub(super) fn click_at(app: &mut App, place: Vec2) {
    for pressed in [true, false] {
        app.pointer(place, pressed, &[(PointerButton::Primary, pressed)]);
    }
}

/// A press of a key with the pointer at a position.
pub(super) fn key_at(app: &mut App, place: Vec2, key: Key, modifiers: Modifiers) {
    let mut input = typed(key, modifiers);
    input.pointer.position = Some(place);
    app.step(&input);
}

pub(super) fn solids(app: &App) -> Vec<Solid> {
    let obstacles = &app.world().obstacles;
    obstacles.iter().map(|obstacle| obstacle.solid.clone()).collect()
}

/// The scene's file, which must equal the running scene.
pub(super) fn written(app: &Stage) -> String {
    let text = app.read("a.ron");
    let scene = read("a.ron", &text).unwrap();
    let world = app.world();
    assert_eq!((&scene.world.obstacles, &scene.world.paths), (&world.obstacles, &world.paths));
    assert_eq!(app.session.tuned(), 0);
    text
}

#[test]
fn an_obstacle_is_selected_copied_and_removed_and_the_file_follows() {
    let mut app = opened();
    let before = solids(&app);
    click(&mut app, 50.0, 50.0);
    assert_eq!(app.view.selection.obstacle(), Some(0));
    assert_eq!(solids(&app), before, "a click changes nothing");
    app.chord(Modifiers::COMMAND, Key::D);
    assert_eq!((app.view.selection.obstacle(), solids(&app).len()), (Some(2), 3));
    let copied = solids(&app);
    assert!(copied[2].position().distance(copied[0].position()) > 1.0);
    app.undo();
    assert_eq!((solids(&app), app.session.tuned()), (before.clone(), 0));
    app.redo();
    assert_eq!(solids(&app), copied);
    click(&mut app, 20.0, 20.0);
    assert_eq!(app.view.selection.obstacle(), Some(1));
    app.press(Key::Delete);
    assert_eq!((app.view.selection.obstacle(), solids(&app).len()), (None, 2));
    app.undo();
    assert_eq!(solids(&app), copied, "the obstacle has its previous index");
    app.redo();
    app.save();
    let text = written(&app);
    assert!(text.contains("// one") && text.contains("// kept") && !text.contains("Box"), "{text}");
    // A saved edit can still be undone, and saved again.
    app.undo();
    assert_eq!(solids(&app).len(), 3);
    app.save();
    assert!(written(&app).contains("Box(center: (20, 20), size: (10, 8))"));
    click(&mut app, 95.0, 50.0);
    assert_eq!(app.view.selection.obstacle(), None);
}

#[test]
fn shapes_are_added_at_the_pointer_and_their_corners_can_be_dragged() {
    let mut app = opened();
    let place = at(&app, 70.0, 20.0);
    key_at(&mut app, place, Key::C, Modifiers::SHIFT);
    let [.., Solid::Ball { center, .. }] = &solids(&app)[..] else { panic!("{:?}", solids(&app)) };
    assert!(center.distance(Vec3::new(70.0, 20.0, 0.0)) < 0.5);
    let center_x = center.x;
    assert_eq!(app.view.selection.obstacle(), Some(2));
    app.chord(Modifiers::COMMAND, Key::ArrowLeft);
    assert!(solids(&app)[2].position().x < center_x - 0.5, "a key moves the selected one");
    app.undo();
    app.undo();
    key_at(&mut app, place, Key::U, Modifiers::SHIFT);
    assert!(matches!(solids(&app)[2], Solid::Capsule { .. }));
    app.undo();
    key_at(&mut app, place, Key::B, Modifiers::SHIFT);
    let Solid::Box { center, half, .. } = solids(&app)[2] else { panic!() };
    let (corner, to) = (center + half.with_z(0.0), Vec3::new(90.0, 40.0, 0.0));
    let over = pixel(&app, corner);
    app.point(over);
    assert!(app.view.pointing.hint.as_ref().is_some_and(|hint| hint.contains("corner")));
    let (from, end) = (pixel(&app, corner), pixel(&app, to));
    pull(&mut app, from, end);
    let Solid::Box { center: moved, half: larger, .. } = solids(&app)[2] else { panic!() };
    assert!((moved + larger.with_z(0.0)).distance(to) < 0.5);
    assert!((moved - larger.with_z(0.0)).distance(center - half.with_z(0.0)) < 1e-3);
    let dragged = solids(&app);
    app.undo();
    assert_eq!(app.view.selection.obstacle(), Some(2), "the obstacle is still selected");
    app.redo();
    assert_eq!(solids(&app), dragged);
    app.save();
    written(&app);
}

#[test]
fn a_polygon_is_drawn_corner_by_corner_and_undone_at_once() {
    let mut app = opened();
    app.chord(Modifiers::SHIFT, Key::P);
    let corners = |app: &App| app.view.drawing.as_ref().map_or(0, |drawing| drawing.corners.len());
    // Also over an obstacle: it is neither selected nor dragged.
    for (x, y) in [(60.0, 40.0), (80.0, 40.0), (50.0, 50.0), (80.0, 60.0)] {
        click(&mut app, x, y);
        assert!(
            !app.view.sketch().unwrap().is_wrong || corners(&app) == 4,
            "the pointer is at the last corner"
        );
    }
    app.press(Key::Backspace);
    assert_eq!((corners(&app), app.view.selection.obstacle()), (3, None));
    app.undo();
    assert_eq!((corners(&app), solids(&app).len()), (2, 2), "undo removes a corner, too");
    app.press(Key::Enter);
    assert!(app.view.drawing.is_some(), "two corners are not a polygon");
    click(&mut app, 80.0, 60.0);
    app.press(Key::Enter);
    assert!(app.view.drawing.is_none());
    let Solid::Polygon(polygon) = &solids(&app)[2] else { panic!() };
    assert_eq!((polygon.corners().len(), app.view.selection.obstacle()), (3, Some(2)));
    app.undo();
    assert_eq!(solids(&app).len(), 2);
    app.redo();
    app.save();
    assert!(written(&app).contains("        Polygon(points: [("));
    // A double click finishes, and so does a click at the first corner; Escape cancels.
    for last in [(90.0, 20.0), (60.0, 10.0)] {
        app.chord(Modifiers::SHIFT, Key::P);
        for (x, y) in [(60.0, 10.0), (90.0, 10.0), (90.0, 20.0), last] {
            click(&mut app, x, y);
        }
        assert!(app.view.drawing.is_none());
    }
    assert_eq!(solids(&app).len(), 5);
    app.chord(Modifiers::SHIFT, Key::P);
    click(&mut app, 10.0, 10.0);
    app.press(Key::Escape);
    assert!(app.view.drawing.is_none());
    assert_eq!(solids(&app).len(), 5);
}

#[test]
fn crossing_edges_are_reported_and_drawing_continues() {
    let mut app = opened();
    app.act(ViewAction::Draw(DrawStep::Begin(Drawn::Polygon)));
    for (x, y) in [(60.0, 10.0), (90.0, 40.0), (90.0, 10.0), (60.0, 30.0)] {
        click(&mut app, x, y);
    }
    assert!(app.view.sketch().unwrap().is_wrong);
    app.press(Key::Enter);
    assert!(app.view.drawing.is_some());
    assert!(app.session.log.lines().any(|line| line.text.starts_with("edges 1 and 3 cross")));
}

#[test]
fn paths_are_drawn_by_keys_and_followed_paths_are_redrawn() {
    let mut app = opened();
    let names =
        |app: &App| -> Vec<String> { app.world().paths.iter().map(|path| path.name.clone()).collect() };
    let start = at(&app, 30.0, 40.0);
    key_at(&mut app, start, Key::L, Modifiers::SHIFT);
    key_at(&mut app, start, Key::Insert, Modifiers::NONE);
    for key in [Key::ArrowRight, Key::ArrowRight, Key::Insert, Key::ArrowUp, Key::Insert, Key::Enter] {
        key_at(&mut app, start, key, Modifiers::NONE);
    }
    assert_eq!(names(&app), ["way", "path1"]);
    let path = app.world().paths[1].path.clone();
    let points = path.points();
    assert!(points.len() == 3 && points[1].x > points[0].x && points[1].y == points[0].y);
    assert!(points[2].y > points[1].y && !path.is_closed());
    app.undo();
    assert_eq!(names(&app), ["way"]);
    app.redo();
    // The group follows the new points of its path.
    let drawn = Drawn::Path(Some("way".to_owned()));
    app.act(ViewAction::Draw(DrawStep::Begin(drawn)));
    for (x, y) in [(10.0, 80.0), (50.0, 70.0), (90.0, 80.0)] {
        click(&mut app, x, y);
    }
    app.press(Key::Enter);
    let world = app.world();
    let way = &world.paths[world.groups[0].path.unwrap()].path;
    assert_eq!((way.points().len(), way.radius(), way.is_closed()), (3, 3.0, false));
    app.save();
    let text = written(&app);
    assert!(text.contains("radius: 3)") && text.contains("\"path1\": (points: [("), "{text}");
    app.undo();
    assert_eq!(app.world().paths[0].path.points().len(), 2);
}

#[test]
fn edits_survive_faulty_and_valid_saves_of_the_scene() {
    let mut app = opened();
    click(&mut app, 50.0, 50.0);
    app.chord(Modifiers::COMMAND, Key::D);
    click(&mut app, 20.0, 20.0);
    app.press(Key::Delete);
    let done = solids(&app);
    app.write("a.ron", &SCENE.replace("Circle", "Zirkel"));
    app.until(|app| app.logs("Zirkel"));
    assert_eq!(solids(&app), done);
    // One more obstacle in the file, before the others.
    let more = "obstacles: [Circle(center: (80, 80), radius: 4),";
    app.write("a.ron", &SCENE.replace("obstacles: [", more));
    app.until(|app| solids(app).len() != done.len());
    let now = solids(&app);
    assert_eq!((now[0].position().x, &now[1..]), (80.0, &done[..]));
    app.undo();
    assert!(matches!(solids(&app)[2], Solid::Box { .. }));
}

#[test]
fn an_obstacle_added_in_the_past_exists_from_then_on() {
    let mut app = recording();
    let hashes = hashes(&mut app, 40);
    let last = hashes.len() as u64 - 1;
    let count = solids(&app).len();
    app.go_to(10);
    let place = at(&app, 400.0, 300.0);
    key_at(&mut app, place, Key::C, Modifiers::SHIFT);
    app.until(|app| app.session.run.run_pair().is_some());
    assert_eq!(shown(&mut app, &input()), last);
    assert_eq!(solids(&app).len(), count + 1);
    assert_eq!(app.session.run.run_pair().unwrap().fork, 10);
    app.act(SessionAction::GoToStep(9));
    shown(&mut app, &input());
    let hash = app.hash();
    assert_eq!((hash, solids(&app).len()), (hashes[9], count));
}

#[test]
fn an_obstacle_moved_in_the_past_can_be_undone_although_it_has_moved_since() {
    let mut app = recording();
    hashes(&mut app, 40);
    let listed = |app: &App| app.session.run.newest().scene.world.obstacles.clone();
    let file = listed(&app);
    let moved = |x: f32| shifted(&file[0], Vec3::X * x).unwrap();
    let edit = |to: f32| {
        let (from, to) = (Some(file[0].clone()), Some(moved(to)));
        SessionAction::EditScene(SceneEdit::Obstacle { at: 0, from, to })
    };
    app.act(edit(5.0));
    assert_eq!(listed(&app)[0], moved(5.0));
    app.go_to(10);
    // In the past, it has the file's position.
    app.act(edit(9.0));
    assert_eq!(listed(&app)[0], moved(9.0));
    app.undo();
    assert_eq!(listed(&app)[0], moved(5.0));
    app.undo();
    assert_eq!(listed(&app), file);
}

#[test]
fn a_drag_follows_its_obstacle_when_others_are_removed() {
    let mut app = opened();
    let before = solids(&app);
    let pointer = |app: &mut App, x: f32, pressed: Option<bool>| {
        let changes: Vec<_> = pressed.map(|pressed| (PointerButton::Primary, pressed)).into_iter().collect();
        app.pointer(at(app, x, 20.0), pressed != Some(false), &changes);
    };
    pointer(&mut app, 20.0, Some(true));
    pointer(&mut app, 30.0, None);
    let from = app.session.run.generation.scene.world.obstacles[0].clone();
    let removal = SceneEdit::Obstacle { at: 0, from: Some(from), to: None };
    app.act(SessionAction::EditScene(removal));
    pointer(&mut app, 35.0, None);
    pointer(&mut app, 40.0, Some(false));
    let [Solid::Box { center, .. }] = &solids(&app)[..] else { panic!("{:?}", solids(&app)) };
    assert!(center.distance(Vec3::new(40.0, 20.0, 0.0)) < 0.5);
    app.undo();
    app.undo();
    assert_eq!(solids(&app), before);
}

#[test]
fn a_point_of_a_path_is_dragged_and_undone_at_once() {
    let mut app = opened();
    let points = |app: &App| {
        let paths = &app.world().paths;
        paths[0].path.points().iter().map(|point| (point.x, point.y)).collect::<Vec<_>>()
    };
    let (from, to) = (at(&app, 10.0, 90.0), at(&app, 30.0, 70.0));
    app.point(from);
    assert_eq!(app.view.pointing.hint.as_deref(), Some("Drag: move this point of path way"));
    assert_eq!(app.view.sketch().map(|sketch| sketch.corners.len()), Some(2));
    pull(&mut app, from, to);
    assert_eq!(points(&app), [(30.0, 70.0), (90.0, 90.0)]);
    // A point on top of the other one makes no valid path: the path is unchanged.
    let (from, to) = (at(&app, 30.0, 70.0), at(&app, 90.0, 90.0));
    pull(&mut app, from, to);
    assert_eq!(points(&app), [(30.0, 70.0), (90.0, 90.0)]);
    app.undo();
    assert_eq!(points(&app), [(10.0, 90.0), (90.0, 90.0)]);
    app.redo();
    app.save();
    let text = written(&app);
    assert!(text.contains("\"way\": (points: [(30, 70), (90, 90)], radius: 3)"), "{text}");
}

#[test]
fn keys_make_a_circle_larger_and_smaller_but_no_box() {
    let mut app = opened();
    let radius = |app: &App| solids(app)[0].radius();
    let resize = |app: &mut App, key: Key| app.chord(Modifiers::COMMAND | Modifiers::SHIFT, key);
    click(&mut app, 50.0, 50.0);
    resize(&mut app, Key::ArrowUp);
    let larger = radius(&app);
    assert!(larger > 10.0 && app.view.selection.obstacle() == Some(0));
    for _ in 0..30 {
        resize(&mut app, Key::ArrowDown);
    }
    assert!(radius(&app) > 0.0 && radius(&app) < 2.0, "the circle does not vanish");
    app.undo();
    assert!(radius(&app) < larger);
    click(&mut app, 20.0, 20.0);
    let before = solids(&app);
    resize(&mut app, Key::ArrowUp);
    assert_eq!(solids(&app), before);
    assert!(app.logs("has no radius"));
    app.save();
    written(&app);
}
