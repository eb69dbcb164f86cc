//! Machine code: made, run, and given back.
#![allow(
    unsafe_code,
    reason = "calling compiled code, sharing it between threads and freeing it; each use says why it is sound"
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

use super::compile::{compile, is_bug};
use super::failure::Site;
use super::lanes::{CodeInfo, LaneContext};
use super::vm::VmContext;
use crate::script::api::{Host, HostCall};
use crate::script::explain;
use crate::script::program;
use crate::script::typed::form::Ir;
use crate::script::unsupported::Unsupported;
use crate::sim::work::{self, WorkSource};
use crate::sim::{BATCH, BatchDecisions, BatchMemory, Contribution, Failure, MAX_WORDS, UnitContext};

/// The processor that code is made for; `None` where there is no backend for it.
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

/// Compiled code takes the context and returns 0, or 1 if it failed.
type Entry = for<'a, 'b> unsafe extern "C" fn(&'a mut VmContext<'b>) -> i32;

/// Code for eight units takes their context.
type LanesEntry = for<'a, 'b> unsafe extern "C" fn(&'a mut LaneContext<'b>);

/// Fewest units for which code for eight is quicker than code for one.
const FEWEST: usize = 3;

/// Batches that are decided one by one after one of which code for eight units decided less than half.
const SKIPS: u32 = 15;

/// The compiled functions of one script.
pub(super) struct Code {
    entry: Entry,
    /// Code for eight units, if it can be made.
    lanes: Option<(LanesEntry, CodeInfo)>,
    sites: Vec<Site>,
    /// The strings of the script.
    texts: Vec<ImmutableString>,
    /// The same, if the code uses what they name; else nothing.
    names: Arc<[String]>,
    /// Holds the memory that `entry` points into.
    module: ManuallyDrop<JITModule>,
}

// SAFETY: after it is made, a module is only kept to be freed; nothing in it is reached through a
// shared reference but the finished code, which is read-only and writes to nothing but the context
// and memory that each call brings along.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: the module is taken once, here. Code runs only in `run`, which borrows `self`, so
        // that none is running now; and `entry`, the only way into it, goes with `self`.
        unsafe { ManuallyDrop::take(&mut self.module).free_memory() };
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Code").finish_non_exhaustive()
    }
}

impl Code {
    /// Compiles all functions of a script; `plane` tells that units are in a plane, mostly.
    ///
    /// # Errors
    /// When there is no backend for this processor, or it does not take the code.
    pub(super) fn of(form: &Ir, plane: bool) -> Result<Self, Unsupported> {
        let processor = PROCESSOR.as_ref();
        let processor = processor.ok_or_else(|| Unsupported::whole("anything, on this processor"))?;
        let builder = JITBuilder::with_isa(processor.clone(), default_libcall_names());
        let mut module = JITModule::new(builder);
        let (entry, lanes, shared) = match compile((form, plane), processor, &mut module) {
            Ok(compiled) => compiled,
            Err(error) => {
                // SAFETY: nothing of it was ever called.
                unsafe { module.free_memory() };
                debug_assert!(!is_bug(&error), "{error:?}");
                return Err(Unsupported::whole("something in it"));
            }
        };
        let address = module.get_finalized_function(entry);
        // SAFETY: `compile` gave this function the signature of `Entry` in the platform's calling
        // convention, and its memory lives as long as `module`.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(address) };
        let lanes = lanes.map(|(lanes, traits)| {
            let address = module.get_finalized_function(lanes);
            // SAFETY: as above, with the signature of `LanesEntry`.
            let lanes = unsafe { std::mem::transmute::<*const u8, LanesEntry>(address) };
            (lanes, traits)
        });
        let uses_names = shared.uses_names || lanes.is_some_and(|(_, traits)| traits.names);
        Ok(Self {
            entry,
            lanes,
            sites: shared.sites,
            texts: form.texts.iter().map(Into::into).collect(),
            names: if uses_names { form.texts.as_slice().into() } else { Arc::default() },
            module: ManuallyDrop::new(module),
        })
    }

