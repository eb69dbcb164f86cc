//! Random programs in random worlds.
//!
//! `STEERBOX_PROGRAMS=10000 cargo test --test differential random` runs more of them, `STEERBOX_SEED=7` others;
//! `-- --nocapture` prints statistics. A failure prints the seed, the smallest program and world that still fail, and the
//! first difference. `STEERBOX_DIGESTS=FILE` writes a hash per program, which `.ci/aarch64` compares between processors.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::fs;

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use xxhash_rust::xxh3::xxh3_64;

use crate::compare::Tally;
use crate::drawn;
use crate::program::{Case, Cases};
use crate::stage::{Both, seed_and_programs};

/// Default number of programs, unless `STEERBOX_PROGRAMS` is set.
const PROGRAMS: u64 = 500;
/// Minimum fraction of programs that must be compiled. Seed 1 has 0.912, with a binomial deviation of 0.013.
const MIN_NATIVE: f64 = 0.9;

/// Statistics of a run.
#[derive(Debug, Default)]
struct Account {
    programs: usize,
    refused: usize,
    native: usize,
    /// Reasons for programs that were not compiled, with counts.
    reasons: BTreeMap<String, usize>,
    tally: Tally,
    /// Number of compiled programs with reductions over units.
    reductions: usize,
    /// Number of programs in which a call succeeded.
    alive: usize,
    /// A line per program: its number and [`Tally::digest`].
    digests: String,
}

impl Account {
    fn note(&mut self, both: &Both, tally: Tally) {
        match &both.unsupported {
            None => self.native += 1,
            Some(refusal) => {
                let count = self.reasons.entry(refusal.construct.clone()).or_default();
                *count += 1;
            }
        }
        self.reductions += usize::from(both.reductions > 0 && both.unsupported.is_none());
        self.alive += usize::from(tally.succeeded > 0);
        self.tally.add(tally);
        let _ = writeln!(self.digests, "{} {:016x}", self.programs, tally.digest);
    }

    /// Asserts that the programs are significant.
    fn check(&self) {
        let share = |part: usize, whole: usize| part as f64 / whole as f64;
        let accepted = self.programs - self.refused;
        assert!(share(self.refused, self.programs) <= 0.01, "too many are refused");
        assert!(
            !cfg!(feature = "native") || share(self.native, accepted) >= MIN_NATIVE,
            "too few are compiled"
        );
        assert!(
            !cfg!(feature = "native") || share(self.reductions, accepted) >= 0.1,
            "too few have loops without an order"
        );
        assert!(
            !cfg!(feature = "native") || share(self.tally.in_batches, self.tally.succeeded) >= 0.1,
            "too few calls are decided eight at a time"
        );
        assert!(share(self.tally.events, self.tally.succeeded) >= 0.003, "too few calls handle events");
        let calls = self.tally.succeeded + self.tally.failed;
        assert!(share(self.tally.succeeded, calls) >= 0.3, "too few calls succeed");
        assert!(share(self.tally.failed, calls) >= 0.03, "too few calls fail");
        assert!(share(self.alive, accepted) >= 0.5, "too few programs get anywhere");
    }
}

/// Runs cases until the first that `differs`, and minimizes it; returns its text and the difference.
pub(crate) fn first_difference(
    programs: u32,
    seed: u64,
    differs: impl Fn(&Case) -> Result<(), String>,
) -> Option<(Case, String)> {
    let config =
        Config { cases: programs, failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let run =
        TestRunner::new_with_rng(config, rng).run(&Cases, |case| differs(&case).map_err(TestCaseError::fail));
    match run {
        Ok(()) => None,
        Err(TestError::Fail(difference, case)) => Some((case, difference.to_string())),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}

#[test]
fn random_programs_agree() {
    let (seed, programs) = seed_and_programs(PROGRAMS);
    let account = RefCell::new(Account::default());
    let found = first_difference(programs as u32, seed, |case| {
        let mut account = account.borrow_mut();
        account.programs += 1;
        let text = case.program.file();
        // Units of half of the programs draw their parameters.
        let both = match Both::of(&text, &drawn::values(xxh3_64(text.as_bytes()))) {
            Ok(both) => both,
            Err(faults) => {
                account.refused += 1;
                println!("refused: {}\n{text}", faults[0].summary());
                return Ok(());
            }
        };
        let tally = both.in_world(case.setting.world()).run(case.setting.steps)?;
        account.note(&both, tally);
        Ok(())
    });
    if let Some((case, difference)) = found {
        panic!("STEERBOX_SEED={seed}\n{difference}\n\n{case:?}");
    }
    let account = account.into_inner();
    if let Some(file) = env::var_os("STEERBOX_DIGESTS") {
        fs::write(&file, &account.digests).unwrap();
    }
    let mut reasons: Vec<_> = account.reasons.iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    for (reason, count) in reasons.iter().take(20) {
        println!("not compiled, {count} times: {reason}");
    }
    println!(
        "seed {seed}: {} programs, {} refused, {} compiled, {} with reductions, {:?}",
        account.programs, account.refused, account.native, account.reductions, account.tally
    );
    // For few programs, fractions are not significant.
    if programs >= PROGRAMS {
        account.check();
    }
}
