//! Trial runs: behaviors decide for a few units of a copy of the world, before they go live or for `check`.
//!
//! A script that compiles can still fail for every unit. The sample of the running world is requested as soon as a
//! file begins to change, so that it is available when the file is complete.

use std::ops::Range;
use std::sync::Arc;

use steerbox_core::diagnostics::Fault;
use steerbox_core::sim::{Behavior, Failure, Frozen, GroupMeasure, Sample, UnitContext, sampled, work};
use steerbox_core::world::{NamedFlow, World};
use steerbox_scene::lineage::Predecessor;
use steerbox_scene::{self as scene, FlowPlan, FlowSource, Scene, lineage};
use steerbox_script::{NOT_IN_SCENE, Script};

use super::generation::{Generation, NamesUsed};
use super::inputs::Trials;
use super::world_sample::RunningWorld;

/// Work limit of a trial run: one unit is tried in any case, however slow the behavior is.
const WORK_LIMIT: u64 = 3 * work::CALL;
/// The scene of scripts without a scene: a world with some of everything.
const STANDALONE_SCENE: &str = include_str!("trial.ron");

/// Returns every failure of any behavior for some units of its group, at the start of a generation's scene.
pub fn try_generation(generation: &Generation) -> Vec<Fault> {
    let world = TrialWorld::from_world(generation.start(None).world().clone());
    let mut found = Vec::new();
    for (group, behaviors) in generation.behaviors.iter().enumerate() {
        for planned in behaviors {
            if let (Some(behavior), Some(script)) = (&planned.behavior, &planned.script) {
                let tried = Tried { behavior: &**behavior, group, key: 0 };
                let failures = world.run(&tried).failures;
                found.extend(failures.iter().map(|failure| script.fault(failure)));
            }
        }
    }
    once_each(found)
}

/// Returns every failure of a behavior without a scene, in a world with some of everything.
pub fn try_script(script: &Script, behavior: &dyn Behavior) -> Vec<Fault> {
    try_alone(script, |world| world.run(&Tried { behavior, group: 0, key: 0 }))
}

/// Returns every failure of a measure without a scene, in a world with some of everything.
pub fn try_measure(script: &Script, measure: &dyn GroupMeasure) -> Vec<Fault> {
    try_alone(script, |world| world.measure(measure))
}

/// Makes a trial run without a scene. Names that only a scene can have (views, paths and fields) cause no failure.
fn try_alone(script: &Script, run: impl FnOnce(&TrialWorld) -> TrialRun) -> Vec<Fault> {
    let Ok(scene) = scene::read("trial.ron", STANDALONE_SCENE) else {
        return Vec::new();
    };
    let mut world = scene::build(&scene, None);
    world.marks.intern_all(&script.marks);
    world.name_signals(&script.signals);
    world.flows = scene.flows.iter().filter_map(|plan| still_flow(plan, &world)).collect();
    let failures = run(&TrialWorld::from_world(world)).failures;
    let failures = (failures.iter()).filter(|failure| !failure.message.starts_with(NOT_IN_SCENE));
    once_each(failures.map(|failure| script.fault(failure)).collect())
}

/// Returns a flow field that needs no script.
fn still_flow(plan: &FlowPlan, world: &World) -> Option<NamedFlow> {
    let flow = match &plan.source {
        FlowSource::Grid(flow) => flow.clone(),
        FlowSource::Toward(route) => route.field(&world.arena, &world.obstacles.without_carried()),
        FlowSource::Script { .. } => return None,
    };
    Some(NamedFlow { name: plan.name.clone(), flow })
}

fn once_each(found: Vec<Fault>) -> Vec<Fault> {
    let mut kept: Vec<Fault> = Vec::new();
    for fault in found {
        if !kept.iter().any(|known| known.has_cause_of(&fault)) {
            kept.push(fault);
        }
    }
    kept
}

