//! Editing obstacles and paths of a space: objects move perpendicular to the view, at constant depth.

use egui::{Key, Modifiers};
use glam::{Vec2, Vec3};
use steerbox_core::world::Solid;

use super::drawing::{click_at, key_at, opened_as, solids, written};
use super::{pixel, pull};
use crate::App;

const SCENE: &str = "(
    world: Space(radius: 60), bodies: {\"m\": Mover()},
    paths: {\"way\": (points: [(-30, 10, 5), (-10, 25, -20)], radius: 3)},
    groups: [(name: \"a\", body: \"m\", path: \"way\", spawn: At([(position: (50, 5, 1))]))],
    obstacles: [
        Ball(center: (10, 0, 20), radius: 8),
        Box(center: (-20, -20, 0), size: (10, 8, 6)),
        Capsule(from: (20, 20, -20), to: (30, 30, -30), radius: 3),
        Ball(center: (0, 0, 0), radius: 58, inside_out: true),
    ],
)";

/// The depth of a position before the eye.
fn depth(app: &App, place: Vec3) -> f32 {
    app.view.camera.eye().unwrap().depth(place)
}

#[test]
fn an_obstacle_is_selected_moved_resized_and_copied() {
    let mut app = opened_as(SCENE);
    let before = solids(&app);
    for (at, solid) in before.iter().enumerate().take(3) {
        let middle = pixel(&app, solid.position());
        click_at(&mut app, middle);
        assert_eq!(app.view.selection.obstacle(), Some(at));
    }
    let center = before[0].position();
    let (from, by) = (pixel(&app, center), Vec2::new(40.0, -25.0));
    pull(&mut app, from, from + by);
    let moved = solids(&app)[0].position();
    assert!(pixel(&app, moved).distance(from + by) < 1.5, "the obstacle is where the pointer released it");
    assert!((depth(&app, moved) - depth(&app, center)).abs() < 0.5, "and as far away as before");
    // The visible rim: in perspective, farther out than a circle around the middle.
    app.view.camera.zoom_at(from, 1.9);
    let rim = |app: &App| {
        let eye = app.view.camera.eye().unwrap();
        let spot = pixel(app, moved);
        let radius = 8.0 / app.view.camera.unit_at(moved);
        let sine = 8.0 / eye.at.distance(moved);
        spot - Vec2::X * (radius / (1.0 - sine * sine).sqrt())
    };
    let (from, middle) = (rim(&app), pixel(&app, moved));
    pull(&mut app, from, middle + (from - middle) * 1.5);
    let Solid::Ball { radius, .. } = solids(&app)[0] else { panic!() };
    assert!((radius - 12.0).abs() < 0.03, "{radius}");
    app.view.camera.zoom_at(from, 1.0 / 1.9);
    // An end of the selected capsule.
    assert_eq!(app.view.selection.obstacle(), Some(2));
    let Solid::Capsule { from, to, .. } = solids(&app)[2] else { panic!() };
    let (start, end) = (pixel(&app, to), pixel(&app, to) + Vec2::new(-20.0, 30.0));
    pull(&mut app, start, end);
    let Solid::Capsule { from: kept, to, .. } = solids(&app)[2] else { panic!() };
    assert!(kept == from && pixel(&app, to).distance(end) < 1.5);
    // A copy is placed beside it, and keys move it up on the screen.
    app.chord(Modifiers::COMMAND, Key::D);
    assert_eq!((app.view.selection.obstacle(), solids(&app).len()), (Some(4), 5));
    let before = pixel(&app, solids(&app)[4].position());
    app.chord(Modifiers::COMMAND, Key::ArrowUp);
    let by = pixel(&app, solids(&app)[4].position()) - before;
    assert!(by.y < -1.0 && by.x.abs() < 1.0, "{by}");
    app.press(Key::Delete);
    app.save();
    let text = written(&app);
    assert!(!text.contains("radius: 8)") && text.matches("Capsule").count() == 1, "{text}");
}

#[test]
fn shapes_and_paths_are_added_and_the_file_has_all_their_coordinates() {
    let mut app = opened_as(SCENE);
    let place = pixel(&app, Vec3::new(0.0, -30.0, 0.0));
    for key in [Key::C, Key::B, Key::U] {
        key_at(&mut app, place, key, Modifiers::SHIFT);
    }
    let [.., Solid::Ball { .. }, Solid::Box { half, .. }, Solid::Capsule { .. }] = solids(&app)[..] else {
        panic!("{:?}", solids(&app));
    };
    assert!(half.is_finite());
    assert!(solids(&app)[4..].iter().all(|it| pixel(&app, it.position()).distance(place) < 1.5));
    key_at(&mut app, place, Key::P, Modifiers::SHIFT);
    assert!(app.view.drawing.is_none(), "polygons are flat");
    key_at(&mut app, place, Key::L, Modifiers::SHIFT);
    for by in [Vec2::ZERO, Vec2::new(60.0, 10.0), Vec2::new(90.0, -70.0)] {
        click_at(&mut app, place + by);
    }
    app.press(Key::Enter);
    let drawn = |app: &App| app.world().paths[1].path.points().to_vec();
    assert_eq!(drawn(&app).len(), 3);
    assert!(pixel(&app, drawn(&app)[2]).distance(place + Vec2::new(90.0, -70.0)) < 1.5);
    // A point is moved away, and moved back.
    let (from, to) = (place + Vec2::new(60.0, 10.0), place + Vec2::new(60.0, 50.0));
    let before = drawn(&app);
    pull(&mut app, from, to);
    assert!(pixel(&app, drawn(&app)[1]).distance(to) < 1.5);
    app.undo();
    assert_eq!(drawn(&app), before);
    app.save();
    let text = written(&app);
    assert!(text.contains("\"path1\": (points: [("), "{text}");
}
