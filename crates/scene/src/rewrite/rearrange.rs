//! Removal, duplication and moves of the items of a list in a scene's text: rules of a group, and groups.
//!
//! The text of a list consists of items with their comments, separated by layout. A comment directly above an item, or
//! behind it in its line, belongs to it. Layout and all other comments belong to the list.

use std::ops::Range;

use steerbox_core::diagnostics::Fault;

use super::grow::free_group_name;
use super::items::value;
use super::layout::{indent, line_break, line_end, past_comments};
use super::text::ron_text;
use crate::node::Node;
use crate::outline;
use crate::read::read;
use crate::syntax::is_valid;
use crate::tokens::{TokenKind, skip_blank, tokens};

/// An item of a list of a scene.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ListItem {
    /// A group, by its name.
    Group(String),
    /// A behavior: the names of its group and of its script, and the occurrence of the script in the group, from 0.
    Behavior(String, String, usize),
}

/// An edit of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rearrange {
    /// Removes it.
    Remove,
    /// Inserts a copy behind it, without the comments around it. The copy of a group has a free name.
    Duplicate,
    /// Moves it by a number of places, at most to the start or the end of its list.
    Move(isize),
}

/// A list and its items.
struct List<'a> {
    node: Node<'a>,
    items: Vec<Node<'a>>,
    /// The names of its items.
    names: Vec<Option<String>>,
}

/// Returns the text of a scene with an edit of an item, and the item afterwards: the moved one, the copy, or `None` if it
/// was removed. Comments and layout of all others are preserved. `path_name` is the path in messages. The result may be
/// invalid: other parts of the scene may refer to a removed group.
///
/// # Errors
/// The faults of a scene that cannot be parsed, or if the item does not exist.
pub fn rearranged(
    path_name: &str,
    text: &str,
    item: &ListItem,
    edit: Rearrange,
) -> Result<(String, Option<ListItem>), Vec<Fault>> {
    let whole = text;
    let text = whole.strip_prefix('\u{feff}').unwrap_or(whole);
    let mark = &whole[..whole.len() - text.len()];
    let Some((list, at)) = find(text, item).filter(|_| is_valid(text)) else {
        read(path_name, text)?;
        let message = match item {
            ListItem::Group(group) => format!("there is no group {} in this file", ron_text(group)),
            ListItem::Behavior(group, script, _) => {
                format!(
                    "the group {} in this file has no such behavior {}",
                    ron_text(group),
                    ron_text(script)
                )
            }
        };
        return Err(vec![Fault::of_file(path_name, message)]);
    };
    let mut names = list.names.clone();
    let mut slots = slots(text, &list);
    let mut tail = slots.pop().map(|slot| slot.lead).unwrap_or_default();
    let ends_in_comma = slots.last().is_some_and(|slot| slot.item.is_some_and(|item| item.comma.is_some()));
    let to = match edit {
        Rearrange::Remove => {
            tail.insert_str(0, &remove(&mut slots, at));
            names.remove(at);
            None
        }
        Rearrange::Duplicate => {
            let (copy, name) = copy(text, item, list.items[at]);
            let lead = indent_of(text, slots[at].item.as_ref());
            slots.insert(at + 1, SlotText { lead, item: None, copy });
            names.insert(at + 1, name.or_else(|| names[at].clone()));
            Some(at + 1)
        }
        Rearrange::Move(by) => {
            let to = at.saturating_add_signed(by).min(names.len() - 1);
            let mut items: Vec<_> = slots.iter_mut().map(|slot| slot.item.take()).collect();
            let (moved, name) = (items.remove(at), names.remove(at));
            items.insert(to, moved);
            names.insert(to, name);
            slots.iter_mut().zip(items).for_each(|(slot, item)| slot.item = item);
            Some(to)
        }
    };
    let inner = inner(&list);
    let mut out =
        Assembly { text: format!("{mark}{}", &text[..inner.start]), end: line_break(text), is_open: false };
    let count = slots.len();
    for (number, slot) in slots.iter().enumerate() {
        out.push(&slot.lead);
        out.push(&slot.text(text, number + 1 < count || ends_in_comma));
    }
    out.push(&tail);
    out.push(&text[inner.end..]);
    Ok((out.text, to.and_then(|to| item_at(item, &names, to))))
}

