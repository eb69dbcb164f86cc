//! The decide phase: runs every behavior of every unit in parallel, each into its own slot.

use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use glam::Vec3;
use rayon::iter::ParallelIterator;

use super::batch::{BATCH, BatchDecisions, BatchMemory};
use super::batch_steering::BatchSteering;
use super::behavior::Behavior;
use super::blend::blend;
use super::claims::Claims;
use super::context::UnitContext;
use super::contribution::StoredContribution;
use super::decisions::{DecisionRows, RowShape, UnitDecision, copy_row};
use super::failure::{Failure, UnitFailure};
use super::frozen::Frozen;
use super::group_behaviors::GroupBehaviors;
use super::memory_table::MemoryTable;
use super::recording::{Recorded, Recording};
use super::slot::{Slot, is_ordered};
use super::work::{self, StepBudget, ThreadWork};
use super::workers::Workers;
use crate::dynamics::Steering;
use crate::perception::Grid;
use crate::world::{Blend, Group, World};

/// Minimum and maximum number of units per parallel task.
const CHUNK: (usize, usize) = (32, 192);
/// Number of chunks per thread, for load balance: behaviors may cost more for some units than for others.
const CHUNKS_PER_THREAD: usize = 8;
/// Number of rows before a chunk's maximum end that are searched for the end of a batch.
const BOUNDARY_SEARCH: usize = 32;

/// Inputs of the decide phase that all groups share.
#[derive(Clone, Copy)]
pub(super) struct StepInputs<'a> {
    pub(super) frozen: &'a Arc<Frozen>,
    pub(super) workers: &'a Workers,
    pub(super) recorded: Recorded,
    /// The claims of the step so far.
    pub(super) claims: &'a Mutex<Claims>,
    /// Cancels the step when set.
    pub(super) cancel: &'a AtomicBool,
}

/// Runs all behaviors of group `group` on the frozen state. Returns the failures in the order of units, or `None` if
/// the step was canceled. Memory is not stored yet.
///
/// A behavior that exceeds its share of a step is removed, and the others run again as if it did not exist. Its failure
/// is reported for the first unit of the group.
pub(super) fn decide(
    inputs: StepInputs<'_>,
    group: usize,
    behaviors: &mut GroupBehaviors,
) -> Option<Vec<UnitFailure>> {
    let (frozen, workers) = (inputs.frozen, inputs.workers);
    let shape = behaviors.row_shape(&frozen.world);
    let GroupBehaviors { slots, memory, buffers, recording, .. } = behaviors;
    let mut plan = Plan::new(&frozen.world, group, (slots, memory), shape);
    let units = buffers.units.len();
    let chunk = units / (CHUNKS_PER_THREAD * rayon::current_num_threads());
    let chunk = chunk.clamp(CHUNK.0, CHUNK.1);
    let mut failures = Vec::new();
    let claims = || inputs.claims.lock().unwrap_or_else(PoisonError::into_inner);
    let mark = is_ordered(slots).then(|| claims().mark());
    let results = loop {
        if let Some(mark) = mark {
            claims().undo(mark);
        }
        let budget = StepBudget::new(plan.tasks.len(), units, inputs.cancel);
        let results: Vec<ChunkResult> = (buffers.chunks(shape, |units| {
            if mark.is_some() { units.len() } else { chunk_length(units, chunk, &frozen.grid) }
        }))
        .map(|mut rows| {
            let work = |context: &mut UnitContext| {
                // A group that decides in order is one chunk.
                let mut claims = mark.map(|_| claims());
                if let Some(claims) = &mut claims {
                    std::mem::swap(&mut context.claims, claims);
                }
                let result = plan.decide(context, &mut rows, &budget);
                if let Some(claims) = &mut claims {
                    std::mem::swap(&mut context.claims, claims);
                }
                result
            };
            workers.with_context(frozen, inputs.recorded, work)
        })
        .collect();
        if budget.continues() {
            break results;
        }
        if budget.is_canceled() {
            return None;
        }
        let slow: Vec<_> = budget.exceeded().collect();
        for at in slow.into_iter().rev() {
            let task = plan.tasks.remove(at);
            let none = Recorded::default();
            failures.push(workers.with_context(frozen, none, |context| plan.too_slow(context, &task)));
        }
    };
    workers.release();
    recording.clear();
    for mut results in results {
        failures.append(&mut results.failures);
        recording.append(&mut results.recording);
    }
    // Rows are in slot order; callers see unit order.
    failures.sort_by_key(|failure| (failure.unit, failure.slot));
    recording.sort();
    Some(failures)
}

