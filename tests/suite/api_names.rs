//! Properties of API functions are attributes of their rows: no other source file names a function in a string literal.
//!
//! A literal names a function if it equals a row in its notation in scripts, such as `me.neighbors`, or, in the layers
//! that read scripts, its bare name. In the other layers a word such as `radius` is a field of a scene or a label.

use std::collections::BTreeSet;

use steerbox_script::{api_rows, api_tables};

use crate::sources::{lexemes, sources};

/// Folders in which functions may be named: the API table, and the table of foreign names.
const TABLES: [&str; 2] = ["script/api/", "script/foreign/"];
/// Layers that read scripts, in which a bare name is the name of a function.
const READERS: [&str; 2] = ["script/", "project/reload/"];

/// Words in these layers that are not API functions.
const WORDS: [(&str, &[&str], &str); 13] = [
    ("project/reload/disk/checkout.rs", &["index"], "the name of a file of git"),
    ("project/reload/event.rs", &["path", "step", "others"], "keys of an event"),
    (
        "project/reload/lacking.rs",
        &["path", "field", "target", "zone", "group", "grid"],
        "fields of a scene, and a word of its hint",
    ),
    ("project/reload/templates.rs", &["player"], "the name of a template"),
    ("script/checks/handlers.rs", &["zone"], "the name of an argument"),
    ("script/front/declared.rs", &["value"], "the name of a parameter"),
    ("script/interpret/imported.rs", &["path"], "a field in debug output"),
    ("script/messages/operands.rs", &["x"], "the placeholder of a remedy"),
    ("script/native/code.rs", &["speed"], "an option of the code generator"),
    ("script/probe/value.rs", &["obstacle", "obstacles", "value"], "words of a value"),
    ("script/typed/loops.rs", &["count"], "the row that a loop over a group reads"),
    ("script/syntax/absent.rs", &["every"], "a function of other languages"),
    ("script/types.rs", &["range", "value"], "a type of the script engine, and any kind for readers"),
];

#[test]
fn api_functions_are_named_in_their_table_only() {
    let (files, named) = (sources(), Names::new());
    let mut found = Vec::new();
    let mut unused: BTreeSet<_> =
        WORDS.iter().flat_map(|(file, words, _)| words.iter().map(move |it| (*file, *it))).collect();
    for (path, text) in &files {
        for name in named.of(path, text) {
            if !unused.remove(&(path.as_str(), name)) && !is_word(path, name) {
                found.push(format!("{path}: \"{name}\""));
            }
        }
    }
    assert!(found.is_empty(), "declare an attribute of the row instead:\n{}\n", found.join("\n"));
    assert!(unused.is_empty(), "take these from WORDS: {unused:?}");
}

#[test]
fn the_checker_distinguishes_names_of_functions_from_other_literals() {
    let named = Names::new();
    let count = |path: &str, text: &str| named.of(path, text).len();
    for text in
        ["f(\"nearest\")", "[\"sin\", \"other words\"]", "match a { \"mean_heading\" => 1 }", "r#\"size\"#"]
    {
        assert_eq!(count("script/review/a.rs", text), 1, "{text}");
        assert_eq!(count("script/api/a.rs", text), 0, "{text}");
        assert_eq!(count("scene/a.rs", text), 0, "{text}");
    }
    assert_eq!(count("scene/a.rs", "f(\"me.neighbors\")"), 1);
    for text in ["// \"sin\"", "f(\"a sin\")", "f('x')", "#[cfg(test)]\nmod tests { f(\"sin\") }"] {
        assert_eq!(count("script/a.rs", text), 0, "{text}");
    }
}

fn is_word(path: &str, name: &str) -> bool {
    WORDS.iter().any(|(file, words, _)| *file == path && words.contains(&name))
}

/// Names of functions.
struct Names {
    /// In their notation in scripts, with receivers: `me.neighbors`.
    written: BTreeSet<String>,
    alone: BTreeSet<&'static str>,
}

impl Names {
    fn new() -> Self {
        let rows = api_tables().into_iter().flat_map(|(_, table)| {
            let rows = table.lines().filter_map(|line| line.strip_prefix("| `"));
            let written = rows.filter_map(|row| row.split(['`', '(', '[']).next()).map(str::to_owned);
            written.filter(|row| row.contains('.')).collect::<Vec<_>>()
        });
        let alone = api_rows().into_iter().filter(|row| !row.is_index).map(|row| row.name);
        Self { written: rows.collect(), alone: alone.collect() }
    }

    /// Returns the literals of a file that name a function.
    fn of<'a>(&self, path: &str, text: &'a str) -> Vec<&'a str> {
        if TABLES.iter().any(|table| path.starts_with(table)) {
            return Vec::new();
        }
        let is_reader = READERS.iter().any(|reader| path.starts_with(reader));
        let names =
            |literal: &&str| self.written.contains(*literal) || is_reader && self.alone.contains(literal);
        literals(text).into_iter().filter(names).collect()
    }
}

/// Returns the string literals of a file before its tests, as written.
fn literals(text: &str) -> Vec<&str> {
    let program = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let quoted = lexemes(program)
        .into_iter()
        .filter(|it| it.starts_with('"') || it.starts_with("r#") || it.starts_with("r\""));
    quoted.map(|literal| literal.trim_start_matches('r').trim_matches('#').trim_matches('"')).collect()
}
