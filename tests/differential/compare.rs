//! Runs a world in both execution modes, step by step, until the first difference.

use std::fmt::Debug;

use glam::Vec3;
use steerbox_core::sim::{Contribution, Drawing, Failure, Shape, Simulation, Slot};
use steerbox_core::world::World;
use xxhash_rust::xxh3::xxh3_64;

use crate::stage::on_threads;
use crate::watch::{Deed, Log};

/// A world and its behaviors in both execution modes.
pub(crate) struct Pair {
    pub(crate) world: World,
    pub(crate) native: Vec<Vec<Slot>>,
    pub(crate) interpreted: Vec<Vec<Slot>>,
}

/// Statistics of the calls of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) succeeded: usize,
    pub(crate) failed: usize,
    /// Number of calls that were decided in a batch.
    pub(crate) in_batches: usize,
    /// Number of calls that handled an event.
    pub(crate) events: usize,
    /// Number of calls that exceeded the work limit.
    pub(crate) exhausted: usize,
    /// A hash of state and reports of every step of one run, equal on all processors.
    pub(crate) digest: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Self) {
        self.succeeded += other.succeeded;
        self.failed += other.failed;
        self.exhausted += other.exhausted;
        self.events += other.events;
        self.in_batches += other.in_batches;
    }
}

impl Pair {
    /// Makes steps in both modes.
    ///
    /// # Errors
    /// The first difference.
    pub(crate) fn run(&self, steps: usize) -> Result<Tally, String> {
        on_threads(|| {
            let mut native = Side::new(&self.world, &self.native, false);
            let mut lanes = Side::new(&self.world, &self.native, true);
            let mut interpreted = Side::new(&self.world, &self.interpreted, false);
            let mut tally = Tally::default();
            for step in 1..=steps {
                // With drawings recorded, behaviors that draw are decided one by one.
                lanes.simulation.drawing = step % 2 == 0;
                let (deeds, batched, expected) = (native.step(), lanes.step(), interpreted.step());
                tally.in_batches += batched.iter().filter(|deed| deed.alone.is_none()).count();
                same_deeds(&batched, &deeds)
                    .and_then(|()| same_work(&batched, &deeds))
                    .and_then(|()| same_hashes(&lanes.simulation, &native.simulation))
                    .and_then(|()| {
                        let is_drawn = lanes.simulation.drawing;
                        if is_drawn { same_drawings(&lanes.simulation, &native.simulation) } else { Ok(()) }
                    })
                    .map_err(|difference| format!("eight at a time, in step {step}: {difference}"))?;
                for deed in &expected {
                    tally.events += usize::from(deed.is_event);
                    match deed.result {
                        Ok(_) => tally.succeeded += 1,
                        Err(ref failure) => {
                            tally.failed += 1;
                            tally.exhausted += usize::from(failure.exhausted);
                        }
                    }
                }
                same_deeds(&deeds, &expected)
                    .and_then(|()| same_work(&deeds, &expected))
                    .and_then(|()| same_states(&native.simulation, &interpreted.simulation))
                    .map_err(|difference| format!("in step {step}: {difference}"))?;
                let state = (tally.digest, native.simulation.hash(), native.simulation.reports());
                tally.digest = xxh3_64(format!("{state:?}").as_bytes());
            }
            Ok(tally)
        })
    }
}

/// An observed run in one execution mode.
struct Side {
    simulation: Simulation,
    log: Log,
}

impl Side {
    fn new(world: &World, slots: &[Vec<Slot>], in_batches: bool) -> Self {
        let log = Log::default();
        let slots = if in_batches { log.watch_batches(slots) } else { log.watch(slots) };
        let mut simulation = Simulation::new(world.clone(), slots);
        simulation.drawing = true;
        Self { simulation, log }
    }

    fn step(&mut self) -> Vec<Deed> {
        self.simulation.step();
        self.log.take()
    }
}

