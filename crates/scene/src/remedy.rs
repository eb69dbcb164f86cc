//! Suggested fixes for values of a wrong form: the same values, correctly written.

use std::ops::Range;

use super::node::{Node, NodeKind};
use super::parts::KnownField;

/// Maximum length of a fix that repeats the user's values, in characters.
const MAX_LENGTH: usize = 70;

/// Returns `whole`, or `short` if `whole` is too long.
fn or(whole: String, short: &str) -> String {
    if whole.chars().count() <= MAX_LENGTH && !whole.contains(['\n', '\r']) {
        whole
    } else {
        short.to_owned()
    }
}

fn joined<'a>(nodes: impl IntoIterator<Item = Node<'a>>) -> String {
    let texts: Vec<&str> = nodes.into_iter().map(|node| node.text).collect();
    texts.join(", ")
}

/// Returns the correct form of field `name`, whose value must be a list.
pub(super) fn list(name: &str, node: Node<'_>) -> String {
    let empty = format!("write {name}: [ … ]");
    items(node).map_or(empty.clone(), |items| or(format!("write {name}: [{items}]"), &empty))
}

/// Returns the items of a value that must be a list.
pub(super) fn items(node: Node<'_>) -> Option<String> {
    match node.kind() {
        NodeKind::Map => None,
        NodeKind::Parentheses => match node.tuple().filter(|items| !items.is_empty()) {
            Some(items) => Some(joined(items)),
            None => Some(node.text.to_owned()),
        },
        _ => Some(node.text.to_owned()),
    }
}

/// Returns the correct form of field `name`, whose value must be a map.
pub(super) fn map(name: &str, node: Node<'_>) -> String {
    let empty = format!("write {name}: {{\"name\": …}}");
    entries(node).map_or(empty.clone(), |entries| or(format!("write {name}: {entries}"), &empty))
}

/// Returns the fields of a value as a map.
pub(super) fn entries(node: Node<'_>) -> Option<String> {
    let fields = (node.kind() == NodeKind::Parentheses).then(|| node.fields()).flatten()?;
    let entry = |(key, value): &(Node<'_>, Node<'_>)| format!("\"{}\": {}", key.text, value.text);
    let entries: Vec<String> = fields.iter().map(entry).collect();
    (!entries.is_empty()).then(|| format!("{{{}}}", entries.join(", ")))
}

/// Returns the correct form of field `name`, whose value must be numbers in parentheses.
pub(super) fn point(name: &str, node: Node<'_>) -> String {
    match numbers(node) {
        Some(numbers) => format!("write {name}: ({numbers})"),
        None => format!("write numbers in parentheses, for example {name}: (1, 2)"),
    }
}

/// Returns the numbers of a value that must be a point.
pub(super) fn numbers(node: Node<'_>) -> Option<String> {
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
    values.filter(|values| values.len() > 1 && values.iter().all(is_number)).map(joined)
}

/// Returns the single number in parentheses or brackets.
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

/// Returns the correct form of values without names, given the known fields; `case` is the word before their
/// parentheses, if any.
pub(super) fn fields(case: &str, node: Node<'_>, known: &[KnownField]) -> String {
    let known = by_need(known);
    let names: Vec<String> = known.iter().take(2).map(|(name, _)| format!("{name}: …")).collect();
    let short = match &names[..] {
        [] => "write (name: value, …)".to_owned(),
        names => format!("write {case}({})", names.join(", ")),
    };
    named(node, &known).map_or(short.clone(), |named| or(format!("write {case}({named})"), &short))
}

/// Returns the fields, the required ones first.
fn by_need(known: &[KnownField]) -> Vec<KnownField> {
    let needed = known.iter().filter(|(_, example)| example.is_some());
    let others = known.iter().filter(|(_, example)| example.is_none());
    needed.chain(others).copied().collect()
}

/// Returns values without names as fields, if they include every required one.
pub(super) fn with_names(node: Node<'_>, known: &[KnownField]) -> Option<String> {
    let known = by_need(known);
    let fields = named(node, &known)?;
    let needed = known.iter().filter(|(_, example)| example.is_some());
    let all = needed.into_iter().all(|(name, _)| fields.contains(&format!("{name}: ")));
    all.then(|| format!("({fields})"))
}

fn named(node: Node<'_>, known: &[KnownField]) -> Option<String> {
    match node.kind() {
        NodeKind::Parentheses => node.tuple().and_then(|values| by_order(&values, known)),
        form => by_form(form, known).map(|name| format!("{name}: {}", node.text)),
    }
}

/// Returns the field that a single value was probably meant for.
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

/// Assigns values to the fields in order. A field whose example is a tuple takes as many plain numbers as its example
/// has.
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

/// Returns the remedy for fields without the parentheses of their item.
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
            // A repeated name begins the next item.
            names.clear();
            items.push(vec![field(part)]);
        }
        names.push(name);
    }
    let items: Vec<String> = items.iter().map(|fields| format!("({})", fields.join(", "))).collect();
    or(format!("write [{}]", items.join(", ")), "write [( … )]")
}

/// Values after the value of a field, as in `size: 800, 600`.
pub(super) struct RunOn<'a> {
    pub(super) name: &'a str,
    /// The range of all of its values.
    pub(super) values: Range<usize>,
    pub(super) help: String,
    /// Their correct form.
    pub(super) written: String,
}

/// Detects values after the value of a field.
pub(super) fn run_on<'a>(parts: &[(Option<Node<'a>>, Node<'a>)]) -> Option<RunOn<'a>> {
    let bare = parts.iter().position(|(name, _)| name.is_none())?;
    let named = bare.checked_sub(1)?;
    let name = parts[named].0?.text;
    let after = &parts[named..];
    let next = after[1..].iter().position(|(name, _)| name.is_some());
    let values: Vec<Node<'_>> =
        after[..next.map_or(after.len(), |next| next + 1)].iter().map(|(_, value)| *value).collect();
    let all = joined(values.iter().copied());
    let (help, written) = if values.iter().all(is_number) {
        (format!("write {name}: ({all})"), format!("({all})"))
    } else if values.iter().all(|value| value.kind() == values[0].kind()) {
        let whole = format!("write {name}: [{all}]");
        (or(whole, &format!("write {name}: [ … ]")), format!("[{all}]"))
    } else {
        return None;
    };
    let values = values[0].start..values.last()?.range().end;
    Some(RunOn { name, values, help, written })
}
