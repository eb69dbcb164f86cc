//! A program that is killed while it writes leaves the old file or the new one.
//!
//! `STEERBOX_KILLS=200 cargo test --test suite kills -- --nocapture` makes 200 kills.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use steerbox_core::world::ParamValue;
use steerbox_project::reload::{self, Handle, KnobName, Loader, Place, read_dir_sorted};
use steerbox_scene as scene;

/// The environment variable with the child's scene.
const SCENE: &str = "STEERBOX_KILLED_SCENE";
/// The line that the child prints before it writes.
const READY: &str = "ready to be killed";
/// Maximum lifetime of a writer.
const MAX_LIFETIME: Duration = Duration::from_millis(30);
/// Default number of kills.
const DEFAULT_KILLS: usize = 10;

#[test]
fn a_killed_writer_leaves_a_whole_file() {
    let kills = std::env::var("STEERBOX_KILLS").map_or(DEFAULT_KILLS, |text| text.parse().expect("a number"));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("flock.ron");
    let (_, text) = reload::default_scene();
    std::fs::write(&path, text).expect("a file");
    let (mut versions, mut halfway) = (Vec::new(), 0);
    for kill in 0..kills {
        // Multiples of the golden ratio are evenly distributed.
        let moment = (kill as f64 * 0.618_034).fract();
        kill_a_writer(&path, MAX_LIFETIME.mul_f64(moment));
        let found = std::fs::read_to_string(&path).expect("the file is there");
        let gain = gain_of(&found);
        let whole = text.replacen("gain: 0.35", &format!("gain: {gain}"), 1);
        assert_eq!(found, whole, "the file is damaged");
        versions.push(found);
        halfway += usize::from(left_over(folder.path()) > 0);
    }
    versions.dedup();
    println!("{kills} kills: 0 damaged files, {} versions, {halfway} killed halfway", versions.len());
    // Leftovers of the last writer are removed at the next start.
    kill_a_writer(&path, Duration::ZERO);
    assert!(left_over(folder.path()) <= 1, "leftovers pile up");
    assert!(versions.len() > 1, "nothing was ever written");
}

/// Starts a writer and kills it `after` it has started.
fn kill_a_writer(scene: &Path, after: Duration) {
    let program = std::env::current_exe().expect("this program");
    let mut child = Command::new(program)
        .args(["write_back::kills::writes_until_it_is_killed", "--exact", "--ignored", "--nocapture"])
        .env(SCENE, scene)
        .stdout(Stdio::piped())
        .spawn()
        .expect("a child");
    let output = child.stdout.take().expect("it was asked for");
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.ends_with(READY)), "the child does not write");
    std::thread::sleep(after);
    child.kill().expect("it runs");
    child.wait().expect("it was ours");
}

fn gain_of(text: &str) -> f32 {
    let scene = scene::read("flock.ron", text).expect("it reads");
    scene.groups[0].behaviors[0].gain
}

/// Returns the number of files left by killed writers.
fn left_over(folder: &Path) -> usize {
    let paths = read_dir_sorted(folder).expect("the folder");
    let names = paths.iter().filter_map(|path| path.file_name());
    names.filter(|name| name.to_string_lossy().starts_with('.')).count()
}

#[test]
#[ignore = "it is the writer that the other test kills"]
fn writes_until_it_is_killed() {
    let Some(scene) = std::env::var_os(SCENE) else {
        return;
    };
    let place = Place::of_scene(Path::new(&scene));
    let (project, generation) = Loader::load(place, Vec::new()).expect("it reads");
    let handle = Handle {
        group: generation.behaviors[0][0].handle.group.clone(),
        script: "cohesion".to_owned(),
        occurrence: 0,
    };
    let mut gain = generation.behaviors[0][0].gain;
    let loader = Loader::start(project).expect("a thread");
    println!("{READY}");
    loop {
        gain += 0.25;
        let value = ParamValue::Number(gain);
        loader.send(reload::Command::Tune(handle.clone(), KnobName::Gain, value));
        loader.send(reload::Command::Save);
        let patience = Duration::from_mins(1);
        while let Some(generation) = loader.wait(patience) {
            if let Some(saved) = generation.saved {
                saved.expect("it is written");
                break;
            }
        }
    }
}
