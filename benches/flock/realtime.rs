//! Processor load of many units in real time.

use std::time::{Duration, Instant};

use anyhow::Result;

use crate::form::FORMS;
use crate::measure::{self, Spread, pool};
use crate::variant::{Kind, Variant};

const UNITS: usize = 20_000;
const STEPS: u32 = 200;
/// Time between two steps, at 60 per second.
const BEAT: Duration = Duration::from_nanos(16_666_667);

pub(crate) fn print() -> Result<()> {
    let world = measure::warm(UNITS)?;
    let pool = pool(2)?;
    println!("{UNITS} units, 60 steps a second, two threads; share of the time between steps:\n");
    println!("| rules | form | steps | median | worst | late steps |");
    println!("|---|---|--:|--:|--:|--:|");
    for form in FORMS {
        let mut variant = Variant::new(Kind::Native, form, &world)?;
        let steps = variant.affordable(STEPS);
        let mut shares = Vec::new();
        let mut due = Instant::now();
        for _ in 0..steps {
            let start = Instant::now();
            pool.install(|| variant.run(1));
            shares.push(100.0 * start.elapsed().as_secs_f64() / BEAT.as_secs_f64());
            due = (due + BEAT).max(Instant::now());
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
        }
        variant.ensure_sound()?;
        let late = shares.iter().filter(|share| **share > 100.0).count();
        let share = Spread::of(shares);
        println!(
            "| {} | {} | {steps} | {:.0} % | {:.0} % | {late} |",
            variant.name(),
            form.name(),
            share.median,
            share.most,
        );
    }
    println!();
    Ok(())
}
