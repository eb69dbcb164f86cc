//! Loops of eight units: all iterate over the same rows, each with the mask of the lanes that take part.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32X4, I64};
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_frontend::Variable;
use steerbox_core::perception::BatchNeighbor;

use super::super::operations::Access;
use super::EmitLanes;
use super::frame::LoopState;
use super::value::LaneValue;
use crate::typed::ir::{Expr, Loop, Op};

/// An array of rows.
pub(super) struct Rows {
    /// The address of the first.
    pub(super) start: Value,
    pub(super) count: Value,
    /// The size of a row in bytes.
    pub(super) size: usize,
}

/// The lanes that take part in an iteration.
#[derive(Clone, Copy)]
pub(super) enum RowMask {
    All,
    /// Lanes of the mask at this offset in the row.
    Lanes(usize),
    /// Lanes whose list has the unit of a row of [`BatchNeighbor`], within the limits of lists.
    Neighbors(Option<LaneValue>),
    /// Lanes whose number at this offset in the row does not exceed a limit; a lane ends at the first that does.
    Ordered(usize, LaneValue),
}

impl<'b> EmitLanes<'_, 'b, '_> {
    /// Emits an iteration per row. `begin` receives its address.
    pub(super) fn each_row(
        &mut self,
        rows: Rows,
        part: RowMask,
        looping: &'b Loop,
        begin: impl FnOnce(&mut Self, Value),
    ) {
        let may_exit = may_exit(&looping.body);
        self.each_iteration(rows, part, may_exit, |emit, at| {
            begin(emit, at);
            emit.add_loop_cost(looping);
            let _ = emit.expr(&looping.body);
        });
    }

    /// Charges for an iteration.
    pub(super) fn add_loop_cost(&mut self, looping: &Loop) {
        self.limit_loop_cost(looping.cost);
        self.add_cost(looping.cost);
    }

    /// Emits the iterations of a loop, which may exit early if `may_exit` is true. `body` receives the address of
    /// the row.
    pub(super) fn each_iteration(
        &mut self,
        Rows { start, count, size }: Rows,
        part: RowMask,
        may_exit: bool,
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
        let (head, iteration, next, out) = (block(), block(), block(), block());
        self.builder.ins().jump(head, &[]);
        self.builder.switch_to_block(head);
        let at = self.builder.use_var(place);
        // The exit is emitted first, so that the code generator hoists invariants out of the loop.
        let done = self.builder.ins().icmp(IntCC::Equal, at, end);
        self.builder.ins().brif(done, out, &[], iteration, &[]);
        self.switch_to_sealed(iteration);
        let mut active = self.value_of(continuing);
        match part {
            RowMask::All => {}
            RowMask::Lanes(lanes) => {
                let lanes = self.load(I32X4, at, lanes);
                active = self.mask_and(active, lanes);
            }
            RowMask::Neighbors(limit) => {
                let lanes = self.load(I32X4, at, offset_of!(BatchNeighbor, lanes));
                active = self.mask_and(active, lanes);
                if let Some(limit) = limit {
                    let is_in = self.is_within(at, offset_of!(BatchNeighbor, square), limit);
                    active = self.mask_and(active, is_in);
                }
            }
            RowMask::Ordered(place, limit) => {
                let is_in = self.is_within(at, place, limit);
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
        self.unbind_since(&bound);
        self.builder.ins().jump(next, &[]);
        self.switch_to_sealed(next);
        let at = self.builder.use_var(place);
        let at = self.builder.ins().iadd_imm_s(at, size as i64);
        self.builder.def_var(place, at);
        if may_exit || matches!(part, RowMask::Ordered(..)) {
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

    /// The active lanes exit the innermost loop, and continue after it.
    pub(super) fn exit_loop(&mut self) {
        if let Some(LoopState { continuing, exited, .. }) = self.inner_loops.last() {
            let (continuing, exited) = (*continuing, *exited);
            let (active, before) = (self.value_of(self.active), self.value_of(exited));
            let out = self.mask_or(before, active);
            self.define(exited, out);
            self.stop(continuing, active);
        }
        self.deactivate();
    }

    /// Excludes some lanes from further iterations of all loops of the function.
    pub(super) fn end_iterations(&mut self, lanes: [Value; 2]) {
        for continuing in self.inner_loops.iter().map(|iteration| iteration.continuing).collect::<Vec<_>>() {
            self.stop(continuing, lanes);
        }
    }

    fn stop(&mut self, continuing: [Variable; 2], lanes: [Value; 2]) {
        let before = self.value_of(continuing);
        let exited = self.mask_and_not(before, lanes);
        self.define(continuing, exited);
    }
}

/// Returns true if a loop with this body may exit early.
pub(super) fn may_exit(body: &Expr) -> bool {
    body.any(&|part| matches!(part.op, Op::Break | Op::Return(_)))
}
