//! Checks of the measures that a scene expects.

use steerbox_core::diagnostics::{Fault, Fix};
use steerbox_core::sim::{GroupNames, Measure, MeasureNames, use_name};
use steerbox_scene::{Expectation, Scene};
use steerbox_script::Script;

use super::computed;
use super::inputs::Attempt;

/// Returns a fault for each expectation about a measure that does not exist, unless a script that may have it is missing.
pub(super) fn faults(attempt: &Attempt<'_>) -> Vec<Fault> {
    let scene = &attempt.scene.content;
    if scene.expect.is_empty() || scene.scripts().any(|used| attempt.script(&used.script).is_none()) {
        return Vec::new();
    }
    let names = names(attempt);
    scene.expect.iter().filter_map(|expectation| fault(scene, expectation, &names)).collect()
}

fn fault(scene: &Scene, expectation: &Expectation, names: &MeasureNames) -> Option<Fault> {
    // The faults of a measure that does not work are those of its file.
    let unknown = Measure::parse(&expectation.full_name(), names).err().filter(|it| it.reason.is_none())?;
    let group = expectation.group.as_ref().map_or(String::new(), |group| format!("{group}."));
    let near = unknown.near.as_deref().map(|near| near.strip_prefix(&*group).unwrap_or(near));
    let fix = near.map(|near| {
        Fix::replace(format!("write `{near}`"), expectation.span.range.clone(), format!("{near:?}"))
    });
    let help = match near {
        Some(near) => steerbox_core::diagnostics::did_you_mean(near),
        None => unknown.help(),
    };
    Some(scene.fault(&expectation.span, &unknown.message).help(help).fixed(fix))
}

/// Returns the names of measures in a scene with its scripts.
fn names(attempt: &Attempt<'_>) -> MeasureNames {
    let scene = &attempt.scene.content;
    let zones = scene.world.zones.iter().map(|zone| zone.name.clone()).collect();
    let grids = scene.world.grids.iter().map(|grid| grid.name.clone()).collect();
    let computed = computed::names(attempt);
    let mut names = MeasureNames { zones, grids, computed, ..MeasureNames::default() };
    for group in &scene.groups {
        let (name, is_populated) = (group.common.name.clone(), group.common.most.is_some());
        let mut known = GroupNames { name, is_player: group.is_player, is_populated, watched: Vec::new() };
        for (at, used) in group.behaviors.iter().enumerate() {
            let Some(script) = attempt.script(&used.script) else { continue };
            let before = group.behaviors[..at].iter().filter(|other| other.script == used.script);
            let rule = use_name(&used.script, before.count());
            let script: &Script = &script.content;
            known.watched.extend(script.watched().into_iter().map(|name| (rule.clone(), name)));
            for signal in &script.signals {
                if !names.signals.contains(signal) {
                    names.signals.push(signal.clone());
                }
            }
        }
        names.groups.push(known);
    }
    names
}
