//! The kinds of a function's variables, where they are certain.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ptr;

use rhai::{AST, ASTNode, Expr, FnCallExpr, Scope, Stmt};

use crate::script::catalog;
use crate::script::chain::{Link, unroll};
use crate::script::param::Param;
use crate::script::text::Source;
use crate::script::tree::{self, Body};
use crate::script::types::Kind;
use crate::sim::{FieldKind, MemoryLayout};

/// Most times that variables are gone through until nothing changes.
const ROUNDS: usize = 8;

/// What is known of a script when it is read through.
#[derive(Clone, Copy)]
pub(in crate::script) struct Known<'a> {
    pub(in crate::script) source: Source<'a>,
    /// The syntax tree as written: nothing is folded, no branch is cut.
    pub(in crate::script) ast: &'a AST,
    /// Its constants, parameters among them.
    pub(in crate::script) scope: &'a Scope<'static>,
    /// The names of its parameters.
    pub(in crate::script) params: &'a [Param],
    pub(in crate::script) memory: &'a MemoryLayout,
    /// Whether it imports others, which may give it anything.
    pub(in crate::script) imports: bool,
}

/// The variables of a function, and their kinds as far as they are known.
pub(super) struct Kinds {
    locals: BTreeMap<String, Option<Kind>>,
    /// Names that are not always of one kind.
    unsure: BTreeSet<String>,
    /// Whether this is the function with the memory.
    pub(super) is_entry: bool,
    constants: BTreeMap<String, Kind>,
    remembered: BTreeMap<String, Kind>,
    /// The kinds of expressions, by their place in memory, once those of all variables are known: without
    /// it, a value in the middle of a large expression would be looked at from each level above it.
    cache: Option<RefCell<BTreeMap<usize, Option<Kind>>>>,
}

impl Kinds {
    pub(super) fn of(body: &Body, known: Known<'_>) -> Self {
        let is_entry = ["steer", "flow"].contains(&body.name.as_str()) && body.parameters.len() == 2;
        let constants = known.scope.iter_raw();
        let mut kinds = Self {
            locals: BTreeMap::new(),
            unsure: BTreeSet::new(),
            is_entry,
            constants: constants
                .filter_map(|(name, _, value)| Some((name.to_owned(), Kind::of(value.type_id())?)))
                .collect(),
            remembered: (known.memory.fields().iter())
                .map(|field| (field.name.clone(), Kind::of_field(field.kind)))
                .collect(),
            cache: None,
        };
        for _ in 0..ROUNDS {
            let before = kinds.unsure.len();
            kinds.locals.clear();
            kinds.parameters(body);
            tree::walk_all(&body.statements, &mut |path| kinds.declare(path));
            tree::walk_all(&body.statements, &mut |path| kinds.change(path));
            if kinds.unsure.len() == before {
                break;
            }
        }
        kinds.cache = Some(RefCell::default());
        kinds
    }

    fn parameters(&mut self, body: &Body) {
        let known = catalog::arguments(&body.name);
        for (index, name) in body.parameters.iter().enumerate() {
            let kind = known.get(index).copied().filter(|_| self.is_entry);
            self.name(name, kind);
        }
    }

    /// A declaration of a name; one that is declared as two kinds is of none.
    fn name(&mut self, name: &str, kind: Option<Kind>) {
        if self.locals.get(name).is_some_and(|known| *known != kind) {
            self.unsure.insert(name.to_owned());
        }
        let kind = kind.filter(|_| !self.unsure.contains(name));
        self.locals.insert(name.to_owned(), kind);
    }

