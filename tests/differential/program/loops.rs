//! Generation of loops, which terminate by construction.

use super::node::Node;
use super::sort::Sort;
use super::statements::DEPTH;
use super::writer::Writer;

/// Maximum nesting of loops.
const MAX_LOOPS: usize = 2;

impl Writer<'_> {
    pub(crate) fn repeat(&mut self, out: &mut Vec<Node>) {
        if self.loops == MAX_LOOPS {
            return self.declare(out);
        }
        match self.dice.below(6) {
            _ if self.plain && self.scope.has(Sort::Me) && self.loops == 0 => self.summed(out),
            _ if self.plain => self.declare(out),
            0 | 1 => self.over_range(out),
            2 | 3 => self.over_list(out),
            4 => self.counted(out),
            _ => self.until_broken(out),
        }
    }

    /// Generates the body of a loop with the loop variables `named`; `breaks` permits `break`.
    fn body(&mut self, named: &[(&str, Sort)], first: Option<String>, breaks: bool) -> Node {
        let (mark, in_loop) = (self.scope.mark(), self.in_loop);
        for (name, sort) in named {
            self.scope.declare(*name, *sort, true);
        }
        self.loops += 1;
        self.in_loop = breaks;
        let mut body = self.block(3);
        let first = first.map(|first| Node::statement(first, Vec::new()));
        body.parts.splice(0..0, first);
        (self.in_loop, self.loops) = (in_loop, self.loops - 1);
        self.scope.leave(mark);
        body
    }

    fn over_range(&mut self, out: &mut Vec<Node>) {
        let name = self.new_name("i");
        let form = self.possible(RANGES).unwrap_or("0..3");
        let sort = if form.contains("0.25") { Sort::Number } else { Sort::Integer };
        let range = self.fill(Sort::Statement, form, 2);
        let body = self.body(&[(&name, sort)], None, true);
        let form = format!("for {name} in {} $k", range.form);
        let parts = range.parts.into_iter().chain([body]).collect();
        out.push(Node::statement(form, parts));
    }

    /// Generates a loop over units or obstacles, sometimes with a counter.
    fn over_list(&mut self, out: &mut Vec<Node>) {
        let (lists, each) = self.dice.pick(&[
            (Sort::Units, Sort::Unit),
            (Sort::Units, Sort::Unit),
            (Sort::Obstacles, Sort::Obstacle),
        ]);
        if !self.scope.reaches(lists) {
            return self.over_range(out);
        }
        if lists == Sort::Units && self.scope.has(Sort::Me) && self.dice.once_in(2) {
            return self.summed(out);
        }
        let list = self.value(lists, 2);
        let (name, counter) = (self.new_name("e"), self.new_name("c"));
        let letter = lists.letter();
        let node = if self.dice.once_in(4) {
            let body = self.body(&[(&name, each), (&counter, Sort::Integer)], None, true);
            Node::statement(format!("for ({name}, {counter}) in ${letter} $k"), vec![list, body])
        } else {
            let body = self.body(&[(&name, each)], None, true);
            Node::statement(format!("for {name} in ${letter} $k"), vec![list, body])
        };
        out.push(node);
    }

    /// Generates a loop that sums, computes a minimum or maximum, or sets a flag: usually a reduction.
    fn summed(&mut self, out: &mut Vec<Node>) {
        let (name, sum) = (self.new_name("e"), self.new_name("r"));
        let (sort, start, change) = self.dice.pick(SUMS);
        out.push(Node::statement(format!("let {sum} = {start};"), Vec::new()));
        let list = self.possible(LISTS).unwrap_or("me.others");
        let list = self.fill(Sort::Statement, list, 1);
        let mark = self.scope.mark();
        self.scope.declare(&*name, Sort::Unit, true);
        let mut parts = Vec::new();
        if self.dice.once_in(3) {
            let skipped = self.value(Sort::Switch, 2);
            parts.push(Node::statement("if $s { continue; }", vec![skipped]));
        }
        if self.dice.once_in(3) {
            self.declare(&mut parts);
        }
        parts.push(self.fill(Sort::Statement, change.replace('@', &sum), 2));
        self.scope.leave(mark);
        let form = format!("for {name} in {} $k", list.form);
        let parts = list.parts.into_iter().chain([Node::block(parts)]).collect();
        out.push(Node::statement(form, parts));
        self.scope.declare(sum, sort, false);
    }

    /// Generates `while` and `do` with a counter that is incremented first.
    fn counted(&mut self, out: &mut Vec<Node>) {
        let name = self.new_name("c");
        out.push(Node::statement(format!("let {name} = 0;"), Vec::new()));
        self.scope.declare(&*name, Sort::Integer, true);
        let condition = self.value(Sort::Switch, 2);
        let body = self.body(&[], Some(format!("{name} += 1;")), true);
        let most = 1 + self.dice.below(4);
        let (form, first) = self.dice.pick(&[
            ("while @ < # && $s $k", true),
            ("while @ < # $k", true),
            ("do $k while @ < # && $s;", false),
            ("do $k until @ > # || $s;", false),
        ]);
        let form = form.replace('@', &name).replace('#', &most.to_string());
        let parts = match (form.contains("$s"), first) {
            (false, _) => vec![body],
            (true, true) => vec![condition, body],
            (true, false) => vec![body, condition],
        };
        out.push(Node::statement(form, parts));
    }

    /// Generates `loop`, sometimes with a value.
    fn until_broken(&mut self, out: &mut Vec<Node>) {
        let (counter, name) = (self.new_name("c"), self.new_name("v"));
        out.push(Node::statement(format!("let {counter} = 0;"), Vec::new()));
        self.scope.declare(&*counter, Sort::Integer, true);
        let most = self.dice.below(4);
        let sort = self.dice.pick(&[Sort::Number, Sort::Integer, Sort::Vector]);
        let gives = self.dice.once_in(2);
        let last = self.value(sort, DEPTH - 1);
        // A bare `break` would return `()`.
        let mut body = self.body(&[], Some(format!("{counter} += 1;")), !gives);
        if gives {
            let form = format!("if {counter} > {most} {{ break ${}; }}", sort.letter());
            body.parts.insert(1, Node::statement(form, vec![last]));
            out.push(Node::statement(format!("let {name} = loop $k;"), vec![body]));
            self.scope.declare(name, sort, false);
        } else {
            let form = format!("if {counter} > {most} {{ break; }}");
            body.parts.insert(1, Node::statement(form, Vec::new()));
            out.push(Node::statement("loop $k", vec![body]));
        }
    }
}

