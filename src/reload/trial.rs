//! Behaviors tried on a few units: before they go live, and where they are checked.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::generation::Generation;
use crate::diagnostics::Fault;
use crate::scene;
use crate::script::{NOT_IN_SCENE, Script};
use crate::sim::{Behavior, Failure, Frozen, Senses, sampled};
use crate::world::World;

/// The scene in which a lone script is tried.
const ALONE: &str = include_str!("trial.ron");

/// How long a trial goes on: one unit is tried in any case, however slow the behavior is.
const MOST: Duration = Duration::from_millis(50);

/// What came of a trial.
#[derive(Debug, Default)]
pub(super) struct Trial {
    /// Units that the behavior was tried on.
    pub(super) count: usize,
    /// Why it failed for some of them. Nothing is tried after a limit was exhausted.
    pub(super) failures: Vec<Failure>,
}

impl Trial {
    /// Lets a behavior with the slot key `key` decide for some units of a group. `remember` gives each what
    /// it remembers, in place of how memory starts.
    pub(super) fn of(
        frozen: &Arc<Frozen>,
        group: usize,
        (behavior, key): (&dyn Behavior, u64),
        remember: impl Fn(usize, &mut [u32]) -> Result<(), Failure>,
    ) -> Self {
        let mut trial = Self::default();
        let mut senses = Senses::new(Arc::clone(frozen));
        let mut memory = vec![0; behavior.memory().words()];
        let start = Instant::now();
        for unit in sampled(&units(frozen, group)) {
            if trial.count > 0 && start.elapsed() > MOST {
                break;
            }
            trial.count += 1;
            senses.turn_to(unit);
            senses.begin(0, key);
            behavior.memory().reset(&mut memory);
            let remembered = remember(unit, &mut memory);
            let decided = remembered.and_then(|()| behavior.decide(&mut senses, &mut memory));
            if let Err(failure) = decided {
                let is_enough = failure.exhausted;
                trial.failures.push(failure);
                if is_enough {
                    break;
                }
            }
        }
        trial
    }
}

fn units(frozen: &Frozen, group: usize) -> Range<usize> {
    let group = frozen.world.groups.get(group);
    group.map_or(0..0, |group| group.units.clone())
}

/// Every failure of any behavior for some units of its group, at the start of a generation's scene.
pub fn try_out(generation: &Generation) -> Vec<Fault> {
    let frozen = freeze(generation.start(None).world().clone());
    let mut found = Vec::new();
    for (group, crew) in generation.crews.iter().enumerate() {
        for planned in crew {
            if let (Some(behavior), Some(script)) = (&planned.behavior, &planned.script) {
                let failures = failures(&frozen, group, &**behavior);
                found.extend(failures.iter().map(|failure| script.fault(failure)));
            }
        }
    }
    once_each(found)
}

/// Every failure of a behavior that no scene was given for, in a world with some of everything.
///
/// What only a scene can name (its views, paths and fields) is let pass.
pub fn try_alone(script: &Script, behavior: &dyn Behavior) -> Vec<Fault> {
    let Ok(scene) = scene::read("trial.ron", ALONE) else {
        return Vec::new();
    };
    let mut world = scene::build(&scene, None);
    world.marks.intern_all(&script.marks);
    let failures = failures(&freeze(world), 0, behavior);
    let failures = (failures.iter()).filter(|failure| !failure.message.starts_with(NOT_IN_SCENE));
    once_each(failures.map(|failure| script.fault(failure)).collect())
}

fn failures(frozen: &Arc<Frozen>, group: usize, behavior: &dyn Behavior) -> Vec<Failure> {
    Trial::of(frozen, group, (behavior, 0), |_, _| Ok(())).failures
}

fn freeze(world: World) -> Arc<Frozen> {
    let mut frozen = Frozen::new(world);
    frozen.sort();
    Arc::new(frozen)
}

fn once_each(found: Vec<Fault>) -> Vec<Fault> {
    let mut kept: Vec<Fault> = Vec::new();
    for fault in found {
        if !kept.contains(&fault) {
            kept.push(fault);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_script_finds_some_of_everything() {
        let scene = scene::read("trial.ron", ALONE).unwrap();
        let world = scene::build(&scene, None);
        assert!(world.player.is_some() && world.target.is_some());
        assert!(!world.obstacles.is_empty() && world.groups[0].path.is_some());
    }
}
