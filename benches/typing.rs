//! The cost of typing in the editor at 1280×800, in a script of 500 lines: frames while a key is typed in each, and the
//! time from a key to its effect in the world. Frames follow each other at 60 a second, with the default scene running. Then
//! the same scene with 10,000 bodies more, a text of 1.1 MB, is open.
//!
//! `cargo bench --bench typing`

#![allow(clippy::print_stdout, clippy::expect_used, reason = "the program prints a table")]

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use steerbox_project::reload::Place;
use steerbox_project::session::Options;
use steerbox_window::App;
use steerbox_window::input::{FrameInput, KeyChange};

const SIZE: (usize, usize) = (1280, 800);
const FRAME: Duration = Duration::from_micros(16_667);
/// Letters typed in each frame of a round, and the number of rounds.
const TYPED: &str = "let near = me.neighbors.within(40.0).len; // a rule of 500 lines";
const ROUNDS: usize = 5;
/// Most frames until an effect.
const PATIENCE: usize = 600;

fn main() {
    let folder = std::env::temp_dir().join(format!("steerbox-typing-{}", std::process::id()));
    let mut stage = stage(&folder);
    println!("| | median ms | worst ms | target ms |\n|---|--:|--:|--:|");
    let mut typing = Vec::new();
    for _ in 0..ROUNDS {
        press(&mut stage, egui::Key::Enter, egui::Modifiers::NONE);
        for letter in TYPED.chars() {
            typing.push(frame(&mut stage, &text(&letter.to_string())));
        }
        // The checks of the text run meanwhile.
        (0..20).for_each(|_| {
            frame(&mut stage, &input());
        });
    }
    row("a frame with a typed key", typing, 16.0);
    let (mut drafts, mut previews) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let number = stage.generation();
        frame(&mut stage, &text(&format!(" // {round}")));
        drafts.push(until(&mut stage, |stage| stage.generation() != number));
    }
    row("from Ctrl+Enter to the draft in the world", drafts, 50.0);
    for round in 0..ROUNDS {
        let begin = Instant::now();
        let mut is_gone = !stage.has_preview();
        frame(&mut stage, &text(&format!("{round}")));
        for _ in 0..PATIENCE {
            is_gone |= !stage.has_preview();
            if is_gone && stage.has_preview() {
                previews.push(begin.elapsed());
                break;
            }
            frame(&mut stage, &input());
        }
    }
    row("from the last key to the preview of a unit", previews, 100.0);
    drop(stage);
    let mut stage = long_stage(&folder);
    let shown = (0..60).map(|_| frame(&mut stage, &input())).collect();
    row("a frame with a scene of 1.1 MB", shown, 16.0);
    let typed = TYPED.chars().map(|letter| frame(&mut stage, &text(&letter.to_string()))).collect();
    row("a frame with a key typed in it", typed, 100.0);
    let _ = std::fs::remove_dir_all(&folder);
}

/// Presses Ctrl+Enter, and returns the time until a condition is true.
fn until(stage: &mut App, is_met: impl Fn(&App) -> bool) -> Duration {
    let begin = Instant::now();
    press(stage, egui::Key::Enter, egui::Modifiers::COMMAND);
    for _ in 0..PATIENCE {
        if is_met(stage) {
            return begin.elapsed();
        }
        frame(stage, &input());
    }
    Duration::MAX
}

/// The default scene with a rule of 500 lines, which is open in the editor with the cursor in its middle.
fn stage(folder: &Path) -> App {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for part in ["scenes", "scripts"] {
        std::fs::create_dir_all(folder.join(part)).expect("a folder for the scene");
    }
    let scene = folder.join("scenes/flock.ron");
    let known = std::fs::read_to_string(root.join("scenes/flock.ron")).expect("the default scene");
    let with_rule = known.replacen("behaviors: [", "behaviors: [(script: \"long\"), ", 1);
    std::fs::write(&scene, with_rule).expect("a scene");
    std::fs::write(folder.join("scripts/long.rhai"), rule()).expect("a script");
    let mut stage = App::new(Options::new(Place::of_scene(&scene))).expect("a scene that reads");
    (0..30).for_each(|_| {
        frame(&mut stage, &input());
    });
    stage.inspect_script(0, None);
    open(&mut stage, "long.rhai");
    stage
}

