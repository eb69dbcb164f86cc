//! History of a running scene: keyframes with the whole state, and every input. The simulation reproduces the steps
//! between keyframes bit by bit.

use std::collections::{BTreeMap, VecDeque};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use steerbox_core::sim::{Simulation, Snapshot};

use super::fork::Fork;
use super::input::Input;
use crate::reload::Generation;

/// Simulated seconds that the memory is meant for.
const SECONDS: f32 = 60.0;
/// A keyframe with more than this many times the bytes of the last one is of a far larger world. All of these take
/// at most this fraction of the memory.
const LARGER: usize = 8;

/// Limits of the history.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keep {
    /// Memory limit, bytes; 0 disables the history.
    pub memory: usize,
    /// Wall time limit for showing a recorded step.
    pub seek: Duration,
    /// Maximum number of steps between keyframes, above zero.
    pub interval: u64,
}

impl Keep {
    /// No history.
    pub const NOTHING: Self = Self { memory: 0, ..Self::USUAL };
    /// Everything since the start, from one keyframe.
    pub const ALL: Self = Self { memory: usize::MAX, seek: Duration::MAX, interval: u64::MAX };
    /// Defaults of the window.
    pub const USUAL: Self = Self { memory: 256 << 20, seek: Duration::from_millis(80), interval: 60 };

    /// Returns the number of steps between keyframes, where a step takes `step_time` and lasts `step` simulated
    /// seconds, and a keyframe has `bytes` bytes: as many as can be repeated within the limit, or more where a minute
    /// would not fit into the memory.
    fn interval_of(self, step_time: Duration, step: f32, bytes: usize) -> u64 {
        let in_time = self.seek.as_nanos().checked_div(step_time.as_nanos());
        let in_time = in_time.map_or(self.interval, |steps| u64::try_from(steps).unwrap_or(u64::MAX));
        let steps = f64::from(SECONDS / step.max(1e-6));
        let fitting = (steps * bytes as f64 / self.memory.max(1) as f64).ceil() as u64;
        in_time.max(fitting).clamp(1, self.interval.max(1))
    }
}

/// Records keyframes while steps are made.
#[derive(Clone, Debug)]
pub(super) struct Recorder {
    keep: Keep,
    /// Step and bytes of the last keyframe.
    last: Option<(u64, usize)>,
    /// True if the behaviors were replaced since: the next keyframe is due earlier.
    is_replaced: bool,
    /// Keyframes that the history does not contain yet.
    pub(super) fresh: Vec<Arc<Snapshot>>,
}

impl Recorder {
    pub(super) fn new(keep: Keep) -> Self {
        Self { keep, last: None, is_replaced: false, fresh: Vec::new() }
    }

    /// Returns a recorder for a run that starts with the present state.
    pub(super) fn restarted(&self) -> Self {
        Self::new(self.keep)
    }

    /// Notes that behaviors were replaced.
    pub(super) fn replaced(&mut self) {
        self.is_replaced = true;
    }

    /// Records a keyframe before a step if one is due.
    pub(super) fn before_step(&mut self, simulation: &Simulation, step_time: Duration) {
        let world = simulation.world();
        let is_due = self.last.is_none_or(|(last, bytes)| {
            let interval = self.keep.interval_of(step_time, world.step, bytes);
            let interval = if self.is_replaced { interval.div_ceil(8) } else { interval };
            world.steps < last || world.steps - last >= interval
        });
        if is_due && self.keep.memory > 0 {
            let snapshot = simulation.snapshot();
            (self.last, self.is_replaced) = (Some((world.steps, snapshot.bytes())), false);
            self.fresh.push(Arc::new(snapshot));
        }
    }
}

/// States between two keyframes from the last replay, so that adjacent steps need none.
#[derive(Clone, Default)]
pub(super) struct ReplayCache(BTreeMap<u64, Arc<Snapshot>>);

impl ReplayCache {
    fn new(keyframe: &Arc<Snapshot>) -> Self {
        Self([(keyframe.steps(), Arc::clone(keyframe))].into())
    }

    fn begins_with(&self, keyframe: &Arc<Snapshot>) -> bool {
        self.0.values().next().is_some_and(|first| Arc::ptr_eq(first, keyframe))
    }
}

/// Replay of a recorded step.
pub(super) struct ReplayPlan {
    /// States before `from` that an observer needs, oldest first.
    pub(super) before: Vec<Arc<Snapshot>>,
    /// The first state.
    pub(super) from: Arc<Snapshot>,
    /// Inputs since `from`, with the number of steps before each.
    pub(super) inputs: Vec<(u64, Input)>,
    /// The last step.
    pub(super) to: u64,
    /// Known states since the keyframe; `None` if the states of the replay are not to be stored.
    pub(super) cache: Option<ReplayCache>,
}