/// Reductions: type, initial value, and the statement of an iteration.
const SUMS: &[(Sort, &str, &str)] = &[
    (Sort::Number, "0.0", "@ += $n;"),
    (Sort::Number, "0.5", "@ -= $n;"),
    (Sort::Number, "100.0", "@ = min(@, $n);"),
    (Sort::Number, "-1.0", "@ = max(@, $n);"),
    (Sort::Integer, "0", "@ += $i;"),
    (Sort::Vector, "vec(0, 0)", "@ += $v;"),
    (Sort::Vector, "vec(1, 0)", "@.x -= $n;"),
    (Sort::Switch, "false", "if $s { @ = true; }"),
    (Sort::Switch, "false", "@ |= $s;"),
    (Sort::Switch, "true", "@ &= $s;"),
];

/// Lists that may be iterated in any order.
const LISTS: &[&str] = &[
    "me.neighbors",
    "me.others",
    "me.enemies",
    "me.others.within($n)",
    "me.neighbors.within(abs($n))",
    "me.see(\"narrow\").within(30)",
    "$w.group(\"flock\")",
];

const RANGES: &[&str] = &[
    "0..3",
    "0..$l.len",
    "-1..=2",
    "0..min($i, 4)",
    "0..=clamp($i, -3, 3)",
    "range(0, 4)",
    "range(0, 5, 2)",
    "range(4, 0, -1)",
    "range(0, min($i, 9), 3)",
    "range(0.0, 1.0, 0.25)",
];
