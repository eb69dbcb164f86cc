//! Speed of real scenes: every shipped scene scaled to 10,000 units with the same density, and the default scene with
//! more and more obstacles.
//!
//! Every row is measured in its own process. If `STEERBOX_BEFORE` is the path of this program built from another version,
//! both are interleaved; their ratio and whether their final states are equal is printed.
#![allow(clippy::print_stdout, reason = "the program prints tables")]

mod scaled;

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Instant;
use std::{env, path::Path};

use anyhow::{Context as _, Result, ensure};
use steerbox_project::reload::{Generation, Loader, Place};

const UNITS: usize = 10_000;
const SCENES: [&str; 14] = [
    "aidemo4",
    "doorway",
    "fish",
    "flock",
    "formation",
    "heading",
    "leaves",
    "milling",
    "predator_prey",
    "race_track",
    "sheepdog",
    "stress",
    "targets",
    "walls",
];
const OBSTACLES: [usize; 5] = [8, 32, 128, 512, 2048];
/// Number of warm-up steps, and of steps in a run.
const STEPS: (u32, u32) = (10, 3);
/// Number of runs of a process, and of turns of each process.
const RUNS: usize = 5;
const TURNS: usize = 3;
/// Stack size of the threads: scripts nest up to their limits.
const STACK: usize = 16 << 20;

fn main() -> Result<()> {
    let words: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--row", row] => measure(row),
        [] => table(""),
        [part] => table(part),
        _ => anyhow::bail!("scenes [PART OF A ROW'S NAME]"),
    }
}

/// Prints all rows whose name contains `part`.
fn table(part: &str) -> Result<()> {
    let before = env::var_os("STEERBOX_BEFORE");
    let this = env::current_exe().context("no path of its own")?;
    let scenes = SCENES.iter().map(ToString::to_string);
    let rows = scenes.chain(OBSTACLES.map(|count| format!("flock among {count}")));
    println!(
        "| {UNITS} units, one thread | ns a unit and step | unit-steps/s | times as fast as before | state |"
    );
    println!("|---|--:|--:|--:|---|");
    let mut found = BTreeMap::new();
    for row in rows.filter(|row| row.contains(part)) {
        let (mut now, mut then) = (Runs::default(), Runs::default());
        for _ in 0..TURNS {
            now.add(&this, &row)?;
            if let Some(before) = &before {
                then.add(Path::new(before), &row)?;
            }
        }
        let same = if now.hash == then.hash { "the same" } else { "another" };
        let Some(now) = now.median() else {
            // At this size it exceeds the work limit of a step.
            println!("| {row} | does not run | | | |");
            continue;
        };
        let gain = then.median().map(|then| format!("{:.2} | {same}", then / now));
        let gain = gain.unwrap_or_else(|| "– | –".to_owned());
        println!("| {row} | {now:.0} | {:.3} M | {gain} |", 1e3 / now);
        found.insert(row, now);
    }
    let among = |count: usize| found.get(&format!("flock among {count}"));
    if let (Some(few), Some(many)) = (among(OBSTACLES[0]), among(OBSTACLES[4])) {
        let [few_of, .., many_of] = OBSTACLES;
        println!(
            "\n{many_of} obstacles cost {:.2} times as much a unit as {few_of} (target ≤ 1.5).",
            many / few
        );
    }
    Ok(())
}

/// The measurements of a row by one program.
#[derive(Default)]
struct Runs {
    /// Nanoseconds per unit and step. A version may be unable to run a row that exceeds its work limit.
    nanoseconds: Vec<f64>,
    hash: String,
}

impl Runs {
    fn add(&mut self, program: &Path, row: &str) -> Result<()> {
        let output = Command::new(program).args(["--row", row]).output().context("it does not start")?;
        let text = String::from_utf8(output.stdout)?;
        if let Some((nanoseconds, hash)) = text.trim().split_once(' ') {
            self.nanoseconds.push(nanoseconds.parse()?);
            hash.clone_into(&mut self.hash);
        }
        Ok(())
    }

    fn median(mut self) -> Option<f64> {
        (!self.nanoseconds.is_empty()).then(|| median(&mut self.nanoseconds))
    }
}

fn median(runs: &mut [f64]) -> f64 {
    runs.sort_by(f64::total_cmp);
    runs[runs.len() / 2]
}

/// Measures one row and prints it.
fn measure(row: &str) -> Result<()> {
    let (name, obstacles) = match row.split_once(" among ") {
        Some((name, count)) => (name, Some(count.parse()?)),
        None => (row, None),
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(format!("{name}.ron"));
    let (_, generation) = Loader::load(Place::of_scene(&path), Vec::new())?;
    let scene = scaled::scaled(&generation.scene, UNITS, obstacles);
    let units = scene.unit_count();
    let generation = Generation { scene: scene.into(), ..generation.clone() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).stack_size(STACK).build()?;
    pool.install(|| {
        let mut simulation = generation.start(None);
        (0..STEPS.0).for_each(|_| simulation.step());
        let start = simulation.snapshot();
        let mut runs = [0.0; RUNS];
        for run in &mut runs {
            simulation.restore(&start);
            let from = Instant::now();
            (0..STEPS.1).for_each(|_| simulation.step());
            *run = from.elapsed().as_secs_f64() * 1e9 / (f64::from(STEPS.1) * units as f64);
        }
        let failure = simulation.reports().first();
        ensure!(failure.is_none(), "{row}: {failure:?}");
        println!("{:.2} {:016x}", median(&mut runs), simulation.hash());
        Ok(())
    })
}
