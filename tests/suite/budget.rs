//! Work limits of steps: a behavior that exceeds its share is suspended, the same one on any number of threads, and a
//! canceled step has no effect.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use glam::Vec3;
use steerbox_core::sim::{
    Behavior, Contribution, Failure, FieldKind, MemoryLayout, Simulation, Slot, SuspendReason, UnitContext,
    work,
};
use steerbox_scene as scene;

use crate::common::on_threads;

const UNITS: usize = 1500;

/// Uses some work per unit, counts its calls in memory, and sets marks.
struct Working {
    work: fn(usize) -> u64,
    layout: MemoryLayout,
}

impl Working {
    fn slot(name: &str, work: fn(usize) -> u64) -> Slot {
        let mut layout = MemoryLayout::default();
        layout.push("count", FieldKind::Number, [0; 3]);
        Slot::new(name, 1, Some(Arc::new(Self { work, layout })))
    }
}

impl Behavior for Working {
    fn memory(&self) -> &MemoryLayout {
        &self.layout
    }

    fn decide(&self, context: &mut UnitContext, memory: &mut [u32]) -> Result<Contribution, Failure> {
        memory[0] += 1;
        context.charge((self.work)(context.unit()));
        context.mark(u64::from(memory[0]));
        Ok(Contribution::Push(Vec3::X * context.random()))
    }
}

fn simulation(slots: Vec<Slot>) -> Simulation {
    let text = format!(
        "(world: Plane(size: (90, 90)), bodies: {{\"b\": Mover()}}, groups: [(name: \"a\", body: \"b\", count: {UNITS})])"
    );
    let scene = scene::read("few.ron", &text).expect("a sound scene");
    Simulation::new(scene::build(&scene, None), vec![slots])
}

/// Slightly more and slightly less than a share.
fn over(_: usize) -> u64 {
    work::share(UNITS) / UNITS as u64 + 1
}

fn under(_: usize) -> u64 {
    work::share(UNITS) / UNITS as u64 - 1
}

fn for_one_unit(unit: usize) -> u64 {
    if unit == 700 { work::share(UNITS) + 1 } else { 0 }
}

#[test]
fn behaviors_above_their_share_are_suspended_on_any_number_of_threads() {
    let slots = || {
        vec![
            Working::slot("good", under),
            Working::slot("slow", over),
            Working::slot("once", for_one_unit),
            Working::slot("idle", |_| 0),
        ]
    };
    let mut alone = simulation(slots());
    for slot in [1, 2] {
        alone.tune(0, slot, 1.0, false);
    }
    (0..3).for_each(|_| alone.step());
    for threads in [1, 2, 4] {
        let simulation = on_threads(threads, || {
            let mut simulation = simulation(slots());
            (0..3).for_each(|_| simulation.step());
            simulation
        });
        let suspended: Vec<_> = simulation.slots(0).iter().map(Slot::suspended).collect();
        let exhausted = Some(SuspendReason::Exhausted);
        assert_eq!(suspended, [None, exhausted, exhausted, None], "{threads}");
        let told: Vec<_> = (simulation.reports().iter())
            .map(|report| (report.script.as_str(), report.unit, report.count, report.first_step))
            .collect();
        assert_eq!(told, [("slow", 0, 1, 1), ("once", 0, 1, 1)], "{threads}");
        assert!(simulation.reports()[0].failure.message.contains("operations in one step"));
        assert_eq!(simulation.hash(), alone.hash(), "with {threads} threads");
    }
}

#[test]
fn behaviors_below_their_share_are_not_suspended() {
    let mut simulation = simulation(vec![Working::slot("a", under), Working::slot("b", under)]);
    (0..5).for_each(|_| simulation.step());
    assert!(simulation.reports().is_empty(), "{:?}", simulation.reports());
}

/// Sets the cancel flag in a certain step when it decides for a certain unit.
struct Canceling(Arc<AtomicBool>);

impl Behavior for Canceling {
    fn decide(&self, context: &mut UnitContext, _: &mut [u32]) -> Result<Contribution, Failure> {
        if context.world().steps == 2 && context.unit() == 900 {
            self.0.store(true, Relaxed);
        }
        Ok(Contribution::Push(Vec3::Y))
    }
}

#[test]
fn a_canceled_step_does_not_change_the_state_and_can_be_repeated() {
    let cancel = Arc::new(AtomicBool::new(false));
    let slots = |cancel: &Arc<AtomicBool>| {
        let canceling = Slot::new("cancels", 2, Some(Arc::new(Canceling(Arc::clone(cancel)))));
        vec![Working::slot("good", under), canceling]
    };
    let mut straight = simulation(slots(&Arc::default()));
    (0..3).for_each(|_| straight.step());
    for threads in [1, 2] {
        cancel.store(false, Relaxed);
        let mut simulation = simulation(slots(&cancel));
        on_threads(threads, || {
            (0..2).for_each(|_| assert!(simulation.try_step(&cancel)));
            let before = simulation.hash();
            assert!(!simulation.try_step(&cancel), "it was canceled");
            assert_eq!((simulation.hash(), simulation.world().steps), (before, 2));
            assert!(simulation.decisions(5).all(|(_, it)| it == Contribution::None));
            assert!(simulation.reports().is_empty());
            assert!(!simulation.try_step(&cancel), "it still is");
            simulation.step();
        });
        assert_eq!(simulation.hash(), straight.hash());
    }
}

/// Migrates memory with a hundredth of the total work limit per unit.
struct Mapping(MemoryLayout);

impl Behavior for Mapping {
    fn memory(&self) -> &MemoryLayout {
        &self.0
    }

    fn reloaded(&self, _: (&MemoryLayout, &[u32]), memory: &mut [u32]) -> (Result<(), Failure>, u64) {
        memory[0] = 7;
        (Ok(()), work::share(UNITS) / 100)
    }

    fn decide(&self, _: &mut UnitContext, memory: &mut [u32]) -> Result<Contribution, Failure> {
        Ok(Contribution::Push(Vec3::X * memory[0] as f32))
    }
}

#[test]
fn memory_is_migrated_while_the_work_limit_of_a_step_permits() {
    let mut layout = MemoryLayout::default();
    layout.push("count", FieldKind::Number, [0; 3]);
    let mut slot = Slot::new("maps", 1, Some(Arc::new(Mapping(layout))));
    let mut simulation = simulation(vec![slot.clone()]);
    slot.renewed = true;
    simulation.replace_behaviors(vec![vec![slot]]);
    simulation.step();
    let mapped = (0..UNITS).filter(|unit| {
        let push = Contribution::Push(Vec3::X * 7.0);
        simulation.decisions(*unit).any(|(_, it)| it == push)
    });
    assert!(mapped.eq(0..100));
    let [report] = simulation.reports() else { panic!("{:?}", simulation.reports()) };
    assert_eq!((report.unit, report.count, report.suspended), (100, 1400, None));
}
