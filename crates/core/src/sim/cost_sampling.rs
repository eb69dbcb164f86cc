//! Measurement of the cost of behaviors by sampling: at intervals, some units of a group decide again on copies of the
//! memory.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::batch::{BATCH, BatchDecisions, BatchMemory};
use super::context::UnitContext;
use super::costs::RuleCost;
use super::frozen::Frozen;
use super::group_behaviors::GroupBehaviors;
use crate::world::Extrema;

/// Number of steps between samples.
pub(super) const SAMPLE_INTERVAL: u64 = 32;
/// Maximum number of units in a sample of a group, and the maximum time of a sample.
const SAMPLE_SIZE: usize = 32;
const MAX_SAMPLE_TIME: Duration = Duration::from_millis(1);
/// If the first batch takes longer, it is the only one in the sample.
const SLOW_BATCH: Duration = Duration::from_micros(100);

/// Returns the measured cost of every behavior.
pub(super) fn all_costs(groups: &[GroupBehaviors]) -> Vec<RuleCost> {
    let units = |group: &GroupBehaviors| group.buffers.units.len() as f32;
    let all = groups.iter().map(|group| {
        let rules: f32 = group.costs.rules.iter().flatten().sum();
        (rules + group.costs.shared) * units(group)
    });
    let all = all.sum::<f32>().greater(f32::MIN_POSITIVE);
    let costs = groups.iter().enumerate().flat_map(|(at, group)| {
        let rules = group.costs.rules.iter().enumerate();
        rules.filter_map(move |(slot, nanoseconds)| {
            let nanoseconds = (*nanoseconds)?;
            Some(RuleCost { group: at, slot, nanoseconds, share: nanoseconds * units(group) / all })
        })
    });
    costs.collect()
}

/// Measures the behaviors of a group on a sorted state. Only the measured costs change.
pub(super) fn measure(frozen: &Arc<Frozen>, group: &mut GroupBehaviors) {
    let Some(first) = group.buffers.units.first() else {
        return;
    };
    let start = frozen.world.group_of(first[0] as usize).units.start;
    let active: Vec<_> = (0..group.slots.len()).filter(|at| group.slots[*at].active().is_some()).collect();
    let rows = sampled_rows(&group.buffers.units, frozen.world.steps);
    let context = UnitContext::new(Arc::clone(frozen));
    let mut calls = Calls { context, group, start, memory: Vec::new(), decided: Vec::new() };
    // Warm-up: the first calls include cache misses, and estimate the duration.
    let begin = Instant::now();
    calls.decide(&rows[..1], &active);
    let limit = if begin.elapsed() > SLOW_BATCH { 1 } else { rows.len() };
    let mut times = vec![Duration::ZERO; active.len() + 1];
    let (mut done, begin) = (0, Instant::now());
    while done < limit && begin.elapsed() < MAX_SAMPLE_TIME {
        let batch = &rows[done..limit];
        let count = calls.decide(batch, &active);
        // The cost of behavior n is the difference between the times of the first n + 1 and the first n behaviors.
        for (count, time) in times.iter_mut().enumerate() {
            *time += calls.time(batch, &active[..count]);
        }
        done += count;
    }
    let of_unit = |time: Duration| time.as_secs_f32() * 1e9 / done.max(1) as f32;
    let mut rules = vec![None; group.slots.len()];
    for (slot, pair) in active.iter().zip(times.windows(2)) {
        rules[*slot] = Some(of_unit(pair[1].saturating_sub(pair[0])));
    }
    group.costs.add(&rules, of_unit(times[0]));
}

/// Returns consecutive rows, different ones in each sample.
fn sampled_rows(rows: &[[u32; 2]], steps: u64) -> &[[u32; 2]] {
    let count = rows.len().saturating_sub(SAMPLE_SIZE) as u64 + 1;
    // A prime stride visits all positions of most groups.
    let from = (steps / SAMPLE_INTERVAL).wrapping_mul(7919) % count;
    &rows[from as usize..][..SAMPLE_SIZE.min(rows.len())]
}

/// Repeated calls of behaviors, whose results are discarded.
struct Calls<'a> {
    context: UnitContext,
    group: &'a GroupBehaviors,
    /// The first unit of the group.
    start: usize,
    memory: Vec<u32>,
    decided: Vec<BatchDecisions>,
}

