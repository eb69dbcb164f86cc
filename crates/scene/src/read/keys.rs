//! Reading of key bindings.

use std::collections::BTreeSet;

use steerbox_core::world::NamedView;

use crate::{
    about::about_case,
    bounds::Bounds,
    fields::Fields,
    node::{Node, NodeKind},
    parts::Thing,
    plan::{KeyAction, KeyPlan},
    reader::Reader,
    words::{quoted, shown},
};

/// The thing that has the cases.
const WHAT: &str = "what a key does";

/// Reads the map of key bindings; invalid ones are omitted.
pub(super) fn keys<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    views: &[NamedView],
    scripts: &BTreeSet<&str>,
) -> Vec<KeyPlan> {
    let entries = reader.map(node, "keys");
    let keys = entries.into_iter().filter_map(|(name, key, node)| {
        let mut letters = key.chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else {
            reader.fault_help(name, "a key is one letter or digit", "write \"C\"");
            return None;
        };
        if !letter.is_ascii_alphanumeric() {
            let message = format!("{} is not a key for a scene", quoted(&key));
            reader.fault_help(name, message, "take a letter from A to Z, or a digit");
            return None;
        }
        Some(KeyPlan { key: letter.to_ascii_uppercase(), action: action(reader, node, views, scripts)? })
    });
    keys.collect()
}

fn action<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    views: &[NamedView],
    scripts: &BTreeSet<&str>,
) -> Option<KeyAction> {
    reader.record_choice(node, WHAT);
    let (word, arguments) = node.word();
    let value = arguments.and_then(Node::tuple);
    let value = value.as_deref().and_then(|parts| match parts {
        [one] => Some(*one),
        _ => None,
    });
    match (word.text, value) {
        ("NoView", _) if arguments.is_none() => Some(KeyAction::View(None)),
        ("View", Some(value)) => {
            let names = views.iter().map(|view| view.name.as_str());
            let at = reader.declared((value, "View"), Thing::View, names)?;
            Some(KeyAction::View(Some(at)))
        }
        ("Switch", Some(value)) if value.kind() == NodeKind::List => {
            let items = reader.list(value, "Switch");
            let names = items.into_iter().map(|item| used(reader, item, scripts));
            names.collect::<Option<_>>().map(KeyAction::Switch)
        }
        ("Switch", Some(value)) => {
            let name = used(reader, value, scripts)?;
            Some(KeyAction::Switch(vec![name]))
        }
        ("Speed", Some(value)) => {
            let factor = reader.number(value, "Speed", Bounds::Between(0.01, 100.0))?;
            Some(KeyAction::Speed(factor))
        }
        (case, _) if about_case(WHAT, case).is_some() => {
            let message = match arguments {
                Some(arguments) => format!("`{case}` does not take {}", shown(arguments)),
                None => format!("`{case}` needs a value"),
            };
            let help = "write View(\"wide\"), NoView, Switch(\"chase\"), Switch([\"lead\", \"chase\"]) or Speed(1.25)";
            reader.fault_help(node.head(), message, help);
            None
        }
        _ => {
            let _ = Fields::case(reader, node, WHAT);
            None
        }
    }
}

/// Reads the name of a script that a group uses.
fn used<'a>(reader: &mut Reader<'a>, node: Node<'a>, scripts: &BTreeSet<&str>) -> Option<String> {
    reader.record_use(node, Thing::Rule);
    let name = reader.name(node, "script")?;
    if scripts.contains(name.as_str()) || reader.is_lost(&["groups", "player"]) {
        return Some(name);
    }
    let message = format!("no group runs the script {}", quoted(&name));
    reader.unknown(node, message, &name, scripts.iter().copied());
    None
}
