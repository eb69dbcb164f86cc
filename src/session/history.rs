//! The past of a running scene: its whole state now and then, and every input between. What lies between two
//! of these keyframes comes out of the simulation again, to the last bit.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use super::fork::Fork;
use super::input::Input;
use crate::reload::Generation;
use crate::sim::{Simulation, Snapshot};

/// Simulated seconds that are to fit into the memory.
const SECONDS: f32 = 60.0;
/// A keyframe with more than this many times the bytes of the last one is of a far larger world. All of these take
/// at most this fraction of the memory.
const LARGER: usize = 8;

/// How much of the past is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keep {
    /// Most memory that it may take, bytes; with 0, nothing is kept.
    pub memory: usize,
    /// Wall time in which a step of the past is to be there again.
    pub seek: Duration,
    /// Most steps from keyframe to keyframe, above zero.
    pub interval: u64,
}

impl Keep {
    /// Nothing.
    pub const NOTHING: Self = Self { memory: 0, ..Self::USUAL };
    /// What a window keeps, unless asked otherwise.
    pub const USUAL: Self = Self { memory: 256 << 20, seek: Duration::from_millis(80), interval: 60 };

    /// Steps from keyframe to keyframe, where a step takes `step_time` and lasts `step` simulated seconds, and a
    /// keyframe takes so many bytes. As many as can be made again in time; more, where only then a minute fits
    /// into the memory.
    fn interval_of(self, step_time: Duration, step: f32, bytes: usize) -> u64 {
        let in_time = self.seek.as_nanos().checked_div(step_time.as_nanos());
        let in_time = in_time.map_or(self.interval, |steps| u64::try_from(steps).unwrap_or(u64::MAX));
        let steps = f64::from(SECONDS / step.max(1e-6));
        let fitting = (steps * bytes as f64 / self.memory.max(1) as f64).ceil() as u64;
        in_time.max(fitting).clamp(1, self.interval.max(1))
    }
}

/// Takes keyframes of a simulation while its steps are made.
#[derive(Clone, Debug)]
pub(super) struct Recorder {
    keep: Keep,
    /// The step of the last keyframe, and what that takes of memory.
    last: Option<(u64, usize)>,
    /// Whether other behaviors run since: the next keyframe is due soon.
    is_replaced: bool,
    /// Those that the history does not have yet.
    pub(super) fresh: Vec<Arc<Snapshot>>,
}

impl Recorder {
    pub(super) fn new(keep: Keep) -> Self {
        Self { keep, last: None, is_replaced: false, fresh: Vec::new() }
    }

    /// One for a run that begins with this state.
    pub(super) fn restarted(&self) -> Self {
        Self::new(self.keep)
    }

    /// Other behaviors run from the next step on.
    pub(super) fn replaced(&mut self) {
        self.is_replaced = true;
    }

    /// Takes a keyframe before a step is made, if one is due.
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

/// The states of an interval that were passed when it was last seen again: the steps beside each other are
/// then there at once.
#[derive(Clone, Default)]
pub(super) struct ReplayCache(BTreeMap<u64, Arc<Snapshot>>);

impl ReplayCache {
    fn of(keyframe: &Arc<Snapshot>) -> Self {
        Self([(keyframe.steps(), Arc::clone(keyframe))].into())
    }

    fn begins_with(&self, keyframe: &Arc<Snapshot>) -> bool {
        self.0.values().next().is_some_and(|first| Arc::ptr_eq(first, keyframe))
    }
}

/// How to get to a step of the past.
pub(super) struct ReplayPlan {
    /// States before `from`, oldest first, that an observer has seen by then.
    pub(super) before: Vec<Arc<Snapshot>>,
    /// The state to begin with.
    pub(super) from: Arc<Snapshot>,
    /// What came after it, with the number of steps that were made by then.
    pub(super) inputs: Vec<(u64, Input)>,
    /// The step to end with.
    pub(super) to: u64,
    /// The states that are known of its interval, if those that are passed are to be stored.
    pub(super) cache: Option<ReplayCache>,
}

impl ReplayPlan {
    /// Puts its start in the place of a state's simulation and makes its steps by `step`, with every input in
    /// its place; `step` is told which one is the last. Whether all were made.
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

/// The past of a running scene. A keyframe is the state before a step: it has every input of before.
#[derive(Clone)]
pub(super) struct History {
    budget: usize,
    keyframes: VecDeque<Arc<Snapshot>>,
    /// Since the first keyframe, each with the number of steps that were made before.
    inputs: VecDeque<(u64, Input)>,
    /// What ran before these inputs.
    first: Arc<Generation>,
    bytes: usize,
    /// The number of times that steps were cut off.
    rewrites: u64,
}

impl History {
    /// One of a scene that begins with `generation`.
    pub(super) fn new(keep: Keep, generation: Arc<Generation>) -> Self {
        let (keyframes, inputs) = (VecDeque::new(), VecDeque::new());
        Self { budget: keep.memory, keyframes, inputs, first: generation, bytes: 0, rewrites: 0 }
    }

    /// Whether anything is kept.
    pub(super) fn is_kept(&self) -> bool {
        self.budget > 0
    }

    /// Records an input that came after so many steps.
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
        self.bytes += input.bytes(self.newest());
        self.inputs.push_back((steps, input));
        self.trim();
    }

    /// Keeps what a recorder took.
    pub(super) fn keep(&mut self, fresh: Vec<Arc<Snapshot>>) {
        for keyframe in fresh {
            self.bytes += keyframe.bytes();
            self.keyframes.push_back(keyframe);
            self.release_larger();
        }
        self.trim();
    }

