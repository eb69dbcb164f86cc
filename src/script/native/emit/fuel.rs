//! What is left of the work that a call may take.
//!
//! It is counted down where paths part, and checked wherever code may run again: at each round of a
//! loop, at each call. What the host charges is taken off the count in the context.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{InstBuilder, Type as Machine, Value};

use super::super::cost::Cost;
use super::super::failure::Cause;
use super::super::vm::VmContext;
use super::Emit;
use crate::script::typed::form::Place;
use crate::script::types::Kind;
use crate::sim::GroupFacts;

impl Emit<'_, '_, '_> {
    /// Takes a cost off what is left.
    pub(super) fn debit(&mut self, cost: Cost) {
        let mut left = self.builder.use_var(self.fuel);
        left = self.builder.ins().iadd_imm_s(left, -cost.work);
        if cost.looks > 0 {
            let looks = self.looks(cost);
            left = self.builder.ins().isub(left, looks);
        }
        self.builder.def_var(self.fuel, left);
    }

    fn looks(&mut self, cost: Cost) -> Value {
        let look = self.look;
        self.builder.ins().imul_imm_s(look, cost.looks)
    }

    /// The same, and fails if nothing is left. The details are the work of lists, and that of all else.
    pub(super) fn spend(&mut self, cost: Cost, place: Place) {
        self.debit(cost);
        let looks = self.looks(cost);
        let work = self.builder.ins().iconst(I64, cost.work);
        self.check_fuel(place, [looks, work]);
    }

    fn check_fuel(&mut self, place: Place, details: [Value; 2]) {
        let left = self.builder.use_var(self.fuel);
        let none = (self.builder.ins()).icmp_imm_s(IntCC::SignedLessThan, left, 0);
        self.fail_if(none, place, Cause::Exhausted, details);
    }

    /// Goes on with what the host has left, if it has left anything.
    pub(super) fn charged(&mut self, place: Place) {
        self.load_fuel();
        let details = self.no_details();
        self.check_fuel(place, details);
    }

    pub(super) fn load_fuel(&mut self) {
        let left = self.changing(I64, offset_of!(VmContext<'_>, call.fuel));
        self.builder.def_var(self.fuel, left);
    }

    pub(super) fn store_fuel(&mut self) {
        let left = self.builder.use_var(self.fuel);
        self.store(left, offset_of!(VmContext<'_>, call.fuel));
    }

    /// Calls a function of the host that charges for its work.
    pub(super) fn charging(
        &mut self,
        address: *const (),
        arguments: &[Value],
        result: Machine,
        place: Place,
    ) -> Value {
        self.store_fuel();
        let value = self.host_on(address, arguments, result);
        self.charged(place);
        value
    }

    /// The most work of one look at any of the lists that the script uses.
    pub(super) fn price_of_a_look(&mut self) -> Value {
        let mut price = None;
        for source in 0..4 {
            if !self.shared.sources[source] {
                continue;
            }
            let me = self.unit_index(Kind::Me, &[]);
            let facts = self.facts_of(me);
            let offset = offset_of!(GroupFacts, looks) + 4 * source;
            let look = self.frozen(I32, facts, offset);
            price = Some(match price {
                Some(price) => self.builder.ins().umax(price, look),
                None => look,
            });
        }
        match price {
            Some(price) => self.builder.ins().uextend(I64, price),
            None => self.builder.ins().iconst(I64, 0),
        }
    }
}
