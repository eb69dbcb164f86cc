//! Lists of units for eight units: means, nearest units, and loops.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F32, F32X4, I8, I32, I32X4, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};
use cranelift_frontend::Variable;
use steerbox_core::perception::{BatchNearest, BatchNeighbor, BatchOrdered, Source};
use steerbox_core::sim::work::{GATHERING, LOOP_SCANS, SEARCHING, SORTING};

use super::super::formulas::Formulas;
use super::EmitLanes;
use super::context::{self, IndexSearch, LaneContext, Numbers, UnitSearch};
use super::loops::{RowMask, Rows};
use super::prefilter::Prefilter;
use super::value::{LaneValue, Parts, Uniform, Varying};
use crate::typed::ir::{Expr, Loop, Order, Over};
use crate::types::Kind;

/// A list of units for all units of a batch.
#[derive(Clone, Copy)]
pub(super) struct BatchList {
    of: Source,
    /// Its source and its reach, as machine values.
    pub(super) source: Value,
    pub(super) within: Value,
    /// The maximum squared distance in each lane, if the reach differs by lane.
    pub(super) limit: Option<LaneValue>,
}

impl<'b> EmitLanes<'_, 'b, '_> {
    /// Finds the nearest unit of a list, or `()`, in each lane.
    pub(super) fn nearest(&mut self, list: &[LaneValue]) -> Option<Parts> {
        let list = self.known_list(list)?;
        self.add_search_cost(list.of);
        let slot = self.slot(size_of::<BatchNearest>());
        self.host_or_abort(context::nearest as *const (), &[list.source, list.within, slot]);
        let (found, unit) = self.found_unit(slot, list.limit);
        Some([Varying(found)].into_iter().chain(unit).collect())
    }

    /// Finds the unit at an index of a list, nearest first. Lanes without one fall back.
    pub(super) fn nth(&mut self, list: &[LaneValue], index: LaneValue, kind: Kind) -> Option<Parts> {
        // Rows of an enclosing loop would be overwritten.
        let list = self.known_list(list).filter(|_| !self.ordered)?;
        self.add_sorting_cost(list.of);
        let index = match (kind, index) {
            (Kind::Integer, Varying(index)) => index,
            _ => self.numbers(index).map(|number| self.builder.ins().fcvt_to_sint_sat(I32X4, number)),
        };
        let (slot, active) = (self.slot(size_of::<IndexSearch>()), self.value_of(self.active));
        self.store(active, slot, offset_of!(IndexSearch, active));
        self.store(index, slot, offset_of!(IndexSearch, index));
        self.host_or_abort(context::nth as *const (), &[list.source, list.within, slot]);
        let slot = self.builder.ins().iadd_imm_s(slot, offset_of!(IndexSearch, found) as i64);
        let (found, unit) = self.found_unit(slot, list.limit);
        let missing = self.mask_and_not(active, found);
        self.fail_if(Varying(missing));
        Some(unit)
    }

    /// Loads the mask of lanes with a unit within the limit, and the unit.
    fn found_unit(&mut self, slot: Value, limit: Option<LaneValue>) -> ([Value; 2], Parts) {
        let mut found = self.load(I32X4, slot, offset_of!(BatchNearest, found));
        if let Some(limit) = limit {
            let is_near = self.is_within(slot, offset_of!(BatchNearest, square), limit);
            found = self.mask_and(found, is_near);
        }
        let unit = self.load(I32X4, slot, offset_of!(BatchNearest, unit));
        let position = self.vector_at(slot, offset_of!(BatchNearest, position));
        let velocity = self.vector_at(slot, offset_of!(BatchNearest, velocity));
        self.nearest.push((unit, velocity));
        (found, [Varying(unit)].into_iter().chain(position).collect())
    }

    /// Returns the lanes whose number at an offset does not exceed a limit.
    pub(super) fn is_within(&mut self, base: Value, offset: usize, limit: LaneValue) -> [Value; 2] {
        let number = Varying(self.load(F32X4, base, offset));
        let is_within = self.fcmp(FloatCC::LessThanOrEqual, number, limit);
        self.masks(is_within)
    }

    /// Charges for a search; the first one of a call also pays for collecting the candidates, as in code for one
    /// unit.
    fn add_search_cost(&mut self, source: Source) {
        let look = self.scan_cost(source);
        let searching = self.builder.ins().imul_imm_s(look, SEARCHING as i64);
        self.add_cost_value(searching);
        let gathering = self.builder.ins().imul_imm_s(look, GATHERING as i64);
        let active = self.value_of(self.active);
        self.add_cost_once(active, self.gathered[source], gathering);
    }

