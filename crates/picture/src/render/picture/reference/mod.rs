//! Small reference pictures of everything that is drawn, in both themes, compared with the PNG files in this folder
//! within a tolerance. `STEERBOX_REWRITE=1 cargo test -p steerbox-picture picture::reference` writes them: check each
//! before it is committed.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use glam::{Vec2, Vec3};
use steerbox_core::sim::{Contribution, Simulation, Slot, UnitContext};
use steerbox_project::session::Observer;

use super::Picture;
use crate::render::camera::Camera;
use crate::render::canvas::Canvas;
use crate::render::theme::{DARK, PAPER, SceneColors, Theme};
use crate::render::trails::Trails;
use steerbox_scene as scene;

const SIZE: (usize, usize) = (240, 160);
/// Tolerance for rounding and equivalent rasterization: a channel on average, and the share of pixels
/// in which a channel may differ by more than `MAX_CHANNEL`.
const MEAN: f64 = 0.4;
const MAX_CHANNEL: u8 = 24;
const OUTLIERS: f64 = 0.004;

/// A scene, the seconds that it runs, and the options of the picture.
struct Case {
    name: &'static str,
    scene: String,
    /// Units push forward and to the side, so that they swim in circles.
    circles: bool,
    vectors: bool,
    selection: &'static [usize],
    scale: f32,
}

fn plane(rest: &str) -> String {
    format!(
        "(world: Plane(size: (240, 160)), step: 0.05, views: {{\"near\": Cone(radius: 50, angle: 240)}}, {rest})"
    )
}

/// A group of each shape, at different places and headings.
fn shapes(length: f32) -> String {
    let names = [
        ("Dart", "#7cc4ff"),
        ("Craft", "#ffb454"),
        ("Fish", "#8fd0ff"),
        ("Pie", "#d8ef7a"),
        ("Dot", "#ff7a90"),
    ];
    let groups = names.iter().enumerate().map(|(at, (shape, color))| {
        let x = 30.0 + at as f32 * 45.0;
        let places = (0..4).map(|row| {
            let heading = 37.0 * (at * 4 + row) as f32;
            format!("(position: ({x}, {}), heading: {heading})", 25.0 + row as f32 * 36.0)
        });
        // Two units that overlap.
        let overlapping = format!("(position: ({}, 30), heading: 200)", x + length * 0.4);
        let places = places.chain([overlapping]).collect::<Vec<_>>().join(", ");
        format!(
            "(name: \"{shape}\", body: \"m\", spawn: At([{places}]), look: (shape: {shape}, color: \"{color}\"))"
        )
    });
    let groups = groups.collect::<Vec<_>>().join(", ");
    plane(&format!("bodies: {{\"m\": Mover(length: {length}, width: {})}}, groups: [{groups}]", length * 0.5))
}

