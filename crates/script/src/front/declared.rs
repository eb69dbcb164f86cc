//! Declarations of the API for the language service, generated from the registered functions.

use std::sync::LazyLock;

use rhai::FuncMetadata;

use crate::api::{self, CallForm, Function};
use crate::interpret::{engine, functions};
use crate::syntax::text::is_name;
use crate::types::{Kind, shown};

/// A function, property or operator of the API or of the script engine.
#[derive(Clone, Debug)]
pub struct Declared {
    form: CallForm,
    /// Its name.
    pub name: String,
    /// Names and types of the parameters, the receiver first.
    pub params: Vec<(String, &'static str)>,
    /// The type of its result; `()` for none.
    pub returns: &'static str,
    about: Vec<String>,
}

/// All declarations, sorted.
static DECLARED: LazyLock<Vec<Declared>> = LazyLock::new(declared);

/// Returns everything that scripts can call, sorted by form and name; operators and setters are left out.
pub fn api() -> impl Iterator<Item = &'static Declared> {
    DECLARED.iter().filter(|one| matches!(one.form, CallForm::Property | CallForm::Function))
}

/// Returns all declarations without duplicates, sorted: the rows of the API and the functions of the script engine.
#[allow(clippy::disallowed_methods, reason = "they are sorted here")]
fn declared() -> Vec<Declared> {
    let rows = api::functions().iter().filter(|row| row.form != CallForm::Index && !row.is_of_the_engine);
    let mut all: Vec<_> = rows.flat_map(Declared::of_row).collect();
    let collected = |info: rhai::FuncInfo<'_>| Declared::of_engine(info.metadata);
    all.extend(engine::engine().collect_fn_metadata(None, collected, true));
    all.sort_by_cached_key(|one| (one.form, one.name.clone(), one.line()));
    all.dedup_by(|one, other| one.line() == other.line());
    let narrow: Vec<bool> = all.iter().map(|one| one.is_narrow(&all)).collect();
    let mut narrow = narrow.into_iter();
    all.retain(|_| !narrow.next().unwrap_or_default());
    all
}

impl Declared {
    /// Declares a row. One that accepts any unit is declared for `me`, too.
    fn of_row(row: &Function) -> Vec<Self> {
        let first = match row.receiver() {
            Kind::Unit => &[Kind::Me, Kind::Unit][..],
            _ => &[Kind::Never],
        };
        let one = |first: &Kind| {
            let mut params: Vec<_> =
                (row.params.iter()).map(|(name, kind)| ((*name).to_owned(), editor_name(*kind))).collect();
            if *first != Kind::Never {
                params[0].1 = first.name();
            }
            let about = (!row.about.is_empty()).then(|| format!("/// {}", row.about));
            Self {
                form: row.form,
                name: row.name.to_owned(),
                params,
                returns: if row.form == CallForm::Setter { "()" } else { editor_name(row.returns.kind) },
                about: about.into_iter().collect(),
            }
        };
        first.iter().map(one).collect()
    }

    /// Declares a function of the engine; `None` for rows of the API and for functions that scripts cannot call
    /// because a parameter has a kind without values.
    fn of_engine(function: &FuncMetadata) -> Option<Self> {
        // Internal functions have names that scripts cannot write.
        if function.name.contains(' ') {
            return None;
        }
        let (form, name) = match function.name.split_once('$') {
            Some(("get", name)) => (CallForm::Property, name),
            Some(("set", name)) => (CallForm::Setter, name),
            // Scripts call them with brackets.
            Some(_) => return None,
            None if is_name(&function.name) => (CallForm::Function, function.name.as_str()),
            None => (CallForm::Operator, function.name.as_str()),
        };
        let is_row = |(row, params): &(String, Vec<_>)| {
            let row = row.as_str() == function.name.as_str();
            row && params[..] == function.param_types[..]
        };
        if functions::REGISTERED.iter().any(is_row) {
            return None;
        }
        let kinds = function.param_types.iter().map(|kind| Kind::from_type_id(*kind).map(editor_name));
        let kinds: Vec<_> = kinds.collect::<Option<_>>()?;
        let names = (0..kinds.len()).map(|at| parameter(function, at));
        // Only the first paragraph of the engine's comments: the examples after it call `print`, which is not available.
        let lines = function.comments.iter().flat_map(|lines| lines.lines());
        let about = lines.take_while(|line| line.trim() != "///");
        Some(Self {
            form,
            name: name.to_owned(),
            returns: match Kind::named(&function.return_type) {
                Some(kind) => editor_name(kind),
                None if function.return_type.is_empty() => "()",
                None => "?",
            },
            params: names.zip(kinds).collect(),
            about: about.map(str::to_owned).collect(),
        })
    }

    /// Returns true if another overload has floats where this one has integers, and the same result.
    fn is_narrow(&self, all: &[Self]) -> bool {
        let is_wider = |other: &Self| {
            let mut pairs = self.params.iter().zip(&other.params);
            (self.form, &self.name, self.returns) == (other.form, &other.name, other.returns)
                && self.params.len() == other.params.len()
                && pairs.all(|((_, own), (_, other))| own == other || (*own, *other) == ("int", "float"))
                && self.line() != other.line()
        };
        all.iter().any(is_wider)
    }

