//! Marks of the units that decide.

use std::mem::offset_of;

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I32X4};

use super::super::operations::Access;
use super::EmitLanes;
use super::value::{Parts, Wide};
use crate::sim::{BatchDecisions, NameIds};

impl EmitLanes<'_, '_, '_> {
    /// Marks the units that are active.
    pub(super) fn mark(&mut self, text: Wide) -> Parts {
        let Wide::Same(text) = text else {
            return self.refuse();
        };
        let bit = self.name_id(text, offset_of!(NameIds, mark));
        let is_unknown = self.builder.ins().icmp_imm_s(IntCC::Equal, bit, 0);
        self.fail_if(Wide::Same(is_unknown));
        let (active, decisions) = (self.value_of(self.active), self.decisions());
        let upper = self.builder.ins().ushr_imm_u(bit, 32);
        for (half, bits) in [bit, upper].into_iter().enumerate() {
            let bits = self.builder.ins().ireduce(I32, bits);
            let bits = [self.builder.ins().splat(I32X4, bits); 2];
            let at = offset_of!(BatchDecisions, marks) + 32 * half;
            let (marking, before) = (self.and(active, bits), self.load(I32X4, decisions, at));
            let after = self.or(before, marking);
            self.store(after, decisions, at);
        }
        Parts::new()
    }
}
