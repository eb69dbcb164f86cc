//! Names in scope.

use super::sort::Sort;

#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) sort: Sort,
    /// True if it must not be assigned: a constant, a counter, an argument that others depend on.
    pub(crate) fixed: bool,
}

/// Variables from the outermost block to the innermost.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope(Vec<Variable>);

impl Scope {
    pub(crate) fn declare(&mut self, name: impl Into<String>, sort: Sort, fixed: bool) {
        let name = name.into();
        self.0.push(Variable { name, sort, fixed });
    }

    /// Returns the current position, to be restored at the end of a block.
    pub(crate) fn mark(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn leave(&mut self, mark: usize) {
        self.0.truncate(mark);
    }

    /// Returns the variables that are not shadowed.
    pub(crate) fn visible(&self) -> impl Iterator<Item = &Variable> {
        self.0.iter().enumerate().filter_map(|(at, variable)| {
            let hidden = self.0[at + 1..].iter().any(|later| later.name == variable.name);
            (!hidden).then_some(variable)
        })
    }

    pub(crate) fn has(&self, sort: Sort) -> bool {
        self.visible().any(|variable| variable.sort == sort)
    }

    /// Returns true if a value of the type can be generated.
    pub(crate) fn reaches(&self, sort: Sort) -> bool {
        let (me, world) = (self.has(Sort::Me), self.has(Sort::World));
        match sort {
            Sort::Me => me,
            Sort::World => world,
            Sort::Someone => me || self.has(Sort::Unit),
            Sort::Units => me || self.has(sort),
            Sort::Unit => self.has(sort),
            Sort::Obstacles | Sort::Obstacle | Sort::Path | Sort::Field | Sort::Grid => {
                world || self.has(sort)
            }
            Sort::Perhaps => me && world,
            _ => true,
        }
    }
}
