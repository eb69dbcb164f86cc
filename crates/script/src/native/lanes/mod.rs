//! Code that decides for eight units at a time.
//!
//! A function is emitted a second time over two vectors of four lanes each, one unit per lane. At a branch, both
//! paths execute, each with the mask of the lanes that take it; values of the other lanes are computed and dropped.
//! Results are written at the end only, so a unit for which something fails can be decided again by the code for one
//! unit, which produces the error message. The same fallback serves units that take a path with an unsupported
//! construct, and all units if such a construct is unconditional. Results are bit-identical either way.
//!
//! - Cranelift has no vectors of more than four lanes, so that eight units take two.
//! - Only successful paths are emitted twice: failures are worded by the code for one unit.
//! - Constructs that are refused here (signals, ranges, reaches that differ by unit) exclude only the lanes that
//!   reach them. If most lanes fall back, vector code is skipped for the next batches.
//! - In an ordered loop, each lane advances through its own list: the first iteration has the nearest unit of each
//!   lane, the second the next. Lanes whose list or loop has ended are masked.
//! - Functions without a vector form are called per lane in an inlined loop. A batched form exists where it was
//!   measured to be faster: searches for obstacles, distances, paths and rotations, but not normals and rays, since
//!   few lanes query the same obstacle.

mod calls;
mod context;
mod control;
mod frame;
mod host;
mod lists;
mod locals;
mod loops;
mod memory;
mod obstacles;
mod operations;
mod planar;
mod prefilter;
mod selection;
#[cfg(test)]
mod tests;
mod value;
mod vector_ops;
mod work;

use std::mem::offset_of;

use cranelift_codegen::ir::types::{F32X4, I8, I32, I32X4, I64};
use cranelift_codegen::ir::{AbiParam, Block, InstBuilder, MemFlagsData, Signature, Type as Machine, Value};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, Variable};

pub(super) use context::LaneContext;
use frame::{Frame, LoopState};
use steerbox_core::perception::{PerSource, Source};
use steerbox_core::sim::{BatchDecisions, Contribution};

use super::formulas::Formulas;
use super::operations::{Access, Operations};
use crate::typed::ir::{Expr, Ir};
use crate::types::Kind;
use crate::world_form::WorldForm;
use value::{LaneValue, Parts};

/// Requirements and effects of code for eight units.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a separate property")]
pub(super) struct CodeInfo {
    /// It reads the axes of units.
    pub(super) axes: bool,
    /// It resolves texts as names.
    pub(super) names: bool,
    /// It omits a call that shows something for every unit.
    pub(super) shows: bool,
    /// It omits z of units, which is 0.
    pub(super) plane: bool,
}

/// The emitter of a function with all functions that it calls inlined.
#[allow(clippy::struct_excessive_bools, reason = "each is a separate state")]
pub(super) struct EmitLanes<'a, 'b, 'f> {
    builder: &'a mut FunctionBuilder<'f>,
    ir: &'b Ir,
    context: Value,
    /// The inlined functions, outermost first.
    frames: Vec<Frame<'b>>,
    /// The mask of the current path.
    active: [Variable; 2],
    /// The lanes that failed.
    failed: [Variable; 2],
    /// The work of each lane.
    work: [Variable; 2],
    /// The sources of lists, by the machine values of their indices.
    sources_of: Vec<(Value, Source)>,
    /// The number of enclosing choices and loops in the function.
    nesting: usize,
    /// The enclosing loops of the innermost function, outermost first.
    inner_loops: Vec<LoopState>,
    /// The number of enclosing loops, including those around calls; and of choices and loops.
    loops: usize,
    depth: usize,
    /// The lanes that already searched each source of lists, and that sorted it.
    gathered: PerSource<[Variable; 2]>,
    sorted: PerSource<[Variable; 2]>,
    /// True in a loop over a sorted list.
    ordered: bool,
    /// Units that differ by lane, by their machine values, with their velocities.
    nearest: Vec<([Value; 2], Parts)>,
    /// The unit of the innermost loop over units, and the address of its row.
    neighbor: Option<(Value, Value)>,
    /// True if it already searches for obstacles.
    searches: bool,
    /// The maximum work of one iteration of each loop, in sum.
    weight: i64,
    tag: [Variable; 2],
    returned: [[Variable; 2]; 3],
    abort: Block,
    /// True if units are in a plane.
    plane: bool,
    /// True if bodies differ by unit.
    varied: bool,
    info: CodeInfo,
    /// The number of emitted expressions.
    size: usize,
    refused: bool,
}

