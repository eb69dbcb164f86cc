//! What changed between two versions of a scene, in the user's words.

use std::collections::BTreeMap;

use super::plan::{FlowPlan, FlowSource, GroupPlan, Scene, ScriptUse};
use crate::world::{Obstacle, World};

/// One note for each thing that changed, or one that nothing did.
pub(super) fn notes(old: &Scene, new: &Scene, world: &World, seed_changed: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if old.arena != new.arena {
        notes.push("world changed".to_owned());
    }
    if old.step != new.step {
        notes.push(format!("step is {} s now", new.step));
    }
    if old.speed != new.speed {
        notes.push(format!("speed is {} now", new.speed));
    }
    if old.title != new.title {
        notes.push(format!("title is {:?} now", new.title));
    }
    if seed_changed {
        notes.push(format!("seed {} holds for new units only", new.seed));
    }
    groups(old, new, world, &mut notes);
    views(old, new, &mut notes);
    rest(old, new, &mut notes);
    obstacles(old, new, &mut notes);
    scatter(old, new, &mut notes);
    if notes.is_empty() {
        notes.push("nothing changed".to_owned());
    }
    notes
}

/// "1 unit", "2 units".
fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

fn groups(old: &Scene, new: &Scene, world: &World, notes: &mut Vec<String>) {
    let live: BTreeMap<&str, usize> = world
        .groups
        .iter()
        .map(|group| (group.name.as_str(), group.units.len()))
        .collect();
    let before: BTreeMap<&str, &GroupPlan> = by_name(old);
    let after: BTreeMap<&str, &GroupPlan> = by_name(new);
    for plan in &new.groups {
        let name = &plan.name;
        let (Some(&had), Some(was)) = (live.get(name.as_str()), before.get(name.as_str())) else {
            let units = counted(plan.count, "unit");
            notes.push(format!("group {name} added with {units}"));
            continue;
        };
        if plan.count > had {
            let units = counted(plan.count - had, "unit");
            notes.push(format!("{units} added to {name}"));
        } else if plan.count < had {
            let units = counted(had - plan.count, "unit");
            notes.push(format!("{units} removed from {name}"));
        }
        let changed = changed_parts((was, old), (plan, new));
        if !changed.is_empty() {
            notes.push(format!("{} of {name} changed", changed.join(", ")));
        }
    }
    for plan in &old.groups {
        if !after.contains_key(plan.name.as_str()) {
            notes.push(format!("group {} removed", plan.name));
        }
    }
}

fn by_name(scene: &Scene) -> BTreeMap<&str, &GroupPlan> {
    let plans = scene.groups.iter();
    plans.map(|plan| (plan.name.as_str(), plan)).collect()
}

/// What a group says otherwise than before. Names count, not the bits and numbers behind them.
fn changed_parts(
    (was, old): (&GroupPlan, &Scene),
    (plan, new): (&GroupPlan, &Scene),
) -> Vec<&'static str> {
    let kinds = |mask: [u64; 3], scene: &Scene| -> Vec<Vec<String>> {
        let names = |mask| {
            let mut names: Vec<String> = scene.kinds.of(mask).map(str::to_owned).collect();
            names.sort();
            names
        };
        mask.into_iter().map(names).collect()
    };
    let masks = |plan: &GroupPlan| [plan.kinds, plan.friends, plan.enemies];
    let view = |plan: &GroupPlan, scene: &Scene| plan.view.map(|at| scene.views[at].name.clone());
    let path = |plan: &GroupPlan, scene: &Scene| plan.path.map(|at| scene.paths[at].name.clone());
    let flow = |plan: &GroupPlan, scene: &Scene| plan.flow.map(|at| scene.flows[at].name.clone());
    let same_behaviors = was.behaviors.len() == plan.behaviors.len()
        && was
            .behaviors
            .iter()
            .zip(&plan.behaviors)
            .all(|(a, b)| ScriptUse::same_as(a, b));
    [
        ("body", was.body != plan.body),
        ("kinds", kinds(masks(was), old) != kinds(masks(plan), new)),
        ("view", view(was, old) != view(plan, new)),
        ("sense", was.sense != plan.sense),
        ("path", path(was, old) != path(plan, new)),
        ("field", flow(was, old) != flow(plan, new)),
        ("blend", was.blend != plan.blend),
        ("behaviors", !same_behaviors),
        ("look", was.look != plan.look),
        ("spawn (for new units only)", was.spawn != plan.spawn),
    ]
    .into_iter()
    .filter_map(|(part, changed)| changed.then_some(part))
    .collect()
}

fn views(old: &Scene, new: &Scene, notes: &mut Vec<String>) {
    for view in &new.views {
        match old.views.iter().find(|was| was.name == view.name) {
            None => notes.push(format!("view {} added", view.name)),
            Some(was) if was != view => notes.push(format!("view {} changed", view.name)),
            Some(_) => {}
        }
    }
    for was in &old.views {
        if !new.views.iter().any(|view| view.name == was.name) {
            notes.push(format!("view {} removed", was.name));
        }
    }
}

/// Parts of which it is enough to say that they changed.
fn rest(old: &Scene, new: &Scene, notes: &mut Vec<String>) {
    let parts = [
        ("paths", old.paths != new.paths),
        ("fields", !same_flows(old, new)),
        ("contacts", old.contacts != new.contacts),
        ("target", old.target != new.target),
        ("keys", old.keys != new.keys),
        (
            "color of obstacles",
            old.obstacle_color != new.obstacle_color,
        ),
    ];
    let changed = parts.into_iter().filter(|(_, changed)| *changed);
    notes.extend(changed.map(|(part, _)| format!("{part} changed")));
}

/// Whether all flow fields are the same, wherever they stand in their files.
fn same_flows(old: &Scene, new: &Scene) -> bool {
    let same = |(was, is): (&FlowPlan, &FlowPlan)| {
        was.name == is.name
            && match (&was.source, &is.source) {
                (FlowSource::Grid(a), FlowSource::Grid(b)) => a == b,
                (
                    FlowSource::Script { used, nodes },
                    FlowSource::Script {
                        used: other,
                        nodes: others,
                    },
                ) => used.same_as(other) && nodes == others,
                _ => false,
            }
    };
    old.flows.len() == new.flows.len() && old.flows.iter().zip(&new.flows).all(same)
}

fn obstacles(old: &Scene, new: &Scene, notes: &mut Vec<String>) {
    // More than a few are only counted.
    const FEW: usize = 3;
    let pairs = old.obstacles.iter().zip(&new.obstacles).enumerate();
    let changed: Vec<_> = pairs.filter(|(_, (was, is))| was != is).collect();
    if changed.len() > FEW {
        notes.push(format!("{} changed", counted(changed.len(), "obstacle")));
    } else {
        for (at, (was, is)) in changed {
            let what = if moved(was, is) { "moved" } else { "changed" };
            notes.push(format!("obstacle {} {what}", at + 1));
        }
    }
    let (had, has) = (old.obstacles.len(), new.obstacles.len());
    if has > had {
        notes.push(format!("{} added", counted(has - had, "obstacle")));
    } else if has < had {
        notes.push(format!("{} removed", counted(had - has, "obstacle")));
    }
}

/// Whether both are the same but for where they stand.
fn moved(was: &Obstacle, is: &Obstacle) -> bool {
    let shift = is.position() - was.position();
    was.inside_out == is.inside_out && was.solid.shifted(shift) == is.solid
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
