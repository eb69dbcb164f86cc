//! Finds the units of a nearest-first loop that can be rejected before sorting.
//!
//! Many such loops first reject units by tests whose result does not depend on the order of iterations, such as
//! whether a unit is ahead. Others search for the best value of some number. The best value only improves, so a unit
//! that fails against the initial value fails against any later one. Few units usually remain, or the loop only
//! needs the nearest of them.
//!
//! If the loop may end early, each row stores the cost of its iteration, so that the total equals that of the code
//! for one unit.

use std::slice;

use cranelift_codegen::ir::condcodes::{CondCode as _, FloatCC};

use super::locals::count_sets;
use super::loops::may_exit;
use crate::api;
use crate::typed::ir::{Builtin, Compare, Expr, Local, Loop, Op};
use crate::types::{Kind, Type};

/// The tests at the start of a loop's iterations.
pub(super) struct Prefilter<'b> {
    pub(super) steps: Vec<Step<'b>>,
    /// The rest of an iteration.
    pub(super) rest: &'b [Expr],
    /// True if the first remaining unit ends the loop. Otherwise none does.
    pub(super) ends: bool,
    analysis: BodyAnalysis<'b>,
}

/// A step of an iteration, before its effects.
pub(super) enum Step<'b> {
    /// Assigns a local for the rest of the iteration.
    Set(&'b Expr),
    /// Continues with the next iteration if a test holds.
    Guard(&'b Expr),
    /// Executes the rest only if a test holds, the first of the three. It is the last step.
    If(&'b [Expr; 3]),
}

impl Step<'_> {
    /// The unconditional cost of the step.
    pub(super) fn work(&self) -> i64 {
        match self {
            Self::Set(part) => part.cost(),
            Self::Guard(test) => test.cost(),
            Self::If([test, ..]) => test.cost(),
        }
    }
}

impl<'b> Prefilter<'b> {
    /// Analyzes a loop over units that binds each to the local `unit`. Returns `None` if no step rejects any, or if
    /// only some of the remaining units may end the loop. `once` has for each local of the function if it has a
    /// single assignment.
    pub(super) fn new(unit: Local, once: Vec<bool>, looping: &'b Loop) -> Option<Self> {
        let body = &looping.body;
        let parts = match &body.op {
            Op::Sequence(parts) => &parts[..],
            _ => slice::from_ref(body),
        };
        let mut analysis = BodyAnalysis::new(body, unit, once);
        let (mut steps, mut last, mut rest) = (Vec::new(), 0, parts);
        for (at, part) in parts.iter().enumerate() {
            match &part.op {
                Op::Nothing => continue,
                Op::Set(..) if analysis.is_order_independent(part) => {
                    steps.push(Step::Set(part));
                    continue;
                }
                Op::If(choice) if matches!(choice[2].op, Op::Nothing) => {
                    if is_continue(&choice[1]) && analysis.can_test(&choice[0], false) {
                        steps.push(Step::Guard(&choice[0]));
                    } else if at + 1 == parts.len() && analysis.can_test(&choice[0], true) {
                        steps.push(Step::If(choice));
                    } else {
                        break;
                    }
                }
                _ => break,
            }
            (last, rest) = (steps.len(), &parts[at + 1..]);
        }
        steps.truncate(last);
        let inner = match steps.last()? {
            Step::If(choice) => slice::from_ref(&choice[1]),
            _ => rest,
        };
        let is_exact = !analysis.any_best(&steps);
        let ends = is_exact
            && inner.iter().any(|part| part.of.kind == Kind::Never)
            && !inner.iter().any(may_continue);
        let stays = !inner.iter().any(may_exit);
        (ends || stays).then_some(Self { steps, rest, ends, analysis })
    }

    /// For a test that compares a number of the iteration with the best so far, returns both locals, and the
    /// comparison with the initial value that has the same meaning.
    pub(super) fn best(&self, test: &Expr, lets_in: bool) -> Option<(Local, Local, FloatCC)> {
        self.analysis.best(test, lets_in)
    }

    /// Returns true if a test depends on the best so far, so that it may reject more units when repeated in order.
    pub(super) fn has_best(&self, test: &Expr, lets_in: bool) -> bool {
        self.analysis.has_best(test, lets_in)
    }
}

/// Facts about the body of a loop.
struct BodyAnalysis<'b> {
    body: &'b Expr,
    /// The number of assignments to each local in the body, and if the function has at most one.
    sets: Vec<u32>,
    once: Vec<bool>,
    /// The locals whose values at this point depend only on the current iteration.
    known: Vec<Local>,
    /// True if it writes memory.
    stores_field: bool,
}

