//! Compile time at the start of the program.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Result, ensure};

use crate::measure::Spread;

const RUNS: usize = 30;

pub(crate) fn print() -> Result<()> {
    let mut runs = [Vec::new(), Vec::new()];
    for round in 0..=RUNS {
        for (arguments, times) in [&[][..], &["--interpret"]].into_iter().zip(&mut runs) {
            let time = run(arguments)?;
            // The first run reads the program from disk.
            if round > 0 {
                times.push(time);
            }
        }
    }
    let differences = runs[0].iter().zip(&runs[1]).map(|(native, other)| native - other);
    let difference = Spread::of(differences.collect::<Vec<_>>());
    let [native, interpreted] = runs.map(Spread::of);
    println!("`steerbox run scenes/flock.ron --steps 1`, {RUNS} times each in turns:\n");
    println!("| | median | from … to | target |");
    println!("|---|--:|--:|--:|");
    print_row("native", native, "");
    print_row("`--interpret`", interpreted, "");
    print_row("difference", difference, "≤ 20 ms");
    println!();
    Ok(())
}

fn print_row(name: &str, time: Spread, target: &str) {
    let Spread { median, least, most } = time;
    println!("| {name} | {median:.1} ms | {least:.1} … {most:.1} ms | {target} |");
}

/// Returns the duration of the process in milliseconds.
fn run(arguments: &[&str]) -> Result<f64> {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/flock.ron");
    let mut command = Command::new(env!("CARGO_BIN_EXE_steerbox"));
    command.arg("run").arg(scene).args(["--steps", "1"]);
    command.args(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let status = command.status()?;
    let time = start.elapsed().as_secs_f64() * 1e3;
    ensure!(status.success(), "the run failed: {status}");
    Ok(time)
}
