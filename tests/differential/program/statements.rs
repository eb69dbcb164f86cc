//! Generation of statements: declarations, assignments, choices, marks and drawings.

use super::node::Node;
use super::sort::Sort;
use super::writer::Writer;

/// Depth of values in statements.
pub(crate) const DEPTH: usize = 3;
/// Maximum nesting of blocks.
const MAX_BLOCKS: usize = 3;

impl Writer<'_> {
    /// Generates a block with its own scope.
    pub(crate) fn block(&mut self, most: usize) -> Node {
        let mark = self.scope.mark();
        let mut parts = Vec::new();
        self.blocks += 1;
        for _ in 0..=self.dice.below(most) {
            self.statement(&mut parts);
        }
        self.blocks -= 1;
        self.scope.leave(mark);
        Node::block(parts)
    }

    /// Generates one statement, or a few that belong together.
    pub(crate) fn statement(&mut self, out: &mut Vec<Node>) {
        let kinds = if self.blocks < MAX_BLOCKS { 20 } else { 10 };
        match self.dice.below(kinds) {
            0..4 => self.declare(out),
            4..6 => self.assign(out),
            6..9 => self.alter(out),
            9 if !self.plain => self.declare_perhaps(out),
            10 | 11 => self.choose(out),
            12 => self.settle(out),
            13 | 14 if !self.plain => self.act(out),
            15 => self.leave_early(out),
            16 => out.push(self.nested()),
            _ => self.repeat(out),
        }
    }

    /// Generates `let` or `const` with a value; sometimes the name shadows an older one.
    pub(crate) fn declare(&mut self, out: &mut Vec<Node>) {
        let sort = self.storable();
        let value = self.value(sort, DEPTH);
        let fixed = self.dice.once_in(6) || is_fixed(sort);
        let name = self.name();
        let keyword = if fixed && self.dice.once_in(2) { "const" } else { "let" };
        let form = format!("{keyword} {name} = ${};", sort.letter());
        out.push(Node::statement(form, vec![value]));
        self.scope.declare(name, sort, fixed);
    }

    /// Returns a type of which a value can be generated.
    fn storable(&mut self) -> Sort {
        let common = [Sort::Number, Sort::Integer, Sort::Vector, Sort::Switch];
        if self.plain {
            return self.dice.pick(&[Sort::Number, Sort::Vector, Sort::Switch]);
        }
        let handles = [Sort::Units, Sort::Obstacles, Sort::Path, Sort::Field, Sort::Grid, Sort::Unit];
        let sort = self.dice.pick(&handles);
        // A unit directly from a list may be `()`: rarely without a check.
        let needs = if sort == Sort::Unit { Sort::Units } else { sort };
        let seldom = if sort == Sort::Unit { 12 } else { 4 };
        if self.dice.once_in(seldom) && self.scope.reaches(needs) { sort } else { self.dice.pick(&common) }
    }

    fn assign(&mut self, out: &mut Vec<Node>) {
        let Some(variable) = self.variable(|variable| !variable.fixed) else {
            return self.declare(out);
        };
        let value = self.value(variable.sort, DEPTH);
        let form = format!("{} = ${};", variable.name, variable.sort.letter());
        out.push(Node::statement(form, vec![value]));
    }

    /// Generates a compound assignment, or an assignment to a component of a vector.
    fn alter(&mut self, out: &mut Vec<Node>) {
        let alterable = |sort| matches!(sort, Sort::Number | Sort::Integer | Sort::Vector | Sort::Switch);
        let Some(variable) = self.variable(|v| !v.fixed && alterable(v.sort)) else {
            return self.declare(out);
        };
        let table: &[&'static str] = match variable.sort {
            Sort::Number => &[
                "@ += $n;", "@ -= $n;", "@ *= $n;", "@ /= $n;", "@ %= $n;", "@ **= 2;", "@ += $i;",
                "@ *= $i;",
            ],
            Sort::Integer => &[
                "@ += $i;",
                "@ -= $i;",
                "@ *= $i;",
                "@ /= 2;",
                "@ %= 5;",
                "@ &= $i;",
                "@ |= $i;",
                "@ ^= $i;",
                "@ <<= 2;",
                "@ >>= $i;",
                "@ **= 2;",
            ],
            Sort::Vector => &[
                "@ += $v;",
                "@ -= $v;",
                "@ *= $n;",
                "@ /= 2;",
                "@ *= $i;",
                "@.x = $n;",
                "@.y = $i;",
                "@.z = $n;",
                "@.x += $n;",
                "@.y *= $i;",
                "@ = @.limit($n);",
            ],
            _ => &["@ = !@;", "@ = @ && $s;", "@ |= $s;", "@ &= $s;", "@ ^= $s;"],
        };
        let form = self.dice.pick(table).replace('@', &variable.name);
        out.push(self.fill(Sort::Statement, form, DEPTH));
    }

    /// Generates a variable that is initially `()` and may be assigned.
    fn declare_perhaps(&mut self, out: &mut Vec<Node>) {
        let sort =
            self.dice.pick(&[Sort::PerhapsUnit, Sort::PerhapsUnit, Sort::PerhapsVector, Sort::PerhapsNumber]);
        let name = self.new_name("p");
        if self.dice.once_in(2) {
            let form = self.dice.pick(&["let @ = ();", "let @;"]);
            out.push(Node::statement(form.replace('@', &name), Vec::new()));
        } else {
            let value = self.value(sort, DEPTH);
            let form = format!("let {name} = ${};", sort.letter());
            out.push(Node::statement(form, vec![value]));
        }
        self.scope.declare(&*name, sort, false);
        if self.dice.once_in(2) {
            let (condition, value) = (self.value(Sort::Switch, 2), self.value(sort, 2));
            let form = format!("if $s {{ {name} = ${}; }}", sort.letter());
            out.push(Node::statement(form, vec![condition, value]));
        }
    }

    /// Generates an early return if a variable is `()`, or a block that runs only otherwise.
    fn settle(&mut self, out: &mut Vec<Node>) {
        let Some(variable) = self.variable(|variable| variable.sort.surely().is_some()) else {
            return self.declare_perhaps(out);
        };
        let (name, sort) = (variable.name, variable.sort);
        let surely = sort.surely().unwrap_or(sort);
        if self.dice.once_in(2) {
            let back = self.value(self.gives, 1);
            let form = format!("if {name} == () {{ return ${}; }}", self.gives.letter());
            out.push(Node::statement(form, vec![back]));
            self.scope.declare(name, surely, true);
        } else {
            let mark = self.scope.mark();
            self.scope.declare(&*name, surely, true);
            let block = self.block(3);
            self.scope.leave(mark);
            out.push(Node::statement(format!("if {name} != () $k"), vec![block]));
        }
    }

    /// Generates `if` and `switch` as statements.
    fn choose(&mut self, out: &mut Vec<Node>) {
        let form = self.dice.pick(&[
            "if $s $k",
            "if $s $k else $k",
            "if $s $k else if $s $k else $k",
            "switch $i { 0 => $k, 5 | 7 if $s => $k, 1..4 => $k, _ => $k }",
            "switch $i { 1 => $k, 2..=9 if $s => $k, _ => $k }",
            "switch $i { -1..=1 => $k }",
        ]);
        out.push(self.fill_blocks(form));
    }

    /// Fills a statement form whose blocks are marked `$k`.
    fn fill_blocks(&mut self, form: &'static str) -> Node {
        let letters = form.split('$').skip(1).map(|rest| rest.chars().next());
        let letters: Vec<_> = letters.flatten().collect();
        let parts = letters.into_iter().map(|letter| match letter {
            'k' => self.block(3),
            letter => self.value(Sort::of(letter), DEPTH - 1),
        });
        let parts = parts.collect();
        Node::statement(form, parts)
    }

    fn nested(&mut self) -> Node {
        let block = self.block(3);
        Node::statement("$k", vec![block])
    }

    /// Generates marks, drawings, deposits, headings, births and deaths, and calls whose result is unused.
    fn act(&mut self, out: &mut Vec<Node>) {
        if self.dice.once_in(4) {
            let sort = self.dice.pick(&[Sort::Number, Sort::Vector, Sort::PerhapsUnit]);
            if let Some(call) = self.call(sort, DEPTH) {
                let form = format!("${};", sort.letter());
                return out.push(Node::statement(form, vec![call]));
            }
        }
        if !self.scope.has(Sort::Me) {
            return self.declare(out);
        }
        let form = self.dice.pick(&[
            "$m.mark(\"seen\");",
            "mark($m, \"seen\");",
            "$m.draw_line($v, $v);",
            "$m.draw_circle($v, $n);",
            "draw_circle($m, $v, $i);",
            "$m.draw_text($v, $t);",
            "$m.draw_text($v, $n);",
            "$m.draw_text($v, $i);",
            "$m.deposit(\"smell\", $n);",
            "$m.spawn(\"flock\");",
            "spawn($m, \"hunters\", $v, $v);",
            "if $m.random() < 0.1 { $m.die(); }",
            "$m.face($v);",
        ]);
        out.push(self.fill(Sort::Statement, form, DEPTH));
    }

    /// Generates an early exit from the function or the iteration of a loop.
    fn leave_early(&mut self, out: &mut Vec<Node>) {
        let condition = self.value(Sort::Switch, 2);
        if self.in_loop && !self.dice.once_in(3) {
            let form = self.dice.pick(&["if $s { break; }", "if $s { continue; }"]);
            return out.push(Node::statement(form, vec![condition]));
        }
        let value = self.value(self.gives, 2);
        let form = format!("if $s {{ return ${}; }}", self.gives.letter());
        out.push(Node::statement(form, vec![condition, value]));
    }
}

/// Returns true if variables of the type are never assigned: handles.
fn is_fixed(sort: Sort) -> bool {
    !matches!(sort, Sort::Number | Sort::Integer | Sort::Vector | Sort::Switch)
}