/// The signature takes the context and returns nothing.
pub(super) fn signature(call_conv: CallConv) -> Signature {
    let mut signature = Signature::new(call_conv);
    signature.params.push(AbiParam::new(I64));
    signature
}

/// Emits the entry point of a script for eight units; `None` if that is unsupported, and the builder is then
/// invalid. In a plane, code omits z.
pub(super) fn emit(builder: &mut FunctionBuilder<'_>, ir: &Ir, form: WorldForm) -> Option<CodeInfo> {
    let start = builder.create_block();
    builder.append_block_params_for_function_params(start);
    builder.switch_to_block(start);
    builder.seal_block(start);
    let abort = builder.create_block();
    builder.set_cold_block(abort);
    let context = builder.block_params(start)[0];
    let mut pair = |of: Machine| [builder.declare_var(of), builder.declare_var(of)];
    let [active, failed, work, tag] = [I32X4; 4].map(&mut pair);
    let returned = [F32X4; 3].map(&mut pair);
    let [gathered, sorted] = [I32X4; 2].map(|of| PerSource(Source::EACH.map(|_| pair(of))));
    let mut emit = EmitLanes {
        builder,
        ir,
        context,
        frames: Vec::new(),
        active,
        failed,
        work,
        sources_of: Vec::new(),
        nesting: 0,
        inner_loops: Vec::new(),
        loops: 0,
        depth: 0,
        gathered,
        sorted,
        ordered: false,
        nearest: Vec::new(),
        neighbor: None,
        searches: false,
        weight: 0,
        tag,
        returned,
        abort,
        plane: form.plane,
        varied: form.varied,
        info: CodeInfo::default(),
        size: 0,
        refused: false,
    };
    emit.entry_point();
    (!emit.refused).then_some(emit.info)
}

