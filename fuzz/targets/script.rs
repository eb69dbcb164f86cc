//! Any text is learned as a script; one that compiles moves a few units, as machine code and interpreted,
//! and both come to the same.
#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use steerbox_core::sim::{Behavior, Simulation, Slot, slot_key};
use steerbox_core::world::World;
use steerbox_scene as scene;
use steerbox_script::{Execution, NoLibrary, Program, Role, Script, ScriptBehavior};

/// Scripts nest as deep as their limits allow, and checked builds take more stack for it.
static POOL: LazyLock<rayon::ThreadPool> = LazyLock::new(|| {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).stack_size(64 << 20);
    pool.build().expect("a thread")
});

static WORLD: LazyLock<World> = LazyLock::new(|| {
    let text = include_str!("../seeds/few.ron");
    scene::build(&scene::read("few.ron", text).expect("a sound scene"), None)
});

const STEPS: usize = 3;

fuzz_target!(|text: &str| {
    POOL.install(|| compare(text));
});

fn compare(text: &str) {
    // Read through as it is when a file is saved; what that refuses is run here all the same.
    let _ = Script::reviewed("fuzz.rhai", text, &NoLibrary, false);
    let Ok(script) = Script::compile("fuzz.rhai", text) else {
        return;
    };
    if script.role != Role::Behavior {
        return;
    }
    let Ok(program) = Program::fold(&script, &[]) else {
        return;
    };
    let native = ScriptBehavior::new(Arc::clone(&program), Execution::Native);
    let is_native = native.is_native();
    let mut native = simulation(&script, native);
    let mut interpreted = simulation(&script, ScriptBehavior::new(program, Execution::Interpreted));
    for step in 0..STEPS {
        interpreted.step();
        // The two ways count work differently, so from here on they may differ.
        if interpreted.reports().iter().any(ran_out) {
            return;
        }
        if !is_native {
            continue;
        }
        native.step();
        if native.reports().iter().any(ran_out) {
            return;
        }
        assert_eq!(native.reports(), interpreted.reports(), "in step {step}");
        assert_eq!(native.hash(), interpreted.hash(), "in step {step}");
    }
}

fn ran_out(report: &steerbox_core::sim::Report) -> bool {
    report.failure.exhausted && report.failure.message.contains("operations")
}

fn simulation(script: &Script, behavior: ScriptBehavior) -> Simulation {
    let mut world = WORLD.clone();
    world.marks.intern_all(&script.marks);
    let behavior: Arc<dyn Behavior> = Arc::new(behavior);
    let slot = |name| Slot::new(name, slot_key(name, 0), Some(Arc::clone(&behavior)));
    Simulation::new(world, vec![vec![slot("one")], vec![slot("two")]])
}
