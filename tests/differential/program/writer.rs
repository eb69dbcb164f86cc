//! State of the generator: choices, the current scope, the functions so far.

use super::scope::{Scope, Variable};
use super::sort::Sort;
use crate::common::dice::Dice;

/// A function of the script.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) takes: Vec<Sort>,
    pub(crate) gives: Sort,
    /// True if its first argument is a recursion counter.
    pub(crate) recurs: bool,
}

pub(crate) struct Writer<'d> {
    pub(crate) dice: &'d mut Dice,
    pub(crate) scope: Scope,
    pub(crate) functions: Vec<Function>,
    /// The result type of the current function.
    pub(crate) gives: Sort,
    /// True to generate mostly constructs that can be batched.
    pub(crate) plain: bool,
    /// Number of enclosing loops.
    pub(crate) loops: usize,
    /// Number of enclosing blocks.
    pub(crate) blocks: usize,
    /// True if `break` and `continue` are valid here.
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

    /// Returns an unused name.
    pub(crate) fn new_name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// Returns a name for a variable: sometimes one that it then shadows.
    pub(crate) fn name(&mut self) -> String {
        let old = self.variable(|variable| !variable.fixed && !variable.name.contains('.'));
        match old.filter(|_| self.dice.once_in(6)) {
            Some(old) => old.name,
            None => self.new_name("v"),
        }
    }

    /// Returns a random visible variable that satisfies `suits`.
    pub(crate) fn variable(&mut self, suits: impl Fn(&Variable) -> bool) -> Option<Variable> {
        let found: Vec<_> = self.scope.visible().filter(|v| suits(v)).collect();
        (!found.is_empty()).then(|| found[self.dice.below(found.len())].clone())
    }
}
