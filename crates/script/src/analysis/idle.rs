//! Parameters without an effect: under the current choices and switches, no reached code reads them.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTNode, Expr, Scope, Stmt};
use steerbox_core::diagnostics::caught;
use steerbox_core::world::ParamValue;

use crate::checks::functions::RELOADED;
use crate::checks::handlers::Handler;
use crate::front::imports;
use crate::front::script::Script;
use crate::interpret::constants;
use crate::interpret::engine;
use crate::interpret::environment::Environment;
use crate::param::{Param, ParamRange};
use crate::syntax::tree;
use crate::typed;
use crate::types::{Kind, Type};

/// The maximum number of other values of choices and switches that are tried to find a reason.
const MAX_TRIED: usize = 24;

/// A parameter whose value currently has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdleParam {
    /// Its name.
    pub name: String,
    /// The change that would give it an effect: a sentence without its subject.
    pub reason: String,
}

/// Values of parameters by name.
type Values = [(String, ParamValue)];

impl Param {
    /// Returns true for a choice or a switch, which select branches of a script.
    fn selects(&self) -> bool {
        matches!(self.range, ParamRange::Choice(_) | ParamRange::Switch)
    }

    /// Returns every value of a choice or a switch.
    fn choices(&self) -> Vec<ParamValue> {
        match &self.range {
            ParamRange::Choice(words) => words.iter().cloned().map(ParamValue::Choice).collect(),
            ParamRange::Switch => [true, false].map(ParamValue::Switch).to_vec(),
            ParamRange::Number(..) | ParamRange::Integer(..) => Vec::new(),
        }
    }
}

impl Script {
    /// Returns the values of choices and switches, which decide which parameters have an effect.
    pub fn selecting(&self, values: &Values) -> Vec<(String, ParamValue)> {
        let selects = |name: &str| self.param(name).is_some_and(Param::selects);
        values.iter().filter(|(name, _)| selects(name)).cloned().collect()
    }

    /// Returns the parameters whose values have no effect under the current choices and switches, in the order of
    /// declaration. Omits those for which the reached code is uncertain.
    pub fn idle_params(&self, values: &Values) -> Vec<IdleParam> {
        let (selecting, numbers): (Vec<&Param>, Vec<&Param>) =
            self.params.iter().partition(|it| it.selects());
        let mentions = mentions(&self.ast);
        let mut idle = Vec::new();
        // All numbers are searched together. A folded choice hides its own reads, so each is searched alone.
        for params in std::iter::once(numbers).chain(selecting.into_iter().map(|param| vec![param])) {
            let found = caught(|| self.idle_among(&params, &mentions, values));
            idle.extend(found.flatten().unwrap_or_default());
        }
        let line = |idle: &IdleParam| self.param(&idle.name).map(|param| param.line);
        idle.sort_by_key(line);
        idle
    }

    /// Returns the idle ones of `params`; `None` if the reached code is uncertain.
    fn idle_among(&self, params: &[&Param], mentions: &Mentions, values: &Values) -> Option<Vec<IdleParam>> {
        let names: BTreeSet<&str> = params.iter().map(|param| param.name.as_str()).collect();
        let read = self.read(&names, mentions, values)?;
        let idle: Vec<&str> = names.iter().copied().filter(|name| !read.contains(*name)).collect();
        if idle.is_empty() {
            return Some(Vec::new());
        }
        let tried = self.others(&names, values).map(|(param, value)| {
            let mut values = values.to_vec();
            values.retain(|(name, _)| *name != param.name);
            values.push((param.name.clone(), value.clone()));
            let read = self.read(&names, mentions, &values).unwrap_or_default();
            (param, value, read)
        });
        let tried: Vec<_> = tried.collect();
        // Code that may run under some values.
        let handlers = self.handlers.iter().map(|it| it.kind.name());
        let mentioned = closure(mentions, ["steer", RELOADED, MEMORY, TOP].into_iter().chain(handlers));
        let reason = |name: &str| {
            let counts = tried.iter().filter(|(.., read)| read.contains(name));
            self.reason(mentioned.contains(name), counts.map(|(param, value, _)| (*param, value)))
        };
        Some(idle.into_iter().map(|name| IdleParam { name: name.to_owned(), reason: reason(name) }).collect())
    }