/// The trial runs of one composition, all on the same copy of the running world.
pub(super) struct TrialRuns<'a> {
    trials: Trials<'a>,
    /// The scene as adapted to the running world; `None` without trial runs and before [`TrialRuns::enter`].
    world: Option<(Arc<Scene>, TrialWorld)>,
}

impl<'a> TrialRuns<'a> {
    pub(super) fn new(trials: Trials<'a>) -> Self {
        Self { trials, world: None }
    }

    /// Tries the following versions in a scene with these flow fields, marks and signals.
    pub(super) fn enter(&mut self, scene: &Arc<Scene>, flows: &[NamedFlow], names: &NamesUsed) {
        let running = match self.trials {
            Trials::None => return,
            Trials::Start => None,
            Trials::Running(running) => Some(running),
        };
        let known = self.world.take().filter(|(of, _)| Arc::ptr_eq(of, scene));
        let (scene, mut trial) =
            known.unwrap_or_else(|| (Arc::clone(scene), TrialWorld::new(scene, running)));
        let world = &mut Arc::make_mut(&mut trial.frozen).world;
        world.flows = flows.to_vec();
        names.set_in(world);
        self.world = Some((scene, trial));
    }

    /// Tries a new version of a measure. Rejects it if it exceeds a limit for any group, or fails for all.
    ///
    /// # Errors
    /// With the fault.
    pub(super) fn check_measure(&self, measure: &dyn GroupMeasure, script: &Script) -> Result<(), Fault> {
        let Some((_, world)) = &self.world else { return Ok(()) };
        world.measure(measure).rejection().map_or(Ok(()), |failure| Err(script.fault(failure)))
    }

    /// Tries a version of a behavior with the memory of the running units. Rejects it if it exceeds a limit for any
    /// unit, or fails for all.
    ///
    /// # Errors
    /// With the fault.
    pub(super) fn check(&self, tried: &Tried<'_>, script: &Script) -> Result<(), Fault> {
        let Some((_, world)) = &self.world else { return Ok(()) };
        world.run(tried).rejection().map_or(Ok(()), |failure| Err(script.fault(failure)))
    }

    /// Returns true if a behavior fails for all units of the running world as well; false if nothing runs.
    pub(super) fn fails_before(&self, tried: &Tried<'_>) -> bool {
        let Trials::Running(running) = self.trials else { return false };
        TrialWorld::running(running).run(tried).rejection().is_some()
    }
}

/// A world for trial runs.
pub(super) struct TrialWorld {
    /// The state, sorted, for queries.
    pub(super) frozen: Arc<Frozen>,
    running: Option<Origins>,
}

/// The origins of a world in the running one.
struct Origins {
    sample: Sample,
    /// The index of each unit.
    units: Vec<Option<usize>>,
    /// The predecessors of the uses of scripts, by group.
    uses: Vec<Vec<Predecessor>>,
}

/// A behavior to try: its group, and the key of its memory.
pub(super) struct Tried<'a> {
    pub(super) behavior: &'a dyn Behavior,
    pub(super) group: usize,
    pub(super) key: u64,
}

/// Result of a trial run.
#[derive(Debug, Default)]
struct TrialRun {
    /// Number of units, or of groups for a measure.
    count: usize,
    /// Failures; the first that exceeds a limit is the last.
    failures: Vec<Failure>,
    /// Work of the decisions, and of `fn reloaded`.
    deciding: u64,
    mapping: u64,
}

impl TrialRun {
    /// Returns the first failure for which a new version is rejected.
    fn rejection(&self) -> Option<&Failure> {
        let fails_for_all = self.failures.len() == self.count;
        self.failures.iter().find(|failure| fails_for_all || failure.exhausted)
    }
}

impl TrialWorld {
    /// Creates the running world as adapted to `scene`; the start of `scene` if nothing runs.
    pub(super) fn new(scene: &Scene, running: Option<&RunningWorld>) -> Self {
        let Some(RunningWorld { scene: old, sample }) = running else {
            return Self::from_world(scene::build(scene, None));
        };
        let reconciled = scene::reconcile(old, scene, sample.world(), None);
        let uses = lineage::uses(old, scene);
        let running = Some(Origins { sample: sample.clone(), units: reconciled.origin, uses });
        Self { running, ..Self::from_world(reconciled.world) }
    }

