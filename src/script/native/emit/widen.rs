//! Values of one type as values of a wider one.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::types::I8;

use super::Emit;
use super::value::{Parts, machine, zero};
use crate::script::types::{Kind, Type};

impl Emit<'_, '_, '_> {
    /// Something of a type, for where no value ever comes from.
    pub(super) fn zeros(&mut self, of: Type) -> Parts {
        machine(of).into_iter().map(|part| zero(self.builder, part)).collect()
    }

    /// A value of one type as one of a wider type.
    pub(super) fn widened(&mut self, parts: Parts, from: Type, to: Type) -> Parts {
        if from == to {
            return parts;
        }
        if from.kind == Kind::Never {
            return self.zeros(to);
        }
        if to.kind == Kind::Nothing {
            return Parts::new();
        }
        if from.kind == Kind::Nothing {
            let mut zeros = self.zeros(to);
            zeros[0] = self.builder.ins().iconst(I8, 0);
            return zeros;
        }
        let (flag, mut rest) = if from.maybe { (Some(parts[0]), parts[1..].to_vec()) } else { (None, parts) };
        if from.kind == Kind::Me && to.kind == Kind::Unit {
            rest = self.me_as_unit();
        }
        if !to.maybe {
            return rest;
        }
        let flag = flag.unwrap_or_else(|| self.builder.ins().iconst(I8, 1));
        rest.insert(0, flag);
        rest
    }
}
