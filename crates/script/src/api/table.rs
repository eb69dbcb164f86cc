//! The table of all rows, and the overload resolution for given arguments.

use std::sync::LazyLock;

use super::attributes::Tag;
use super::function::{CallForm, Function, Table};
use super::{grids, group, lists, me, numbers, obstacles, paths, population, units, vectors, world};
use crate::types::Kind;

/// All rows.
static FUNCTIONS: LazyLock<Vec<Function>> = LazyLock::new(|| {
    let mut table = Table::default();
    units::add(&mut table);
    me::add(&mut table);
    population::add(&mut table);
    lists::add(&mut table);
    group::add(&mut table);
    world::add(&mut table);
    obstacles::add(&mut table);
    paths::add(&mut table);
    grids::add(&mut table);
    vectors::add(&mut table);
    numbers::add(&mut table);
    table.0
});

/// Returns all rows, in the order of the documentation.
pub(crate) fn functions() -> &'static [Function] {
    &FUNCTIONS
}

/// Returns the row for arguments of these kinds with its index: the one with the fewest conversions.
pub(crate) fn find(form: CallForm, name: &str, kinds: &[Kind]) -> Option<(usize, &'static Function)> {
    let rows = FUNCTIONS.iter().enumerate();
    let fitting = rows.filter(|(_, row)| row.form == form && row.name == name && row.fits(kinds));
    fitting.min_by_key(|(_, row)| row.conversions(kinds))
}

/// Returns all rows of a name, of any form.
pub(crate) fn named(name: &str) -> impl Iterator<Item = &'static Function> {
    FUNCTIONS.iter().filter(move |row| row.name == name)
}

/// Returns true if any row of a name has a tag.
pub(crate) fn is_tagged(name: &str, tag: Tag) -> bool {
    named(name).any(|row| row.has(tag))
}
