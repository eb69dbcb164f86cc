//! Insertion and removal of items of a list or map of the scene.

use std::ops::Range;

use super::behavior::range;
use super::layout::{Splices, indent, line_break, own_lines};
use crate::node::Node;
use crate::tokens::skip_blank;

/// A list or map of the scene.
pub(super) struct Items<'a> {
    /// The field's name.
    pub(super) name: &'static str,
    /// Its brackets.
    pub(super) brackets: [char; 2],
    /// The fields of the scene.
    pub(super) fields: &'a [(Node<'a>, Node<'a>)],
    /// Ranges of its items.
    pub(super) places: Vec<Range<usize>>,
}

/// Returns the value of a field.
pub(super) fn value<'a>(fields: &[(Node<'a>, Node<'a>)], name: &str) -> Option<Node<'a>> {
    fields.iter().find(|(key, _)| key.text == name).map(|(_, value)| *value)
}

impl Items<'_> {
    /// Removes the items in `removed`, and appends `new` ones.
    pub(super) fn edit(&self, splices: &mut Splices, text: &str, removed: &[usize], new: &[String]) {
        let Some(list) = value(self.fields, self.name) else {
            self.add_field(splices, text, new);
            return;
        };
        let kept = (0..self.places.len()).rev().find(|at| !removed.contains(at));
        let ends = self.places.first().zip(self.places.last());
        match (kept, ends) {
            (_, None) if !new.is_empty() => splices.fill(text, &list.range(), new),
            (None, Some((first, last))) if !new.is_empty() => {
                let between = indent(text, first.start).map(|indent| format!("{}{indent}", line_break(text)));
                let between = between.unwrap_or_else(|| " ".to_owned());
                splices.put(first.start..last.end, new.join(&format!(",{between}")));
                return;
            }
            (Some(kept), _) if !new.is_empty() => splices.add_after(text, &self.places[kept], new),
            _ => {}
        }
        for at in removed {
            self.remove(splices, text, *at, removed);
        }
    }

    fn remove(&self, splices: &mut Splices, text: &str, at: usize, removed: &[usize]) {
        let place = &self.places[at];
        if let Some(lines) = own_lines(text, place) {
            splices.put(lines, "");
            return;
        }
        let next = skip_blank(&text[place.end..]);
        if let Some(rest) = next.strip_prefix(',') {
            let end = text.len() - rest.trim_start_matches([' ', '\t']).len();
            splices.put(place.start..end, "");
        } else {
            // The last item is removed with the comma before it.
            let kept = (0..at).rev().find(|before| !removed.contains(before));
            let start = kept.map_or(place.start, |kept| self.places[kept].end);
            splices.put(start..place.end, "");
        }
    }

    /// Appends the field to the scene.
    fn add_field(&self, splices: &mut Splices, text: &str, new: &[String]) {
        let Some(last) = self.fields.last().filter(|_| !new.is_empty()) else {
            return;
        };
        let (name, [open, close]) = (self.name, self.brackets);
        let field = match indent(text, last.0.start) {
            Some(indent) => {
                let end = line_break(text);
                let items = new.iter().map(|item| format!("{end}{indent}    {item},"));
                format!("{name}: {open}{}{end}{indent}{close}", items.collect::<String>())
            }
            None => format!("{name}: {open}{}{close}", new.join(", ")),
        };
        splices.add_after(text, &range(last), &[field]);
    }
}