impl<'b> BodyAnalysis<'b> {
    fn new(body: &'b Expr, unit: Local, once: Vec<bool>) -> Self {
        let mut sets = vec![0; once.len()];
        count_sets(body, &mut sets);
        Self {
            body,
            sets,
            once,
            known: vec![unit],
            stores_field: body.any(&|part| matches!(part.op, Op::StoreField { .. })),
        }
    }

    /// Returns true if a value does not depend on the order of iterations, and computing it only assigns locals of
    /// the iteration. Those count as known afterwards.
    fn is_order_independent(&mut self, value: &Expr) -> bool {
        let is_order_independent = match &value.op {
            Op::Set(local, value) => {
                let is_order_independent = self.once[*local] && self.is_order_independent(value);
                if is_order_independent {
                    self.known.push(*local);
                }
                return is_order_independent;
            }
            Op::Local(local) => self.sets[*local] == 0 || self.known.contains(local),
            Op::LoadField(_) => !self.stores_field,
            Op::Call(call) => match call.to {
                Builtin::Function(place) => {
                    let row = &api::functions()[place];
                    row.is_pure() && !row.charges()
                }
                _ => true,
            },
            Op::Sequence(_) | Op::If(_) | Op::IsNothing(_) | Op::Unwrap(_) => true,
            _ => value.is_constant(),
        };
        let mut all = is_order_independent;
        value.each_part(&mut |part| all &= self.is_order_independent(part));
        all
    }

    /// Returns true if a test has the same result before sorting.
    fn can_test(&mut self, test: &Expr, lets_in: bool) -> bool {
        match both(test, lets_in) {
            Some([one, other]) => self.can_test(one, lets_in) && self.can_test(other, lets_in),
            None => self.best(test, lets_in).is_some() || self.is_order_independent(test),
        }
    }

    /// See [`Prefilter::best`]. The best so far only improves, because it is only assigned a number that compared
    /// better. That holds for exact comparisons; those of scripts are stricter here.
    fn best(&self, test: &Expr, lets_in: bool) -> Option<(Local, Local, FloatCC)> {
        let Op::Call(call) = &test.op else {
            return None;
        };
        let Builtin::Compare(to) = call.to else {
            return None;
        };
        let [Expr { op: Op::Local(a), of }, Expr { op: Op::Local(b), of: of_b }] = &call.arguments[..] else {
            return None;
        };
        if [*of, *of_b] != [Type::from(Kind::Number); 2] {
            return None;
        }
        let (number, best, is_swapped) = if self.is_best_of(*b, *a) {
            (*a, *b, false)
        } else if self.is_best_of(*a, *b) {
            (*b, *a, true)
        } else {
            return None;
        };
        let order = match (to, lets_in) {
            (Compare::GreaterOrEqual, false) => FloatCC::GreaterThanOrEqual,
            (Compare::LessOrEqual, false) => FloatCC::LessThanOrEqual,
            (Compare::Less, true) => FloatCC::LessThan,
            (Compare::Greater, true) => FloatCC::GreaterThan,
            _ => return None,
        };
        Some((number, best, if is_swapped { order.swap_args() } else { order }))
    }

    /// Returns true if a local is only assigned another one, which is known in each iteration.
    fn is_best_of(&self, best: Local, number: Local) -> bool {
        let is_of_a_round = self.known.contains(&number) && self.sets[number] == 1;
        is_of_a_round
            && self.sets[best] > 0
            && !self.known.contains(&best)
            && is_set_to(self.body, best, number)
    }

