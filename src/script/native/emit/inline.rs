//! Rows of the API with instructions of their own: those that are hot. All others are calls of the host.
//!
//! Each gives the same bits as its row's Rust function; the differential tests compare them.

use std::mem::offset_of;

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, I8, I64};

use super::super::formulas::Formulas;
use super::super::host;
use super::Emit;
use super::value::Parts;
use crate::perception::{NeighborMeansX8, Source};
use crate::script::api::{Form, Function};
use crate::script::typed::form::Compare;
use crate::script::types::Kind::{self, Hit, Integer, List, Me, Number, Unit, Vector, World};
use crate::sim::{Arrays, GroupFacts, NameIds};

/// The instructions for arguments, their parts and kinds.
pub(super) type Instructions = fn(&mut Emit<'_, '_, '_>, &[Parts], &[Kind]) -> Parts;

/// The instructions of a row for arguments of these kinds, if it has some. What the name of a group names is
/// looked up by the host.
pub(super) fn instructions(row: &Function, kinds: &[Kind]) -> Option<Instructions> {
    let is_it =
        |(receiver, name, _): &&(Kind, &str, Instructions)| *receiver == row.receiver() && *name == row.name;
    let is_named = matches!(row.form, Form::Property | Form::Function) && !kinds.contains(&Kind::Group);
    INLINE.iter().find(is_it).filter(|_| is_named).map(|(_, _, emit)| *emit)
}

/// Receiver, name, and the instructions.
#[rustfmt::skip]
const INLINE: &[(Kind, &str, Instructions)] = &[
    (Unit, "position", |emit, on, of| emit.unit_position(of[0], &on[0])),
    (Unit, "velocity", |emit, on, of| emit.unit_array(of[0], &on[0], offset_of!(Arrays, velocity))),
    (Unit, "heading", |emit, on, of| emit.unit_array(of[0], &on[0], offset_of!(Arrays, heading))),
    (Unit, "up", |emit, on, of| emit.unit_array(of[0], &on[0], offset_of!(Arrays, up))),
    (Unit, "angular_velocity", |emit, on, of| emit.unit_array(of[0], &on[0], offset_of!(Arrays, angular_velocity))),
    (Unit, "starboard", |emit, on, of| {
        let unit = emit.unit_index(of[0], &on[0]);
        let [starboard, ..] = emit.axes(unit);
        starboard
    }),
    (Unit, "speed", |emit, on, of| {
        let velocity = emit.unit_array(of[0], &on[0], offset_of!(Arrays, velocity));
        vec![emit.length(&velocity)]
    }),
    (Unit, "id", |emit, on, of| vec![emit.unit_index(of[0], &on[0])]),
    (Unit, "group", |emit, on, of| {
        let unit = emit.unit_index(of[0], &on[0]);
        vec![emit.group_of(unit)]
    }),
    (Unit, "index", |emit, on, of| {
        let unit = emit.unit_index(of[0], &on[0]);
        let facts = emit.facts_of(unit);
        let first = emit.frozen(I64, facts, offset_of!(GroupFacts, first));
        vec![emit.builder.ins().isub(unit, first)]
    }),
    (Unit, "length", |emit, on, of| emit.group_fact(of[0], &on[0], offset_of!(GroupFacts, length))),
    (Unit, "width", |emit, on, of| emit.group_fact(of[0], &on[0], offset_of!(GroupFacts, width))),
    (Unit, "radius", |emit, on, of| emit.group_fact(of[0], &on[0], offset_of!(GroupFacts, radius))),
    (Unit, "mass", |emit, on, of| emit.group_fact(of[0], &on[0], offset_of!(GroupFacts, mass))),
    (Unit, "max_speed", |emit, on, of| emit.group_fact(of[0], &on[0], offset_of!(GroupFacts, max_speed))),
    (Unit, "desired_speed", |emit, on, of| emit.group_fact(of[0], &on[0], offset_of!(GroupFacts, desired_speed))),
    (Unit, "steering_force", |emit, on, of| emit.group_fact(of[0], &on[0], offset_of!(GroupFacts, steering_force))),
    (Unit, "thrust", |emit, on, of| emit.group_fact(of[0], &on[0], offset_of!(GroupFacts, thrust))),
    (Unit, "distance_to", |emit, on, of| {
        let [a, b] = [0, 1].map(|at| match of[at] {
            Vector => on[at].clone(),
            kind => emit.unit_position(kind, &on[at]),
        });
        vec![emit.distance(&a, &b)]
    }),
    (Unit, "to_local", |emit, on, of| {
        let unit = emit.unit_index(of[0], &on[0]);
        let axes = emit.axes(unit);
        emit.in_axes(&axes, &on[1])
    }),
    (Unit, "to_world", |emit, on, of| {
        let unit = emit.unit_index(of[0], &on[0]);
        let axes = emit.axes(unit);
        emit.along_axes(&axes, &on[1])
    }),
    (Unit, "side", |emit, on, of| {
        let unit = emit.unit_index(of[0], &on[0]);
        let position = emit.unit_position(of[0], &on[0]);
        let [starboard, ..] = emit.axes(unit);
        vec![emit.side_of(&starboard, &position, &on[1])]
    }),
    (Unit, "is", |emit, on, of| {
        let unit = emit.unit_index(of[0], &on[0]);
        let facts = emit.facts_of(unit);
        let kinds = emit.frozen(I64, facts, offset_of!(GroupFacts, kinds));
        let bit = emit.name_id(on[1][0], offset_of!(NameIds, kind));
        vec![emit.have_in_common(kinds, bit)]
    }),
    (Unit, "has_mark", |emit, on, of| {
        let unit = emit.unit_index(of[0], &on[0]);
        let marks = emit.marks_of(unit);
        let bit = emit.name_id(on[1][0], offset_of!(NameIds, mark));
        vec![emit.have_in_common(marks, bit)]
    }),
    (Unit, "signal", |emit, on, of| {
        let unit = emit.unit_index(of[0], &on[0]);
        let slot = emit.name_id(on[1][0], offset_of!(NameIds, signal));
        vec![emit.signal(unit, slot)]
    }),
    (Me, "steer_toward", |emit, on, of| {
        let velocity = emit.unit_array(of[0], &on[0], offset_of!(Arrays, velocity));
        let force = emit.group_fact(of[0], &on[0], offset_of!(GroupFacts, steering_force));
        emit.push_toward(&on[1], &velocity, force[0])
    }),
    (Me, "has_view", |emit, _, _| {
        let has = emit.own_fact(offset_of!(GroupFacts, has_view));
        vec![emit.builder.ins().ireduce(I8, has)]
    }),
    (Me, "path", |emit, _, _| emit.own_route(offset_of!(GroupFacts, path))),
    (Me, "field", |emit, _, _| emit.own_route(offset_of!(GroupFacts, field))),
    (Me, "neighbors", |emit, _, _| emit.units(Source::Neighbors)),
    (Me, "others", |emit, _, _| emit.units(Source::Others)),
    (Me, "enemies", |emit, _, _| emit.units(Source::Enemies)),
    (Me, "random", |emit, _, _| vec![emit.random()]),
    (Me, "random_between", |emit, on, _| {
        let random = emit.random();
        emit.lerp(&on[1], &on[2], random)
    }),
    (List, "len", |emit, on, _| vec![emit.count(&on[0])]),
    (List, "is_empty", |emit, on, _| {
        let count = emit.count(&on[0]);
        vec![emit.builder.ins().icmp_imm_s(IntCC::Equal, count, 0)]
    }),
    (List, "mean_position", |emit, on, _| emit.mean_vector(&on[0], offset_of!(NeighborMeansX8, position))),
    (List, "mean_velocity", |emit, on, _| emit.mean_vector(&on[0], offset_of!(NeighborMeansX8, velocity))),
    (List, "within", |emit, on, _| emit.within(&on[0], on[1][0])),
    (World, "time", |emit, _, _| vec![emit.state(F32, offset_of!(Arrays, time))]),
    (World, "step", |emit, _, _| vec![emit.state(F32, offset_of!(Arrays, step))]),
    (World, "radius", |emit, _, _| vec![emit.state(F32, offset_of!(Arrays, radius))]),
    (World, "center", |emit, _, _| emit.state_vector(offset_of!(Arrays, center))),
    (World, "size", |emit, _, _| emit.state_vector(offset_of!(Arrays, size))),
    (World, "obstacles", |emit, _, _| vec![emit.builder.ins().f32const(f32::INFINITY)]),
    (Hit, "distance", |_, on, _| vec![on[0][0]]),
    (Hit, "point", |_, on, _| on[0][1..4].to_vec()),
    (Hit, "normal", |_, on, _| on[0][4..7].to_vec()),
    (Hit, "obstacle", |_, on, _| vec![on[0][7]]),
    (Number, "sin", |emit, on, _| vec![emit.host_float(host::sin as *const (), &on.concat())]),
    (Number, "cos", |emit, on, _| vec![emit.host_float(host::cos as *const (), &on.concat())]),
    (Number, "tan", |emit, on, _| vec![emit.host_float(host::tan as *const (), &on.concat())]),
    (Number, "asin", |emit, on, _| vec![emit.host_float(host::asin as *const (), &on.concat())]),
    (Number, "acos", |emit, on, _| vec![emit.host_float(host::acos as *const (), &on.concat())]),
    (Number, "atan", |emit, on, _| vec![emit.host_float(host::atan as *const (), &on.concat())]),
    (Number, "atan2", |emit, on, _| vec![emit.host_float(host::atan2 as *const (), &on.concat())]),
    (Number, "exp", |emit, on, _| vec![emit.host_float(host::exp as *const (), &on.concat())]),
    (Number, "ln", |emit, on, _| vec![emit.host_float(host::ln as *const (), &on.concat())]),
    (Number, "pow", |emit, on, _| vec![emit.host_float(host::pow as *const (), &on.concat())]),
    (Number, "floor", |emit, on, _| vec![emit.host_float(host::floor as *const (), &on.concat())]),
    (Number, "ceil", |emit, on, _| vec![emit.host_float(host::ceil as *const (), &on.concat())]),
    (Number, "round", |emit, on, _| vec![emit.host_float(host::round as *const (), &on.concat())]),
    (Number, "to_int", |emit, on, _| vec![emit.builder.ins().fcvt_to_sint_sat(I64, on[0][0])]),
    (Number, "is_zero", |emit, on, _| {
        let zero = emit.builder.ins().f32const(0.0);
        vec![emit.exactly(Compare::Equal, on[0][0], zero)]
    }),
    (Integer, "min", |emit, on, _| vec![emit.builder.ins().smin(on[0][0], on[1][0])]),
    (Integer, "max", |emit, on, _| vec![emit.builder.ins().smax(on[0][0], on[1][0])]),
    (Integer, "clamp", |emit, on, _| {
        let most = emit.builder.ins().smin(on[0][0], on[2][0]);
        vec![emit.builder.ins().smax(most, on[1][0])]
    }),
    (Integer, "to_int", |_, on, _| on[0].clone()),
    (Integer, "to_float", |emit, on, _| vec![emit.builder.ins().fcvt_from_sint(F32, on[0][0])]),
    (Integer, "is_zero", |emit, on, _| vec![emit.builder.ins().icmp_imm_s(IntCC::Equal, on[0][0], 0)]),
    (Integer, "is_odd", |emit, on, _| vec![emit.lowest_bit(on[0][0], true)]),
    (Integer, "is_even", |emit, on, _| vec![emit.lowest_bit(on[0][0], false)]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::api;

    #[test]
    fn instructions_belong_to_rows() {
        for (receiver, name, _) in INLINE {
            let mut rows = api::functions().iter();
            assert!(rows.any(|row| row.receiver() == *receiver && row.name == *name), "{receiver:?}.{name}");
        }
    }
}
