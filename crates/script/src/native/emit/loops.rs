//! Emits loops.
//!
//! The exit of a loop is emitted before its body: the code generator visits blocks in this order, and hoists
//! invariants only out of loops whose exit it has already seen.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F32, I8, I64};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value};
use cranelift_frontend::Variable;
use steerbox_core::perception::Neighbor;

use super::super::failure::Cause;
use super::super::host;
use super::super::operations::Access;
use super::super::vm::VmContext;
use super::{Emit, LoopTargets};
use crate::typed::ir::{Expr, Loop, Order, Over};
use crate::types::Kind;

impl Emit<'_, '_, '_> {
    pub(super) fn looping(&mut self, looping: &Loop) {
        match &looping.over {
            Over::While(test) => self.test_first(test, looping),
            Over::DoWhile(test) => self.test_last(test, looping),
            Over::Range(local, range) => self.range(*local, range, looping),
            Over::Steps(local, parts) => self.steps(*local, parts, looping),
            Over::NumberSteps(local, parts) => {
                self.number_steps(*local, parts, looping);
            }
            Over::Units(local, list, order) => self.each_unit(*local, (list, *order), looping),
            Over::Obstacles(local, list) => self.each_obstacle(*local, list, looping),
        }
    }

    /// Emits the body of a loop, whose `continue` jumps to `next` and whose `break` jumps to `out`.
    fn iteration(&mut self, looping: &Loop, next: Block, out: Block) {
        self.add_cost_checked(looping.cost, looping.place);
        self.loops.push(LoopTargets { next, out });
        let _ = self.expr(&looping.body);
        self.loops.pop();
        self.builder.ins().jump(next, &[]);
    }

    fn test_first(&mut self, test: &Expr, looping: &Loop) {
        let (head, body, out) = self.loop_blocks();
        self.builder.ins().jump(head, &[]);
        self.builder.switch_to_block(head);
        let flag = self.expr_as(test, Kind::Bool.into())[0];
        self.enter_if(flag, body, out);
        self.switch_to_sealed(body);
        self.iteration(looping, head, out);
        self.builder.seal_block(head);
        self.switch_to_sealed(out);
    }

    fn test_last(&mut self, test: &Expr, looping: &Loop) {
        let (body, check, out) = self.loop_blocks();
        // `continue` begins the next iteration without the test.
        self.builder.ins().jump(body, &[]);
        self.builder.switch_to_block(body);
        self.add_cost_checked(looping.cost, looping.place);
        self.loops.push(LoopTargets { next: body, out });
        let _ = self.expr(&looping.body);
        self.loops.pop();
        self.builder.ins().jump(check, &[]);
        self.switch_to_sealed(check);
        let flag = self.expr_as(test, Kind::Bool.into())[0];
        self.enter_if(flag, body, out);
        self.builder.seal_block(body);
        self.switch_to_sealed(out);
    }

    /// Jumps to the body if a flag is set, else out of the loop.
    fn enter_if(&mut self, flag: Value, body: Block, out: Block) {
        let done = self.builder.ins().icmp_imm_s(IntCC::Equal, flag, 0);
        self.builder.ins().brif(done, out, &[], body, &[]);
    }

    fn loop_blocks(&mut self) -> (Block, Block, Block) {
        let mut block = || self.builder.create_block();
        (block(), block(), block())
    }

    /// Emits a loop over a range of integers.
    fn range(&mut self, local: usize, range: &Expr, looping: &Loop) {
        let ends = self.expr_as(range, range.of);
        let (from, to) = (ends[0], ends[1]);
        let included = range.of.kind == Kind::RangeThrough;
        // The number of iterations modulo 2⁶⁴; when it wraps, it exceeds the fuel anyway.
        let order = if included { IntCC::SignedLessThanOrEqual } else { IntCC::SignedLessThan };
        let any = self.builder.ins().icmp(order, from, to);
        let span = self.builder.ins().isub(to, from);
        let span = if included {
            let more = self.builder.ins().iadd_imm_s(span, 1);
            // A range of all 2⁶⁴ integers would wrap to zero.
            let wrapped = self.builder.ins().icmp_imm_s(IntCC::Equal, more, 0);
            self.builder.ins().select(wrapped, span, more)
        } else {
            span
        };
        let zero = self.builder.ins().iconst(I64, 0);
        let count = self.builder.ins().select(any, span, zero);
        self.counted(count, looping, |emit, index| {
            let value = emit.builder.ins().iadd(from, index);
            emit.write(local, &[value]);
        });
    }

    /// Emits `count` iterations, unsigned; `begin` receives the index of each.
    fn counted(&mut self, count: Value, looping: &Loop, begin: impl Fn(&mut Self, Value)) {
        let index = self.builder.declare_var(I64);
        let zero = self.builder.ins().iconst(I64, 0);
        self.builder.def_var(index, zero);
        let (head, body, out) = self.loop_blocks();
        let next = self.builder.create_block();
        self.builder.ins().jump(head, &[]);
        self.builder.switch_to_block(head);
        let at = self.builder.use_var(index);
        let is_left = self.builder.ins().icmp(IntCC::UnsignedLessThan, at, count);
        self.enter_if(is_left, body, out);
        self.switch_to_sealed(body);
        if let Some(counter) = looping.counter {
            self.write(counter, &[at]);
        }
        begin(self, at);
        self.iteration(looping, next, out);
        self.emit_latch(index, next, head);
        self.switch_to_sealed(out);
    }

    /// Emits the end of an iteration, which increments the index.
    fn emit_latch(&mut self, index: Variable, next: Block, head: Block) {
        self.switch_to_sealed(next);
        let at = self.builder.use_var(index);
        let at = self.builder.ins().iadd_imm_s(at, 1);
        self.builder.def_var(index, at);
        self.builder.ins().jump(head, &[]);
        self.builder.seal_block(head);
    }

    /// Emits a loop over integers with a step.
    fn steps(&mut self, local: usize, parts: &[Expr; 3], looping: &Loop) {
        let [from, to, step] =
            [0, 1, 2].map(|part: usize| self.expr_as(&parts[part], Kind::Integer.into())[0]);
        let none = self.builder.ins().icmp_imm_s(IntCC::Equal, step, 0);
        let details = self.no_details();
        // The script engine reports this error without a position.
        self.fail_if(none, (0, 0), Cause::NoStep, details);
        let count = self.host(host::steps as *const (), &[from, to, step], I64);
        self.counted(count, looping, |emit, index| {
            let way = emit.builder.ins().imul(index, step);
            let value = emit.builder.ins().iadd(from, way);
            emit.write(local, &[value]);
        });
    }

    /// Emits a loop over numbers with a step, each computed by adding the step to the previous one.
    fn number_steps(&mut self, local: usize, parts: &[Expr; 3], looping: &Loop) {
        let [from, to, step] =
            [0, 1, 2].map(|part: usize| self.expr_as(&parts[part], Kind::Number.into())[0]);
        let first = self.builder.ins().fadd(from, step);
        let none = self.builder.ins().fcmp(FloatCC::Equal, first, from);
        let details = self.no_details();
        self.fail_if(none, (0, 0), Cause::NoStep, details);
        let goes = |emit: &mut Self, order: FloatCC, a: Value, b: Value| emit.builder.ins().fcmp(order, a, b);
        let (less, greater) = (FloatCC::LessThan, FloatCC::GreaterThan);
        let up = (goes(self, less, from, to), goes(self, greater, first, from));
        let down = (goes(self, greater, from, to), goes(self, less, first, from));
        let rises = self.builder.ins().band(up.0, up.1);
        let falls = self.builder.ins().band(down.0, down.1);
        let moves = self.builder.ins().bor(rises, falls);
        let (next_value, alive) = (self.builder.declare_var(F32), self.builder.declare_var(I8));
        self.builder.def_var(next_value, from);
        self.builder.def_var(alive, moves);
        let (head, body, out) = self.loop_blocks();
        let next = self.builder.create_block();
        let counter = self.builder.declare_var(I64);
        let zero = self.builder.ins().iconst(I64, 0);
        self.builder.def_var(counter, zero);
        self.builder.ins().jump(head, &[]);
        self.builder.switch_to_block(head);
        let flag = self.builder.use_var(alive);
        self.enter_if(flag, body, out);
        self.switch_to_sealed(body);
        let value = self.builder.use_var(next_value);
        let after = self.builder.ins().fadd(value, step);
        self.builder.def_var(next_value, after);
        let before_end = goes(self, FloatCC::UnorderedOrLessThan, after, to);
        let past_end = goes(self, FloatCC::UnorderedOrGreaterThan, after, to);
        let continues = self.builder.ins().select(rises, before_end, past_end);
        self.builder.def_var(alive, continues);
        self.write(local, &[value]);
        if let Some(local) = looping.counter {
            let at = self.builder.use_var(counter);
            self.write(local, &[at]);
        }
        self.iteration(looping, next, out);
        self.emit_latch(counter, next, head);
        self.switch_to_sealed(out);
    }

    /// Emits a loop over obstacles; that over all of them reads the host's array.
    fn each_obstacle(&mut self, local: usize, list: &Expr, looping: &Loop) {
        let within = self.expr_as(list, Kind::Obstacles.into());
        if list.is_all_obstacles() {
            let start = self.charging(host::all_obstacles as *const (), &within, I64, looping.place);
            let count = self.changing(I64, offset_of!(VmContext<'_>, count));
            self.counted(count, looping, |emit, index| {
                let at = emit.element::<u32>(start, index);
                let flags = MemFlagsData::trusted();
                let obstacle = emit.builder.ins().uload32(flags, at, 0);
                emit.write(local, &[obstacle]);
            });
            return;
        }
        let count = host::obstacle_count as *const ();
        let count = self.charging(count, &within, I64, looping.place);
        let is_part = self.changing(I64, offset_of!(VmContext<'_>, count));
        self.counted(count, looping, |emit, index| {
            let (near, on) = (emit.builder.create_block(), emit.builder.create_block());
            let obstacle = emit.builder.append_block_param(on, I64);
            (emit.builder.ins()).brif(is_part, near, &[], on, &[index.into()]);
            emit.switch_to_sealed(near);
            let address = host::obstacle_at as *const ();
            let found = emit.charging(address, &[within[0], index], I64, looping.place);
            emit.builder.ins().jump(on, &[found.into()]);
            emit.switch_to_sealed(on);
            emit.write(local, &[obstacle]);
        });
    }

    /// Emits a loop over the units of a list, which reads the host's array.
    fn each_unit(&mut self, local: usize, (list, order): (&Expr, Order), looping: &Loop) {
        let list = self.expr_as(list, Kind::List.into());
        let array = match order {
            Order::Nearest => host::ordered as *const (),
            Order::Slots => host::in_slots as *const (),
        };
        let start = self.charging(array, &list, I64, looping.place);
        let count = self.changing(I64, offset_of!(VmContext<'_>, count));
        self.counted(count, looping, |emit, index| {
            let at = emit.element::<Neighbor>(start, index);
            let flags = MemFlagsData::trusted();
            let mut read = |of, offset: usize| emit.builder.ins().load(of, flags, at, offset as i32);
            let position = offset_of!(Neighbor, position);
            let parts = [
                read(I64, offset_of!(Neighbor, unit)),
                read(F32, position),
                read(F32, position + 4),
                read(F32, position + 8),
            ];
            emit.write(local, &parts);
        });
    }
}