    /// Returns true for `value.name`.
    pub fn is_property(&self) -> bool {
        self.form == CallForm::Property
    }

    /// Returns the type of the value before the dot, or of the first argument of a plain call.
    pub fn receiver(&self) -> Option<&'static str> {
        self.params.first().map(|(_, kind)| *kind)
    }

    /// Returns its description.
    pub fn about(&self) -> String {
        let lines: Vec<_> = self.about.iter().map(|line| line.trim_start_matches('/').trim()).collect();
        lines.join("\n")
    }

    /// Returns its syntax with types: `list.within(r: number) -> List` or, called plainly, `abs(x: number) -> number`.
    pub fn signature(&self, is_method: bool) -> String {
        let one = |(name, kind): &(String, &'static str)| format!("{name}: {}", shown(kind));
        let result = match self.returns {
            "()" | "?" => String::new(),
            kind => format!(" -> {}", shown(kind)),
        };
        let Some((receiver, _)) = self.params.first().filter(|_| is_method || self.is_property()) else {
            let params: Vec<_> = self.params.iter().map(one).collect();
            return format!("{}({}){result}", self.name, params.join(", "));
        };
        if self.is_property() {
            return format!("{receiver}.{}: {}", self.name, shown(self.returns));
        }
        let params: Vec<_> = self.params[1..].iter().map(one).collect();
        format!("{receiver}.{}({}){result}", self.name, params.join(", "))
    }

    fn line(&self) -> String {
        let word = match self.form {
            CallForm::Property => "fn get ",
            CallForm::Setter => "fn set ",
            CallForm::Function => "fn ",
            CallForm::Operator | CallForm::Index => "op ",
        };
        let parameter = |(name, kind): &(String, &str)| match self.form {
            CallForm::Operator => (*kind).to_owned(),
            _ => format!("{name}: {kind}"),
        };
        let params: Vec<_> = self.params.iter().map(parameter).collect();
        let result = if self.returns == "()" { String::new() } else { format!(" -> {}", self.returns) };
        format!("{word}{}({}){result};", self.name, params.join(", "))
    }
}

/// Returns a parameter's name.
fn parameter(function: &FuncMetadata, at: usize) -> String {
    let info = function.params_info.get(at);
    let name = info.and_then(|info| info.split([':', ' ']).next());
    match name.filter(|name| is_name(name) && *name != "_") {
        Some(name) => name.to_owned(),
        None if at == 0 => "it".to_owned(),
        None => "value".to_owned(),
    }
}

/// Returns the editor's name of a kind: built-in types have their own.
fn editor_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Array => "Array",
        Kind::Map => "Map",
        kind if kind.is_text() => "String",
        kind => kind.name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NoLibrary, Script};

    #[test]
    fn declared_functions_can_be_called() {
        let functions = declared();
        let functions: Vec<_> = (functions.iter()).filter(|one| one.form == CallForm::Function).collect();
        assert!(functions.len() > 50, "{functions:#?}");
        let compiled = |name: &str, params: usize| {
            let names: Vec<_> = (0..params).map(|at| format!("a{at}")).collect();
            let names = names.join(", ");
            let text = format!("fn steer(me, world) {{ () }}\nfn f({names}) {{ {name}({names}) }}");
            Script::reviewed("a.rhai", &text, &NoLibrary, false)
        };
        for name in ["print", "eval", "nothing_like_it"] {
            assert!(compiled(name, 1).is_err(), "{name}");
        }
        for function in functions {
            // `param` is only allowed at the top level.
            if function.name != "param" {
                let script = compiled(&function.name, function.params.len());
                assert!(script.is_ok(), "{}: {script:?}", function.line());
            }
        }
    }

    #[test]
    fn kinds_have_user_names_and_overloads_are_unique() {
        let mut lines: Vec<_> = declared().iter().map(Declared::line).collect();
        for line in [
            "fn get position(unit: Me) -> Vector;",
            "fn get neighbors(me: Me) -> List;",
            "fn set x(v: Vector, x: float);",
            "fn get nearest(list: List) -> Unit;",
            "fn sin(x: float) -> float;",
            "fn abs(x: int) -> int;",
            "fn clamp(x: int, least: int, most: int) -> int;",
            "fn draw_line(me: Me, a: Vector, b: Vector);",
            "fn is(unit: Unit, kind: String) -> bool;",
            "fn param(default: ?, least: ?, most: ?) -> ?;",
            "op *(float, Vector) -> Vector;",
        ] {
            assert!(lines.iter().any(|it| it == line), "{line}\n{lines:#?}");
        }
        for word in ["print", "debug", "eval", "Fn(", "call", "curry", "Result", "Vec3", "$", "sin(x: int)"] {
            assert!(!lines.iter().any(|it| it.contains(word)), "{word}\n{lines:#?}");
        }
        let all = lines.len();
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), all);
    }
}