/// A scene with 10,000 bodies that no group has, which is open in the editor.
fn long_stage(folder: &Path) -> App {
    let path = folder.join("scenes/flock.ron");
    let scene = std::fs::read_to_string(&path).expect("a scene");
    let mut bodies = "bodies: {\n".to_owned();
    for number in 0..10_000 {
        let _ = writeln!(
            bodies,
            "        \"body{number}\": Mover(length: 1.5, max_speed: 6, desired_speed: 3, max_velocity_change: 0.4, axes: (1, 0.4, 1)),"
        );
    }
    std::fs::write(&path, scene.replacen("bodies: {", &bodies, 1)).expect("a scene");
    let mut stage = App::new(Options::new(Place::of_scene(&path))).expect("a scene that reads");
    frame(&mut stage, &input());
    open(&mut stage, "flock.ron");
    stage
}

/// Opens a file by the list of commands, and moves the cursor to the middle of the rule.
fn open(stage: &mut App, file: &str) {
    press(stage, egui::Key::K, egui::Modifiers::COMMAND);
    frame(stage, &text(&format!("Edit {file}")));
    press(stage, egui::Key::Enter, egui::Modifiers::NONE);
    frame(stage, &input());
    (0..249).for_each(|_| press(stage, egui::Key::ArrowDown, egui::Modifiers::NONE));
    press(stage, egui::Key::End, egui::Modifiers::NONE);
}

/// A rule of 500 lines: functions of ten lines each.
fn rule() -> String {
    let mut text = "const K = param(0.1, 0.0, 1.0);\n\n".to_owned();
    for at in 0..49 {
        let _ = writeln!(
            text,
            "/// Part {at} of the sum.\nfn part{at}(me) {{\n    let x = me.position.x * {at}.5 * K;"
        );
        for term in 0..3 {
            let _ = writeln!(text, "    // Term {term}.\n    if x > {term}000.0 {{ x -= {term}.5; }}");
        }
        text += "    x\n}\n";
    }
    text + "\nfn steer(me, world) {\n    let sum = vec(0.0, 0.0);\n    sum += vec(part0(me), part48(me)) * 0.0001;\n    sum\n}\n"
}

/// Shows a frame at the right time, and returns its duration.
fn frame(stage: &mut App, input: &FrameInput) -> Duration {
    let begin = Instant::now();
    stage.frame(input, FRAME);
    let spent = begin.elapsed();
    std::thread::sleep(FRAME.saturating_sub(spent));
    spent
}

fn press(stage: &mut App, key: egui::Key, modifiers: egui::Modifiers) {
    let mut input = input();
    input.keys = vec![KeyChange { key, pressed: true, repeat: false, modifiers }];
    for pressed in [true, false] {
        let event = egui::Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
        input.egui.events.push(event);
    }
    stage.frame(&input, FRAME);
}

fn text(text: &str) -> FrameInput {
    let mut input = input();
    input.egui.events.push(egui::Event::Text(text.to_owned()));
    input
}

fn input() -> FrameInput {
    let size = egui::vec2(SIZE.0 as f32, SIZE.1 as f32);
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
    let egui = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
    FrameInput { egui, size: SIZE, focused: true, ..FrameInput::default() }
}

fn row(what: &str, mut times: Vec<Duration>, target: f64) {
    times.sort_unstable();
    let ms = |time: Option<&Duration>| time.map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0);
    let (median, worst) = (ms(times.get(times.len() / 2)), ms(times.last()));
    println!("| {what} | {median:.1} | {worst:.1} | {target:.0} |");
}