    /// Forgets the oldest until the rest fits into the memory.
    fn trim(&mut self) {
        while self.bytes > self.budget && self.keyframes.len() > 1 {
            self.drop_oldest();
        }
        // Inputs beyond the memory are edits of a paused scene, which the next keyframe contains.
        let keyframes = self.keyframes.iter().map(|keyframe| keyframe.bytes()).sum::<usize>();
        if self.bytes.saturating_sub(keyframes) > self.budget {
            self.first = Arc::clone(self.newest());
            self.keyframes.clear();
            self.inputs.clear();
            self.bytes = 0;
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
        self.bytes -= dropped.map_or(0, |keyframe| keyframe.bytes());
        let Some(first) = self.first_step() else { return };
        while let Some((_, input)) = self.inputs.pop_front_if(|(at, _)| *at <= first) {
            self.bytes -= input.bytes(&self.first).min(self.bytes);
            if let Some(generation) = input.generation() {
                self.first = Arc::clone(generation);
            }
        }
    }

    fn drop_last_input(&mut self) {
        if let Some((_, input)) = self.inputs.pop_back() {
            self.bytes -= input.bytes(self.newest()).min(self.bytes);
        }
    }

    /// The oldest step that can be seen again, as the number of steps that were made by then.
    pub(super) fn first_step(&self) -> Option<u64> {
        self.keyframes.front().map(|keyframe| keyframe.steps())
    }

    /// The number of times that recorded steps were replaced by others.
    pub(super) fn rewrites(&self) -> u64 {
        self.rewrites
    }

    /// Memory that it takes, bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// All inputs, oldest first, each with the number of steps that were made before.
    pub(super) fn inputs(&self) -> impl DoubleEndedIterator<Item = &(u64, Input)> {
        self.inputs.iter()
    }

    /// The last generation that it knows.
    pub(super) fn newest(&self) -> &Arc<Generation> {
        self.generation(u64::MAX)
    }

    /// What ran after so many steps, with every input of then.
    pub(super) fn generation(&self, steps: u64) -> &Arc<Generation> {
        let mut inputs = self.inputs.iter().rev().filter(|(at, _)| *at <= steps);
        inputs.find_map(|(_, input)| input.generation()).unwrap_or(&self.first)
    }

    /// The way to a recorded step. Its last step is one that is made, unless it is the first of all. With `passed`,
    /// it begins at the newest state that is stored there, and stores those that it passes.
    pub(super) fn plan(&self, to: u64, cache: Option<&ReplayCache>) -> Option<ReplayPlan> {
        let first = self.first_step()?;
        let to = to.max(first);
        // At the latest here it begins.
        let latest = to.saturating_sub(1).max(first);
        let next = self.keyframes.partition_point(|keyframe| keyframe.steps() <= latest);
        let keyframe = self.keyframes.get(next.checked_sub(1)?)?;
        let known = cache.filter(|cache| cache.begins_with(keyframe)).cloned();
        let is_stored = cache.is_some();
        let cache = known.unwrap_or_else(|| ReplayCache::of(keyframe));
        let mut known = cache.0.range(..=latest).map(|(_, state)| Arc::clone(state));
        let from = known.next_back()?;
        let older = next.checked_sub(2).and_then(|at| self.keyframes.get(at)).cloned();
        let before = older.into_iter().chain(known).collect();
        let inputs = self.between(from.steps(), to);
        let cache = is_stored.then_some(cache);
        Some(ReplayPlan { before, from, inputs, to, cache })
    }

    /// The generation that ran after `from` steps, and those that replaced it before the step `to` was made, each with the
    /// number of steps made before.
    pub(super) fn generations(&self, from: u64, to: u64) -> Vec<(u64, Arc<Generation>)> {
        let later = self.inputs.iter().filter(|(at, _)| (from + 1..to).contains(at));
        let later = later.filter_map(|(at, input)| Some((*at, Arc::clone(input.generation()?))));
        std::iter::once((from, Arc::clone(self.generation(from)))).chain(later).collect()
    }

    /// The inputs after `from` steps, until after `to` steps.
    pub(super) fn between(&self, from: u64, to: u64) -> Vec<(u64, Input)> {
        let inputs = self.inputs.iter().filter(|(at, _)| (from + 1..=to).contains(at));
        inputs.cloned().collect()
    }

    /// Forgets what came after so many steps, and the keyframe of then: another input may follow.
    pub(super) fn cut(&mut self, steps: u64) {
        self.rewrites += 1;
        while let Some(keyframe) = self.keyframes.pop_back_if(|keyframe| keyframe.steps() >= steps) {
            self.bytes -= keyframe.bytes();
        }
        while self.inputs.back().is_some_and(|(at, _)| *at > steps) {
            self.drop_last_input();
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::reload::{Loader, Place};
    use crate::sim::UnitState;
    use crate::world::testing::plane;
    use crate::world::{Edges, Group, World};

    /// The state of a world after some steps.
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
    fn edits_of_a_paused_scene_take_no_more_memory_than_is_meant_for_the_past() {
        let mut history = history(1 << 20);
        history.keep(vec![keyframe(10, 0)]);
        for number in 0..9000 {
            history.note(3, Input::AddUnits(vec![UnitState::new(&keyframe(1, 0).world().units, 0, "a")]));
            // The keyframe comes on top.
            assert!(history.bytes() <= (1 << 20) + (8 << 10), "{number}");
        }
        history.keep(vec![keyframe(10, 3)]);
        assert_eq!(history.first_step(), Some(3));
        assert!(history.plan(4, None).is_some());
    }
}