/// Returns the number of units in the next chunk, at most `max` (at least the size of a batch). Chunks end at batch
/// boundaries, since a split batch costs as much as two.
fn chunk_length(units: &[[u32; 2]], max: usize, grid: &Grid) -> usize {
    if units.len() <= max {
        return units.len();
    }
    let slot = |at: usize| units[at][1] as usize;
    let is_break = |at: &usize| *at == 0 || grid.batch_len([slot(at - 1), slot(*at)].into_iter()) == 1;
    let last = (max.saturating_sub(BOUNDARY_SEARCH)..=max).rev().find(is_break).unwrap_or(0);
    last + (max - last) / BATCH * BATCH
}

/// Results of a chunk in addition to its rows.
struct ChunkResult {
    failures: Vec<UnitFailure>,
    recording: Recording,
}

/// The behaviors of a group with their data, prepared once per step.
struct Plan<'a> {
    tasks: Vec<Task<'a>>,
    shape: RowShape,
    /// In unit order.
    memory: &'a MemoryTable,
    slots: &'a [Slot],
    group: &'a Group,
    world: &'a World,
}

/// An active behavior.
struct Task<'a> {
    behavior: &'a dyn Behavior,
    slot: usize,
    key: u64,
    /// Its words in a row of memory.
    words: Range<usize>,
}

impl<'a> Plan<'a> {
    fn new(
        world: &'a World,
        group: usize,
        (slots, memory): (&'a [Slot], &'a MemoryTable),
        shape: RowShape,
    ) -> Self {
        let task = |(at, slot): (usize, &'a Slot)| {
            Some(Task { behavior: slot.active()?, slot: at, key: slot.key, words: memory.range(at) })
        };
        Self {
            tasks: slots.iter().enumerate().filter_map(task).collect(),
            shape,
            memory,
            slots,
            group: &world.groups[group],
            world,
        }
    }

    /// Reads the data that most behaviors read first. Units that are close in space are scattered in memory; a separate
    /// loop overlaps the cache misses.
    fn prefetch(&self, rows: &[[u32; 2]]) {
        let sum = rows.iter().fold(Vec3::ZERO, |sum, [unit, _]| {
            sum + self.world.units.position[*unit as usize] + self.world.units.velocity[*unit as usize]
        });
        std::hint::black_box(sum);
    }

    fn decide(
        &self,
        context: &mut UnitContext,
        rows: &mut DecisionRows<'_>,
        budget: &StepBudget<'_>,
    ) -> ChunkResult {
        let mut failures = Vec::new();
        let mut work = std::mem::take(&mut context.work_of_thread);
        work.reset(self.tasks.len());
        if self.tasks.len() < self.shape.slots {
            rows.contributions.fill(StoredContribution::NONE);
        }
        let mut decided = std::mem::take(&mut context.decided_of_thread);
        decided.resize_with(self.tasks.len(), BatchDecisions::default);
        let (mut row, mut continues) = (0, budget.continues());
        while row < rows.units.len() && continues {
            let count = context.start_batch(&rows.units[row..]);
            let mut batch = rows.part(row..row + count, self.shape);
            self.decide_batch(context, &mut batch, &mut decided);
            continues = if decided.iter().all(|task| task.are_all_decided(count)) {
                self.store_batch(&mut batch, &decided, &mut work);
                work.flush_if_due(budget)
            } else {
                self.prefetch(batch.units);
                (0..count).all(|lane| {
                    self.decide_unit(context, (lane, &mut batch), &decided, &mut work, &mut failures);
                    work.flush_if_due(budget)
                })
            };
            row += count;
        }
        work.flush(budget);
        context.work_of_thread = work;
        context.decided_of_thread = decided;
        let recording = context.recording.take();
        ChunkResult { failures, recording }
    }

