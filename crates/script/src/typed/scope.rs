//! Names in scope in a function being typed.

use super::ir::{Local, Place};
use super::pass::VersionKey;
use crate::types::Type;

/// The state of a function being typed.
pub(super) struct Frame {
    pub(super) key: VersionKey,
    pub(super) locals: Vec<Type>,
    names: Vec<(String, Local, Option<Place>)>,
    /// Locals declared with `const`.
    pub(super) constants: Vec<Local>,
    /// The enclosing loops, outermost first.
    pub(super) loops: Vec<LoopFrame>,
    /// The type of its result so far.
    pub(super) result: Type,
}

/// An enclosing loop.
pub(super) struct LoopFrame {
    pub(super) place: Place,
    /// The local for the value of `break`, if it is used.
    pub(super) value: Option<Local>,
    /// True if its value is unused.
    pub(super) is_dropped: bool,
    /// True if an exit has been typed so far.
    pub(super) has_exit: bool,
}

impl Frame {
    pub(super) fn new(key: VersionKey) -> Self {
        Self {
            key,
            locals: Vec::new(),
            names: Vec::new(),
            constants: Vec::new(),
            loops: Vec::new(),
            result: Type::NEVER,
        }
    }

    /// Adds a local without a name.
    pub(super) fn temporary(&mut self, of: Type) -> Local {
        self.locals.push(of);
        self.locals.len() - 1
    }

    /// Adds a local with a name. If its type may be learned, `learned` is the position to learn under.
    pub(super) fn declare(&mut self, name: &str, of: Type, learned: Option<Place>) -> Local {
        let local = self.temporary(of);
        self.names.push((name.to_owned(), local, learned));
        local
    }

    /// Finds the local of a name, and the position of its declaration.
    pub(super) fn find(&self, name: &str) -> Option<(Local, Option<Place>)> {
        let found = self.names.iter().rev().find(|(known, ..)| known == name);
        found.map(|(_, local, place)| (*local, *place))
    }

    /// Returns the number of names in scope.
    pub(super) fn depth(&self) -> usize {
        self.names.len()
    }

    /// Removes the names declared beyond `depth`.
    pub(super) fn leave(&mut self, depth: usize) {
        self.names.truncate(depth);
    }
}
