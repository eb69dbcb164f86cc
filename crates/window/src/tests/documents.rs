//! The pictures of the documents, drawn from the scenes. `docs/pictures stills` writes them with an optimized build, since
//! they show step and frame times.

use std::fs::File;
use std::time::{Duration, Instant};

use steerbox_core::world::ParamValue;
use steerbox_picture::render::canvas::Canvas;
use steerbox_project::reload::{Handle, KnobName, Place};
use steerbox_project::session::{Keep, Options};

use super::time_travel::shown;
use super::{file, input, options, patient, pressed};
use crate::App;
use crate::commands::action::{Action, SessionAction, ViewAction};
use crate::model::frame_input::FrameInput;
use crate::model::switch::Switch;

/// Pixels of the pictures of the window.
const WINDOW: (usize, usize) = (1280, 800);
const WIDE: (usize, usize) = (1280, 560);
/// Pixels of the pictures of the gallery, which are drawn `DETAIL` times as large.
const GALLERY: (usize, usize) = (400, 272);
const DETAIL: usize = 2;
/// Scenes of the gallery, and the simulated seconds that they run if they are written.
const SCENES: [(&str, f32); 21] = [
    ("aidemo4", 9.0),
    ("ants", 200.0),
    ("couzin", 150.0),
    ("doorway", 12.0),
    ("evacuation", 4.0),
    ("fish", 14.0),
    ("formation", 8.0),
    ("heading", 240.0),
    ("informed", 200.0),
    ("leaves", 5.0),
    ("milling", 6.0),
    ("orca", 10.0),
    ("predator_prey", 14.0),
    ("race_track", 7.0),
    ("sheepdog", 8.0),
    ("slime", 1200.0),
    ("targets", 5.0),
    ("vicsek", 240.0),
    ("walls", 8.0),
    ("whale", 9.0),
    ("wolf_sheep", 166.0),
];
/// Simulated time of a frame of the default scene.
const FRAME: Duration = Duration::from_nanos(1_000_000_000 / 60);

/// A window of a shipped scene that records its past, and an input of its size without events.
struct Stage {
    app: App,
    idle: FrameInput,
}

impl Stage {
    fn new(scene: &str, size: (usize, usize)) -> Self {
        // The window shows the folder of a file.
        let place = Place::built_in_with(scene, file("scripts")).expect("a scene of the program");
        let app = patient(Options { place, keep: Keep::USUAL, ..options() });
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(size.0 as f32, size.1 as f32));
        let egui = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
        Self { app, idle: FrameInput { egui, size, ..input() } }
    }

    fn frame(&mut self) {
        self.app.frame(&self.idle, FRAME);
    }

    fn press(&mut self, key: egui::Key) {
        let input = FrameInput { keys: pressed(key).keys, ..self.idle.clone() };
        self.app.frame(&input, FRAME);
    }

    fn act(&mut self, action: impl Into<Action>) {
        self.app.act(action);
    }

    fn time(&self) -> f32 {
        self.app.world().time()
    }

    /// Runs to a simulated time, seconds. Frames are drawn only for pictures that are written: they show the times of frames.
    fn run_to(&mut self, time: f32) {
        while self.time() < time {
            if is_written() {
                self.frame();
            } else {
                self.app.update(&self.idle, FRAME);
            }
        }
    }

    /// Draws frames until a condition holds.
    fn until(&mut self, holds: impl Fn(&App) -> bool) {
        let end = Instant::now() + Duration::from_mins(2);
        while !holds(&self.app) {
            assert!(Instant::now() < end);
            self.frame();
            std::thread::yield_now();
        }
    }

    /// The last frame, drawn anew where the panel needs two frames for its layout.
    fn picture(&mut self) -> &Canvas {
        (0..3).for_each(|_| self.frame());
        self.app.canvas()
    }
}

/// Returns true if pictures are written to `docs`.
fn is_written() -> bool {
    std::env::var_os("STEERBOX_REWRITE").is_some()
}

