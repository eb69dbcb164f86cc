//! The parts of a scene's text, as the readers find them: items with their fields, places where a word or a name is
//! expected, colors.

use std::ops::Range;

pub use steerbox_core::text::Thing;

use super::color::Color;

/// A name of a thing that users declare.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// The value, with its quotes.
    pub range: Range<usize>,
    /// The kind of the named thing.
    pub thing: Thing,
    /// The name; `None` if the value is not a text.
    pub name: Option<String>,
    /// The script of a parameter.
    pub script: Option<String>,
    /// True for a declaration, false for a use.
    pub is_declaration: bool,
}

/// A place of one of several words.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The word.
    pub range: Range<usize>,
    /// The thing that has these cases, as in messages: `a spawn`; or the field that takes one of the words.
    pub owner: &'static str,
    pub words: Vec<&'static str>,
}

/// A field that an item can have, and an example if it is required.
pub(crate) type KnownField = (&'static str, Option<&'static str>);

/// A field in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct PresentField {
    /// The name before the colon.
    pub key: Range<usize>,
    /// The value behind the colon.
    pub value: Range<usize>,
    /// The known field; `None` if the item has no field of this name.
    pub known: Option<&'static str>,
}

/// Named fields in parentheses.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The whole value.
    pub range: Range<usize>,
    /// The word before its parentheses; empty if it has none.
    pub word: Range<usize>,
    /// Its description in messages: `a group`, or the case: `Disc`.
    pub owner: &'static str,
    /// The description of all its cases: `a spawn`; equal to `owner` if it has no cases.
    pub family: &'static str,
    /// All fields that it can have, in the order of the reference.
    pub known: Vec<KnownField>,
    /// The fields in the order of the text.
    pub fields: Vec<PresentField>,
    /// Values without names, such as a name that is being typed.
    pub strays: Vec<Range<usize>>,
    /// True if it is not in parentheses.
    pub is_bare: bool,
}

/// A list, or a map with the names of its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Collection {
    /// The value with its brackets.
    pub range: Range<usize>,
    /// The name of its field.
    pub name: &'static str,
    /// Its values, with their names in a map.
    pub entries: Vec<(Option<Range<usize>>, Range<usize>)>,
}

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A number.
    Number,
    /// Coordinates in parentheses.
    Point,
    /// `true` or `false`.
    Switch,
    /// A text in quotes.
    Text,
    /// Values in brackets.
    List,
    /// Values by name in braces.
    Map,
}

/// The parts of a scene, each kind in the order of the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneOutline {
    /// Items with named fields.
    pub items: Vec<Item>,
    /// Places of one of several words.
    pub choices: Vec<Choice>,
    /// Declarations and uses of names.
    pub mentions: Vec<Mention>,
    /// Lists and maps.
    pub collections: Vec<Collection>,
    /// Values that must be colors, and those that are.
    pub colors: Vec<(Range<usize>, Option<Color>)>,
    /// The values at the place in focus, by their form.
    pub forms: Vec<(Range<usize>, Form)>,
    /// True in a plane, false in space; `None` if the world is unknown.
    pub is_plane: Option<bool>,
}

impl SceneOutline {
    /// Returns the innermost item around a place, with its parentheses excluded.
    pub fn item_at(&self, at: usize) -> Option<&Item> {
        let around = self.items.iter().filter(|item| {
            let inner = item.word.end.max(item.range.start);
            !item.is_bare && inner < at && at <= item.range.end
        });
        around.min_by_key(|item| item.range.len())
    }

    /// Returns the names that declare things.
    pub fn declared(&self, thing: Thing) -> impl Iterator<Item = (&str, &Mention)> {
        let declared = self.mentions.iter().filter(move |one| one.thing == thing && one.is_declaration);
        declared.filter_map(|one| Some((one.name.as_deref()?, one)))
    }

    /// Sorts the parts by their positions.
    pub(super) fn sort(&mut self) {
        self.items.sort_by_key(|item| (item.range.start, std::cmp::Reverse(item.range.end)));
        self.choices.sort_by_key(|choice| choice.range.start);
        self.choices.dedup();
        self.mentions.sort_by_key(|mention| mention.range.start);
        self.collections.sort_by_key(|collection| collection.range.start);
        self.colors.sort_by_key(|(range, _)| range.start);
    }

    /// Converts all ranges.
    pub(super) fn map(&mut self, convert: impl Fn(&Range<usize>) -> Range<usize>) {
        let change = |range: &mut Range<usize>| *range = convert(range);
        for item in &mut self.items {
            change(&mut item.range);
            change(&mut item.word);
            item.strays.iter_mut().for_each(change);
            for field in &mut item.fields {
                change(&mut field.key);
                change(&mut field.value);
            }
        }
        self.choices.iter_mut().for_each(|choice| change(&mut choice.range));
        self.mentions.iter_mut().for_each(|mention| change(&mut mention.range));
        for collection in &mut self.collections {
            change(&mut collection.range);
            for (key, value) in &mut collection.entries {
                key.iter_mut().for_each(change);
                change(value);
            }
        }
        self.colors.iter_mut().for_each(|(range, _)| change(range));
        self.forms.iter_mut().for_each(|(range, _)| change(range));
    }
}
