//! All fields and cases of scenes, found by reading: each missing value of a small scene is filled by what the readers expect
//! there, until nothing more is expected.

use std::ops::Range;
use std::sync::OnceLock;

use super::reading::outline_at;
use crate::parts::{Form, Item, SceneOutline, Thing};
use crate::ron_file::RonFile;

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number,
    /// Coordinates in parentheses.
    Point,
    /// `true` or `false`.
    Switch,
    /// A text in quotes.
    Text,
    /// A name or hexadecimal code of a color.
    Color,
    /// Values in brackets.
    List,
    /// Values by name in braces.
    Map,
    /// The name of a declared thing.
    Name(Thing),
    /// One of the words or cases of this owner.
    Choice(&'static str),
    /// Fields in parentheses.
    Fields(&'static str),
}

/// A field of an item.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaField {
    /// The name before its colon.
    pub name: &'static str,
    /// An example of its value, if it is required.
    pub example: Option<&'static str>,
    /// Its value; `None` if values of several kinds are valid.
    pub value: Option<Value>,
}

/// The fields of an item.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaItem {
    /// Its description in messages, or its case.
    pub owner: &'static str,
    /// The description of all its cases.
    pub(crate) family: &'static str,
    /// Its fields in the order of reading.
    pub fields: Vec<SchemaField>,
    /// The value before or instead of the fields: that of `Speed(1.25)`.
    pub value: Option<Value>,
}

/// Words of which one is valid.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SchemaChoice {
    /// The description of all cases, or the field.
    pub(crate) owner: &'static str,
    pub(crate) words: Vec<&'static str>,
}

/// The fields and cases of scenes in a plane or in space.
#[derive(Debug, Default)]
pub struct Schema {
    pub(crate) items: Vec<SchemaItem>,
    pub(crate) choices: Vec<SchemaChoice>,
}

impl Schema {
    /// Returns the fields of an item or a case.
    pub fn item(&self, family: &str, owner: &str) -> Option<&SchemaItem> {
        self.items.iter().find(|item| item.family == family && item.owner == owner)
    }
}

/// Returns the schema of scenes in a plane, or in space, or that of experiments.
pub fn schema(file: RonFile, is_plane: bool) -> &'static Schema {
    static PLANE: OnceLock<Schema> = OnceLock::new();
    static SPACE: OnceLock<Schema> = OnceLock::new();
    static EXPERIMENT: OnceLock<Schema> = OnceLock::new();
    let schema = match file {
        RonFile::Scene if is_plane => &PLANE,
        RonFile::Scene => &SPACE,
        RonFile::Experiment => &EXPERIMENT,
    };
    schema.get_or_init(|| searched(file, is_plane))
}

/// Returns the schema, computed by a new search.
pub(crate) fn searched(file: RonFile, is_plane: bool) -> Schema {
    let first = match file {
        RonFile::Scene if is_plane => "world: Plane(size: (9, 9)), ",
        RonFile::Scene => "world: Space(radius: 9), ",
        RonFile::Experiment => "",
    };
    let mut search = Search { schema: Schema::default(), file, first };
    search.value("", "");
    search.schema
}

/// A search for all values.
struct Search {
    schema: Schema,
    file: RonFile,
    /// The first field of the files that are read: the world of scenes.
    first: &'static str,
}

impl Search {
    /// Returns the value expected between two texts.
    fn value(&mut self, before: &str, after: &str) -> Option<Value> {
        let hole = before.len()..before.len() + 1;
        let outline = outline_at((&format!("{before}_{after}"), self.file), hole.start, false);
        if let Some(choice) = outline.choices.iter().find(|choice| choice.range == hole) {
            self.choice(before, after, choice.owner, &choice.words);
            return Some(Value::Choice(choice.owner));
        }
        if let Some(item) = outline.items.iter().find(|item| item.range == hole && item.is_bare) {
            self.item((before, "(", after), item);
            return Some(Value::Fields(item.owner));
        }
        let form = form(&outline, &hole)?;
        match form {
            Value::List => _ = self.value(&format!("{before}["), &format!("]{after}")),
            Value::Map => _ = self.value(&format!("{before}{{\"x\": "), &format!("}}{after}")),
            _ => {}
        }
        Some(form)
    }

