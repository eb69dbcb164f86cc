//! What there is to name, by kind of value: for checking names before a script runs.

use std::any::TypeId;
use std::sync::LazyLock;

use glam::Vec3;
use rhai::{Dynamic, FLOAT, FuncMetadata, INT, ImmutableString};

use super::api::{
    Field, Me, Obstacles, Obstructing, Remembered, Route, Turn, Unit, Units, Universe,
};
use super::engine;

/// A kind of value, as far as it is known before a script runs.
pub(super) type Kind = TypeId;

/// A function of the API.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) takes: Vec<Kind>,
    /// What it gives, if that is always the same and known.
    pub(super) gives: Option<Kind>,
}

/// Every function by name and arguments; the getter of a property is called `get$name`, its setter
/// `set$name`.
#[allow(
    clippy::disallowed_methods,
    reason = "put in order here, for everybody else"
)]
static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut entries = engine::engine().collect_fn_metadata(
        None,
        |info| {
            Some(Entry {
                name: info.metadata.name.to_string(),
                takes: info.metadata.param_types.to_vec(),
                gives: result(info.metadata),
            })
        },
        true,
    );
    entries.sort_by(|a, b| {
        let key = |entry: &Entry| (entry.takes.len(), entry.takes.clone());
        a.name.cmp(&b.name).then_with(|| key(a).cmp(&key(b)))
    });
    entries
});

/// What a function gives. What may also be `()` is taken for what it is otherwise.
pub(super) fn result(function: &FuncMetadata) -> Option<Kind> {
    let first = function.param_types.first().copied();
    match function.name.as_str() {
        "get$nearest" => return first.and_then(element),
        "get$player" => return Some(of::<Unit>()),
        "get$target" => return Some(of::<Vec3>()),
        "get$path" => return Some(of::<Route>()),
        "get$field" => return Some(of::<Field>()),
        _ => {}
    }
    // Some are named as Rust does, some as editors do.
    let words = function.return_type.split(|c: char| !c.is_alphanumeric());
    let mut words = words.rev();
    let last = words.find(|word| !["", "Box", "EvalAltResult"].contains(word));
    Some(match last? {
        "Vec3" | "Vector" => of::<Vec3>(),
        "Unit" => of::<Unit>(),
        "Units" | "List" => of::<Units>(),
        "Obstacles" | "ObstacleList" => of::<Obstacles>(),
        "Obstructing" | "Obstacle" => of::<Obstructing>(),
        "Route" | "Path" => of::<Route>(),
        "Field" => of::<Field>(),
        "Turn" => of::<Turn>(),
        "f32" | "float" | "FLOAT" => of::<FLOAT>(),
        "i64" | "int" | "INT" => of::<INT>(),
        "bool" => of::<bool>(),
        "ImmutableString" | "string" => of::<ImmutableString>(),
        _ => return None,
    })
}

fn of<T: 'static>() -> Kind {
    TypeId::of::<T>()
}

/// Every name in the API, for did-you-mean: functions, and properties without a prefix.
pub static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let names = ENTRIES.iter().map(|entry| entry.name.as_str());
    let names = names.map(|name| name.strip_prefix("get$").unwrap_or(name));
    let mut names: Vec<_> = names
        .filter(|name| is_name(name))
        .map(str::to_owned)
        .collect();
    names.sort();
    names.dedup();
    names
});

/// Whether a script's function would hijack one of the API, called plainly or as a method.
pub(super) fn is_taken(name: &str, arity: usize) -> bool {
    functions(name).any(|entry| {
        let count = entry.takes.len();
        count == arity || count == arity + 1
    })
}

/// `me`, `world`, and a point of a flow field.
pub(super) fn arguments(entry: &str) -> [Kind; 2] {
    let first = if entry == "flow" {
        of::<Vec3>()
    } else {
        of::<Me>()
    };
    [first, of::<Universe>()]
}

