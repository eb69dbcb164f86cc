//! Reviews increments of memory that are the same in every step, so that their effect in a second depends on the step.
//!
//! Only statements that run in every call are read, of which the amount is certain: numbers, constants at the top, parameters
//! and draws. Whole numbers count steps.

use rhai::{Expr, FnCallExpr, Stmt};
use steerbox_core::world::decimal;

use super::Reader;
use super::uses::written;
use crate::api::{self, Effect, Function, Tag};
use crate::syntax::chain::{Link, unroll};
use crate::types::Kind;

/// The steps of examples, in parts of a second.
const RATES: [i32; 2] = [60, 30];

/// The part of an increment that is certain.
enum Amount {
    Number(f64),
    /// A number that is drawn anew in each step.
    Draw,
}

impl Reader<'_> {
    /// Reports the increments of `steer`.
    pub(super) fn increments(&mut self) {
        if !self.is_entry || self.body.name != "steer" {
            return;
        }
        let statements = &self.body.statements;
        let changes = statements.iter().filter_map(|statement| {
            let Stmt::Assignment(assignment) = statement else { return None };
            let operator = assignment.0.get_op_assignment_info().map(|info| info.5);
            Some((field(&assignment.1.lhs)?, operator, &assignment.1.rhs))
        });
        let changes: Vec<_> = changes.collect();
        for &(name, operator, right) in &changes {
            let own = format!("this.{name}");
            let (operator, right) = match (operator, right) {
                (None, Expr::FnCall(call, _)) if call.args.first().is_some_and(|arg| written(arg) == own) => {
                    (call.name.as_str(), &call.args[call.args.len() - 1])
                }
                (Some(operator), right) => (operator, right),
                _ => continue,
            };
            let is_set = |other: &(&str, Option<&str>, &Expr)| {
                other.0 == name && other.1.is_none() && !written(other.2).contains(&own)
            };
            if changes.iter().any(is_set) {
                continue;
            }
            if let Some((message, help)) = self.increment(&own, operator, right) {
                self.warn(right.start_position(), message, help);
            }
        }
    }

    /// Returns the message and the remedy for an increment.
    fn increment(&self, own: &str, operator: &str, right: &Expr) -> Option<(String, String)> {
        let each = |value: fn(f64, i32) -> f64, amount: f64| {
            RATES.map(|rate| format!("{}", (value(amount, rate) * 1e4).round() / 1e4))
        };
        match (operator, self.amount(right)) {
            ("+" | "-", Some(Amount::Draw)) => {
                let message = format!(
                    "`{own}` changes by a random number in each step: half the step doubles its mean change in a second, and its deviation becomes 1.41 times as large"
                );
                let help = "write `me.random_walk(RATE)`: its sum over t seconds has the standard deviation RATE · √t";
                Some((message, help.to_owned()))
            }
            ("+" | "-", Some(Amount::Number(amount))) if amount.fract() != 0.0 => {
                let [short, long] = each(|amount, rate| amount * f64::from(rate), amount);
                let message = format!(
                    "`{own}` changes by {amount} in each step: in a second by {short} if the step is 1/60, by {long} if it is 1/30"
                );
                Some((message, "write `RATE * world.step`, with the change per second".to_owned()))
            }
            ("*", Some(Amount::Number(factor))) if 0.0 < factor && factor < 1.0 => {
                let [short, long] = each(f64::powi, factor);
                let message = format!(
                    "`{own}` is multiplied by {factor} in each step: in a second by {short} if the step is 1/60, by {long} if it is 1/30"
                );
                Some((message, "write `exp(-RATE * world.step)`, with the decay per second".to_owned()))
            }
            ("+", None) => {
                let share = self.approach(own, right)?;
                let [short, long] = each(|share, rate| 1.0 - (1.0 - share).powi(rate), share);
                let message = format!(
                    "`{own}` approaches by the share {share} in each step: in a second by {short} if the step is 1/60, by {long} if it is 1/30"
                );
                Some((
                    message,
                    "write `(1 - exp(-RATE * world.step))` as the share, with the rate per second".to_owned(),
                ))
            }
            _ => None,
        }
    }

    /// Returns the share in `(VALUE - this.NAME) * SHARE`.
    fn approach(&self, own: &str, right: &Expr) -> Option<f64> {
        let (one, other) = operands(right, "*")?;
        let share = |difference: &Expr, share: &Expr| {
            let (_, subtracted) = operands(difference, "-")?;
            match self.amount(share)? {
                Amount::Number(share) if 0.0 < share && share < 1.0 && written(subtracted) == own => {
                    Some(share)
                }
                _ => None,
            }
        };
        share(one, other).or_else(|| share(other, one))
    }

    /// Returns the value of an expression of numbers, constants, parameters and draws.
    fn amount(&self, expr: &Expr) -> Option<Amount> {
        match expr {
            Expr::IntegerConstant(value, _) => Some(Amount::Number(*value as f64)),
            Expr::FloatConstant(value, _) => Some(Amount::Number(decimal(**value))),
            Expr::Variable(variable, ..) => {
                let name = variable.1.as_str();
                let value = self.known.scope.get(name).filter(|_| !self.kinds.locals.contains(name))?;
                let float = || value.as_float().ok().map(decimal);
                value.as_int().ok().map(|value| value as f64).or_else(float).map(Amount::Number)
            }
            Expr::Dot(..) => {
                let (root, links) = unroll(expr);
                let [Link::Method(call)] = links.iter().map(|step| step.link).collect::<Vec<_>>()[..] else {
                    return None;
                };
                let is_random = |row: &Function| row.effect == Effect::Random && !row.has(Tag::ScaledByStep);
                let is_draw =
                    api::named(&call.name).any(is_random) && self.kinds.kind(root) == Some(Kind::Me);
                let arguments = call.args.iter().all(|argument| self.amount(argument).is_some());
                (is_draw && arguments).then_some(Amount::Draw)
            }
            Expr::FnCall(call, _) => self.sum(call),
            _ => None,
        }
    }

    /// Returns the value of a sum, a difference, a product, a quotient or a negative number.
    fn sum(&self, call: &FnCallExpr) -> Option<Amount> {
        let amounts: Option<Vec<_>> = call.args.iter().map(|argument| self.amount(argument)).collect();
        match (call.name.as_str(), &amounts?[..]) {
            ("-", [Amount::Number(one)]) => Some(Amount::Number(-one)),
            (operator @ ("+" | "-" | "*" | "/"), [Amount::Number(one), Amount::Number(other)]) => {
                Some(Amount::Number(match operator {
                    "+" => one + other,
                    "-" => one - other,
                    "*" => one * other,
                    _ => one / other,
                }))
            }
            ("+" | "-" | "*" | "/", [_] | [_, _]) => Some(Amount::Draw),
            _ => None,
        }
    }
}

/// Returns the name in `this.NAME`.
fn field(expr: &Expr) -> Option<&str> {
    match unroll(expr) {
        (Expr::ThisPtr(_), links) => match links[..] {
            [step] => match step.link {
                Link::Property(name) => Some(name),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// Returns both operands of an operator.
fn operands<'a>(expr: &'a Expr, operator: &str) -> Option<(&'a Expr, &'a Expr)> {
    let Expr::FnCall(call, _) = expr else { return None };
    match &call.args[..] {
        [one, other] if call.name == operator => Some((one, other)),
        _ => None,
    }
}
