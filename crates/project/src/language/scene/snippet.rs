//! Texts with tab stops for fields and cases.

use steerbox_scene::{Fallback, FieldAbout, Thing, Value, about_case, fields_of};

/// Returns the text of a field: its name, a colon and a value with tab stops.
pub(super) fn field(field: &FieldAbout, is_plane: bool) -> String {
    format!("{}: {}", field.name, Stops::default().value(field, is_plane))
}

/// Returns the text of a case with its required fields.
pub(super) fn case(family: &str, owner: &str, is_plane: bool) -> String {
    let has_value = about_case(family, owner).is_some_and(|about| about.value.is_some());
    if !has_value && fields_of(family, owner).next().is_none() {
        return owner.to_owned();
    }
    format!("{owner}{}", item(family, owner, is_plane))
}

/// Returns the text of an item without its case: its value and its required fields in parentheses.
pub(super) fn item(family: &str, owner: &str, is_plane: bool) -> String {
    let mut stops = Stops::default();
    let value = about_case(family, owner).and_then(|about| about.value).map(|value| stops.of_kind(value));
    let required = fields_of(family, owner).filter(|field| field.example(is_plane).is_some());
    let fields = required.map(|field| format!("{}: {}", field.name, stops.value(field, is_plane)));
    let fields: Vec<_> = fields.collect();
    let parts: Vec<_> = value.into_iter().chain(fields).collect();
    format!("({})", if parts.is_empty() { "$0".to_owned() } else { parts.join(", ") })
}

/// Numbers of tab stops.
#[derive(Default)]
struct Stops(usize);

impl Stops {
    fn next(&mut self) -> usize {
        self.0 += 1;
        self.0
    }

    /// Returns a tab stop with a text that is selected.
    fn with(&mut self, text: &str) -> String {
        let stop = self.next();
        if text.is_empty() { format!("${stop}") } else { format!("${{{stop}:{text}}}") }
    }

    /// Returns the value of a field.
    fn value(&mut self, field: &FieldAbout, is_plane: bool) -> String {
        match (field.example(is_plane), field.value, field.default) {
            (_, value @ (Value::Name(_) | Value::Color | Value::Choice(..)), _) => self.of_kind(value),
            (Some(example), ..) => {
                let example = example.replace(", …", "");
                match example.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
                    Some(text) => format!("\"{}\"", self.with(text)),
                    None => self.with(&example),
                }
            }
            (None, Value::Switch, default) => {
                self.with(if default == Fallback::On { "false" } else { "true" })
            }
            (None, _, Fallback::Is(number)) => self.with(&number.to_string()),
            (None, value, _) => self.of_kind(value),
        }
    }

    /// Returns a value by its kind alone.
    fn of_kind(&mut self, value: Value) -> String {
        let stop = self.next();
        match value {
            Value::Text(_) | Value::Color | Value::Name(_) => format!("\"${stop}\""),
            Value::List(_) => format!("[${stop}]"),
            Value::Map(_) => format!("{{${stop}}}"),
            Value::Fields(_) => format!("(${stop})"),
            Value::Point(_) => format!("(${{{stop}:0}}, ${{{}:0}})", self.next()),
            _ => format!("${stop}"),
        }
    }
}

/// Returns the required field of an item whose value is a name, if it has exactly one required field.
pub(super) fn only_name(owner: &str) -> Option<(&'static str, Thing)> {
    let mut required = fields_of(owner, owner).filter(|field| field.example(true).is_some());
    match (required.next(), required.next()) {
        (Some(FieldAbout { name, value: Value::Name(thing), .. }), None) => Some((name, *thing)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use steerbox_scene::about_field;

    use super::*;

    #[test]
    fn cases_and_fields_have_a_stop_for_each_value() {
        let case = |family: &str, owner: &str| case(family, owner, true);
        assert_eq!(case("a spawn", "Disc"), "Disc(center: ${1:(0, 0)}, radius: ${2:10})");
        assert_eq!(case("a spawn", "At"), "At([$1])");
        assert_eq!(case("a body", "Mover"), "Mover($0)");
        assert_eq!(case("a contact", "Block"), "Block");
        assert_eq!(case("what a key does", "View"), "View(\"$1\")");
        assert_eq!(case("a distribution", "Normal"), "Normal($1)");
        assert_eq!(case("what a color shows", "Signal"), "Signal(\"$1\")");
        let size = |is_plane| super::case("a zone", "Box", is_plane).contains("size: ${2:(10, 10, 10)}");
        assert_eq!([false, true].map(size), [true, false]);
        let item = |owner: &str| item(owner, owner, true);
        assert_eq!(item("a behavior"), "(script: \"$1\")");
        assert_eq!(item("a group"), "(name: \"${1:flock}\", body: \"$2\")");
        assert_eq!(only_name("a behavior"), Some(("script", Thing::Rule)));
        let field =
            |owner: &str, name: &str| field(about_field((owner, owner), name).expect("a field"), true);
        assert_eq!(field("a behavior", "gain"), "gain: ${1:1}");
        assert_eq!(field("a behavior", "enabled"), "enabled: ${1:false}");
        assert_eq!(field("a group", "behaviors"), "behaviors: [$1]");
        assert_eq!(field("a group", "view"), "view: \"$1\"");
        assert_eq!(field("a group", "spawn"), "spawn: $1");
        assert_eq!(field("a group", "count"), "count: $1");
        assert_eq!(field("a scene", "target"), "target: (${1:0}, ${2:0})");
    }
}
