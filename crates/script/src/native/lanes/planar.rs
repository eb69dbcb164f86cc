//! Planar vectors: in worlds that are a plane, z is omitted from computations.
//!
//! Scenes are known when scripts are compiled. In a plane, z of positions, velocities and headings is exactly +0,
//! and so is z of their sums and differences; products may be −0 or NaN, and are computed. Before each call the
//! batch is tested, and its units are decided one by one if a z is not +0. A flock with loops gains 7 %.

use super::super::formulas::Formulas;
use super::EmitLanes;
use super::value::{LaneValue, Parts};
use crate::api::{self, Tag};
use crate::typed::ir::{Builtin, Call, Expr, Function, Op};
use crate::types::{Kind, Type};

impl EmitLanes<'_, '_, '_> {
    /// Builds a vector of units from a function that loads a component; in a plane, z is 0 and not loaded.
    pub(super) fn planar(&mut self, read: impl Fn(&mut Self, usize) -> LaneValue) -> Parts {
        let [x, y] = [0, 1].map(|axis| read(self, axis));
        self.info.plane |= self.plane;
        vec![x, y, if self.plane { self.number(0.0) } else { read(self, 2) }]
    }

    /// Returns true if a number is the constant +0 in all lanes.
    pub(super) fn is_zero(&self, value: LaneValue) -> bool {
        self.constant(value).is_some_and(|value| value.to_bits() == 0)
    }
}

/// Returns for each local of a function if it is a vector whose z is always +0 in a plane.
pub(super) fn planar_locals(function: &Function) -> Vec<bool> {
    let is_local =
        |(local, of): (usize, &Type)| local >= function.arguments && *of == Type::from(Kind::Vector);
    let mut planar: Vec<_> = function.locals.iter().enumerate().map(is_local).collect();
    // A local may be planar because others are, so the removal repeats until it is stable.
    while forget(&function.body, &mut planar) {}
    planar
}

/// Removes the locals that are assigned another value. Returns true if there are any.
fn forget(expr: &Expr, planar: &mut [bool]) -> bool {
    let other = match &expr.op {
        Op::Set(local, value) if planar[*local] && !is_planar(value, planar) => Some(*local),
        Op::SetPart(local, 2, _) if planar[*local] => Some(*local),
        _ => None,
    };
    if let Some(local) = other {
        planar[local] = false;
    }
    let mut any = other.is_some();
    expr.each_part(&mut |part| any |= forget(part, planar));
    any
}

/// Returns true if z of a vector is always +0: for planar values, and sums and differences of them. For products it
/// may be −0 or NaN.
fn is_planar(expr: &Expr, planar: &[bool]) -> bool {
    match &expr.op {
        Op::Vector([.., z]) => z.to_bits() == 0,
        Op::Local(local) => planar[*local],
        Op::Call(Call { to: Builtin::Add | Builtin::Subtract, arguments, .. }) => {
            arguments.iter().all(|argument| argument.of.kind == Kind::Vector && is_planar(argument, planar))
        }
        Op::Call(Call { to: Builtin::Function(place), .. }) => api::functions()[*place].has(Tag::Planar),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Program, Script};

    /// Returns true if the only vector variable in a body of `steer` is planar.
    fn stays_planar(body: &str) -> bool {
        let text = format!("const RATE = param(0.5, 0.0, 1.0);\nfn steer(me, world) {{\n{body}\n}}");
        let script = Script::compile("test.rhai", &text).unwrap_or_else(|faults| panic!("{faults:#?}"));
        let program = Program::fold(&script, &[]).unwrap_or_else(|faults| panic!("{faults:#?}"));
        let ir = program.ir(None).unwrap();
        let planar = planar_locals(&ir.functions[0]);
        assert!(ir.functions[0].locals.contains(&Kind::Vector.into()), "{body}");
        planar.contains(&true)
    }

    #[test]
    fn sums_and_differences_of_planar_vectors_are_planar() {
        for body in [
            "let sum = vec(0, 0); for o in me.others { sum += o.position - me.position; } sum",
            "let way = vec(1, me.speed); for o in me.others { way = o.velocity - way; } way",
            "let way = vec(1, 2); way.x = me.speed; way",
        ] {
            assert!(stays_planar(body), "{body}");
        }
        for body in [
            // −0, or NaN.
            "let sum = vec(0, 0); for o in me.others { sum += (o.position - me.position) * RATE; } sum",
            "let way = vec(0, 0); for o in me.others { way = -way; } way",
            "let way = vec(0, 0, -0.0); for o in me.others { way += o.velocity; } way",
            "let way = vec(0, 0); for o in me.others { way += me.up; } way",
            "let way = vec(0, 0); way.z = me.speed; way",
            "let way = me.position; for o in me.others { way = o.heading; } way",
        ] {
            assert!(!stays_planar(body), "{body}");
        }
    }
}
