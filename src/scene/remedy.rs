//! Remedies for values of the wrong form: the same values as they should have been written.

use std::ops::Range;

use super::node::{Node, NodeKind};

/// Longest remedy that repeats the user's own values, in characters.
const LONGEST: usize = 70;

/// A field of a part of a scene, and an example if it is required.
pub(super) type KnownField = (&'static str, Option<&'static str>);

/// `whole`, or `short` if that is too long to repeat.
fn or(whole: String, short: &str) -> String {
    if whole.chars().count() <= LONGEST && !whole.contains(['\n', '\r']) { whole } else { short.to_owned() }
}

fn joined<'a>(nodes: impl IntoIterator<Item = Node<'a>>) -> String {
    let texts: Vec<&str> = nodes.into_iter().map(|node| node.text).collect();
    texts.join(", ")
}

/// How `name` is written, whose value is to be a list.
pub(super) fn list(name: &str, node: Node<'_>) -> String {
    let items = match node.kind() {
        NodeKind::Map => None,
        NodeKind::Parentheses => match node.tuple().filter(|items| !items.is_empty()) {
            Some(items) => Some(joined(items)),
            None => Some(node.text.to_owned()),
        },
        _ => Some(node.text.to_owned()),
    };
    let empty = format!("write {name}: [ … ]");
    items.map_or(empty.clone(), |items| or(format!("write {name}: [{items}]"), &empty))
}

/// How `name` is written, whose value is to be a map.
pub(super) fn map(name: &str, node: Node<'_>) -> String {
    let empty = format!("write {name}: {{\"name\": …}}");
    let fields = (node.kind() == NodeKind::Parentheses).then(|| node.fields()).flatten();
    let entry = |(key, value): &(Node<'_>, Node<'_>)| format!("\"{}\": {}", key.text, value.text);
    match fields.filter(|fields| !fields.is_empty()) {
        Some(fields) => {
            let entries: Vec<String> = fields.iter().map(entry).collect();
            let whole = format!("write {name}: {{{}}}", entries.join(", "));
            or(whole, &empty)
        }
        None => empty,
    }
}

/// How `name` is written, whose value is to be numbers in parentheses.
pub(super) fn point(name: &str, node: Node<'_>) -> String {
    let arguments = node.word().1.filter(|_| node.kind() == NodeKind::Word);
    let node = arguments.unwrap_or(node);
    let values = match node.kind() {
        NodeKind::List => node.items(),
        NodeKind::Parentheses => node.tuple().or_else(|| {
            let fields = node.fields()?.into_iter();
            Some(fields.map(|(_, value)| value).collect())
        }),
        _ => None,
    };
    let numbers = values.filter(|values| values.len() > 1 && values.iter().all(is_number));
    match numbers {
        Some(numbers) => format!("write {name}: ({})", joined(numbers)),
        None => format!("write numbers in parentheses, for example {name}: (1, 2)"),
    }
}

/// The one number in parentheses or brackets.
pub(super) fn lone_number(node: Node<'_>) -> Option<&str> {
    let values = match node.kind() {
        NodeKind::List => node.items(),
        NodeKind::Parentheses => node.tuple(),
        _ => None,
    };
    match values?[..] {
        [one] if is_number(&one) => Some(one.text),
        _ => None,
    }
}

fn is_number(node: &Node<'_>) -> bool {
    node.leaf::<f32>().is_some()
}

/// How values without names are written, given the fields that are known; `case` is the word before
/// their parentheses, if there is one.
pub(super) fn fields(case: &str, node: Node<'_>, known: &[KnownField]) -> String {
    let needed = known.iter().filter(|(_, example)| example.is_some());
    let others = known.iter().filter(|(_, example)| example.is_none());
    let known: Vec<KnownField> = needed.chain(others).copied().collect();
    let named = match node.kind() {
        NodeKind::Parentheses => match node.tuple() {
            Some(values) => by_order(&values, &known),
            None => None,
        },
        form => by_form(form, &known).map(|name| format!("{name}: {}", node.text)),
    };
    let names: Vec<String> = known.iter().take(2).map(|(name, _)| format!("{name}: …")).collect();
    let short = match &names[..] {
        [] => "write (name: value, …)".to_owned(),
        names => format!("write {case}({})", names.join(", ")),
    };
    named.map_or(short.clone(), |named| or(format!("write {case}({named})"), &short))
}

