//! What compiling gains: the decide phase native and interpreted.

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
        for kind in [Kind::Native, Kind::Interpreted] {
            rows.push(Row::new(Variant::new(kind, form, &world)?, STEPS));
        }
    }
    take_turns(&mut rows, ROUNDS)?;
    println!("{UNITS} units, one thread, {ROUNDS} runs each; nanoseconds of the decide phase:\n");
    println!("| form | native | interpreted | ratio | from … to | best against best | target |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for form in FORMS {
        let native = find(&rows, Kind::Native, form)?.phase(1);
        let interpreted = find(&rows, Kind::Interpreted, form)?.phase(1);
        let ratio = Ratio::of(&interpreted, &native);
        println!(
            "| {} | {:.0} | {:.0} | {} | ≥ 50 |",
            form.name(),
            Spread::of(native).median,
            Spread::of(interpreted).median,
            ratio.cells(),
        );
    }
    println!();
    Ok(())
}
