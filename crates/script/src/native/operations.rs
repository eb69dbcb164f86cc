//! Access of machine code to the frozen state and to the host, and the operations that code for one unit and code
//! for eight units implement differently.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I16, I64};
use cranelift_codegen::ir::{
    AbiParam, Block, Inst, InstBuilder, MemFlagsData, Signature, Type as Machine, Value,
};
use cranelift_frontend::FunctionBuilder;
use steerbox_core::perception::Source;
use steerbox_core::sim::{Arrays, BodyNumbers, GroupConstants, NameIds};

use super::formulas::Formulas;
use crate::api::{IntegerOp, SpecialOp};
use crate::types::{Kind, Type};

/// Access of an emitter to the context of a call.
pub(super) trait Access<'f> {
    // Offsets in the context of a call.
    const ARRAYS: usize;
    const ME: usize;
    const NAMES: usize;

    fn builder(&mut self) -> &mut FunctionBuilder<'f>;
    /// The address of the context of the call.
    fn context(&self) -> Value;
    /// Records that the code resolves texts as names.
    fn note_names(&mut self);

    /// Calls a host function. Its address is a constant in the code, which does not outlive the process.
    fn call_host(&mut self, address: *const (), arguments: &[Value], result: Option<Machine>) -> Inst {
        let builder = self.builder();
        let mut signature = Signature::new(builder.func.signature.call_conv);
        let types = arguments.iter().map(|argument| builder.func.dfg.value_type(*argument));
        signature.params.extend(types.map(AbiParam::new));
        signature.returns.extend(result.map(AbiParam::new));
        let signature = builder.import_signature(signature);
        let address = builder.ins().iconst(I64, address as usize as i64);
        builder.ins().call_indirect(signature, address, arguments)
    }

    /// Continues in a block without further predecessors.
    fn switch_to_sealed(&mut self, block: Block) {
        self.builder().switch_to_block(block);
        self.builder().seal_block(block);
    }

    /// Loads from the frozen state.
    fn frozen(&mut self, of: Machine, base: Value, offset: usize) -> Value {
        let flags = MemFlagsData::trusted().with_readonly().with_can_move();
        self.builder().ins().load(of, flags, base, offset as i32)
    }

    /// Loads a field of the context that does not change during a call.
    fn fixed(&mut self, of: Machine, offset: usize) -> Value {
        let base = self.context();
        self.frozen(of, base, offset)
    }

    /// Loads an address or a value of the whole frozen state.
    fn state(&mut self, of: Machine, offset: usize) -> Value {
        let arrays = self.fixed(I64, Self::ARRAYS);
        self.frozen(of, arrays, offset)
    }

    /// Returns the address of an element of an array.
    fn element<T>(&mut self, array: Value, index: Value) -> Value {
        let builder = self.builder();
        debug_assert!(builder.func.dfg.value_type(index) == I64, "an index is an address");
        let offset = builder.ins().imul_imm_s(index, size_of::<T>() as i64);
        builder.ins().iadd(array, offset)
    }

    /// Loads the index of a unit's group.
    fn group_of(&mut self, unit: Value) -> Value {
        let base = self.state(I64, offset_of!(Arrays, group));
        let at = self.element::<u16>(base, unit);
        let group = self.frozen(I16, at, 0);
        self.builder().ins().uextend(I64, group)
    }

    /// Returns the address of the constants of a unit's group.
    fn group_constants_of(&mut self, unit: Value) -> Value {
        let group = self.group_of(unit);
        let base = self.state(I64, offset_of!(Arrays, group_constants));
        self.element::<GroupConstants>(base, group)
    }

    /// Returns the address of a unit's own numbers, in a world whose bodies differ by unit.
    fn own_body_of(&mut self, unit: Value) -> Value {
        let base = self.state(I64, offset_of!(Arrays, bodies));
        self.element::<BodyNumbers>(base, unit)
    }

    /// Returns the address of the constants of the deciding unit's group.
    fn own_group_constants(&mut self) -> Value {
        let me = self.fixed(I64, Self::ME);
        self.group_constants_of(me)
    }

    /// Loads the id of a text as a name, by its offset in [`NameIds`].
    fn name_id(&mut self, text: Value, id: usize) -> Value {
        self.note_names();
        let base = self.fixed(I64, Self::NAMES);
        let at = self.element::<NameIds>(base, text);
        self.frozen(I64, at, id)
    }

    /// Tests if a unit has a kind or a mark, by the offset of its bit in [`NameIds`].
    fn has_bit(&mut self, unit: Value, text: Value, name: usize) -> Value {
        let bits = if name == offset_of!(NameIds, kind) {
            let constants = self.group_constants_of(unit);
            self.frozen(I64, constants, offset_of!(GroupConstants, kinds))
        } else {
            let marks = self.state(I64, offset_of!(Arrays, marks));
            let at = self.element::<u64>(marks, unit);
            self.frozen(I64, at, 0)
        };
        let bit = self.name_id(text, name);
        let common = self.builder().ins().band(bits, bit);
        self.builder().ins().icmp_imm_s(IntCC::NotEqual, common, 0)
    }
}