/// Writes a picture to `docs` if `STEERBOX_REWRITE` is set. Fails if the picture shows only a few plain areas.
fn publish(name: &str, canvas: &Canvas) {
    let mut colors: Vec<_> = canvas.pixels().to_vec();
    colors.sort_unstable();
    colors.dedup();
    assert!(colors.len() > 200, "{name}: {} colors", colors.len());
    if is_written() {
        let path = file("docs").join(name);
        let (width, height) = (canvas.width() as u32, canvas.height() as u32);
        let mut encoder = png::Encoder::new(File::create(path).unwrap(), width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::High);
        let bytes = canvas.pixels().iter().flat_map(|pixel| pixel.to_be_bytes().into_iter().skip(1));
        encoder.write_header().unwrap().write_image_data(&bytes.collect::<Vec<_>>()).unwrap();
    }
}

/// The mean of each square of `DETAIL` by `DETAIL` pixels.
fn reduced(canvas: &Canvas) -> Canvas {
    let (width, height) = (canvas.width() / DETAIL, canvas.height() / DETAIL);
    let mut small = Canvas::new(width, height);
    for (at, pixel) in small.pixels_mut().iter_mut().enumerate() {
        let (left, top) = (at % width * DETAIL, at / width * DETAIL);
        let mean = |shift: u32| {
            let square = (0..DETAIL * DETAIL).map(|part| (left + part % DETAIL, top + part / DETAIL));
            let sum: u32 = square.map(|(x, y)| canvas.pixel(x, y).unwrap_or(0) >> shift & 255).sum();
            (sum / (DETAIL * DETAIL) as u32) << shift
        };
        *pixel = mean(16) | mean(8) | mean(0);
    }
    small
}

#[test]
fn documents_show_each_scene() {
    let size = (GALLERY.0 * DETAIL, GALLERY.1 * DETAIL);
    for (scene, seconds) in SCENES {
        publish(&format!("gallery/{scene}.png"), &reduced(world_after(scene, seconds, size).picture()));
    }
    publish("murmuration.png", world_after("murmuration", 4.2, WIDE).picture());
}

/// Returns a window of a scene without panels, after some simulated seconds.
fn world_after(scene: &str, seconds: f32, size: (usize, usize)) -> Stage {
    // The first seconds suffice to see that the scene is drawn.
    let seconds = if is_written() { seconds } else { seconds.min(2.0) };
    let mut stage = Stage::new(scene, size);
    stage.frame();
    stage.act(ViewAction::Toggle(Switch::Presentation));
    stage.frame();
    // The camera of a player needs frames; other cameras only need steps.
    while stage.time() < seconds {
        stage.app.update(&stage.idle, FRAME);
    }
    // Hints are hidden after some seconds.
    stage.idle.egui.time = Some(60.0);
    stage
}

#[test]
fn documents_show_the_window() {
    let mut stage = Stage::new("flock", WINDOW);
    stage.run_to(6.0);
    publish("flock.png", stage.picture());
}

#[test]
fn documents_show_why_a_unit_turns() {
    let mut stage = Stage::new("flock", WINDOW);
    stage.run_to(7.3);
    stage.press(egui::Key::Space);
    let separation = 2;
    stage.app.inspect_script(42, Some(separation));
    stage.until(|app| app.session.run.simulation.explained().is_some_and(|explained| explained.has_values));
    publish("why.png", stage.picture());
}

#[test]
fn documents_show_a_changed_past() {
    let mut stage = Stage::new("flock", WINDOW);
    stage.run_to(12.5);
    stage.press(egui::Key::Space);
    stage.act(SessionAction::GoToStep(458));
    shown(&mut stage.app, &stage.idle);
    let cohesion: Handle = stage.app.session.run.generation.planned().next().unwrap().handle.clone();
    stage.act(SessionAction::Tune(cohesion, KnobName::Gain, ParamValue::Number(-0.35)));
    stage.until(|app| app.session.run.run_pair().is_some());
    stage.act(SessionAction::GoToStep(630));
    shown(&mut stage.app, &stage.idle);
    publish("past.png", stage.picture());
}
