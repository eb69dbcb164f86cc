//! Loads and runs one script, and measures time and memory.

use std::sync::Arc;
use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;
use steerbox_core::sim::{Behavior, Frozen, UnitContext};
use steerbox_project::reload::{LoadError, Place, Project};
use steerbox_scene as scene;
use steerbox_script::{Execution, NoLibrary, Program, Script, ScriptBehavior};

/// Counts every byte of this program.
#[global_allocator]
pub(crate) static ALLOCATED: PeakAlloc = PeakAlloc;

/// The outcome of a script.
#[allow(dead_code, reason = "the benchmark prints fields that the test does not check, and vice versa")]
pub(crate) struct Seen {
    /// Duration of loading, folding and compiling.
    pub(crate) load: Duration,
    /// Duration of the longest call.
    pub(crate) call: Duration,
    /// Maximum of allocated bytes, above the initial ones.
    pub(crate) memory: usize,
    /// The reason of a rejection.
    pub(crate) refused: Option<String>,
    /// The failure of the last call.
    pub(crate) failed: Option<String>,
    /// True if it ran as machine code.
    pub(crate) native: bool,
}

/// A few units in a plane.
pub(crate) fn state() -> Arc<Frozen> {
    let text = "(world: Plane(size: (90, 90)), bodies: {\"b\": Mover()}, views: {\"v\": Around(radius: 20)},
        groups: [(name: \"a\", body: \"b\", count: 40, view: \"v\")], obstacles: [Circle(center: (9, 9), radius: 3)])";
    let scene = scene::read("few.ron", text).expect("a sound scene");
    let mut frozen = Frozen::new(scene::build(&scene, None));
    frozen.sort();
    Arc::new(frozen)
}

/// Loads and starts a scene; returns the first fault if it is invalid, and the duration.
pub(crate) fn load(text: &str) -> (Result<(), String>, Duration) {
    let text: Arc<str> = text.into();
    let start = Instant::now();
    let mut project =
        Project::new(Place { scene: Some("hostile.ron".into()), ..Place::built_in("hostile.ron") });
    project.set_scene(Some(Ok(text)));
    let composed = project.compose().map(|generation| {
        drop(generation.start(None));
    });
    let told = composed.map_err(|LoadError(faults)| faults[0].message.clone());
    (told, start.elapsed())
}

/// Loads a script and calls it for some units, on a thread with the stack size that scripts may need.
pub(crate) fn watch(frozen: &Arc<Frozen>, text: &str, execution: Execution) -> Seen {
    let work = || watched(frozen, text, execution);
    let thread = std::thread::Builder::new().stack_size(16 << 20);
    std::thread::scope(|scope| {
        let thread = thread.spawn_scoped(scope, work).expect("a thread");
        thread.join().expect("no panic")
    })
}

fn watched(frozen: &Arc<Frozen>, text: &str, execution: Execution) -> Seen {
    let mut context = UnitContext::new(Arc::clone(frozen));
    ALLOCATED.reset_peak_usage();
    let before = ALLOCATED.current_usage();
    let start = Instant::now();
    let loaded = Script::reviewed("hostile.rhai", text, &NoLibrary, false)
        .and_then(|script| Program::fold(&script, &[]))
        .map(|program| ScriptBehavior::new(program, execution));
    let mut seen = Seen {
        load: start.elapsed(),
        call: Duration::ZERO,
        memory: 0,
        refused: None,
        failed: None,
        native: false,
    };
    match loaded {
        Err(faults) => seen.refused = Some(faults[0].message.clone()),
        Ok(behavior) => {
            seen.native = behavior.is_native();
            call(&behavior, &mut context, &mut seen);
        }
    }
    seen.memory = ALLOCATED.peak_usage().saturating_sub(before);
    seen
}

fn call(behavior: &ScriptBehavior, context: &mut UnitContext, seen: &mut Seen) {
    let mut memory = vec![0; behavior.memory().words()];
    for unit in 0..3 {
        context.set_unit(unit);
        context.set_behavior(0, 1);
        behavior.memory().reset(&mut memory);
        let start = Instant::now();
        let decided = behavior.decide(context, &mut memory);
        seen.call = seen.call.max(start.elapsed());
        seen.failed = decided.err().map(|failure| failure.message);
    }
}