fn circling_scene(trail: f32) -> String {
    let places = (0..7).map(|at| {
        let (x, y) = (40.0 + (at % 4) as f32 * 50.0, 45.0 + (at / 4) as f32 * 60.0);
        let way = Vec2::from_angle(at as f32 * 0.9) * 30.0;
        format!("(position: ({x}, {y}), velocity: ({}, {}))", way.x, way.y)
    });
    let places = places.collect::<Vec<_>>().join(", ");
    plane(&format!(
        "bodies: {{\"m\": Mover(length: 11, width: 6, max_speed: 40, max_velocity_change: 4)}},
        groups: [(name: \"a\", body: \"m\", view: \"near\", spawn: At([{places}]),
            look: (shape: Dart, color: \"#7cc4ff\", trail: {trail}))]"
    ))
}

fn cases() -> Vec<Case> {
    let case = |name, scene| Case { name, scene, circles: false, vectors: false, selection: &[], scale: 1.0 };
    let crowd = "bodies: {\"m\": Mover(length: 5, width: 3)}, groups: [
        (name: \"a\", body: \"m\", count: 900, look: (shape: Dart, color: \"#7cc4ff\")),
        (name: \"b\", body: \"m\", count: 300, look: (shape: Dot, color: \"#ffb454\", scale: 0.4))]";
    let obstacles = "bodies: {\"m\": Mover(length: 12, width: 7)},
        groups: [(name: \"a\", body: \"m\", spawn: At([(position: (110, 110), heading: 60)]))], obstacles: [
        Circle(center: (60, 110), radius: 26), Capsule(from: (120, 60), to: (190, 80), radius: 12),
        Box(center: (60, 45), size: (50, 24), angle: 24),
        Box(center: (120, 80), size: (225, 146), inside_out: true),
        Polygon(points: [(150, 110), (215, 105), (200, 140), (185, 120)])]";
    let space = "(world: Space(radius: 20), bodies: {\"m\": Mover(length: 6, width: 2.5)}, groups: [
        (name: \"fish\", body: \"m\", spawn: At([(position: (-6, 3, 6), heading: (1, 0.2, 0.4)),
            (position: (7, -2, 9), heading: (-1, 0, 0.6)), (position: (0, 8, -9), heading: (0, 0, 1))]),
            look: (shape: Fish, color: \"#8fd0ff\")),
        (name: \"craft\", body: \"m\", spawn: At([(position: (2, -7, 2), heading: (1, 0, -0.5))]),
            look: (shape: Craft, color: \"#ffb454\"))],
        obstacles: [Ball(center: (-9, -6, 0), radius: 4), Capsule(from: (9, 2, -5), to: (9, 9, -5), radius: 2)])";
    vec![
        case("units", shapes(18.0)),
        case("small-units", shapes(9.0)),
        case("large-units", shapes(44.0)),
        Case { scale: 2.0, ..case("units-at-scale-2", shapes(18.0)) },
        case("crowd", plane(crowd)),
        Case { circles: true, ..case("trails", circling_scene(2.0)) },
        case("obstacles", plane(obstacles)),
        Case { circles: true, vectors: true, selection: &[3], ..case("vectors", circling_scene(0.0)) },
        case("space", space.to_owned()),
    ]
}

fn draw(case: &Case, theme: &'static Theme) -> Canvas {
    let scene = scene::read("a.ron", &case.scene).unwrap_or_else(|error| panic!("{}: {error:?}", case.name));
    let world = scene::build(&scene, None);
    let push = |context: &mut UnitContext| {
        let heading = context.world().units.heading[context.unit()];
        Contribution::Push(heading * 2.0 + heading.cross(Vec3::Z) * (1.0 + context.unit() as f32 * 0.3))
    };
    let slots =
        if case.circles { vec![vec![Slot::new("circle", 0, Some(Arc::new(push)))]] } else { Vec::new() };
    let mut simulation = Simulation::new(world, slots);
    let mut trails = Trails::new(&scene);
    if case.circles {
        for _ in 0..45 {
            simulation.step();
            trails.note(simulation.world());
        }
    }
    let mut camera = Camera::default();
    let size = Vec2::new(SIZE.0 as f32, SIZE.1 as f32);
    camera.set_view(Vec2::ZERO, size, case.scale, simulation.world());
    let colors = SceneColors::new(&scene, theme);
    let mut canvas = Canvas::new(SIZE.0, SIZE.1);
    let picture = Picture {
        scale: case.scale,
        trails: Some(&trails),
        vectors: case.vectors,
        selection: &case.selection.iter().copied().collect(),
        ..Picture::new(&scene, &simulation, &camera, &colors)
    };
    picture.draw(&mut canvas);
    canvas
}

fn channels(canvas: &Canvas) -> Vec<u8> {
    canvas.pixels().iter().flat_map(|pixel| pixel.to_be_bytes().into_iter().skip(1)).collect()
}

/// Small images, since the files are committed.
fn write(path: &Path, canvas: &Canvas) {
    let mut encoder = png::Encoder::new(File::create(path).unwrap(), SIZE.0 as u32, SIZE.1 as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    encoder.write_header().unwrap().write_image_data(&channels(canvas)).unwrap();
}

fn read(path: &Path) -> Option<Vec<u8>> {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).ok()?)).read_info().ok()?;
    let mut bytes = vec![0; reader.output_buffer_size()?];
    reader.next_frame(&mut bytes).ok()?;
    Some(bytes)
}

/// A message about the difference that exceeds the tolerance.
fn difference(drawn: &[u8], expected: &[u8]) -> Option<String> {
    if drawn.len() != expected.len() {
        return Some("another size".to_owned());
    }
    let differences = || drawn.iter().zip(expected).map(|(a, b)| a.abs_diff(*b));
    let mean = differences().map(f64::from).sum::<f64>() / drawn.len() as f64;
    let pixels: Vec<_> = differences().collect();
    let outliers =
        pixels.chunks(3).filter(|pixel| pixel.iter().any(|channel| *channel > MAX_CHANNEL)).count();
    let share = outliers as f64 / (drawn.len() / 3) as f64;
    (mean > MEAN || share > OUTLIERS).then(|| format!("mean {mean:.2}, {outliers} outliers"))
}

#[test]
fn pictures_match_their_references() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/render/picture/reference");
    let mut wrong = Vec::new();
    for case in cases() {
        for (theme, name) in [(&DARK, "dark"), (&PAPER, "paper")] {
            let (canvas, file) = (draw(&case, theme), format!("{}-{name}.png", case.name));
            let path = folder.join(&file);
            if std::env::var_os("STEERBOX_REWRITE").is_some() {
                write(&path, &canvas);
            }
            let expected = read(&path).unwrap_or_default();
            wrong.extend(difference(&channels(&canvas), &expected).map(|words| format!("{file}: {words}")));
        }
    }
    assert!(wrong.is_empty(), "STEERBOX_REWRITE=1 writes them: {wrong:#?}");
}

#[test]
fn a_unit_that_is_missing_or_elsewhere_is_a_difference() {
    let drawn = |length: f32| channels(&draw(&Case { scene: shapes(length), ..cases().remove(0) }, &DARK));
    let expected = drawn(18.0);
    assert_eq!(difference(&drawn(18.0), &expected), None);
    assert!(difference(&drawn(19.0), &expected).is_some());
}
