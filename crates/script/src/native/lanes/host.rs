//! Calls of the host for eight units.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, F32X4, I8, I32, I32X4, I64};
use cranelift_codegen::ir::{
    InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, Type as Machine, Value,
};

use super::super::emit::machine;
use super::super::operations::Operations;
use super::EmitLanes;
use super::context::{self, LaneContext};
use super::value::{LaneValue, Parts, Uniform, Varying};
use crate::api::{Function, LaneCall, Tag};
use crate::types::{Kind, Type};

impl EmitLanes<'_, '_, '_> {
    /// Returns the address of a new stack slot.
    pub(super) fn slot(&mut self, bytes: usize) -> Value {
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes as u32, 5);
        let slot = self.builder.create_sized_stack_slot(slot);
        self.builder.ins().stack_addr(I64, slot, 0)
    }

    /// Calls the function of a row without instructions in each lane, if its arguments and result fit
    /// [`crate::api::LaneCall`]. Lanes in which it fails fall back.
    pub(super) fn call_per_lane(
        &mut self,
        place: usize,
        row: &Function,
        values: &[Parts],
        kinds: &[Kind],
        of: Type,
    ) -> Parts {
        let passed = kinds.iter().zip(&row.params).zip(values);
        let words = passed.map(|((kind, (_, parameter)), parts)| self.words(*kind, *parameter, parts));
        let words: Option<Vec<_>> = words.collect();
        let words = words.map(|words| words.concat()).filter(|words| words.len() <= LaneCall::MAX_WORDS);
        let (Some(words), Some(_)) = (words, LaneCall::words_of(row.returns)) else {
            return self.refuse_value(of);
        };
        let slot = self.slot(size_of::<LaneCall>());
        let at = |word: usize| offset_of!(LaneCall, words) + 32 * word;
        for (word, value) in words.into_iter().enumerate() {
            self.store(value, slot, at(word));
        }
        // A row that reads an obstacle without a charge has the same result in all lanes.
        let is_same = !row.charges()
            && row.receiver() == Kind::Obstacle
            && !row.has(Tag::OfUnit)
            && values.iter().flatten().all(|part| matches!(part, Uniform(_)));
        let active = if is_same { self.first_lane() } else { self.value_of(self.active) };
        self.store(active, slot, offset_of!(LaneCall, active));
        let charges = row.charges();
        if charges {
            let none = self.integer(0);
            self.store(none, slot, offset_of!(LaneCall, work));
        }
        let place = self.builder.ins().iconst(I64, place as i64);
        self.host_or_abort(context::call_row as *const (), &[place, slot]);
        if row.can_fail_in_lanes() {
            let called = self.load(I32X4, slot, offset_of!(LaneCall, active));
            let failed = self.mask_and_not(active, called);
            self.fail_if(Varying(failed));
        }
        if charges {
            let work = self.load(I32X4, slot, offset_of!(LaneCall, work));
            self.add_cost_per_lane(work);
        }
        let machine = machine(of).into_iter().enumerate();
        machine
            .map(|(word, of)| {
                if is_same {
                    return Uniform(self.first_lane_word(of, slot, at(word)));
                }
                let value = self.load(if of == F32 { F32X4 } else { I32X4 }, slot, at(word));
                Varying(if of == I8 { self.are_set(value) } else { value })
            })
            .collect()
    }

    /// A mask of the first lane, which always has a unit.
    fn first_lane(&mut self) -> [Value; 2] {
        let mut lanes = self.integer(0);
        let all = self.builder.ins().iconst(I32, -1);
        lanes[0] = self.builder.ins().insertlane(lanes[0], all, 0);
        lanes
    }

    /// Loads a word of the first lane.
    fn first_lane_word(&mut self, of: Machine, slot: Value, offset: usize) -> Value {
        let flags = MemFlagsData::trusted();
        let from = if of == F32 { F32 } else { I32 };
        let word = self.builder.ins().load(from, flags, slot, offset as i32);
        match of {
            I8 => self.builder.ins().icmp_imm_s(IntCC::NotEqual, word, 0),
            I64 => self.builder.ins().uextend(I64, word),
            _ => word,
        }
    }

    /// Returns an argument as words per lane; `None` if it does not fit.
    fn words(&mut self, kind: Kind, parameter: Kind, parts: &Parts) -> Option<Vec<[Value; 2]>> {
        if kind == Kind::Me && parameter == Kind::Unit {
            let base = self.context;
            let unit = self.load_fixed(I32X4, base, offset_of!(LaneContext<'_>, units));
            let position = self.position(kind, parts);
            let position = position.into_iter().map(|part| self.numbers(part));
            return Some(std::iter::once(unit).chain(position).collect());
        }
        if kind != parameter || kind == Kind::Bool || LaneCall::words_of(kind.into())? != parts.len() {
            return None;
        }
        Some(parts.iter().map(|part| self.word(*part)).collect())
    }

    /// Returns a number, or an index, in all lanes.
    fn word(&mut self, part: LaneValue) -> [Value; 2] {
        match part {
            Uniform(value) if self.builder.func.dfg.value_type(value) == I64 => {
                let word = self.builder.ins().ireduce(I32, value);
                [self.builder.ins().splat(I32X4, word); 2]
            }
            part => self.numbers(part),
        }
    }
}
