//! Names in scope while a function is being typed.

use super::form::{Local, Place};
use super::pass::VersionKey;
use crate::script::types::Type;

/// One function while it is being typed.
pub(super) struct Frame {
    pub(super) key: VersionKey,
    pub(super) locals: Vec<Type>,
    names: Vec<(String, Local, Option<Place>)>,
    /// Those that are declared with `const`.
    pub(super) constants: Vec<Local>,
    /// The loops around the present place, from the outside in.
    pub(super) loops: Vec<Looping>,
    /// What it returns, as far as it has been typed.
    pub(super) result: Type,
}

/// A loop around the present place.
pub(super) struct Looping {
    pub(super) place: Place,
    /// Where `break` puts its value, if that is used.
    pub(super) value: Option<Local>,
    /// Whether its value is not used.
    pub(super) is_dropped: bool,
    /// Whether it ends at all, as far as it has been typed.
    pub(super) is_left: bool,
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

    /// A local without a name.
    pub(super) fn temporary(&mut self, of: Type) -> Local {
        self.locals.push(of);
        self.locals.len() - 1
    }

    /// A local with a name. One that can be assigned another type is learned of under a place.
    pub(super) fn declare(&mut self, name: &str, of: Type, learned: Option<Place>) -> Local {
        let local = self.temporary(of);
        self.names.push((name.to_owned(), local, learned));
        local
    }

    /// The local that a name stands for, and where it was declared.
    pub(super) fn find(&self, name: &str) -> Option<(Local, Option<Place>)> {
        let found = self.names.iter().rev().find(|(known, ..)| known == name);
        found.map(|(_, local, place)| (*local, *place))
    }

    /// How many names are in scope.
    pub(super) fn depth(&self) -> usize {
        self.names.len()
    }

    /// Forgets the names declared since there were `depth`.
    pub(super) fn leave(&mut self, depth: usize) {
        self.names.truncate(depth);
    }
}
