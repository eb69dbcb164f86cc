//! The fields and cases of scenes and experiments: a row for each, which readers, editors and the reference share.

mod line;
mod rows;

use std::fmt::{self, Display, Formatter};

use line::is_of;
pub use line::{CaseAbout, Fallback, FieldAbout, Value};
use rows::{CASES, FIELDS};

/// Returns a field of an item; `family` is the thing that has the case `owner`, or the same.
pub fn about_field((family, owner): (&str, &str), name: &str) -> Option<&'static FieldAbout> {
    FIELDS.iter().find(|row| row.name == name && row.is_of(family, owner))
}

/// Returns the fields of an item.
pub fn fields_of(family: &str, owner: &str) -> impl Iterator<Item = &'static FieldAbout> {
    FIELDS.iter().filter(move |row| row.is_of(family, owner))
}

/// Returns a case, or a word that a field takes.
pub fn about_case(owner: &str, name: &str) -> Option<&'static CaseAbout> {
    CASES.iter().find(|row| row.name == name && is_of(row.owners, owner))
}

/// Returns the cases of a thing in a plane or in space, or all if that is unknown; or the words that a field takes.
pub(crate) fn cases_of(owner: &str, is_plane: Option<bool>) -> impl Iterator<Item = &'static str> {
    let is_here =
        move |row: &&CaseAbout| row.is_plane.is_none_or(|only| is_plane.is_none_or(|is| is == only));
    CASES.iter().filter(move |row| is_of(row.owners, owner)).filter(is_here).map(|row| row.name)
}

/// Type and range as Markdown.
impl Display for Value {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Number(bounds) => write!(to, "{bounds}"),
            Self::Drawn(bounds) => write!(to, "{bounds}, or a distribution"),
            Self::Whole => to.write_str("whole number"),
            Self::Positive => to.write_str("whole number above 0"),
            Self::Switch => to.write_str("switch"),
            Self::Color => to.write_str("text"),
            Self::List(items) => write!(to, "list of {items}"),
            Self::Map(items) => write!(to, "map of {items}"),
            Self::Name(thing) => write!(to, "name of a {}", thing.noun()),
            Self::Choice(owner, "") => {
                let words: Vec<_> = cases_of(owner, None).map(|word| format!("`{word}`")).collect();
                to.write_str(&words.join(", "))
            }
            Self::Fields(owner) => to.write_str(owner.trim_start_matches("a ").trim_start_matches("the ")),
            Self::Text(noun) | Self::Point(noun) | Self::Choice(_, noun) => to.write_str(noun),
        }
    }
}

/// Items with a table of their own in the reference, and the heading of its last column.
const TABLES: [(&str, &str); 16] = [
    ("an experiment", ""),
    ("a scene", ""),
    ("Plane", ""),
    ("Space", ""),
    ("Rigid", "unit "),
    ("Mover", "unit "),
    ("a group", ""),
    ("a start", ""),
    ("a behavior", ""),
    ("a look", ""),
    ("the look of a world", ""),
    ("an entry of scatter", ""),
    ("contacts", ""),
    ("a path", ""),
    ("a grid", ""),
    ("an expectation", ""),
];

/// Returns the tables of the reference in Markdown, by the items that have the fields.
pub fn field_tables() -> impl Iterator<Item = (&'static str, String)> {
    TABLES.into_iter().map(|(owner, last)| {
        let rows = FIELDS.iter().filter(|row| is_of(row.owners, owner));
        let rows = rows.map(|FieldAbout { name, value, default, about, .. }| {
            let space = if about.is_empty() { "" } else { " " };
            format!("| `{name}` | {value} | {default} | {about}{space}|\n")
        });
        let rows: String = rows.collect();
        (owner, format!("| field | type | default | {last}|\n|---|---|---|---|\n{rows}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_are_items_and_cases_that_exist() {
        let is_item = |owner: &str| owner == "the player" || TABLES.iter().any(|(known, _)| *known == owner);
        for row in FIELDS {
            let (families, owners) = row.owners.split_once(": ").unwrap_or(("", row.owners));
            for owner in owners.split('|') {
                let mut families = families.split('|');
                let is_case = |row: &CaseAbout, family: &str| family.is_empty() || is_of(row.owners, family);
                let has_case = |family| CASES.iter().any(|row| row.name == owner && is_case(row, family));
                assert!(is_item(owner) || families.all(has_case), "{} of {owner}", row.name);
            }
            if let Value::Choice(owner, _) = row.value {
                assert!(cases_of(owner, None).next().is_some(), "no case of {owner}");
            }
        }
    }
}