    /// Charges those of `lanes` that are not in `charged`, adds them to it, and returns them.
    fn add_cost_once(&mut self, lanes: [Value; 2], charged: [Variable; 2], cost: Value) -> [Value; 2] {
        let before = self.value_of(charged);
        let new = self.mask_and_not(lanes, before);
        self.add_cost_in(new, cost);
        let after = self.mask_or(before, lanes);
        self.define(charged, after);
        new
    }

    /// Returns the source of a list, if it is the same for all lanes.
    pub(super) fn source_of(&self, list: &[LaneValue]) -> Option<(Source, Value)> {
        let Uniform(source) = list[0] else {
            return None;
        };
        let known = self.sources_of.iter().find(|(known, _)| *known == source);
        known.map(|(_, of)| (*of, source))
    }

    /// Returns a list, if its source is the same for all lanes. If its reach differs by lane, this is the list of the
    /// longest one, with a limit per lane.
    pub(super) fn known_list(&mut self, list: &[LaneValue]) -> Option<BatchList> {
        let (of, source) = self.source_of(list)?;
        if let Uniform(within) = list[1] {
            return Some(BatchList { of, source, within, limit: None });
        }
        let slot = self.reaches(list[1]);
        let within = self.host(context::greatest as *const (), &[slot], Some(F32))?;
        let reach = Varying(self.load(F32X4, slot, 0));
        let limit = Some(self.squared(reach));
        Some(BatchList { of, source, within, limit })
    }

    /// Stores the reaches of a list; negative where it is empty or not used.
    fn reaches(&mut self, within: LaneValue) -> Value {
        let reach = self.unless_empty(within, within);
        let (active, none) = (self.value_of(self.active), self.number(-1.0));
        let reach = self.select(Varying(active), reach, none);
        let (slot, reach) = (self.slot(size_of::<Numbers>()), self.numbers(reach));
        self.store(reach, slot, 0);
        slot
    }

    /// Returns the squared reach of a list; negative if it is empty.
    fn squared(&mut self, within: LaneValue) -> LaneValue {
        let square = self.mul(within, within);
        self.unless_empty(within, square)
    }

    /// Returns a number of a list with this reach; −1 if the list is empty.
    fn unless_empty(&mut self, within: LaneValue, number: LaneValue) -> LaneValue {
        let (zero, none) = (self.number(0.0), self.number(-1.0));
        let any = self.fcmp(FloatCC::GreaterThanOrEqual, within, zero);
        self.select(any, number, none)
    }

    pub(super) fn means_of(&mut self, list: &[LaneValue], velocities: bool) -> Option<Value> {
        let (_, source) = self.source_of(list)?;
        let velocities = self.builder.ins().iconst(I8, i64::from(velocities));
        let (address, within) = match list[1] {
            Uniform(within) => (context::means as *const (), within),
            within @ Varying(_) => (context::means_within as _, self.reaches(within)),
        };
        let means = self.host(address, &[self.context, source, within, velocities], Some(I64))?;
        let none = self.builder.ins().icmp_imm_s(IntCC::Equal, means, 0);
        self.abort_if(none);
        Some(means)
    }

    pub(super) fn looping(&mut self, looping: &'b Loop) {
        match &looping.over {
            Over::Units(local, list, order) if looping.counter.is_none() => {
                self.each_unit(*local, list, *order, looping);
            }
            Over::Obstacles(local, list) if looping.counter.is_none() => {
                self.each_obstacle(*local, list, looping);
            }
            _ => {
                self.refuse();
            }
        }
    }

    fn each_unit(&mut self, local: usize, list: &'b Expr, order: Order, looping: &'b Loop) {
        let list = self.expr_as(list, Kind::List.into());
        if self.refused {
            return;
        }
        match (self.known_list(&list), order) {
            // A nested loop would overwrite the rows.
            _ if self.neighbor.is_some() || self.ordered => _ = self.refuse(),
            (None, _) => _ = self.refuse(),
            (Some(list), Order::Slots) => self.each_in_slots(local, list, looping),
            (Some(list), Order::Nearest) => self.each_ordered(local, list, looping),
        }
    }

