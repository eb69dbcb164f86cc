//! Names in sight while a function is gone through.

use super::form::{Local, Place};
use super::pass::{Inferred, VersionKey, refuse};
use crate::script::types::Type;

/// One function as it is gone through.
pub(super) struct Frame {
    pub(super) key: VersionKey,
    /// Whether it is the entry, which alone has a memory and returns contributions.
    pub(super) is_entry: bool,
    pub(super) locals: Vec<Type>,
    names: Vec<(String, Local, Option<Place>)>,
    /// Most names in sight.
    most: usize,
    /// The loops around the present place, from the outside in.
    pub(super) loops: Vec<Looping>,
    /// What it returns, as far as it was gone through.
    pub(super) result: Type,
}

/// A loop around the present place.
pub(super) struct Looping {
    pub(super) place: Place,
    /// Where `break` puts its value, if anybody asks for it.
    pub(super) value: Option<Local>,
    /// Whether nobody asks for its value.
    pub(super) is_dropped: bool,
    /// Whether it ends at all, as far as it was gone through.
    pub(super) is_left: bool,
}

impl Frame {
    pub(super) fn new(key: VersionKey, most: usize) -> Self {
        Self {
            is_entry: key.is_entry,
            key,
            locals: Vec::new(),
            names: Vec::new(),
            most,
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
    ///
    /// Names in sight are at least as many as the interpreter's variables: where it may fail, it does so
    /// in its own words.
    pub(super) fn declare(
        &mut self,
        name: &str,
        of: Type,
        learned: Option<Place>,
        at: Place,
    ) -> Inferred<Local> {
        if self.names.len() >= self.most {
            return refuse("so many variables at a time", at);
        }
        let local = self.temporary(of);
        self.names.push((name.to_owned(), local, learned));
        Ok(local)
    }

    /// The local that a name stands for, and where it was declared.
    pub(super) fn find(&self, name: &str) -> Option<(Local, Option<Place>)> {
        let found = self.names.iter().rev().find(|(known, ..)| known == name);
        found.map(|(_, local, place)| (*local, *place))
    }

    /// How many names are in sight.
    pub(super) fn depth(&self) -> usize {
        self.names.len()
    }

    /// Forgets the names declared since there were `depth`.
    pub(super) fn leave(&mut self, depth: usize) {
        self.names.truncate(depth);
    }
}
