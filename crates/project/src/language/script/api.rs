//! The table of the API as editors show it.

use steerbox_core::text::Name;
use steerbox_script::{Declared, api};

/// Kinds whose functions are methods: they are not completed as plain calls.
const OBJECTS: [&str; 11] =
    ["Unit", "Me", "List", "World", "Obstacle", "ObstacleList", "Path", "Field", "Hit", "Memory", "Turn"];

/// Returns the properties and methods of a kind of value; those of every kind if it is unknown.
pub(super) fn members(receiver: Option<&str>) -> impl Iterator<Item = &'static Declared> {
    let mut known: Vec<(&str, bool)> = Vec::new();
    let members = api().filter(move |one| match (one.receiver(), receiver) {
        (Some(kind), Some(receiver)) => kind == receiver || (receiver == "int" && kind == "float"),
        (Some(kind), None) => OBJECTS.contains(&kind) || kind == "Vector",
        (None, _) => false,
    });
    members.filter(move |one| {
        let key = (one.name.as_str(), one.is_property());
        let is_new = !known.contains(&key);
        known.push(key);
        is_new
    })
}

/// Returns the functions that are called plainly, each name once.
pub(super) fn plain() -> impl Iterator<Item = &'static Declared> {
    let mut known: Vec<&str> = Vec::new();
    let is_plain = |one: &&Declared| !one.receiver().is_some_and(|kind| OBJECTS.contains(&kind));
    api().filter(|one| !one.is_property()).filter(is_plain).filter(move |one| {
        let is_new = !known.contains(&one.name.as_str());
        known.push(&one.name);
        is_new
    })
}

/// Returns the rows that a name of the API denotes.
pub(super) fn rows(name: &Name) -> Vec<&'static Declared> {
    let Name::Api { receiver, name } = name else {
        return Vec::new();
    };
    let named: Vec<_> = api().filter(|one| one.name == *name).collect();
    let of_receiver = |one: &&&Declared| receiver.is_none_or(|kind| one.receiver() == Some(kind));
    let fitting: Vec<_> = named.iter().filter(of_receiver).copied().collect();
    if fitting.is_empty() { named } else { fitting }
}

/// Returns true if a row is called as a method: its first parameter is an object.
pub(super) fn is_method(row: &Declared) -> bool {
    row.receiver().is_some_and(|kind| OBJECTS.contains(&kind))
}

/// Returns the arguments of a call as a snippet with a tab stop for each: `(${1:radius})$0`.
pub(super) fn arguments<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let stops: Vec<_> = names.enumerate().map(|(index, name)| format!("${{{}:{name}}}", index + 1)).collect();
    format!("({})$0", stops.join(", "))
}
