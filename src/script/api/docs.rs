//! The rows for others: the tables of `docs/scripting.md`, and what tests make programs of.

use std::fmt::Write as _;

use super::super::types::Kind;
use super::function::{CallForm, Function};
use super::table::functions;

/// Kinds that have a table, in the order of the reference.
const DOCUMENTED: [Kind; 11] = [
    Kind::Unit,
    Kind::Me,
    Kind::List,
    Kind::World,
    Kind::Obstacles,
    Kind::Obstacle,
    Kind::Hit,
    Kind::Path,
    Kind::Field,
    Kind::Vector,
    Kind::Number,
];

/// The name of each kind of receiver, and its rows as a table: what scripts write, and what it gives.
pub fn api_tables() -> Vec<(&'static str, String)> {
    DOCUMENTED.map(|kind| (kind.name(), table(kind))).to_vec()
}

fn table(receiver: Kind) -> String {
    let mut text = "| | |\n|---|---|\n".to_owned();
    let mut written = Vec::new();
    for row in functions() {
        let is_new = row.receiver() == receiver && !written.contains(&row.signature);
        if is_new && row.form != CallForm::Operator && !row.about.is_empty() {
            written.push(row.signature);
            let _ = writeln!(text, "| `{}` | {} |", row.signature, row.about);
        }
    }
    text
}

/// A row as tests see it; kinds are named as editors name them.
#[derive(Clone, Debug)]
pub struct ApiRow {
    /// What scripts call it.
    pub name: &'static str,
    /// Whether it is written `value.name`.
    pub is_property: bool,
    /// Whether it is written `value[i]`.
    pub is_index: bool,
    /// The kinds of its arguments, the receiver first.
    pub takes: Vec<&'static str>,
    /// The kind of its result.
    pub gives: &'static str,
    /// Whether the result may be `()`.
    pub may_be_nothing: bool,
}

/// All rows but operators and setters.
pub fn api_rows() -> Vec<ApiRow> {
    let rows = functions().iter().filter(|row| !matches!(row.form, CallForm::Operator | CallForm::Setter));
    let row = |row: &Function| ApiRow {
        name: row.name,
        is_property: row.form == CallForm::Property,
        is_index: row.form == CallForm::Index,
        takes: row.takes.iter().map(|(_, kind)| kind.name()).collect(),
        gives: row.gives.kind.name(),
        may_be_nothing: row.gives.maybe,
    };
    rows.map(row).collect()
}