/// The field that a single value was likely meant for.
fn by_form(form: NodeKind, known: &[KnownField]) -> Option<&'static str> {
    let likely: &[&str] = match form {
        NodeKind::Text => &["script", "name", "color"],
        NodeKind::List => &["points"],
        NodeKind::Number | NodeKind::Word => return known.first().map(|(name, _)| *name),
        NodeKind::Map | NodeKind::Parentheses => &[],
    };
    let mut names = known.iter().map(|(name, _)| *name);
    names.find(|name| likely.contains(name))
}

/// Values by the order of the fields. Where a field takes numbers in parentheses and plain numbers
/// stand, it takes as many as its example has.
fn by_order(values: &[Node<'_>], known: &[KnownField]) -> Option<String> {
    let mut left = values;
    let mut named = Vec::new();
    for (name, example) in known {
        let Some(first) = left.first() else { break };
        let example = example.filter(|example| example.starts_with('('));
        let count = example.map_or(1, |example| example.split(',').count());
        if count > 1 && is_number(first) {
            let (numbers, rest) = left.split_at_checked(count)?;
            if !numbers.iter().all(is_number) {
                return None;
            }
            named.push(format!("{name}: ({})", joined(numbers.iter().copied())));
            left = rest;
        } else {
            named.push(format!("{name}: {}", first.text));
            left = &left[1..];
        }
    }
    (left.is_empty() && !named.is_empty()).then(|| named.join(", "))
}

/// How fields without the parentheses of their item are written.
pub(super) fn item(parts: &[(Option<Node<'_>>, Node<'_>)]) -> String {
    let field = |(name, value): &(Option<Node<'_>>, Node<'_>)| match name {
        Some(name) => format!("{}: {}", name.text, value.text),
        None => value.text.to_owned(),
    };
    let mut items: Vec<Vec<String>> = Vec::new();
    let mut names = Vec::new();
    for part in parts {
        let name = part.0.map(|name| name.text);
        if let Some(item) = items.last_mut().filter(|_| !names.contains(&name)) {
            item.push(field(part));
        } else {
            // A name for the second time begins the next item.
            names.clear();
            items.push(vec![field(part)]);
        }
        names.push(name);
    }
    let items: Vec<String> = items.iter().map(|fields| format!("({})", fields.join(", "))).collect();
    or(format!("write [{}]", items.join(", ")), "write [( … )]")
}

/// Values that follow that of a field without a name of their own, as in `size: 800, 600`: the field,
/// where all of its values stand, and how they are written.
pub(super) fn run_on<'a>(parts: &[(Option<Node<'a>>, Node<'a>)]) -> Option<(&'a str, Range<usize>, String)> {
    let bare = parts.iter().position(|(name, _)| name.is_none())?;
    let named = bare.checked_sub(1)?;
    let name = parts[named].0?.text;
    let after = &parts[named..];
    let next = after[1..].iter().position(|(name, _)| name.is_some());
    let values: Vec<Node<'_>> =
        after[..next.map_or(after.len(), |next| next + 1)].iter().map(|(_, value)| *value).collect();
    let written = if values.iter().all(is_number) {
        format!("write {name}: ({})", joined(values.iter().copied()))
    } else if values.iter().all(|value| value.kind() == values[0].kind()) {
        let whole = format!("write {name}: [{}]", joined(values.iter().copied()));
        or(whole, &format!("write {name}: [ … ]"))
    } else {
        return None;
    };
    let last = values.last()?;
    Some((name, values[0].start..last.range().end, written))
}
