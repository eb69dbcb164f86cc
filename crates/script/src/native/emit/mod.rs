//! Code for one unit, from the IR.
//!
//! A value is represented by one machine value per component; an optional one has a flag before them. On failure,
//! the code stores the site and two integers in the context and jumps to an exit; every caller then returns at once.

mod arithmetic;
mod calls;
mod compare;
mod flow;
mod fuel;
mod loops;
mod memory;
mod operations;
mod operators;
mod scalar_ops;
mod units;
mod value;

use std::mem::offset_of;

use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{
    AbiParam, Block, FuncRef, InstBuilder, MemFlagsData, Signature, StackSlot, Value,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, Variable};

use super::failure::Site;
use super::operations::Access;
use super::vm::VmContext;
use crate::typed::ir::{Function, Ir};
use value::Parts;
pub(super) use value::machine;

/// The state shared by all functions of a script during emission.
pub(super) struct Shared<'a> {
    pub(super) ir: &'a Ir,
    pub(super) sites: Vec<Site>,
    /// True if the code resolves texts as names.
    pub(super) uses_names: bool,
    /// True if bodies differ by unit.
    pub(super) varied: bool,
}

impl<'a> Shared<'a> {
    /// Creates the initial state.
    pub(super) fn new(ir: &'a Ir, varied: bool) -> Self {
        Self { ir, sites: Vec::new(), uses_names: false, varied }
    }
}

/// The emitter of one function.
pub(super) struct Emit<'a, 'b, 'f> {
    pub(super) builder: &'a mut FunctionBuilder<'f>,
    pub(super) shared: &'a mut Shared<'b>,
    pub(super) function: &'b Function,
    pub(super) is_entry: bool,
    /// References to the functions of the script.
    pub(super) functions: Vec<FuncRef>,
    vm: Value,
    /// The depth of calls.
    depth: Value,
    /// The remaining work of the call.
    fuel: Variable,
    locals: Vec<Vec<Variable>>,
    /// The enclosing loops, outermost first.
    loops: Vec<LoopTargets>,
    /// The exit for failures.
    failed: Block,
    /// The stack slot for arguments and results of functions of the API, if it calls any.
    slots: Option<StackSlot>,
}

/// The targets of jumps in a loop's body.
struct LoopTargets {
    next: Block,
    out: Block,
}

/// Returns the signature of a script's function: context, depth and the components of its arguments; a status and
/// the components of its result.
pub(super) fn signature(function: &Function, is_entry: bool, call_conv: CallConv) -> Signature {
    let mut signature = Signature::new(call_conv);
    signature.params.push(AbiParam::new(I64));
    if !is_entry {
        signature.params.push(AbiParam::new(I32));
        for of in &function.locals[..function.arguments] {
            let parts = value::machine(*of);
            signature.params.extend(parts.into_iter().map(AbiParam::new));
        }
    }
    signature.returns.push(AbiParam::new(I32));
    if !is_entry {
        let parts = value::machine(function.result);
        signature.returns.extend(parts.into_iter().map(AbiParam::new));
    }
    signature
}

impl<'a, 'b, 'f> Emit<'a, 'b, 'f> {
    /// Emits a function.
    pub(super) fn function(
        builder: &'a mut FunctionBuilder<'f>,
        shared: &'a mut Shared<'b>,
        function: &'b Function,
        is_entry: bool,
        functions: Vec<FuncRef>,
    ) {
        let start = builder.create_block();
        builder.append_block_params_for_function_params(start);
        builder.switch_to_block(start);
        builder.seal_block(start);
        let failed = builder.create_block();
        builder.set_cold_block(failed);
        let parameters = builder.block_params(start).to_vec();
        let vm = parameters[0];
        let depth = if is_entry { builder.ins().iconst(I32, 0) } else { parameters[1] };
        let fuel = builder.declare_var(I64);
        let mut emit = Self {
            builder,
            shared,
            function,
            is_entry,
            functions,
            vm,
            depth,
            fuel,
            locals: Vec::new(),
            loops: Vec::new(),
            failed,
            slots: None,
        };
        emit.start(parameters.get(2..).unwrap_or(&[]));
        emit.finish();
    }

    fn start(&mut self, arguments: &[Value]) {
        self.load_fuel();
        self.add_cost_checked(self.function.cost, self.function.place);
        let given = self.given();
        let mut arguments = arguments.iter();
        let mut offset = 0;
        for (index, of) in self.function.locals.iter().enumerate() {
            let is_argument = index < self.function.arguments;
            let mut parts = Vec::new();
            for part in value::machine(*of) {
                let variable = self.builder.declare_var(part);
                let passed = match given.filter(|_| is_argument) {
                    Some(given) => {
                        let flags = MemFlagsData::trusted();
                        let value = self.builder.ins().load(part, flags, given, offset);
                        offset += 8;
                        Some(value)
                    }
                    None => arguments.next().copied().filter(|_| is_argument),
                };
                let start = passed.unwrap_or_else(|| value::zero(self.builder, part));
                self.builder.def_var(variable, start);
                parts.push(variable);
            }
            self.locals.push(parts);
        }
    }

    /// Returns the address of the arguments of an entry point, if any of them has data.
    fn given(&mut self) -> Option<Value> {
        let arguments = &self.function.locals[..self.function.arguments];
        let has_data = arguments.iter().any(|of| !value::machine(*of).is_empty());
        (self.is_entry && has_data).then(|| self.fixed(I64, offset_of!(VmContext<'_>, given)))
    }

    fn finish(&mut self) {
        let function = self.function;
        let _ = self.expr(&function.body);
        // Unreachable, since every body ends with a return; but every block needs a terminator.
        self.return_with(0, &Parts::new());
        let failed = self.failed;
        self.builder.switch_to_block(failed);
        self.return_with(1, &Parts::new());
        self.builder.seal_all_blocks();
    }
}
