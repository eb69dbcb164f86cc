//! Calls of the host from compiled code, and what stands in the context.

use std::mem::offset_of;

use cranelift_codegen::ir::types::{F32, I64};
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, Type as Machine, Value};

use super::super::vm::VmContext;
use super::Emit;
use super::value::Parts;

impl Emit<'_, '_, '_> {
    /// Calls a function of the host, which returns one value. Its address is part of the code, which lives no
    /// longer than the program that it is compiled in.
    pub(super) fn host(&mut self, address: *const (), arguments: &[Value], result: Machine) -> Value {
        let mut signature = Signature::new(self.call_conv);
        for argument in arguments {
            let of = self.builder.func.dfg.value_type(*argument);
            signature.params.push(AbiParam::new(of));
        }
        signature.returns.push(AbiParam::new(result));
        let signature = self.builder.import_signature(signature);
        let address = self.builder.ins().iconst(I64, address as usize as i64);
        let call = self.builder.ins().call_indirect(signature, address, arguments);
        self.builder.inst_results(call)[0]
    }

    /// The same, with the context before the other arguments.
    pub(super) fn host_on(&mut self, address: *const (), arguments: &[Value], result: Machine) -> Value {
        let mut all = vec![self.vm];
        all.extend_from_slice(arguments);
        self.host(address, &all, result)
    }

    /// Something in the context that changes during a call.
    pub(super) fn changing(&mut self, of: Machine, offset: usize) -> Value {
        let flags = MemFlagsData::trusted();
        self.builder.ins().load(of, flags, self.vm, offset as i32)
    }

    /// Something in the context that stays as it is during a call.
    pub(super) fn fixed(&mut self, of: Machine, offset: usize) -> Value {
        let base = self.vm;
        self.frozen(of, base, offset)
    }

    /// An address or a fact of the frozen state as a whole.
    pub(super) fn state(&mut self, of: Machine, offset: usize) -> Value {
        let arrays = self.fixed(I64, offset_of!(VmContext<'_>, arrays));
        self.frozen(of, arrays, offset)
    }

    /// Something in the frozen state.
    pub(super) fn frozen(&mut self, of: Machine, base: Value, offset: usize) -> Value {
        let flags = MemFlagsData::trusted().with_readonly().with_can_move();
        self.builder.ins().load(of, flags, base, offset as i32)
    }

    /// The address of an element of an array.
    pub(super) fn element<T>(&mut self, array: Value, index: Value) -> Value {
        let offset = self.builder.ins().imul_imm_s(index, size_of::<T>() as i64);
        self.builder.ins().iadd(array, offset)
    }

    /// Three floats in a row in the frozen state.
    pub(super) fn frozen_vector(&mut self, base: Value, offset: usize) -> Parts {
        (0..3).map(|part| self.frozen(F32, base, offset + 4 * part)).collect()
    }
}