impl ReplayPlan {
    /// Restores the first state and makes the steps by `step`, whose second argument is true for the last one.
    /// Returns false if a step was not made.
    pub(super) fn run<S: AsMut<Simulation>>(
        &mut self,
        state: &mut S,
        mut step: impl FnMut(&mut S, bool) -> bool,
    ) -> bool {
        state.as_mut().restore_exactly(&self.from);
        let mut fork = Fork::new(state, std::mem::take(&mut self.inputs));
        for number in self.from.steps() + 1..=self.to {
            if !step(fork.state, number == self.to) {
                return false;
            }
            fork.receive();
            if let Some(cache) = &mut self.cache {
                cache.0.entry(number).or_insert_with(|| Arc::new(fork.state.as_mut().snapshot()));
            }
        }
        true
    }
}

/// History of a running scene. A keyframe is the state before a step, including all earlier inputs.
#[derive(Clone)]
pub(super) struct History {
    budget: usize,
    keyframes: VecDeque<Arc<Snapshot>>,
    /// Inputs since the first keyframe, with the number of steps before each.
    inputs: VecDeque<(u64, Input)>,
    /// The generation before these inputs.
    first: Arc<Generation>,
    /// Memory of the keyframes and of the inputs, bytes.
    keyframe_bytes: usize,
    input_bytes: usize,
    /// Number of times that steps were dropped by a change.
    rewrites: u64,
}

impl History {
    /// Creates the history of a scene that starts with `generation`.
    pub(super) fn new(keep: Keep, generation: Arc<Generation>) -> Self {
        let (keyframes, inputs) = (VecDeque::new(), VecDeque::new());
        let (keyframe_bytes, input_bytes, rewrites) = (0, 0, 0);
        let first = generation;
        Self { budget: keep.memory, keyframes, inputs, first, keyframe_bytes, input_bytes, rewrites }
    }

    /// Returns true if the history is enabled.
    pub(super) fn is_kept(&self) -> bool {
        self.budget > 0
    }

    /// Records an input after `steps` steps.
    pub(super) fn note(&mut self, steps: u64, input: Input) {
        if self.budget == 0 {
            return;
        }
        if let Some((_, last)) =
            self.inputs.back_mut().filter(|(at, last)| *at == steps && input.overrides(last))
        {
            *last = input;
            return;
        }
        if self.inputs.back().is_some_and(|(at, last)| *at == steps && input.reverses(last)) {
            self.drop_last_input();
            return;
        }
        self.input_bytes += input.bytes(self.newest());
        self.inputs.push_back((steps, input));
        self.trim();
    }

    /// Stores new keyframes.
    pub(super) fn keep(&mut self, fresh: Vec<Arc<Snapshot>>) {
        for keyframe in fresh {
            self.keyframe_bytes += keyframe.bytes();
            self.keyframes.push_back(keyframe);
            self.release_larger();
        }
        self.trim();
    }

    /// Forgets the oldest until the rest fits into the memory.
    fn trim(&mut self) {
        while self.bytes() > self.budget && self.keyframes.len() > 1 {
            self.drop_oldest();
        }
        // Inputs beyond the memory are edits of a paused scene, which the next keyframe contains.
        if self.input_bytes > self.budget {
            self.first = Arc::clone(self.newest());
            self.keyframes.clear();
            self.inputs.clear();
            (self.keyframe_bytes, self.input_bytes) = (0, 0);
        }
    }

    /// Removes most keyframes of a world that was far larger than in the last one: the memory is for a minute of the
    /// present world.
    fn release_larger(&mut self) {
        let Some(last) = self.keyframes.back().map(|keyframe| keyframe.bytes()) else {
            return;
        };
        let bytes = self.keyframes.iter().map(|keyframe| keyframe.bytes());
        let mut larger = bytes.filter(|bytes| *bytes > last * LARGER).sum::<usize>();
        while larger > self.budget / LARGER {
            let oldest = self.keyframes.front().map_or(0, |keyframe| keyframe.bytes());
            larger -= if oldest > last * LARGER { oldest } else { 0 };
            self.drop_oldest();
        }
    }