    fn declare(&mut self, path: &[ASTNode<'_>]) {
        match path.last() {
            Some(ASTNode::Stmt(Stmt::Var(declared, ..))) => {
                let kind = self.kind(&declared.1);
                self.name(&declared.0.name, kind);
            }
            Some(ASTNode::Stmt(Stmt::For(parts, _))) => {
                let integer = Some(Kind::Integer);
                let kind = if self.counted(&parts.2.expr) {
                    integer
                } else {
                    self.kind(&parts.2.expr).and_then(Kind::element)
                };
                self.name(&parts.0.name, kind);
                if let Some(counter) = &parts.1 {
                    self.name(&counter.name, integer);
                }
            }
            Some(ASTNode::Stmt(Stmt::TryCatch(parts, _))) => {
                if let Expr::Variable(caught, ..) = &parts.expr {
                    self.name(&caught.1, None);
                }
            }
            _ => {}
        }
    }

    /// An assignment that changes a variable's kind makes it unsure.
    fn change(&mut self, path: &[ASTNode<'_>]) {
        let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last() else {
            return;
        };
        let Expr::Variable(variable, ..) = &assignment.1.lhs else {
            return;
        };
        let name = variable.1.as_str();
        let Some(Some(before)) = self.locals.get(name).copied() else {
            return;
        };
        let after = self.kind(&assignment.1.rhs);
        let keeps = match assignment.0.get_op_assignment_info() {
            Some(_) if before == Kind::Vector => true,
            Some(info) => operated(info.5, [Some(before), after]) == Some(before),
            None => after == Some(before),
        };
        if !keeps {
            self.unsure.insert(name.to_owned());
        }
    }

    /// Whether a name is declared in the function.
    pub(super) fn is_local(&self, name: &str) -> bool {
        self.locals.contains_key(name)
    }

    /// Every name that is declared in the function.
    pub(super) fn locals(&self) -> impl Iterator<Item = &str> {
        self.locals.keys().map(String::as_str)
    }

    /// The kind of a value, if it is certain.
    pub(super) fn kind(&self, expr: &Expr) -> Option<Kind> {
        let Some(cache) = &self.cache else {
            return self.worked_out(expr);
        };
        let place = ptr::from_ref(expr).addr();
        if let Some(kind) = cache.borrow().get(&place) {
            return *kind;
        }
        let kind = self.worked_out(expr);
        cache.borrow_mut().insert(place, kind);
        kind
    }

    /// How many expressions were looked at.
    #[cfg(test)]
    pub(super) fn looked_at(&self) -> usize {
        let cache = self.cache.as_ref();
        cache.map_or(0, |cache| cache.borrow().len())
    }

    fn worked_out(&self, expr: &Expr) -> Option<Kind> {
        match expr {
            // What is imported is of any kind.
            Expr::Variable(variable, ..) if variable.2.is_empty() => {
                let name = variable.1.as_str();
                let local = self.locals.get(name).copied();
                local.unwrap_or_else(|| self.constants.get(name).copied())
            }
            Expr::FloatConstant(..) => Some(Kind::Number),
            Expr::IntegerConstant(..) => Some(Kind::Integer),
            Expr::BoolConstant(..) => Some(Kind::Switch),
            Expr::StringConstant(..) => Some(Kind::Text),
            Expr::Array(..) => Some(Kind::Array),
            Expr::DynamicConstant(value, _) if value.is_array() => Some(Kind::Array),
            Expr::FnCall(call, _) => self.called(call),
            Expr::Dot(..) | Expr::Index(..) => {
                let (root, links) = unroll(expr);
                let first = (self.root(root), matches!(root, Expr::ThisPtr(_)));
                let end = links
                    .iter()
                    .fold(first, |(kind, is_this), step| (self.follow(kind, is_this, step.link), false));
                end.0
            }
            _ => None,
        }
    }

    /// The kind that a chain begins with.
    pub(super) fn root(&self, root: &Expr) -> Option<Kind> {
        self.kind(root)
    }

    /// The kind that a link leads to.
    pub(super) fn follow(&self, kind: Option<Kind>, is_this: bool, link: Link<'_>) -> Option<Kind> {
        match link {
            Link::Property(name) if is_this => {
                let kind = self.remembered.get(name).copied();
                kind.filter(|_| self.is_entry)
            }
            Link::Property(name) => catalog::property("get$", kind?, name)?.gives,
            Link::Method(call) => {
                let count = call.args.len() + 1;
                let fitting = catalog::methods(Some(kind?))
                    .filter(|entry| entry.name == call.name.as_str() && entry.takes.len() == count);
                same(fitting.map(|entry| entry.gives))
            }
            Link::Index(_) => kind?.element(),
        }
    }

    fn called(&self, call: &FnCallExpr) -> Option<Kind> {
        let kinds: Vec<_> = (call.args.iter()).map(|argument| self.kind(argument)).collect();
        match (call.name.as_str(), &kinds[..]) {
            ("+" | "-" | "*" | "/" | "%" | "**", [left, right]) => {
                return operated(&call.name, [*left, *right]);
            }
            ("-" | "+", [kind]) => return *kind,
            ("==" | "!=" | "<" | "<=" | ">" | ">=", [_, _]) => return Some(Kind::Switch),
            _ if !call.namespace.is_empty() => return None,
            _ => {}
        }
        let takes = |entry: &&catalog::Entry| {
            let pairs = || entry.takes.iter().zip(&kinds);
            entry.takes.len() == kinds.len()
                && pairs().all(|(takes, kind)| kind.is_none_or(|kind| is_taken(*takes, kind)))
        };
        let fitting = catalog::functions(&call.name).filter(takes);
        same(fitting.map(|entry| entry.gives))
    }

    /// Whether a `for` over this counts in integers.
    fn counted(&self, expr: &Expr) -> bool {
        let Expr::FnCall(call, _) = expr else {
            return false;
        };
        let is_range = ["..", "..=", "range"].contains(&call.name.as_str());
        let integer = Some(Kind::Integer);
        is_range && call.args.iter().all(|argument| self.kind(argument) == integer)
    }
}

/// Whether a parameter of one kind may be given a value of another: overloads for numbers and integers
/// are told apart, everything else is left to the run.
fn is_taken(takes: Kind, given: Kind) -> bool {
    let numbers = [Kind::Integer, Kind::Number];
    takes == given || !(numbers.contains(&takes) && numbers.contains(&given))
}

/// What an operator of arithmetic makes of two kinds.
fn operated(operator: &str, kinds: [Option<Kind>; 2]) -> Option<Kind> {
    let vector = Kind::Vector;
    let (integer, number) = (Kind::Integer, Kind::Number);
    if ["+", "-", "*", "/"].contains(&operator) && kinds.contains(&Some(vector)) {
        return Some(vector);
    }
    match kinds {
        [Some(left), Some(right)] if left == integer && right == integer => Some(integer),
        [Some(left), Some(right)] => {
            let both = [left, right].iter().all(|kind| [integer, number].contains(kind));
            both.then_some(number)
        }
        _ => None,
    }
}

/// What all of them are.
fn same(mut kinds: impl Iterator<Item = Option<Kind>>) -> Option<Kind> {
    let first = kinds.next()??;
    kinds.all(|kind| kind == Some(first)).then_some(first)
}

/// Whether a field of the memory can hold a value of this kind.
pub(super) fn fits(field: FieldKind, found: Kind) -> bool {
    let is_integer = found == Kind::Integer;
    Kind::of_field(field) == found || (field == FieldKind::Number && is_integer)
}
