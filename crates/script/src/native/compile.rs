//! Compiles the IR of a script to a module of machine code.

use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::{CodegenError, Context as Compiling};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Linkage, Module, ModuleError, ModuleReloc};

use super::emit::{Emit, Shared, signature};
use super::lanes::{self, CodeInfo};
use crate::typed::ir::Ir;
use crate::world_form::WorldForm;

/// The entry point, code for eight units, and the state shared by all functions.
type Compiled<'a> = (FuncId, Option<(FuncId, CodeInfo)>, Shared<'a>);

/// The minimum number of instructions for which a second thread pays off.
const MIN_PARALLEL: usize = 400;

/// Returns true for an error in the generated code; false if the code is too large.
pub(super) fn is_bug(error: &ModuleError) -> bool {
    matches!(error, ModuleError::Compilation(CodegenError::Verifier(_)))
}

/// Compiles every function into the module; the first is the entry point. With `has_lanes`, it has code for eight units,
/// which omits z in a plane. That is usually larger than all the rest, so another thread compiles it.
pub(super) fn compile<'a>(
    (ir, form, has_lanes): (&'a Ir, WorldForm, bool),
    processor: &OwnedTargetIsa,
    module: &mut JITModule,
) -> Result<Compiled<'a>, Box<ModuleError>> {
    let mut shared = Shared::new(ir, form.varied);
    let mut eight = Compiling::new();
    let info = has_lanes.then(|| emit_lanes((ir, form), &mut eight, module)).flatten();
    let is_long = info.is_some() && eight.func.dfg.num_insts() > MIN_PARALLEL;
    let mut compiled = None;
    let entry = std::thread::scope(|scope| {
        if is_long {
            let beside = || compiled = Some(compile_alone(&mut eight, processor));
            // Without a second thread, it is compiled after the rest.
            let _ = std::thread::Builder::new().spawn_scoped(scope, beside);
        }
        functions(ir, &mut shared, module)
    });
    if info.is_some() && compiled.is_none() {
        compiled = Some(compile_alone(&mut eight, processor));
    }
    debug_assert!(
        !compiled.is_some_and(|compiled| compiled.is_err_and(|error| is_bug(&error))),
        "code for eight units is wrong"
    );
    let entry = entry?;
    let defined = define(&eight, module)?;
    module.finalize_definitions()?;
    Ok((entry, defined.zip(info), shared))
}

/// Emits code for eight units, if the script supports it.
fn emit_lanes((ir, form): (&Ir, WorldForm), eight: &mut Compiling, module: &JITModule) -> Option<CodeInfo> {
    let call_conv = module.isa().default_call_conv();
    eight.func.signature = lanes::signature(call_conv);
    let mut frontend = FunctionBuilderContext::new();
    let mut builder = FunctionBuilder::new(&mut eight.func, &mut frontend);
    let info = lanes::emit(&mut builder, ir, form)?;
    builder.finalize(module.target_config());
    Some(info)
}

fn compile_alone(eight: &mut Compiling, processor: &OwnedTargetIsa) -> Result<(), Box<ModuleError>> {
    let compiled = eight.compile(&**processor, &mut ControlPlane::default());
    compiled.map(|_| ()).map_err(|error| Box::new(error.inner.into()))
}

/// Adds the compiled code for eight units to the module. On a processor without vector instructions there is none,
/// and units are decided one by one.
fn define(eight: &Compiling, module: &mut JITModule) -> Result<Option<FuncId>, Box<ModuleError>> {
    let Some(code) = eight.compiled_code() else {
        return Ok(None);
    };
    let id = module.declare_function("lanes", Linkage::Local, &eight.func.signature)?;
    let relocations = code.buffer.relocs().iter();
    let relocations: Vec<_> =
        relocations.map(|relocation| ModuleReloc::from_mach_reloc(relocation, &eight.func, id)).collect();
    let alignment = u64::from(code.buffer.alignment);
    module.define_function_bytes(id, alignment, code.code_buffer(), &relocations)?;
    Ok(Some(id))
}

/// Compiles the functions for one unit.
fn functions<'a>(
    ir: &'a Ir,
    shared: &mut Shared<'a>,
    module: &mut JITModule,
) -> Result<FuncId, Box<ModuleError>> {
    let call_conv = module.isa().default_call_conv();
    let mut ids = Vec::with_capacity(ir.functions.len());
    for (index, function) in ir.functions.iter().enumerate() {
        let signature = signature(function, index == 0, call_conv);
        let name = format!("{index}");
        ids.push(module.declare_function(&name, Linkage::Local, &signature)?);
    }
    let mut compiling = Compiling::new();
    let mut frontend = FunctionBuilderContext::new();
    for (index, function) in ir.functions.iter().enumerate() {
        compiling.clear();
        compiling.func.signature = signature(function, index == 0, call_conv);
        let functions =
            (ids.iter()).map(|id| module.declare_func_in_func(*id, &mut compiling.func)).collect();
        let mut builder = FunctionBuilder::new(&mut compiling.func, &mut frontend);
        Emit::function(&mut builder, shared, function, index == 0, functions);
        builder.finalize(module.target_config());
        module.define_function(ids[index], &mut compiling)?;
    }
    Ok(ids[0])
}
