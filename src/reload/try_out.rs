//! Behaviors tried where they are checked: every failure is told, and nothing goes live.

use std::sync::Arc;

use super::generation::Generation;
use super::trial::Trial;
use crate::diagnostics::Fault;
use crate::scene;
use crate::script::{NOT_IN_SCENE, Script};
use crate::sim::{Behavior, Failure, Frozen};
use crate::world::World;

/// The scene in which a lone script is tried.
const ALONE: &str = include_str!("trial.ron");

/// Every failure of any behavior for some units of its group, at the start of a generation's scene.
pub fn try_out(generation: &Generation) -> Vec<Fault> {
    let frozen = freeze(generation.start(None).world().clone());
    let mut found = Vec::new();
    for (group, group_behaviors) in generation.behaviors.iter().enumerate() {
        for planned in group_behaviors {
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
    Trial::of(frozen, group, (behavior, 0), |_, _| (Ok(()), 0)).failures
}

fn freeze(world: World) -> Arc<Frozen> {
    let mut frozen = Frozen::new(world);
    frozen.sort();
    Arc::new(frozen)
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