    /// Emits a loop over the units of a list in slot order: each row has one unit and the mask of the lanes whose
    /// list contains it.
    fn each_in_slots(&mut self, local: usize, list: BatchList, looping: &'b Loop) {
        let look = self.scan_cost(list.of);
        let looks = self.builder.ins().imul_imm_s(look, LOOP_SCANS as i64);
        self.add_cost_value(looks);
        let Some(rows) = self.slot_ordered_rows(list) else {
            return;
        };
        self.each_row(rows, RowMask::Neighbors(list.limit), looping, |emit, at| {
            emit.bind_neighbor(local, at);
        });
        self.neighbor = None;
    }

    /// Requests the rows of a list for all lanes, in slot order.
    pub(super) fn slot_ordered_rows(&mut self, list: BatchList) -> Option<Rows> {
        let (context, address) = (self.context, context::units as *const ());
        let start = self.host(address, &[context, list.source, list.within], Some(I64))?;
        let none = self.builder.ins().icmp_imm_s(IntCC::Equal, start, 0);
        self.abort_if(none);
        let count = offset_of!(LaneContext<'_>, count) as i32;
        let count = self.builder.ins().load(I64, MemFlagsData::trusted(), context, count);
        Some(Rows { start, count, size: size_of::<BatchNeighbor>() })
    }

    /// Binds the unit of a row to the loop's local; valid until `neighbor` is reset.
    pub(super) fn bind_neighbor(&mut self, local: usize, at: Value) {
        let flags = MemFlagsData::trusted();
        let unit = self.builder.ins().load(I32, flags, at, offset_of!(BatchNeighbor, unit) as i32);
        let unit = self.builder.ins().uextend(I64, unit);
        let position = self.vector_at(at, offset_of!(BatchNeighbor, position));
        self.write(local, [Uniform(unit)].into_iter().chain(position).collect());
        self.neighbor = Some((unit, at));
    }

    /// Emits a loop over the units of a list, nearest first: each lane iterates over its own.
    fn each_ordered(&mut self, local: usize, list: BatchList, looping: &'b Loop) {
        self.add_sorting_cost(list.of);
        if let Some(prefilter) = Prefilter::new(local, self.has_one_assignment(), looping) {
            self.each_selected(local, list, &prefilter, looping);
            return;
        }
        let slot = self.slot(size_of::<UnitSearch>());
        let active = self.value_of(self.active);
        self.store(active, slot, offset_of!(UnitSearch, active));
        self.host_or_abort(context::ordered as *const (), &[list.source, list.within, slot]);
        let rows = self.found_rows(slot);
        self.ordered = true;
        let limit = list.limit.unwrap_or_else(|| self.squared(Uniform(list.within)));
        self.each_row(
            rows,
            RowMask::Ordered(offset_of!(BatchOrdered, square), limit),
            looping,
            |emit, at| {
                emit.bind_ordered(local, at);
            },
        );
        self.ordered = false;
    }

    /// Loads the rows that a [`UnitSearch`] found.
    pub(super) fn found_rows(&mut self, slot: Value) -> Rows {
        let start = self.read_at(slot, offset_of!(UnitSearch, first));
        let count = self.read_at(slot, offset_of!(UnitSearch, count));
        Rows { start, count, size: size_of::<BatchOrdered>() }
    }

    /// Binds the units of a row, which differ by lane, to the loop's local.
    pub(super) fn bind_ordered(&mut self, local: usize, at: Value) {
        let unit = self.load(I32X4, at, offset_of!(BatchOrdered, unit));
        let position = self.vector_at(at, offset_of!(BatchOrdered, position));
        let velocity = self.vector_at(at, offset_of!(BatchOrdered, velocity));
        self.nearest.push((unit, velocity));
        self.write(local, [Varying(unit)].into_iter().chain(position).collect());
    }

    /// Loads a vector per lane, stored component by component.
    fn vector_at(&mut self, base: Value, offset: usize) -> Parts {
        self.planar(|emit, axis| Varying(emit.load(F32X4, base, offset + 32 * axis)))
    }

    /// Loads 64 bits that the host stored.
    pub(super) fn read_at(&mut self, base: Value, offset: usize) -> Value {
        self.builder.ins().load(I64, MemFlagsData::trusted(), base, offset as i32)
    }

    /// Charges for sorting a list, once per call.
    fn add_sorting_cost(&mut self, source: Source) {
        let look = self.scan_cost(source);
        let sorting = self.builder.ins().imul_imm_s(look, SORTING as i64);
        let gathering = self.builder.ins().imul_imm_s(look, GATHERING as i64);
        let active = self.value_of(self.active);
        let unsorted = self.add_cost_once(active, self.sorted[source], sorting);
        self.add_cost_once(unsorted, self.gathered[source], gathering);
    }
}
