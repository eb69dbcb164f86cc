//! Reading of numbers that may differ by unit.

use steerbox_core::world::Distribution;

use crate::{
    bounds::Bounds,
    fields::Fields,
    node::{Node, NodeKind},
    reader::Reader,
    words::shown,
};

/// Returns true for a distribution, even a faulty one.
pub(super) fn is_named(node: Node<'_>) -> bool {
    node.kind() == NodeKind::Word && Distribution::CASES.contains(&node.word().0.text)
}

/// Returns true for a value that is read as a distribution: a word, but neither a number nor a bool.
pub(super) fn is_written(node: Node<'_>) -> bool {
    node.kind() == NodeKind::Word && node.leaf::<f32>().is_none() && node.leaf::<bool>().is_none()
}

/// Reads a number or a distribution whose mean, ends and choices are within `bounds`; `what` has its cases.
pub(super) fn number<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    (name, bounds): (&str, Bounds),
    what: &'static str,
) -> Option<Distribution> {
    if !is_written(node) {
        reader.record_choice(node, what);
        return reader.number(node, name, bounds).map(Distribution::Constant);
    }
    match read(reader, node, bounds, what)? {
        Distribution::Switches(_) => {
            reader.fault(node, format!("`{name}` must be a number, not {}", shown(node)));
            None
        }
        distribution => Some(distribution),
    }
}

/// Reads a distribution whose mean, ends and choices are within `bounds`.
pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    bounds: Bounds,
    what: &'static str,
) -> Option<Distribution> {
    reader.record_choice(node, what);
    let (word, arguments) = node.word();
    let Some(names) = Distribution::numbers(word.text) else {
        if word.text == "Choice" {
            return choice(reader, node, bounds);
        }
        let _ = Fields::case(reader, node, what);
        return None;
    };
    let parts = arguments.and_then(|node| node.parts('(')).unwrap_or_default();
    let nodes: Vec<_> = parts.iter().map(|(_, value)| *value).collect();
    let is_named = parts.iter().any(|(name, _)| name.is_some());
    let numbers = nodes.iter().zip(names).map(|(node, name)| {
        let bounds = match (word.text, name) {
            (_, "deviation") => Bounds::NotNegative,
            ("LogNormal", _) => Bounds::Above,
            _ => bounds,
        };
        reader.number(*node, name, bounds)
    });
    let numbers: Vec<_> = numbers.collect();
    if is_named || nodes.len() != names.len() {
        let case = word.text;
        let message = Distribution::needs(names, case);
        let text = match nodes[..] {
            [one] => one.text.to_owned(),
            [one, other] => format!("{case}({}, {})", one.text, other.text),
            _ => {
                reader.fault_help(node.head(), message, format!("for example {case}(2, 4)"));
                return None;
            }
        };
        let help =
            if nodes.len() == 1 { format!("write {text} for all units") } else { format!("write {text}") };
        reader.fault_write(node, message, Some(help), text);
        return None;
    }
    let [Some(first), Some(second)] = numbers[..] else {
        return None;
    };
    match word.text {
        "Normal" => Some(Distribution::Normal { mean: first, deviation: second }),
        "LogNormal" => Some(Distribution::LogNormal { mean: first, deviation: second }),
        _ if first > second => {
            let message = format!("`least` must not be above `most`, as {first} is above {second}");
            let (least, most) = (nodes[1].text, nodes[0].text);
            let write = format!("Uniform({least}, {most})");
            reader.fault_write(node, message, Some(format!("write {write}")), write);
            None
        }
        _ => Some(Distribution::Uniform { least: first, most: second }),
    }
}

/// Reads `Choice([value, …])` of numbers or switches.
fn choice<'a>(reader: &mut Reader<'a>, node: Node<'a>, bounds: Bounds) -> Option<Distribution> {
    let (_, arguments) = node.word();
    let parts = arguments.and_then(|node| node.parts('(')).unwrap_or_default();
    let items = match parts[..] {
        [(None, list)] if list.kind() == NodeKind::List => list.items().unwrap_or_default(),
        _ => {
            let values: Vec<_> = parts.iter().map(|(_, value)| value.text).collect();
            let message = Distribution::NO_LIST;
            if values.is_empty() || parts.iter().any(|(name, _)| name.is_some()) {
                reader.fault(node, message);
            } else {
                let text = format!("Choice([{}])", values.join(", "));
                reader.fault_write(node, message, Some(format!("write {text}")), text);
            }
            return None;
        }
    };
    if items.is_empty() {
        reader.fault(node, Distribution::EMPTY);
        return None;
    }
    if let Some(text) = items.iter().find(|item| item.kind() == NodeKind::Text) {
        let message = "units draw numbers or switches, not texts";
        let help = "declare a number or a switch in the script, and select by it";
        reader.fault_help(*text, message, help);
        return None;
    }
    let switches: Option<Vec<bool>> = items.iter().map(|item| item.leaf()).collect();
    if let Some(switches) = switches {
        return Some(Distribution::Switches(switches));
    }
    let numbers = items.iter().map(|item| reader.number(*item, "Choice", bounds));
    let numbers: Vec<_> = numbers.collect();
    numbers.into_iter().collect::<Option<_>>().map(Distribution::Choice)
}
