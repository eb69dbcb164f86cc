//! Units for code for one unit, read from the frozen state in place.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};
use glam::Vec3;

use super::super::operations::Access;
use super::super::vm::VmContext;
use super::Emit;
use super::value::Parts;
use crate::script::types::Kind;
use crate::sim::Arrays;

impl Emit<'_, '_, '_> {
    /// The index of a unit.
    pub(super) fn unit_index(&mut self, kind: Kind, parts: &[Value]) -> Value {
        match kind {
            Kind::Me => self.fixed(I64, offset_of!(VmContext<'_>, me)),
            _ => parts[0],
        }
    }

    /// The apparent position of a unit.
    pub(super) fn unit_position(&mut self, kind: Kind, parts: &[Value]) -> Parts {
        match kind {
            Kind::Me => self.unit_vector(kind, parts, offset_of!(Arrays, position)),
            _ => parts[1..].to_vec(),
        }
    }

    /// A vector of a unit, from the array whose address is at an offset in the state.
    pub(super) fn unit_vector(&mut self, kind: Kind, parts: &[Value], array: usize) -> Parts {
        let unit = self.unit_index(kind, parts);
        let base = self.state(I64, array);
        let at = self.element::<Vec3>(base, unit);
        self.frozen_vector(at, 0)
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
        self.switch_to_sealed(there);
        let base = self.state(I64, offset_of!(Arrays, signals));
        let first = self.builder.ins().imul(unit, count);
        let index = self.builder.ins().iadd(first, slot);
        let at = self.element::<f32>(base, index);
        let signal = self.builder.ins().load(F32, MemFlagsData::trusted(), at, 0);
        self.builder.ins().jump(out, &[signal.into()]);
        self.switch_to_sealed(out);
        value
    }
}
