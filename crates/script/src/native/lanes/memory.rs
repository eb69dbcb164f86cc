//! Memory and marks of the units, one lane each. Writes of lanes that fail are discarded.

use std::mem::offset_of;

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32X4, I32, I32X4};
use steerbox_core::sim::{BatchDecisions, NameIds};

use super::super::formulas::Formulas;
use super::super::operations::Access;
use super::EmitLanes;
use super::value::{LaneValue, Parts, Uniform, Varying};
use crate::typed::ir::Expr;
use crate::types::Kind;

/// Returns the offset in the results of a memory word of eight units.
fn place_of(word: usize) -> usize {
    offset_of!(BatchDecisions, memory) + 32 * word
}

impl<'b> EmitLanes<'_, 'b, '_> {
    pub(super) fn load_field(&mut self, offset: usize, kind: Kind) -> Parts {
        let memory = self.decisions();
        let words = if kind == Kind::Vector { 3 } else { 1 };
        let is_bool = kind == Kind::Bool;
        let mut parts = Parts::new();
        for word in offset..offset + words {
            let of = if is_bool || kind == Kind::Integer { I32X4 } else { F32X4 };
            let mut values = self.load(of, memory, place_of(word));
            if is_bool {
                values = self.are_set(values);
            }
            parts.push(Varying(values));
        }
        parts
    }

    pub(super) fn store_field(&mut self, offset: usize, value: &'b Expr) -> Parts {
        let mut parts = self.expr(value);
        let kind = value.of.kind;
        if kind == Kind::Never || self.refused {
            return Parts::new();
        }
        if value.of.maybe {
            let flag = parts.remove(0);
            let nothing = self.not(flag);
            self.fail_if(nothing);
        }
        let memory = self.decisions();
        for (word, part) in parts.into_iter().enumerate() {
            let words = match kind {
                Kind::Bool => {
                    let (mask, one) = (self.masks(part), self.integer(1));
                    self.mask_and(mask, one)
                }
                Kind::Number | Kind::Vector => {
                    let number = self.canonical_nan(part);
                    self.numbers(number)
                }
                _ => return self.refuse(),
            };
            let at = place_of(offset + word);
            let of = self.builder.func.dfg.value_type(words[0]);
            let before = self.load(of, memory, at);
            let active = self.value_of(self.active);
            let after = self.blend(active, words, before);
            self.store(after, memory, at);
        }
        Parts::new()
    }

    /// Sets a mark of the active units.
    pub(super) fn mark(&mut self, text: LaneValue) -> Parts {
        let Uniform(text) = text else {
            return self.refuse();
        };
        let bit = self.name_id(text, offset_of!(NameIds, mark));
        let is_unknown = self.builder.ins().icmp_imm_s(IntCC::Equal, bit, 0);
        self.fail_if(Uniform(is_unknown));
        let (active, decisions) = (self.value_of(self.active), self.decisions());
        let upper = self.builder.ins().ushr_imm_u(bit, 32);
        for (half, bits) in [bit, upper].into_iter().enumerate() {
            let bits = self.builder.ins().ireduce(I32, bits);
            let bits = [self.builder.ins().splat(I32X4, bits); 2];
            let at = offset_of!(BatchDecisions, marks) + 32 * half;
            let (marking, before) = (self.mask_and(active, bits), self.load(I32X4, decisions, at));
            let after = self.mask_or(before, marking);
            self.store(after, decisions, at);
        }
        Parts::new()
    }
}
