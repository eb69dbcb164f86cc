//! Lists of units for eight units at a time: their means, and loops over them.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F32X4, I8, I32, I32X4, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};

use super::EmitLanes;
use super::context::{self, LaneContext, UnitSearch};
use super::loops::{RowMask, Rows};
use super::prefilter::Prefilter;
use super::value::{LaneValue, Parts, Uniform, Varying};
use crate::perception::{BatchNearest, BatchNeighbor, BatchOrdered, Source};
use crate::script::typed::form::{Expr, Loop, Order, Over};
use crate::script::types::{Kind, Type};
use crate::sim::work::{GATHERING, LOOP_SCANS, SEARCHING, SORTING};

impl<'b> EmitLanes<'_, 'b, '_> {
    /// The nearest unit of a list, or nothing: a unit of its own in each lane.
    pub(super) fn nearest(&mut self, list: &[LaneValue]) -> Parts {
        let Some((index, [source, within])) = self.known_list(list) else {
            return self.refuse_value(Type::or_nothing(Kind::Unit));
        };
        self.add_search_cost(index);
        let (context, room) = (self.context, self.room(size_of::<BatchNearest>()));
        let arguments = [context, source, within, room];
        if let Some(failed) = self.host(context::nearest as *const (), &arguments, Some(I8)) {
            self.give_up_if(failed);
        }
        let found = self.load(I32X4, room, offset_of!(BatchNearest, found));
        let unit = self.load(I32X4, room, offset_of!(BatchNearest, unit));
        let position = self.vector_at(room, offset_of!(BatchNearest, position));
        let velocity = self.vector_at(room, offset_of!(BatchNearest, velocity));
        self.nearest.push((unit, velocity));
        [Varying(found), Varying(unit)].into_iter().chain(position).collect()
    }

    /// Charges for a search: for gathering what is searched once a call, as code for one unit does.
    fn add_search_cost(&mut self, source: Source) {
        let look = self.look_at(source);
        let searching = self.builder.ins().imul_imm_s(look, SEARCHING as i64);
        self.add_work(searching);
        let gathering = self.builder.ins().imul_imm_s(look, GATHERING as i64);
        let (active, before) = (self.value_of(self.active), self.value_of(self.gathered[source]));
        let new = self.mask_and_not(active, before);
        self.add_work_in(new, gathering);
        let gathered = self.mask_or(before, active);
        self.define(self.gathered[source], gathered);
    }

