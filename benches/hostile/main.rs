//! Time and memory that hostile scripts and scenes take to be loaded and called.
//!
//! The rows are those of `tests/hostile`, which checks their outcomes.
#![allow(clippy::print_stdout, reason = "the program prints tables")]

#[path = "../../tests/hostile/scenes.rs"]
mod scenes;
#[path = "../../tests/hostile/scripts.rs"]
#[allow(dead_code, reason = "the test checks the outcomes")]
mod scripts;
#[path = "../../tests/hostile/watch.rs"]
mod watch;

use std::time::Duration;

use steerbox_script::Execution;

fn main() {
    of_scripts();
    of_scenes();
}

fn of_scripts() {
    let frozen = watch::state();
    println!("| script | | load, ms | call, ms | memory, KiB | |");
    println!("|---|---|---|---|---|---|");
    let mut worst = [Duration::ZERO; 2];
    let mut most = 0;
    for (name, text, _) in scripts::rows() {
        for execution in [Execution::Native, Execution::Interpreted] {
            let seen = watch::watch(&frozen, &text, execution);
            let ran = if seen.native { "native" } else { "interpreted" };
            let ran = if seen.refused.is_some() { "refused" } else { ran };
            let cause = seen.refused.or(seen.failed).unwrap_or_default();
            let cause: String = cause.chars().take(60).collect();
            let (load, call) = (ms(seen.load), ms(seen.call));
            println!("| {name} | {ran} | {load:.1} | {call:.2} | {} | {cause} |", seen.memory / 1024);
            worst = [worst[0].max(seen.load), worst[1].max(seen.call)];
            most = most.max(seen.memory);
        }
    }
    println!(
        "worst load {:.1} ms, worst call {:.1} ms, most memory {} KiB",
        ms(worst[0]),
        ms(worst[1]),
        most / 1024
    );
}

/// Scenes are loaded until they could run; the cost of their scripts is in the first table.
fn of_scenes() {
    println!("\n| scene | load, ms | |\n|---|---|---|");
    let mut worst = Duration::ZERO;
    for (name, text, _) in scenes::rows() {
        let (read, took) = watch::load(&text);
        let cause: String = read.err().unwrap_or_default().chars().take(60).collect();
        println!("| {name} | {:.1} | {cause} |", ms(took));
        worst = worst.max(took);
    }
    println!("worst load {:.1} ms", ms(worst));
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
