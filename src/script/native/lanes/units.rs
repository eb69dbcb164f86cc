//! What is known of units: of those that decide, a lane each, and of one that is the same for all of them.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, F32X4, I8, I16, I32, I32X4, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type as Machine, Value};

use super::super::formulas::Formulas;
use super::EmitLanes;
use super::context::{self, LaneContext, Name};
use super::value::{Parts, Wide};
use crate::perception::{Axes, BatchNeighbor};
use crate::script::types::Kind;
use crate::sim::{Arrays, BatchDecisions, NameIds};

/// A vector of units, by its place in the context or in the state.
#[derive(Clone, Copy)]
pub(super) enum OfUnit {
    Velocity,
    Heading,
    Up,
}

impl EmitLanes<'_, '_, '_> {
    pub(super) fn position_of(&mut self, kind: Kind, parts: &[Wide]) -> Parts {
        if kind == Kind::Unit {
            return parts[1..].to_vec();
        }
        self.own_level(offset_of!(LaneContext<'_>, position), 0)
    }

    /// A vector of the units that decide, out of what the context points to.
    pub(super) fn own(&mut self, pointer: usize, offset: usize) -> Parts {
        let base = self.fixed(I64, pointer);
        (0..3).map(|axis| Wide::Each(self.load_fixed(F32X4, base, offset + 32 * axis))).collect()
    }

    /// As [`EmitLanes::own`], of a vector that lies in the plane.
    fn own_level(&mut self, pointer: usize, offset: usize) -> Parts {
        let base = self.fixed(I64, pointer);
        self.level(|emit, axis| Wide::Each(emit.load_fixed(F32X4, base, offset + 32 * axis)))
    }

    pub(super) fn vector_of(&mut self, kind: Kind, parts: &[Wide], which: OfUnit) -> Parts {
        if kind != Kind::Unit {
            let axes = offset_of!(LaneContext<'_>, axes);
            return match which {
                OfUnit::Velocity => self.own_level(offset_of!(LaneContext<'_>, velocity), 0),
                OfUnit::Heading => {
                    self.traits.axes = true;
                    self.own_level(axes, offset_of!(Axes, heading))
                }
                OfUnit::Up => {
                    self.traits.axes = true;
                    self.own(axes, offset_of!(Axes, up))
                }
            };
        }
        let unit = match (parts[0], which) {
            (Wide::Same(unit), _) => unit,
            (Wide::Each(unit), OfUnit::Velocity) => {
                let known = self.nearest.iter().find(|(nearest, _)| *nearest == unit);
                let velocity = known.map(|(_, velocity)| velocity.clone());
                return velocity.unwrap_or_else(|| self.refuse_value(Kind::Vector.into()));
            }
            _ => return self.refuse_value(Kind::Vector.into()),
        };
        if let (OfUnit::Velocity, Some((neighbor, at))) = (which, self.neighbor)
            && neighbor == unit
        {
            // It stands beside the position.
            let flags = MemFlagsData::trusted();
            let place = |axis| (offset_of!(BatchNeighbor, velocity) + 4 * axis) as i32;
            return self.level(|emit, axis| Wide::Same(emit.builder.ins().load(F32, flags, at, place(axis))));
        }
        let array = self.state(
            I64,
            match which {
                OfUnit::Velocity => offset_of!(Arrays, velocity),
                OfUnit::Heading => offset_of!(Arrays, heading),
                OfUnit::Up => offset_of!(Arrays, up),
            },
        );
        let at = self.element::<glam::Vec3>(array, unit);
        (0..3).map(|axis| Wide::Same(self.frozen(F32, at, 4 * axis))).collect()
    }

    /// Starboard, heading and up.
    pub(super) fn axes_of(&mut self, kind: Kind, parts: &[Wide]) -> [Parts; 3] {
        let heading = self.vector_of(kind, parts, OfUnit::Heading);
        let up = self.vector_of(kind, parts, OfUnit::Up);
        let starboard = if kind == Kind::Unit {
            self.cross(&heading, &up)
        } else {
            self.own(offset_of!(LaneContext<'_>, axes), offset_of!(Axes, starboard))
        };
        [starboard, heading, up]
    }

    /// A number that all units of a group have.
    pub(super) fn fact(&mut self, kind: Kind, parts: &[Wide], offset: usize) -> Parts {
        let facts = if kind == Kind::Unit {
            let Wide::Same(unit) = parts[0] else {
                return self.refuse_value(Kind::Number.into());
            };
            self.facts_of(unit)
        } else {
            self.own_facts()
        };
        vec![Wide::Same(self.frozen(F32, facts, offset))]
    }

    /// Whether a mask has the bit of what a text names.
    pub(super) fn have_in_common(&mut self, mask: Value, text: Wide, id: usize) -> Parts {
        let Wide::Same(text) = text else {
            return self.refuse_value(Kind::Switch.into());
        };
        let bit = self.name_id(text, id);
        let common = self.builder.ins().band(mask, bit);
        vec![Wide::Same(self.builder.ins().icmp_imm_s(IntCC::NotEqual, common, 0))]
    }

    /// The path or flow field of the units' group, if it has one.
    pub(super) fn own_route(&mut self, offset: usize) -> Parts {
        let facts = self.own_facts();
        let route = self.frozen(I64, facts, offset);
        let is_there = self.builder.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, route, 0);
        vec![Wide::Same(is_there), Wide::Same(route)]
    }

    /// Whether instructions can tell this of a unit that is another in each lane.
    pub(super) fn can_tell(&self, name: &str, parts: &[Wide]) -> bool {
        let known = || self.nearest.iter().any(|(unit, _)| matches!(parts[0], Wide::Each(it) if it == *unit));
        match name {
            "position" | "distance_to" | "is" | "has_mark" => true,
            "velocity" | "speed" => known(),
            _ => false,
        }
    }

    /// Whether units that are others in each lane have what a text names.
    pub(super) fn each_has(&mut self, units: [Value; 2], text: Wide, of: Name) -> Parts {
        let Wide::Same(text) = text else {
            return self.refuse_value(Kind::Switch.into());
        };
        let room = self.room(size_of::<[u32; 8]>());
        self.store(units, room, 0);
        let bit = self.name_id(text, of.offset());
        let of = self.builder.ins().iconst(I8, of as i64);
        let context = self.context;
        if let Some(failed) = self.host(context::have as *const (), &[context, bit, of, room], Some(I8)) {
            self.give_up_if(failed);
        }
        vec![Wide::Each(self.load(I32X4, room, 0))]
    }

    /// Marks the units that are active.
    pub(super) fn mark(&mut self, text: Wide) -> Parts {
        let Wide::Same(text) = text else {
            return self.refuse();
        };
        let bit = self.name_id(text, offset_of!(NameIds, mark));
        let is_unknown = self.builder.ins().icmp_imm_s(IntCC::Equal, bit, 0);
        self.fail_if(Wide::Same(is_unknown));
        let (active, decisions) = (self.value_of(self.active), self.decisions());
        let upper = self.builder.ins().ushr_imm_u(bit, 32);
        for (half, bits) in [bit, upper].into_iter().enumerate() {
            let bits = self.builder.ins().ireduce(I32, bits);
            let bits = [self.builder.ins().splat(I32X4, bits); 2];
            let at = offset_of!(BatchDecisions, marks) + 32 * half;
            let (marking, before) = (self.and(active, bits), self.load(I32X4, decisions, at));
            let after = self.or(before, marking);
            self.store(after, decisions, at);
        }
        Parts::new()
    }

    /// What a text names, as one of its numbers in [`NameIds`].
    fn name_id(&mut self, text: Value, id: usize) -> Value {
        self.traits.names = true;
        let base = self.fixed(I64, offset_of!(LaneContext<'_>, names));
        let at = self.element::<NameIds>(base, text);
        self.frozen(I64, at, id)
    }

    pub(super) fn same_of_state(&mut self, offset: usize) -> Wide {
        Wide::Same(self.state(F32, offset))
    }

    pub(super) fn vector_of_state(&mut self, offset: usize) -> Parts {
        (0..3).map(|axis| self.same_of_state(offset + 4 * axis)).collect()
    }

    /// An address or a fact of the frozen state as a whole.
    pub(super) fn state(&mut self, of: Machine, offset: usize) -> Value {
        let arrays = self.fixed(I64, offset_of!(LaneContext<'_>, arrays));
        self.frozen(of, arrays, offset)
    }

    /// The address of an element of an array.
    pub(super) fn element<T>(&mut self, array: Value, index: Value) -> Value {
        debug_assert!(self.builder.func.dfg.value_type(index) != I16, "an index is an address");
        let offset = self.builder.ins().imul_imm_s(index, size_of::<T>() as i64);
        self.builder.ins().iadd(array, offset)
    }
}
