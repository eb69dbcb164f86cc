//! Access of code for one unit to its context and to the host.

use std::mem::offset_of;

use cranelift_codegen::ir::types::F32;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type as Machine, Value};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;

use super::super::operations::{Access, Layout};
use super::super::vm::VmContext;
use super::Emit;
use super::value::Parts;

impl<'f> Access<'f> for Emit<'_, '_, 'f> {
    const LAYOUT: Layout = Layout {
        arrays: offset_of!(VmContext<'_>, arrays),
        me: offset_of!(VmContext<'_>, me),
        names: offset_of!(VmContext<'_>, names),
    };

    fn builder(&mut self) -> &mut FunctionBuilder<'f> {
        self.builder
    }

    fn context(&self) -> Value {
        self.vm
    }

    fn call_conv(&self) -> CallConv {
        self.call_conv
    }

    fn note_names(&mut self) {
        self.shared.uses_names = true;
    }
}

impl Emit<'_, '_, '_> {
    /// Calls a function of the host, which returns one value.
    pub(super) fn host(&mut self, address: *const (), arguments: &[Value], result: Machine) -> Value {
        let call = self.call_host(address, arguments, Some(result));
        self.builder.inst_results(call)[0]
    }

    /// The same, with the context before the other arguments.
    pub(super) fn host_on(&mut self, address: *const (), arguments: &[Value], result: Machine) -> Value {
        self.host(address, &[&[self.vm], arguments].concat(), result)
    }

    /// Loads a field of the context that changes during a call.
    pub(super) fn changing(&mut self, of: Machine, offset: usize) -> Value {
        let flags = MemFlagsData::trusted();
        self.builder.ins().load(of, flags, self.vm, offset as i32)
    }

    /// Three floats in a row in the frozen state.
    pub(super) fn frozen_vector(&mut self, base: Value, offset: usize) -> Parts {
        (0..3).map(|part| self.frozen(F32, base, offset + size_of::<f32>() * part)).collect()
    }
}
