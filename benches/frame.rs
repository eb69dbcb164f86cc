//! The cost of the window at 1280×800: frames of world and panel, steps with an inspected unit, and the start. The
//! simulation is paused while frames are measured, so that only drawing is.
//!
//! `cargo bench --bench frame [-- WORDS]`, with part of a row's name for that row only. Processor time is summed over all
//! threads: it is more reliable than wall time on a machine with other load.

#![allow(clippy::print_stdout, clippy::expect_used, reason = "the program prints tables")]

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use steerbox_project::reload::Place;
use steerbox_project::session::{Options, Session};
use steerbox_window::App;
use steerbox_window::input::{FrameInput, KeyChange};

const SIZE: (usize, usize) = (1280, 800);
const FRAMES: usize = 300;
const STEPS: usize = 400;
const STARTS: usize = 20;
const SPACE: &str = r#"(
    world: Space(radius: 60, edges: Bounce),
    bodies: { "fish": Mover(length: 2) },
    groups: [(name: "fish", body: "fish", count: 2000, look: (shape: Fish, trail: 1))],
)"#;

const CROWD: &str = r#"(
    world: Plane(size: (1200, 900), edges: Wrap),
    bodies: { "mote": Mover(length: 2) },
    groups: [(name: "motes", body: "mote", count: 100000)],
)"#;

