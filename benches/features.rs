//! The cost of what a scene may use in addition: events, values and bodies that differ by unit, and environment grids. Each
//! pair of scenes is run in turns on one thread, by its time on a processor.
#![allow(clippy::print_stdout, reason = "the program prints tables")]

use std::time::Instant;

use anyhow::{Result, ensure};
use clock::thread_seconds;
use ratio::Ratio;
use steerbox_core::sim::Simulation;
use steerbox_project::reload::{Loader, Place, Texts};

mod clock;
#[path = "flock/ratio.rs"]
mod ratio;

/// Number of units of a scene, of warm-up steps, of steps of a run, and of runs.
const UNITS: usize = 10_000;
const WARM_UP: u32 = 60;
const STEPS: u32 = 20;
const RUNS: usize = 15;

/// A feature: the scene and the script with and without it, as replacements of texts of the ones without.
struct Feature {
    name: &'static str,
    scene: &'static [(&'static str, &'static str)],
    script: &'static [(&'static str, &'static str)],
    target: &'static str,
}

/// A flock with 20 neighbors in view, which collides, and passes through zones.
const SCENE: &str = "(world: Plane(size: (800, 800), seamless: true),
    bodies: {\"m\": Mover(length: 3, max_speed: 40, max_velocity_change: 2)},
    views: {\"near\": Around(radius: 20)}, contacts: (units: Separate),
    zones: {\"a\": Circle(center: (200, 200), radius: 150), \"b\": Box(center: (550, 500), size: (200, 300))},
    groups: [(name: \"flock\", body: \"m\", count: 10000, view: \"near\", behaviors: [
        (script: \"cohesion\", gain: 0.4), (script: \"alignment\"), (script: \"separation\", params: {\"DISTANCE\": 6}),
        (script: \"own\", params: {}),
    ])])";
const SCRIPT: &str =
    "const GAIN = param(1.0, 0.0, 3.0); const REACH = param(15.0, 0.0, 20.0); const SIDE = param(1, -1, 1);
    const MEMORY = #{ count: 0.0 };
    fn steer(me, world) {
        let away = me.position - me.neighbors.within(REACH).mean_position;
        away.limit(GAIN) * 0.1 + me.starboard * 0.05 * SIDE + me.heading * this.count * 0.0
    }";

const TOUCHED: (&str, &str) = ("fn steer", "fn touched(other) { this.count += 1.0; }\n    fn steer");
const ENTERED: (&str, &str) = (
    "fn steer",
    "fn entered(zone) { this.count += 1.0; } fn left(zone) { this.count -= 1.0; }\n    fn steer",
);

/// Of 10,000 units, 100 die and 100 are born in a step.
const BORN: (&str, &str) =
    ("let away", "if me.random() < 0.01 { me.die(); me.spawn(\"flock\"); }\n        let away");

const FEATURES: [Feature; 6] = [
    Feature {
        name: "births and deaths of 1 % in each step",
        scene: &[("count: 10000", "count: 10000, most: 20000")],
        script: &[BORN],
        target: "≤ 1.15",
    },
    Feature { name: "`touched` that counts", scene: &[], script: &[TOUCHED], target: "" },
    Feature { name: "`entered` and `left` that count", scene: &[], script: &[ENTERED], target: "" },
    Feature {
        name: "a number that differs by unit",
        scene: &[("params: {}", "params: {\"GAIN\": Normal(1, 0.2)}")],
        script: &[],
        target: "≤ 1.10",
    },
    Feature {
        name: "three values that differ by unit, a reach among them",
        scene: &[(
            "params: {}",
            "params: {\"GAIN\": Normal(1, 0.2), \"REACH\": Uniform(10, 20), \"SIDE\": Choice([-1, 1])}",
        )],
        script: &[],
        target: "≤ 1.10",
    },
    Feature {
        name: "length and maximum speed that differ by unit",
        scene: &[("length: 3, max_speed: 40", "length: Normal(3, 0.3), max_speed: Normal(40, 4)")],
        script: &[],
        target: "≤ 1.10",
    },
];

fn main() -> Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).stack_size(16 << 20).build()?;
    println!("{UNITS} units, one thread, {RUNS} runs of {STEPS} steps each, in turns:\n");
    println!(
        "| in addition | ns a unit and step | without | ratio | from … to | best against best | target |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for feature in &FEATURES {
        pool.install(|| print(feature))?;
    }
    println!("\n| grid | units that deposit | threads | steps/s, median | from … to | target |");
    println!("|---|--:|--:|--:|--:|--:|");
    pool.install(|| grid(256, UNITS, 1))?;
    let two = rayon::ThreadPoolBuilder::new().num_threads(2).stack_size(16 << 20).build()?;
    two.install(|| grid(1024, 100, 2))
}

fn print(feature: &Feature) -> Result<()> {
    let script = with(SCRIPT, feature.script.iter().copied())?;
    let mut with = start(&with(SCENE, feature.scene.iter().copied())?, Some(&script))?;
    let mut without = start(SCENE, Some(SCRIPT))?;
    let mut times = [Vec::new(), Vec::new()];
    for run in 0..=RUNS {
        for (simulation, times) in [&mut with, &mut without].into_iter().zip(&mut times) {
            let [_, seconds] = timed(simulation, if run == 0 { WARM_UP } else { STEPS });
            if run > 0 {
                times.push(seconds * 1e9 / f64::from(STEPS) / UNITS as f64);
            }
        }
    }
    let [with, without] = &times;
    let least = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
    println!(
        "| {} | {:.0} | {:.0} | {} | {} |",
        feature.name,
        least(with),
        least(without),
        Ratio::of(with, without).cells(),
        feature.target
    );
    Ok(())
}

/// Prints the speed of the scene `slime` with another grid and number of units.
fn grid(cells: u32, units: usize, threads: usize) -> Result<()> {
    let scene = include_str!("../scenes/slime.ron");
    let size = format!("({cells}, {cells})");
    let replaced = [
        ("count: 6000", format!("count: {units}")),
        ("size: (320, 200), edges", format!("size: {size}, edges")),
        (
            "center: (160, 100), size: (320, 200)",
            format!("center: ({}, {}), size: {size}", cells / 2, cells / 2),
        ),
    ];
    let mut simulation = start(&with(scene, replaced.iter().map(|(from, to)| (*from, &**to)))?, None)?;
    timed(&mut simulation, WARM_UP);
    // Of two threads, only real time counts.
    let clock = usize::from(threads == 1);
    let mut speeds: Vec<_> =
        (0..RUNS).map(|_| f64::from(STEPS) / timed(&mut simulation, STEPS)[clock]).collect();
    speeds.sort_by(f64::total_cmp);
    println!(
        "| {cells} × {cells} | {units} | {threads} | {:.0} | {:.0} … {:.0} | ≥ 60 |",
        speeds[RUNS / 2],
        speeds[0],
        speeds[RUNS - 1]
    );
    Ok(())
}

/// Returns a text with replacements, each of which must apply.
fn with<'a>(text: &str, replacements: impl Iterator<Item = (&'a str, &'a str)>) -> Result<String> {
    let mut text = text.to_owned();
    for (from, to) in replacements {
        ensure!(text.contains(from), "no {from} in the text");
        text = text.replacen(from, to, 1);
    }
    Ok(text)
}

/// Returns a scene at its start, with the script `own` if there is one.
fn start(scene: &str, own: Option<&str>) -> Result<Simulation> {
    let scripts = own.map(|text| ("own".to_owned(), text.to_owned())).into_iter().collect();
    let texts = Texts { name: "s.ron".to_owned(), scene: scene.to_owned(), scripts, ..Texts::default() };
    let loaded = Loader::load(Place::of_texts(texts), Vec::new());
    let (_, generation) = loaded.map_err(|error| anyhow::anyhow!("{error:?}"))?;
    Ok(generation.start(None))
}

/// Makes steps and returns their seconds of real time, and of the calling thread on a processor.
fn timed(simulation: &mut Simulation, steps: u32) -> [f64; 2] {
    let (start, busy) = (Instant::now(), thread_seconds());
    for _ in 0..steps {
        simulation.step();
    }
    [start.elapsed().as_secs_f64(), thread_seconds() - busy]
}
