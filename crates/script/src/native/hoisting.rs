//! Tests that loads of loop invariants are hoisted. The code generator does so if loads of the frozen state are
//! marked as invariant and the exit of a loop is emitted before its body.

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{Block, Inst, MemFlagsData, ValueDef};
use cranelift_codegen::loop_analysis::Loop;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

use super::code::PROCESSOR;
use super::emit::{Emit, Shared, signature};
use crate::{Program, Script};

/// Returns the optimized code of `steer` with this body.
fn optimized(body: &str) -> Context {
    let text = format!("fn steer(me, world) {{ let sum = 0.0; {body} sum }}");
    let script = Script::compile("test.rhai", &text).unwrap();
    let ir = Program::fold(&script, &[]).unwrap().ir(None).unwrap();
    let processor = PROCESSOR.as_ref().unwrap();
    let call_conv = processor.default_call_conv();
    let mut context = Context::new();
    context.func.signature = signature(&ir.functions[0], true, call_conv);
    let mut frontend = FunctionBuilderContext::new();
    let mut builder = FunctionBuilder::new(&mut context.func, &mut frontend);
    let mut shared = Shared::new(&ir, false);
    Emit::function(&mut builder, &mut shared, &ir.functions[0], true, Vec::new());
    builder.finalize(processor.frontend_config());
    context.optimize(&**processor, &mut ControlPlane::default()).unwrap();
    context.compute_loop_analysis();
    context
}

/// Returns the number of loads of the frozen state outside of all loops, and those inside a loop with invariant
/// operands, each with its number of enclosing loops.
fn reads(context: &Context) -> (usize, Vec<(usize, String)>) {
    let (mut before, mut repeated) = (0, Vec::new());
    for block in context.func.layout.blocks() {
        let around = context.loop_analysis.innermost_loop(block);
        for read in context.func.layout.block_insts(block).filter(|inst| is_frozen_read(context, *inst)) {
            match around {
                None => before += 1,
                Some(around) if varies(context, read, around) => {}
                Some(_) => {
                    let level = context.loop_analysis.loop_level(block).level();
                    repeated.push((level, context.func.dfg.display_inst(read).to_string()));
                }
            }
        }
    }
    (before, repeated)
}

fn is_frozen_read(context: &Context, inst: Inst) -> bool {
    let dfg = &context.func.dfg;
    let flags = dfg.insts[inst].memflags_data(dfg);
    dfg.insts[inst].opcode().can_load() && flags.is_some_and(MemFlagsData::readonly)
}

/// Returns true if an instruction may have another result in each iteration of a loop.
fn varies(context: &Context, inst: Inst, around: Loop) -> bool {
    let dfg = &context.func.dfg;
    let opcode = dfg.insts[inst].opcode();
    if (opcode.can_load() && !is_frozen_read(context, inst)) || opcode.is_call() {
        return true;
    }
    let is_inside = |block: Block| context.loop_analysis.is_in_loop(block, around);
    dfg.inst_args(inst).iter().any(|value| match dfg.value_def(*value) {
        ValueDef::Result(inst, _) => {
            let block = context.func.layout.inst_block(inst);
            block.is_some_and(is_inside) && varies(context, inst, around)
        }
        ValueDef::Param(block, _) => is_inside(block),
        ValueDef::Union(..) => false,
    })
}

#[test]
fn invariants_are_loaded_before_a_loop() {
    for head in [
        "for other in me.others",
        "for it in world.obstacles",
        "for i in 0..9",
        "for i in range(0, 9, 2)",
        "for x in range(0.0, 9.0, 0.5)",
        "while sum < 9.0",
        "loop",
    ] {
        let body = "if sum > 9.0 { break; } sum += me.max_speed * world.step;";
        let (before, repeated) = reads(&optimized(&format!("{head} {{ {body} }}")));
        // The arrays, groups of units, the unit's own group, its constants, the speed; the step.
        assert!(before >= 6 && repeated.is_empty(), "{head}: {before} {repeated:#?}");
    }
}

#[test]
fn names_are_resolved_before_a_loop() {
    let body =
        "for other in me.others { if other.has_mark(\"leader\") && other.is(\"craft\") { sum += 1.0; } }";
    let (before, repeated) = reads(&optimized(body));
    // The arrays, marks, groups, constants; the names, the mark, the kind.
    assert!(before >= 7 && repeated.is_empty(), "{before} {repeated:#?}");
}

#[test]
fn invariants_are_loaded_before_an_inner_loop() {
    let body = "for a in me.others { for b in me.others { sum += a.speed * me.max_speed; } }";
    let (_, repeated) = reads(&optimized(body));
    assert!(repeated.iter().all(|(level, _)| *level == 1), "{repeated:#?}");
}
