//! The queries of a behavior, for the estimated cost of a step.

use steerbox_core::perception::{ListUse, Queries, SearchRange};

use crate::api::{self, Function, ListRole, Need, Tag};
use crate::checks::names;
use crate::front::script::Script;
use crate::types::Kind;

impl Script {
    /// Returns the queries of a unit per step, from the names in the script.
    pub fn queries(&self) -> Queries {
        let uses = |is: &dyn Fn(&Function) -> bool| {
            api::functions().iter().any(|row| is(row) && self.names.contains(row.name))
        };
        let finds = |kind: Kind| uses(&|row| row.receiver() == Kind::List && row.returns.kind == kind);
        let look = match (self.names.contains(names::LOOP), finds(Kind::Unit), finds(Kind::Vector)) {
            (true, ..) => ListUse::Each,
            (_, true, true) => ListUse::Either,
            (_, true, false) => ListUse::Nearest,
            (_, false, _) => ListUse::Sum,
        };
        let lists = |range: SearchRange| {
            let is_used =
                uses(&|row| matches!(row.list, ListRole::Source(source) if source.range() == range));
            is_used.then_some(look)
        };
        Queries {
            neighbors: lists(SearchRange::View),
            enemies: lists(SearchRange::Sense),
            obstacles: uses(&|row| row.has(Tag::AllObstacles)),
            path: uses(&|row| matches!(row.need, Some(Need::Path | Need::NamedPath))),
            interpreted: false,
        }
    }
}
