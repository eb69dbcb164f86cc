//! Hand-picked texts: every construct and every failure at its limits.
//!
//! Each row has a name, a text (a whole file, or the body of `steer`), and the outcome in the interpreter for the first
//! unit in the first step, so that a change of the language's semantics is detected. For an empty outcome, both execution
//! modes only have to agree.

mod control;
mod failures;
mod functions;
pub(crate) mod imports;
mod integers;
mod memory;
mod numbers;
mod order;
mod reductions;
mod units;
mod vectors;

use std::collections::BTreeSet;

use steerbox_core::sim::{Contribution, Failure, Simulation};

use crate::setting::Setting;
use crate::stage::{Both, on_threads};
use crate::watch::Log;

/// Name, text, outcome.
type Case = (&'static str, &'static str, &'static str);

fn all() -> impl Iterator<Item = &'static Case> {
    let tables = [
        control::CASES,
        failures::CASES,
        functions::CASES,
        imports::CASES,
        integers::CASES,
        memory::CASES,
        numbers::CASES,
        order::CASES,
        reductions::CASES,
        units::CASES,
        vectors::CASES,
    ];
    tables.into_iter().flatten()
}

#[test]
fn every_case_agrees_and_has_the_recorded_outcome() {
    let mut names = BTreeSet::new();
    let mut wrong = Vec::new();
    for (name, text, expected) in all() {
        assert!(names.insert(name), "two cases are called {name}");
        let both = both(text);
        let pair = both.in_world(Setting::plain().world());
        if let Err(difference) = pair.run(3) {
            wrong.push(format!("{name}: {difference}\n{text}"));
        }
        let found = first_outcome(&both);
        if !expected.is_empty() && found != *expected {
            wrong.push(format!("{name}: {found} instead of {expected}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_third_of_the_cases_have_recorded_outcomes() {
    let count = all().count();
    let literal = all().filter(|(_, _, expected)| !expected.is_empty()).count();
    assert!(count >= 150 && literal * 3 >= count, "{literal} of {count}");
}

fn both(text: &str) -> Both {
    let file =
        if text.contains("fn steer") { text.to_owned() } else { format!("fn steer(me, world) {{ {text} }}") };
    Both::of(&file, &[]).unwrap_or_else(|faults| panic!("{}\n{file}", faults[0].summary()))
}

/// Returns the interpreter's decision for the first unit in the first step, as text.
fn first_outcome(both: &Both) -> String {
    let pair = both.in_world(Setting::plain().world());
    let log = Log::default();
    let slots = log.watch(&pair.interpreted);
    let mut simulation = Simulation::new(pair.world, slots);
    on_threads(|| simulation.step());
    in_words(&log.take()[0].result)
}

fn in_words(result: &Result<Contribution, Failure>) -> String {
    match result {
        Ok(Contribution::None) => "nothing".to_owned(),
        Ok(Contribution::Turn(turn)) if turn.y == 0.0 => format!("{:?}", turn.x),
        Ok(Contribution::Turn(turn)) => format!("turn {:?} {:?}", turn.x, turn.y),
        Ok(Contribution::Push(push)) => format!("push {:?} {:?} {:?}", push.x, push.y, push.z),
        Err(failure) => format!("fails: {}", failure.message),
    }
}
