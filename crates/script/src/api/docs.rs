//! Views of the rows: the tables of `docs/scripting.md`, and rows for tests that generate programs.

use std::fmt::Write as _;

use super::super::types::Kind;
use super::function::{CallForm, Function};
use super::table::functions;

/// Kinds of receivers with a table, in the order of the reference.
const DOCUMENTED: [Kind; 13] = [
    Kind::Unit,
    Kind::Me,
    Kind::List,
    Kind::Members,
    Kind::World,
    Kind::Obstacles,
    Kind::Obstacle,
    Kind::Hit,
    Kind::Path,
    Kind::Field,
    Kind::Grid,
    Kind::Vector,
    Kind::Number,
];

/// Returns the name of each kind of receiver with its rows as a table of signatures and descriptions.
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

/// A row as tests use it; kinds have the names that editors show.
#[derive(Clone, Debug)]
pub struct ApiRow {
    /// Its name in scripts.
    pub name: &'static str,
    /// True for `value.name`.
    pub is_property: bool,
    /// True for `value[i]`.
    pub is_index: bool,
    /// The kinds of its arguments, the receiver first.
    pub params: Vec<&'static str>,
    /// The kind of its result.
    pub returns: &'static str,
    /// True if the result may be `()`.
    pub may_be_nothing: bool,
}

/// Returns all rows but operators and setters.
pub fn api_rows() -> Vec<ApiRow> {
    let rows = functions().iter().filter(|row| !matches!(row.form, CallForm::Operator | CallForm::Setter));
    let row = |row: &Function| ApiRow {
        name: row.name,
        is_property: row.form == CallForm::Property,
        is_index: row.form == CallForm::Index,
        params: row.params.iter().map(|(_, kind)| kind.name()).collect(),
        returns: row.returns.kind.name(),
        may_be_nothing: row.returns.maybe,
    };
    rows.map(row).collect()
}
