//! Locals of the functions being emitted.

use cranelift_codegen::ir::types::{F32, F32X4, I8, I32X4};
use cranelift_codegen::ir::{Type as Machine, Value};
use cranelift_frontend::Variable;

use super::super::emit::machine;
use super::super::formulas::Formulas;
use super::super::operations::Operations;
use super::EmitLanes;
use super::frame::{Frame, Place};
use super::planar::planar_locals;
use super::value::{LaneValue, Parts, Uniform, Varying};
use crate::typed::ir::{Expr, Function, Op, Over};
use crate::types::{Kind, Type};

impl<'b> EmitLanes<'_, 'b, '_> {
    /// Begins an inlined function with its arguments.
    pub(super) fn enter(&mut self, function: &'b Function, arguments: Vec<Parts>) {
        let mut sets = vec![0; function.locals.len()];
        count_sets(&function.body, &mut sets);
        let planar = if self.plane { planar_locals(function) } else { vec![false; sets.len()] };
        let mut arguments = arguments.into_iter();
        let mut locals = Vec::with_capacity(sets.len());
        for (local, (of, sets)) in function.locals.iter().zip(sets).enumerate() {
            let argument = if local < function.arguments { arguments.next() } else { None };
            locals.push(match argument {
                Some(parts) if sets == 0 => Place::Bound(parts),
                None if sets <= 1 => Place::Unset,
                argument => {
                    let start = argument.unwrap_or_else(|| self.zeros(*of));
                    let kept = start.len() - usize::from(planar[local]);
                    Place::Variables(self.declare(&start[..kept], *of))
                }
            });
        }
        let result = if self.frames.is_empty() {
            Vec::new()
        } else {
            let zeros = self.zeros(function.result);
            self.declare(&zeros, function.result)
        };
        self.frames.push(Frame { function, locals, result });
    }

    /// Creates variables for the components of a value.
    pub(super) fn declare(&mut self, parts: &[LaneValue], of: Type) -> Vec<[Variable; 2]> {
        if !can_vary(of) {
            self.refuse();
            return Vec::new();
        }
        let parts = parts.iter().zip(machine(of));
        parts
            .map(|(part, of)| {
                let value = self.broadcast(*part, of);
                let of = vector_type(of);
                let variable = [self.builder.declare_var(of), self.builder.declare_var(of)];
                self.define(variable, value);
                variable
            })
            .collect()
    }

    /// Broadcasts a component of a machine type to all lanes.
    fn broadcast(&mut self, part: LaneValue, of: Machine) -> [Value; 2] {
        match (part, of) {
            (part, F32) => self.numbers(part),
            (part, I8) => self.masks(part),
            (Varying(values), _) => values,
            (Uniform(_), _) => {
                self.refuse();
                self.integer(0)
            }
        }
    }

    pub(super) fn read(&mut self, local: usize) -> Parts {
        let Some(frame) = self.frames.last() else {
            return Parts::new();
        };
        match &frame.locals[local] {
            Place::Bound(parts) => parts.clone(),
            Place::Variables(variables) => {
                let (variables, all) = (variables.clone(), machine(frame.function.locals[local]).len());
                let is_planar = variables.len() < all;
                let mut parts: Parts =
                    variables.into_iter().map(|variable| Varying(self.value_of(variable))).collect();
                if is_planar {
                    parts.push(self.number(0.0));
                }
                parts
            }
            Place::Unset => {
                let of = frame.function.locals[local];
                self.refuse_value(of)
            }
        }
    }

    /// Assigns a local in the active lanes.
    pub(super) fn write(&mut self, local: usize, parts: Parts) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let of = frame.function.locals[local];
        if let Place::Variables(variables) = &frame.locals[local] {
            let variables = variables.clone();
            self.write_to(&variables, &parts, of);
        } else {
            frame.locals[local] = Place::Bound(parts);
        }
    }

    pub(super) fn write_part(&mut self, local: usize, part: usize, value: LaneValue) {
        let Some(Place::Variables(variables)) = self.frames.last().map(|frame| &frame.locals[local]) else {
            self.refuse();
            return;
        };
        let variable = variables[part];
        let value = self.numbers(value);
        self.write_lanes(variable, value);
    }

    /// Assigns variables in the active lanes.
    pub(super) fn write_to(&mut self, variables: &[[Variable; 2]], parts: &[LaneValue], of: Type) {
        let machine = machine(of);
        let is_planar = variables.len() < machine.len();
        let fits = machine.len() == parts.len() && variables.len() + usize::from(is_planar) == parts.len();
        if !fits || (is_planar && !self.is_zero(parts[2])) {
            self.refuse();
            return;
        }
        for ((variable, part), of) in variables.iter().zip(parts).zip(machine) {
            let value = self.broadcast(*part, of);
            self.write_lanes(*variable, value);
        }
    }

    fn write_lanes(&mut self, variable: [Variable; 2], value: [Value; 2]) {
        if self.nesting == 0 {
            // Lanes that are inactive here stay inactive.
            self.define(variable, value);
        } else {
            let active = self.value_of(self.active);
            self.merge(active, value, variable);
        }
    }

    /// Returns for each local if it has a single assignment.
    pub(super) fn has_one_assignment(&self) -> Vec<bool> {
        let locals = self.frames.last().map_or(&[][..], |frame| &frame.locals);
        locals.iter().map(|place| !matches!(place, Place::Variables(_))).collect()
    }

    /// Returns for each local if it is currently bound.
    pub(super) fn bound(&self) -> Vec<bool> {
        let frame = self.frames.last();
        frame.map_or_else(Vec::new, |frame| {
            frame.locals.iter().map(|place| matches!(place, Place::Bound(_))).collect()
        })
    }

    /// Unbinds the locals bound since `before`, whose values do not exist on every path.
    pub(super) fn unbind_since(&mut self, before: &[bool]) {
        if let Some(frame) = self.frames.last_mut() {
            for (place, was_bound) in frame.locals.iter_mut().zip(before) {
                if matches!(place, Place::Bound(_)) && !was_bound {
                    *place = Place::Unset;
                }
            }
        }
    }
}

/// Returns true if a value of this type can differ by lane.
pub(super) fn can_vary(of: Type) -> bool {
    matches!(
        of.kind,
        Kind::Never | Kind::Nothing | Kind::Number | Kind::Integer | Kind::Bool | Kind::Vector | Kind::Turn
    )
}

/// Returns the vector type of four lanes.
fn vector_type(of: Machine) -> Machine {
    if of == F32 { F32X4 } else { I32X4 }
}

/// Counts the assignments to each local in an expression, those to components included.
pub(super) fn count_sets(expr: &Expr, sets: &mut [u32]) {
    match &expr.op {
        Op::Set(local, _) => sets[*local] += 1,
        Op::SetPart(local, ..) => sets[*local] += 2,
        Op::Loop(looping) => {
            if let Some(counter) = looping.counter {
                sets[counter] += 2;
            }
            match &looping.over {
                Over::Range(local, _) | Over::Steps(local, _) | Over::NumberSteps(local, _) => {
                    sets[*local] += 2;
                }
                Over::Units(local, ..) | Over::Obstacles(local, ..) => sets[*local] += 1,
                Over::While(_) | Over::DoWhile(_) => {}
            }
        }
        _ => {}
    }
    expr.each_part(&mut |part| count_sets(part, sets));
}
