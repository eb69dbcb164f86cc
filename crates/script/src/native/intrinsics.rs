//! The instructions of rows and operators, for code for one unit and for eight. All other rows are calls of the
//! host.
//!
//! Results are bit-identical with the row's Rust function; the differential tests compare them.

use std::mem::offset_of;

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F32, I8, I64};
use steerbox_core::sim::{Arrays, GroupConstants, NameIds};
use steerbox_core::world::random;

use super::operations::{Operations, Parts};
use crate::api::{Function, Intrinsic, ListOp, ListRole, UnitOp, ValueOp};
use crate::typed::ir::{Builtin, Compare};
use crate::types::Kind::{self, Number, Vector};

/// Components and kinds of arguments.
type On<'a, E> = (&'a [Parts<E>], &'a [Kind]);

/// Emits a row for arguments of these components and kinds, if it has instructions for them.
pub(super) fn of_row<'f, E: Operations<'f>>(
    emit: &mut E,
    row: &Function,
    on: &[Parts<E>],
    of: &[Kind],
) -> Option<Parts<E>> {
    // Only the host compares names of groups and zones.
    let intrinsic = row.intrinsic.filter(|_| !of.contains(&Kind::Group) && !of.contains(&Kind::Zone))?;
    let parts = match intrinsic {
        Intrinsic::Value(to) => of_values(emit, to, on),
        Intrinsic::Integer(to) => emit.of_integers(to, on)?,
        Intrinsic::Unit(to) => of_unit(emit, to, (on, of))?,
        Intrinsic::List(to) => of_list(emit, to, row, on)?,
        Intrinsic::Special(to) => emit.special(to, on, of)?,
    };
    if row.list == ListRole::Scans {
        emit.add_scan_cost(&on[0]);
    }
    Some(parts)
}

fn of_unit<'f, E: Operations<'f>>(emit: &mut E, to: UnitOp, (on, of): On<'_, E>) -> Option<Parts<E>> {
    Some(match to {
        UnitOp::Position => emit.position(of[0], &on[0]),
        UnitOp::Distance => {
            let [a, b] = [0, 1].map(|at| match of[at] {
                Vector => on[at].clone(),
                kind => emit.position(kind, &on[at]),
            });
            vec![emit.distance(&a, &b)]
        }
        UnitOp::Vector(which) => emit.vector_of(of[0], &on[0], which)?,
        UnitOp::Starboard => {
            let [starboard, ..] = emit.axes(of[0], &on[0])?;
            starboard
        }
        UnitOp::Speed => {
            let velocity = emit.vector_of(of[0], &on[0], offset_of!(Arrays, velocity))?;
            vec![emit.length(&velocity)]
        }
        UnitOp::BodyNumber(offset) => {
            let body = emit.body(of[0], &on[0])?;
            vec![E::uniform(emit.frozen(F32, body, offset))]
        }
        UnitOp::ToLocal => {
            let axes = emit.axes(of[0], &on[0])?;
            emit.in_axes(&axes, &on[1])
        }
        UnitOp::ToWorld => {
            let axes = emit.axes(of[0], &on[0])?;
            emit.along_axes(&axes, &on[1])
        }
        UnitOp::Side => {
            let [starboard, ..] = emit.axes(of[0], &on[0])?;
            let position = emit.position(of[0], &on[0]);
            vec![emit.side_of(&starboard, &position, &on[1])]
        }
        UnitOp::IsOfKind => vec![emit.has_name(of[0], &on[0], on[1][0], offset_of!(NameIds, kind))?],
        UnitOp::HasMark => vec![emit.has_name(of[0], &on[0], on[1][0], offset_of!(NameIds, mark))?],
        UnitOp::SteerToward => {
            let velocity = emit.vector_of(of[0], &on[0], offset_of!(Arrays, velocity))?;
            let constants = emit.own_group_constants();
            let force =
                E::uniform(emit.frozen(F32, constants, offset_of!(GroupConstants, body.steering_force)));
            emit.push_toward(&on[1], &velocity, force)
        }
        UnitOp::HasView => {
            let constants = emit.own_group_constants();
            let has = emit.frozen(I64, constants, offset_of!(GroupConstants, has_view));
            vec![E::uniform(emit.builder().ins().ireduce(I8, has))]
        }
        UnitOp::Route(offset) => {
            let constants = emit.own_group_constants();
            let route = emit.frozen(I64, constants, offset);
            let is_there = emit.builder().ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, route, 0);
            vec![E::uniform(is_there), E::uniform(route)]
        }
        UnitOp::Random => vec![emit.random()],
        UnitOp::RandomBetween => {
            let random = emit.random();
            emit.lerp(&on[1], &on[2], random)
        }
        UnitOp::RandomNormal => {
            let deviations = standard_normal(emit);
            let offset = emit.mul(on[2][0], deviations);
            vec![emit.add(on[1][0], offset)]
        }
        UnitOp::RandomWalk => {
            let step = E::uniform(emit.state(F32, offset_of!(Arrays, step)));
            let root = emit.sqrt(step);
            let deviation = emit.mul(on[1][0], root);
            let deviations = standard_normal(emit);
            vec![emit.mul(deviation, deviations)]
        }
    })
}