impl Calls<'_> {
    /// Runs some behaviors for the batch that starts with the first row, as [`super::decide`] does. Returns the size of
    /// the batch.
    fn decide(&mut self, rows: &[[u32; 2]], slots: &[usize]) -> usize {
        let (group, stride) = (self.group, self.group.memory.stride());
        let count = self.context.start_batch(rows);
        let rows = &rows[..count];
        self.memory.clear();
        for [unit, _] in rows {
            self.memory.extend_from_slice(group.memory.row(*unit as usize - self.start));
        }
        let behaviors = || slots.iter().filter_map(|at| Some((*at, group.slots[*at].active()?)));
        self.context.set_unit_in_batch(rows[0][0] as usize, 0);
        self.decided.resize_with(slots.len(), BatchDecisions::default);
        for ((at, behavior), decided) in behaviors().zip(&mut self.decided) {
            decided.decided = [0; BATCH];
            self.context.set_behavior(at, group.slots[at].key);
            let mut memory = BatchMemory { rows: &mut self.memory, stride, words: group.memory.range(at) };
            behavior.decide_batch(&mut self.context, rows, &mut memory, decided);
        }
        for (lane, [unit, _]) in rows.iter().enumerate() {
            self.context.set_unit_in_batch(*unit as usize, lane);
            for ((at, behavior), decided) in behaviors().zip(&self.decided) {
                if decided.is_decided(lane) {
                    continue;
                }
                self.context.set_behavior(at, group.slots[at].key);
                let row = self.memory.get_mut(lane * stride..).unwrap_or_default();
                let words = row.get_mut(group.memory.range(at)).unwrap_or_default();
                let _ = std::hint::black_box(behavior.decide(&mut self.context, words));
            }
        }
        count.max(1)
    }

    /// Returns the duration of these calls: the minimum of two, to reduce interference by other processes.
    fn time(&mut self, rows: &[[u32; 2]], slots: &[usize]) -> Duration {
        let mut once = || {
            let begin = Instant::now();
            self.decide(rows, slots);
            begin.elapsed()
        };
        once().min(once())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Behavior, Contribution, FieldKind, MemoryLayout, Simulation, Slot, number_words};
    use crate::world::testing;
    use glam::Vec3;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn samples_cover_the_whole_group() {
        let rows: Vec<_> = (0..1000).map(|unit| [unit, unit]).collect();
        let firsts: std::collections::BTreeSet<_> =
            (0..100).map(|at| sampled_rows(&rows, at * SAMPLE_INTERVAL)[0][0]).collect();
        assert!(firsts.len() > 90 && firsts.iter().any(|first| *first > 800), "{firsts:?}");
        assert_eq!(sampled_rows(&rows[..3], 77).len(), 3);
    }

    /// Counts its calls; its contribution depends on its memory and on random draws.
    struct Counted(MemoryLayout, Arc<AtomicUsize>);

    impl Behavior for Counted {
        fn memory(&self) -> &MemoryLayout {
            &self.0
        }

        fn decide(
            &self,
            context: &mut UnitContext,
            memory: &mut [u32],
        ) -> Result<Contribution, crate::sim::Failure> {
            self.1.fetch_add(1, Ordering::Relaxed);
            memory[0] += 1;
            context.mark(1);
            context.set_signal(0, memory[0] as f32);
            Ok(Contribution::Push(Vec3::X * (context.random() + memory[0] as f32)))
        }
    }

    #[test]
    fn measuring_changes_no_result_and_is_off_by_default() {
        let run = |costing: bool| {
            let mut layout = MemoryLayout::default();
            layout.push("count", FieldKind::Number, number_words(0.0));
            let calls = Arc::new(AtomicUsize::new(0));
            let behavior: Arc<dyn Behavior> = Arc::new(Counted(layout, Arc::clone(&calls)));
            let off = Slot { enabled: false, ..Slot::new("off", 2, Some(Arc::clone(&behavior))) };
            let slots = vec![Slot::new("count", 1, Some(behavior)), off];
            let world = testing::world(&[200], 1.0, |_, draw| (Vec3::new(draw(0), draw(1), 0.0), Vec3::ZERO));
            let mut simulation = Simulation::new(world, vec![slots]);
            simulation.set_names(&[], &["count".to_owned()]);
            simulation.costing = costing;
            (0..2 * SAMPLE_INTERVAL).for_each(|_| simulation.step());
            (simulation.hash(), simulation.costs(), calls.load(Ordering::Relaxed))
        };
        let (hash, costs, calls) = run(false);
        assert_eq!((costs.len(), calls), (0, 200 * 2 * SAMPLE_INTERVAL as usize));
        let (measured_hash, costs, measured_calls) = run(true);
        assert_eq!(measured_hash, hash);
        assert!(measured_calls > calls);
        let [cost] = costs[..] else { panic!("{costs:?}") };
        assert_eq!((cost.group, cost.slot), (0, 0));
        assert!(cost.nanoseconds > 0.0 && cost.share > 0.0 && cost.share <= 1.0, "{cost:?}");
    }
}
