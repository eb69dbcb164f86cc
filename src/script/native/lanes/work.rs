//! The work of each lane: the same that code for one unit counts.

use cranelift_codegen::ir::types::{I32, I32X4};
use cranelift_codegen::ir::{InstBuilder, Value};

use super::super::operations::Access;
use super::EmitLanes;
use crate::perception::Source;
use crate::sim::GroupConstants;

/// Most work that one round of each loop may take in sum: it is counted in 32 bits, for a million rounds.
const MOST: i64 = 2000;

impl EmitLanes<'_, '_, '_> {
    /// Adds static work in the lanes that are active.
    pub(super) fn add_cost(&mut self, work: i64) {
        let work = self.builder.ins().iconst(I32, work);
        self.add_work(work);
    }

    /// Adds some work in the lanes that are active.
    pub(super) fn add_work(&mut self, work: Value) {
        let active = self.value_of(self.active);
        self.add_work_in(active, work);
    }

    /// Adds some work in some lanes.
    pub(super) fn add_work_in(&mut self, lanes: [Value; 2], work: Value) {
        let work = self.builder.ins().splat(I32X4, work);
        let work = self.mask_and(lanes, [work; 2]);
        self.add_work_per_lane(work);
    }

    /// Adds work of each lane.
    pub(super) fn add_work_per_lane(&mut self, work: [Value; 2]) {
        let before = self.value_of(self.work);
        let sum = [0, 1].map(|half| self.builder.ins().iadd(before[half], work[half]));
        self.define(self.work, sum);
    }

    /// A round of a loop takes this much.
    pub(super) fn limit_loop_cost(&mut self, round: i64) {
        self.weight += round;
        if self.weight > MOST {
            self.refuse();
        }
    }

    /// The work of a look at a source.
    pub(super) fn look_at(&mut self, source: Source) -> Value {
        let facts = self.own_facts();
        self.frozen(I32, facts, GroupConstants::scan_cost_offset(source))
    }
}