/// The list that contains an item, and the index of the item.
fn find<'a>(text: &'a str, item: &ListItem) -> Option<(List<'a>, usize)> {
    let fields = Node::root(text).fields()?;
    let groups = List::of(value(&fields, "groups"), "name");
    match item {
        ListItem::Group(name) => {
            let groups = groups?;
            let at = groups.index(name, 0)?;
            Some((groups, at))
        }
        ListItem::Behavior(group, script, occurrence) => {
            let listed = groups.and_then(|groups| Some(groups.items[groups.index(group, 0)?]));
            let owner = listed.or_else(|| value(&fields, "player").filter(|_| group == "player"))?;
            let rules = List::of(value(&owner.fields()?, "behaviors"), "script")?;
            let at = rules.index(script, *occurrence)?;
            Some((rules, at))
        }
    }
}

impl<'a> List<'a> {
    /// The list in a node, whose items are named by a field.
    fn of(node: Option<Node<'a>>, field: &str) -> Option<Self> {
        let (node, items) = (node?, node?.items()?);
        let name = |item: &Node<'a>| value(&item.fields()?, field)?.leaf();
        Some(Self { node, names: items.iter().map(name).collect(), items })
    }

    /// The index of an item by its name and the number of items with this name before it.
    fn index(&self, name: &str, occurrence: usize) -> Option<usize> {
        let named = |(_, other): &(usize, &Option<String>)| other.as_deref() == Some(name);
        self.names.iter().enumerate().filter(named).nth(occurrence).map(|(at, _)| at)
    }
}

/// The item at an index of the edited list.
fn item_at(item: &ListItem, names: &[Option<String>], at: usize) -> Option<ListItem> {
    let name = names[at].clone()?;
    Some(match item {
        ListItem::Group(_) => ListItem::Group(name),
        ListItem::Behavior(group, ..) => {
            let before = names[..at].iter().filter(|other| other.as_ref() == Some(&name)).count();
            ListItem::Behavior(group.clone(), name, before)
        }
    })
}

/// The text within the brackets of a list.
fn inner(list: &List<'_>) -> Range<usize> {
    list.node.range().start + 1..list.node.range().end - 1
}

/// An item with its comments: places in the text.
#[derive(Clone, Copy)]
struct Owned {
    start: usize,
    value: (usize, usize),
    comma: Option<usize>,
    end: usize,
}

/// A place of an item in the list.
struct SlotText {
    /// Layout and comments of the list before the item.
    lead: String,
    item: Option<Owned>,
    /// A new item instead.
    copy: String,
}

impl SlotText {
    /// The text of the item, with or without a comma.
    fn text(&self, text: &str, has_comma: bool) -> String {
        match self.item {
            None if has_comma => format!("{},", self.copy),
            None => self.copy.clone(),
            Some(Owned { start, value: (_, value), comma: None, end }) if has_comma => {
                // Before the comments only if they end the line: behind the comma, others belong to the next item.
                let is_line =
                    tokens(&text[value..end]).any(|it| text[value + it.range.start..].starts_with("//"));
                let at = if is_line { value } else { end };
                format!("{},{}", &text[start..at], &text[at..end])
            }
            Some(Owned { start, comma: Some(comma), end, .. }) if !has_comma => {
                format!("{}{}", &text[start..comma], &text[comma + 1..end])
            }
            Some(Owned { start, end, .. }) => text[start..end].to_owned(),
        }
    }
}

