//! What the unit that decides can do and ask beside what every unit can.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, I8, I32, I64};
use cranelift_codegen::ir::{InstBuilder, Value};

use super::super::failure::Cause;
use super::super::form::{Builtin, Call, Place};
use super::super::host;
use super::super::kind::Kind;
use super::Emit;
use super::value::Parts;
use crate::sim::GroupFacts;

impl Emit<'_, '_, '_> {
    pub(super) fn of_me(&mut self, call: &Call, values: &[Parts], kinds: &[Kind]) -> Option<Parts> {
        Some(match call.to {
            Builtin::HasView => {
                let has = self.own_fact(offset_of!(GroupFacts, has_view));
                vec![self.builder.ins().ireduce(I8, has)]
            }
            Builtin::OwnPath => self.own_route(offset_of!(GroupFacts, path)),
            Builtin::OwnField => self.own_route(offset_of!(GroupFacts, field)),
            Builtin::See => {
                let view = self.named(host::see as *const (), kinds[1], values[1][0], call.place);
                let source = self.builder.ins().ireduce(I32, view);
                vec![source, self.builder.ins().f32const(f32::INFINITY)]
            }
            Builtin::Random => vec![self.host_value(host::random as *const (), &[], F32)],
            Builtin::RandomBetween => {
                let random = self.host_value(host::random as *const (), &[], F32);
                self.lerp(&values[1], &values[2], random)
            }
            Builtin::RandomDirection => self.host_vector(host::random_direction as *const (), &[]),
            Builtin::Mark => {
                self.named(host::mark as *const (), kinds[1], values[1][0], call.place);
                Parts::new()
            }
            Builtin::DrawLine => self.drawn(host::draw_line as *const (), values),
            Builtin::DrawCircle => self.drawn(host::draw_circle as *const (), values),
            Builtin::DrawText => self.draw_text(kinds[2], values),
            _ => return None,
        })
    }

    /// Something of the own group.
    pub(super) fn own_fact(&mut self, offset: usize) -> Value {
        let me = self.unit_index(Kind::Me, &[]);
        let facts = self.facts_of(me);
        self.frozen(I64, facts, offset)
    }

    pub(super) fn own_route(&mut self, offset: usize) -> Parts {
        let route = self.own_fact(offset);
        let there = IntCC::SignedGreaterThanOrEqual;
        let there = self.builder.ins().icmp_imm_s(there, route, 0);
        vec![there, route]
    }

    /// What the host finds under a name, or a failure in its own words.
    pub(super) fn named(
        &mut self,
        address: *const (),
        kind: Kind,
        name: Value,
        place: Place,
    ) -> Value {
        let is_group = i64::from(kind == Kind::Group);
        let is_group = self.builder.ins().iconst(I64, is_group);
        let found = self.charging(address, &[is_group, name], I64, place);
        let none = self
            .builder
            .ins()
            .icmp_imm_s(IntCC::SignedLessThan, found, 0);
        let details = self.no_details();
        self.fail_if(none, place, Cause::Host, details);
        found
    }

    pub(super) fn drawn(&mut self, address: *const (), values: &[Parts]) -> Parts {
        let arguments: Vec<_> = values[1..].iter().flatten().copied().collect();
        self.host_on(address, &arguments, None);
        Parts::new()
    }

    pub(super) fn draw_text(&mut self, kind: Kind, values: &[Parts]) -> Parts {
        let at = &values[1];
        let mut parts = values[2].clone();
        let tag = match kind {
            Kind::Number => host::SHOW_NUMBER,
            Kind::Integer => host::SHOW_INTEGER,
            Kind::Switch => host::SHOW_SWITCH,
            Kind::Vector => host::SHOW_VECTOR,
            Kind::Group => host::SHOW_GROUP,
            _ => host::SHOW_TEXT,
        };
        let zero = self.builder.ins().f32const(0.0);
        let mut word = self.builder.ins().iconst(I64, 0);
        match kind {
            Kind::Number => parts.extend([zero, zero]),
            Kind::Vector => {}
            Kind::Switch => {
                word = self.builder.ins().uextend(I64, parts[0]);
                parts = vec![zero; 3];
            }
            _ => {
                word = parts[0];
                parts = vec![zero; 3];
            }
        }
        let tag = self.builder.ins().iconst(I32, i64::from(tag));
        let arguments = [at[0], at[1], at[2], tag, word, parts[0], parts[1], parts[2]];
        self.host_on(host::draw_text as *const (), &arguments, None);
        Parts::new()
    }
}
