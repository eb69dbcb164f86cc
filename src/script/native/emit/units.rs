//! What is known of units, read from the frozen state in place.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, I16, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};
use glam::Vec3;

use super::super::formulas::Formulas;
use super::super::host;
use super::super::vm::VmContext;
use super::Emit;
use super::value::Parts;
use crate::script::types::Kind;
use crate::sim::{Arrays, GroupFacts, NameIds};

impl Emit<'_, '_, '_> {
    /// The index of a unit.
    pub(super) fn unit_index(&mut self, kind: Kind, parts: &[Value]) -> Value {
        match kind {
            Kind::Me => self.fixed(I64, offset_of!(VmContext<'_>, me)),
            _ => parts[0],
        }
    }

    /// Where a unit appears to be.
    pub(super) fn unit_position(&mut self, kind: Kind, parts: &[Value]) -> Parts {
        match kind {
            Kind::Me => {
                let me = self.unit_index(kind, parts);
                self.unit_vector(me, offset_of!(Arrays, position))
            }
            _ => parts[1..].to_vec(),
        }
    }

    /// The unit that decides as any other.
    pub(super) fn me_as_unit(&mut self) -> Parts {
        let me = self.unit_index(Kind::Me, &[]);
        let mut parts = vec![me];
        parts.extend(self.unit_position(Kind::Me, &[]));
        parts
    }

    /// A vector of a unit, out of the array whose address stands in the state.
    fn unit_vector(&mut self, unit: Value, array: usize) -> Parts {
        let base = self.state(I64, array);
        let at = self.element::<Vec3>(base, unit);
        self.frozen_vector(at, 0)
    }

    pub(super) fn unit_array(&mut self, kind: Kind, parts: &[Value], array: usize) -> Parts {
        let unit = self.unit_index(kind, parts);
        self.unit_vector(unit, array)
    }

    /// A number that all units of a group have.
    pub(super) fn group_fact(&mut self, kind: Kind, parts: &[Value], offset: usize) -> Parts {
        let unit = self.unit_index(kind, parts);
        let facts = self.facts_of(unit);
        vec![self.frozen(F32, facts, offset)]
    }

    /// A vector of the state as a whole.
    pub(super) fn state_vector(&mut self, offset: usize) -> Parts {
        let base = self.fixed(I64, offset_of!(VmContext<'_>, arrays));
        self.frozen_vector(base, offset)
    }

    pub(super) fn random(&mut self) -> Value {
        self.host_on(host::random as *const (), &[], F32)
    }

    pub(super) fn group_of(&mut self, unit: Value) -> Value {
        let base = self.state(I64, offset_of!(Arrays, group));
        let at = self.element::<u16>(base, unit);
        let group = self.frozen(I16, at, 0);
        self.builder.ins().uextend(I64, group)
    }

    /// Where the facts of a unit's group are.
    pub(super) fn facts_of(&mut self, unit: Value) -> Value {
        let group = self.group_of(unit);
        let base = self.state(I64, offset_of!(Arrays, facts));
        self.element::<GroupFacts>(base, group)
    }

    /// Something of the own group.
    pub(super) fn own_fact(&mut self, offset: usize) -> Value {
        let me = self.unit_index(Kind::Me, &[]);
        let facts = self.facts_of(me);
        self.frozen(I64, facts, offset)
    }

    /// The own group's path or flow field, if it has one.
    pub(super) fn own_route(&mut self, offset: usize) -> Parts {
        let route = self.own_fact(offset);
        let is_there = self.builder.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, route, 0);
        vec![is_there, route]
    }

    pub(super) fn marks_of(&mut self, unit: Value) -> Value {
        let base = self.state(I64, offset_of!(Arrays, marks));
        let at = self.element::<u64>(base, unit);
        self.frozen(I64, at, 0)
    }

    /// What a text names, as one of its numbers in [`NameIds`].
    pub(super) fn name_id(&mut self, text: Value, id: usize) -> Value {
        self.shared.uses_names = true;
        let base = self.fixed(I64, offset_of!(VmContext<'_>, names));
        let at = self.element::<NameIds>(base, text);
        self.frozen(I64, at, id)
    }

    /// Whether two masks have a bit in common.
    pub(super) fn have_in_common(&mut self, a: Value, b: Value) -> Value {
        let common = self.builder.ins().band(a, b);
        self.builder.ins().icmp_imm_s(IntCC::NotEqual, common, 0)
    }

    /// A signal of a unit; 0 in a slot that does not exist.
    pub(super) fn signal(&mut self, unit: Value, slot: Value) -> Value {
        let (there, out) = (self.builder.create_block(), self.builder.create_block());
        let value = self.builder.append_block_param(out, F32);
        let count = self.state(I64, offset_of!(Arrays, signal_count));
        // No slot is −1, the greatest of all without a sign.
        let is_there = self.builder.ins().icmp(IntCC::UnsignedLessThan, slot, count);
        let none = self.builder.ins().f32const(0.0);
        self.builder.ins().brif(is_there, there, &[], out, &[none.into()]);
        self.go_on_in(there);
        let base = self.state(I64, offset_of!(Arrays, signals));
        let first = self.builder.ins().imul(unit, count);
        let index = self.builder.ins().iadd(first, slot);
        let at = self.element::<f32>(base, index);
        let signal = self.builder.ins().load(F32, MemFlagsData::trusted(), at, 0);
        self.builder.ins().jump(out, &[signal.into()]);
        self.go_on_in(out);
        value
    }

    /// Starboard, heading and up.
    pub(super) fn axes(&mut self, unit: Value) -> [Parts; 3] {
        let heading = self.unit_vector(unit, offset_of!(Arrays, heading));
        let up = self.unit_vector(unit, offset_of!(Arrays, up));
        let starboard = self.cross(&heading, &up);
        [starboard, heading, up]
    }
}
