//! The fields of the innermost item around a place, as a signature.

use steerbox_scene::{Item, about_case, outline_at};

use crate::language::document::Document;
use crate::language::model::Signature;
use crate::language::scene::cursor::Cursor;
use crate::language::scene::hover::of_field;
use crate::language::workspace::Workspace;

/// Returns the fields of the item around a place; the one whose name or value is there is active.
pub(in crate::language) fn signature(
    _workspace: &Workspace,
    document: &Document,
    at: usize,
) -> Option<Signature> {
    // An item that is not closed ends at its last value, or at a name that is inserted at the place.
    let is_missing = Cursor::new(&document.text, at).is_some_and(|cursor| cursor.is_missing());
    let with_name = is_missing.then(|| outline_at((&document.text, document.format()), at, true));
    let outline = with_name.as_ref().unwrap_or_else(|| document.parts());
    let is_closed = |item: &Item| at == item.range.end && document.text[..at].ends_with(')');
    let item = outline.item_at(at).filter(|item| !item.known.is_empty() && !is_closed(item))?;
    let name = if item.owner == item.family {
        item.owner.rsplit(' ').next().unwrap_or_default()
    } else {
        item.owner
    };
    let (mut label, mut parameters) = (format!("{name}("), Vec::new());
    for (at, known) in item.known.iter().enumerate() {
        let comma = if at > 0 { ", " } else { "" };
        label.push_str(comma);
        let start = label.len();
        label.push_str(known.0);
        if let Some(example) = known.1 {
            label.extend([": ", example]);
        }
        parameters.push(start..label.len());
    }
    label.push(')');
    let active = active(item, at);
    let of_field = active.and_then(|active| of_field(item, item.known.get(active)?.0));
    let of_case = || about_case(item.family, item.owner).map(|about| about.about.to_owned());
    Some(Signature {
        label,
        active: active.unwrap_or(parameters.len()),
        parameters,
        documentation: of_field.or_else(of_case).unwrap_or_default(),
    })
}

/// Returns the field whose name or value is at a place, or else the first required one that is missing.
fn active(item: &Item, at: usize) -> Option<usize> {
    let mut here = item.fields.iter().filter(|field| field.key.start <= at && at <= field.value.end);
    let index = |name| item.known.iter().position(|known| known.0 == name);
    match here.next() {
        Some(field) => index(field.known?),
        None => item.known.iter().position(|(name, example)| {
            example.is_some() && item.fields.iter().all(|field| field.known != Some(name))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::scene::testing::workspace;

    #[test]
    fn the_field_at_the_place_is_active() {
        let shown = |marked: &str| {
            let (workspace, document, at) = workspace(marked);
            let found = signature(&workspace, &document, at).expect("an item");
            let active = found.parameters.get(found.active).map_or("", |range| &found.label[range.clone()]);
            (found.label.clone(), active.to_owned())
        };
        let (label, active) = shown("(obstacles: [Circle(center: (1, 2), rad|ius: 3)])");
        assert_eq!(
            (&*label, &*active),
            ("Circle(center: (0, 0), radius: 10, inside_out, path, speed, attached, unit)", "radius: 10")
        );
        assert_eq!(shown("(obstacles: [Circle(center: (1|, 2))])").1, "center: (0, 0)");
        assert_eq!(shown("(obstacles: [Circle(center: (1, 2), |").1, "radius: 10");
        assert_eq!(shown("(groups: [(name: \"a\", body: |").1, "body: \"craft\"");
        assert!(shown("(groups: [(|").0.starts_with("group(name: \"flock\", "));
        for none in ["|  ", "(obstacles: [Circle(center: (1, 2), radius: 3)|])"] {
            let (workspace, document, at) = workspace(none);
            assert_eq!(signature(&workspace, &document, at), None, "{none}");
        }
    }
}
