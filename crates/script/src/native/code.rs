//! Machine code: compilation, calls, and release of its memory.
#![allow(
    unsafe_code,
    reason = "calling compiled code, sharing it between threads and freeing it; each use states why it is sound"
)]

use std::fmt;
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::{Arc, LazyLock};

use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::default_libcall_names;
use rhai::ImmutableString;
use steerbox_core::sim::work::{self, WorkSource};
use steerbox_core::sim::{BATCH, BatchDecisions, BatchMemory, Contribution, Failure, MAX_WORDS, UnitContext};

use super::compile::{compile, is_bug};
use super::failure::Site;
use super::lanes::{CodeInfo, LaneContext};
use super::vm::VmContext;
use crate::api::values::Slots;
use crate::api::{Host, HostCall};
use crate::front::program;
use crate::interpret::explain;
use crate::typed::ir::Ir;
use crate::typed::unsupported::Unsupported;
use crate::world_form::WorldForm;

/// The target processor; `None` if it has no backend.
pub(super) static PROCESSOR: LazyLock<Option<OwnedTargetIsa>> = LazyLock::new(|| {
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", "speed"),
        ("enable_multi_ret_implicit_sret", "true"),
        ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
        ("is_pic", "false"),
        ("unwind_info", "false"),
    ] {
        flags.set(name, value).ok()?;
    }
    let builder = cranelift_native::builder().ok()?;
    builder.finish(settings::Flags::new(flags)).ok()
});

/// Code for one unit: takes the context, and returns 0, or 1 on failure.
type Entry = for<'a, 'b> unsafe extern "C" fn(&'a mut VmContext<'b>) -> i32;

/// Code for eight units: takes their context.
type LanesEntry = for<'a, 'b> unsafe extern "C" fn(&'a mut LaneContext<'b>);

/// The minimum number of units for which code for eight is faster than code for one.
const MIN_BATCH: usize = 3;

/// The number of batches decided one by one after a batch of which code for eight units decided less than half.
const SKIPPED_BATCHES: u32 = 15;

/// The compiled functions of one script.
pub(super) struct Code {
    entry: Entry,
    /// Code for eight units, if the script supports it.
    lanes: Option<(LanesEntry, CodeInfo)>,
    sites: Vec<Site>,
    /// The strings of the script.
    texts: Vec<ImmutableString>,
    /// The strings of the script if the code resolves them as names, else empty.
    names: Arc<[String]>,
    /// Owns the memory that `entry` points into.
    module: ManuallyDrop<JITModule>,
}

// SAFETY: a finished module is only stored to be freed. Shared references reach only the finished code, which is
// read-only and writes only to the context and memory passed to each call.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: the module is taken only here. Code runs only in `run` and `run_batch`, which borrow `self`, so
        // none is running now; and the pointers into it are dropped with `self`.
        unsafe { ManuallyDrop::take(&mut self.module).free_memory() };
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Code").finish_non_exhaustive()
    }
}

impl Code {
    /// Compiles all functions of a script for worlds of a form, also for eight units if `has_lanes` is true.
    ///
    /// # Errors
    /// If this processor has no backend, or the backend rejects the code.
    pub(super) fn compile(ir: &Ir, form: WorldForm, has_lanes: bool) -> Result<Self, Unsupported> {
        let processor = PROCESSOR.as_ref();
        let processor = processor.ok_or_else(|| Unsupported::whole("anything, on this processor"))?;
        let builder = JITBuilder::with_isa(processor.clone(), default_libcall_names());
        let mut module = JITModule::new(builder);
        let (entry, lanes, shared) = match compile((ir, form, has_lanes), processor, &mut module) {
            Ok(compiled) => compiled,
            Err(error) => {
                // SAFETY: the module's code was never called.
                unsafe { module.free_memory() };
                debug_assert!(!is_bug(&error), "{error:?}");
                return Err(Unsupported::whole("something in it"));
            }
        };
        let address = module.get_finalized_function(entry);
        // SAFETY: `compile` declared this function with the signature of `Entry` in the platform's calling
        // convention, and `module` owns its memory.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(address) };
        let lanes = lanes.map(|(lanes, info)| {
            let address = module.get_finalized_function(lanes);
            // SAFETY: as above, with the signature of `LanesEntry`.
            let lanes = unsafe { std::mem::transmute::<*const u8, LanesEntry>(address) };
            (lanes, info)
        });
        let uses_names = shared.uses_names || lanes.is_some_and(|(_, info)| info.names);
        Ok(Self {
            entry,
            lanes,
            sites: shared.sites,
            texts: ir.texts.iter().map(Into::into).collect(),
            names: if uses_names { ir.texts.as_slice().into() } else { Arc::default() },
            module: ManuallyDrop::new(module),
        })
    }

