//! Everything that scripts can name, as a table of rows: one for each property and function.
//!
//! A row is what scripts write, one line of documentation, and a Rust function, whose types are the
//! row's types. From the rows come the interpreter's functions, the names that messages suggest, the
//! types that the compiler works with, the functions that machine code calls, the definitions for
//! editors and the tables of `docs/scripting.md`. To add a function, add its row. If it is hot, machine
//! code can have instructions of its own for it: see `native/codegen/inline.rs`.

mod collections;
mod docs;
mod function;
mod interpreter;
mod lists;
mod me;
mod memory;
mod names;
mod numbers;
pub(in crate::script) mod obstacles;
mod params;
mod paths;
mod units;
pub(in crate::script) mod values;
mod vectors;
mod work;
mod world;

use std::sync::LazyLock;

pub use docs::{ApiRow, api_rows, api_tables};
pub(super) use function::{Form, Function, Host};
pub(super) use interpreter::{REGISTERED, register};
pub use names::NOT_IN_SCENE;

use super::types::Kind;
use function::Table;

/// All rows.
static FUNCTIONS: LazyLock<Vec<Function>> = LazyLock::new(|| {
    let mut table = Table::default();
    units::add(&mut table);
    me::add(&mut table);
    lists::add(&mut table);
    world::add(&mut table);
    obstacles::add(&mut table);
    paths::add(&mut table);
    vectors::add(&mut table);
    numbers::add(&mut table);
    table.0
});

/// All rows, in the order of the documentation.
pub(super) fn functions() -> &'static [Function] {
    &FUNCTIONS
}

/// The row for arguments of these kinds, and its place in the table: the one that converts the fewest.
pub(super) fn find(form: Form, name: &str, kinds: &[Kind]) -> Option<(usize, &'static Function)> {
    let rows = FUNCTIONS.iter().enumerate();
    let fitting = rows.filter(|(_, row)| row.form == form && row.name == name && row.fits(kinds));
    fitting.min_by_key(|(_, row)| row.conversions(kinds))
}