/// The items of a list, and the text behind the last one.
fn slots(text: &str, list: &List<'_>) -> Vec<SlotText> {
    let inner = inner(list);
    let mut from = inner.start;
    let mut slots = Vec::new();
    for item in &list.items {
        let value = item.range();
        let start = own_start(text, from..value.start, slots.is_empty());
        let next = skip_blank(&text[value.end..inner.end]);
        let comma = next.starts_with(',').then(|| inner.end - next.len());
        let behind = comma.map_or(value.end, |comma| comma + 1);
        let end = line_end(text, behind).filter(|end| *end <= inner.end);
        let end = end.unwrap_or(if comma.is_some() { behind } else { past_comments(text, behind) });
        let owned = Owned { start, value: (value.start, value.end), comma, end };
        slots.push(SlotText { lead: text[from..start].to_owned(), item: Some(owned), copy: String::new() });
        from = end;
    }
    slots.push(SlotText { lead: text[from..inner.end].to_owned(), item: None, copy: String::new() });
    slots
}

/// The start of the comments directly above an item; `gap` is the text before it. A comment behind the bracket belongs to
/// the list.
fn own_start(text: &str, gap: Range<usize>, is_first: bool) -> usize {
    let comments: Vec<_> = tokens(&text[gap.clone()]).map(|token| token.range).collect();
    let mut start = gap.end;
    for comment in comments.into_iter().rev() {
        let (begin, end) = (gap.start + comment.start, gap.start + comment.end);
        let breaks = text[end..start].matches('\n').count();
        let is_behind_bracket = is_first && breaks > 0 && !text[gap.start..begin].contains('\n');
        if breaks > 1 || is_behind_bracket {
            break;
        }
        start = begin;
    }
    start
}

/// Removes an item with the layout of its place. Returns the comments that remain behind the last one.
fn remove(slots: &mut Vec<SlotText>, at: usize) -> String {
    let removed = slots.remove(at).lead;
    let is_blank = |lead: &str| lead.trim().is_empty();
    match slots.get_mut(at) {
        None => return removed.trim_end().to_owned(),
        Some(next) if is_blank(&next.lead) => next.lead = removed,
        Some(next) if !is_blank(&removed) => next.lead = format!("{}{}", removed.trim_end(), next.lead),
        Some(_) => {}
    }
    String::new()
}

/// The text of a copy of an item, and its name if that is another one.
fn copy(text: &str, item: &ListItem, node: Node<'_>) -> (String, Option<String>) {
    let copied = &text[node.range()];
    let name = node.fields().and_then(|fields| value(&fields, "name"));
    match (item, name) {
        (ListItem::Group(group), Some(place)) => {
            let name = free_group_name(&outline(text), Some(group));
            let place = place.range().start - node.range().start..place.range().end - node.range().start;
            let (before, after) = (&copied[..place.start], &copied[place.end..]);
            (format!("{before}{}{after}", ron_text(&name)), Some(name))
        }
        _ => (copied.to_owned(), None),
    }
}

/// The layout between an item and a copy behind it.
fn indent_of(text: &str, item: Option<&Owned>) -> String {
    let indent = item.and_then(|item| indent(text, item.start));
    indent.map_or_else(|| " ".to_owned(), |indent| format!("{}{indent}", line_break(text)))
}

/// A text that is assembled from parts: no part continues a line comment.
struct Assembly {
    text: String,
    end: &'static str,
    is_open: bool,
}

