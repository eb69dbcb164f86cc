//! Inferred types of a script's source expressions.

use std::collections::{BTreeMap, BTreeSet};
use std::ptr;

use rhai::Expr;

use crate::types::{Kind, Type};

/// The types of a function's expressions, by their address in the syntax tree.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    types: BTreeMap<usize, Type>,
    /// Every name that the function declares.
    pub(crate) locals: BTreeSet<String>,
    /// The number of expressions typed so far.
    #[cfg(test)]
    pub(crate) typed_count: usize,
}

impl Kinds {
    /// Records the type of an expression; further types of the same one are joined.
    pub(super) fn note(&mut self, expr: &Expr, of: Type) {
        #[cfg(test)]
        {
            self.typed_count += 1;
        }
        let known = self.types.entry(ptr::from_ref(expr).addr()).or_insert(of);
        *known = known.join_any(of);
    }

    /// Returns the kind of a value, if it is certain. An optional kind counts as that kind.
    pub(crate) fn kind(&self, expr: &Expr) -> Option<Kind> {
        match self.types.get(&ptr::from_ref(expr).addr())?.kind {
            Kind::Never | Kind::Nothing | Kind::Any => None,
            Kind::Group | Kind::Zone => Some(Kind::Text),
            kind => Some(kind),
        }
    }

    /// Returns true if a value is certainly the name of a zone.
    pub(crate) fn is_zone(&self, expr: &Expr) -> bool {
        self.types.get(&ptr::from_ref(expr).addr()).is_some_and(|known| known.kind == Kind::Zone)
    }

    /// Returns the kind of a value that is certainly not `()`.
    pub(crate) fn kind_of_some(&self, expr: &Expr) -> Option<Kind> {
        let known = self.types.get(&ptr::from_ref(expr).addr())?;
        self.kind(expr).filter(|_| !known.maybe)
    }
}
