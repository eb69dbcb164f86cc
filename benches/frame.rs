//! What a frame of the window costs: world and panel at 1280×800, with the default scene at about
//! 300 and 5,000 units, and with 2,000 fish in space. The simulation is held, so that only drawing is
//! measured.
//!
//! `cargo bench --bench frame`

#![allow(clippy::print_stdout, clippy::expect_used, reason = "a program that prints its figures")]

use std::path::Path;
use std::time::{Duration, Instant};

use steerbox::app::App;
use steerbox::app::input::{FrameInput, KeyChange};
use steerbox::reload::Place;
use steerbox::session::Options;

const SIZE: (usize, usize) = (1280, 800);
const FRAMES: usize = 300;
const SPACE: &str = r#"(
    world: Space(radius: 60, edges: Bounce),
    bodies: { "fish": Mover(length: 2) },
    groups: [(name: "fish", body: "fish", count: 2000, look: (shape: Fish, trail: 1))],
)"#;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::temp_dir().join(format!("steerbox-frame-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("scenes")).expect("a folder for the scene");
    let text = std::fs::read_to_string(root.join("scenes/flock.ron")).expect("the default scene");
    println!("{:>7}  {:>16}  {:>9}  {:>9}", "units", "", "median ms", "worst ms");
    let flock = |starlings: usize, swifts: usize| {
        let scaled = text.replace("count: 300,", &format!("count: {starlings},"));
        scaled.replace("count: 90,", &format!("count: {swifts},"))
    };
    let scenes = [(390, flock(300, 90)), (5000, flock(3850, 1150)), (2000, SPACE.to_owned())];
    for (units, text) in scenes {
        let scene = folder.join("scenes/flock.ron");
        std::fs::write(&scene, text).expect("a scene");
        let mut stage = stage(&scene);
        let first = Instant::now();
        stage.frame(&input(), Duration::ZERO);
        let first = first.elapsed();
        let running = frames(&mut stage, 20, Duration::from_millis(17));
        drop(running);
        stage.frame(&space(), Duration::ZERO);
        let held = frames(&mut stage, FRAMES, Duration::from_millis(17));
        row(units, "first", &[first]);
        row(units, "without a step", &held);
    }
    let _ = std::fs::remove_dir_all(&folder);
}

fn stage(scene: &Path) -> App {
    App::new(Options::of(Place::of_scene(scene))).expect("a scene that reads")
}

fn frames(stage: &mut App, count: usize, passed: Duration) -> Vec<Duration> {
    let mut times: Vec<_> = (0..count)
        .map(|_| {
            let begin = Instant::now();
            stage.frame(&input(), passed);
            begin.elapsed()
        })
        .collect();
    times.sort_unstable();
    times
}

fn row(units: usize, what: &str, times: &[Duration]) {
    let ms = |time: Option<&Duration>| time.map_or(0.0, |time| time.as_secs_f64() * 1000.0);
    println!("{units:>7}  {what:>16}  {:>9.2}  {:>9.2}", ms(times.get(times.len() / 2)), ms(times.last()));
}

fn input() -> FrameInput {
    let size = egui::vec2(SIZE.0 as f32, SIZE.1 as f32);
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
    let egui = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
    FrameInput { egui, size: SIZE, focused: true, ..FrameInput::default() }
}

fn space() -> FrameInput {
    let modifiers = egui::Modifiers::NONE;
    let keys = vec![KeyChange { key: egui::Key::Space, pressed: true, repeat: false, modifiers }];
    FrameInput { keys, ..input() }
}