fn same_deeds(native: &[Deed], interpreted: &[Deed]) -> Result<(), String> {
    for (deed, expected) in native.iter().zip(interpreted) {
        let same = |what: &str, same: bool, native: &dyn Debug, interpreted: &dyn Debug| {
            let (script, unit) = (&expected.script, expected.unit);
            let what = format!("{what} of {script} for unit {unit}");
            differ(&what, same, native, interpreted)
        };
        let results = same_results(&deed.result, &expected.result);
        same("the result", results, &deed.result, &expected.result)?;
        let memory = deed.memory == expected.memory;
        same("the memory", memory, &deed.memory, &expected.memory)?;
        if let (Some(alone), Some(expected)) = (&deed.alone, &expected.alone) {
            let marks = alone.marks == expected.marks;
            same("the marks", marks, &alone.marks, &expected.marks)?;
            let draws = alone.next_draw == expected.next_draw;
            same("the next draw", draws, &alone.next_draw, &expected.next_draw)?;
        }
    }
    let (calls, expected) = (native.len(), interpreted.len());
    differ("the number of calls", calls == expected, &calls, &expected)
}

/// Compares the work of calls: it is equal for machine code, batched or not, and the interpreter.
fn same_work(deeds: &[Deed], expected: &[Deed]) -> Result<(), String> {
    for (deed, expected) in deeds.iter().zip(expected) {
        let what = format!("the work of {} for unit {}", expected.script, expected.unit);
        differ(&what, deed.work == expected.work, &deed.work, &expected.work)?;
    }
    Ok(())
}

fn same_hashes(a: &Simulation, b: &Simulation) -> Result<(), String> {
    differ("the reports", a.reports() == b.reports(), &a.reports(), &b.reports())?;
    differ("the state hash", a.hash() == b.hash(), &a.hash(), &b.hash())
}

fn same_drawings(a: &Simulation, b: &Simulation) -> Result<(), String> {
    let drawings = |simulation: &Simulation| simulation.drawings().cloned().collect::<Vec<_>>();
    let (drawn, expected) = (drawings(a), drawings(b));
    let same = drawn.len() == expected.len() && drawn.iter().zip(&expected).all(|(a, b)| same_drawing(a, b));
    differ("the drawings", same, &drawn, &expected)
}

fn same_states(native: &Simulation, interpreted: &Simulation) -> Result<(), String> {
    same_drawings(native, interpreted)?;
    let (reports, expected) = (native.reports(), interpreted.reports());
    differ("the reports", reports == expected, &reports, &expected)?;
    let (hash, expected) = (native.hash(), interpreted.hash());
    differ("the state hash", hash == expected, &hash, &expected)
}

fn differ(what: &str, same: bool, native: &dyn Debug, interpreted: &dyn Debug) -> Result<(), String> {
    if same {
        return Ok(());
    }
    Err(format!("{what} differs\n     native: {native:?}\ninterpreted: {interpreted:?}"))
}

fn same_results(a: &Result<Contribution, Failure>, b: &Result<Contribution, Failure>) -> bool {
    match (a, b) {
        (Ok(Contribution::None), Ok(Contribution::None)) => true,
        (Ok(Contribution::Turn(a)), Ok(Contribution::Turn(b))) => same_vectors(a.extend(0.0), b.extend(0.0)),
        (Ok(Contribution::Push(a)), Ok(Contribution::Push(b))) => same_vectors(*a, *b),
        (Err(a), Err(b)) => a == b,
        _ => false,
    }
}

fn same_drawing(a: &Drawing, b: &Drawing) -> bool {
    let same_shape = match (&a.shape, &b.shape) {
        (Shape::Line(a, b), Shape::Line(c, d)) => same_vectors(*a, *c) && same_vectors(*b, *d),
        (Shape::Circle(a, r), Shape::Circle(b, s)) => same_vectors(*a, *b) && same_numbers(*r, *s),
        (Shape::Text(a, text), Shape::Text(b, other)) => same_vectors(*a, *b) && text == other,
        _ => false,
    };
    same_shape && (a.unit, a.slot) == (b.unit, b.slot)
}

fn same_vectors(a: Vec3, b: Vec3) -> bool {
    (a.to_array().into_iter().zip(b.to_array())).all(|(a, b)| same_numbers(a, b))
}

/// Compares bits, so that 0 and −0 differ; all NaNs are equal.
fn same_numbers(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}
