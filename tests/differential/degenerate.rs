//! Degenerate programs: functions that never return, infinite recursion, infinite loops, unreachable code, missing
//! values in places that need one.
//!
//! `STEERBOX_PROGRAMS=10000 cargo test --test differential degenerate` generates more of them, `STEERBOX_SEED=7` others.
//! A panic of the compiler fails the test by `diagnostics::caught`.

use std::fmt::Write as _;

use crate::common::dice::Dice;
use crate::setting::Setting;
use crate::stage::{Both, seed_and_programs};

/// Default number of programs, unless `STEERBOX_PROGRAMS` is set.
const PROGRAMS: u64 = 600;
/// One in this many programs is run; all are compiled.
const RUN: u64 = 3;
/// Nesting depth of statements and expressions.
const DEEP: usize = 4;

#[test]
fn degenerate_programs_compile_and_agree() {
    let (seed, programs) = seed_and_programs(PROGRAMS);
    let (mut native, mut accepted) = (0, 0);
    for number in 0..programs {
        let text = Writer::new(seed << 32 | number).program();
        // Not every text is valid: some are not even parsed.
        let Ok(both) = Both::of(&text, &[]) else {
            continue;
        };
        accepted += 1;
        native += u64::from(both.unsupported.is_none());
        if number % RUN == 0 {
            let pair = both.in_world(Setting::plain().world());
            if let Err(difference) = pair.run(2) {
                panic!("STEERBOX_SEED={seed}, program {number}: {difference}\n{text}");
            }
        }
    }
    assert!(accepted * 2 > programs, "{accepted} of {programs} are scripts");
    let is_native = !cfg!(feature = "native") || native * 4 > accepted;
    assert!(is_native, "{native} of {accepted} are compiled");
}

/// Generates a program.
struct Writer {
    dice: Dice,
    depth: usize,
    /// Number of enclosing loops.
    loops: usize,
    /// Number of variables declared in the function.
    variables: usize,
    text: String,
}

impl Writer {
    fn new(seed: u64) -> Self {
        Self { dice: Dice::new(seed), depth: 0, loops: 0, variables: 0, text: String::new() }
    }

    fn program(mut self) -> String {
        for head in ["f(me, world)", "g(me, world, a)", "steer(me, world)"] {
            (self.variables, self.loops) = (0, 0);
            let _ = write!(self.text, "fn {head} ");
            self.block();
            self.text.push('\n');
        }
        self.text
    }

    fn block(&mut self) {
        self.text.push_str("{ ");
        self.depth += 1;
        let (count, before) = (self.dice.below(4), self.variables);
        for _ in 0..count {
            self.statement();
        }
        // The last statement may be a value.
        if self.dice.once_in(2) {
            self.value();
        }
        self.variables = before;
        self.depth -= 1;
        self.text.push_str(" }");
    }

    fn statement(&mut self) {
        match self.dice.below(if self.depth < DEEP { 13 } else { 6 }) {
            0 => {
                self.value();
            }
            1 => {
                let _ = write!(self.text, "let v{} = ", self.variables);
                self.value();
                self.variables += 1;
            }
            2 if self.variables > 0 => {
                let _ = write!(self.text, "v{} = ", self.dice.below(self.variables));
                self.value();
            }
            3 => {
                self.text.push_str("return ");
                self.value();
            }
            4 if self.loops > 0 => {
                let way = self.dice.pick(&["break", "continue", "break 1", "break me.id"]);
                self.text.push_str(way);
            }
            2 | 4 | 5 => self.call(),
            6..=8 => return self.choice(),
            9 => return self.switch(),
            _ => return self.looping(),
        }
        self.text.push_str("; ");
    }

    fn choice(&mut self) {
        self.text.push_str("if ");
        self.test();
        self.block();
        if self.dice.once_in(2) {
            self.text.push_str(" else ");
            self.block();
        }
        self.text.push(' ');
    }

    fn switch(&mut self) {
        self.text.push_str("switch ");
        self.value();
        self.text.push_str(" { 0 => ");
        self.block();
        self.text.push_str(", 2..9 => ");
        self.block();
        if self.dice.once_in(2) {
            self.text.push_str(", _ => ");
            self.block();
        }
        self.text.push_str(" } ");
    }

    fn looping(&mut self) {
        self.loops += 1;
        match self.dice.below(8) {
            // An infinite loop takes long until it is stopped.
            0 => {
                self.text.push_str("loop ");
                self.block();
            }
            1..=3 => {
                self.text.push_str("loop { break; ");
                self.block();
                self.text.push('}');
            }
            4 => {
                self.text.push_str("while ");
                self.loops -= 1;
                self.test();
                self.loops += 1;
                self.block();
            }
            5 => {
                self.text.push_str("do ");
                self.block();
                self.text.push_str(" while ");
                self.loops -= 1;
                self.test();
                self.loops += 1;
                self.text.push(';');
            }
            _ => {
                self.text.push_str("for i in 0..2 ");
                self.block();
            }
        }
        self.loops -= 1;
        self.text.push(' ');
    }

    /// A condition.
    fn test(&mut self) {
        match self.dice.below(7) {
            0 => self.text.push_str("true "),
            1 => self.text.push_str("(me.id == 1) "),
            2 => self.call(),
            3 => {
                self.value();
                self.text.push_str(" == ");
                self.value();
            }
            4 => {
                self.text.push('!');
                self.value();
            }
            5 => {
                self.text.push_str("(me.id > 0 && ");
                self.value();
                self.text.push(')');
            }
            _ => self.text.push_str("(me.random() < 0.5) "),
        }
        self.text.push(' ');
    }

    fn value(&mut self) {
        let plain = ["()", "1", "0.5", "true", "me.id", "me", "world", "me.position", "me.others"];
        self.depth += 1;
        match self.dice.below(if self.depth < DEEP { 14 } else { 5 }) {
            0..=2 => {
                let plain = self.dice.pick(&plain);
                self.text.push_str(plain);
            }
            3 if self.variables > 0 => {
                let _ = write!(self.text, "v{}", self.dice.below(self.variables));
            }
            3..=5 => self.call(),
            6 | 7 => self.block(),
            8 => self.choice_of_values(),
            9 => {
                self.text.push_str("loop ");
                self.loops += 1;
                self.text.push_str("{ break ");
                self.value();
                self.text.push_str("; }");
                self.loops -= 1;
            }
            10 => {
                self.text.push('(');
                self.value();
                let operator = self.dice.pick(&[" + ", " - ", " ?? ", " || ", " ** ", ".."]);
                self.text.push_str(operator);
                self.value();
                self.text.push(')');
            }
            11 => {
                self.text.push_str("vec(");
                self.value();
                self.text.push_str(", ");
                self.value();
                self.text.push(')');
            }
            12 => {
                self.text.push('(');
                self.value();
                self.text.push_str(").x");
            }
            _ => self.switch(),
        }
        self.depth -= 1;
    }

    fn choice_of_values(&mut self) {
        self.text.push_str("if ");
        self.test();
        self.block();
        self.text.push_str(" else ");
        self.block();
    }

    /// A call of one of the functions, including the current one.
    fn call(&mut self) {
        match self.dice.below(4) {
            0 => self.text.push_str("f(me, world)"),
            1 => self.text.push_str("steer(me, world)"),
            _ => {
                self.text.push_str("g(me, world, ");
                self.depth += 1;
                self.value();
                self.depth -= 1;
                self.text.push(')');
            }
        }
    }
}
