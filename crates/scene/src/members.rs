//! The units of each group after a change of the scene: those that continue, and new ones with unused keys.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;
use steerbox_core::world::{Body, Group, Obstacles, Units, World, random, unit_key};

use super::{
    build::group,
    lineage,
    plan::{GroupPlan, Scene},
    rows::rows,
    spawn,
    starts::Spawn,
};

/// Returns the groups and units of `new`, and for each unit the old one whose state it has. `started` is that of [`started`];
/// it is updated for new units.
pub(super) fn groups(
    (old, new): (&Scene, &Scene),
    obstacles: &Obstacles,
    world: &World,
    seed: u64,
    started: &mut BTreeMap<String, usize>,
) -> (Vec<Group>, Units, Vec<Option<usize>>) {
    let predecessors = lineage::groups(old, new);
    let (mut groups, mut units, mut origin) = (Vec::new(), Units::default(), Vec::new());
    for (number, plan) in new.groups.iter().enumerate() {
        let first = units.len();
        let number = number as u16;
        let before = predecessors[usize::from(number)].map(|before| &old.groups[before]);
        let is_it = |live: &&Group| before.is_some_and(|before| live.name == before.common.name);
        let live = world.groups.iter().find(is_it);
        let living = live.map_or(0..0, |live| live.units.clone());
        let as_before = before.is_some_and(|before| before.count == plan.count);
        // Units may have been added or removed in the window, born or dead.
        let count = live.filter(|_| as_before).map_or(plan.count, |live| live.units.len());
        let name = &plan.common.name;
        let table = before.zip(live).and_then(|(before, live)| Some((rows(before, plan)?, before, live)));
        // The row of the table of each unit.
        let mut row_of = vec![None; living.len()];
        if let Some((origins, before, live)) = &table {
            let keys: BTreeMap<u64, usize> =
                living.clone().map(|unit| (world.units.key[unit], unit)).collect();
            for (row, origin) in origins.iter().enumerate() {
                let unit = origin.and_then(|origin| keys.get(&unit_key(&before.common.name, origin)));
                if let Some(unit) = unit {
                    row_of[unit - live.units.start] = Some(row);
                }
            }
        }
        let row = |unit: usize| row_of[unit - living.start];
        let mut members: Vec<usize> = living.clone().collect();
        if let Some((_, before, _)) = &table {
            let started: BTreeSet<u64> =
                (0..before.count).map(|row| unit_key(&before.common.name, row)).collect();
            members.retain(|unit| row(*unit).is_some() || !started.contains(&world.units.key[*unit]));
            members.sort_by_key(|unit| row(*unit).unwrap_or(usize::MAX));
        }
        for unit in members.into_iter().take(count) {
            units.push_from(&world.units, unit, number);
            let at = origin.len();
            if let Some(row) = row(unit) {
                // The values of a row belong to its key.
                units.key[at] = unit_key(name, row);
            }
            if matches!(plan.common.body, Body::Mover(_)) {
                // A mover does not use it; a later rigid body would.
                units.angular_velocity[at] = Vec3::ZERO;
            }
            origin.push(Some(unit));
        }
        let taken: BTreeSet<u64> = units.key[first..].iter().copied().collect();
        let is_plain = has_plain_keys(new, plan);
        let key = |index: usize| {
            let key = unit_key(name, index);
            if is_plain { key } else { random::key_under(seed, key, world.seed) }
        };
        let lowest = match () {
            () if table.is_some() => 0,
            () if is_plain => taken.len(),
            () => taken.len().max(started.get(name).copied().unwrap_or(0)),
        };
        let free = (lowest..).filter(|index| !taken.contains(&key(*index)));
        for (place, index) in (taken.len()..count).zip(free) {
            let at = (number, if is_plain { index } else { place }, key(index));
            spawn::push(&mut units, (&new.world.arena, obstacles), world.seed, plan, at);
            units.born[origin.len()] = world.steps;
            origin.push(None);
            let started = started.entry(name.clone()).or_default();
            *started = (*started).max(index + 1);
        }
        groups.push(group(plan, first..units.len()));
    }
    (groups, units, origin)
}

/// Returns true if units of a group have the keys of their start indices in every case: obstacles and tables find units by
/// them.
fn has_plain_keys(scene: &Scene, plan: &GroupPlan) -> bool {
    plan.is_player || lineage::carries(scene, &plan.common.name) || matches!(plan.spawn, Spawn::File { .. })
}

/// Returns [`World::started`] with the groups of `old` whose number of units differs in `new`.
pub(super) fn started(old: &Scene, new: &Scene, world: &World) -> BTreeMap<String, usize> {
    let count = |scene: &Scene, name: &str| {
        scene.groups.iter().find(|plan| plan.common.name == name).map(|plan| plan.count)
    };
    let mut started = world.started.clone();
    for GroupPlan { common, count: before, .. } in &old.groups {
        if count(new, &common.name) != Some(*before) {
            started.entry(common.name.clone()).or_insert(*before);
        }
    }
    started
}

/// Returns the counts of births and deaths of the groups of `old` that `new` still has.
pub(super) fn population(old: &Scene, new: &Scene, world: &World) -> BTreeMap<String, [u64; 2]> {
    let predecessors = lineage::groups(old, new).into_iter().zip(&new.groups);
    let counts = predecessors.filter_map(|(before, plan)| {
        let counts = world.population.get(&old.groups[before?].common.name)?;
        Some((plan.common.name.clone(), *counts))
    });
    counts.collect()
}
