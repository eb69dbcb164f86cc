//! The loops over units of a script, each with the order that it goes in and why.

use crate::script::front::constants;
use crate::script::front::script::Script;
use crate::script::interpret::environment::Environment;
use crate::script::syntax::tree;
use crate::script::types::Kind;
use crate::script::{reductions, review};

/// A loop over units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitLoop {
    /// The line of its `for`.
    pub line: usize,
    /// The column of its `for`.
    pub column: usize,
    /// Why it goes nearest first; nothing if it is a reduction, which goes in any order.
    pub nearest_first: Option<String>,
}

impl Script {
    /// Its loops over lists of units, in the order of the text. Those of imported files are listed there.
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
            if looping.is_seen || kinds().kind(looping.list) == Some(Kind::List) {
                let ((line, column), nearest_first) = (looping.place, looping.verdict.err());
                found.push(UnitLoop { line, column, nearest_first });
            }
        });
        found
    }
}
