//! Rows of the API with instructions for eight units at a time, with the bits of those for one.

use std::mem::offset_of;

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{I8, I64};

use super::super::formulas::Formulas;
use super::super::host;
use super::EmitLanes;
use super::context::Name;
use super::units::OfUnit;
use super::value::{Parts, Wide};
use crate::perception::{NeighborMeansX8, Source};
use crate::script::api::{Form, Function};
use crate::script::types::Kind::{self, Integer, List, Me, Number, Obstacles, Unit, Vector, World};
use crate::sim::{Arrays, GroupFacts, NameIds};

/// The instructions for arguments, their parts and kinds.
pub(super) type Instructions = fn(&mut EmitLanes<'_, '_, '_>, &[Parts], &[Kind]) -> Parts;

/// The instructions of a row for arguments of these kinds, if it has some.
pub(super) fn instructions(row: &Function, kinds: &[Kind]) -> Option<Instructions> {
    let is_it =
        |(receiver, name, _): &&(Kind, &str, Instructions)| *receiver == row.receiver() && *name == row.name;
    let is_named = matches!(row.form, Form::Property | Form::Function) && !kinds.contains(&Kind::Group);
    ROWS.iter().find(is_it).filter(|_| is_named).map(|(_, _, emit)| *emit)
}

/// Receiver, name, and the instructions.
#[rustfmt::skip]
const ROWS: &[(Kind, &str, Instructions)] = &[
    (Unit, "position", |emit, on, of| emit.position_of(of[0], &on[0])),
    (Unit, "velocity", |emit, on, of| emit.vector_of(of[0], &on[0], OfUnit::Velocity)),
    (Unit, "heading", |emit, on, of| emit.vector_of(of[0], &on[0], OfUnit::Heading)),
    (Unit, "up", |emit, on, of| emit.vector_of(of[0], &on[0], OfUnit::Up)),
    (Unit, "starboard", |emit, on, of| {
        let [starboard, ..] = emit.axes_of(of[0], &on[0]);
        starboard
    }),
    (Unit, "speed", |emit, on, of| {
        let velocity = emit.vector_of(of[0], &on[0], OfUnit::Velocity);
        vec![emit.length(&velocity)]
    }),
    (Unit, "length", |emit, on, of| emit.fact(of[0], &on[0], offset_of!(GroupFacts, length))),
    (Unit, "width", |emit, on, of| emit.fact(of[0], &on[0], offset_of!(GroupFacts, width))),
    (Unit, "radius", |emit, on, of| emit.fact(of[0], &on[0], offset_of!(GroupFacts, radius))),
    (Unit, "mass", |emit, on, of| emit.fact(of[0], &on[0], offset_of!(GroupFacts, mass))),
    (Unit, "max_speed", |emit, on, of| emit.fact(of[0], &on[0], offset_of!(GroupFacts, max_speed))),
    (Unit, "desired_speed", |emit, on, of| emit.fact(of[0], &on[0], offset_of!(GroupFacts, desired_speed))),
    (Unit, "steering_force", |emit, on, of| emit.fact(of[0], &on[0], offset_of!(GroupFacts, steering_force))),
    (Unit, "thrust", |emit, on, of| emit.fact(of[0], &on[0], offset_of!(GroupFacts, thrust))),
    (Unit, "distance_to", |emit, on, of| {
        let [a, b] = [0, 1].map(|at| match of[at] {
            Vector => on[at].clone(),
            kind => emit.position_of(kind, &on[at]),
        });
        vec![emit.distance(&a, &b)]
    }),
    (Unit, "to_local", |emit, on, of| {
        let axes = emit.axes_of(of[0], &on[0]);
        emit.in_axes(&axes, &on[1])
    }),
    (Unit, "to_world", |emit, on, of| {
        let axes = emit.axes_of(of[0], &on[0]);
        emit.along_axes(&axes, &on[1])
    }),
    (Unit, "side", |emit, on, of| {
        let position = emit.position_of(of[0], &on[0]);
        let [starboard, ..] = emit.axes_of(of[0], &on[0]);
        vec![emit.side_of(&starboard, &position, &on[1])]
    }),
    (Unit, "is", |emit, on, of| {
        let facts = match (of[0], on[0].first()) {
            (Unit, Some(Wide::Same(unit))) => emit.facts_of(*unit),
            (Unit, Some(Wide::Each(units))) => return emit.each_has(*units, on[1][0], Name::Kind),
            _ => emit.own_facts(),
        };
        let kinds = emit.frozen(I64, facts, offset_of!(GroupFacts, kinds));
        emit.have_in_common(kinds, on[1][0], offset_of!(NameIds, kind))
    }),
    (Unit, "has_mark", |emit, on, of| {
        let unit = match (of[0], on[0].first()) {
            (Unit, Some(Wide::Same(unit))) => unit,
            (Unit, Some(Wide::Each(units))) => return emit.each_has(*units, on[1][0], Name::Mark),
            _ => return emit.refuse_value(Kind::Switch.into()),
        };
        let marks = emit.state(I64, offset_of!(Arrays, marks));
        let at = emit.element::<u64>(marks, *unit);
        let marks = emit.frozen(I64, at, 0);
        emit.have_in_common(marks, on[1][0], offset_of!(NameIds, mark))
    }),
    (Me, "mark", |emit, on, _| emit.mark(on[1][0])),
    (Me, "steer_toward", |emit, on, of| {
        let velocity = emit.vector_of(of[0], &on[0], OfUnit::Velocity);
        let force = emit.fact(of[0], &on[0], offset_of!(GroupFacts, steering_force));
        emit.push_toward(&on[1], &velocity, force[0])
    }),
    (Me, "has_view", |emit, _, _| {
        let facts = emit.own_facts();
        let has = emit.frozen(I64, facts, offset_of!(GroupFacts, has_view));
        vec![Wide::Same(emit.builder.ins().ireduce(I8, has))]
    }),
    (Me, "path", |emit, _, _| emit.own_route(offset_of!(GroupFacts, path))),
    (Me, "field", |emit, _, _| emit.own_route(offset_of!(GroupFacts, field))),
    (Me, "neighbors", |emit, _, _| emit.source(Source::Neighbors)),
    (Me, "others", |emit, _, _| emit.source(Source::Others)),
    (Me, "enemies", |emit, _, _| emit.source(Source::Enemies)),
    (Me, "random", |emit, _, _| vec![emit.random()]),
    (Me, "random_between", |emit, on, _| {
        let random = emit.random();
        emit.lerp(&on[1], &on[2], random)
    }),
    (List, "len", |emit, on, _| vec![Wide::Each(emit.count(&on[0]))]),
    (List, "is_empty", |emit, on, _| {
        let (count, none) = (emit.count(&on[0]), emit.integer(0));
        vec![Wide::Each([0, 1].map(|half| emit.builder.ins().icmp(IntCC::Equal, count[half], none[half])))]
    }),
    (List, "nearest", |emit, on, _| emit.nearest(&on[0])),
    (List, "mean_position", |emit, on, _| emit.mean_vector(&on[0], offset_of!(NeighborMeansX8, position))),
    (List, "mean_velocity", |emit, on, _| emit.mean_vector(&on[0], offset_of!(NeighborMeansX8, velocity))),
    (List, "within", |emit, on, _| emit.within(&on[0], on[1][0])),
    (World, "obstacles", |emit, _, _| vec![Wide::Same(emit.builder.ins().f32const(f32::INFINITY))]),
    (Obstacles, "within", |emit, on, _| {
        let (all, reach) = (on[0][0], on[1][0]);
        let is_all = emit.holds(FloatCC::GreaterThanOrEqual, reach, all);
        vec![emit.choose(is_all, all, reach)]
    }),
    (World, "time", |emit, _, _| vec![emit.same_of_state(offset_of!(Arrays, time))]),
    (World, "step", |emit, _, _| vec![emit.same_of_state(offset_of!(Arrays, step))]),
    (World, "radius", |emit, _, _| vec![emit.same_of_state(offset_of!(Arrays, radius))]),
    (World, "center", |emit, _, _| emit.vector_of_state(offset_of!(Arrays, center))),
    (World, "size", |emit, _, _| emit.vector_of_state(offset_of!(Arrays, size))),
    (Number, "sin", |emit, on, _| vec![emit.of_number(host::sin as *const (), on[0][0])]),
    (Number, "cos", |emit, on, _| vec![emit.of_number(host::cos as *const (), on[0][0])]),
    (Number, "acos", |emit, on, _| vec![emit.of_number(host::acos as *const (), on[0][0])]),
    (Number, "atan2", |emit, on, _| vec![emit.of_pair(host::atan2 as *const (), on[0][0], on[1][0])]),
    (Integer, "to_float", |emit, on, _| vec![emit.as_number(on[0][0])]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::api;

    #[test]
    fn instructions_belong_to_rows() {
        for (receiver, name, _) in ROWS {
            let mut rows = api::functions().iter();
            assert!(rows.any(|row| row.receiver() == *receiver && row.name == *name), "{receiver:?}.{name}");
        }
    }
}