impl Assembly {
    fn push(&mut self, part: &str) {
        if part.is_empty() {
            return;
        }
        if self.is_open && !part.trim_start_matches([' ', '\t', '\r']).starts_with('\n') {
            self.text.push_str(self.end);
        }
        self.text.push_str(part);
        let last = tokens(part).last().filter(|token| token.kind == TokenKind::Comment);
        self.is_open = last.is_some_and(|it| {
            part[it.range.clone()].starts_with("//") && !part[it.range.end..].contains('\n')
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(script: &str, occurrence: usize) -> ListItem {
        ListItem::Behavior("a".to_owned(), script.to_owned(), occurrence)
    }

    fn group(name: &str) -> ListItem {
        ListItem::Group(name.to_owned())
    }

    /// A scene with a group that has these behaviors: digits are replaced by behaviors with this gain.
    fn scene(rules: &str) -> String {
        let written = |c: char| match c.to_digit(10) {
            Some(gain) => format!("(script: \"s\", gain: {gain})"),
            None => c.to_string(),
        };
        let rules: String = rules.chars().map(written).collect();
        format!(
            "(world: Plane(size: (100, 100)), bodies: {{\"m\": Mover()}},\n groups: [(name: \"a\", body: \
             \"m\", behaviors: {rules})])"
        )
    }

    #[test]
    fn comments_and_layout_follow_the_items() {
        use Rearrange::{Duplicate, Move, Remove};
        for (before, at, edit, after) in [
            ("[1, 2]", 0, Remove, "[2]"),
            ("[1, 2]", 1, Remove, "[1]"),
            ("[1, 2,]", 1, Remove, "[1,]"),
            ("[1]", 0, Remove, "[]"),
            ("[1 /* a */, /* b */ 2]", 0, Move(1), "[/* b */ 2, 1 /* a */]"),
            ("[1, 2]", 0, Duplicate, "[1, 1, 2]"),
            ("[1, 2]", 1, Duplicate, "[1, 2, 2]"),
            ("[ // all\n  // a\n  1, // b\n  2,\n]", 0, Remove, "[ // all\n  2,\n]"),
            ("[\n  1, // a\n  // b\n  2 // c\n]", 1, Move(-1), "[\n  // b\n  2, // c\n  1 // a\n]"),
            ("[\n  // a\n  1, // b\n]", 0, Duplicate, "[\n  // a\n  1, // b\n  1,\n]"),
            ("[\n  1,\n\n  // part\n\n  2,\n]", 0, Remove, "[\n\n  // part\n\n  2,\n]"),
            ("[\n  1,\n\n  // part\n\n  2,\n]", 1, Remove, "[\n  1,\n\n  // part\n]"),
            ("[1, // a\n 2, 3]", 0, Move(2), "[2,\n 3, 1 // a\n]"),
            ("[1, 2, 3]", 2, Move(-9), "[3, 1, 2]"),
        ] {
            let (edited, _) = rearranged("s.ron", &scene(before), &rule("s", at), edit).expect("it exists");
            assert_eq!(edited, scene(after), "{before}");
            let [windows, expected] = [before, after].map(|it| scene(it).replace('\n', "\r\n"));
            let (edited, _) = rearranged("s.ron", &windows, &rule("s", at), edit).expect("it exists");
            assert_eq!(edited, expected, "{before}");
        }
    }

    #[test]
    fn a_copied_group_has_a_free_name_and_unknown_items_are_faults() {
        let text = scene("[]");
        let (text, copy) = rearranged("s.ron", &text, &group("a"), Rearrange::Duplicate).expect("it exists");
        assert_eq!(copy, Some(group("a 2")));
        let (text, copy) =
            rearranged("s.ron", &text, &group("a 2"), Rearrange::Duplicate).expect("it exists");
        assert_eq!(copy, Some(group("a 3")));
        assert_eq!(read("s.ron", &text).expect("it is valid").groups.len(), 3);
        for (text, item) in [(&*text, group("b")), (&*text, rule("s", 0)), ("([", group("a"))] {
            assert!(rearranged("s.ron", text, &item, Rearrange::Remove).is_err());
        }
        let (_, last) =
            rearranged("s.ron", &scene("[1, 2, 3]"), &rule("s", 0), Rearrange::Move(1)).expect("ok");
        assert_eq!(last, Some(rule("s", 1)), "it passed another one of the same script");
    }
}