    /// Removes the oldest keyframe and the inputs up to the next.
    fn drop_oldest(&mut self) {
        let dropped = self.keyframes.pop_front();
        self.keyframe_bytes -= dropped.map_or(0, |keyframe| keyframe.bytes());
        let Some(first) = self.first_step() else { return };
        while let Some((_, input)) = self.inputs.pop_front_if(|(at, _)| *at <= first) {
            self.input_bytes -= input.bytes(&self.first).min(self.input_bytes);
            if let Some(generation) = input.generation() {
                self.first = Arc::clone(generation);
            }
        }
    }

    fn drop_last_input(&mut self) {
        if let Some((_, input)) = self.inputs.pop_back() {
            self.input_bytes -= input.bytes(self.newest()).min(self.input_bytes);
        }
    }

    /// Returns the oldest step that can be shown, as the number of steps before it.
    pub(super) fn first_step(&self) -> Option<u64> {
        self.keyframes.front().map(|keyframe| keyframe.steps())
    }

    /// Returns the newest keyframe with at most `steps` steps, or the oldest one.
    pub(super) fn keyframe_before(&self, steps: u64) -> Option<&Arc<Snapshot>> {
        let later = self.keyframes.partition_point(|keyframe| keyframe.steps() <= steps);
        self.keyframes.get(later.saturating_sub(1))
    }

    /// Notes that these steps replace those of another history.
    pub(super) fn replace_steps_of(&mut self, other: &Self) {
        self.rewrites = self.rewrites.max(other.rewrites) + 1;
    }

    /// Returns the number of times that recorded steps were replaced.
    pub(super) fn rewrites(&self) -> u64 {
        self.rewrites
    }

    /// Returns its memory, bytes.
    pub(super) fn bytes(&self) -> usize {
        self.keyframe_bytes + self.input_bytes
    }

    /// Returns all inputs, oldest first, with the number of steps before each.
    pub(super) fn inputs(&self) -> impl DoubleEndedIterator<Item = &(u64, Input)> {
        self.inputs.iter()
    }

    /// Returns the last generation.
    pub(super) fn newest(&self) -> &Arc<Generation> {
        self.generation(u64::MAX)
    }

    /// Returns the generation after `steps` steps and their inputs.
    pub(super) fn generation(&self, steps: u64) -> &Arc<Generation> {
        let mut inputs = self.inputs.iter().rev().filter(|(at, _)| *at <= steps);
        inputs.find_map(|(_, input)| input.generation()).unwrap_or(&self.first)
    }

    /// Returns the replay of a recorded step. Its last step is a made one, except for the very first state. With a
    /// cache, it starts at the newest cached state and adds those that it passes.
    pub(super) fn plan(&self, to: u64, cache: Option<&ReplayCache>) -> Option<ReplayPlan> {
        let first = self.first_step()?;
        let to = to.max(first);
        // The latest possible first state.
        let latest = to.saturating_sub(1).max(first);
        let next = self.keyframes.partition_point(|keyframe| keyframe.steps() <= latest);
        let keyframe = self.keyframes.get(next.checked_sub(1)?)?;
        let known = cache.filter(|cache| cache.begins_with(keyframe)).cloned();
        let is_stored = cache.is_some();
        let cache = known.unwrap_or_else(|| ReplayCache::new(keyframe));
        let mut known = cache.0.range(..=latest).map(|(_, state)| Arc::clone(state));
        let from = known.next_back()?;
        let older = next.checked_sub(2).and_then(|at| self.keyframes.get(at)).cloned();
        let before = older.into_iter().chain(known).collect();
        let inputs = self.between(from.steps(), to);
        let cache = is_stored.then_some(cache);
        Some(ReplayPlan { before, from, inputs, to, cache })
    }

    /// Returns the replay of recorded steps from the last keyframe up to the first of them.
    pub(super) fn plan_range(&self, steps: RangeInclusive<u64>) -> Option<ReplayPlan> {
        let first = (*steps.start()).max(self.first_step()?);
        let to = (*steps.end()).max(first);
        let from = Arc::clone(self.keyframe_before(first)?);
        let inputs = self.between(from.steps(), to);
        Some(ReplayPlan { before: Vec::new(), from, inputs, to, cache: None })
    }

    /// Returns the generation after `from` steps, and those that replaced it before step `to`, with the number of
    /// steps before each.
    pub(super) fn generations(&self, from: u64, to: u64) -> Vec<(u64, Arc<Generation>)> {
        let later = self.inputs.iter().filter(|(at, _)| (from + 1..to).contains(at));
        let later = later.filter_map(|(at, input)| Some((*at, Arc::clone(input.generation()?))));
        std::iter::once((from, Arc::clone(self.generation(from)))).chain(later).collect()
    }

