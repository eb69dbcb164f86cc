//! Time from a saved script to the first step with it.
//!
//! A copy of the shipped scripts and scenes is watched. Each save changes one number in `cohesion.rhai`; the time is
//! measured from the close of the file to the end of the swap, and to the end of the first step after it.
#![allow(clippy::print_stdout, reason = "the program prints tables")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use steerbox_core::sim::Simulation;
use steerbox_project::reload::{Loader, Place, read_dir_sorted};

/// Number of measured saves.
const SAVES: u32 = 100;
/// Number of warm-up saves.
const WARM_UP: u32 = 3;
/// Timeout of a save.
const PATIENCE: Duration = Duration::from_secs(5);
/// The line that a save changes.
const LINE: &str = "const REACH = param(2000.0, 0.0, 2000.0);";

fn main() -> Result<()> {
    let project = tempfile::tempdir()?;
    for folder in ["scenes", "scripts"] {
        copy(folder, project.path())?;
    }
    let script = project.path().join("scripts/cohesion.rhai");
    let text = fs::read_to_string(&script)?;
    ensure!(text.contains(LINE), "cohesion.rhai does not say {LINE}");

    let place = Place::of_scene(&project.path().join("scenes/flock.ron"));
    let (project, mut generation) = Loader::load(place, Vec::new())?;
    let mut simulation = generation.start(None);
    let loader = Loader::start(project)?;
    let (mut swaps, mut steps) = (Vec::new(), Vec::new());
    for save in 0..WARM_UP + SAVES {
        run_for(&mut simulation, Duration::from_millis(40));
        let reach = format!("const REACH = param({}.5, 0.0, 2000.0);", 20 + save);
        fs::write(&script, text.replace(LINE, &reach))?;
        let saved = Instant::now();
        let next = loop {
            let next = loader.wait(PATIENCE).context("the save did not arrive")?;
            if next.changed.iter().any(|script| script == "cohesion") {
                break next;
            }
        };
        next.swap_into(&mut simulation, &Arc::clone(&generation.scene), None);
        let swapped = saved.elapsed();
        simulation.step();
        if save >= WARM_UP {
            swaps.push(swapped);
            steps.push(saved.elapsed());
        }
        generation = next;
    }
    println!("| from the close of the file to | median | worst of {SAVES} |");
    println!("|---|--:|--:|");
    print("the swap", swaps);
    print("the end of the first step", steps);
    Ok(())
}

fn copy(folder: &str, to: &Path) -> Result<()> {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let to = to.join(folder);
    fs::create_dir(&to)?;
    for path in read_dir_sorted(&from)? {
        if path.is_file() {
            fs::copy(&path, to.join(path.file_name().unwrap_or_default()))?;
        }
    }
    Ok(())
}

/// Runs the simulation between saves, so that a save arrives during a step.
fn run_for(simulation: &mut Simulation, time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        simulation.step();
    }
}

fn print(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    println!("| {name} | {:.1} ms | {:.1} ms |", millis(median), millis(worst));
}
