//! Cases for proptest: a program and a world, and their reduction.

use std::fmt;

use proptest::prelude::Rng;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::functions::program;
use super::node::Node;
use crate::common::dice::Dice;
use crate::setting::Setting;

/// A program and its world.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) program: Node,
    pub(crate) setting: Setting,
}

impl Case {
    pub(crate) fn random(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let program = program(&mut dice);
        let setting = Setting::random(&mut dice);
        Self { program, setting }
    }

    /// Returns the case reduced in the `at`-th way: first the program, then the world.
    fn reduced(&self, mut at: usize) -> Option<Self> {
        let mut less = self.clone();
        match self.program.reduced(&mut at) {
            Some(program) => less.program = program,
            None => less.setting = self.setting.reduced(at)?,
        }
        Some(less)
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{:#?}", self.program.file(), self.setting)
    }
}

/// The strategy of all cases.
#[derive(Debug)]
pub(crate) struct Cases;

impl Strategy for Cases {
    type Tree = Shrinking;
    type Value = Case;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        Ok(Shrinking { failing: Case::random(runner.rng().next_u64()), tried: None, next: 0, smaller: false })
    }
}

/// A failing case, and the smaller candidate.
pub(crate) struct Shrinking {
    failing: Case,
    tried: Option<Case>,
    /// The next way of reduction to try.
    next: usize,
    /// True if the case was reduced since the first way was tried last.
    smaller: bool,
}

impl Shrinking {
    fn try_next(&mut self) -> bool {
        self.tried = self.failing.reduced(self.next);
        if self.tried.is_none() && self.smaller {
            (self.next, self.smaller) = (0, false);
            self.tried = self.failing.reduced(0);
        }
        self.tried.is_some()
    }
}

impl ValueTree for Shrinking {
    type Value = Case;

    fn current(&self) -> Case {
        self.tried.as_ref().unwrap_or(&self.failing).clone()
    }

    /// The current case fails: continue with a smaller one. The successful way is tried again, since the following ones
    /// have moved up.
    fn simplify(&mut self) -> bool {
        if let Some(tried) = self.tried.take() {
            self.failing = tried;
            self.smaller = true;
        }
        self.try_next()
    }

    /// The current case succeeds: try another way.
    fn complicate(&mut self) -> bool {
        self.next += 1;
        self.try_next()
    }
}