/// The measured frames: name, scene, keys pressed first, whether a unit is selected, and the target in milliseconds.
type Case = (&'static str, String, &'static [egui::Key], bool, f64);

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::temp_dir().join(format!("steerbox-frame-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("scenes")).expect("a folder for the scene");
    let scene = folder.join("scenes/flock.ron");
    let text = std::fs::read_to_string(root.join("scenes/flock.ron")).expect("the default scene");
    let flock = |starlings: usize, swifts: usize| {
        let scaled = text.replace("count: 300,", &format!("count: {starlings},"));
        scaled.replace("count: 90,", &format!("count: {swifts},"))
    };
    println!("| | median ms | worst ms | CPU ms | target ms |\n|---|--:|--:|--:|--:|");
    let words = std::env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    // F11 hides the panel, G opens three plots; the scene has some thirty sliders.
    let (hide, plots): (&[_], &[_]) = (&[egui::Key::F11], &[egui::Key::G]);
    let shipped =
        |name: &str| std::fs::read_to_string(root.join("scenes").join(name)).expect("a shipped scene");
    let cases: [Case; 12] = [
        ("first frame", flock(300, 90), &[], false, f64::NAN),
        ("390 units, panel", flock(300, 90), &[], false, f64::NAN),
        ("5,000 units, panel", flock(3850, 1150), &[], false, f64::NAN),
        ("panel, inspector, log, 3 plots", flock(30, 10), plots, true, 4.0),
        ("world of 1,000 units", flock(770, 230), hide, false, 3.0),
        ("world of 10,000 units", flock(7700, 2300), hide, false, 9.0),
        ("world of 100,000 units", CROWD.to_owned(), hide, false, 16.0),
        ("grid of wolf_sheep", shipped("wolf_sheep.ron"), hide, false, f64::NAN),
        ("grids of ants", shipped("ants.ron"), hide, false, f64::NAN),
        ("grid of slime", shipped("slime.ron"), hide, false, f64::NAN),
        ("5,000 units, panel, 3 plots", flock(3850, 1150), plots, false, f64::NAN),
        ("2,000 fish in space", SPACE.to_owned(), &[], false, f64::NAN),
    ];
    for (what, text, keys, selects, target) in cases {
        if what.contains(&words) {
            std::fs::write(&scene, text).expect("a scene");
            let (times, cpu) = frames(&scene, what, keys, selects);
            row(what, &times, cpu, target);
        }
    }
    if !words.is_empty() {
        return;
    }
    std::fs::write(&scene, &text).expect("a scene");
    let starts: Vec<_> = (0..STARTS).map(|_| start(&scene)).collect();
    row("start to first frame, 390 units", &sorted(starts), f64::NAN, 150.0);
    steps(&scene);
    let _ = std::fs::remove_dir_all(&folder);
}

/// Returns sorted times of frames, and processor milliseconds per frame.
fn frames(scene: &Path, what: &str, keys: &[egui::Key], selects: bool) -> (Vec<Duration>, f64) {
    let mut stage = stage(scene);
    let mut frame = |input: &FrameInput, passed: u64| {
        let begin = Instant::now();
        stage.frame(input, Duration::from_millis(passed));
        begin.elapsed()
    };
    let first = frame(&input(), 0);
    if what == "first frame" {
        return (vec![first], f64::NAN);
    }
    for key in keys {
        frame(&pressed(*key), 17);
    }
    // Long enough for plots to have content.
    for _ in 0..if keys.contains(&egui::Key::G) { 600 } else { 20 } {
        frame(&input(), 100);
    }
    frame(&pressed(egui::Key::Space), 17);
    if selects {
        stage.inspect_script(0, None);
    }
    let mut frame = || {
        let begin = Instant::now();
        stage.frame(&input(), Duration::from_millis(17));
        begin.elapsed()
    };
    (0..10).for_each(|_| {
        frame();
    });
    let begin = processor_time();
    let times = (0..FRAMES).map(|_| frame()).collect();
    let spent = (processor_time() - begin) / FRAMES as f64;
    (sorted(times), spent)
}

/// Returns the processor milliseconds of this process; NaN if the system does not provide them.
fn processor_time() -> f64 {
    #[cfg(unix)]
    let time = {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
    };
    #[cfg(not(unix))]
    let time = f64::NAN;
    time
}

/// Measures from the start to the first frame of the scene, without the window itself.
fn start(scene: &Path) -> Duration {
    let begin = Instant::now();
    stage(scene).frame(&input(), Duration::ZERO);
    begin.elapsed()
}

/// Measures steps with an inspected unit: variants are interleaved.
fn steps(scene: &Path) {
    let open = |looks: Option<bool>| {
        let threads = Some(2);
        let options = Options { threads, ..Options::new(Place::of_scene(scene)) };
        let mut session: Session = Session::open(options).expect("a scene that reads");
        session.inspect(looks.map(|_| 5), looks == Some(true));
        session
    };
    let cases = [("a step", None), ("with the inspector", Some(false)), ("with a script open", Some(true))];
    let mut sessions = cases.map(|(_, looks)| (open(looks), Vec::new()));
    let cancel = AtomicBool::new(false);
    for _ in 0..STEPS {
        for (session, times) in &mut sessions {
            let begin = Instant::now();
            session.simulation.step(&cancel);
            times.push(begin.elapsed());
        }
    }
    let sessions = sessions.map(|(_, times)| sorted(times));
    let plain = sessions[0][STEPS / 2].as_secs_f64() * 1000.0;
    for ((what, looks), times) in cases.iter().zip(&sessions) {
        row(what, times, f64::NAN, if looks.is_some() { plain + 1.0 } else { f64::NAN });
    }
}

fn stage(scene: &Path) -> App {
    App::new(Options::new(Place::of_scene(scene))).expect("a scene that reads")
}

fn sorted(mut times: Vec<Duration>) -> Vec<Duration> {
    times.sort_unstable();
    times
}

fn row(what: &str, times: &[Duration], cpu: f64, target: f64) {
    let ms = |time: Option<&Duration>| time.map_or(0.0, |time| time.as_secs_f64() * 1000.0);
    let known = |figure: f64| if figure.is_nan() { String::new() } else { format!("{figure:.2}") };
    let (median, worst) = (ms(times.get(times.len() / 2)), ms(times.last()));
    let (cpu, target) = (known(cpu), known(target));
    println!("| {what} | {median:.2} | {worst:.2} | {cpu} | {target} |");
}

fn input() -> FrameInput {
    let size = egui::vec2(SIZE.0 as f32, SIZE.1 as f32);
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
    let egui = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
    FrameInput { egui, size: SIZE, focused: true, ..FrameInput::default() }
}

fn pressed(key: egui::Key) -> FrameInput {
    let modifiers = egui::Modifiers::NONE;
    let keys = vec![KeyChange { key, pressed: true, repeat: false, modifiers }];
    FrameInput { keys, ..input() }
}
