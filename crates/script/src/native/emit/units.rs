//! Loads properties of units and means of lists, for one unit.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, I8, I32, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type as Machine, Value};
use glam::Vec3;
use steerbox_core::perception::{List, MeansCache, NeighborMeansX8};
use steerbox_core::sim::Arrays;

use super::super::host;
use super::super::operations::Access;
use super::super::vm::VmContext;
use super::Emit;
use super::value::Parts;
use crate::types::Kind;

/// The number of cache entries that compiled code compares before it calls the host.
const FIRST: usize = 2;

/// A number for each of the eight units of a batch.
pub(super) type Lanes = [f32; 8];

impl Emit<'_, '_, '_> {
    /// Returns the index of a unit.
    pub(super) fn unit_index(&mut self, kind: Kind, parts: &[Value]) -> Value {
        match kind {
            Kind::Me => self.fixed(I64, offset_of!(VmContext<'_>, me)),
            _ => parts[0],
        }
    }

    /// Loads a vector of a unit from the array at an offset in the state.
    pub(super) fn unit_vector(&mut self, kind: Kind, parts: &[Value], array: usize) -> Parts {
        let unit = self.unit_index(kind, parts);
        let base = self.state(I64, array);
        let at = self.element::<Vec3>(base, unit);
        self.frozen_vector(at, 0)
    }

    /// Loads a signal of a unit; 0 for a slot that does not exist.
    pub(super) fn signal(&mut self, unit: Value, slot: Value) -> Value {
        let (there, out) = (self.builder.create_block(), self.builder.create_block());
        let value = self.builder.append_block_param(out, F32);
        let count = self.state(I64, offset_of!(Arrays, signal_count));
        // A missing slot is −1, which is the maximum as unsigned.
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

    /// The load is not marked as invariant because the host reuses the memory.
    pub(super) fn mean(&mut self, means: Value, of: Machine, offset: usize) -> Value {
        let flags = MemFlagsData::trusted();
        self.builder.ins().load(of, flags, means, offset as i32)
    }

    /// Returns the address of a list's means for the unit's lane. Most are among the first cache entries, computed
    /// earlier for this unit or another one of its batch; only others need a call of the host.
    pub(super) fn means_at(&mut self, list: &[Value], velocities: bool) -> Value {
        let found = self.builder.create_block();
        self.builder.append_block_param(found, I64);
        let source = self.builder.ins().uextend(I64, list[0]);
        let source = self.builder.ins().ishl_imm_u(source, 32);
        let reach = self.builder.ins().bitcast(I32, MemFlagsData::new(), list[1]);
        let reach = self.builder.ins().uextend(I64, reach);
        let key = self.builder.ins().bor(source, reach);
        let known = self.fixed(I64, offset_of!(VmContext<'_>, known));
        let lane = self.fixed(I64, offset_of!(VmContext<'_>, lane));
        let own = self.builder.ins().iadd(known, lane);
        for place in 0..FIRST {
            let offset = offset_of!(MeansCache, keys) + place * size_of::<u64>();
            let flags = MemFlagsData::trusted();
            let mut at = self.builder.ins().load(I64, flags, known, offset as i32);
            if !velocities {
                // An entry with velocities matches requests without them.
                at = self.builder.ins().band_imm_s(at, !List::WITHOUT_VELOCITIES as i64);
            }
            let here = self.builder.ins().icmp(IntCC::Equal, at, key);
            let offset = offset_of!(MeansCache, means_x8) + place * size_of::<NeighborMeansX8>();
            let means = self.builder.ins().iadd_imm_s(own, offset as i64);
            let other = self.builder.create_block();
            self.builder.ins().brif(here, found, &[means.into()], other, &[]);
            self.switch_to_sealed(other);
        }
        let velocities = self.builder.ins().iconst(I8, i64::from(velocities));
        let means = self.host_on(host::means as *const (), &[list[0], list[1], velocities], I64);
        self.builder.ins().jump(found, &[means.into()]);
        self.switch_to_sealed(found);
        self.builder.block_params(found)[0]
    }
}
