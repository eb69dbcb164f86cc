//! Loops of eight units: all of them go through the same rows, and each takes part in some.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F32X4, I32X4, I64};
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_frontend::Variable;

use super::super::formulas::Formulas;
use super::super::operations::Access;
use super::EmitLanes;
use super::frame::LoopState;
use super::value::{LaneValue, Varying};
use crate::script::typed::form::{Expr, Loop, Op};

/// Rows in memory.
pub(super) struct Rows {
    /// Address of the first.
    pub(super) start: Value,
    pub(super) count: Value,
    /// Bytes of each.
    pub(super) size: usize,
}

/// Which lanes take part in a round.
#[derive(Clone, Copy)]
pub(super) enum RowMask {
    All,
    /// Those whose bits are set, at some place in the row.
    Lanes(usize),
    /// Those for which a number at some place in the row is not above a limit, until it is for the first time.
    Ordered(usize, LaneValue),
}

impl<'b> EmitLanes<'_, 'b, '_> {
    /// A round of a loop for each row. `begin` gets its address.
    pub(super) fn each_row(
        &mut self,
        rows: Rows,
        part: RowMask,
        looping: &'b Loop,
        begin: impl FnOnce(&mut Self, Value),
    ) {
        let may_leave = may_leave(&looping.body);
        self.each_round(rows, part, may_leave, |emit, at| {
            begin(emit, at);
            emit.add_loop_cost(looping);
            let _ = emit.expr(&looping.body);
        });
    }

    /// Charges for a round of a loop.
    pub(super) fn add_loop_cost(&mut self, looping: &Loop) {
        self.limit_loop_cost(looping.round);
        self.add_cost(looping.round);
    }

    /// Rounds of a loop, which may end early or not. `body` gets the address of the row.
    pub(super) fn each_round(
        &mut self,
        Rows { start, count, size }: Rows,
        part: RowMask,
        may_leave: bool,
        body: impl FnOnce(&mut Self, Value),
    ) {
        let bytes = self.builder.ins().imul_imm_s(count, size as i64);
        let end = self.builder.ins().iadd(start, bytes);
        let before = self.value_of(self.active);
        let [continuing, exited] = [(); 2].map(|()| [(); 2].map(|()| self.builder.declare_var(I32X4)));
        let none = self.integer(0);
        self.define(continuing, before);
        self.define(exited, none);
        let place = self.builder.declare_var(I64);
        self.builder.def_var(place, start);
        let mut block = || self.builder.create_block();
        let (head, round, next, out) = (block(), block(), block(), block());
        self.builder.ins().jump(head, &[]);
        self.builder.switch_to_block(head);
        let at = self.builder.use_var(place);
        // The way out first: what does not change in the loop is then computed before it.
        let done = self.builder.ins().icmp(IntCC::Equal, at, end);
        self.builder.ins().brif(done, out, &[], round, &[]);
        self.switch_to_sealed(round);
        let mut active = self.value_of(continuing);
        match part {
            RowMask::All => {}
            RowMask::Lanes(lanes) => {
                let lanes = self.load(I32X4, at, lanes);
                active = self.mask_and(active, lanes);
            }
            RowMask::Ordered(place, limit) => {
                let number = Varying(self.load(F32X4, at, place));
                let is_in = self.fcmp(FloatCC::LessThanOrEqual, number, limit);
                let is_in = self.masks(is_in);
                let before = self.value_of(exited);
                let out = self.mask_and_not(active, is_in);
                let out = self.mask_or(before, out);
                self.define(exited, out);
                active = self.mask_and(active, is_in);
                self.define(continuing, active);
            }
        }
        self.define(self.active, active);
        let bound = self.bound();
        (self.nesting, self.depth, self.loops) = (self.nesting + 1, self.depth + 1, self.loops + 1);
        self.inner_loops.push(LoopState { next, continuing, exited });
        body(self, at);
        self.inner_loops.pop();
        (self.nesting, self.depth, self.loops) = (self.nesting - 1, self.depth - 1, self.loops - 1);
        self.forget_since(&bound);
        self.builder.ins().jump(next, &[]);
        self.switch_to_sealed(next);
        let at = self.builder.use_var(place);
        let at = self.builder.ins().iadd_imm_s(at, size as i64);
        self.builder.def_var(place, at);
        if may_leave || matches!(part, RowMask::Ordered(..)) {
            let continuing = self.value_of(continuing);
            let any = self.any(continuing);
            self.builder.ins().brif(any, head, &[], out, &[]);
        } else {
            self.builder.ins().jump(head, &[]);
        }
        self.builder.seal_block(head);
        self.switch_to_sealed(out);
        let (continuing, exited) = (self.value_of(continuing), self.value_of(exited));
        let (after, failed) = (self.mask_or(continuing, exited), self.value_of(self.failed));
        let after = self.mask_and_not(after, failed);
        self.define(self.active, after);
    }

    /// The lanes that are active leave the innermost loop, and go on after it.
    pub(super) fn leave_loop(&mut self) {
        if let Some(LoopState { continuing, exited, .. }) = self.inner_loops.last() {
            let (continuing, exited) = (*continuing, *exited);
            let (active, before) = (self.value_of(self.active), self.value_of(exited));
            let out = self.mask_or(before, active);
            self.define(exited, out);
            self.stop(continuing, active);
        }
        self.leave();
    }

    /// Some lanes take no further round of any loop of the function.
    pub(super) fn end_rounds(&mut self, lanes: [Value; 2]) {
        for continuing in self.inner_loops.iter().map(|round| round.continuing).collect::<Vec<_>>() {
            self.stop(continuing, lanes);
        }
    }

    fn stop(&mut self, continuing: [Variable; 2], lanes: [Value; 2]) {
        let before = self.value_of(continuing);
        let exited = self.mask_and_not(before, lanes);
        self.define(continuing, exited);
    }
}

/// Whether a loop with this body may end early.
pub(super) fn may_leave(body: &Expr) -> bool {
    let mut may = matches!(body.op, Op::Break | Op::Return(_));
    body.each_part(&mut |part| may |= may_leave(part));
    may
}
