//! Calls of the host for eight units.

use cranelift_codegen::ir::types::{F32, F32X4, I8, I64};
use cranelift_codegen::ir::{InstBuilder, StackSlotData, StackSlotKind, Value};

use super::super::formulas::Formulas;
use super::EmitLanes;
use super::context::{self, Exchange, Numbers, words_of};
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

    /// A row without instructions here: its function is called for each unit, if it computes numbers and vectors of
    /// such and cannot fail.
    pub(super) fn each_unit_by_itself(
        &mut self,
        place: usize,
        row: &Function,
        values: &[Parts],
        kinds: &[Kind],
        of: Type,
    ) -> Parts {
        let is_plain = |kind: &Kind| matches!(kind, Kind::Number | Kind::Vector);
        let is_taken = kinds.iter().zip(&row.takes).all(|(kind, (_, takes))| {
            (is_plain(kind) && kind == takes) || (*kind == Kind::Me && *takes == Kind::Me)
        });
        let gives = matches!(row.gives.kind, Kind::Number | Kind::Vector) && !row.gives.maybe;
        let words = kinds.iter().map(|kind| words_of(*kind)).sum::<usize>();
        if row.effect != Effect::None || row.can_fail || !is_taken || !gives || words > 8 {
            return self.refuse_value(of);
        }
        let room = self.room(size_of::<Exchange>());
        for (word, part) in values.concat().into_iter().enumerate() {
            let numbers = self.numbers(part);
            self.store(numbers, room, 32 * word);
        }
        let place = self.builder.ins().iconst(I64, place as i64);
        let context = self.context;
        if let Some(failed) = self.host(context::each as *const (), &[context, place, room], Some(I8)) {
            self.give_up_if(failed);
        }
        (0..words_of(of.kind)).map(|word| Wide::Each(self.load(F32X4, room, 32 * word))).collect()
    }
}