impl<'b> EmitLanes<'_, 'b, '_> {
    fn entry_point(&mut self) {
        let function = &self.ir.functions[0];
        let none = self.integer(0);
        let used = self.used();
        for (variable, value) in
            [(self.active, used), (self.failed, none), (self.work, none), (self.tag, none)]
        {
            self.define(variable, value);
        }
        for source in self.gathered.0.into_iter().chain(self.sorted.0) {
            self.define(source, none);
        }
        for axis in 0..3 {
            let zero = self.number(0.0);
            let zero = self.numbers(zero);
            self.define(self.returned[axis], zero);
        }
        self.enter(function, Vec::new());
        self.add_cost(function.cost);
        let _ = self.expr(&function.body);
        self.finish();
        let abort = self.abort;
        self.builder.switch_to_block(abort);
        let one = self.builder.ins().iconst(I32, 1);
        let flags = MemFlagsData::trusted();
        self.builder.ins().store(flags, one, self.context, offset_of!(LaneContext<'_>, aborted) as i32);
        self.builder.ins().return_(&[]);
        self.builder.seal_all_blocks();
    }

    /// Loads the address of results and memory.
    fn decisions(&mut self) -> Value {
        self.fixed(I64, offset_of!(LaneContext<'_>, decisions))
    }

    /// Loads the mask of lanes with a unit.
    fn used(&mut self) -> [Value; 2] {
        let context = self.context;
        self.load_fixed(I32X4, context, offset_of!(LaneContext<'_>, used))
    }

    /// Stores the results.
    fn finish(&mut self) {
        let used = self.used();
        let failed = self.value_of(self.failed);
        let done = self.mask_and_not(used, failed);
        let decisions = self.decisions();
        self.store(done, decisions, offset_of!(BatchDecisions, decided));
        let (tag, work) = (self.value_of(self.tag), self.value_of(self.work));
        self.store(tag, decisions, offset_of!(BatchDecisions, tags));
        self.store(work, decisions, offset_of!(BatchDecisions, work));
        for axis in 0..3 {
            let number = self.value_of(self.returned[axis]);
            self.store(number, decisions, offset_of!(BatchDecisions, values) + 32 * axis);
        }
        self.builder.ins().return_(&[]);
    }

    /// The active lanes return a contribution.
    fn contribute(&mut self, value: &'b Expr) {
        let parts = self.expr(value);
        let (flag, parts) = if value.of.maybe { (Some(parts[0]), &parts[1..]) } else { (None, &parts[..]) };
        let (tag, numbers) = match value.of.kind {
            Kind::Number | Kind::Turn => (Contribution::TAG_TURN, parts.to_vec()),
            Kind::Integer => (Contribution::TAG_TURN, vec![self.as_number(parts[0])]),
            Kind::Vector => (Contribution::TAG_PUSH, parts.to_vec()),
            _ => return,
        };
        let active = self.value_of(self.active);
        for (part, variable) in numbers.into_iter().zip(self.returned) {
            let value = self.numbers(part);
            self.merge(active, value, variable);
        }
        let tagged = match flag {
            Some(flag) => {
                let flag = self.masks(flag);
                self.mask_and(active, flag)
            }
            None => active,
        };
        let tag = self.integer(tag as i32);
        self.merge(tagged, tag, self.tag);
    }

    /// Assigns a variable in the lanes of a mask.
    fn merge(&mut self, mask: [Value; 2], value: [Value; 2], variable: [Variable; 2]) {
        let before = self.value_of(variable);
        let merged = self.blend(mask, value, before);
        self.define(variable, merged);
    }

    fn value_of(&mut self, variable: [Variable; 2]) -> [Value; 2] {
        variable.map(|half| self.builder.use_var(half))
    }

    fn define(&mut self, variable: [Variable; 2], value: [Value; 2]) {
        for half in 0..2 {
            self.builder.def_var(variable[half], value[half]);
        }
    }

    /// Calls a host function.
    fn host(&mut self, address: *const (), arguments: &[Value], result: Option<Machine>) -> Option<Value> {
        let call = self.call_host(address, arguments, result);
        self.builder.inst_results(call).first().copied()
    }

    /// Calls a host function with the context and `arguments`, and aborts if it returns 1.
    fn host_or_abort(&mut self, address: *const (), arguments: &[Value]) {
        let arguments = [&[self.context], arguments].concat();
        if let Some(failed) = self.host(address, &arguments, Some(I8)) {
            self.abort_if(failed);
        }
    }

    /// Aborts if a flag is set; all units of the batch are then decided one by one.
    fn abort_if(&mut self, flag: Value) {
        let on = self.builder.create_block();
        let abort = self.abort;
        self.builder.ins().brif(flag, abort, &[], on, &[]);
        self.switch_to_sealed(on);
    }

    /// Marks the script as unsupported; the code emitted from here on is dropped.
    fn refuse(&mut self) -> Parts {
        self.refused = true;
        Parts::new()
    }

    /// As [`EmitLanes::refuse`], for a construct with a value of this type.
    fn refuse_value(&mut self, of: crate::types::Type) -> Parts {
        self.refused = true;
        self.zeros(of)
    }

    fn as_number(&mut self, integer: LaneValue) -> LaneValue {
        use cranelift_codegen::ir::types::F32X4;
        self.map(integer, |builder, value| builder.ins().fcvt_from_sint(F32X4, value))
    }
}
