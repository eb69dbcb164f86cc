//! Reading of numbers that may differ by unit.

use crate::scene::{
    bounds::Bounds,
    distribution::Distribution,
    fields::Fields,
    node::{Node, NodeKind},
    reader::Reader,
};

const CASES: [&str; 2] = ["Normal", "Uniform"];

/// Reads a number or a distribution, none of whose parameters is negative.
pub(super) fn not_negative<'a>(reader: &mut Reader<'a>, node: Node<'a>, name: &str) -> Option<Distribution> {
    reader.record_choice(node, "a distribution", CASES.into_iter());
    let (word, arguments) = node.word();
    let names = match word.text {
        "Normal" => ["mean", "deviation"],
        "Uniform" => ["least", "most"],
        _ if node.kind() == NodeKind::Word && node.leaf::<f32>().is_none() => {
            let _ = Fields::case(reader, node, "a distribution", &CASES);
            return None;
        }
        _ => return reader.number(node, name, Bounds::NotNegative).map(Distribution::Constant),
    };
    let parts = arguments.and_then(|node| node.parts('(')).unwrap_or_default();
    let nodes: Vec<_> = parts.iter().map(|(_, value)| *value).collect();
    let is_named = parts.iter().any(|(name, _)| name.is_some());
    let numbers = nodes.iter().zip(names).map(|(node, name)| reader.number(*node, name, Bounds::NotNegative));
    let numbers: Vec<_> = numbers.collect();
    if is_named || nodes.len() != names.len() {
        let (case, [first, second]) = (word.text, names);
        let message = format!("`{case}` needs two numbers: {case}({first}, {second})");
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
