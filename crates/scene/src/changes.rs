//! Descriptions of the changes between two versions of a scene.

use std::collections::BTreeMap;

use glam::Vec3;
use steerbox_core::diagnostics::counted;
use steerbox_core::world::{Body, Obstacle, World};

use super::lineage;
use super::plan::Scene;
use super::read::{changed, changed_group};

/// The note that nothing changed.
pub const NOTHING_CHANGED: &str = "nothing changed";

const UNITS: [&str; 2] = ["unit", "units"];
const OBSTACLES: [&str; 2] = ["obstacle", "obstacles"];

/// Returns one note per changed item, or a note that nothing changed.
pub(super) fn notes(old: &Scene, new: &Scene, world: &World, seed_changed: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if old.world.arena != new.world.arena {
        notes.push("world changed".to_owned());
    }
    if old.world.step != new.world.step {
        notes.push(format!("step is {} s now", new.world.step));
        per_step(old, new, &mut notes);
    }
    if old.speed != new.speed {
        notes.push(format!("speed is {} now", new.speed));
    }
    if old.title != new.title {
        notes.push(format!("title is {:?} now", new.title));
    }
    if seed_changed {
        notes.push(format!("seed {} holds for new units only", new.world.seed));
    }
    groups(old, new, world, &mut notes);
    views(old, new, &mut notes);
    notes.extend(changed(old, new).map(|part| format!("{part} changed")));
    obstacles(old, new, &mut notes);
    scatter(old, new, &mut notes);
    if notes.is_empty() {
        notes.push(NOTHING_CHANGED.to_owned());
    }
    notes
}

/// Notes the unchanged numbers of movers that act once per step, of which the effect per second has changed.
fn per_step(old: &Scene, new: &Scene, notes: &mut Vec<String>) {
    let ratio = old.world.step / new.world.step;
    for (plan, before) in new.groups.iter().zip(lineage::groups(old, new)) {
        let bodies = (&plan.common.body, before.map(|before| &old.groups[before].common.body));
        let (Body::Mover(body), Some(Body::Mover(was))) = bodies else { continue };
        let name = &plan.common.name;
        if body.max_velocity_change == was.max_velocity_change {
            let change = body.max_velocity_change;
            notes.push(format!("max_velocity_change {change} of {name} is per step, so that its acceleration is {ratio} times the former"));
        }
        if body.axes == was.axes && body.axes != Vec3::ONE {
            notes.push(format!("axes of {name} act in each step, {ratio} times as often per second"));
        }
    }
}

fn groups(old: &Scene, new: &Scene, world: &World, notes: &mut Vec<String>) {
    let live: BTreeMap<&str, usize> =
        world.groups.iter().map(|group| (group.name.as_str(), group.units.len())).collect();
    let predecessors = lineage::groups(old, new);
    for (plan, before) in new.groups.iter().zip(&predecessors) {
        let name = &plan.common.name;
        let was = before.map(|before| &old.groups[before]);
        let had = was.and_then(|was| live.get(was.common.name.as_str()));
        let (Some(&had), Some(was)) = (had, was) else {
            let units = counted(plan.count, UNITS);
            notes.push(format!("group {name} added with {units}"));
            continue;
        };
        if was.common.name != *name {
            notes.push(format!("group {} is {name} now", was.common.name));
        }
        if plan.count == was.count {
            // Units may have been added or removed in the window: they are preserved.
        } else if plan.count > had {
            let units = counted(plan.count - had, UNITS);
            notes.push(format!("{units} added to {name}"));
        } else if plan.count < had {
            let units = counted(had - plan.count, UNITS);
            notes.push(format!("{units} removed from {name}"));
        }
        let changed = changed_group((was, old), (plan, new));
        if !changed.is_empty() {
            let uses = lineage::changed_uses(&was.behaviors, &plan.behaviors).join(", ");
            let uses = if uses.is_empty() { uses } else { format!(" ({uses})") };
            notes.push(format!("{} of {name} changed{uses}", changed.join(", ")));
        }
    }
    for (at, plan) in old.groups.iter().enumerate() {
        if !predecessors.contains(&Some(at)) {
            notes.push(format!("group {} removed", plan.common.name));
        }
    }
    if !predecessors.iter().flatten().is_sorted() {
        notes.push("order of groups changed: units have other numbers".to_owned());
    }
}

fn views(old: &Scene, new: &Scene, notes: &mut Vec<String>) {
    for view in &new.world.views {
        match old.world.views.iter().find(|was| was.name == view.name) {
            None => notes.push(format!("view {} added", view.name)),
            Some(was) if was != view => notes.push(format!("view {} changed", view.name)),
            Some(_) => {}
        }
    }
    for was in &old.world.views {
        if !new.world.views.iter().any(|view| view.name == was.name) {
            notes.push(format!("view {} removed", was.name));
        }
    }
}

fn obstacles(old: &Scene, new: &Scene, notes: &mut Vec<String>) {
    // If more changed, only their number is reported.
    const MAX_LISTED: usize = 3;
    let pairs = old.world.obstacles.iter().zip(new.world.obstacles.iter()).enumerate();
    let changed: Vec<_> = pairs.filter(|(_, (was, is))| was != is).collect();
    if changed.len() > MAX_LISTED {
        notes.push(format!("{} changed", counted(changed.len(), OBSTACLES)));
    } else {
        for (at, (was, is)) in changed {
            let what = if moved(was, is) { "moved" } else { "changed" };
            notes.push(format!("obstacle {} {what}", at + 1));
        }
    }
    let (had, has) = (old.world.obstacles.len(), new.world.obstacles.len());
    if has > had {
        notes.push(format!("{} added", counted(has - had, OBSTACLES)));
    } else if has < had {
        notes.push(format!("{} removed", counted(had - has, OBSTACLES)));
    }
}

/// Returns true if the obstacles differ in position only.
fn moved(was: &Obstacle, is: &Obstacle) -> bool {
    let shift = is.position() - was.position();
    let is_alike = was.inside_out == is.inside_out && was.drive == is.drive;
    is_alike && was.solid.moved(|point| point + shift).as_ref() == Some(&is.solid)
}

fn scatter(old: &Scene, new: &Scene, notes: &mut Vec<String>) {
    for (at, entry) in new.scatter.iter().enumerate() {
        if old.scatter.get(at) != Some(entry) {
            notes.push(format!("scatter {} placed anew", at + 1));
        }
    }
    for at in new.scatter.len()..old.scatter.len() {
        notes.push(format!("scatter {} removed", at + 1));
    }
}