    /// Stores the decisions of a batch in which every behavior decided for all units. Such behaviors set no signals and
    /// deposit nothing.
    fn store_batch(&self, rows: &mut DecisionRows<'_>, decided: &[BatchDecisions], work: &mut ThreadWork) {
        let count = rows.units.len();
        for (at, (task, decided)) in self.tasks.iter().zip(decided).enumerate() {
            work.add(at, decided.work[..count].iter().map(|work| u64::from(*work)).sum());
            let contributions = rows.contributions.chunks_exact_mut(self.shape.slots.max(1));
            for (contributions, decided) in contributions.zip(decided.contributions()) {
                contributions[task.slot] = decided;
            }
        }
        if self.shape.signals > 0 {
            for ([unit, _], signals) in
                rows.units.iter().zip(rows.signals.chunks_exact_mut(self.shape.signals))
            {
                signals.copy_from_slice(self.world.units.signals.of(*unit as usize));
            }
        }
        rows.deposits.fill(0.0);
        let marks = BatchDecisions::all_marks(decided);
        if self.group.blend == Blend::Sum {
            let gains = self.tasks.iter().map(|task| self.slots[task.slot].gain);
            let sums = BatchSteering::sum(gains.zip(decided));
            for (lane, decision) in rows.decisions.iter_mut().enumerate() {
                *decision = UnitDecision { marks: marks[lane], steering: sums.of(lane) };
            }
            return;
        }
        let contributions = rows.contributions.chunks_exact(self.shape.slots.max(1));
        for (lane, (decision, contributions)) in rows.decisions.iter_mut().zip(contributions).enumerate() {
            *decision = UnitDecision { marks: marks[lane], steering: self.blend(contributions) };
        }
    }

