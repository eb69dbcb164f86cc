//! Sets of tuned values with names, as the text of a file has them:
//!
//! ```text
//! {
//!     "tight": [
//!         "starlings.cohesion.gain=0.9",
//!         "starlings.separation.DISTANCE=12",
//!     ],
//! }
//! ```
//!
//! Each value is written as `--set` takes it.

use std::fmt::Write as _;

use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use steerbox_core::diagnostics::{Fault, line_and_column};

use super::settings::{check_settings, in_quotes, parse_setting, setting_path, written_setting};
use crate::reload::{Generation, Setting};

/// Comment at the head of such a file.
const HEAD: &str = "\
// Values that were tuned in steerbox, by name, as `--set` takes them. Load them in the window under
// *Snapshots*. Saving there writes the whole file: other comments do not stay.
";

/// A set of values.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedValues {
    /// Name of the set.
    pub name: String,
    /// Values; all others are those of the files.
    pub settings: Vec<Setting>,
}

/// Reads all sets of a file, in its order. `path` is the file in messages. An empty text has no sets.
///
/// # Errors
/// With the first fault and its place.
pub fn read_values(path: &str, text: &str) -> Result<Vec<NamedValues>, Fault> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let unread = |error: ron::error::SpannedError| {
        let place = (error.span.end.line, error.span.end.col);
        let fault = Fault::at(path, text, place, format!("these are not named values: {}", error.code));
        fault.help("the file holds { \"NAME\": [\"GROUP.SCRIPT.PARAM=V\", …], … }")
    };
    let mut parser = ron::Deserializer::from_str(text).map_err(unread)?;
    let sets = (&mut parser).deserialize_map(Sets).and_then(|sets| parser.end().map(|()| sets));
    let sets = sets.map_err(|error| unread(parser.span_error(error)))?;
    let mut named: Vec<NamedValues> = Vec::new();
    for (name, values) in sets {
        if named.iter().any(|other| other.name == name) {
            let at = text.rfind(&in_quotes(&name));
            return Err(fault_at(
                path,
                text,
                at,
                &name,
                format!("there are two sets of values called \"{name}\""),
            ));
        }
        let mut settings = Vec::new();
        for value in values {
            let setting = parse_setting(&value).map_err(|error| {
                fault_at(path, text, text.find(&in_quotes(&value)), &value, format!("{value}: {error}"))
            });
            settings.push(setting?);
        }
        named.push(NamedValues { name, settings });
    }
    Ok(named)
}

impl NamedValues {
    /// Checks that all values fit a generation.
    ///
    /// # Errors
    /// With the first that does not, and its place in the text of the file.
    pub fn check(&self, generation: &Generation, path: &str, text: &str) -> Result<(), Fault> {
        for setting in &self.settings {
            check_settings(generation, std::slice::from_ref(setting)).map_err(|error| {
                let written = written_setting(setting);
                // The number may be written in another form.
                let (start, set) = (setting_path(&setting.0, &setting.1), text.find(&in_quotes(&self.name)));
                let set = set.unwrap_or(0);
                let begin = in_quotes(&format!("{start}="));
                let at = text[set..].find(&begin[..begin.len() - 1]).map(|at| set + at);
                let message = format!("{error:#}");
                let message =
                    message.replacen(&format!("--set {written}: "), "", 1).replacen("--set: ", "", 1);
                fault_at(path, text, at, &start, message)
            })?;
        }
        Ok(())
    }
}

/// Returns the text of a file with these sets.
pub fn written_values(named: &[NamedValues]) -> String {
    let mut text = format!("{HEAD}{{\n");
    for NamedValues { name, settings } in named {
        let _ = writeln!(text, "    {}: [", in_quotes(name));
        for setting in settings {
            let _ = writeln!(text, "        {},", in_quotes(&written_setting(setting)));
        }
        text.push_str("    ],\n");
    }
    text.push_str("}\n");
    text
}

fn fault_at(path: &str, text: &str, at: Option<usize>, what: &str, message: String) -> Fault {
    match at {
        Some(at) => Fault::at(path, text, line_and_column(text, at), message).wide(what.chars().count() + 2),
        None => Fault::of_file(path, message),
    }
}

/// Names with lists of texts, in the order of the file.
struct Sets;

impl<'de> Visitor<'de> for Sets {
    type Value = Vec<(String, Vec<String>)>;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("names, each with a list of values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut sets = Vec::new();
        while let Some(entry) = map.next_entry()? {
            sets.push(entry);
        }
        Ok(sets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_sets_are_read_again() {
        let settings = [
            "a.b.gain=0.5",
            "a.b#2.enabled=false",
            "a.b.FORM=\"turn \\\"it\\\"\"",
            "a.b.COUNT=3",
            "a=b.c.gain=2.5",
            "\"x.y.z=\\n\".c.gain=2.5",
        ];
        let settings = settings.map(|text| parse_setting(text).unwrap()).to_vec();
        let named = ["one", "with \"quotes\" and ü"]
            .map(|name| NamedValues { name: name.into(), settings: settings.clone() });
        let text = written_values(&named);
        assert_eq!(read_values("a.values.ron", &text), Ok(named.to_vec()), "{text}");
        assert_eq!(read_values("a.values.ron", &written_values(&[])), Ok(Vec::new()));
        assert_eq!(read_values("a.values.ron", " \n"), Ok(Vec::new()));
    }

    #[test]
    fn a_fault_has_its_place() {
        let place = |text: &str| {
            let fault = read_values("a.values.ron", text).unwrap_err();
            (fault.line, fault.column, fault.message)
        };
        let of = |(line, column, message): (usize, usize, String), place, part: &str| {
            assert_eq!((line, column), place, "{message}");
            assert!(message.contains(part), "{message}");
        };
        of(place("{\n    \"a\": [\"x.y.gain=1\",\n    \"b\": [],\n}"), (3, 8), "these are not named values");
        of(place("{\n    \"a\": [3],\n}"), (2, 11), "these are not named values");
        of(place("{\n    \"a\": [\n        \"nonsense\",\n    ],\n}"), (3, 9), "GROUP.SCRIPT.PARAM");
        of(place("{\n    \"a\": [],\n    \"a\": [],\n}"), (3, 5), "two sets");
        of(place("(world: 3)"), (1, 1), "");
    }

    #[test]
    fn values_that_do_not_fit_a_generation_have_their_place() {
        use crate::reload::{Loader, Place};
        let (_, generation) = Loader::load(Place::built_in("flock.ron"), Vec::new()).unwrap();
        let text = "{\n    \"a\": [\"starlings.cohesion.gain=2.0\"],\n    \"b\": [\"starlings.cohesion.gian=2.0\"],\n}";
        let named = read_values("f.values.ron", text).unwrap();
        assert_eq!(named[0].check(&generation, "f.values.ron", text), Ok(()));
        let fault = named[1].check(&generation, "f.values.ron", text).unwrap_err();
        assert_eq!((fault.line, fault.column), (3, 11));
        assert!(fault.message.contains("gian") && !fault.message.contains("--set"), "{}", fault.message);
        let text = "{\"a\": [\"starlings.cohesion.FORM=\\\"0.5\\\"\"]}";
        let named = read_values("f.values.ron", text).unwrap();
        let fault = named[0].check(&generation, "f.values.ron", text).unwrap_err();
        assert_eq!((fault.line, fault.column), (1, 8));
        assert!(fault.message.starts_with("FORM must be one of"), "{}", fault.message);
    }
}
