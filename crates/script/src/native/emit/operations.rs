//! Access to the host, and operations on units, lists and numbers, in code for one unit.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, I32, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type as Machine, Value};
use cranelift_frontend::FunctionBuilder;
use steerbox_core::perception::{NeighborMeansX8, Source};
use steerbox_core::sim::{Arrays, GroupConstants, NameIds};

use super::super::formulas::{self, Formulas};
use super::super::host;
use super::super::operations::{Access, Operations};
use super::super::vm::VmContext;
use super::Emit;
use super::units::Lanes;
use super::value::{Parts, machine, zero};
use crate::api::{IntegerOp, SpecialOp};
use crate::types::{Kind, Type};

impl<'f> Access<'f> for Emit<'_, '_, 'f> {
    const ARRAYS: usize = offset_of!(VmContext<'_>, arrays);
    const ME: usize = offset_of!(VmContext<'_>, me);
    const NAMES: usize = offset_of!(VmContext<'_>, names);

    fn builder(&mut self) -> &mut FunctionBuilder<'f> {
        self.builder
    }

    fn context(&self) -> Value {
        self.vm
    }

    fn note_names(&mut self) {
        self.shared.uses_names = true;
    }
}

impl<'f> Operations<'f> for Emit<'_, '_, 'f> {
    fn uniform(value: Value) -> Value {
        value
    }

    fn position(&mut self, kind: Kind, parts: &[Value]) -> Parts {
        match kind {
            Kind::Me => self.unit_vector(kind, parts, offset_of!(Arrays, position)),
            _ => parts[1..].to_vec(),
        }
    }

    fn vector_of(&mut self, kind: Kind, parts: &[Value], array: usize) -> Option<Parts> {
        Some(self.unit_vector(kind, parts, array))
    }

    fn axes(&mut self, kind: Kind, parts: &[Value]) -> Option<[Parts; 3]> {
        let arrays = [offset_of!(Arrays, heading), offset_of!(Arrays, up)];
        let [heading, up] = arrays.map(|array| self.unit_vector(kind, parts, array));
        Some([self.cross(&heading, &up), heading, up])
    }

    fn body(&mut self, kind: Kind, parts: &[Value]) -> Option<Value> {
        let unit = self.unit_index(kind, parts);
        Some(if self.shared.varied { self.own_body_of(unit) } else { self.group_constants_of(unit) })
    }

    fn has_name(&mut self, kind: Kind, parts: &[Value], text: Value, name: usize) -> Option<Value> {
        let unit = self.unit_index(kind, parts);
        Some(self.has_bit(unit, text, name))
    }

    fn units(&mut self, source: Source) -> Parts {
        let source = self.builder.ins().iconst(I32, source.index() as i64);
        vec![source, self.builder.ins().f32const(f32::INFINITY)]
    }

    fn count(&mut self, list: &[Value]) -> Value {
        let means = self.means_at(list, false);
        let count = self.mean(means, I32, offset_of!(NeighborMeansX8, count));
        self.builder.ins().uextend(I64, count)
    }

    fn is_empty(&mut self, list: &[Value]) -> Value {
        let count = self.count(list);
        self.builder.ins().icmp_imm_s(IntCC::Equal, count, 0)
    }

    fn mean_vector(&mut self, list: &[Value], offset: usize) -> Parts {
        let means = self.means_at(list, offset == offset_of!(NeighborMeansX8, velocity));
        let axes = (0..3).map(|axis| self.mean(means, F32, offset + size_of::<Lanes>() * axis));
        axes.collect()
    }

    fn add_scan_cost(&mut self, list: &[Value]) {
        let look = match formulas::integer_of(self.builder.func, list[0]) {
            Some(source) => {
                let constants = self.own_group_constants();
                let look = self.frozen(
                    I32,
                    constants,
                    GroupConstants::scan_cost_offset(Source::from_index(source as usize)),
                );
                self.builder.ins().uextend(I64, look)
            }
            _ => self.host_on(host::look as *const (), &[list[0]], I64),
        };
        let left = self.builder.use_var(self.fuel);
        let left = self.builder.ins().isub(left, look);
        self.builder.def_var(self.fuel, left);
        let looked = self.changing(I64, offset_of!(VmContext<'_>, looked));
        let looked = self.builder.ins().iadd(looked, look);
        self.store(looked, offset_of!(VmContext<'_>, looked));
    }

    fn random(&mut self) -> Value {
        self.host_on(host::random as *const (), &[], F32)
    }

    fn of_numbers(&mut self, function: *const (), numbers: &[Value]) -> Value {
        self.host(function, numbers, F32)
    }

    fn of_integers(&mut self, to: IntegerOp, on: &[Parts]) -> Option<Parts> {
        let a = on[0][0];
        Some(vec![match to {
            IntegerOp::Same => a,
            IntegerOp::Min => self.builder.ins().smin(a, on[1][0]),
            IntegerOp::Max => self.builder.ins().smax(a, on[1][0]),
            IntegerOp::Clamp => {
                let most = self.builder.ins().smin(a, on[2][0]);
                self.builder.ins().smax(most, on[1][0])
            }
            IntegerOp::ToNumber => self.builder.ins().fcvt_from_sint(F32, a),
            IntegerOp::IsZero => self.builder.ins().icmp_imm_s(IntCC::Equal, a, 0),
            IntegerOp::IsOdd => self.lowest_bit(a, true),
            IntegerOp::IsEven => self.lowest_bit(a, false),
        }])
    }

    fn zeros(&mut self, of: Type) -> Parts {
        machine(of).into_iter().map(|part| zero(self.builder, part)).collect()
    }

    fn me_as_unit(&mut self) -> Parts {
        let mut parts = vec![self.unit_index(Kind::Me, &[])];
        parts.extend(self.position(Kind::Me, &[]));
        parts
    }

    fn special(&mut self, to: SpecialOp, on: &[Parts], of: &[Kind]) -> Option<Parts> {
        Some(vec![match to {
            SpecialOp::ToInteger => self.builder.ins().fcvt_to_sint_sat(I64, on[0][0]),
            SpecialOp::Id => self.unit_index(of[0], &on[0]),
            SpecialOp::Group => {
                let unit = self.unit_index(of[0], &on[0]);
                self.group_of(unit)
            }
            SpecialOp::IndexInGroup => {
                let unit = self.unit_index(of[0], &on[0]);
                let constants = self.group_constants_of(unit);
                let first = self.frozen(I64, constants, offset_of!(GroupConstants, first));
                self.builder.ins().isub(unit, first)
            }
            SpecialOp::Signal => {
                let unit = self.unit_index(of[0], &on[0]);
                let slot = self.name_id(on[1][0], offset_of!(NameIds, signal));
                self.signal(unit, slot)
            }
            SpecialOp::Steps => self.state(I64, offset_of!(Arrays, steps)),
            SpecialOp::SetMark | SpecialOp::Nearest | SpecialOp::Nth => return None,
        }])
    }
}

impl Emit<'_, '_, '_> {
    /// Calls a host function that returns one value.
    pub(super) fn host(&mut self, address: *const (), arguments: &[Value], result: Machine) -> Value {
        let call = self.call_host(address, arguments, Some(result));
        self.builder.inst_results(call)[0]
    }

    /// Calls a host function with the context as its first argument.
    pub(super) fn host_on(&mut self, address: *const (), arguments: &[Value], result: Machine) -> Value {
        self.host(address, &[&[self.vm], arguments].concat(), result)
    }

    /// Loads a field of the context that changes during a call.
    pub(super) fn changing(&mut self, of: Machine, offset: usize) -> Value {
        let flags = MemFlagsData::trusted();
        self.builder.ins().load(of, flags, self.vm, offset as i32)
    }

    /// Loads three adjacent floats of the frozen state.
    pub(super) fn frozen_vector(&mut self, base: Value, offset: usize) -> Parts {
        (0..3).map(|part| self.frozen(F32, base, offset + size_of::<f32>() * part)).collect()
    }
}
