//! What the engine finds when a script imports: the modules at hand on this thread.

use std::cell::RefCell;
use std::sync::Arc;

use rhai::{Dynamic, Engine, EvalAltResult, Module, ModuleResolver, Position, Shared};

use super::Imported;
use crate::script::call::Fallible;

thread_local! {
    static AT_HAND: RefCell<Vec<Arc<Imported>>> = const { RefCell::new(Vec::new()) };
}

/// Has modules at hand until another call has others.
pub(in crate::script) fn keep_at_hand(modules: &[Arc<Imported>]) {
    AT_HAND.with_borrow_mut(|hand| {
        hand.clear();
        hand.extend_from_slice(modules);
    });
}

/// Has modules at hand for as long as the answer lives.
pub(in crate::script) fn at_hand(modules: &[Arc<Imported>]) -> Hand {
    Hand(AT_HAND.replace(modules.to_vec()))
}

/// What was at hand before.
pub(in crate::script) struct Hand(Vec<Arc<Imported>>);

impl Drop for Hand {
    fn drop(&mut self) {
        AT_HAND.set(std::mem::take(&mut self.0));
    }
}

/// A constant of the imported file at `path`, where the optimizer left its name.
pub(in crate::script) fn constant(path: &str, name: &str) -> Option<Dynamic> {
    AT_HAND.with_borrow(|hand| {
        let file = hand.iter().find(|imported| imported.path == path)?;
        let known = file.constants.iter().find(|(known, _)| known == name);
        known.map(|(_, value)| value.clone())
    })
}

/// Resolves nothing but what is at hand.
pub(in crate::script) struct Resolver;

impl ModuleResolver for Resolver {
    fn resolve(
        &self,
        _: &Engine,
        _: Option<&str>,
        path: &str,
        position: Position,
    ) -> Fallible<Shared<Module>> {
        let found = AT_HAND.with_borrow(|hand| {
            let imported = hand.iter().find(|imported| imported.name == path)?;
            Some(imported.module.clone())
        });
        found.ok_or_else(|| EvalAltResult::ErrorModuleNotFound(path.to_owned(), position).into())
    }
}
