//! Emits calls of built-in functions, and of the script's own functions.

use std::mem::offset_of;
use std::ptr;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, I8, I64};
use cranelift_codegen::ir::{InstBuilder, StackSlot, StackSlotData, StackSlotKind, Value};

use super::super::failure::Cause;
use super::super::intrinsics;
use super::super::operations::{Access, Operations};
use super::super::vm::VmContext;
use super::Emit;
use super::value::{self, Parts};
use crate::api::values::{Any, GROUP, Slots, ZONE};
use crate::api::{self, Effect, Function};
use crate::budget::MAX_CALLS;
use crate::typed::ir::{Builtin, Call, Expr};
use crate::types::{Kind, Type};

impl Emit<'_, '_, '_> {
    /// Emits a call of a built-in function: arguments, a failure if one of them is `()`, the operation.
    pub(super) fn call(&mut self, call: &Call, of: Type) -> Parts {
        let mut values: Vec<Parts> = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            let parts = self.expr(argument);
            if argument.of.kind == Kind::Never {
                return self.zeros(of);
            }
            values.push(parts);
        }
        if call.to == Builtin::ToNumber && of.maybe {
            return self.maybe_number(&values[0]);
        }
        self.unwrap_arguments(call, &mut values);
        self.built_in(call, &values)
    }

    /// Converts an optional integer to an optional number.
    fn maybe_number(&mut self, parts: &[Value]) -> Parts {
        let number = self.builder.ins().fcvt_from_sint(F32, parts[1]);
        vec![parts[0], number]
    }

    /// Removes the flags of optional arguments, and fails if one of them is `()`.
    fn unwrap_arguments(&mut self, call: &Call, values: &mut [Parts]) {
        let mut nothing: Option<Value> = None;
        for (index, argument) in call.arguments.iter().enumerate() {
            if !argument.of.maybe {
                continue;
            }
            let flag = values[index].remove(0);
            let bit = self.builder.ins().icmp_imm_s(IntCC::Equal, flag, 0);
            let bit = self.builder.ins().uextend(I64, bit);
            let bit = self.builder.ins().ishl_imm_s(bit, index as i64);
            nothing = Some(match nothing {
                Some(before) => self.builder.ins().bor(before, bit),
                None => bit,
            });
        }
        let Some(nothing) = nothing else {
            return;
        };
        let any = self.builder.ins().icmp_imm_s(IntCC::NotEqual, nothing, 0);
        let cause = if call.to == Builtin::Expect && call.name.is_empty() {
            Cause::NotBool
        } else if call.is_property {
            Cause::Property(call.name.clone())
        } else {
            Cause::Mismatch(call.name.clone(), call.shown.clone())
        };
        self.fail_if(any, call.place, cause, [nothing, nothing]);
    }

    /// Emits a row of the API: its instructions, or else a call of the host.
    pub(super) fn function_of_api(
        &mut self,
        place: usize,
        call: &Call,
        values: &[Parts],
        kinds: &[Kind],
    ) -> Parts {
        let row = &api::functions()[place];
        match intrinsics::of_row(self, row, values, kinds) {
            Some(parts) => {
                if row.charges() {
                    self.check_fuel(call.place);
                }
                parts
            }
            None if row.effect == Effect::Show => {
                self.if_shown(|emit| emit.host_function(row, call, values, kinds));
                Parts::new()
            }
            None => self.host_function(row, call, values, kinds),
        }
    }

    /// Emits code that shows something, skipped while nothing is recorded.
    fn if_shown(&mut self, show: impl FnOnce(&mut Self) -> Parts) {
        let (shown, out) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(shown);
        let is_shown = self.fixed(I8, offset_of!(VmContext<'_>, is_shown));
        self.builder.ins().brif(is_shown, shown, &[], out, &[]);
        self.switch_to_sealed(shown);
        let _ = show(self);
        self.builder.ins().jump(out, &[]);
        self.switch_to_sealed(out);
    }

    /// Returns the stack slot for arguments and results of functions of the API.
    pub(super) fn slots(&mut self) -> StackSlot {
        let room = StackSlotData::new(StackSlotKind::ExplicitSlot, size_of::<Slots>() as u32, 3);
        *self.slots.get_or_insert_with(|| self.builder.create_sized_stack_slot(room))
    }

    /// Stores the arguments in slots, calls the row's function, and loads the result.
    fn host_function(
        &mut self,
        row: &'static Function,
        call: &Call,
        values: &[Parts],
        kinds: &[Kind],
    ) -> Parts {
        let slots = self.slots();
        let mut offset = 0;
        let parameters = row.params.iter().map(|(_, kind)| *kind);
        for ((parts, kind), parameter) in values.iter().zip(kinds).zip(parameters) {
            for part in self.convert_argument(parts, *kind, parameter) {
                self.builder.ins().stack_store(I64, part, slots, offset);
                offset += 8;
            }
        }
        debug_assert!(offset as usize <= size_of::<Slots>(), "the arguments of `{}`", row.signature);
        if row.charges() {
            self.store_fuel();
        }
        let on = self.builder.ins().iadd_imm_s(self.vm, offset_of!(VmContext<'_>, call) as i64);
        let closure = self.builder.ins().iconst(I64, row.entry.closure as i64);
        let address = self.builder.ins().stack_addr(I64, slots, 0);
        let failed = self.host(ptr::without_provenance(row.entry.function), &[on, closure, address], I8);
        if row.charges() {
            self.load_fuel();
            self.check_fuel(call.place);
        }
        if row.can_fail {
            let details = self.no_details();
            self.fail_if(failed, call.place, Cause::Host, details);
        }
        let machine = value::machine(row.returns).into_iter().zip((0..).step_by(8));
        machine.map(|(of, offset)| self.builder.ins().stack_load(I64, of, slots, offset)).collect()
    }

    /// Converts an argument of one kind to a parameter of another.
    fn convert_argument(&mut self, parts: &[Value], kind: Kind, parameter: Kind) -> Parts {
        let mut parts = match kind {
            Kind::Me if parameter == Kind::Unit => self.me_as_unit(),
            Kind::Group => vec![self.builder.ins().bor_imm_s(parts[0], GROUP as i64)],
            Kind::Zone => vec![self.builder.ins().bor_imm_s(parts[0], ZONE as i64)],
            _ => parts.to_vec(),
        };
        if parameter == Kind::Any {
            parts.insert(0, self.builder.ins().iconst(I64, Any::tag(kind) as i64));
        }
        parts
    }

    /// Emits a call of one of the script's functions.
    pub(super) fn invoke(&mut self, function: usize, arguments: &[Expr]) -> Parts {
        let called = &self.shared.ir.functions[function];
        let mut all = vec![self.vm];
        let mut values = Vec::new();
        for (argument, of) in arguments.iter().zip(&called.locals) {
            values.extend(self.expr_as(argument, *of));
        }
        let depth = self.builder.ins().iadd_imm_s(self.depth, 1);
        let most = MAX_CALLS as i64;
        let deep = IntCC::SignedGreaterThan;
        let deep = self.builder.ins().icmp_imm_s(deep, depth, most);
        let details = self.no_details();
        // The script engine reports this error without a position.
        self.fail_if(deep, (0, 0), Cause::TooDeep, details);
        all.push(depth);
        all.extend(values);
        self.store_fuel();
        let call = self.builder.ins().call(self.functions[function], &all);
        let results = self.builder.inst_results(call).to_vec();
        self.load_fuel();
        let failed = self.builder.ins().icmp_imm_s(IntCC::NotEqual, results[0], 0);
        let on = self.builder.create_block();
        let out = self.failed;
        self.builder.ins().brif(failed, out, &[], on, &[]);
        self.switch_to_sealed(on);
        results[1..].to_vec()
    }
}