fn standard_normal<'f, E: Operations<'f>>(emit: &mut E) -> E::Value {
    extern "C" fn normal(draw: f32) -> f32 {
        random::normal(draw)
    }
    let draw = emit.random();
    emit.of_numbers(normal as *const (), &[draw])
}

fn of_list<'f, E: Operations<'f>>(
    emit: &mut E,
    to: ListOp,
    row: &Function,
    on: &[Parts<E>],
) -> Option<Parts<E>> {
    Some(match to {
        ListOp::Source => match row.list {
            ListRole::Source(source) => emit.units(source),
            ListRole::None | ListRole::Part | ListRole::Scans => return None,
        },
        ListOp::Count => vec![emit.count(&on[0])],
        ListOp::IsEmpty => vec![emit.is_empty(&on[0])],
        ListOp::Mean(offset) => emit.mean_vector(&on[0], offset),
        ListOp::Within => {
            let (reach, radius) = (on[0][1], on[1][0]);
            let (zero, none) = (emit.number(0.0), emit.number(f32::NAN));
            let is_nearer = emit.fcmp(FloatCC::LessThan, radius, reach);
            let reach = emit.select(is_nearer, radius, reach);
            let is_any = emit.fcmp(FloatCC::GreaterThanOrEqual, radius, zero);
            vec![on[0][0], emit.select(is_any, reach, none)]
        }
        ListOp::AllObstacles => vec![emit.number(f32::INFINITY)],
        ListOp::ObstaclesWithin => {
            let (all, reach) = (on[0][0], on[1][0]);
            let is_all = emit.fcmp(FloatCC::GreaterThanOrEqual, reach, all);
            vec![emit.select(is_all, all, reach)]
        }
        ListOp::WorldNumber(offset) => vec![E::uniform(emit.state(F32, offset))],
        ListOp::WorldVector(offset) => {
            let axes = 0..3;
            axes.map(|axis| E::uniform(emit.state(F32, offset + size_of::<f32>() * axis))).collect()
        }
    })
}

fn of_values<'f, E: Operations<'f>>(emit: &mut E, to: ValueOp, on: &[Parts<E>]) -> Parts<E> {
    match to {
        ValueOp::Parts(from, to) => on[0][from..to].to_vec(),
        ValueOp::Concat => on.concat(),
        ValueOp::InPlane => {
            let zero = emit.number(0.0);
            vec![on[0][0], on[1][0], zero]
        }
        ValueOp::Unary(function) => vec![emit.of_numbers(function as *const (), &[on[0][0]])],
        ValueOp::Binary(function) => vec![emit.of_numbers(function as *const (), &[on[0][0], on[1][0]])],
        ValueOp::SquareRoot => vec![emit.sqrt(on[0][0])],
        ValueOp::Abs => vec![emit.abs(on[0][0])],
        ValueOp::Sign => vec![emit.sign(on[0][0])],
        ValueOp::Min => vec![emit.lesser_of(on[0][0], on[1][0])],
        ValueOp::Max => vec![emit.greater_of(on[0][0], on[1][0])],
        ValueOp::Clamp => {
            let most = emit.lesser_of(on[0][0], on[2][0]);
            vec![emit.greater_of(most, on[1][0])]
        }
        ValueOp::Lerp => emit.lerp(&on[0], &on[1], on[2][0]),
        ValueOp::IsZero => {
            let zero = emit.number(0.0);
            vec![emit.exactly(Compare::Equal, on[0][0], zero)]
        }
        ValueOp::Length => vec![emit.length(&on[0])],
        ValueOp::Normalized => emit.normalized(&on[0]),
        ValueOp::Dot => vec![emit.dot(&on[0], &on[1])],
        ValueOp::Cross => emit.cross(&on[0], &on[1]),
        ValueOp::Limit => emit.limit(&on[0], on[1][0]),
    }
}

/// Emits an operator of numbers or vectors, if it is a formula.
pub(super) fn of_operator<'f, E: Operations<'f>>(
    emit: &mut E,
    to: Builtin,
    kinds: [Kind; 2],
    a: &[E::Value],
    b: &[E::Value],
) -> Option<Parts<E>> {
    Some(match (to, kinds) {
        (Builtin::Add, [Vector, Vector]) => emit.add_vectors(a, b),
        (Builtin::Subtract, [Vector, Vector]) => emit.sub_vectors(a, b),
        (Builtin::Multiply, [Vector, Number]) => emit.scale(a, b[0]),
        (Builtin::Multiply, [Number, Vector]) => emit.scale(b, a[0]),
        (Builtin::Divide, [Vector, Number]) => emit.div_scalar(a, b[0]),
        (Builtin::Add, [Number, Number]) => vec![emit.add(a[0], b[0])],
        (Builtin::Subtract, [Number, Number]) => vec![emit.sub(a[0], b[0])],
        (Builtin::Multiply, [Number, Number]) => vec![emit.mul(a[0], b[0])],
        (Builtin::Divide, [Number, Number]) => vec![emit.div(a[0], b[0])],
        _ => return None,
    })
}
