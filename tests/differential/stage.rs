//! Scripts prepared for both execution modes.

use std::sync::{Arc, LazyLock};

use steerbox_core::diagnostics::Fault;
use steerbox_core::sim::{Behavior, Slot, slot_key};
use steerbox_core::world::{ParamValue, World};
use steerbox_script::{Execution, Program, Script, ScriptBehavior, Unsupported, WorldForm};

use crate::cases::imports::Files;
use crate::common::number_of;
use crate::compare::Pair;

/// Scripts may need more stack than the thread of a test has.
static POOL: LazyLock<rayon::ThreadPool> = LazyLock::new(|| {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).stack_size(16 << 20);
    pool.build().expect("threads")
});

/// Runs `work` on threads with the stack size that scripts may need.
pub(crate) fn on_threads<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    POOL.install(work)
}

/// Returns seed and number of random programs, from `STEERBOX_SEED` and `STEERBOX_PROGRAMS`; by default 1 and `usual`.
///
/// # Panics
/// If one of them is not a number.
pub(crate) fn seed_and_programs(usual: u64) -> (u64, u64) {
    (number_of("STEERBOX_SEED", 1), number_of("STEERBOX_PROGRAMS", usual))
}

/// A script as a behavior in both execution modes.
pub(crate) struct Both {
    pub(crate) marks: Vec<String>,
    pub(crate) native: Arc<dyn Behavior>,
    /// The native behavior specialized for planes.
    in_plane: Arc<dyn Behavior>,
    pub(crate) interpreted: Arc<dyn Behavior>,
    /// The reason why it was not compiled, if so.
    pub(crate) unsupported: Option<Unsupported>,
    /// Number of loops over units in any order.
    pub(crate) reductions: usize,
    program: Arc<Program>,
}

impl Both {
    /// Compiles a script and folds `values` into it.
    pub(crate) fn of(text: &str, values: &[(String, ParamValue)]) -> Result<Self, Vec<Fault>> {
        let script = Script::compile_with("test.rhai", text, &Files, false)?;
        let program = Program::fold(&script, values)?;
        let native = ScriptBehavior::new(Arc::clone(&program), Execution::Native);
        let in_plane = ScriptBehavior::in_plane(Arc::clone(&program), Execution::Native);
        let interpreted = ScriptBehavior::new(Arc::clone(&program), Execution::Interpreted);
        assert!(!interpreted.is_native(), "asked for the interpreter");
        Ok(Self {
            unsupported: native.unsupported().cloned(),
            reductions: script.unit_loops().iter().filter(|it| it.nearest_first.is_none()).count(),
            marks: script.marks,
            native: Arc::new(native),
            in_plane: Arc::new(in_plane),
            interpreted: Arc::new(interpreted),
            program,
        })
    }

    /// Returns a world in which the first group runs the script once and the second twice, for any world and for planes.
    pub(crate) fn in_world(&self, mut world: World) -> Pair {
        world.marks.intern_all(&self.marks);
        for (unit, born) in world.units.born.iter_mut().enumerate() {
            *born = unit as u64 % 3;
        }
        let slots = |one: &Arc<dyn Behavior>, other: &Arc<dyn Behavior>| {
            let slot =
                |name, behavior: &Arc<_>| Slot::new(name, slot_key(name, 0), Some(Arc::clone(behavior)));
            vec![vec![slot("once", one)], vec![slot("first", one), slot("second", other)]]
        };
        let native = if world.groups.iter().all(|group| group.drawn.is_empty()) {
            slots(&self.native, &self.in_plane)
        } else {
            let varied = |plane| {
                let form = WorldForm { plane, varied: true };
                let behavior = ScriptBehavior::in_world(Arc::clone(&self.program), Execution::Native, form);
                Arc::new(behavior) as Arc<dyn Behavior>
            };
            slots(&varied(false), &varied(true))
        };
        Pair { native, interpreted: slots(&self.interpreted, &self.interpreted), world }
    }
}