/// What a list of this kind holds.
pub(super) fn element(kind: Kind) -> Option<Kind> {
    if kind == of::<Units>() {
        Some(of::<Unit>())
    } else if kind == of::<Obstacles>() {
        Some(of::<Obstructing>())
    } else {
        None
    }
}

/// The kind's name for [`super::words::friendly`].
pub(super) fn name(kind: Kind) -> &'static str {
    known_name(kind).unwrap_or("a value")
}

/// The kind's name for editors, if it is one that scripts name.
pub(super) fn known_name(kind: Kind) -> Option<&'static str> {
    let names = [
        (of::<Me>(), "Me"),
        (of::<Unit>(), "Unit"),
        (of::<Units>(), "List"),
        (of::<Universe>(), "World"),
        (of::<Obstructing>(), "Obstacle"),
        (of::<Obstacles>(), "ObstacleList"),
        (of::<Route>(), "Path"),
        (of::<Field>(), "Field"),
        (of::<Turn>(), "Turn"),
        (of::<Vec3>(), "Vector"),
        (of::<Remembered>(), "Memory"),
        (of::<FLOAT>(), "float"),
        (of::<INT>(), "int"),
        (of::<bool>(), "bool"),
        (of::<ImmutableString>(), "string"),
        (of::<rhai::Array>(), "array"),
    ];
    let known = names.iter().find(|(known, _)| *known == kind);
    known.map(|(_, name)| *name)
}

/// The getter or setter (`get$` or `set$`) of a property of a kind.
pub(super) fn property(access: &str, kind: Kind, name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| {
        entry.name.strip_prefix(access) == Some(name) && entry.takes.first() == Some(&kind)
    })
}

/// Whether anything at all has this property.
pub(super) fn is_property(name: &str) -> bool {
    ENTRIES
        .iter()
        .any(|entry| entry.name.strip_prefix("get$") == Some(name))
}

/// Functions that can be called as methods of a kind, or of any where it is not known.
pub(super) fn methods(kind: Option<Kind>) -> impl Iterator<Item = &'static Entry> {
    ENTRIES.iter().filter(move |entry| {
        let takes = entry.takes.first();
        takes.is_some_and(|first| {
            kind.is_none_or(|kind| *first == kind || *first == of::<Dynamic>())
        })
    })
}

/// All functions of a name, called plainly.
pub(super) fn functions(name: &str) -> impl Iterator<Item = &'static Entry> {
    ENTRIES.iter().filter(move |entry| entry.name == name)
}

/// Every name of a kind: properties, and methods.
pub(super) fn names(kind: Option<Kind>) -> impl Iterator<Item = &'static str> {
    let names = methods(kind).map(|entry| entry.name.strip_prefix("get$").unwrap_or(&entry.name));
    names.filter(|name| is_name(name))
}

/// Every function that can be called plainly.
pub(super) fn plain_names() -> impl Iterator<Item = &'static str> {
    let names = ENTRIES.iter().map(|entry| entry.name.as_str());
    names.filter(|name| is_name(name))
}

fn is_name(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_properties_are_known() {
        let [me, world] = arguments("steer");
        let gives = |kind, name| property("get$", kind, name).and_then(|entry| entry.gives);
        assert_eq!(gives(me, "position"), Some(of::<Vec3>()));
        assert_eq!(gives(me, "neighbors"), Some(of::<Units>()));
        assert_eq!(gives(me, "speed"), Some(of::<FLOAT>()));
        assert_eq!(gives(of::<Units>(), "nearest"), Some(of::<Unit>()));
        assert_eq!(gives(world, "obstacles"), Some(of::<Obstacles>()));
        assert_eq!(gives(world, "target"), Some(of::<Vec3>()));
        assert!(property("get$", me, "len").is_none());
        assert!(property("set$", of::<Vec3>(), "x").is_some());
        assert!(property("set$", me, "position").is_none());
    }
}