    /// Returns every other value of each choice and switch, except those in `names`.
    fn others<'a>(
        &'a self,
        names: &'a BTreeSet<&str>,
        values: &'a Values,
    ) -> impl Iterator<Item = (&'a Param, ParamValue)> {
        let params = self.params.iter().filter(|param| !names.contains(param.name.as_str()));
        let other = |param: &'a Param| {
            let now = values.iter().find(|(name, _)| *name == param.name).map(|(_, value)| value);
            let now = now.unwrap_or(&param.default).clone();
            param.choices().into_iter().filter(move |value| *value != now).map(move |value| (param, value))
        };
        params.flat_map(other).take(MAX_TRIED)
    }

    /// Returns the reason for a parameter that has an effect only under these other values.
    fn reason<'a>(
        &self,
        is_mentioned: bool,
        counts: impl Iterator<Item = (&'a Param, &'a ParamValue)>,
    ) -> String {
        let mut by_param: Vec<(&str, Vec<String>)> = Vec::new();
        for (param, value) in counts {
            let value = value.to_string();
            match by_param.last_mut().filter(|(name, _)| *name == param.name) {
                Some((_, values)) => values.push(value),
                None => by_param.push((&param.name, vec![value])),
            }
        }
        let each = by_param.iter().map(|(name, values)| {
            let name = name.to_lowercase().replace('_', " ");
            format!("{name}: {}", values.join(" or "))
        });
        match &each.collect::<Vec<_>>()[..] {
            [] if is_mentioned && self.params.iter().any(Param::selects) => {
                "has no effect with the present choices".to_owned()
            }
            [] => "has no effect: nothing reads it".to_owned(),
            all => format!("counts only with {}", all.join(", or with ")),
        }
    }

    /// Returns the parameters among `names` that reached code reads under these values; `None` if that is uncertain.
    fn read(&self, names: &BTreeSet<&str>, mentions: &Mentions, values: &Values) -> Option<BTreeSet<String>> {
        let follows = |from: &str| closure(mentions, [from]).iter().any(|name| names.contains(name.as_str()));
        // Constants that depend on them are not folded either, so that reads of them remain visible.
        let mut scope = Scope::new();
        let (all, memory) = self.constants_and_memory(values).ok()?;
        for (name, is_constant, value) in all.iter() {
            if is_constant && !follows(name) {
                scope.push_constant_dynamic(name.to_owned(), value);
            } else {
                scope.push_dynamic(name.to_owned(), value);
            }
        }
        let ast = imports::functions_and_imports(&engine::fold(&self.ast, &scope));
        let environment = Environment {
            constants: constants::by_name(&all),
            memory,
            direct: self.direct.clone(),
            imports: self.imports.clone(),
            ..Environment::default()
        };
        let bodies = environment.bodies(&ast);
        let entries = bodies.iter().filter(|body| body.file.is_none());
        let entries = entries.filter_map(|body| {
            let arity = body.parameters.len();
            let is = |it: &&Handler| (it.kind.name(), it.arity) == (body.name.as_str(), arity);
            if let Some(handler) = self.handlers.iter().find(is) {
                return Some((body.name.as_str(), handler.arguments()));
            }
            let arguments = match (body.name.as_str(), body.parameters.len()) {
                ("steer", 2) => vec![Kind::Me.into(), Kind::World.into()],
                (RELOADED, 1) => vec![Type::ANY],
                _ => return None,
            };
            Some((body.name.as_str(), arguments))
        });
        let entries: Vec<_> = entries.collect();
        let reach = typed::reach(&bodies, &entries, &environment, &[]);
        if reach.is_partial {
            return None;
        }
        let roots = reach.constants.iter().map(String::as_str).chain([MEMORY, TOP]);
        let mut read = closure(mentions, roots);
        read.retain(|name| names.contains(name.as_str()));
        Some(read)
    }
}

/// Always reached: the initial values of the memory, and statements at the top.
const MEMORY: &str = "MEMORY";
const TOP: &str = "";

/// The names used by each top-level constant and function of a script.
type Mentions = BTreeMap<String, BTreeSet<String>>;

fn mentions(ast: &AST) -> Mentions {
    let mut all = Mentions::new();
    for statement in ast.statements() {
        let (name, node) = match statement {
            Stmt::Var(declared, ..) => (declared.0.name.as_str(), (&declared.1).into()),
            statement => (TOP, statement.into()),
        };
        let names = all.entry(name.to_owned()).or_default();
        tree::each_below(node, &mut |node| names.extend(named(node)));
    }
    for body in tree::bodies(ast, None) {
        let names = all.entry(body.name).or_default();
        tree::each_node(&body.statements, &mut |node| names.extend(named(node)));
    }
    all
}

fn named(node: ASTNode<'_>) -> Option<String> {
    match node {
        ASTNode::Expr(Expr::Variable(variable, ..)) if variable.2.is_empty() => Some(variable.1.to_string()),
        ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)) => {
            Some(call.name.to_string())
        }
        _ => None,
    }
}

