//! Emits reads and writes of a unit's memory row.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, I32, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData};

use super::super::failure::Cause;
use super::super::formulas::Formulas;
use super::super::operations::Access;
use super::super::vm::VmContext;
use super::Emit;
use super::value::Parts;
use crate::typed::ir::{Expr, Place};
use crate::types::Kind;

impl Emit<'_, '_, '_> {
    /// Reads a field of the memory or a drawn parameter, or one component of it.
    pub(super) fn load_field(&mut self, offset: usize, kind: Kind) -> Parts {
        let memory = self.fixed(I64, offset_of!(VmContext<'_>, memory));
        let flags = MemFlagsData::trusted();
        let mut read = |of, word: usize| {
            let at = 4 * (offset + word) as i32;
            self.builder.ins().load(of, flags, memory, at)
        };
        match kind {
            Kind::Vector => (0..3).map(|word| read(F32, word)).collect(),
            Kind::Bool => {
                let word = read(I32, 0);
                vec![self.builder.ins().icmp_imm_s(IntCC::NotEqual, word, 0)]
            }
            Kind::Integer => {
                let word = read(I32, 0);
                vec![self.builder.ins().sextend(I64, word)]
            }
            _ => vec![read(F32, 0)],
        }
    }

    pub(super) fn store_field(&mut self, offset: usize, name: &str, value: &Expr, place: Place) -> Parts {
        let mut parts = self.expr(value);
        let kind = value.of.kind;
        if kind == Kind::Never {
            return Parts::new();
        }
        if value.of.maybe {
            let flag = parts.remove(0);
            let nothing = self.builder.ins().icmp_imm_s(IntCC::Equal, flag, 0);
            let details = self.no_details();
            self.fail_if(nothing, place, Cause::CannotHold(name.to_owned(), kind), details);
        }
        let memory = self.fixed(I64, offset_of!(VmContext<'_>, memory));
        for (word, part) in parts.into_iter().enumerate() {
            let part = if kind == Kind::Bool {
                self.builder.ins().uextend(I32, part)
            } else {
                self.canonical_nan(part)
            };
            let at = 4 * (offset + word) as i32;
            let flags = MemFlagsData::trusted();
            self.builder.ins().store(flags, part, memory, at);
        }
        Parts::new()
    }
}
