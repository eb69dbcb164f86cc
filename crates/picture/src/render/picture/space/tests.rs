use glam::{Vec2, Vec3};
use steerbox_core::sim::Simulation;

use super::super::picture;
use super::*;
use crate::render::camera::{Camera, Lens, Sight};
use crate::render::theme::{DARK, SceneColors};
use steerbox_scene as scene;

fn scene(rest: &str) -> steerbox_scene::Scene {
    let text = format!("(world: Space(radius: 20), bodies: {{\"m\": Mover(length: 6, width: 5)}}, {rest})");
    scene::read("a.ron", &text).unwrap()
}

fn dots(colors_and_places: &[(&str, Vec3)]) -> String {
    let groups = colors_and_places.iter().map(|(color, at)| {
        format!(
            "(name: \"{color}\", body: \"m\", spawn: At([(position: ({:?}, {:?}, {:?}))]),
            look: (shape: Dot, color: \"{color}\"))",
            at.x, at.y, at.z
        )
    });
    format!("groups: [{}]", groups.collect::<Vec<_>>().join(","))
}

/// The eye of a still picture.
fn eye(simulation: &Simulation) -> Eye {
    let mut camera = Camera::default();
    camera.set_view(Vec2::ZERO, Vec2::splat(300.0), 1.0, simulation.world());
    match camera.sight() {
        Sight::Space(eye) => eye,
        Sight::Plane(_) => panic!("a plane"),
    }
}

#[test]
fn a_unit_in_front_covers_one_behind_it_whatever_their_order() {
    let still = scene(&dots(&[("red", Vec3::ZERO)]));
    let still = Simulation::new(scene::build(&still, None), Vec::new());
    let eye = eye(&still);
    let (near, far) = (-eye.forward * 8.0, eye.forward * 8.0);
    for order in [[("red", near), ("blue", far)], [("blue", far), ("red", near)]] {
        let scene = scene(&dots(&order));
        let simulation = Simulation::new(scene::build(&scene, None), Vec::new());
        let canvas = picture(&scene, &simulation, 300, 300);
        let pixel = eye.project(near).unwrap().pixel;
        let color = canvas.pixel(pixel.x as usize, pixel.y as usize).unwrap();
        assert!(color >> 16 > 150 && (color & 255) < 120, "{color:x}");
    }
}

#[test]
fn every_shape_and_obstacle_is_drawn_at_every_size() {
    for shape in ["Fish", "Craft", "Dart", "Pie", "Dot"] {
        let text = format!(
            "groups: [(name: \"a\", body: \"m\", spawn: At([(position: (0, 0, 0)),
            (position: (3, 9, 0), heading: (0, 1, 0)), (position: (-4, -9, 2), heading: (0, 0, 1))]),
            look: (shape: {shape}, color: \"#ff0000\"))],
            obstacles: [Ball(center: (9, 0, 0), radius: 3),
            Capsule(from: (-9, -5, 0), to: (-9, 5, 4), radius: 2),
            Box(center: (0, -9, 5), size: (4, 5, 6), angle: 30)]"
        );
        let scene = scene(&text);
        let simulation = Simulation::new(scene::build(&scene, None), Vec::new());
        for side in [0, 1, 30, 90, 400] {
            let canvas = picture(&scene, &simulation, side, side);
            let red = |pixel: &&u32| **pixel >> 16 > 120 && **pixel & 255 < 110;
            let reds = canvas.pixels().iter().filter(red).count();
            assert!(side < 90 || reds > side * side / 800, "{shape} {side} {reds}");
        }
    }
}

#[test]
fn empty_worlds_zero_headings_and_nan_do_not_panic() {
    let scene = scene(&dots(&[("red", Vec3::ZERO), ("blue", Vec3::X)]));
    let mut world = scene::build(&scene, None);
    world.units.heading[0] = Vec3::ZERO;
    world.units.up[0] = Vec3::ZERO;
    world.units.heading[1] = Vec3::NAN;
    world.units.position[1] = Vec3::NAN;
    let simulation = Simulation::new(world, Vec::new());
    picture(&scene, &simulation, 200, 100);
}

#[test]
fn a_unit_close_to_the_eye_fades_unless_it_is_followed() {
    let scene = scene(&dots(&[("red", Vec3::ZERO)]));
    let still = Simulation::new(scene::build(&scene, None), Vec::new());
    let eye = eye(&still);
    let colors = SceneColors::new(&scene, &DARK);
    // Red channel in the middle of the view, with a unit at this distance ahead in its lengths.
    let red = |lengths: f32, selection: &[usize]| {
        let mut world = scene::build(&scene, None);
        world.units.position[0] = eye.at + eye.forward * (lengths * 6.0);
        let simulation = Simulation::new(world, Vec::new());
        let mut camera = Camera::default();
        camera.set_view(Vec2::ZERO, Vec2::splat(300.0), 1.0, simulation.world());
        let mut canvas = Canvas::new(300, 300);
        let picture = Picture::new(&scene, &simulation, &camera, &colors);
        let selection = &selection.iter().copied().collect();
        Picture { selection, ..picture }.draw(&mut canvas);
        let middle = canvas.pixel(150, 150).unwrap();
        (middle >> 16) as i32 - (middle >> 8 & 255) as i32
    };
    let (gone, faint, whole) = (red(0.8, &[]), red(1.5, &[]), red(3.0, &[]));
    assert!(gone < 20 && gone + 20 < faint && faint + 20 < whole, "{gone} {faint} {whole}");
    assert!(red(1.5, &[0]) + 20 > whole);
}

#[test]
fn ball_floor_and_water_are_drawn_where_the_look_has_them() {
    let place = dots(&[("red", Vec3::ZERO)]);
    // The pixels without a unit that differ from the background.
    let drawn = |look: &str| {
        let scene = scene(&format!("{place}, look: (background: \"black\", {look})"));
        let simulation = Simulation::new(scene::build(&scene, None), Vec::new());
        let canvas = picture(&scene, &simulation, 300, 300);
        let far =
            |at: usize| Vec2::new((at % 300) as f32, (at / 300) as f32).distance(Vec2::splat(150.0)) > 80.0;
        canvas.pixels().iter().enumerate().filter(|(at, pixel)| **pixel > 0 && far(*at)).count()
    };
    assert_eq!(drawn("ball: false, floor: false, water: false"), 0);
    let parts = [
        drawn("floor: false, water: false"),
        drawn("ball: false, water: false"),
        drawn("ball: false, floor: false"),
    ];
    let [ball, floor, water] = parts;
    assert!((100..9000).contains(&ball) && floor > ball && water > floor, "{parts:?}");
    assert!(drawn("") > water, "{} {parts:?}", drawn(""));
}