    /// Decides for one unit of a batch, reusing its lane of batch decisions.
    fn decide_unit(
        &self,
        context: &mut UnitContext,
        (lane, rows): (usize, &mut DecisionRows<'_>),
        decided: &[BatchDecisions],
        work: &mut ThreadWork,
        failures: &mut Vec<UnitFailure>,
    ) {
        let RowShape { slots, memory: stride, signals, deposits } = self.shape;
        let unit = rows.units[lane][0] as usize;
        let memory = &mut rows.memory[lane * stride..][..stride];
        let contributions = &mut rows.contributions[lane * slots..][..slots];
        context.set_unit_in_batch(unit, lane);
        for (at, task) in self.tasks.iter().enumerate() {
            if decided[at].is_decided(lane) {
                contributions[task.slot] = decided[at].contribution(lane);
                context.mark(decided[at].marks(lane));
                work.add(at, u64::from(decided[at].work[lane]));
                continue;
            }
            context.set_behavior(task.slot, task.key);
            let memory = &mut memory[task.words.clone()];
            let result = task.behavior.decide(context, memory);
            work.add(at, context.work());
            match result {
                Ok(contribution) if contribution.is_finite() => {
                    contributions[task.slot] = contribution.into();
                }
                result => {
                    contributions[task.slot] = StoredContribution::NONE;
                    let failure = result.err().unwrap_or_else(Failure::not_finite);
                    failures.push(UnitFailure { unit, slot: task.slot, failure });
                }
            }
        }
        if signals > 0 {
            rows.signals[lane * signals..][..signals].copy_from_slice(context.signals());
        }
        rows.deposits[lane * deposits..][..deposits].copy_from_slice(context.deposits());
        rows.decisions[lane] = UnitDecision { marks: context.marks(), steering: self.blend(contributions) };
    }

    #[inline]
    fn blend(&self, contributions: &[StoredContribution]) -> Steering {
        blend(self.group, self.slots, contributions.iter().map(|it| it.get()))
    }

    /// Copies the memory of a batch, and runs the behaviors that support batches.
    fn decide_batch(
        &self,
        context: &mut UnitContext,
        rows: &mut DecisionRows<'_>,
        decided: &mut [BatchDecisions],
    ) {
        let (stride, first) = (self.shape.memory, self.group.units.start);
        if !self.memory.is_empty() {
            for ([unit, _], row) in rows.units.iter().zip(rows.memory.chunks_exact_mut(stride)) {
                copy_row(row, self.memory.row(*unit as usize - first));
            }
        }
        // Queries of batches do not distinguish carriers, which perceive other obstacles.
        let carries = |[unit, _]: &[u32; 2]| self.world.carries(*unit as usize);
        if !self.world.carriers.is_empty() && rows.units.iter().any(carries) {
            for decided in decided {
                decided.decided = [0; BATCH];
            }
            return;
        }
        context.set_unit_in_batch(rows.units[0][0] as usize, 0);
        for (task, decided) in self.tasks.iter().zip(decided) {
            decided.decided = [0; BATCH];
            context.set_behavior(task.slot, task.key);
            let mut memory = BatchMemory { rows: &mut *rows.memory, stride, words: task.words.clone() };
            task.behavior.decide_batch(context, rows.units, &mut memory, decided);
        }
    }

    /// Returns the failure of a behavior that exceeded its share: that of its call for the first unit if it exceeds a
    /// limit, else the total of all calls.
    fn too_slow(&self, context: &mut UnitContext, task: &Task<'_>) -> UnitFailure {
        let (unit, slot) = (self.group.units.start, task.slot);
        let mut memory = self.memory.row(0).get(task.words.clone()).unwrap_or(&[]).to_vec();
        context.set_unit(unit);
        context.set_behavior(slot, task.key);
        let alone = task.behavior.decide(context, &mut memory).err();
        context.recording.clear();
        let failure = alone.filter(|failure| failure.exhausted);
        let failure = failure.unwrap_or_else(|| {
            let (line, column) = task.behavior.place();
            let all = work::too_slow(self.group.units.len());
            Failure { line, column, ..all }
        });
        UnitFailure { unit, slot, failure }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Contribution, FieldKind, MemoryLayout, Shape, Simulation, number_words};
    use crate::world::{Edges, testing};

    /// Counts steps in its memory from the unit's number on, draws the count, and fails for every seventh unit.
    struct Counter(MemoryLayout);

    impl Behavior for Counter {
        fn memory(&self) -> &MemoryLayout {
            &self.0
        }

        fn decide(&self, context: &mut UnitContext, memory: &mut [u32]) -> Result<Contribution, Failure> {
            let unit = context.unit();
            let steps = context.world().steps as u32;
            let before = if steps == 0 { 0 } else { unit as u32 + steps };
            assert_eq!(memory[0], before, "the memory of unit {unit}");
            memory[0] = unit as u32 + steps + 1;
            context.mark(unit as u64);
            context.draw(|| Shape::Circle(Vec3::ZERO, unit as f32));
            match unit % 7 {
                6 => Err(Failure::not_finite()),
                _ => Ok(Contribution::Push(Vec3::X * (unit + 1) as f32)),
            }
        }
    }

    /// Two groups spread over a plane, so that slot order differs from unit order.
    fn world(count: usize) -> World {
        let mut world = testing::world(&[count, count], 1.0, |_, draw| {
            (Vec3::new(draw(0), draw(1), 0.0) * 20.0, Vec3::ZERO)
        });
        world.arena = testing::plane(20.0, 20.0, Edges::Wrap);
        world.arena.seamless = true;
        world
    }

    #[test]
    fn chunks_end_at_batch_boundaries() {
        // Rows of cells hold fewer units than the search range for boundaries.
        let world = world(200);
        let mut grid = Grid::default();
        grid.rebuild(&world);
        let rows: Vec<_> = grid.order().iter().copied().zip(0..).map(|(unit, slot)| [unit, slot]).collect();
        let batches = |mut rows: &[[u32; 2]]| {
            let mut count = 0;
            while !rows.is_empty() {
                let slots = rows.iter().take(BATCH).map(|row| row[1] as usize);
                (rows, count) = (&rows[grid.batch_len(slots)..], count + 1);
            }
            count
        };
        for max in CHUNK.0..CHUNK.1 {
            let (mut left, mut cut) = (&*rows, 0);
            while !left.is_empty() {
                let (chunk, after) = left.split_at(chunk_length(left, max, &grid));
                assert!(after.is_empty() || chunk.len() > max - BATCH && chunk.len() <= max);
                (left, cut) = (after, cut + batches(chunk));
            }
            assert_eq!(cut, batches(&rows), "chunks of {max}");
        }
    }

    #[test]
    fn results_are_in_unit_order_for_any_order_of_deciding() {
        let mut layout = MemoryLayout::default();
        layout.push("count", FieldKind::Number, number_words(0.0));
        let counter: Arc<dyn Behavior> = Arc::new(Counter(layout));
        let slots = || vec![Slot::new("counter", 1, Some(Arc::clone(&counter)))];
        let mut simulation = Simulation::new(world(500), vec![slots(), slots()]);
        simulation.drawing = true;
        for step in 1..4 {
            simulation.step();
            let drawn: Vec<_> = simulation.drawings().map(|drawing| drawing.unit).collect();
            assert!(drawn.iter().copied().eq(0..1000), "{drawn:?}");
            for unit in 0..1000 {
                let decided: Vec<_> = simulation.decisions(unit).map(|(_, it)| it).collect();
                let push = Contribution::Push(Vec3::X * (unit + 1) as f32);
                let expected = if unit % 7 == 6 { Contribution::None } else { push };
                assert_eq!(decided, [expected], "unit {unit}");
                assert_eq!(simulation.world().units.marks[unit], unit as u64);
            }
            let struck: Vec<_> = simulation.reports().iter().map(|report| report.unit).collect();
            assert_eq!(struck, [6, 503], "in step {step}");
        }
    }
}
