//! Emits comparisons.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I32;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};
use steerbox_core::sim::NameIds;

use super::super::formulas::{Formulas, signed};
use super::super::operations::Access;
use super::Emit;
use super::value::Parts;
use crate::typed::ir::{Compare, Expr};
use crate::types::Kind;

impl Emit<'_, '_, '_> {
    /// Emits a comparison of two values that are not optional.
    pub(super) fn compared(&mut self, to: Compare, [a, b]: [&Expr; 2], [x, y]: [&Parts; 2]) -> Value {
        match (a.of.kind, b.of.kind) {
            (Kind::Integer | Kind::Obstacle, _) => self.builder.ins().icmp(signed(to), x[0], y[0]),
            (Kind::Bool, _) => self.builder.ins().icmp(unsigned(to), x[0], y[0]),
            (Kind::Number, _) => self.approx_cmp(to, x[0], y[0]),
            (Kind::Vector, _) => {
                let same = self.same_vector(x, y);
                if to == Compare::NotEqual { self.builder.ins().bxor_imm_s(same, 1) } else { same }
            }
            (Kind::Me | Kind::Unit, _) => {
                let x = self.unit_index(a.of.kind, x);
                let y = self.unit_index(b.of.kind, y);
                self.builder.ins().icmp(signed(to), x, y)
            }
            _ => self.same_text(to, [a.of.kind, b.of.kind], [x[0], y[0]]),
        }
    }

    /// Compares texts of the script or names of groups or zones, all of which are unique.
    fn same_text(&mut self, to: Compare, kinds: [Kind; 2], texts: [Value; 2]) -> Value {
        let (group, zone) = (offset_of!(NameIds, group), offset_of!(NameIds, zone));
        let [x, y] = match kinds {
            [Kind::Text, Kind::Group] => [self.name_id(texts[0], group), texts[1]],
            [Kind::Group, Kind::Text] => [texts[0], self.name_id(texts[1], group)],
            [Kind::Text, Kind::Zone] => [self.name_id(texts[0], zone), texts[1]],
            [Kind::Zone, Kind::Text] => [texts[0], self.name_id(texts[1], zone)],
            _ => texts,
        };
        self.builder.ins().icmp(signed(to), x, y)
    }

    pub(super) fn same_bits(&mut self, x: Value, y: Value) -> Value {
        let [x, y] = [x, y].map(|value| {
            let flags = MemFlagsData::new();
            self.builder.ins().bitcast(I32, flags, value)
        });
        self.builder.ins().icmp(IntCC::Equal, x, y)
    }
}

fn unsigned(to: Compare) -> IntCC {
    signed(to).unsigned()
}
