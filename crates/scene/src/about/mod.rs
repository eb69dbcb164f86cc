//! Documentation of the fields and cases of scenes and experiments: one line for each, for editors and the reference.

mod line;
mod rows;

use line::{CaseAbout, FieldAbout};
use rows::{CASES, FIELDS};

/// Returns the documentation of a field of an item.
pub fn about_field(owner: &str, name: &str) -> Option<&'static FieldAbout> {
    FIELDS.iter().find(|row| row.name == name && is_of(row.owners, owner))
}

/// Returns the documentation of a case, or of a word that a field takes.
pub fn about_case(owner: &str, name: &str) -> Option<&'static CaseAbout> {
    CASES.iter().find(|row| row.name == name && is_of(row.owners, owner))
}

fn is_of(owners: &str, owner: &str) -> bool {
    owners.split('|').any(|known| known == owner)
}

/// Items with a table of their own in the reference, and the heading of its last column.
const TABLES: [(&str, &str); 15] = [
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
        let rows = rows.map(|row| {
            let FieldAbout { name, kind, default, about, .. } = row;
            let space = if about.is_empty() { "" } else { " " };
            format!("| `{name}` | {kind} | {default} | {about}{space}|\n")
        });
        let rows: String = rows.collect();
        (owner, format!("| field | type | default | {last}|\n|---|---|---|---|\n{rows}"))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::outline::{Schema, schema, schema::searched};
    use crate::ron_file::RonFile;
    use crate::testing::recorded_defaults;

    fn schemas() -> [&'static Schema; 3] {
        [schema(RonFile::Scene, true), schema(RonFile::Scene, false), schema(RonFile::Experiment, true)]
    }

    #[test]
    fn every_field_and_case_has_a_line_and_every_line_is_used() {
        let (mut fields, mut cases) = (BTreeSet::new(), BTreeSet::new());
        for schema in schemas() {
            for item in &schema.items {
                fields.extend(item.fields.iter().map(|field| (item.owner, field.name)));
            }
            for choice in &schema.choices {
                cases.extend(choice.words.iter().map(|word| (choice.owner, *word)));
            }
        }
        let lacks = |(owner, name): &&(&str, &str)| about_field(owner, name).is_none();
        let lacking: Vec<_> = fields.iter().filter(lacks).collect();
        assert!(lacking.is_empty(), "fields without a line: {lacking:?}");
        let lacks = |(owner, name): &&(&str, &str)| about_case(owner, name).is_none();
        let lacking: Vec<_> = cases.iter().filter(lacks).collect();
        assert!(lacking.is_empty(), "cases without a line: {lacking:?}");
        let is_unused = |owners: &str, name, known: &BTreeSet<(&str, &str)>| {
            owners.split('|').any(|owner| !known.contains(&(owner, name)))
        };
        let unused = FIELDS.iter().filter(|row| is_unused(row.owners, row.name, &fields));
        let unused: Vec<_> = unused.map(|row| (row.owners, row.name)).collect();
        assert!(unused.is_empty(), "lines of no field: {unused:?}");
        let unused = CASES.iter().filter(|row| is_unused(row.owners, row.name, &cases));
        let unused: Vec<_> = unused.map(|row| (row.owners, row.name)).collect();
        assert!(unused.is_empty(), "lines of no case: {unused:?}");
    }

    #[test]
    fn required_fields_are_those_of_the_readers() {
        for schema in schemas() {
            for item in &schema.items {
                for field in &item.fields {
                    let about = about_field(item.owner, field.name).expect("a line");
                    let is_required = about.default.starts_with("required");
                    assert_eq!(is_required, field.example.is_some(), "{} of {}", field.name, item.owner);
                }
            }
        }
    }

    /// Returns a number or a switch as documented; `None` for a description.
    fn documented(default: &str) -> Option<f32> {
        match default.trim_matches('`') {
            "1/60" => Some(1.0 / 60.0),
            "false" => Some(0.0),
            "true" => Some(1.0),
            default => default.replace('−', "-").parse().ok(),
        }
    }

    #[test]
    fn defaults_of_numbers_and_switches_are_those_of_the_readers() {
        recorded_defaults();
        for is_plane in [true, false] {
            searched(RonFile::Scene, is_plane);
        }
        let read = recorded_defaults();
        let compared = read.iter().filter_map(|(owner, name, default)| {
            let about = about_field(owner, name)?;
            Some((*owner, *name, *default, documented(about.default)?))
        });
        let compared: Vec<_> = compared.collect();
        assert!(compared.len() > 30, "{}: {compared:?}", compared.len());
        for (owner, name, default, documented) in compared {
            assert_eq!(default, documented, "{name} of {owner}");
        }
    }
}
