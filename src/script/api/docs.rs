//! The tables of `docs/scripting.md`, made of the rows.

use std::fmt::Write as _;

use super::super::types::Kind;
use super::{Form, functions};

/// Kinds that have a table, in the order of the reference.
const DOCUMENTED: [Kind; 10] = [
    Kind::Unit,
    Kind::Me,
    Kind::List,
    Kind::World,
    Kind::Obstacles,
    Kind::Obstacle,
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
        if is_new && row.form != Form::Operator && !row.about.is_empty() {
            written.push(row.signature);
            let _ = writeln!(text, "| `{}` | {} |", row.signature, row.about);
        }
    }
    text
}
