//! Speed of the variants on one thread.

use anyhow::{Context as _, Result};

use crate::form::{FORMS, Form};
use crate::measure::{self, Ratio, Row, Spread, find, take_turns};
use crate::peers::PEERS;
use crate::variant::{Kind, Variant};
use crate::workload;

const UNITS: usize = 20_000;
const STEPS: u32 = 10;
/// 200 steps in total.
const ROUNDS: u32 = 20;

/// The variants that scripts are compared with.
fn others() -> impl Iterator<Item = Kind> {
    std::iter::once(Kind::Rust).chain(PEERS.map(Kind::Peer))
}

pub(crate) fn print() -> Result<()> {
    let world = measure::warm(UNITS)?;
    let mut rows = Vec::new();
    for form in FORMS {
        for kind in [Kind::Native, Kind::Host].into_iter().chain(others()) {
            rows.push(Row::new(Variant::new(kind, form, &world)?, STEPS));
        }
    }
    rows.push(Row::new(Variant::new(Kind::Limit, Form::Loops, &world)?, STEPS));
    take_turns(&mut rows, ROUNDS)?;
    println!("{UNITS} units, one thread, {ROUNDS} runs of {STEPS} steps each:\n");
    println!("| rules | form | unit-steps/s | from … to | ns | perceive | decide | act |");
    println!("|---|---|--:|--:|--:|--:|--:|--:|");
    rows.iter().for_each(print_row);
    print_ratios(&rows)?;
    let last = find(&rows, Kind::Rust, Form::Loops)?;
    let end = last.variant.world().context("no world")?;
    println!(
        "Neighbors in the mean: {:.2} at the start of the runs, {:.2} at their end.\n",
        workload::mean_neighbors(&world),
        workload::mean_neighbors(end)
    );
    Ok(())
}

fn print_row(row: &Row) {
    let total = Spread::of(row.totals());
    let phase = |phase| Spread::of(row.phase(phase)).median;
    let millions = |nanoseconds: f64| 1e3 / nanoseconds;
    println!(
        "| {} | {} | {:.3} M | {:.3} … {:.3} M | {:.0} | {:.0} | {:.0} | {:.0} |",
        row.variant.name(),
        row.variant.form.name(),
        millions(total.median),
        millions(total.most),
        millions(total.least),
        total.median,
        phase(0),
        phase(1),
        phase(2),
    );
}

fn print_ratios(rows: &[Row]) -> Result<()> {
    println!("\n| ratio of times | form | median | from … to | best against best | target |");
    println!("|---|---|--:|--:|--:|--:|");
    for form in FORMS {
        let native = find(rows, Kind::Native, form)?.totals();
        for kind in others() {
            let other = find(rows, kind, form)?.totals();
            let ratio = match kind {
                Kind::Rust => Ratio::of(&native, &other),
                _ => Ratio::of(&other, &native),
            };
            let (title, name, target) = (title(kind), form.name(), target(kind, form));
            println!("| {title} | {name} | {} | {target} |", ratio.cells());
        }
    }
    println!();
    Ok(())
}

fn title(kind: Kind) -> String {
    match kind {
        Kind::Rust => "native ÷ Rust".to_owned(),
        _ => format!("{} ÷ native", kind.name()),
    }
}

fn target(kind: Kind, form: Form) -> &'static str {
    match (kind, form) {
        (Kind::Rust, Form::Means) => "≤ 1.3",
        (Kind::Rust, Form::Loops) => "≤ 1.5",
        (_, Form::Means) => "≥ 3",
        (_, Form::Loops) => "≥ 2.5",
    }
}
