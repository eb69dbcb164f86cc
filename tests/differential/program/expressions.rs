//! Generation of values: variables, forms, choices, calls.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::forms::{self, Forms};
use super::node::Node;
use super::sort::{Sort, holes};
use super::writer::{Function, Writer};

impl Writer<'_> {
    /// Generates a value of a type with a maximum depth.
    pub(crate) fn value(&mut self, sort: Sort, depth: usize) -> Node {
        let known = if depth == 0 { 2 } else { 3 };
        if (self.dice.once_in(known) || is_handle(sort))
            && let Some(variable) = self.known(sort)
        {
            return Node::leaf(sort, variable);
        }
        if depth > 0
            && let Some(node) = self.unusual(sort, depth)
        {
            return node;
        }
        let Forms { leaves, deep, risky } = forms::of(sort);
        let tables = if !self.plain && self.dice.once_in(40) {
            [risky, deep, leaves]
        } else if depth == 0 || self.dice.once_in(5) {
            [leaves, deep, risky]
        } else {
            [deep, leaves, risky]
        };
        let form = tables.into_iter().find_map(|table| self.possible(table));
        let form = form.unwrap_or_else(|| panic!("no way to {sort:?}"));
        self.fill(sort, form, depth)
    }

    /// Returns the name of a variable usable as a value of a type, rarely one that may be `()`.
    fn known(&mut self, sort: Sort) -> Option<String> {
        let serves = |known: Sort| {
            known == sort
                || (sort == Sort::Someone && matches!(known, Sort::Me | Sort::Unit))
                || (sort == Sort::Perhaps && known.surely().is_some())
        };
        let mut found = self.variable(|variable| serves(variable.sort));
        if self.dice.once_in(12) {
            let risky = self.variable(|variable| Some(variable.sort) == sort.perhaps());
            found = risky.or(found);
        }
        if sort == Sort::Someone && self.scope.has(Sort::Me) && self.dice.once_in(80) {
            return None;
        }
        found.map(|variable| variable.name)
    }

    /// Returns one of the forms whose requirements are in scope: the one with the greatest hash. An additional form changes only
    /// the choices that it wins, so that a new function of the API leaves most programs as they are.
    pub(crate) fn possible(&mut self, table: &[&'static str]) -> Option<&'static str> {
        let scope = &self.scope;
        let mut table: Vec<_> =
            table.iter().filter(|form| holes(form).all(|sort| scope.reaches(sort))).collect();
        if self.plain && table.iter().any(|form| is_plain(form)) {
            table.retain(|form| is_plain(form));
        }
        let draw = self.dice.bits();
        let (mut before, mut repeats) = ("", 0);
        // Forms that are listed several times are as much more likely.
        let hash = |form: &&&'static str| {
            repeats = if **form == before { repeats + 1 } else { 0 };
            before = form;
            xxh3_64_with_seed(form.as_bytes(), draw.wrapping_add(repeats))
        };
        table.into_iter().max_by_key(hash).copied()
    }

    /// Generates the holes of a form.
    pub(crate) fn fill(
        &mut self,
        sort: Sort,
        form: impl Into<std::borrow::Cow<'static, str>>,
        depth: usize,
    ) -> Node {
        let form = form.into();
        let holes: Vec<_> = holes(&form).collect();
        let depth = depth.saturating_sub(1);
        let parts = holes.into_iter().map(|sort| self.value(sort, depth)).collect();
        Node::new(sort, form, parts)
    }

    /// Generates values outside the tables: choices, blocks with a value, calls of the script's own functions.
    fn unusual(&mut self, sort: Sort, depth: usize) -> Option<Node> {
        if self.dice.once_in(8)
            && let Some(call) = self.call(sort, depth)
        {
            return Some(call);
        }
        let plain =
            matches!(sort, Sort::Number | Sort::Integer | Sort::Switch | Sort::Vector | Sort::Outcome);
        if !plain || !self.dice.once_in(9) {
            return None;
        }
        Some(match self.dice.below(7) {
            _ if self.plain => self.either(sort, depth),
            0 | 1 => self.either(sort, depth),
            2 | 3 => self.switch(sort, depth),
            4 => self.block_value(sort, depth),
            _ => self.sure_value(sort, depth).unwrap_or_else(|| self.either(sort, depth)),
        })
    }

    /// Generates `if` as a value; rarely an integer replaces a float in one branch, which is not compiled.
    fn either(&mut self, sort: Sort, depth: usize) -> Node {
        let letter = sort.letter();
        let other = if sort == Sort::Number && !self.plain && self.dice.once_in(30) { 'i' } else { letter };
        let form = format!("(if $s {{ ${letter} }} else {{ ${other} }})");
        self.fill(sort, form, depth)
    }

    pub(crate) fn switch(&mut self, sort: Sort, depth: usize) -> Node {
        let form = self.dice.pick(&[
            "(switch $i { 0 => $?, 1..5 => $?, _ => $? })",
            "(switch $i { 1 | 2 | 7 => $?, 10 if $s => $?, 3..=6 if $s => $?, _ => $? })",
            "(switch $i { 0 if $s => $?, 0 => $?, 0..3 if $s => $?, 2..9 => $?, _ => $? })",
            "(switch $s { true => $?, false => $? })",
            "(switch $t { \"wide\" => $?, \"narrow\" | \"flock\" => $?, _ => $? })",
        ]);
        self.fill(sort, form.replace('?', &sort.letter().to_string()), depth)
    }

    /// Generates a block with a declaration and a value.
    fn block_value(&mut self, sort: Sort, depth: usize) -> Node {
        let mark = self.scope.mark();
        let mut parts = Vec::new();
        self.declare(&mut parts);
        parts.push(self.value(sort, depth - 1));
        self.scope.leave(mark);
        Node::new(sort, "($k)", vec![Node::block(parts)])
    }

    /// Generates a value that is evaluated only if a variable is not `()`.
    fn sure_value(&mut self, sort: Sort, depth: usize) -> Option<Node> {
        let perhaps = self.variable(|variable| variable.sort.surely().is_some())?;
        let mark = self.scope.mark();
        let name = perhaps.name;
        self.scope.declare(&*name, perhaps.sort.surely()?, true);
        let sure = self.value(sort, depth);
        self.scope.leave(mark);
        if sort == Sort::Switch {
            let form = self.dice.pick(&["(@ != () && $s)", "(@ == () || $s)"]);
            return Some(Node::new(sort, form.replace('@', &name), vec![sure]));
        }
        let other = self.value(sort, depth - 1);
        let letter = sort.letter();
        let form = format!("(if {name} == () {{ ${letter} }} else {{ ${letter} }})");
        Some(Node::new(sort, form, vec![other, sure]))
    }

    /// Generates a call of a function that returns the type, if there is one.
    pub(crate) fn call(&mut self, sort: Sort, depth: usize) -> Option<Node> {
        let scope = &self.scope;
        let fits = |function: &&Function| {
            function.gives == sort && function.takes.iter().all(|sort| scope.reaches(*sort))
        };
        let found: Vec<_> = self.functions.iter().filter(fits).cloned().collect();
        let function = found.get(self.dice.below(found.len().max(1)))?;
        Some(self.call_of(function, sort, depth))
    }

    fn call_of(&mut self, function: &Function, sort: Sort, depth: usize) -> Node {
        let depth = depth.saturating_sub(1);
        let mut arguments = Vec::new();
        for (at, takes) in function.takes.iter().enumerate() {
            arguments.push(match takes {
                Sort::Integer if function.recurs && at == 0 => self.rounds(),
                // Integers are valid wherever floats are.
                Sort::Number if self.dice.once_in(20) => self.value(Sort::Integer, depth),
                takes => self.value(*takes, depth),
            });
        }
        let holes: Vec<_> = function.takes.iter().map(|sort| format!("${}", sort.letter())).collect();
        let form = format!("{}({})", function.name, holes.join(", "));
        Node::new(sort, form, arguments)
    }

    /// Recursion depth of a function: rarely above the limit.
    fn rounds(&mut self) -> Node {
        let deepest = if self.dice.once_in(12) { 20 } else { 6 };
        let rounds = self.dice.below(deepest).to_string();
        Node::leaf(Sort::Integer, rounds)
    }
}