    /// The source of a list that is the same for all units, and its parts. Others are refused.
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
        self.give_up_if(none);
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
            // Another loop inside would find other rows in the place of those.
            _ if self.neighbor.is_some() || self.ordered => _ = self.refuse(),
            Order::Slots => self.each_in_slots(local, (source, within), index, looping),
            Order::Nearest => self.each_ordered(local, (source, within), index, looping),
        }
    }

    /// The units of a list in the order of the grid: a unit is the same in all lanes, and those take part in whose
    /// list it is.
    fn each_in_slots(
        &mut self,
        local: usize,
        (source, within): (Value, Value),
        index: Source,
        looping: &'b Loop,
    ) {
        let look = self.look_at(index);
        let looks = self.builder.ins().imul_imm_s(look, LOOP_SCANS as i64);
        self.add_work(looks);
        let Some(rows) = self.rows_in_slots((source, within)) else {
            return;
        };
        self.each_row(rows, RowMask::Lanes(offset_of!(BatchNeighbor, lanes)), looping, |emit, at| {
            emit.take_neighbor(local, at);
        });
        self.neighbor = None;
    }

    /// The units of a list for all units, in the order of the grid.
    pub(super) fn rows_in_slots(&mut self, (source, within): (Value, Value)) -> Option<Rows> {
        let (context, address) = (self.context, context::units as *const ());
        let start = self.host(address, &[context, source, within], Some(I64))?;
        let none = self.builder.ins().icmp_imm_s(IntCC::Equal, start, 0);
        self.give_up_if(none);
        let count = offset_of!(LaneContext<'_>, count) as i32;
        let count = self.builder.ins().load(I64, MemFlagsData::trusted(), context, count);
        Some(Rows { start, count, size: size_of::<BatchNeighbor>() })
    }

    /// The unit of a row becomes that of the loop, until `neighbor` is none.
    pub(super) fn take_neighbor(&mut self, local: usize, at: Value) {
        let flags = MemFlagsData::trusted();
        let unit = self.builder.ins().load(I32, flags, at, offset_of!(BatchNeighbor, unit) as i32);
        let unit = self.builder.ins().uextend(I64, unit);
        let position = self.vector_at(at, offset_of!(BatchNeighbor, position));
        self.write(local, [Uniform(unit)].into_iter().chain(position).collect());
        self.neighbor = Some((unit, at));
    }

    /// The units of a list nearest first: each lane goes through those of its own.
    fn each_ordered(
        &mut self,
        local: usize,
        (source, within): (Value, Value),
        index: Source,
        looping: &'b Loop,
    ) {
        self.add_sorting_cost(index);
        if let Some(prefilter) = Prefilter::of(local, self.set_once(), looping) {
            self.each_selected(local, (source, within), &prefilter, looping);
            return;
        }
        let (context, room) = (self.context, self.room(size_of::<UnitSearch>()));
        let active = self.value_of(self.active);
        self.store(active, room, offset_of!(UnitSearch, asking));
        let arguments = [context, source, within, room];
        if let Some(failed) = self.host(context::ordered as *const (), &arguments, Some(I8)) {
            self.give_up_if(failed);
        }
        let start = self.read_at(room, offset_of!(UnitSearch, first));
        let count = self.read_at(room, offset_of!(UnitSearch, count));
        let rows = Rows { start, count, size: size_of::<BatchOrdered>() };
        self.ordered = true;
        // As the list's own limit; none where it holds nothing.
        let limit = self.builder.ins().fmul(within, within);
        let (zero, none) = (self.builder.ins().f32const(0.0), self.builder.ins().f32const(-1.0));
        let any = self.builder.ins().fcmp(FloatCC::GreaterThanOrEqual, within, zero);
        let limit = Uniform(self.builder.ins().select(any, limit, none));
        self.each_row(
            rows,
            RowMask::Ordered(offset_of!(BatchOrdered, square), limit),
            looping,
            |emit, at| {
                emit.take_ordered(local, at);
            },
        );
        self.ordered = false;
    }

    /// The units of a row, another in each lane, become those of the loop.
    pub(super) fn take_ordered(&mut self, local: usize, at: Value) {
        let unit = self.load(I32X4, at, offset_of!(BatchOrdered, unit));
        let position = self.vector_at(at, offset_of!(BatchOrdered, position));
        let velocity = self.vector_at(at, offset_of!(BatchOrdered, velocity));
        self.nearest.push((unit, velocity));
        self.write(local, [Varying(unit)].into_iter().chain(position).collect());
    }

    /// A vector of each unit, in memory component by component.
    fn vector_at(&mut self, base: Value, offset: usize) -> Parts {
        self.planar(|emit, axis| Varying(emit.load(F32X4, base, offset + 32 * axis)))
    }

    /// 64 bits that the host left.
    pub(super) fn read_at(&mut self, base: Value, offset: usize) -> Value {
        self.builder.ins().load(I64, MemFlagsData::trusted(), base, offset as i32)
    }

    /// Charges for sorting what is gone through, once a call.
    fn add_sorting_cost(&mut self, source: Source) {
        let look = self.look_at(source);
        let sorting = self.builder.ins().imul_imm_s(look, SORTING as i64);
        let gathering = self.builder.ins().imul_imm_s(look, GATHERING as i64);
        let (active, sorted) = (self.value_of(self.active), self.value_of(self.sorted[source]));
        let unsorted = self.mask_and_not(active, sorted);
        self.add_work_in(unsorted, sorting);
        let gathered = self.value_of(self.gathered[source]);
        let new = self.mask_and_not(unsorted, gathered);
        self.add_work_in(new, gathering);
        for (known, known_before) in [(self.sorted[source], sorted), (self.gathered[source], gathered)] {
            let after = self.mask_or(known_before, active);
            self.define(known, after);
        }
    }
}
