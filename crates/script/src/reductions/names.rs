//! Infers properties of a function's variables that hold at all of their uses.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTFlags, Expr, Stmt};

use crate::api::{self, Function, ListRole};
use crate::interpret::loop_order::Place;
use crate::syntax::chain::{Link, unroll};
use crate::syntax::text::place;
use crate::syntax::tree::Body;
use crate::syntax::values::{self, Value};
use crate::types::Kind;

/// The maximum number of passes over the variables of a function.
const MAX_PASSES: usize = 32;

/// The declarations of a file that the rule needs.
pub(super) struct File<'a> {
    bodies: &'a [Body],
    /// Top-level constants that are numbers, bools or vectors.
    constants: BTreeSet<&'a str>,
}

impl<'a> File<'a> {
    pub(super) fn new(ast: &'a AST, bodies: &'a [Body]) -> Self {
        let mut file = Self { bodies, constants: BTreeSet::from(["PI", "TAU"]) };
        for statement in ast.statements() {
            if let Stmt::Var(parts, flags, _) = statement
                && flags.contains(ASTFlags::CONSTANT)
                && file.is_numeric(&parts.1, &file.constants)
            {
                file.constants.insert(parts.0.name.as_str());
            }
        }
        file
    }

    pub(super) fn function(&self, name: &str, parameters: usize) -> Option<&'a Body> {
        self.bodies.iter().find(|body| body.name == name && body.parameters.len() == parameters)
    }

    fn is_own(&self, name: &str) -> bool {
        self.bodies.iter().any(|body| body.name == name)
    }

    /// Returns true if an expression can only be a number, a bool or a vector, provided the `known` variables are.
    fn is_numeric(&self, expr: &Expr, known: &BTreeSet<&str>) -> bool {
        let all = |args: &[Expr]| args.iter().all(|argument| self.is_numeric(argument, known));
        match expr {
            Expr::BoolConstant(..)
            | Expr::IntegerConstant(..)
            | Expr::FloatConstant(..)
            | Expr::And(..)
            | Expr::Or(..) => true,
            Expr::Variable(variable, ..) => variable.2.is_empty() && known.contains(variable.1.as_str()),
            // A choice parameter is a text.
            Expr::FnCall(call, _) if call.op_token.is_some() || call.name == "param" => {
                call.args.first().is_some_and(|first| self.is_numeric(first, known))
                    && (call.op_token.is_none() || all(&call.args))
            }
            Expr::FnCall(call, _) => call.namespace.is_empty() && self.gives_numbers(&call.name),
            Expr::Dot(..) => unroll(expr).1.last().is_some_and(|step| match step.link {
                Link::Property(name) => self.gives_numbers(name),
                Link::Method(call) => self.gives_numbers(&call.name),
                Link::Index(_) => false,
            }),
            _ => false,
        }
    }

    /// Returns true if all rows of this name return numbers, bools or vectors.
    fn gives_numbers(&self, name: &str) -> bool {
        let mut rows = api::named(name).peekable();
        let is_one = |kind| matches!(kind, Kind::Number | Kind::Integer | Kind::Bool | Kind::Vector);
        !self.is_own(name)
            && rows.peek().is_some()
            && rows.all(|row| is_one(row.returns.kind) && !row.returns.maybe)
    }
}

/// Properties of the variables of a function.
pub(super) struct Names<'a> {
    /// The name of the deciding unit.
    me: Option<&'a str>,
    /// Variables that are lists of units from the grid.
    lists: BTreeSet<&'a str>,
    /// Variables that are always a number, a bool or a vector.
    numeric: BTreeSet<&'a str>,
}

impl<'a> Names<'a> {
    pub(super) fn new(body: &'a Body, file: &File<'a>) -> Self {
        let mut values = values::of_names(body);
        // Only functions of the script may modify `this`.
        values.retain(|_, values| {
            values.retain(|value| !matches!(value, Value::Called(call) if !file.is_own(&call.name)));
            !values.is_empty()
        });
        let is_steer = body.name == "steer" && body.parameters.len() == 2;
        let mut parameters = body.parameters.iter().map(String::as_str);
        let me = if is_steer { parameters.next() } else { parameters.find(|name| *name == "me") };
        let me = me.filter(|me| matches!(values[me][..], [Value::Parameter]));
        let mut names = Self { me, lists: BTreeSet::new(), numeric: numeric(&values, file) };
        for (name, values) in &values {
            if let [Value::Declared(value)] = values[..]
                && names.list(value).is_ok()
            {
                names.lists.insert(*name);
            }
        }
        names
    }

    pub(super) fn is_numeric(&self, name: &str) -> bool {
        self.numeric.contains(name)
    }

    /// Returns the position of the last name of a list from the grid, else the reason why the loop cannot choose its
    /// order.
    pub(super) fn list(&self, list: &Expr) -> Result<Place, String> {
        let unseen = || {
            let lists = "`neighbors`, `others`, `enemies`, `see(…)` or `within(…)` of these";
            format!("it does not go through {lists}")
        };
        let (root, steps) = unroll(list);
        let Expr::Variable(variable, _, position) = root else {
            return Err(unseen());
        };
        let name = Some(variable.1.as_str()).filter(|_| variable.2.is_empty());
        let is_me = name.is_some() && name == self.me;
        let mut is_list = name.is_some_and(|name| self.lists.contains(name));
        let mut last = *position;
        for (index, step) in steps.iter().enumerate() {
            let (name, takes) = match step.link {
                Link::Property(name) => (name, 1),
                Link::Method(call) => (call.name.as_str(), 1 + call.args.len()),
                Link::Index(_) => return Err(unseen()),
            };
            let is_row =
                |is: fn(&Function) -> bool| api::named(name).any(|row| row.params.len() == takes && is(row));
            let is_part = is_list && is_row(|row| row.list == ListRole::Part);
            let is_source = || index == 0 && is_me && is_row(|row| row.list.is_from_grid());
            is_list = !step.is_optional && (is_part || is_source());
            if !is_list {
                return Err(unseen());
            }
            last = step.at;
        }
        place(last).filter(|_| is_list).ok_or_else(unseen)
    }
}

/// Returns the names that are always a number, a bool or a vector: removes names with another value from the set of all
/// names until it is stable.
fn numeric<'a>(values: &BTreeMap<&'a str, Vec<Value<'a>>>, file: &File<'a>) -> BTreeSet<&'a str> {
    // A variable may shadow a constant.
    let mut known = file.constants.clone();
    known.extend(values.keys());
    for _ in 0..MAX_PASSES {
        let is_numeric = |value: &Value<'_>| match value {
            Value::Declared(value) | Value::Assigned(value) => file.is_numeric(value, &known),
            Value::Changed(_) => true,
            Value::Parameter | Value::Called(_) | Value::Unknown => false,
        };
        let all = |name: &&str| values.get(name).is_none_or(|values| values.iter().all(is_numeric));
        let still = known.iter().copied().filter(all).collect();
        if known == still {
            return known;
        }
        known = still;
    }
    BTreeSet::new()
}
