//! From a running world and its changed scene to a world that keeps what is live.

use std::collections::BTreeMap;

use super::{
    build::{build, group, player},
    changes::notes,
    plan::Scene,
    scatter::Placer,
    spawn,
};
use crate::world::{Body, Group, Obstacle, Units, World};
use glam::Vec3;

/// A world brought in line with a changed scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Reconciled {
    /// The world, at the step where the old one stood.
    pub world: World,
    /// For each unit of the world, the old unit whose state it took, or none if it is new.
    pub origin: Vec<Option<usize>>,
    /// What changed, in the user's words; "nothing changed" if nothing did.
    pub notes: Vec<String>,
}

/// The world of `new` in which everything that is live in `world`, built from `old`, keeps its state.
///
/// Units are matched by group name and index. Seed and spawn matter for new units only, so the
/// world keeps the seed of its random draws; `seed_override` takes the place of the new scene's
/// own. Steps, target, controls and marks stay. Between plane and space all units start anew.
pub fn reconcile(
    old: &Scene,
    new: &Scene,
    world: &World,
    seed_override: Option<u64>,
) -> Reconciled {
    let seed = seed_override.unwrap_or(new.seed);
    if old.arena.is_plane() != new.arena.is_plane() {
        return restart(new, world, seed);
    }
    let (groups, units, origin) = groups(new, world, seed);
    let reconciled = World {
        arena: new.arena,
        player: player(new, &units),
        groups,
        units,
        views: new.views.clone(),
        obstacles: obstacles(old, new, world, seed),
        kinds: new.kinds.clone(),
        marks: world.marks.clone(),
        target: world.target,
        controls: world.controls,
        step: new.step,
        steps: world.steps,
        seed: world.seed,
    };
    let seed_changed = seed_override.is_none() && old.seed != new.seed;
    Reconciled {
        notes: notes(old, new, world, seed_changed),
        world: reconciled,
        origin,
    }
}

fn restart(new: &Scene, world: &World, seed: u64) -> Reconciled {
    let fresh = build(new, Some(seed));
    let what = if new.arena.is_plane() {
        "a plane"
    } else {
        "space"
    };
    Reconciled {
        origin: vec![None; fresh.units.len()],
        notes: vec![format!("the world is {what} now: every unit starts anew")],
        world: World {
            marks: world.marks.clone(),
            controls: world.controls,
            steps: world.steps,
            ..fresh
        },
    }
}

fn groups(new: &Scene, world: &World, seed: u64) -> (Vec<Group>, Units, Vec<Option<usize>>) {
    let live: BTreeMap<&str, &Group> = world
        .groups
        .iter()
        .map(|group| (group.name.as_str(), group))
        .collect();
    let (mut groups, mut units, mut origin) = (Vec::new(), Units::default(), Vec::new());
    for (number, plan) in new.groups.iter().enumerate() {
        let first = units.len();
        let number = number as u16;
        let old = live.get(plan.name.as_str());
        let kept = old.map_or(0..0, |old| old.units.clone()).take(plan.count);
        for unit in kept {
            units.push_from(&world.units, unit, number);
            if matches!(plan.body, Body::Mover(_)) {
                // It never turns a mover, and would turn a rigid body again much later.
                units.angular_velocity[origin.len()] = Vec3::ZERO;
            }
            origin.push(Some(unit));
        }
        for index in units.len() - first..plan.count {
            spawn::push(&mut units, &new.arena, seed, plan, (number, index));
            origin.push(None);
        }
        groups.push(group(plan, first..units.len()));
    }
    (groups, units, origin)
}

/// The obstacles of `new`; where the scene did not change, those of `world` as they are.
fn obstacles(old: &Scene, new: &Scene, world: &World, seed: u64) -> Vec<Obstacle> {
    let live = |range: std::ops::Range<usize>| world.obstacles.get(range);
    let mut standing: Vec<Obstacle> = new
        .obstacles
        .iter()
        .enumerate()
        .map(|(at, obstacle)| {
            let same = old.obstacles.get(at) == Some(obstacle);
            let kept = live(at..at + 1).filter(|_| same);
            kept.map_or(*obstacle, |kept| kept[0])
        })
        .collect();
    let fixed = standing.len();
    let mut first = old.obstacles.len();
    let mut scattered: Vec<Option<&[Obstacle]>> = Vec::new();
    for (at, entry) in old.scatter.iter().enumerate() {
        let kept = live(first..first + entry.count);
        first += entry.count;
        scattered.push(kept.filter(|_| new.scatter.get(at) == Some(entry)));
    }
    // Those that stay come first, so that new ones keep clear of them.
    standing.extend(scattered.iter().flatten().copied().flatten());
    let mut placer = Placer::new(&new.arena, seed, standing.clone());
    standing.truncate(fixed);
    for (number, entry) in new.scatter.iter().enumerate() {
        match scattered.get(number).copied().flatten() {
            Some(kept) => standing.extend(kept),
            None => standing.extend(placer.place(entry, number)),
        }
    }
    standing
}
