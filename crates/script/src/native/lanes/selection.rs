//! Nearest-first loops with a prefilter: all units of the list are tested in slot order, and only the remaining ones
//! are sorted.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::types::{I8, I32X4};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData};
use steerbox_core::perception::{BatchNeighbor, BatchOrdered};

use super::super::formulas::Formulas;
use super::super::operations::{Access, Operations};
use super::EmitLanes;
use super::context::{self, UnitSearch};
use super::control::MIN_BRANCH_COST;
use super::lists::BatchList;
use super::loops::{RowMask, may_exit};
use super::prefilter::{Prefilter, Step, both};
use crate::typed::ir::{Expr, Local, Loop};
use crate::types::{Kind, Type};

impl<'b> EmitLanes<'_, 'b, '_> {
    pub(super) fn each_selected(
        &mut self,
        local: Local,
        list: BatchList,
        prefilter: &Prefilter<'b>,
        looping: &'b Loop,
    ) {
        let work = self.value_of(self.work);
        self.emit_prefilter(local, list, prefilter, looping);
        if prefilter.ends {
            // Iterations after the unit that ends the loop are not charged.
            self.define(self.work, work);
        }
        let slot = self.slot(size_of::<UnitSearch>());
        let nearest = self.builder.ins().iconst(I8, i64::from(prefilter.ends));
        self.host_or_abort(
            context::ordered_remaining as *const (),
            &[list.source, list.within, nearest, slot],
        );
        if prefilter.ends {
            let work = self.load(I32X4, slot, offset_of!(UnitSearch, work));
            self.add_cost_per_lane(work);
        }
        let rows = self.found_rows(slot);
        let limit = self.number(f32::INFINITY);
        self.ordered = true;
        let part = RowMask::Ordered(offset_of!(BatchOrdered, square), limit);
        self.each_iteration(rows, part, may_exit(&looping.body), |emit, at| {
            emit.bind_ordered(local, at);
            emit.emit_remaining(prefilter);
        });
        self.ordered = false;
    }

    /// Emits the prefilter loop, which stores the remaining lanes of each row, and the cost of each iteration if
    /// some are not charged.
    fn emit_prefilter(
        &mut self,
        local: Local,
        list: BatchList,
        prefilter: &Prefilter<'b>,
        looping: &'b Loop,
    ) {
        let Some(rows) = self.slot_ordered_rows(list) else {
            return;
        };
        self.each_iteration(rows, RowMask::Neighbors(list.limit), false, |emit, at| {
            emit.bind_neighbor(local, at);
            if prefilter.ends {
                let none = emit.integer(0);
                emit.define(emit.work, none);
            }
            emit.add_loop_cost(looping);
            let done = emit.builder.create_block();
            for (at, step) in prefilter.steps.iter().enumerate() {
                match step {
                    Step::Set(part) => {
                        let _ = emit.expr(part);
                        continue;
                    }
                    Step::Guard(test) => emit.test(test, prefilter, false),
                    Step::If(choice) => emit.test(&choice[0], prefilter, true),
                }
                let left: i64 = prefilter.steps[at + 1..].iter().map(Step::work).sum();
                if left > MIN_BRANCH_COST {
                    // The first tests usually reject the unit in all lanes.
                    let on = emit.builder.create_block();
                    let any = emit.any_active();
                    emit.builder.ins().brif(any, on, &[], done, &[]);
                    emit.switch_to_sealed(on);
                }
            }
            emit.builder.ins().jump(done, &[]);
            emit.switch_to_sealed(done);
            if prefilter.ends {
                let work = emit.value_of(emit.work);
                emit.store(work, at, offset_of!(BatchNeighbor, work));
            }
            let left = emit.value_of(emit.active);
            let left = emit.bits(left);
            let flags = MemFlagsData::new().with_notrap();
            emit.builder.ins().store(flags, left, at, offset_of!(BatchNeighbor, selected) as i32);
        });
        self.neighbor = None;
    }

    /// Deactivates the lanes rejected by a test, as far as it does not depend on the order.
    fn test(&mut self, test: &'b Expr, prefilter: &Prefilter<'b>, admits: bool) {
        if let Some([one, other]) = both(test, admits) {
            self.test(one, prefilter, admits);
            self.test(other, prefilter, admits);
            return;
        }
        let flag = match prefilter.best(test, admits) {
            Some((number, best, order)) => {
                let (number, best) = (self.read(number)[0], self.read(best)[0]);
                if !admits {
                    // NaN would count as the best.
                    let is_nan = self.fcmp(FloatCC::Unordered, number, number);
                    self.fail_if(is_nan);
                }
                self.fcmp(order, number, best)
            }
            None => self.expr_as(test, Kind::Bool.into())[0],
        };
        if self.refused {
            return;
        }
        let (mask, active) = (self.masks(flag), self.value_of(self.active));
        let left = if admits { self.mask_and(active, mask) } else { self.mask_and_not(active, mask) };
        self.define(self.active, left);
    }

    /// Emits an iteration over the remaining units, which is already charged. Of the steps' tests, only those that
    /// depend on the order are repeated.
    fn emit_remaining(&mut self, prefilter: &Prefilter<'b>) {
        for step in &prefilter.steps {
            match step {
                Step::Set(part) => _ = self.expr(part),
                Step::Guard(test) if prefilter.has_best(test, false) => {
                    let flag = self.expr_as(test, Kind::Bool.into())[0];
                    if !self.refused {
                        let (mask, active) = (self.masks(flag), self.value_of(self.active));
                        let left = self.mask_and_not(active, mask);
                        self.define(self.active, left);
                    }
                }
                Step::Guard(_) => {}
                Step::If([test, body, branch]) => {
                    let flag = if prefilter.has_best(test, true) {
                        self.expr_as(test, Kind::Bool.into())[0]
                    } else {
                        self.bool_constant(true)
                    };
                    self.choice_by(flag, body, branch, Type::NOTHING);
                }
            }
        }
        for part in prefilter.rest {
            let _ = self.expr(part);
        }
    }
}