    fn any_best(&self, steps: &[Step<'_>]) -> bool {
        steps.iter().any(|step| match step {
            Step::Set(_) => false,
            Step::Guard(test) => self.has_best(test, false),
            Step::If(choice) => self.has_best(&choice[0], true),
        })
    }

    fn has_best(&self, test: &Expr, lets_in: bool) -> bool {
        match both(test, lets_in) {
            Some(tests) => tests.iter().any(|test| self.has_best(test, lets_in)),
            None => self.best(test, lets_in).is_some(),
        }
    }
}

/// Splits a test that admits units if both parts hold, or rejects them if one of both holds.
pub(super) fn both(test: &Expr, lets_in: bool) -> Option<[&Expr; 2]> {
    match &test.op {
        Op::If(parts) => match (&parts[1].op, &parts[2].op) {
            (Op::Bool(true), _) if !lets_in => Some([&parts[0], &parts[2]]),
            (_, Op::Bool(false)) if lets_in => Some([&parts[0], &parts[1]]),
            _ => None,
        },
        _ => None,
    }
}

/// Returns true if every assignment to a local assigns another one.
fn is_set_to(expr: &Expr, local: Local, to: Local) -> bool {
    !expr.any(&|part| match &part.op {
        Op::Set(set, value) if *set == local => !matches!(value.op, Op::Local(from) if from == to),
        Op::SetPart(set, ..) => *set == local,
        _ => false,
    })
}

fn is_continue(expr: &Expr) -> bool {
    match &expr.op {
        Op::Continue => true,
        Op::Sequence(parts) => match &parts[..] {
            [before @ .., last] => {
                before.iter().all(|part| matches!(part.op, Op::Nothing)) && matches!(last.op, Op::Continue)
            }
            [] => false,
        },
        _ => false,
    }
}

/// Returns true if `continue` may end an iteration here.
fn may_continue(expr: &Expr) -> bool {
    expr.any_outside_loops(&|part| matches!(part.op, Op::Continue))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typed::ir::Over;
    use crate::{Program, Script};

    /// Returns the number of prefilter steps of the loop in a body, and true if the first remaining unit ends the
    /// loop.
    fn prefiltered(body: &str) -> Option<(usize, bool)> {
        let text = format!("const MEMORY = #{{ most: 0.0 }};\nfn steer(me, world) {{\n{body}\n}}");
        let script = Script::compile("test.rhai", &text).unwrap_or_else(|faults| panic!("{faults:#?}"));
        let program = Program::fold(&script, &[]).unwrap_or_else(|faults| panic!("{faults:#?}"));
        let ir = program.ir(None).unwrap();
        let function = &ir.functions[0];
        let mut sets = vec![0; function.locals.len()];
        count_sets(&function.body, &mut sets);
        let once: Vec<_> = sets.iter().map(|sets| *sets <= 1).collect();
        let mut found = None;
        each_loop(&function.body, &mut |looping| {
            if let Over::Units(unit, ..) = &looping.over {
                let prefilter = Prefilter::new(*unit, once.clone(), looping);
                found = Some(prefilter.map(|prefilter| (prefilter.steps.len(), prefilter.ends)));
            }
        });
        found.expect("there is no loop")
    }

    fn each_loop(expr: &Expr, visit: &mut impl FnMut(&Loop)) {
        if let Op::Loop(looping) = &expr.op {
            visit(looping);
        }
        expr.each_part(&mut |part| each_loop(part, visit));
    }

    #[test]
    fn order_independent_tests_reject_units() {
        for (rounds, expected) in [
            ("if o.speed > 1.0 { continue; } me.draw_line(me.position, o.position);", (1, false)),
            (
                "let d = me.distance_to(o); if d > 1.0 || o.is(\"craft\") { continue; } return o.speed;",
                (2, true),
            ),
            ("if o.speed > 1.0 { me.mark(\"near\"); return o.speed; }", (1, true)),
            ("if o.speed < 1.0 { continue; } if o.mass > 2.0 { n = n * 0.5; }", (2, false)),
            ("let d = o.speed; if d >= n { continue; } n = d; way = o.position;", (2, false)),
            (
                "let d = o.speed; if n <= d { continue; } if o.mass > 1.0 { n = d; way += o.position; }",
                (3, false),
            ),
            ("let d = o.speed; if o.mass > 1.0 && d < n { n = d; way = o.position; }", (2, false)),
            ("let d = o.speed; if n < d { n = d; way = o.position; }", (2, false)),
            ("let d = o.speed * this.most; if d < 1.0 { continue; } n = n * 0.5;", (2, false)),
        ] {
            let found = prefiltered(&body_of(rounds));
            assert_eq!(found, Some(expected), "{rounds}");
        }
    }

    #[test]
    fn tests_that_depend_on_earlier_iterations_reject_nothing() {
        for rounds in [
            "n = n * 0.5 + o.speed;",
            "if n > 3.0 { continue; } n = n * 0.5 + o.speed;",
            // It may become worse: by rounding, or by another assignment.
            "let d = o.speed; if d > n { continue; } n = d; way = o.position;",
            "let d = o.speed; if d >= n { continue; } n = d * 0.5;",
            "let d = o.speed; if d >= n { continue; } if o.mass > 1.0 { n = 1.0; } n = d;",
            // Only some of the remaining units end the loop.
            "if o.speed > 1.0 { continue; } if n > 2.0 { return 1.0; } n = n * 0.5 + 1.0;",
            "let d = o.speed; if d >= n { continue; } n = d; return d;",
            // Side effects and random draws.
            "if me.random() > 0.5 { continue; } n = n * 0.5;",
            "if o.speed < this.most { continue; } this.most = o.speed;",
            "me.mark(\"seen\"); if o.speed > 1.0 { continue; } n = n * 0.5;",
        ] {
            assert_eq!(prefiltered(&body_of(rounds)), None, "{rounds}");
        }
    }

    fn body_of(rounds: &str) -> String {
        format!("let n = 9.0; let way = vec(0, 0); for o in me.others {{ {rounds} }} way * n")
    }
}