/// Returns true if values of the type are usually variables.
fn is_handle(sort: Sort) -> bool {
    matches!(sort, Sort::Me | Sort::World | Sort::Someone | Sort::Unit)
}

/// Forms that are decided one by one.
const ONE_BY_ONE: &[&str] = &[
    "%",
    "**",
    "<<",
    ">>",
    "^",
    "[",
    "nearest",
    "farthest",
    "first(",
    "marked",
    "of_kind",
    "obstacle",
    "$o",
    "$O",
    "path",
    "field",
    "grid",
    "$g",
    "ray",
    "visible",
    "signal",
    "touching",
    "see(",
    "index",
    ".id",
    "group",
    "player",
    "target",
    "to_int",
    "random_direction",
    "arrive_at",
    "is_odd",
    "is_even",
    "is_zero",
    "range",
    "angular",
    "is_steered",
    "$i * ",
    "$i / ",
    "switch",
];

fn is_plain(form: &str) -> bool {
    const OF_LANES: [Sort; 9] = [
        Sort::Number,
        Sort::Switch,
        Sort::Vector,
        Sort::Me,
        Sort::World,
        Sort::Units,
        Sort::Unit,
        Sort::Someone,
        Sort::Outcome,
    ];
    holes(form).all(|sort| OF_LANES.contains(&sort)) && ONE_BY_ONE.iter().all(|word| !form.contains(word))
}
