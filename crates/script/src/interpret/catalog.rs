//! Names that scripts can use, by kind of value, for static checks.

use std::sync::LazyLock;

use rhai::FuncMetadata;

use crate::api;
use crate::interpret::engine;
use crate::syntax::text::is_name;
use crate::types::Kind;

/// A function of the API or of the script engine.
pub(crate) struct Entry {
    pub(crate) name: String,
    /// The kinds of its parameters; [`Kind::Never`] for kinds that scripts cannot have.
    pub(crate) params: Vec<Kind>,
    /// The kind of its result, if that is known and unique. A result that may also be `()` counts as its other kind.
    pub(crate) returns: Option<Kind>,
}

/// Every function by name and parameters; the getter of a property is called `get$name`, its setter `set$name`.
#[allow(clippy::disallowed_methods, reason = "sorted here, once for all callers")]
static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let entry = |info: rhai::FuncInfo<'_>| Some(Entry::new(info.metadata));
    let mut entries = engine::engine().collect_fn_metadata(None, entry, true);
    entries.sort_by(|a, b| {
        let key = |entry: &Entry| (entry.params.len(), entry.params.clone());
        a.name.cmp(&b.name).then_with(|| key(a).cmp(&key(b)))
    });
    entries
});

impl Entry {
    fn new(function: &FuncMetadata) -> Self {
        let kind = |id: &std::any::TypeId| Kind::from_type_id(*id).unwrap_or(Kind::Never);
        let params: Vec<_> = function.param_types.iter().map(kind).collect();
        Self { name: function.name.to_string(), returns: result(function, &params), params }
    }
}

/// Returns the kind of a function's result: from its row, or from the engine's metadata.
fn result(function: &FuncMetadata, params: &[Kind]) -> Option<Kind> {
    let (form, name) = match function.name.split_once('$') {
        Some(("get", name)) => (api::CallForm::Property, name),
        _ => (api::CallForm::Function, function.name.as_str()),
    };
    let row = api::find(form, name, params).map(|(_, row)| row.returns.kind);
    row.or_else(|| Kind::named(&function.return_type))
        .map(|kind| if kind.is_text() { Kind::Text } else { kind })
        .filter(|kind| *kind != Kind::Nothing && *kind != Kind::Any)
}

/// Every name in the API, for did-you-mean suggestions: functions, and properties without a prefix.
pub static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let names = ENTRIES.iter().map(|entry| entry.name.as_str());
    let names = names.map(|name| name.strip_prefix("get$").unwrap_or(name));
    let mut names: Vec<_> = names.filter(|name| is_name(name)).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
});

/// Returns true if a function of a script would shadow one of the API, called plainly or as a method.
pub(crate) fn is_taken(name: &str, arity: usize) -> bool {
    functions(name).any(|entry| {
        let count = entry.params.len();
        count == arity || count == arity + 1
    })
}

/// Returns the kinds of the parameters of `steer`, `flow` or `measure`.
pub(crate) fn arguments(entry: &str) -> [Kind; 2] {
    let first = match entry {
        "flow" => Kind::Vector,
        "measure" => Kind::Members,
        _ => Kind::Me,
    };
    [first, Kind::World]
}

/// Finds the getter or setter (`get$` or `set$`) of a property of a kind.
pub(crate) fn property(access: &str, kind: Kind, name: &str) -> Option<&'static Entry> {
    ENTRIES
        .iter()
        .find(|entry| entry.name.strip_prefix(access) == Some(name) && entry.params.first() == Some(&kind))
}

/// Returns true if values of any kind have this property.
pub(crate) fn is_property(name: &str) -> bool {
    ENTRIES.iter().any(|entry| entry.name.strip_prefix("get$") == Some(name))
}

/// Returns functions that can be called as methods of a kind, or of any kind if it is unknown.
pub(crate) fn methods(kind: Option<Kind>) -> impl Iterator<Item = &'static Entry> {
    ENTRIES.iter().filter(move |entry| {
        let params = entry.params.first();
        params.is_some_and(|first| kind.is_none_or(|kind| *first == kind || *first == Kind::Any))
    })
}

/// Returns all functions of a name.
pub(crate) fn functions(name: &str) -> impl Iterator<Item = &'static Entry> {
    ENTRIES.iter().filter(move |entry| entry.name == name)
}

/// Returns the kind of a call's result if all overloads that may accept these arguments agree. Only numbers and
/// integers select an overload here; [`Kind::Any`] and all other kinds are resolved at run time.
pub(crate) fn result_kind(name: &str, arguments: &[Kind]) -> Option<Kind> {
    const NUMBERS: [Kind; 2] = [Kind::Integer, Kind::Number];
    let may_take = |(params, given): (&Kind, &Kind)| {
        params == given || !(NUMBERS.contains(params) && NUMBERS.contains(given))
    };
    let fitting = functions(name).filter(|entry| entry.params.len() == arguments.len());
    let mut fitting = fitting.filter(|entry| entry.params.iter().zip(arguments).all(may_take));
    let first = fitting.next()?.returns;
    first.filter(|_| fitting.all(|entry| entry.returns == first))
}

/// Returns every name of a kind: properties and methods.
pub(crate) fn names(kind: Option<Kind>) -> impl Iterator<Item = &'static str> {
    let names = methods(kind).map(|entry| entry.name.strip_prefix("get$").unwrap_or(&entry.name));
    names.filter(|name| is_name(name))
}

/// Returns the name of every function that can be called plainly.
pub(crate) fn plain_names() -> impl Iterator<Item = &'static str> {
    let names = ENTRIES.iter().map(|entry| entry.name.as_str());
    names.filter(|name| is_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_properties_are_known() {
        let [me, world] = arguments("steer");
        let returns = |kind, name| property("get$", kind, name).and_then(|entry| entry.returns);
        assert_eq!(returns(me, "position"), Some(Kind::Vector));
        assert_eq!(returns(me, "neighbors"), Some(Kind::List));
        assert_eq!(returns(me, "speed"), Some(Kind::Number));
        assert_eq!(returns(Kind::List, "nearest"), Some(Kind::Unit));
        assert_eq!(returns(world, "obstacles"), Some(Kind::Obstacles));
        assert_eq!(returns(world, "target"), Some(Kind::Vector));
        assert!(property("get$", me, "len").is_none());
        assert!(property("set$", Kind::Vector, "x").is_some());
        assert!(property("set$", me, "position").is_none());
    }
}