    fn choice(&mut self, before: &str, after: &str, owner: &'static str, words: &[&'static str]) {
        if self.schema.choices.iter().any(|choice| choice.owner == owner) {
            return;
        }
        self.schema.choices.push(SchemaChoice { owner, words: words.to_vec() });
        for word in words {
            let at = before.len();
            let outline = outline_at((&format!("{before}{word}(){after}"), self.file), at, false);
            let mut items = outline.items.iter();
            let value = self.value(&format!("{before}{word}("), &format!("){after}"));
            match items.find(|item| item.range.start == at && item.owner == *word) {
                Some(item) => {
                    self.item((before, &format!("{word}("), after), item);
                    let mut items = self.schema.items.iter_mut();
                    if let Some(last) = items.find(|known| known.owner == *word && known.family == owner) {
                        last.value = value;
                    }
                }
                None if value.is_some() => {
                    let item = SchemaItem { owner: word, family: owner, fields: Vec::new(), value };
                    self.schema.items.push(item);
                }
                None => {}
            }
        }
    }

    /// Adds an item that begins with `open`.
    fn item(&mut self, (before, open, after): (&str, &str, &str), item: &Item) {
        if self.schema.item(item.family, item.owner).is_some() {
            return;
        }
        let (owner, family) = (item.owner, item.family);
        self.schema.items.push(SchemaItem { owner, family, fields: Vec::new(), value: None });
        let at = self.schema.items.len() - 1;
        for known in &item.known {
            let name = known.name;
            let first = if before.is_empty() && name != "world" { self.first } else { "" };
            let value = self.value(&format!("{before}{open}{first}{name}: "), &format!("){after}"));
            let field = SchemaField { name, example: known.example, value };
            self.schema.items[at].fields.push(field);
        }
    }
}

/// Returns the kind of the value at `hole` without fields and cases.
fn form(outline: &SceneOutline, hole: &Range<usize>) -> Option<Value> {
    if let Some(mention) = outline.mentions.iter().find(|mention| mention.range == *hole) {
        return Some(if mention.is_declaration { Value::Text } else { Value::Name(mention.thing) });
    }
    if outline.colors.iter().any(|(range, _)| range == hole) {
        return Some(Value::Color);
    }
    let mut forms = outline.forms.iter().filter(|(range, _)| range == hole);
    forms.next().map(|(_, form)| match form {
        Form::Number => Value::Number,
        Form::Point => Value::Point,
        Form::Switch => Value::Switch,
        Form::Text => Value::Text,
        Form::List => Value::List,
        Form::Map => Value::Map,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_of_scenes_is_found() {
        let plane = schema(RonFile::Scene, true);
        let field = |family: &str, owner: &str, name: &str| {
            let item = plane.item(family, owner).unwrap_or_else(|| panic!("no {owner}"));
            item.fields.iter().find(|field| field.name == name).and_then(|field| field.value)
        };
        assert_eq!(field("a scene", "a scene", "bodies"), Some(Value::Map));
        assert_eq!(field("a group", "a group", "body"), Some(Value::Name(Thing::Body)));
        assert_eq!(field("a group", "a group", "spawn"), Some(Value::Choice("a spawn")));
        assert_eq!(field("a behavior", "a behavior", "enabled"), Some(Value::Switch));
        assert_eq!(field("a spawn", "Disc", "center"), Some(Value::Point));
        assert_eq!(field("a look", "a look", "color"), Some(Value::Color));
        assert_eq!(field("a start", "a start", "position"), Some(Value::Point));
        assert_eq!(field("what a color shows", "Signal", "from"), Some(Value::Number));
        let key = |case| plane.item("what a key does", case).and_then(|item| item.value);
        assert_eq!(key("View"), Some(Value::Name(Thing::View)));
        assert_eq!(key("Speed"), Some(Value::Number));
        let obstacles = |schema: &Schema| {
            let choice = schema.choices.iter().find(|choice| choice.owner == "an obstacle");
            choice.map(|choice| choice.words.clone()).unwrap_or_default()
        };
        assert_eq!(obstacles(plane), ["Circle", "Capsule", "Box", "Polygon"]);
        assert_eq!(obstacles(schema(RonFile::Scene, false)), ["Ball", "Capsule", "Box"]);
    }
}
