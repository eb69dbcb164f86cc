//! Random programs against equivalent texts: bit-identical. This detects faults that compiler and interpreter share, and
//! those of optimizations that depend on the form of a text.

use std::cell::Cell;

use steerbox_core::sim::Simulation;

use crate::common::dice::Dice;
use crate::lanes::crowd;
use crate::program::Case;
use crate::random::first_difference;
use crate::stage::{Both, on_threads};
use crate::watch::Log;

/// Number of programs.
const PROGRAMS: u32 = 400;
/// Number of steps of each.
const STEPS: usize = 2;
/// Seed of the choices.
const SEED: u64 = 11;

/// Makes the steps of a case with both texts, one of them in batches; returns whether it could be compared.
fn compare(case: &Case) -> Result<bool, String> {
    let rewritten = case.program.rewritten(&mut Dice::new(SEED)).file();
    let (Ok(plain), Ok(other)) = (Both::of(&case.program.file(), &[]), Both::of(&rewritten, &[])) else {
        return Ok(false);
    };
    // A reduction is recognized by the form of its body.
    if plain.reductions != other.reductions {
        return Ok(false);
    }
    on_threads(|| {
        let (plain, other) = (plain.in_world(crowd()), other.in_world(crowd()));
        // Behaviors with watched values are decided one by one.
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
fn equivalent_texts_decide_the_same() {
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
