//! The work of each lane, equal to the count of code for one unit.

use cranelift_codegen::ir::types::{I32, I32X4};
use cranelift_codegen::ir::{InstBuilder, Value};
use steerbox_core::perception::Source;
use steerbox_core::sim::GroupConstants;

use super::super::operations::Access;
use super::EmitLanes;

/// The maximum sum of one iteration's work over all loops: work is counted in 32 bits, for a million iterations.
const MAX_ITERATION_COST: i64 = 2000;

impl EmitLanes<'_, '_, '_> {
    /// Adds static work to the active lanes.
    pub(super) fn add_cost(&mut self, work: i64) {
        let work = self.builder.ins().iconst(I32, work);
        self.add_cost_value(work);
    }

    /// Adds work to the active lanes.
    pub(super) fn add_cost_value(&mut self, work: Value) {
        let active = self.value_of(self.active);
        self.add_cost_in(active, work);
    }

    /// Adds work to the lanes of a mask.
    pub(super) fn add_cost_in(&mut self, lanes: [Value; 2], work: Value) {
        let work = self.builder.ins().splat(I32X4, work);
        let work = self.mask_and(lanes, [work; 2]);
        self.add_cost_per_lane(work);
    }

    /// Adds work that differs by lane.
    pub(super) fn add_cost_per_lane(&mut self, work: [Value; 2]) {
        let before = self.value_of(self.work);
        let sum = [0, 1].map(|half| self.builder.ins().iadd(before[half], work[half]));
        self.define(self.work, sum);
    }

    /// Registers the work of a loop's iteration for the limit.
    pub(super) fn limit_loop_cost(&mut self, iteration: i64) {
        self.weight += iteration;
        if self.weight > MAX_ITERATION_COST {
            self.refuse();
        }
    }

    /// Returns the work of a scan of a source.
    pub(super) fn scan_cost(&mut self, source: Source) -> Value {
        let constants = self.own_group_constants();
        self.frozen(I32, constants, GroupConstants::scan_cost_offset(source))
    }
}
