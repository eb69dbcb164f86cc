//! The outline of a scene.

use std::ops::Range;

use steerbox_scene::{Collection, Item, PresentField, SceneOutline};

use crate::language::document::Document;
use crate::language::model::{Symbol, SymbolKind};
use crate::language::scene::names;

/// Fields of a scene whose lists and maps are shown with their items.
const SHOWN: [&str; 12] = [
    "vary",
    "measure",
    "bodies",
    "views",
    "paths",
    "fields",
    "zones",
    "grids",
    "groups",
    "obstacles",
    "scatter",
    "keys",
];
/// Maximum number of items shown of a list.
const MAX_ITEMS: usize = 2000;

/// Returns the fields of a scene, with bodies, views, groups and their behaviors, obstacles and others.
pub(in crate::language) fn symbols(document: &Document) -> Vec<Symbol> {
    let (text, outline) = (&*document.text, document.parts());
    let Some(scene) = outline.items.first() else {
        return Vec::new();
    };
    let parts = Parts { text, outline };
    scene.fields.iter().filter(|field| field.known.is_some()).map(|field| parts.field(field)).collect()
}

struct Parts<'a> {
    text: &'a str,
    outline: &'a SceneOutline,
}

impl Parts<'_> {
    fn field(&self, field: &PresentField) -> Symbol {
        let name = &self.text[field.key.clone()];
        let collection = self.collection(&field.value).filter(|_| SHOWN.contains(&name));
        let children = match collection {
            Some(collection) => {
                let entries = collection.entries.iter().take(MAX_ITEMS).enumerate();
                entries.map(|(at, entry)| self.entry(collection, at, entry)).collect()
            }
            None => self.item(&field.value).map_or_else(Vec::new, |item| self.behaviors(item)),
        };
        let detail = match collection {
            Some(collection) => collection.entries.len().to_string(),
            None => names::one_line(&self.text[field.value.clone()]),
        };
        let kind = SymbolKind::Item;
        let range = field.key.start..field.value.end;
        Symbol { name: name.to_owned(), detail, kind, range, selection: field.key.clone(), children }
    }

    /// Returns the symbol of an entry of a list or map.
    fn entry(
        &self,
        collection: &Collection,
        at: usize,
        (key, value): &(Option<Range<usize>>, Range<usize>),
    ) -> Symbol {
        let item = self.item(value);
        let detail = names::one_line(&self.text[value.clone()]);
        let selection = match (key, item) {
            (Some(key), _) => key.clone(),
            (None, Some(item)) if collection.name == "groups" => {
                let name = item.fields.iter().find(|field| field.known == Some("name"));
                name.map_or(value.start..value.start, |field| field.value.clone())
            }
            (None, Some(item)) => item.word.clone(),
            (None, None) => value.start..value.start,
        };
        let name = match &self.text[names::inner(self.text, &selection)] {
            "" => format!("{} {}", collection.name, at + 1),
            name => name.to_owned(),
        };
        let is_group = collection.name == "groups";
        let children = item.filter(|_| is_group).map_or_else(Vec::new, |item| self.behaviors(item));
        let detail = match item.filter(|_| is_group) {
            Some(group) => self.group(group),
            None => detail,
        };
        let start = key.as_ref().map_or(value.start, |key| key.start);
        let kind = if is_group { SymbolKind::Group } else { SymbolKind::Item };
        Symbol { name, detail, kind, range: start..value.end, selection, children }
    }

    /// Returns count and body of a group.
    fn group(&self, group: &Item) -> String {
        let value = |name: &str| {
            let field = group.fields.iter().find(|field| field.known == Some(name));
            field.map(|field| names::one_line(&self.text[names::inner(self.text, &field.value)]))
        };
        let parts: Vec<_> = [value("count"), value("body")].into_iter().flatten().collect();
        parts.join(" ")
    }

    /// Returns the behaviors of a group or the player.
    fn behaviors(&self, group: &Item) -> Vec<Symbol> {
        let field = group.fields.iter().find(|field| field.known == Some("behaviors"));
        let list = field.and_then(|field| self.collection(&field.value));
        let entries = list.into_iter().flat_map(|list| list.entries.iter().take(MAX_ITEMS));
        let behavior = |(_, value): &(Option<Range<usize>>, Range<usize>)| {
            let item = self.item(value)?;
            let script = item.fields.iter().find(|field| field.known == Some("script"))?;
            let name = self.text[names::inner(self.text, &script.value)].to_owned();
            let rest = &self.text[script.value.end..value.end];
            let detail = names::one_line(rest.trim_start_matches(',').trim_end_matches(')'));
            Some(Symbol {
                name,
                detail,
                kind: SymbolKind::Function,
                range: value.clone(),
                selection: script.value.clone(),
                children: Vec::new(),
            })
        };
        entries.filter_map(behavior).collect()
    }

    fn collection(&self, value: &Range<usize>) -> Option<&Collection> {
        let all = &self.outline.collections;
        let at = all.partition_point(|one| one.range.start < value.start);
        all.get(at).filter(|one| one.range == *value)
    }

    fn item(&self, value: &Range<usize>) -> Option<&Item> {
        let all = &self.outline.items;
        let at = all.partition_point(|one| one.range.start < value.start);
        all.get(at).filter(|one| one.range == *value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::scene::testing::document;

    fn lines(symbols: &[Symbol], depth: usize, text: &str, shown: &mut Vec<String>) {
        for one in symbols {
            assert!(text.get(one.range.clone()).is_some_and(|_| one.range.start <= one.selection.start));
            assert!(one.selection.end <= one.range.end);
            shown.push(format!("{}{}: {}", " ".repeat(depth), one.name, one.detail));
            lines(&one.children, depth + 1, text, shown);
        }
    }

    #[test]
    fn parts_are_nested_with_their_names() {
        let text = r#"(step: 0.1, bodies: {"fish": Mover(length: 2)},
            groups: [(name: "shoal", body: "fish", count: 9, behaviors: [(script: "wander", gain: 2)]), (body: "fish")],
            obstacles: [Circle(center: (1, 2), radius: 3)], player: (behaviors: [(script: "contain")]), nonsense: 2)"#;
        let mut shown = Vec::new();
        lines(&symbols(&document("a.ron", text)), 0, text, &mut shown);
        assert_eq!(
            shown,
            [
                "step: 0.1",
                "bodies: 1",
                " fish: Mover(length: 2)",
                "groups: 2",
                " shoal: 9 fish",
                "  wander: gain: 2",
                " groups 2: fish",
                "obstacles: 1",
                " Circle: Circle(center: (1, 2), radius: 3)",
                "player: (behaviors: [(script: \"contain\")])",
                " contain: ",
            ]
        );
    }
}
