//! The loops over units of a script, each with its order and the reason for it.

use crate::front::script::Script;
use crate::interpret::constants;
use crate::interpret::environment::Environment;
use crate::syntax::tree;
use crate::types::Kind;
use crate::{reductions, review};

/// A loop over units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitLoop {
    /// The line of its `for`.
    pub line: usize,
    /// The column of its `for`.
    pub column: usize,
    /// The reason why it runs nearest first; `None` for a reduction, which runs in any order.
    pub nearest_first: Option<String>,
}

impl Script {
    /// Returns its loops over lists of units, in source order. Imported files list their own.
    pub fn unit_loops(&self) -> Vec<UnitLoop> {
        let bodies = tree::bodies(&self.ast, None);
        let environment = Environment {
            constants: constants::by_name(&self.defaults),
            memory: self.memory.clone(),
            ..Environment::default()
        };
        let mut found = Vec::new();
        reductions::each_loop(&self.ast, &bodies, |body, looping| {
            let kinds = || review::kinds(&bodies, body, &environment);
            if looping.is_unit_list || kinds().kind(looping.list) == Some(Kind::List) {
                let ((line, column), nearest_first) = (looping.place, looping.verdict.err());
                found.push(UnitLoop { line, column, nearest_first });
            }
        });
        found
    }
}
