//! The names in a scene.

use std::ops::Range;

use steerbox_core::text::{Name, Occurrence};
use steerbox_scene::{Mention, SceneOutline, Thing};

use crate::language::document::Document;

/// Returns the names of a scene. The name of a group without kinds is first that of its kind, since others refer to it.
pub(in crate::language) fn names(document: &Document) -> Vec<Occurrence> {
    let (outline, text) = (document.parts(), &*document.text);
    let scene = document.file_name();
    let mut names: Vec<Occurrence> = Vec::new();
    names.extend(outline.mentions.iter().filter_map(|mention| {
        let name = named(mention, &scene)?;
        let range = inner(text, &mention.range);
        Some(Occurrence { range, name, is_declaration: mention.is_declaration })
    }));
    let of_schema = |range: &Range<usize>, owner: &'static str, name: &str| Occurrence {
        range: range.clone(),
        name: Name::Schema { owner, name: name.to_owned() },
        is_declaration: false,
    };
    for item in &outline.items {
        let fields = item.fields.iter();
        names.extend(fields.filter_map(|field| Some(of_schema(&field.key, item.owner, field.known?))));
    }
    for choice in &outline.choices {
        let word = choice.words.iter().find(|word| text.get(choice.range.clone()) == Some(word));
        names.extend(word.map(|word| of_schema(&choice.range, choice.owner, word)));
    }
    // The field of the player is first a field.
    let is_key = |one: &Occurrence| one.is_declaration && !text[..one.range.start].ends_with('"');
    names.sort_by_key(|one| (one.range.start, is_key(one)));
    names
}

/// Returns the name of a mention across files.
fn named(mention: &Mention, scene: &str) -> Option<Name> {
    let (name, scene) = (mention.name.clone()?, scene.to_owned());
    Some(match mention.thing {
        Thing::Rule | Thing::FlowScript => Name::Script(name),
        Thing::Param => Name::Param { script: mention.script.clone()?, name },
        Thing::Measure | Thing::Scene | Thing::Variable => return None,
        thing @ (Thing::Body | Thing::Group) => Name::OfScene { thing, scene, name },
        thing => Name::Shared(thing, name),
    })
}

/// Returns the value of a declared name as one short line.
pub(super) fn value_of(text: &str, outline: &SceneOutline, declared: &Mention) -> Option<String> {
    let mut maps = outline
        .collections
        .iter()
        .filter(|map| map.range.start < declared.range.start && declared.range.end <= map.range.end);
    let is_key = |key: &Option<Range<usize>>| key.as_ref() == Some(&declared.range);
    let value = maps.find_map(|map| map.entries.iter().find(|(key, _)| is_key(key)));
    value.map(|(_, value)| one_line(&text[value.clone()]))
}

/// Returns a text as one short line.
pub(super) fn one_line(text: &str) -> String {
    const MAX_CHARACTERS: usize = 120;
    let words = text.split_whitespace();
    let mut line = String::new();
    for word in words {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.chars().count() > MAX_CHARACTERS {
            return line.chars().take(MAX_CHARACTERS).chain(['…']).collect();
        }
    }
    line
}

/// Returns the part of a text within its quotes.
pub(super) fn inner(text: &str, quoted: &Range<usize>) -> Range<usize> {
    let written = &text[quoted.clone()];
    let Some(open) = written.find('"') else {
        return quoted.clone();
    };
    let fences = written[..open].matches('#').count();
    let close = format!("\"{}", "#".repeat(fences));
    let is_closed = written.len() > open + close.len() && written.ends_with(&close);
    let end = if is_closed { quoted.end - close.len() } else { quoted.end };
    quoted.start + open + 1..end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::scene::testing::document;

    #[test]
    fn names_are_those_of_all_files() {
        let text = r##"(bodies: {"fish": Mover(length: 2)}, keys: {"C": Switch("wander")}, groups: [
            (name: "shoal", body: "fish", enemies: [r#"pike"#], behaviors: [(script: "wander", params: {"SPEED": 2})]),
        ])"##;
        let document = document("a.ron", text);
        let shown = |one: &Occurrence| {
            let mark = if one.is_declaration { "!" } else { "" };
            format!("{}{mark}", &text[one.range.clone()])
        };
        let users: Vec<_> =
            document.names().iter().filter(|one| !one.name.is_built_in()).map(shown).collect();
        assert_eq!(users, ["fish!", "wander", "shoal!", "shoal!", "fish", "pike", "wander", "SPEED"]);
        let of = |name: Name| document.names().iter().filter(|one| one.name == name).count();
        assert_eq!(of(Name::OfScene { thing: Thing::Body, scene: "a.ron".into(), name: "fish".into() }), 2);
        assert_eq!(of(Name::Shared(Thing::Kind, "shoal".into())), 1);
        assert_eq!(of(Name::Param { script: "wander".into(), name: "SPEED".into() }), 1);
        assert_eq!(of(Name::Schema { owner: "Mover", name: "length".into() }), 1);
        assert_eq!(of(Name::Schema { owner: "a body", name: "Mover".into() }), 1);
        assert_eq!(of(Name::Schema { owner: "what a key does", name: "Switch".into() }), 1);
        assert!(document.names().is_sorted_by_key(|one| one.range.start));
    }

    #[test]
    fn quotes_of_any_form_are_removed() {
        for (written, name) in [("\"a\"", "a"), ("r#\"a\"#", "a"), ("\"a", "a"), ("\"", ""), ("\"\"", "")] {
            assert_eq!(&written[inner(written, &(0..written.len()))], name, "{written}");
        }
    }
}
