//! Gain of compilation: the decide phase, native and interpreted.

use anyhow::Result;

use crate::form::FORMS;
use crate::measure::{self, Ratio, Row, Spread, find, take_turns};
use crate::variant::{Kind, Variant};

const UNITS: usize = 20_000;
const STEPS: u32 = 20;
const ROUNDS: u32 = 5;

pub(crate) fn print() -> Result<()> {
    let world = measure::warm(UNITS)?;
    let mut rows = Vec::new();
    for form in FORMS {
        for kind in [Kind::Native, Kind::Interpreted, Kind::Host] {
            rows.push(Row::new(Variant::new(kind, form, &world)?, STEPS));
        }
    }
    take_turns(&mut rows, ROUNDS)?;
    println!("{UNITS} units, one thread, {ROUNDS} runs each; nanoseconds of the decide phase.");
    println!("Queries of the scripts are computed in it by the host; rows of scripts alone exclude them.\n");
    println!("| form | | native | interpreted | ratio | from … to | best against best | target |");
    println!("|---|---|--:|--:|--:|--:|--:|--:|");
    for form in FORMS {
        let phase = |kind| Ok::<_, anyhow::Error>(find(&rows, kind, form)?.phase(1));
        let host = phase(Kind::Host)?;
        let (native, interpreted) = (phase(Kind::Native)?, phase(Kind::Interpreted)?);
        let own = (less(&native, &host), less(&interpreted, &host));
        line(form.name(), "scripts alone", own);
        line(form.name(), "with queries", (native, interpreted));
    }
    println!();
    Ok(())
}

fn line(form: &str, what: &str, (native, interpreted): (Vec<f64>, Vec<f64>)) {
    let cells = Ratio::of(&interpreted, &native).cells();
    let (native, interpreted) = (Spread::of(native).median, Spread::of(interpreted).median);
    println!("| {form} | {what} | {native:.0} | {interpreted:.0} | {cells} | ≥ 50 |");
}

/// Subtracts the host's part from each run.
fn less(runs: &[f64], host: &[f64]) -> Vec<f64> {
    let pairs = runs.iter().zip(host);
    pairs.map(|(run, host)| (run - host).max(1.0)).collect()
}
