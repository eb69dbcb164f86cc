//! Other languages with the same rules: `LuaJIT`, called in two ways.

use std::sync::Arc;

use steerbox_core::sim::Behavior;

use crate::form::Form;
use crate::lua;

/// A way to call `LuaJIT`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Peer {
    /// One call per rule, like scripts.
    Rule,
    /// One call per unit, for all its rules.
    Unit,
}

pub(crate) const PEERS: [Peer; 2] = [Peer::Rule, Peer::Unit];

impl Peer {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Rule => "LuaJIT, a call a rule",
            Self::Unit => "LuaJIT, a call a unit",
        }
    }

    pub(crate) fn behaviors(self, form: Form) -> Vec<Arc<dyn Behavior>> {
        lua::behaviors(form, self)
    }
}
