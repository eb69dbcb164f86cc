//! Machine representation of values for one unit.

use cranelift_codegen::ir::types::{F32, I8, I32, I64};
use cranelift_codegen::ir::{InstBuilder, Type as Machine, Value};
use cranelift_frontend::FunctionBuilder;

use crate::types::{Kind, Type};

/// The machine values of one value: a flag if it is optional, then its components.
pub(super) type Parts = Vec<Value>;

/// Returns the machine types of a value.
pub(in super::super) fn machine(of: Type) -> Vec<Machine> {
    let mut parts = Vec::with_capacity(5);
    if of.maybe {
        parts.push(I8);
    }
    parts.extend_from_slice(match of.kind {
        Kind::Never
        | Kind::Nothing
        | Kind::Me
        | Kind::World
        | Kind::Memory
        | Kind::Array
        | Kind::Map
        | Kind::Any => &[],
        Kind::Hit => &[F32, F32, F32, F32, F32, F32, F32, I64],
        Kind::Number | Kind::Obstacles => &[F32],
        Kind::Integer
        | Kind::Obstacle
        | Kind::Path
        | Kind::Field
        | Kind::Grid
        | Kind::Group
        | Kind::Zone
        | Kind::Text => &[I64],
        Kind::Bool => &[I8],
        Kind::Vector => &[F32, F32, F32],
        Kind::Turn => &[F32, F32],
        Kind::Unit | Kind::Members => &[I64, F32, F32, F32],
        Kind::List => &[I32, F32],
        Kind::Range | Kind::RangeThrough => &[I64, I64],
    });
    parts
}

pub(super) fn zero(builder: &mut FunctionBuilder<'_>, of: Machine) -> Value {
    if of == F32 { builder.ins().f32const(0.0) } else { builder.ins().iconst(of, 0) }
}