/// Returns the names and everything they use, transitively.
fn closure<'a>(mentions: &Mentions, roots: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    let mut left: Vec<String> = roots.into_iter().map(str::to_owned).collect();
    let mut found = BTreeSet::new();
    while let Some(name) = left.pop() {
        if found.insert(name.clone()) {
            left.extend(mentions.get(&name).into_iter().flatten().cloned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Shelf, rows};

    const SHELF: Shelf<'_> =
        Shelf(&[("helpers", "const RATE = 2.0; fn twice(x) { x * RATE } fn none(x) { 0.0 }")]);

    const HEAD: &str = "import \"helpers\" as h;
        const FORM = param(\"turn\", [\"turn\", \"push\", \"steer\"]);
        const FIRM = param(true);
        const RATE = param(1.0, 0.0, 4.0);";

    /// Returns the reason why RATE has no effect in a script of this head and body, under FORM and FIRM.
    fn reason(head: &str, body: &str, (form, firm): (&str, bool)) -> String {
        let text = format!("{HEAD}\n{head}\nfn steer(me, world) {{ {body} }}");
        let script = Script::compile_with("a.rhai", &text, &SHELF, false);
        let script = script.unwrap_or_else(|faults| panic!("{body}: {faults:#?}"));
        let values = [
            ("FORM".to_owned(), ParamValue::Choice(form.to_owned())),
            ("FIRM".to_owned(), ParamValue::Switch(firm)),
            ("RATE".to_owned(), ParamValue::Number(3.0)),
        ];
        let idle = script.idle_params(&values).into_iter();
        idle.filter(|idle| idle.name == "RATE").map(|idle| idle.reason).collect()
    }

    #[test]
    fn a_parameter_that_no_reached_code_reads_has_no_effect() {
        for [head, body, expected] in rows(
            r#"
            ¦ if FORM == "push" { return me.heading * RATE; } 0 ¦ counts only with form: push
            ¦ if FORM != "turn" { return RATE; } 0 ¦ counts only with form: push or steer
            ¦ if FORM == "push" || !FIRM { return RATE; } 0 ¦ counts only with form: push, or with firm: false
            ¦ if FORM == "push" && !FIRM { return RATE; } 0 ¦ has no effect with the present choices
            ¦ if FORM == "turn" { return 1; } RATE ¦ counts only with form: push or steer
            ¦ switch FORM { "steer" => RATE, _ => 0 } ¦ counts only with form: steer
            ¦ switch FORM { "turn" => 0, _ => RATE } ¦ counts only with form: push or steer
            ¦ switch FIRM { true => 0, false => RATE } ¦ counts only with firm: false
            ¦ let x = if FIRM { 1.0 } else { RATE }; x ¦ counts only with firm: false
            ¦ 0 ¦ has no effect: nothing reads it
            ¦ RATE ¦
            ¦ if me.speed > 3 { RATE } else { 0.0 } ¦
            fn far(me) { RATE * me.speed } ¦ if FORM == "push" { return far(me); } 0 ¦ counts only with form: push
            fn far(me) { RATE * me.speed } ¦ far(me) ¦
            fn far(me) { RATE * me.speed } ¦ me.far() ¦
            fn far(x) { if x == () { return 0.0; } x * RATE } ¦ far(world.target) ; 1 ¦
            const HALF = RATE / 2; ¦ if FORM == "push" { HALF } else { 0.0 } ¦ counts only with form: push
            const HALF = RATE / 2; const TENTH = HALF / 5; ¦ TENTH ¦
            const MEMORY = #{ n: RATE }; ¦ 0 ¦
            const MEMORY = #{ n: 0.0 }; fn reloaded(old) { this.n = RATE; } ¦ 0 ¦
            const IS_PUSH = FORM == "push"; ¦ if IS_PUSH { RATE } else { 0.0 } ¦ counts only with form: push
            ¦ let RATE = 3; RATE ¦ has no effect with the present choices
            ¦ h::twice(me.speed) ¦ has no effect: nothing reads it
            ¦ h::twice(RATE) ¦
            ¦ let all = [RATE, 1.0]; all[1] ¦
            ¦ let all = [1.0]; if FORM == "push" { all += RATE; } all[0] ¦ counts only with form: push
            ¦ let it = #{ a: RATE }; it.a ¦
            ¦ me.draw_text(me.position, `${RATE}`); 0 ¦
            ¦ for other in me.neighbors { if FORM == "push" { return RATE; } } 0 ¦ counts only with form: push
            ¦ let x = (); x = me; x == 3; if x == me { return RATE; } 0 ¦
            "#,
        ) {
            assert_eq!(reason(&head, &body, ("turn", true)), expected, "{head} {body}");
        }
    }

    #[test]
    fn unread_choices_and_switches_have_no_effect() {
        let text = format!(
            "{HEAD}\nfn steer(me, world) {{ if FIRM {{ return 1; }} if FORM == \"push\" {{ 2 }} else {{ RATE }} }}"
        );
        let script = Script::compile_with("a.rhai", &text, &SHELF, false).unwrap();
        let idle = script.idle_params(&[]).into_iter().map(|idle| format!("{} {}", idle.name, idle.reason));
        let expected = ["FORM counts only with firm: false", "RATE counts only with firm: false"];
        assert_eq!(idle.collect::<Vec<_>>(), expected);
    }
}
