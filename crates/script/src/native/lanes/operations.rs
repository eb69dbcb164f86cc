//! Operations on units, lists and numbers in code for eight units. A unit is a deciding one, with one per lane, or
//! another one, which is the same in all lanes or differs by lane.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, F32X4, I8, I32, I32X4, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};
use cranelift_frontend::FunctionBuilder;
use steerbox_core::perception::{Axes, BatchNeighbor, NeighborMeansX8, Source};
use steerbox_core::sim::{Arrays, NameIds};

use super::super::emit::machine;
use super::super::formulas::Formulas;
use super::super::operations::{Access, Operations};
use super::EmitLanes;
use super::context::{self, LaneContext, Numbers};
use super::value::{LaneValue, Parts, Uniform, Varying};
use crate::api::{IntegerOp, SpecialOp};
use crate::types::{Kind, Type};

const VELOCITY: usize = offset_of!(Arrays, velocity);
const HEADING: usize = offset_of!(Arrays, heading);
const UP: usize = offset_of!(Arrays, up);

impl<'f> Access<'f> for EmitLanes<'_, '_, 'f> {
    const ARRAYS: usize = offset_of!(LaneContext<'_>, arrays);
    const ME: usize = offset_of!(LaneContext<'_>, me);
    const NAMES: usize = offset_of!(LaneContext<'_>, names);

    fn builder(&mut self) -> &mut FunctionBuilder<'f> {
        self.builder
    }

    fn context(&self) -> Value {
        self.context
    }

    fn note_names(&mut self) {
        self.info.names = true;
    }
}

impl<'f> Operations<'f> for EmitLanes<'_, '_, 'f> {
    fn uniform(value: Value) -> LaneValue {
        Uniform(value)
    }

    fn position(&mut self, kind: Kind, parts: &[LaneValue]) -> Parts {
        if kind == Kind::Unit {
            return parts[1..].to_vec();
        }
        self.own_planar(offset_of!(LaneContext<'_>, position), 0)
    }

    fn vector_of(&mut self, kind: Kind, parts: &[LaneValue], array: usize) -> Option<Parts> {
        if kind != Kind::Unit {
            return self.own_vector(array);
        }
        let unit = match parts[0] {
            Uniform(unit) => unit,
            Varying(unit) if array == VELOCITY => {
                let known = self.nearest.iter().find(|(nearest, _)| *nearest == unit);
                return known.map(|(_, velocity)| velocity.clone());
            }
            Varying(_) => return None,
        };
        if let (VELOCITY, Some((neighbor, at))) = (array, self.neighbor)
            && neighbor == unit
        {
            // It is stored with the position.
            let flags = MemFlagsData::trusted();
            let place = |axis| (offset_of!(BatchNeighbor, velocity) + size_of::<f32>() * axis) as i32;
            let read = |emit: &mut Self, axis| emit.builder.ins().load(F32, flags, at, place(axis));
            return Some(self.planar(|emit, axis| Uniform(read(emit, axis))));
        }
        let base = self.state(I64, array);
        let at = self.element::<glam::Vec3>(base, unit);
        Some((0..3).map(|axis| Uniform(self.frozen(F32, at, size_of::<f32>() * axis))).collect())
    }

    fn axes(&mut self, kind: Kind, parts: &[LaneValue]) -> Option<[Parts; 3]> {
        let heading = self.vector_of(kind, parts, HEADING)?;
        let up = self.vector_of(kind, parts, UP)?;
        let starboard = if kind == Kind::Unit {
            self.cross(&heading, &up)
        } else {
            self.own(offset_of!(LaneContext<'_>, axes), offset_of!(Axes, starboard))
        };
        Some([starboard, heading, up])
    }

    fn body(&mut self, kind: Kind, parts: &[LaneValue]) -> Option<Value> {
        match parts.first() {
            Some(Uniform(unit)) if kind == Kind::Unit && self.varied => Some(self.own_body_of(*unit)),
            _ if self.varied => None,
            _ if kind != Kind::Unit => Some(self.own_group_constants()),
            Some(Uniform(unit)) => Some(self.group_constants_of(*unit)),
            _ => None,
        }
    }

    fn has_name(
        &mut self,
        kind: Kind,
        parts: &[LaneValue],
        text: LaneValue,
        name: usize,
    ) -> Option<LaneValue> {
        let Uniform(text) = text else {
            return None;
        };
        let unit = match (kind, parts.first()) {
            (Kind::Unit, Some(Varying(units))) => return Some(self.each_has(*units, text, name)),
            (Kind::Unit, Some(Uniform(unit))) => *unit,
            _ if name == offset_of!(NameIds, kind) => self.fixed(I64, Self::ME),
            _ => return None,
        };
        Some(Uniform(self.has_bit(unit, text, name)))
    }

    fn units(&mut self, source: Source) -> Parts {
        let value = self.builder.ins().iconst(I32, source.index() as i64);
        self.sources_of.push((value, source));
        vec![Uniform(value), Uniform(self.builder.ins().f32const(f32::INFINITY))]
    }

    fn count(&mut self, list: &[LaneValue]) -> LaneValue {
        let Some(means) = self.means_of(list, false) else {
            self.refuse();
            return Varying(self.integer(0));
        };
        Varying(self.load(I32X4, means, offset_of!(NeighborMeansX8, count)))
    }

    fn is_empty(&mut self, list: &[LaneValue]) -> LaneValue {
        let (count, none) = (self.count(list), self.integer(0));
        let Varying(count) = count else {
            return count;
        };
        Varying([0, 1].map(|half| self.builder.ins().icmp(IntCC::Equal, count[half], none[half])))
    }

    fn mean_vector(&mut self, list: &[LaneValue], offset: usize) -> Parts {
        let Some(means) = self.means_of(list, offset == offset_of!(NeighborMeansX8, velocity)) else {
            return self.refuse_value(Kind::Vector.into());
        };
        let axes = 0..3;
        axes.map(|axis| Varying(self.load(F32X4, means, offset + size_of::<Numbers>() * axis))).collect()
    }

    fn add_scan_cost(&mut self, list: &[LaneValue]) {
        if let Some((source, _)) = self.source_of(list) {
            let look = self.scan_cost(source);
            self.add_cost_value(look);
        }
    }

    fn random(&mut self) -> LaneValue {
        let (mask, drawn) = (self.slot(size_of::<[u32; 8]>()), self.slot(size_of::<Numbers>()));
        let active = self.value_of(self.active);
        self.store(active, mask, 0);
        let context = self.context;
        self.host(context::random as *const (), &[context, mask, drawn], None);
        Varying(self.load(F32X4, drawn, 0))
    }

    fn of_numbers(&mut self, function: *const (), numbers: &[LaneValue]) -> LaneValue {
        let uniform = numbers.iter().map(|number| match number {
            Uniform(value) => Some(*value),
            Varying(_) => None,
        });
        if let Some(uniform) = uniform.collect::<Option<Vec<_>>>() {
            let call = self.call_host(function, &uniform, Some(F32));
            return Uniform(self.builder.inst_results(call)[0]);
        }
        let host =
            if numbers.len() == 1 { context::map_unary as *const () } else { context::map_binary as _ };
        let mut arguments = vec![self.builder.ins().iconst(I64, function as usize as i64)];
        for number in numbers {
            let slot = self.slot(size_of::<Numbers>());
            let number = self.numbers(*number);
            self.store(number, slot, 0);
            arguments.push(slot);
        }
        self.host(host, &arguments, None);
        Varying(self.load(F32X4, arguments[1], 0))
    }

    fn of_integers(&mut self, to: IntegerOp, on: &[Parts]) -> Option<Parts> {
        match to {
            IntegerOp::ToNumber => Some(vec![self.as_number(on[0][0])]),
            IntegerOp::Same
            | IntegerOp::Min
            | IntegerOp::Max
            | IntegerOp::Clamp
            | IntegerOp::IsZero
            | IntegerOp::IsOdd
            | IntegerOp::IsEven => None,
        }
    }

    fn zeros(&mut self, of: Type) -> Parts {
        let is_integer = of.kind == Kind::Integer;
        let parts = machine(of);
        parts
            .into_iter()
            .map(|part| {
                if part == I64 && is_integer {
                    Varying(self.integer(0))
                } else if part == F32 {
                    Uniform(self.builder.ins().f32const(0.0))
                } else {
                    Uniform(self.builder.ins().iconst(part, 0))
                }
            })
            .collect()
    }

    fn me_as_unit(&mut self) -> Parts {
        self.refuse_value(Kind::Unit.into())
    }

    fn special(&mut self, to: SpecialOp, on: &[Parts], of: &[Kind]) -> Option<Parts> {
        match to {
            SpecialOp::Nearest => self.nearest(&on[0]),
            SpecialOp::Nth => self.nth(&on[0], on[1][0], of[1]),
            SpecialOp::SetMark => Some(self.mark(on[1][0])),
            SpecialOp::ToInteger
            | SpecialOp::Id
            | SpecialOp::Group
            | SpecialOp::IndexInGroup
            | SpecialOp::Signal
            | SpecialOp::Steps => None,
        }
    }
}

impl EmitLanes<'_, '_, '_> {
    /// Loads a vector of the deciding units.
    fn own_vector(&mut self, array: usize) -> Option<Parts> {
        let axes = offset_of!(LaneContext<'_>, axes);
        Some(match array {
            VELOCITY => self.own_planar(offset_of!(LaneContext<'_>, velocity), 0),
            HEADING => {
                self.info.axes = true;
                self.own_planar(axes, offset_of!(Axes, heading))
            }
            UP => {
                self.info.axes = true;
                self.own(axes, offset_of!(Axes, up))
            }
            _ => return None,
        })
    }

    /// Loads a vector of the deciding units from an address in the context.
    fn own(&mut self, pointer: usize, offset: usize) -> Parts {
        let base = self.fixed(I64, pointer);
        let axes = 0..3;
        axes.map(|axis| Varying(self.load_fixed(F32X4, base, offset + size_of::<Numbers>() * axis))).collect()
    }

    /// As [`EmitLanes::own`], for a planar vector.
    fn own_planar(&mut self, pointer: usize, offset: usize) -> Parts {
        let base = self.fixed(I64, pointer);
        self.planar(|emit, axis| Varying(emit.load_fixed(F32X4, base, offset + size_of::<Numbers>() * axis)))
    }

    /// Tests units that differ by lane for the kind or mark of a text.
    fn each_has(&mut self, units: [Value; 2], text: Value, name: usize) -> LaneValue {
        let slot = self.slot(size_of::<[u32; 8]>());
        self.store(units, slot, 0);
        let bit = self.name_id(text, name);
        let is_kind = i64::from(name == offset_of!(NameIds, kind));
        let is_kind = self.builder.ins().iconst(I8, is_kind);
        self.host_or_abort(context::test_bits as *const (), &[bit, is_kind, slot]);
        Varying(self.load(I32X4, slot, 0))
    }
}
