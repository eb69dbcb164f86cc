//! Who writes a program: choices, the scope at the place of writing, the functions written so far.

use super::scope::{Scope, Variable};
use super::sort::Sort;
use crate::common::dice::Dice;

/// A function of the script.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) takes: Vec<Sort>,
    pub(crate) gives: Sort,
    /// Whether its first argument counts down how deep it calls itself.
    pub(crate) recurs: bool,
}

pub(crate) struct Writer<'d> {
    pub(crate) dice: &'d mut Dice,
    pub(crate) scope: Scope,
    pub(crate) functions: Vec<Function>,
    /// What the function being written gives back.
    pub(crate) gives: Sort,
    /// Whether to write mostly what can be decided for eight units at a time.
    pub(crate) plain: bool,
    /// Loops around the place of writing.
    pub(crate) loops: usize,
    /// Blocks around the place of writing.
    pub(crate) blocks: usize,
    /// Whether `break` and `continue` reach a loop from here.
    pub(crate) in_loop: bool,
    names: usize,
}

impl<'d> Writer<'d> {
    pub(crate) fn new(dice: &'d mut Dice) -> Self {
        Self {
            dice,
            scope: Scope::default(),
            functions: Vec::new(),
            gives: Sort::Outcome,
            plain: false,
            loops: 0,
            blocks: 0,
            in_loop: false,
            names: 0,
        }
    }

    /// A name that is not in use.
    pub(crate) fn new_name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// A name for a variable: now and then that of one which it then hides.
    pub(crate) fn name(&mut self) -> String {
        let old = self.variable(|variable| !variable.fixed && !variable.name.contains('.'));
        match old.filter(|_| self.dice.once_in(6)) {
            Some(old) => old.name,
            None => self.new_name("v"),
        }
    }

    /// Any of the visible variables that `suits`.
    pub(crate) fn variable(&mut self, suits: impl Fn(&Variable) -> bool) -> Option<Variable> {
        let found: Vec<_> = self.scope.visible().filter(|v| suits(v)).collect();
        (!found.is_empty()).then(|| found[self.dice.below(found.len())].clone())
    }
}
