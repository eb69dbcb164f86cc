//! Generation of whole files: constants, memory, functions, `steer`.

use super::node::Node;
use super::sort::Sort;
use super::statements::DEPTH;
use super::writer::{Function, Writer};
use crate::common::dice::Dice;

/// Constants at the top of the file, with their types.
const CONSTANTS: &[(&str, &str, Sort)] = &[
    ("REACH", "const REACH = param(20.0, 0.0, 100.0);", Sort::Number),
    ("COUNT", "const COUNT = param(3, 0, 10);", Sort::Integer),
    ("FIRM", "const FIRM = param(true);", Sort::Switch),
    ("MODE", "const MODE = param(\"wide\", [\"wide\", \"narrow\"]);", Sort::Text),
    ("UP", "const UP = vec(0, 1);", Sort::Vector),
    ("HALF", "const HALF = 7 / 2.0;", Sort::Number),
];

const MEMORY: &str = "const MEMORY = #{ angle: 0.5, count: 0, on: false, goal: vec(0, 0) };";

const FIELDS: [(&str, Sort); 4] = [
    ("this.angle", Sort::Number),
    ("this.count", Sort::Number),
    ("this.on", Sort::Switch),
    ("this.goal", Sort::Vector),
];

/// Generates a random behavior.
pub(crate) fn program(dice: &mut Dice) -> Node {
    let mut writer = Writer::new(dice);
    writer.plain = writer.dice.once_in(2);
    let mut parts = Vec::new();
    for (name, form, sort) in CONSTANTS {
        if writer.dice.once_in(2) {
            parts.push(Node::statement(*form, Vec::new()));
            writer.scope.declare(*name, *sort, true);
        }
    }
    let remembers = writer.dice.once_in(2);
    if remembers {
        parts.push(Node::statement(MEMORY, Vec::new()));
    }
    let functions = if writer.plain && !writer.dice.once_in(4) { 0 } else { writer.dice.below(4) };
    for _ in 0..functions {
        parts.push(writer.function());
    }
    if writer.dice.once_in(3) {
        let events = [("touched", "other"), ("entered", "zone"), ("left", "zone")];
        for (name, argument) in events {
            if writer.dice.once_in(2) {
                parts.push(writer.handler((name, argument), remembers));
            }
        }
    }
    parts.push(writer.steer(remembers));
    Node::block(parts)
}

impl Writer<'_> {
    fn steer(&mut self, remembers: bool) -> Node {
        self.gives = Sort::Outcome;
        self.scope.declare("me", Sort::Me, true);
        self.scope.declare("world", Sort::World, true);
        if remembers {
            for (name, sort) in FIELDS {
                self.scope.declare(name, sort, false);
            }
        }
        let body = self.function_body(7);
        Node::statement("fn steer(me, world) $k", vec![body])
    }

    /// Generates a function that handles events.
    fn handler(&mut self, (name, argument): (&str, &'static str), remembers: bool) -> Node {
        let mark = self.scope.mark();
        self.gives = Sort::Number;
        let is_zone = argument == "zone";
        let mut takes = vec![argument];
        if !is_zone {
            self.scope.declare(argument, Sort::Unit, true);
        }
        for (name, sort) in [("me", Sort::Me), ("world", Sort::World)].into_iter().take(self.dice.below(3)) {
            takes.push(name);
            self.scope.declare(name, sort, true);
        }
        let mut parts = Vec::new();
        if is_zone {
            parts.push(Node::statement("let inside = zone == \"pen\" || \"nowhere\" != zone;", Vec::new()));
            self.scope.declare("inside", Sort::Switch, false);
        }
        if remembers {
            for (name, sort) in FIELDS {
                self.scope.declare(name, sort, false);
            }
            parts.push(Node::statement("this.count += 1;", Vec::new()));
        }
        parts.extend(self.function_body(4).parts);
        self.scope.leave(mark);
        let form = format!("fn {name}({}) $k", takes.join(", "));
        Node::statement(form, vec![Node::block(parts)])
    }

    /// Generates a function, which later ones can call.
    fn function(&mut self) -> Node {
        let mark = self.scope.mark();
        let recurs = self.dice.once_in(3);
        let gives = self.dice.pick(&[
            Sort::Number,
            Sort::Number,
            Sort::Integer,
            Sort::Vector,
            Sort::Switch,
            Sort::PerhapsUnit,
        ]);
        let mut takes: Vec<_> = recurs.then_some(Sort::Integer).into_iter().collect();
        // A function that returns units needs some.
        if gives == Sort::PerhapsUnit || self.dice.once_in(2) {
            takes.extend([Sort::Me, Sort::World]);
        }
        let kinds = [Sort::Number, Sort::Integer, Sort::Vector, Sort::Switch, Sort::Text, Sort::Units];
        takes.extend((0..self.dice.below(3)).map(|_| self.dice.pick(&kinds)));
        let names: Vec<_> = takes.iter().map(|sort| self.argument(*sort)).collect();
        if recurs {
            // The recursion counter is reserved.
            self.scope.declare(&*names[0], Sort::Integer, true);
        }
        let name = self.new_name("helper_");
        let function = Function { name, takes, gives, recurs };
        let body = self.helper_body(&function, &names);
        self.scope.leave(mark);
        let form = format!("fn {}({}) $k", function.name, names.join(", "));
        self.functions.push(function);
        Node::statement(form, vec![body])
    }

    fn argument(&mut self, sort: Sort) -> String {
        let (name, fixed) = match sort {
            Sort::Me => ("me".to_owned(), true),
            Sort::World => ("world".to_owned(), true),
            _ => (self.new_name("a"), false),
        };
        self.scope.declare(&*name, sort, fixed || sort == Sort::Units);
        name
    }

    /// At most one loop, so that calls inside loops remain cheap; one recursive call with a decreased counter.
    fn helper_body(&mut self, function: &Function, names: &[String]) -> Node {
        (self.gives, self.loops) = (function.gives, 1);
        let mark = self.scope.mark();
        let mut parts = Vec::new();
        if function.recurs {
            let form = format!("if {} <= 0 {{ return ${}; }}", names[0], self.gives.letter());
            let last = self.value(self.gives, 1);
            parts.push(Node::statement(form, vec![last]));
            let arguments = [format!("{} - 1", names[0])];
            let arguments = arguments.into_iter().chain(names[1..].iter().cloned());
            let arguments: Vec<_> = arguments.collect();
            let deeper = self.new_name("d");
            let form = format!("let {deeper} = {}({});", function.name, arguments.join(", "));
            parts.push(Node::statement(form, Vec::new()));
            self.scope.declare(deeper, function.gives, false);
        }
        let rest = self.function_body(2);
        self.loops = 0;
        self.scope.leave(mark);
        parts.extend(rest.parts);
        Node::block(parts)
    }

    /// Generates statements and a final value.
    fn function_body(&mut self, most: usize) -> Node {
        let mark = self.scope.mark();
        let mut parts = Vec::new();
        for _ in 0..=self.dice.below(most) {
            self.statement(&mut parts);
        }
        parts.push(self.value(self.gives, DEPTH));
        self.scope.leave(mark);
        Node::block(parts)
    }
}