/// The components of a value.
pub(super) type Parts<F> = Vec<<F as Formulas>::Value>;

/// Operations on units, lists and numbers. `None` selects a call of the row's Rust function.
pub(super) trait Operations<'f>: Formulas + Access<'f> {
    /// Wraps a value that is the same for all units.
    fn uniform(value: Value) -> Self::Value;
    /// The position of a unit, deciding or other.
    fn position(&mut self, kind: Kind, parts: &[Self::Value]) -> Parts<Self>;
    /// A vector of a unit, by the offset of its array in [`Arrays`].
    fn vector_of(&mut self, kind: Kind, parts: &[Self::Value], array: usize) -> Option<Parts<Self>>;
    /// Starboard, heading and up.
    fn axes(&mut self, kind: Kind, parts: &[Self::Value]) -> Option<[Parts<Self>; 3]>;
    /// The address of the constants of a unit's group.
    fn body(&mut self, kind: Kind, parts: &[Self::Value]) -> Option<Value>;
    /// Tests if units have a kind or a mark; `name` is the offset of its bit in [`NameIds`].
    fn has_name(
        &mut self,
        kind: Kind,
        parts: &[Self::Value],
        text: Self::Value,
        name: usize,
    ) -> Option<Self::Value>;
    fn units(&mut self, source: Source) -> Parts<Self>;
    fn count(&mut self, list: &[Self::Value]) -> Self::Value;
    fn is_empty(&mut self, list: &[Self::Value]) -> Self::Value;
    fn mean_vector(&mut self, list: &[Self::Value], offset: usize) -> Parts<Self>;
    /// Charges for a scan of a list.
    fn add_scan_cost(&mut self, list: &[Self::Value]);
    fn random(&mut self) -> Self::Value;
    /// Calls a host function of numbers only.
    fn of_numbers(&mut self, function: *const (), numbers: &[Self::Value]) -> Self::Value;
    /// An operation of integers.
    fn of_integers(&mut self, to: IntegerOp, on: &[Parts<Self>]) -> Option<Parts<Self>>;
    /// A value of a type for unreachable code.
    fn zeros(&mut self, of: Type) -> Parts<Self>;
    /// The deciding unit as a value of kind unit.
    fn me_as_unit(&mut self) -> Parts<Self>;
    /// An operation that only one of both emitters has.
    fn special(&mut self, to: SpecialOp, on: &[Parts<Self>], of: &[Kind]) -> Option<Parts<Self>>;

    /// A constant bool.
    fn bool_constant(&mut self, value: bool) -> Self::Value {
        Self::uniform(self.builder().ins().iconst(I8, i64::from(value)))
    }

    /// Widens a value from one type to another.
    fn widened(&mut self, mut parts: Parts<Self>, from: Type, to: Type) -> Parts<Self> {
        match (from.kind, to.kind) {
            _ if from == to => return parts,
            (_, Kind::Nothing) => return Parts::<Self>::new(),
            (Kind::Never, _) => return self.zeros(to),
            (Kind::Nothing, _) => {
                parts = self.zeros(to);
                parts[0] = self.bool_constant(false);
                return parts;
            }
            _ => {}
        }
        let flag = from.maybe.then(|| parts.remove(0));
        if from.kind == Kind::Me && to.kind == Kind::Unit {
            parts = self.me_as_unit();
        }
        if to.maybe {
            let flag = flag.unwrap_or_else(|| self.bool_constant(true));
            parts.insert(0, flag);
        }
        parts
    }
}