    /// One call.
    ///
    /// # Errors
    /// When the script fails.
    #[allow(clippy::inline_always, reason = "a few nanoseconds on the way of every call")]
    #[inline(always)]
    pub(super) fn run(
        &self,
        context: &mut UnitContext,
        memory: &mut [u32],
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
        // SAFETY: the code was made from a checked form and reads and writes nothing but the context,
        // the arrays that it points to, at indices of units, groups, texts and fields of memory that
        // exist, and what the host returns. All of that outlives the call. Its recursion and its work are
        // limited, so that neither the stack nor time runs out.
        let status = unsafe { (self.entry)(&mut vm) };
        let left = vm.call.fuel;
        (vm.call.host.context).set_work((work::CALL as i64).saturating_sub(left).unsigned_abs());
        if status != 0 || vm.call.has_panicked {
            return Err(self.failure(&mut vm, entry.place));
        }
        let [x, y, z] = vm.returned;
        // Looked at while they are in registers: what is not used is zero.
        if !(x.is_finite() && y.is_finite() && z.is_finite()) {
            return Err(explain::not_finite(entry.place, &entry.not_finite));
        }
        Ok(Contribution::of_tag(vm.tag, vm.returned))
    }
}

impl Code {
    /// One call for the units of the context's batch: what it decides are those for which nothing failed.
    pub(super) fn run_batch(
        &self,
        context: &mut UnitContext,
        count: usize,
        memory: &mut BatchMemory<'_>,
        decisions: &mut BatchDecisions,
    ) {
        let Some((entry, traits)) = &self.lanes else {
            return;
        };
        let is_shown = context.is_recording() || context.is_watching();
        if decisions.skips > 0 {
            decisions.skips -= 1;
            return;
        }
        if count < FEWEST || memory.words.len() > MAX_WORDS || (traits.shows && is_shown) {
            return;
        }
        if traits.plane && !context.batch(traits.axes).planar {
            decisions.skips = SKIPS;
            return;
        }
        decisions.marks = Default::default();
        decisions.load_memory(memory);
        let names = if self.names.is_empty() { ptr::null() } else { context.name_ids(&self.names).as_ptr() };
        let arrays = ptr::from_ref(context.arrays());
        let batch = context.batch(traits.axes);
        let (used, units) = (*batch.used, *batch.units);
        let (position, velocity): (*const _, *const _) = (batch.position, batch.velocity);
        let axes: *const _ = batch.axes;
        let mut vm = LaneContext {
            used,
            is_shown,
            gave_up: 0,
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
        // SAFETY: as in `run`; positions, velocities and axes belong to the batch, which stays as it is while the
        // code runs. What the host returns stays until three other lists are asked for, or rows of another source or of
        // other obstacles, which no loop over them does.
        // Results and memory go to `decisions`, which nothing else reaches meanwhile.
        unsafe { entry(&mut vm) };
        if vm.gave_up != 0 {
            (decisions.decided, decisions.skips) = ([0; BATCH], SKIPS);
            return;
        }
        decisions.drop_invalid();
        if decisions.decided.iter().filter(|decided| **decided != 0).count() * 2 < count {
            decisions.skips = SKIPS;
        }
        decisions.store_memory(memory);
    }

    /// Whether it has code for eight units.
    #[cfg(test)]
    pub(super) fn has_lanes(&self) -> bool {
        self.lanes.is_some()
    }

    /// Why a call failed.
    #[cold]
    fn failure(&self, vm: &mut VmContext<'_>, entry: (usize, usize)) -> Failure {
        if vm.call.has_panicked {
            return explain::our_fault(entry);
        }
        let site = &self.sites[vm.site as usize];
        let failure = site.failure(vm.details, vm.call.words.take(), entry);
        let context = &mut *vm.call.host.context;
        context.note_source(WorkSource::Lists, vm.looked.unsigned_abs());
        explain::with_work_source(failure, context.main_source())
    }
}