    /// Returns the inputs after `from` steps, up to those after `to` steps.
    pub(super) fn between(&self, from: u64, to: u64) -> Vec<(u64, Input)> {
        let inputs = self.inputs.iter().filter(|(at, _)| (from + 1..=to).contains(at));
        inputs.cloned().collect()
    }

    /// Drops everything after `steps` steps, and the keyframe of that step: another input may follow.
    pub(super) fn cut(&mut self, steps: u64) {
        self.rewrites += 1;
        while let Some(keyframe) = self.keyframes.pop_back_if(|keyframe| keyframe.steps() >= steps) {
            self.keyframe_bytes -= keyframe.bytes();
        }
        while self.inputs.back().is_some_and(|(at, _)| *at > steps) {
            self.drop_last_input();
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use steerbox_core::sim::UnitState;
    use steerbox_core::world::testing::plane;
    use steerbox_core::world::{Edges, Group, World};

    use super::*;
    use crate::reload::{Loader, Place};

    /// Returns the state of a world after some steps.
    fn keyframe(units: usize, steps: u64) -> Arc<Snapshot> {
        let mut world = World { arena: plane(100.0, 100.0, Edges::Open), steps, ..World::default() };
        for key in 0..units {
            world.units.push(Vec3::ZERO, Vec3::X, (Vec3::X, Vec3::Z), 0, key as u64);
        }
        world.groups.push(Group { units: 0..units, ..Group::default() });
        Arc::new(Simulation::new(world, Vec::new()).snapshot())
    }

    fn history(memory: usize) -> History {
        let (_, generation) = Loader::load(Place::built_in("flock.ron"), Vec::new()).unwrap();
        History::new(Keep { memory, ..Keep::USUAL }, Arc::new(generation))
    }

    #[test]
    fn states_of_a_far_larger_world_are_released_after_it() {
        let mut history = history(16 << 20);
        history.keep((0..4).map(|step| keyframe(10, step)).collect());
        history.keep((4..12).map(|step| keyframe(10_000, step)).collect());
        assert!(history.bytes() > 6 << 20);
        assert_eq!(history.first_step(), Some(0));
        history.keep(vec![keyframe(10, 12)]);
        assert!(history.bytes() < 3 << 20, "{}", history.bytes());
        assert!(history.first_step().is_some_and(|first| first > 4));
    }

    #[test]
    fn units_that_were_added_and_removed_in_one_step_leave_no_input() {
        let mut history = history(1 << 20);
        let state = |key: u64| UnitState { key, ..UnitState::new(&keyframe(1, 0).world().units, 0, "a") };
        history.note(7, Input::AddUnits((1..4).map(state).collect()));
        let bytes = history.bytes();
        history.note(7, Input::AddUnits(vec![state(9)]));
        history.note(7, Input::RemoveUnits(vec![9]));
        assert_eq!((history.bytes(), history.inputs().count()), (bytes, 1));
        history.note(8, Input::RemoveUnits(vec![1, 2, 3]));
        assert_eq!(history.inputs().count(), 2, "a step lies between");
    }

    #[test]
    fn the_sum_of_keyframes_follows_each_that_is_stored_dropped_or_cut() {
        let mut history = history(1 << 20);
        let sum =
            |history: &History| history.keyframes.iter().map(|keyframe| keyframe.bytes()).sum::<usize>();
        for round in 0..40 {
            history.keep((0..4).map(|step| keyframe(100 + 7 * round, 4 * round as u64 + step)).collect());
            assert_eq!(history.keyframe_bytes, sum(&history), "stored, round {round}");
            history.cut(4 * round as u64 + 3);
            assert_eq!(history.keyframe_bytes, sum(&history), "cut, round {round}");
        }
        assert!(history.first_step().is_some_and(|first| first > 0), "none was dropped");
        history.keep(vec![keyframe(20_000, 200), keyframe(10, 201)]);
        assert_eq!(history.keyframe_bytes, sum(&history), "a larger world was released");
    }

    #[test]
    fn edits_of_a_paused_scene_take_no_more_memory_than_is_meant_for_the_past() {
        let mut history = history(1 << 20);
        history.keep(vec![keyframe(10, 0)]);
        for number in 0..9000 {
            history.note(3, Input::AddUnits(vec![UnitState::new(&keyframe(1, 0).world().units, 0, "a")]));
            // The keyframe is not included.
            assert!(history.bytes() <= (1 << 20) + (8 << 10), "{number}");
        }
        history.keep(vec![keyframe(10, 3)]);
        assert_eq!(history.first_step(), Some(3));
        assert!(history.plan(4, None).is_some());
    }
}
