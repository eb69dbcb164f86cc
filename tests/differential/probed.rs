//! Scripts with and without probes: bit-identical results, memory, marks and draws.

use std::cell::Cell;
use std::sync::atomic::AtomicBool;

use steerbox_core::sim::{Decided, Simulation};
use steerbox_core::world::{ParamValue, World};
use steerbox_project::reload::embedded_scripts;
use steerbox_script::probe::Probed;
use steerbox_script::{Role, Script};

use crate::cases::imports::Files;
use crate::common::dice::Dice;
use crate::random::first_difference;
use crate::scripts::combinations;
use crate::setting::Setting;
use crate::stage::{Both, on_threads};

/// Number of programs.
const PROGRAMS: u32 = 300;

/// A script with and without probes.
struct Subject {
    both: Both,
    probed: Probed,
}

impl Subject {
    /// Returns `None` for an invalid script; otherwise the subject, or the reason why it cannot be probed.
    fn of(text: &str, values: &[(String, ParamValue)]) -> Option<Result<Self, String>> {
        let script = Script::compile_with("test.rhai", text, &Files, false).ok()?;
        let both = Both::of(text, values).ok()?;
        let probed = on_threads(|| Probed::compile(&script, values));
        Some(probed.map(|probed| Self { both, probed }))
    }

    /// Compares all calls of some steps; returns their number.
    fn compare(&self, world: World, steps: usize) -> Result<usize, String> {
        let pair = self.both.in_world(world);
        on_threads(|| {
            let mut simulation = Simulation::new(pair.world.clone(), pair.interpreted.clone());
            let (mut found, mut calls) = (Ok(()), 0);
            for step in 0..steps {
                simulation.try_step_with(&AtomicBool::new(false), |decided| {
                    for unit in 0..decided.world().units.len() {
                        calls += 1;
                        let same = self.same(decided, unit);
                        let same = same.map_err(|what| format!("step {step}, unit {unit}: {what}"));
                        found = found.clone().and(same);
                    }
                });
            }
            found.map(|()| calls)
        })
    }

    /// Compares the calls for a unit.
    fn same(&self, decided: &Decided<'_>, unit: usize) -> Result<(), String> {
        let mut plain = Vec::new();
        decided.call_again(unit, |_, context, memory| {
            let result = self.both.interpreted.decide(context, memory);
            plain.push((result, memory.to_vec(), context.marks(), context.random()));
        });
        let (mut plain, mut found) = (plain.into_iter(), Ok(()));
        decided.call_again(unit, |slot, context, memory| {
            let recording = self.probed.run(context, memory);
            let (result, kept, marks, draw) = plain.next().expect("as many calls");
            // With probes a limit is reached at another point, so partial results differ.
            let is_exhausted = result.as_ref().is_err_and(|failure| failure.exhausted);
            let agrees = recording.agrees_with(&result)
                && (memory, context.marks(), context.random()) == (&mut kept.clone()[..], marks, draw);
            if !agrees && !is_exhausted && found.is_ok() {
                found = Err(format!("behavior {slot}: {:?}, not {result:?}", recording.result));
            }
        });
        found
    }
}

#[test]
fn every_shipped_script_decides_the_same_with_probes() {
    let mut dice = Dice::new(5);
    let settings = [Setting::plain(), Setting::random(&mut dice), Setting::random(&mut dice)];
    for (file, text) in embedded_scripts() {
        let script = Script::compile_with(file, text, &Files, false);
        let script = script.unwrap_or_else(|faults| panic!("{faults:#?}"));
        if script.role != Role::Behavior {
            continue;
        }
        for values in combinations(&script) {
            let subject = Subject::of(text, &values).expect("it compiles");
            let subject = subject.unwrap_or_else(|reason| panic!("{file} is not probed: {reason}"));
            for setting in &settings {
                let same = subject.compare(setting.world(), 4);
                same.unwrap_or_else(|difference| panic!("{file} with {values:?}: {difference}"));
            }
        }
    }
}

#[test]
fn random_programs_decide_the_same_with_probes() {
    let (calls, refused) = (Cell::new(0), Cell::new(0));
    let found = first_difference(PROGRAMS, 11, |case| {
        let Some(subject) = Subject::of(&case.program.file(), &[]) else {
            return Ok(());
        };
        let Ok(subject) = subject else {
            refused.set(refused.get() + 1);
            return Ok(());
        };
        calls.set(calls.get() + subject.compare(case.setting.world(), 2)?);
        Ok(())
    });
    if let Some((case, difference)) = found {
        panic!("{difference}\n\n{case:?}");
    }
    assert!(calls.get() > 10 * PROGRAMS as usize / 2, "only {} calls", calls.get());
    assert!(refused.get() * 20 < PROGRAMS, "{} of {PROGRAMS} are not probed", refused.get());
}
