//! Differences are detected: behaviors with deliberate errors in one of a thousand calls are distinguished from correct
//! ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use glam::Vec3;
use steerbox_core::sim::{Behavior, Contribution, Failure, MemoryLayout, Shape, UnitContext};

use crate::random::first_difference;
use crate::setting::Setting;
use crate::stage::Both;

/// A deliberate error of a behavior.
#[derive(Clone, Copy, Debug)]
enum Error {
    LastBit,
    NegativeZero,
    Draw,
    Memory,
    Mark,
    Drawing,
    Column,
    Help,
    Success,
}

/// A behavior with an error in one of `every` calls.
struct Erring {
    behavior: Arc<dyn Behavior>,
    error: Error,
    every: usize,
    calls: AtomicUsize,
}

impl Erring {
    /// `first` is the index of the first wrong call.
    fn wrap(behavior: &Arc<dyn Behavior>, error: Error, every: usize, first: usize) -> Arc<dyn Behavior> {
        Arc::new(Self { behavior: Arc::clone(behavior), error, every, calls: AtomicUsize::new(first) })
    }
}

impl Behavior for Erring {
    fn is_ordered(&self) -> bool {
        self.behavior.is_ordered()
    }

    fn memory(&self) -> &MemoryLayout {
        self.behavior.memory()
    }

    fn decide(&self, context: &mut UnitContext, memory: &mut [u32]) -> Result<Contribution, Failure> {
        let mut result = self.behavior.decide(context, memory);
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        if !call.is_multiple_of(self.every) {
            return result;
        }
        match (self.error, &mut result) {
            (Error::LastBit, Ok(Contribution::Turn(turn))) => turn.x = turn.x.next_up(),
            (Error::LastBit, Ok(Contribution::Push(push))) => push.x = push.x.next_up(),
            (Error::NegativeZero, Ok(Contribution::Turn(turn))) => turn.y = -turn.y,
            (Error::Draw, _) => _ = context.random(),
            (Error::Memory, _) if !memory.is_empty() => memory[0] ^= 1,
            (Error::Mark, _) => context.mark(1),
            (Error::Drawing, _) => context.draw(|| Shape::Circle(Vec3::ZERO, 1.0)),
            (Error::Column, Err(failure)) => failure.column += 1,
            (Error::Help, Err(failure)) => failure.help = Some("no help".to_owned()),
            (Error::Success, Err(_)) => result = Ok(Contribution::None),
            _ => {}
        }
        result
    }
}

/// Succeeds for some units, fails for others, and has memory.
const TEXT: &str = "const MEMORY = #{ sum: 0.0 };
fn steer(me, world) {
    this.sum += me.random();
    if me.id % 2 == 0 { this.sum } else { me.enemies[9].speed }
}";

#[test]
fn every_kind_of_difference_is_detected() {
    for error in [
        Error::LastBit,
        Error::NegativeZero,
        Error::Draw,
        Error::Memory,
        Error::Mark,
        Error::Drawing,
        Error::Column,
        Error::Help,
        Error::Success,
    ] {
        let mut both = Both::of(TEXT, &[]).expect("it compiles");
        let run = |both: &Both| both.in_world(Setting::plain().world()).run(30);
        run(&both).expect("no difference yet");
        both.native = Erring::wrap(&both.interpreted, error, 17, 1);
        run(&both).expect_err(&format!("{error:?} is found"));
    }
}

#[test]
fn one_wrong_decision_in_a_thousand_is_detected_and_the_program_minimized() {
    let calls = Arc::new(AtomicUsize::new(1));
    let differs = |every| {
        let calls = Arc::clone(&calls);
        move |case: &crate::program::Case| {
            let Ok(mut both) = Both::of(&case.program.file(), &[]) else {
                return Ok(());
            };
            let first = calls.fetch_add(7, Ordering::Relaxed);
            both.native = Erring::wrap(&both.interpreted, Error::LastBit, every, first);
            both.in_world(case.setting.world()).run(case.setting.steps).map(|_| ())
        }
    };
    assert!(first_difference(300, 1, differs(1000)).is_some());
    let (case, difference) = first_difference(300, 2, differs(1)).expect("found at once");
    assert!(difference.contains("the result of"), "{difference}");
    let text = case.program.file();
    assert!(text.lines().count() <= 5, "not as small as can be:\n{text}");
}
