//! Texts with tab stops for fields and cases, from the schema of scenes.

use steerbox_scene::{SchemaField, SchemaItem, Thing, Value, about_field};

/// Returns the text of a field: its name, a colon and a value with tab stops.
pub(super) fn field(owner: &str, field: &SchemaField) -> String {
    format!("{}: {}", field.name, Stops::default().value(owner, field))
}

/// Returns the text of a case with its required fields.
pub(super) fn case(item: &SchemaItem) -> String {
    if item.value.is_none() && item.fields.is_empty() {
        return item.owner.to_owned();
    }
    format!("{}({})", item.owner, inside(item))
}

/// Returns the text of an item without a case: its required fields in parentheses.
pub(super) fn item(item: &SchemaItem) -> String {
    format!("({})", inside(item))
}

fn inside(item: &SchemaItem) -> String {
    let mut stops = Stops::default();
    let value = item.value.map(|value| stops.of_kind(value));
    let required = item.fields.iter().filter(|field| field.example.is_some());
    let fields = required.map(|field| format!("{}: {}", field.name, stops.value(item.owner, field)));
    let fields: Vec<_> = fields.collect();
    let parts: Vec<_> = value.into_iter().chain(fields).collect();
    if parts.is_empty() { "$0".to_owned() } else { parts.join(", ") }
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
    fn value(&mut self, owner: &str, field: &SchemaField) -> String {
        let default = || about_field(owner, field.name).map_or("", |about| about.default);
        match (field.example, field.value) {
            (_, Some(value @ (Value::Name(_) | Value::Color | Value::Choice(_)))) => self.of_kind(value),
            (Some(example), _) => {
                let example = example.replace(", …", "");
                match example.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
                    Some(text) => format!("\"{}\"", self.with(text)),
                    None => self.with(&example),
                }
            }
            (None, Some(Value::Switch)) => self.with(if default() == "`true`" { "false" } else { "true" }),
            (None, Some(Value::Number)) => {
                let default = default().replace('−', "-");
                self.with(if default.parse::<f32>().is_ok() { &default } else { "" })
            }
            (None, Some(value)) => self.of_kind(value),
            (None, None) => format!("${}", self.next()),
        }
    }

    /// Returns a value by its kind alone.
    fn of_kind(&mut self, value: Value) -> String {
        let stop = self.next();
        match value {
            Value::Text | Value::Color | Value::Name(_) => format!("\"${stop}\""),
            Value::List => format!("[${stop}]"),
            Value::Map => format!("{{${stop}}}"),
            Value::Fields(_) => format!("(${stop})"),
            Value::Point => format!("(${{{stop}:0}}, ${{{}:0}})", self.next()),
            Value::Number | Value::Switch | Value::Choice(_) => format!("${stop}"),
        }
    }
}

/// Returns the required field of an item whose value is a name, if it has exactly one required field.
pub(super) fn only_name(item: &SchemaItem) -> Option<(&'static str, Thing)> {
    let mut required = item.fields.iter().filter(|field| field.example.is_some());
    match (required.next(), required.next()) {
        (Some(SchemaField { name, value: Some(Value::Name(thing)), .. }), None) => Some((name, *thing)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use steerbox_scene::{RonFile, schema};

    use super::*;

    #[test]
    fn cases_and_fields_have_a_stop_for_each_value() {
        let plane = schema(RonFile::Scene, true);
        let of = |family: &str, owner: &str| plane.item(family, owner).expect("an item");
        assert_eq!(case(of("a spawn", "Disc")), "Disc(center: ${1:(0, 0)}, radius: ${2:10})");
        assert_eq!(case(of("a spawn", "At")), "At([$1])");
        assert_eq!(case(of("a body", "Mover")), "Mover($0)");
        assert_eq!(case(of("a contact", "Block")), "Block");
        assert_eq!(case(of("what a key does", "View")), "View(\"$1\")");
        assert_eq!(case(of("a distribution", "Normal")), "Normal($1)");
        assert_eq!(case(of("what a color shows", "Signal")), "Signal(\"$1\")");
        assert_eq!(item(of("a behavior", "a behavior")), "(script: \"$1\")");
        assert_eq!(item(of("a group", "a group")), "(name: \"${1:flock}\", body: \"$2\")");
        assert_eq!(only_name(of("a behavior", "a behavior")), Some(("script", Thing::Rule)));
        let field = |owner: &str, name: &str| {
            let fields = &of(owner, owner).fields;
            super::field(owner, fields.iter().find(|field| field.name == name).expect("a field"))
        };
        assert_eq!(field("a behavior", "gain"), "gain: ${1:1}");
        assert_eq!(field("a behavior", "enabled"), "enabled: ${1:false}");
        assert_eq!(field("a group", "behaviors"), "behaviors: [$1]");
        assert_eq!(field("a group", "view"), "view: \"$1\"");
        assert_eq!(field("a group", "spawn"), "spawn: $1");
        assert_eq!(field("a group", "count"), "count: $1");
        assert_eq!(field("a scene", "target"), "target: (${1:0}, ${2:0})");
    }
}