    /// Creates a copy of the running world.
    fn running(running: &RunningWorld) -> Self {
        let world = running.sample.world().clone();
        let units = (0..world.units.len()).map(Some).collect();
        let uses = lineage::uses(&running.scene, &running.scene);
        let running = Some(Origins { sample: running.sample.clone(), units, uses });
        Self { running, ..Self::from_world(world) }
    }

    fn from_world(world: World) -> Self {
        let mut frozen = Frozen::new(world);
        frozen.sort();
        let (frozen, running) = (Arc::new(frozen), None);
        Self { frozen, running }
    }

    /// Restores the memory of a unit for the behavior. Returns the work of `fn reloaded`.
    fn remember(&self, unit: usize, tried: &Tried<'_>, memory: &mut [u32]) -> (Result<(), Failure>, u64) {
        let world = &self.frozen.world;
        tried.behavior.memory().reset(memory);
        tried.behavior.memory().draw(memory, world.seed, world.units.key[unit], tried.key);
        let known = self.running.as_ref().and_then(|Origins { sample, units, uses }| {
            let used = uses.get(tried.group)?.iter().find(|used| used.key == tried.key)?;
            sample.memory((*units.get(unit)?)?, used.before)
        });
        let Some((layout, old)) = known else {
            return (Ok(()), 0);
        };
        tried.behavior.memory().migrate(memory, layout, old);
        tried.behavior.reloaded((layout, old), memory)
    }

    /// Runs a behavior for some units of its group.
    ///
    /// Fails if such calls for all units would exceed their share of a step.
    fn run(&self, tried: &Tried<'_>) -> TrialRun {
        let mut run = TrialRun::default();
        let mut context = UnitContext::new(Arc::clone(&self.frozen));
        let mut memory = vec![0; tried.behavior.memory().words()];
        let units = self.units(tried.group);
        for unit in sampled(&units) {
            if run.deciding.max(run.mapping) > WORK_LIMIT {
                break;
            }
            run.count += 1;
            context.set_unit(unit);
            context.set_behavior(0, tried.key);
            let (remembered, work) = self.remember(unit, tried, &mut memory);
            run.mapping += work;
            let decided = remembered.and_then(|()| tried.behavior.decide(&mut context, &mut memory));
            run.deciding += context.work();
            if let Err(failure) = decided {
                let is_enough = failure.exhausted;
                run.failures.push(failure);
                if is_enough {
                    return run;
                }
            }
        }
        let all = run.deciding.max(run.mapping) / run.count.max(1) as u64;
        if all.saturating_mul(units.len() as u64) > work::share(units.len()) {
            let (line, column) = tried.behavior.place();
            run.failures.push(Failure { line, column, ..work::too_slow(units.len()) });
        }
        run
    }

    /// Computes a measure for each group with units, up to the first that exceeds a limit.
    fn measure(&self, measure: &dyn GroupMeasure) -> TrialRun {
        let mut run = TrialRun::default();
        let groups = self.frozen.world.groups.iter().enumerate();
        for (group, _) in groups.filter(|(_, group)| !group.units.is_empty()) {
            run.count += 1;
            run.failures.extend(measure.value(&self.frozen, group).err());
            if run.failures.last().is_some_and(|failure| failure.exhausted) {
                break;
            }
        }
        run
    }

    fn units(&self, group: usize) -> Range<usize> {
        let group = self.frozen.world.groups.get(group);
        group.map_or(0..0, |group| group.units.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scene_of_a_standalone_script_has_some_of_everything() {
        let scene = scene::read("trial.ron", STANDALONE_SCENE).unwrap();
        let world = scene::build(&scene, None);
        assert!(world.player.is_some() && world.target.is_some());
        assert!(!world.obstacles.is_empty() && world.groups[0].path.is_some());
    }
}
