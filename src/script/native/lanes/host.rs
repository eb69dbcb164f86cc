//! Calls of the host for eight units.

use cranelift_codegen::ir::types::{F32, F32X4, I8, I32, I32X4, I64};
use cranelift_codegen::ir::{InstBuilder, StackSlotData, StackSlotKind, Value};

use std::mem::offset_of;

use super::super::emit::machine;
use super::super::formulas::Formulas;
use super::EmitLanes;
use super::context::{self, Exchange, MOST_EXCHANGED, Numbers};
use super::value::{Parts, Wide};
use crate::script::api::{Effect, Function};
use crate::script::types::{Kind, Type};

impl EmitLanes<'_, '_, '_> {
    /// Room on the stack, and its address.
    pub(super) fn room(&mut self, bytes: usize) -> Value {
        let room = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes as u32, 5);
        let slot = self.builder.create_sized_stack_slot(room);
        self.builder.ins().stack_addr(I64, slot, 0)
    }

    /// The next random number of each unit that is active.
    pub(super) fn random(&mut self) -> Wide {
        let (mask, drawn) = (self.room(size_of::<[u32; 8]>()), self.room(size_of::<Numbers>()));
        let active = self.value_of(self.active);
        self.store(active, mask, 0);
        let zero = self.number(0.0);
        let zero = self.numbers(zero);
        self.store(zero, drawn, 0);
        let context = self.context;
        self.host(context::random as *const (), &[context, mask, drawn], None);
        Wide::Each(self.load(F32X4, drawn, 0))
    }

    /// A function of the host on one number.
    pub(super) fn of_number(&mut self, function: *const (), number: Wide) -> Wide {
        if let Wide::Same(value) = number {
            let result = self.host(function, &[value], Some(F32));
            return Wide::Same(result.unwrap_or(value));
        }
        let room = self.room(size_of::<Numbers>());
        let number = self.numbers(number);
        self.store(number, room, 0);
        let function = self.builder.ins().iconst(I64, function as usize as i64);
        self.host(context::of_numbers as *const (), &[function, room], None);
        Wide::Each(self.load(F32X4, room, 0))
    }

    /// A function of the host on two numbers.
    pub(super) fn of_pair(&mut self, function: *const (), a: Wide, b: Wide) -> Wide {
        let (room, other) = (self.room(size_of::<Numbers>()), self.room(size_of::<Numbers>()));
        let (a, b) = (self.numbers(a), self.numbers(b));
        self.store(a, room, 0);
        self.store(b, other, 0);
        let function = self.builder.ins().iconst(I64, function as usize as i64);
        self.host(context::of_pairs as *const (), &[function, room, other], None);
        Wide::Each(self.load(F32X4, room, 0))
    }

    /// A row without instructions here: its function is called for each unit, if it takes and gives what can be
    /// handed over, cannot fail, and charges for nothing but distances to an obstacle.
    pub(super) fn each_unit_by_itself(
        &mut self,
        place: usize,
        row: &Function,
        values: &[Parts],
        kinds: &[Kind],
        of: Type,
    ) -> Parts {
        let is_taken = kinds.iter().zip(&row.takes).all(|(kind, (_, takes))| {
            kind == takes && matches!(kind, Kind::Number | Kind::Vector | Kind::Obstacle | Kind::Me)
        });
        let is_given = matches!(row.gives.kind, Kind::Number | Kind::Vector | Kind::Switch);
        let charges = row.effect == Effect::Charge && row.receiver() == Kind::Obstacle;
        let words = values.iter().map(Vec::len).sum::<usize>();
        if !(row.effect == Effect::None || charges)
            || row.can_fail
            || !(is_taken && is_given)
            || words > MOST_EXCHANGED
        {
            return self.refuse_value(of);
        }
        let room = self.room(size_of::<Exchange>());
        let word = |at: usize| offset_of!(Exchange, words) + 32 * at;
        for (at, part) in values.concat().into_iter().enumerate() {
            let part = self.word(part);
            self.store(part, room, word(at));
        }
        self.settle();
        let active = self.value_of(self.active);
        self.store(active, room, offset_of!(Exchange, asking));
        if charges {
            let none = self.integer(0);
            self.store(none, room, offset_of!(Exchange, work));
        }
        let place = self.builder.ins().iconst(I64, place as i64);
        let context = self.context;
        if let Some(failed) = self.host(context::each as *const (), &[context, place, room], Some(I8)) {
            self.give_up_if(failed);
        }
        if charges {
            let work = self.load(I32X4, room, offset_of!(Exchange, work));
            self.charge_each(work);
        }
        let machine = machine(of).into_iter().enumerate();
        machine
            .map(|(at, of)| {
                let is_switch = of == I8;
                let value = self.load(if is_switch { I32X4 } else { F32X4 }, room, word(at));
                Wide::Each(if is_switch { self.are_set(value) } else { value })
            })
            .collect()
    }

    /// A number or the index of an obstacle, as it is handed over.
    fn word(&mut self, part: Wide) -> [Value; 2] {
        match part {
            Wide::Same(value) if self.builder.func.dfg.value_type(value) == I64 => {
                let word = self.builder.ins().ireduce(I32, value);
                [self.builder.ins().splat(I32X4, word); 2]
            }
            part => self.numbers(part),
        }
    }
}
