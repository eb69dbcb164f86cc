//! Speedup by a second thread, and the maximum on a machine with other load.

use std::hint::black_box;
use std::time::Instant;

use anyhow::Result;
use rayon::ThreadPool;

use crate::form::FORMS;
use crate::measure::{self, Ratio, Row, Spread, pool};
use crate::variant::{Kind, Variant};

const UNITS: usize = 20_000;
const STEPS: u32 = 20;
const ROUNDS: usize = 41;
/// Iterations of arithmetic that both threads of the control share.
const SPINS: u64 = 40_000_000;

pub(crate) fn print() -> Result<()> {
    let world = measure::warm(UNITS)?;
    let pools = [pool(1)?, pool(2)?];
    println!("{UNITS} units, {ROUNDS} runs each, one and two threads in turns:\n");
    println!("| what runs | one thread | two threads | ratio | from … to | best against best | target |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for form in FORMS {
        let mut row = Row::new(Variant::new(Kind::Native, form, &world)?, STEPS);
        let mut control = [Vec::new(), Vec::new()];
        for _ in 0..=ROUNDS {
            for (pool, spins) in pools.iter().zip(&mut control) {
                row.run(pool);
                spins.push(spin(pool));
            }
        }
        row.variant.ensure_sound()?;
        // The first round is a warm-up.
        let runs = row.totals().split_off(2);
        let of = |thread: usize| runs.iter().skip(thread).step_by(2).copied().collect();
        let name = format!("{}, {}, ns a unit and step", row.variant.name(), form.name());
        print_row(&name, [of(0), of(1)], "≥ 1.7");
        let control = control.map(|mut spins| spins.split_off(1));
        print_row("control: arithmetic alone, ms", control, "");
    }
    println!();
    Ok(())
}

fn print_row(name: &str, runs: [Vec<f64>; 2], target: &str) {
    let ratio = Ratio::of(&runs[0], &runs[1]).cells();
    let [one, two] = runs.map(|runs| Spread::of(runs).median);
    println!("| {name} | {one:.0} | {two:.0} | {ratio} | {target} |");
}

/// Returns the milliseconds for a fixed number of iterations, shared evenly by the threads of a pool.
fn spin(pool: &ThreadPool) -> f64 {
    let start = Instant::now();
    let share = SPINS / pool.current_num_threads() as u64;
    pool.broadcast(|_| {
        // Enough independent work to fill the vector units of a core, which steps use heavily: if they are shared with
        // another program on the same core, the speedup is lower.
        let (mut lanes, by) = (black_box([1.0_f32; 48]), black_box([0.999_f32; 4]));
        for _ in 0..share {
            for lanes in lanes.chunks_exact_mut(4) {
                for (lane, by) in lanes.iter_mut().zip(by) {
                    *lane = *lane * by + by;
                }
            }
        }
        black_box(lanes)
    });
    start.elapsed().as_secs_f64() * 1e3
}
