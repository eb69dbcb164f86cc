//! Time per unit as a function of the number of units.

use anyhow::Result;

use crate::form::FORMS;
use crate::measure::{self, Ratio, Row, Spread, find, take_turns};
use crate::variant::{Kind, Variant};

/// Numbers of units, and of the steps in a run.
const SIZES: [(usize, u32); 5] = [(1_000, 40), (5_000, 40), (20_000, 20), (100_000, 4), (400_000, 2)];
const ROUNDS: u32 = 5;

pub(crate) fn print() -> Result<()> {
    let mut rows = Vec::new();
    for (units, steps) in SIZES {
        let world = measure::warm(units)?;
        for form in FORMS {
            let native = Variant::new(Kind::Native, form, &world)?;
            rows.push(Row::new(native, steps));
        }
    }
    take_turns(&mut rows, ROUNDS)?;
    println!("Scripts, native, one thread, {ROUNDS} runs each; nanoseconds a unit and step:\n");
    println!("| form | units | median | from … to | against the fewest (target ≤ 1.4) |");
    println!("|---|--:|--:|--:|--:|");
    for form in FORMS {
        let base = find(&rows, Kind::Native, form)?.totals();
        let of_form = rows.iter().filter(|row| row.variant.form == form);
        for (row, (units, _)) in of_form.zip(SIZES) {
            let totals = row.totals();
            let growth = Ratio::of(&totals, &base).spread.median;
            let Spread { median, least, most } = Spread::of(totals);
            let form = form.name();
            println!("| {form} | {units} | {median:.0} | {least:.0} … {most:.0} | {growth:.2} |");
        }
    }
    println!();
    Ok(())
}
