//! Trial runs: behaviors decide for a few units of a copy of the world, before they go live or for `check`.
//!
//! A script that compiles can still fail for every unit. The sample of the running world is requested as soon as a
//! file begins to change, so that it is available when the file is complete.

use std::ops::Range;
use std::sync::Arc;

use super::generation::Generation;
use super::inputs::Trials;
use super::running::RunningWorld;
use crate::diagnostics::Fault;
use crate::scene::{self, Scene};
use crate::script::{NOT_IN_SCENE, Script};
use crate::sim::{Behavior, Failure, Frozen, Sample, UnitContext, sampled, work};
use crate::world::World;

/// Work after which a trial run ends: one unit is tried in any case, however slow the behavior is.
const MOST: u64 = 3 * work::CALL;
/// The scene in which a script without a scene is tried: a world with some of everything.
const ALONE: &str = include_str!("trial.ron");

/// Every failure of any behavior for some units of its group, at the start of a generation's scene.
pub fn try_generation(generation: &Generation) -> Vec<Fault> {
    let world = TrialWorld::of(generation.start(None).world().clone());
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

/// Every failure of a behavior without a scene, in a world with some of everything.
///
/// What only a scene can name (its views, paths and fields) is no failure.
pub fn try_script(script: &Script, behavior: &dyn Behavior) -> Vec<Fault> {
    let Ok(scene) = scene::read("trial.ron", ALONE) else {
        return Vec::new();
    };
    let mut world = scene::build(&scene, None);
    world.marks.intern_all(&script.marks);
    world.name_signals(&script.signals);
    let failures = TrialWorld::of(world).run(&Tried { behavior, group: 0, key: 0 }).failures;
    let failures = (failures.iter()).filter(|failure| !failure.message.starts_with(NOT_IN_SCENE));
    once_each(failures.map(|failure| script.fault(failure)).collect())
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

/// The trial runs of one composition: all on the same copy of the world.
pub(super) struct TrialRuns<'a> {
    trials: Trials<'a>,
    world: Option<(Arc<Scene>, TrialWorld)>,
}

impl<'a> TrialRuns<'a> {
    pub(super) fn new(trials: Trials<'a>) -> Self {
        let world = None;
        Self { trials, world }
    }

    /// Tries a new version of a behavior in a scene, on what units remember for it. It is rejected if it
    /// exhausts a limit for any unit, or fails for all.
    ///
    /// # Errors
    /// With the fault.
    pub(super) fn check(
        &mut self,
        scene: &Arc<Scene>,
        tried: &Tried<'_>,
        script: &Script,
    ) -> Result<(), Fault> {
        let running = match self.trials {
            Trials::None => return Ok(()),
            Trials::Start => None,
            Trials::Running(running) => Some(running),
        };
        let known = self.world.take().filter(|(of, _)| Arc::ptr_eq(of, scene));
        let new = || (Arc::clone(scene), TrialWorld::new(scene, running));
        let (_, world) = self.world.insert(known.unwrap_or_else(new));
        let known = &world.frozen.world;
        if script.marks.iter().any(|mark| known.marks.bit(mark).is_none())
            || script.signals.iter().any(|signal| known.signals.index(signal).is_none())
        {
            let world = &mut Arc::make_mut(&mut world.frozen).world;
            world.marks.intern_all(&script.marks);
            world.name_signals(&script.signals);
        }
        let run = world.run(tried);
        let fails_for_all = run.failures.len() == run.count;
        let mut fatal = run.failures.iter();
        match fatal.find(|failure| fails_for_all || failure.exhausted) {
            Some(failure) => Err(script.fault(failure)),
            None => Ok(()),
        }
    }
}

/// A world that behaviors are tried on.
pub(super) struct TrialWorld {
    /// The state, sorted, so that units see each other.
    pub(super) frozen: Arc<Frozen>,
    /// What runs, and which of its units each unit was.
    running: Option<(Sample, Vec<Option<usize>>)>,
}

/// A behavior to be tried: for which group, and the key by which units know it.
pub(super) struct Tried<'a> {
    pub(super) behavior: &'a dyn Behavior,
    pub(super) group: usize,
    pub(super) key: u64,
}

/// What a trial run found.
#[derive(Debug, Default)]
struct TrialRun {
    /// Units that the behavior was tried on.
    count: usize,
    /// Why it failed for some of them. It ends with the first that exhausts a limit.
    failures: Vec<Failure>,
    /// The work of its decisions, and of `fn reloaded`.
    deciding: u64,
    mapping: u64,
}

impl TrialWorld {
    /// The world that runs, as it will be under `scene`; the start of `scene` if nothing runs.
    pub(super) fn new(scene: &Scene, running: Option<&RunningWorld>) -> Self {
        let Some(RunningWorld { scene: old, sample }) = running else {
            return Self::of(scene::build(scene, None));
        };
        let reconciled = scene::reconcile(old, scene, sample.world(), None);
        let running = Some((sample.clone(), reconciled.origin));
        Self { running, ..Self::of(reconciled.world) }
    }

    fn of(world: World) -> Self {
        let mut frozen = Frozen::new(world);
        frozen.sort();
        let (frozen, running) = (Arc::new(frozen), None);
        Self { frozen, running }
    }

    /// Gives a unit's memory what it remembers for the behavior; the work of `fn reloaded`.
    fn remember(&self, unit: usize, tried: &Tried<'_>, memory: &mut [u32]) -> (Result<(), Failure>, u64) {
        tried.behavior.memory().reset(memory);
        let known = self
            .running
            .as_ref()
            .and_then(|(sample, origin)| sample.memory((*origin.get(unit)?)?, tried.key));
        let Some((layout, old)) = known else {
            return (Ok(()), 0);
        };
        tried.behavior.memory().migrate(memory, layout, old);
        tried.behavior.reloaded((layout, old), memory)
    }

    /// Lets a behavior decide for some units of its group.
    ///
    /// If calls like these for all units would take more than their share of a step, that is a failure.
    fn run(&self, tried: &Tried<'_>) -> TrialRun {
        let mut run = TrialRun::default();
        let mut context = UnitContext::new(Arc::clone(&self.frozen));
        let mut memory = vec![0; tried.behavior.memory().words()];
        let units = self.units(tried.group);
        for unit in sampled(&units) {
            if run.deciding.max(run.mapping) > MOST {
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

    fn units(&self, group: usize) -> Range<usize> {
        let group = self.frozen.world.groups.get(group);
        group.map_or(0..0, |group| group.units.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scene_of_a_lone_script_has_some_of_everything() {
        let scene = scene::read("trial.ron", ALONE).unwrap();
        let world = scene::build(&scene, None);
        assert!(world.player.is_some() && world.target.is_some());
        assert!(!world.obstacles.is_empty() && world.groups[0].path.is_some());
    }
}
