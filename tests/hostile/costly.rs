//! Scripts with expensive calls: each API call is charged its cost.

use std::sync::{Arc, LazyLock};

use steerbox_core::sim::{Behavior, Failure, Frozen, Simulation, Slot, SuspendReason, UnitContext, work};
use steerbox_core::world::World;
use steerbox_scene as scene;
use steerbox_script::{Execution, NoLibrary, Program, Script, ScriptBehavior};

const UNITS: usize = 2000;
const BOTH: [Execution; 2] = [Execution::Native, Execution::Interpreted];

/// A crowd with a long path and many obstacles, one of them with many corners.
static WORLD: LazyLock<World> = LazyLock::new(build);

fn build() -> World {
    let points = (0..10_000).map(|at| format!("({}, {}),", at % 100, at / 100));
    let points = points.collect::<Vec<_>>().concat();
    let corners = (0..256).map(|at| {
        let (y, x) = libm::sincosf(at as f32 * std::f32::consts::TAU / 256.0);
        format!("({}, {}),", 50.0 + 9.0 * x, 50.0 + 9.0 * y)
    });
    let corners = corners.collect::<Vec<_>>().concat();
    let text = format!(
        "(world: Plane(size: (900, 900)), bodies: {{\"b\": Mover()}},
        views: {{\"all\": Around(radius: 2000), \"cone\": Cone(radius: 2000, angle: 300)}},
        paths: {{\"p\": (points: [{points}])}},
        obstacles: [Polygon(points: [{corners}])], scatter: [(count: 9000, radius: 1)],
        groups: [(name: \"a\", body: \"b\", count: {UNITS}, view: \"all\", sense: 2000)])"
    );
    let scene = scene::read("much.ron", &text).unwrap_or_else(|faults| panic!("{faults:#?}"));
    scene::build(&scene, None)
}

fn behavior(text: &str, execution: Execution) -> Arc<ScriptBehavior> {
    let script = Script::reviewed("costly.rhai", text, &NoLibrary, false);
    let program = script.and_then(|script| Program::fold(&script, &[]));
    let program = program.unwrap_or_else(|faults| panic!("{text}: {faults:#?}"));
    let behavior = ScriptBehavior::new(program, execution);
    assert_eq!(behavior.is_native(), execution == Execution::Native, "{text}");
    Arc::new(behavior)
}

fn steer(body: &str) -> String {
    format!("fn steer(me, world) {{ {body} }}")
}

/// Makes one call on a thread with the stack size that scripts may need; returns its failure and its work.
fn call(frozen: &Arc<Frozen>, text: &str, execution: Execution) -> (Option<Failure>, u64) {
    let work = || {
        let behavior = behavior(text, execution);
        let mut context = UnitContext::new(Arc::clone(frozen));
        context.set_unit(7);
        context.set_behavior(0, 1);
        let decided = behavior.decide(&mut context, &mut []);
        (decided.err(), context.work())
    };
    let thread = std::thread::Builder::new().stack_size(16 << 20);
    std::thread::scope(|scope| thread.spawn_scoped(scope, work).expect("a thread").join()).expect("no panic")
}

#[test]
fn an_expensive_call_is_stopped_and_its_main_cost_is_named() {
    let mut frozen = Frozen::new(WORLD.clone());
    frozen.sort();
    let frozen = Arc::new(frozen);
    let rows = [
        (
            "path",
            "let n = 0; for i in 0..4000 { if world.path(\"p\").nearest_point(vec(i,5)).x == n { n += 1; } } n",
        ),
        ("path", "let n = 0.0; for i in 0..4000 { n += world.path(\"p\").distance_along(vec(i,5)); } n"),
        ("obstacles", "let n = 0; for i in 0..400 { n += world.obstacles.within(1000 + i).len; } n"),
        (
            "obstacles",
            "let n = 0.0; let o = world.obstacles[0]; for i in 0..19000 { n += o.distance_to(vec(i, 5)); } n",
        ),
        (
            "obstacles",
            "let n = 0.0; let o = world.obstacles[0]; for i in 0..19000 { n += o.normal(vec(i, 5)).x; } n",
        ),
        (
            "obstacles",
            "let n = 0; let o = world.obstacles[0]; for i in 0..9000 { if o.ray(vec(i, 5), vec(1, 0), 900) != () { n += 1; } } n",
        ),
        (
            "lists",
            "let n = 0.0; let list = me.neighbors.within(99); for i in 0..9000 { n += list.len + list.mean_position.x + list.mean_velocity.x; } n",
        ),
        (
            "lists",
            "let n = 0.0; let list = me.see(\"cone\"); for i in 0..9000 { n += list.len + list.mean_position.x + list.mean_velocity.x; } n",
        ),
        ("lists", "let n = 0; for i in 0..19000 { if me.others.nearest != () { n += 1; } } n"),
    ];
    for (toll, body) in rows {
        for execution in BOTH {
            let (failure, work) = call(&frozen, &steer(body), execution);
            let failure = failure.unwrap_or_else(|| panic!("{body}, {execution:?}: {work}"));
            let help = failure.help.clone().unwrap_or_default();
            assert_eq!(failure.message, "one call took more than 100000 operations");
            assert!(failure.exhausted && help.contains(toll), "{body}: {failure:?}");
            // At most one query beyond the limit.
            let most = work::CALL + work::CALL / 10;
            assert!((work::CALL..most).contains(&work), "{body}: {work}");
        }
    }
}

#[test]
fn equal_queries_cost_the_same_after_any_queries() {
    let mut frozen = Frozen::new(WORLD.clone());
    frozen.sort();
    let frozen = Arc::new(frozen);
    let text = steer("let n = me.neighbors.nearest; me.others.mean_position - me.neighbors[3].position");
    for execution in BOTH {
        let behavior = behavior(&text, execution);
        let mut context = UnitContext::new(Arc::clone(&frozen));
        let mut taken = |anew: bool| {
            if anew {
                context.set_unit(7);
            }
            context.set_behavior(0, 1);
            behavior.decide(&mut context, &mut []).expect("it succeeds");
            context.work()
        };
        let first = taken(true);
        assert!(first > 1000, "{first}");
        assert_eq!(taken(false), first, "of one unit that asked already");
        assert_eq!(taken(true), first, "of one that others looked along with");
    }
}

/// Runs a group with an expensive and a cheap behavior; returns suspensions, messages, and the state hash after some
/// steps.
fn outcome(text: &str, execution: Execution, threads: usize) -> (Vec<Option<SuspendReason>>, String, u64) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(16 << 20);
    pool.build().expect("threads").install(|| {
        let harmless = behavior(&steer("vec(me.random(), 0)"), execution);
        let slots = vec![
            Slot::new("harmless", 1, Some(harmless)),
            Slot::new("costly", 2, Some(behavior(text, execution))),
        ];
        let mut simulation = Simulation::new(WORLD.clone(), vec![slots]);
        (0..2).for_each(|_| simulation.step());
        let suspended = simulation.slots(0).iter().map(Slot::suspended).collect();
        let reports = simulation.reports().iter();
        let told: Vec<_> =
            reports.map(|it| format!("{} {}: {}", it.script, it.failure.line, it.failure.message)).collect();
        (suspended, told.join("\n"), simulation.hash())
    })
}

#[test]
fn a_group_whose_calls_exceed_its_share_continues_without_that_behavior() {
    let exhausted = vec![None, Some(SuspendReason::Exhausted)];
    let rows = [
        "let n = 0.0; for i in 0..8000 { n += sin(i); } n",
        "let n = 0; for i in 0..20 { n += world.obstacles.within(300 + i).len; } n",
        "let n = 0.0; for i in 0..20 { n += world.path(\"p\").distance_along(vec(i, 5)); } n",
    ];
    let mut hashes = Vec::new();
    for body in rows {
        let text = format!("\n{}", steer(body));
        for execution in BOTH {
            let many: &[usize] = if body == rows[0] { &[1, 2, 4] } else { &[2] };
            for threads in many.iter().copied() {
                let (suspended, told, hash) = outcome(&text, execution, threads);
                assert_eq!(suspended, exhausted, "{body}, {execution:?}, {threads} threads");
                let words =
                    "costly 2: its calls for 2000 units took more than 2000000 operations in one step";
                assert_eq!(told, words, "{body}, {execution:?}, {threads} threads");
                hashes.push(hash);
            }
        }
    }
    hashes.dedup();
    assert_eq!(hashes.len(), 1, "{hashes:?}");
}