    /// Runs the script once for the unit of the context; `given` are the arguments of an entry point with arguments. A
    /// handler of events contributes nothing.
    ///
    /// # Errors
    /// If the script fails.
    #[allow(clippy::inline_always, reason = "saves a few nanoseconds per call")]
    #[inline(always)]
    pub(super) fn run(
        &self,
        context: &mut UnitContext,
        (memory, given): (&mut [u32], Option<&Slots>),
        entry: &program::Entry,
    ) -> Result<Contribution, Failure> {
        let names = if self.names.is_empty() { ptr::null() } else { context.name_ids(&self.names).as_ptr() };
        let (known, lane) = context.means_cache();
        let mut vm = VmContext {
            known,
            lane: 4 * lane,
            names,
            me: context.unit(),
            arrays: context.arrays(),
            memory: memory.as_mut_ptr(),
            given: given.map_or(ptr::null(), ptr::from_ref),
            is_shown: context.is_recording() || context.is_watching(),
            tag: Contribution::TAG_NONE,
            returned: [0.0; 3],
            site: 0,
            details: [0; 2],
            count: 0,
            looked: 0,
            call: HostCall {
                fuel: work::CALL as i64,
                host: Host { context, texts: &self.texts },
                words: None,
                has_panicked: false,
            },
        };
        // SAFETY: the code was generated from the IR. It accesses only the context, the arrays it points to,
        // at valid indices of units, groups, texts and memory fields, and memory returned by the host. All of that
        // outlives the call. Its recursion and its work are limited, so that neither stack nor time is exhausted.
        let status = unsafe { (self.entry)(&mut vm) };
        let left = vm.call.fuel;
        (vm.call.host.context).set_work((work::CALL as i64).saturating_sub(left).unsigned_abs());
        if status != 0 || vm.call.has_panicked {
            return Err(self.failure(&mut vm, entry.place));
        }
        let [x, y, z] = vm.returned;
        // Tested while the values are in registers; unused ones are zero.
        if !(x.is_finite() && y.is_finite() && z.is_finite()) {
            return Err(explain::not_finite(entry.place, &entry.not_finite));
        }
        Ok(Contribution::of_tag(vm.tag, vm.returned))
    }
}

impl Code {
    /// Runs the script once for all units of the context's batch, and decides those for which nothing failed.
    pub(super) fn run_batch(
        &self,
        context: &mut UnitContext,
        count: usize,
        memory: &mut BatchMemory<'_>,
        decisions: &mut BatchDecisions,
    ) {
        let Some((entry, info)) = &self.lanes else {
            return;
        };
        let is_shown = context.is_recording() || context.is_watching();
        if decisions.skips > 0 {
            decisions.skips -= 1;
            return;
        }
        if count < MIN_BATCH || memory.words.len() > MAX_WORDS || (info.shows && is_shown) {
            return;
        }
        if info.plane && !context.batch(info.axes).planar {
            decisions.skips = SKIPPED_BATCHES;
            return;
        }
        decisions.marks = Default::default();
        decisions.load_memory(memory);
        let names = if self.names.is_empty() { ptr::null() } else { context.name_ids(&self.names).as_ptr() };
        let arrays = ptr::from_ref(context.arrays());
        let batch = context.batch(info.axes);
        let (used, units) = (*batch.used, *batch.units);
        let (position, velocity): (*const _, *const _) = (batch.position, batch.velocity);
        let axes: *const _ = batch.axes;
        let mut vm = LaneContext {
            used,
            is_shown,
            aborted: 0,
            arrays,
            position,
            velocity,
            axes,
            me: units[0] as usize,
            decisions,
            names,
            count: 0,
            host: Host { context, texts: &self.texts },
            units,
            draws: [0; BATCH],
        };
        // SAFETY: as in `run`. Positions, velocities and axes belong to the batch, which does not change while the
        // code runs. Lists returned by the host stay valid until three more lists, or rows of another source or of
        // other obstacles, are requested; the emitter never nests such requests in a loop over a list. Results and
        // memory are written to `decisions`, which nothing else accesses meanwhile.
        unsafe { entry(&mut vm) };
        if vm.aborted != 0 {
            (decisions.decided, decisions.skips) = ([0; BATCH], SKIPPED_BATCHES);
            return;
        }
        decisions.drop_invalid();
        if decisions.decided.iter().filter(|decided| **decided != 0).count() * 2 < count {
            decisions.skips = SKIPPED_BATCHES;
        }
        decisions.store_memory(memory);
    }

    /// Returns true if it has code for eight units.
    #[cfg(test)]
    pub(super) fn has_lanes(&self) -> bool {
        self.lanes.is_some()
    }

    /// Builds the failure of a call.
    #[cold]
    fn failure(&self, vm: &mut VmContext<'_>, entry: (usize, usize)) -> Failure {
        if vm.call.has_panicked {
            return explain::internal_error(entry);
        }
        let site = &self.sites[vm.site as usize];
        let failure = site.failure(vm.details, vm.call.words.take(), entry);
        let context = &mut *vm.call.host.context;
        context.note_source(WorkSource::Lists, vm.looked.unsigned_abs());
        explain::with_work_source(failure, context.main_source())
    }
}
