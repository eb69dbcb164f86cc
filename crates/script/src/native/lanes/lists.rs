//! Lists of units for eight units: means, nearest units, and loops.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F32X4, I8, I32, I32X4, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};
use cranelift_frontend::Variable;
use steerbox_core::perception::{BatchNearest, BatchNeighbor, BatchOrdered, Source};
use steerbox_core::sim::work::{GATHERING, LOOP_SCANS, SEARCHING, SORTING};

use super::EmitLanes;
use super::context::{self, LaneContext, UnitSearch};
use super::loops::{RowMask, Rows};
use super::prefilter::Prefilter;
use super::value::{LaneValue, Parts, Uniform, Varying};
use crate::typed::ir::{Expr, Loop, Order, Over};
use crate::types::{Kind, Type};

impl<'b> EmitLanes<'_, 'b, '_> {
    /// Finds the nearest unit of a list, or `()`, in each lane.
    pub(super) fn nearest(&mut self, list: &[LaneValue]) -> Parts {
        let Some((index, [source, within])) = self.known_list(list) else {
            return self.refuse_value(Type::or_nothing(Kind::Unit));
        };
        self.add_search_cost(index);
        let slot = self.slot(size_of::<BatchNearest>());
        self.host_or_abort(context::nearest as *const (), &[source, within, slot]);
        let found = self.load(I32X4, slot, offset_of!(BatchNearest, found));
        let unit = self.load(I32X4, slot, offset_of!(BatchNearest, unit));
        let position = self.vector_at(slot, offset_of!(BatchNearest, position));
        let velocity = self.vector_at(slot, offset_of!(BatchNearest, velocity));
        self.nearest.push((unit, velocity));
        [Varying(found), Varying(unit)].into_iter().chain(position).collect()
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

    /// Returns the source and the components of a list that is the same for all lanes. Refuses others.
    pub(super) fn known_list(&mut self, list: &[LaneValue]) -> Option<(Source, [Value; 2])> {
        if let [Uniform(source), Uniform(within)] = *list
            && let Some((_, known)) = self.sources_of.iter().find(|(known, _)| *known == source)
        {
            return Some((*known, [source, within]));
        }
        self.refuse();
        None
    }

    pub(super) fn means_of(&mut self, list: &[LaneValue], velocities: bool) -> Option<Value> {
        let (_, [source, within]) = self.known_list(list)?;
        let context = self.context;
        let velocities = self.builder.ins().iconst(I8, i64::from(velocities));
        let arguments = [context, source, within, velocities];
        let means = self.host(context::means as *const (), &arguments, Some(I64))?;
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
        let Some((index, [source, within])) = self.known_list(&list) else {
            return;
        };
        match order {
            // A nested loop would overwrite the rows.
            _ if self.neighbor.is_some() || self.ordered => _ = self.refuse(),
            Order::Slots => self.each_in_slots(local, (source, within), index, looping),
            Order::Nearest => self.each_ordered(local, (source, within), index, looping),
        }
    }

    /// Emits a loop over the units of a list in slot order: each row has one unit and the mask of the lanes whose
    /// list contains it.
    fn each_in_slots(
        &mut self,
        local: usize,
        (source, within): (Value, Value),
        index: Source,
        looping: &'b Loop,
    ) {
        let look = self.scan_cost(index);
        let looks = self.builder.ins().imul_imm_s(look, LOOP_SCANS as i64);
        self.add_cost_value(looks);
        let Some(rows) = self.slot_ordered_rows((source, within)) else {
            return;
        };
        self.each_row(rows, RowMask::Lanes(offset_of!(BatchNeighbor, lanes)), looping, |emit, at| {
            emit.bind_neighbor(local, at);
        });
        self.neighbor = None;
    }

    /// Requests the rows of a list for all lanes, in slot order.
    pub(super) fn slot_ordered_rows(&mut self, (source, within): (Value, Value)) -> Option<Rows> {
        let (context, address) = (self.context, context::units as *const ());
        let start = self.host(address, &[context, source, within], Some(I64))?;
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
    fn each_ordered(
        &mut self,
        local: usize,
        (source, within): (Value, Value),
        index: Source,
        looping: &'b Loop,
    ) {
        self.add_sorting_cost(index);
        if let Some(prefilter) = Prefilter::new(local, self.has_one_assignment(), looping) {
            self.each_selected(local, (source, within), &prefilter, looping);
            return;
        }
        let slot = self.slot(size_of::<UnitSearch>());
        let active = self.value_of(self.active);
        self.store(active, slot, offset_of!(UnitSearch, active));
        self.host_or_abort(context::ordered as *const (), &[source, within, slot]);
        let rows = self.found_rows(slot);
        self.ordered = true;
        // The squared radius of the list; negative if the list is empty.
        let limit = self.builder.ins().fmul(within, within);
        let (zero, none) = (self.builder.ins().f32const(0.0), self.builder.ins().f32const(-1.0));
        let any = self.builder.ins().fcmp(FloatCC::GreaterThanOrEqual, within, zero);
        let limit = Uniform(self.builder.ins().select(any, limit, none));
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
