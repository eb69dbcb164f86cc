//! Other languages with the same rules: none here. `benches/peers` is the same benchmark with `LuaJIT` in a separate
//! crate, so that `LuaJIT` is a dependency of that crate only.

use std::sync::Arc;

use steerbox_core::sim::Behavior;

use crate::form::Form;

/// An implementation of the rules in another language.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Peer {}

pub(crate) const PEERS: [Peer; 0] = [];

impl Peer {
    pub(crate) fn name(self) -> &'static str {
        match self {}
    }

    pub(crate) fn behaviors(self, _: Form) -> Vec<Arc<dyn Behavior>> {
        match self {}
    }
}
