//! Random programs against other texts of the same meaning: the same bits. Faults that compiler and interpreter
//! share are seen here, and so are those of code that depends on the form of a text.

use std::cell::Cell;

use steerbox::sim::Simulation;

use crate::common::dice::Dice;
use crate::lanes::crowd;
use crate::program::Case;
use crate::random::first_difference;
use crate::stage::{Both, on_threads};
use crate::watch::Log;

/// Programs of a run.
const PROGRAMS: u32 = 400;
/// Steps of each.
const STEPS: usize = 2;
/// Where the choices come from.
const SEED: u64 = 11;

/// Makes the steps of a case by both texts, by one of them eight units at a time; whether it could be compared.
fn compare(case: &Case) -> Result<bool, String> {
    let rewritten = case.program.rewritten(&mut Dice::new(SEED)).file();
    let (Ok(plain), Ok(other)) = (Both::of(&case.program.file(), &[]), Both::of(&rewritten, &[])) else {
        return Ok(false);
    };
    // The order of a loop is known by the form of its body.
    if plain.reductions != other.reductions {
        return Ok(false);
    }
    on_threads(|| {
        let (plain, other) = (plain.in_world(crowd()), other.in_world(crowd()));
        // What is watched is decided one by one.
        let mut plain = Simulation::new(plain.world, Log::default().watch(&plain.native));
        let mut other = Simulation::new(other.world, other.native);
        for step in 0..STEPS {
            plain.step();
            other.step();
            let ran_out = |simulation: &Simulation| {
                let mut reports = simulation.reports().iter();
                reports.any(|report| report.failure.message.contains("operations"))
            };
            if ran_out(&plain) || ran_out(&other) {
                return Ok(step > 0);
            }
            if plain.hash() != other.hash() {
                return Err(format!("the state differs after step {}:\n{rewritten}", step + 1));
            }
        }
        Ok(true)
    })
}

#[test]
fn another_text_of_the_same_meaning_decides_the_same() {
    let compared = Cell::new(0);
    let found = first_difference(PROGRAMS, SEED, |case| {
        compared.set(compared.get() + u32::from(compare(case)?));
        Ok(())
    });
    if let Some((case, difference)) = found {
        panic!("{difference}\n\n{case:?}");
    }
    assert!(compared.get() >= PROGRAMS * 9 / 10, "{} of {PROGRAMS} could be compared", compared.get());
}
