//! The remaining work of a call.
//!
//! It is decremented and checked at the start of functions and iterations, and after host functions that charge: at
//! the same positions as charges in the tree that the interpreter runs. The host subtracts its charges from the
//! count in the context.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Type as Machine, Value};

use super::super::failure::Cause;
use super::super::vm::VmContext;
use super::Emit;
use crate::typed::ir::Place;

impl Emit<'_, '_, '_> {
    /// Subtracts static work, and fails if nothing remains.
    pub(super) fn add_cost_checked(&mut self, work: i64, place: Place) {
        let left = self.builder.use_var(self.fuel);
        let left = self.builder.ins().iadd_imm_s(left, -work);
        self.builder.def_var(self.fuel, left);
        self.check_fuel(place);
    }

    /// Fails if nothing remains.
    pub(super) fn check_fuel(&mut self, place: Place) {
        let left = self.builder.use_var(self.fuel);
        let none = (self.builder.ins()).icmp_imm_s(IntCC::SignedLessThan, left, 0);
        let details = self.no_details();
        self.fail_if(none, place, Cause::Exhausted, details);
    }

    pub(super) fn load_fuel(&mut self) {
        let left = self.changing(I64, offset_of!(VmContext<'_>, call.fuel));
        self.builder.def_var(self.fuel, left);
    }

    pub(super) fn store_fuel(&mut self) {
        let left = self.builder.use_var(self.fuel);
        self.store(left, offset_of!(VmContext<'_>, call.fuel));
    }

    /// Calls a host function that charges for its work.
    pub(super) fn charging(
        &mut self,
        address: *const (),
        arguments: &[Value],
        result: Machine,
        place: Place,
    ) -> Value {
        self.store_fuel();
        let value = self.host_on(address, arguments, result);
        self.load_fuel();
        self.check_fuel(place);
        value
    }
}
