//! The predecessors of groups and uses of scripts in an earlier version of a scene.

use steerbox_core::sim::slot_key;
use steerbox_core::world::Obstacle;

use super::plan::{GroupPlan, Scene, ScriptUse};

/// The predecessor of a use of a script in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Predecessor {
    /// The key of the use; see [`slot_key`].
    pub key: u64,
    /// That of its predecessor.
    pub before: u64,
}

/// Returns for each group of `new` the index of its predecessor in `old`: the group with the same name. A group that is
/// gone is the predecessor of a new one if each is the only one, and both have as many units and the same scripts.
pub fn groups(old: &Scene, new: &Scene) -> Vec<Option<usize>> {
    let name = |plan: &GroupPlan| plan.common.name.clone();
    let has = |scene: &Scene, plan: &GroupPlan| scene.groups.iter().any(|other| name(other) == name(plan));
    let same = |plan: &GroupPlan| old.groups.iter().position(|before| name(before) == name(plan));
    let mut found: Vec<_> = new.groups.iter().map(same).collect();
    let gone: Vec<_> = (0..old.groups.len()).filter(|at| !has(new, &old.groups[*at])).collect();
    let added: Vec<_> = (0..new.groups.len()).filter(|at| found[*at].is_none()).collect();
    if let ([was], [is]) = (&gone[..], &added[..]) {
        let (before, after) = (&old.groups[*was], &new.groups[*is]);
        let scripts =
            |plan: &GroupPlan| plan.behaviors.iter().map(|used| used.script.clone()).collect::<Vec<_>>();
        let is_renamed = before.count == after.count
            && scripts(before) == scripts(after)
            && before.is_player == after.is_player
            // Obstacles find their carriers by the name of the group.
            && !carries(old, &name(before)) && !carries(new, &name(after));
        found[*is] = is_renamed.then_some(*was);
    }
    found
}

/// Returns true if a unit of a group carries an obstacle.
pub(super) fn carries(scene: &Scene, group: &str) -> bool {
    let carrier = |obstacle: &Obstacle| obstacle.carrier().is_some_and(|carrier| carrier.group == group);
    scene.world.obstacles.iter().any(carrier)
}

/// Returns the uses of scripts in each group of `new` that have a predecessor. Uses of one script are matched by
/// parameters, then by order. A use that is gone is the predecessor of one of another script if each is the only one, and
/// both set the same parameters.
pub fn uses(old: &Scene, new: &Scene) -> Vec<Vec<Predecessor>> {
    let groups = groups(old, new).into_iter().zip(&new.groups);
    let of_group = |(before, plan): (Option<usize>, &GroupPlan)| {
        before.map_or(Vec::new(), |before| of_group(&old.groups[before].behaviors, &plan.behaviors))
    };
    groups.map(of_group).collect()
}

fn of_group(old: &[ScriptUse], new: &[ScriptUse]) -> Vec<Predecessor> {
    let origin = origins(old, new);
    let matched = origin.iter().enumerate().filter_map(|(at, before)| Some((at, (*before)?)));
    matched.map(|(at, before)| Predecessor { key: key(new, at), before: key(old, before) }).collect()
}

/// Returns descriptions of the changes between the uses of scripts in a group: `a added`, `gain of b`, `order`.
pub(super) fn changed_uses(old: &[ScriptUse], new: &[ScriptUse]) -> Vec<String> {
    let (origin, mut changes) = (origins(old, new), Vec::new());
    for (is, before) in new.iter().zip(&origin) {
        let script = &is.script;
        let Some(was) = before.map(|before| &old[before]) else {
            changes.push(format!("{script} added"));
            continue;
        };
        if was.script != *script {
            changes.push(format!("{} is {script}", was.script));
        }
        if was.gain != is.gain {
            changes.push(format!("gain of {script}"));
        }
        if was.enabled != is.enabled {
            changes.push(format!("{script} {}", if is.enabled { "enabled" } else { "disabled" }));
        }
        let value = |used: &ScriptUse, name: &str| {
            used.params.iter().find(|param| param.name == name).map(|param| param.value.clone())
        };
        let mut names: Vec<_> =
            was.params.iter().chain(&is.params).map(|param| param.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let differ = names.into_iter().filter(|name| value(was, name) != value(is, name));
        changes.extend(differ.map(|name| format!("{name} of {script}")));
    }
    let gone = old.iter().enumerate().filter(|(before, _)| !origin.contains(&Some(*before)));
    changes.extend(gone.map(|(_, was)| format!("{} removed", was.script)));
    if !origin.iter().flatten().is_sorted() {
        changes.push("order".to_owned());
    }
    changes
}

/// Returns for each use in a group the index of its predecessor.
fn origins(old: &[ScriptUse], new: &[ScriptUse]) -> Vec<Option<usize>> {
    let mut origin: Vec<Option<usize>> = vec![None; new.len()];
    let same_script = |a: &ScriptUse, b: &ScriptUse| a.script == b.script;
    let same_values = |a: &ScriptUse, b: &ScriptUse| same_script(a, b) && a.same_params(b);
    let is_same = |rule: u8, a: &ScriptUse, b: &ScriptUse| match rule {
        0 => same_values(a, b) && a.gain == b.gain,
        1 => same_values(a, b),
        _ => same_script(a, b),
    };
    for rule in 0..3 {
        for at in 0..new.len() {
            let is_free = |before: &usize| !origin.contains(&Some(*before));
            if origin[at].is_none() {
                origin[at] =
                    (0..old.len()).filter(is_free).find(|before| is_same(rule, &old[*before], &new[at]));
            }
        }
    }
    let gone: Vec<_> = (0..old.len()).filter(|before| !origin.contains(&Some(*before))).collect();
    let added: Vec<_> = (0..new.len()).filter(|at| origin[*at].is_none()).collect();
    if let ([was], [is]) = (&gone[..], &added[..])
        && old[*was].same_params(&new[*is])
    {
        origin[*is] = Some(*was);
    }
    origin
}

/// Returns the key of the use at an index in a group.
fn key(uses: &[ScriptUse], at: usize) -> u64 {
    let before = uses[..at].iter().filter(|other| other.script == uses[at].script);
    slot_key(&uses[at].script, before.count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    fn scene(groups: &str) -> Scene {
        let head = "world: Plane(size: (9, 9)), bodies: {\"m\": Mover()}";
        read("s.ron", &format!("({head}, groups: [{groups}])")).unwrap()
    }

    /// Groups by name and count, without behaviors.
    fn of_groups(groups: &[(&str, u32)]) -> Scene {
        let group = |(name, count): &(&str, u32)| format!("(name: \"{name}\", body: \"m\", count: {count})");
        scene(&groups.iter().map(group).collect::<Vec<_>>().join(", "))
    }

    fn of_uses(uses: &str) -> Scene {
        scene(&format!("(name: \"a\", body: \"m\", count: 2, behaviors: [{uses}])"))
    }

    #[test]
    fn a_group_is_renamed_only_if_one_alike_is_gone() {
        let old = of_groups(&[("a", 2), ("b", 3)]);
        let before = |new: &[(&str, u32)]| groups(&old, &of_groups(new));
        assert_eq!(before(&[("b", 3), ("a", 2)]), [Some(1), Some(0)]);
        assert_eq!(before(&[("b", 3), ("A", 2)]), [Some(1), Some(0)]);
        assert_eq!(before(&[("A", 3), ("b", 3)]), [None, Some(1)]);
        assert_eq!(before(&[("A", 2), ("B", 3)]), [None, None]);
        assert_eq!(before(&[("a", 2), ("b", 3), ("c", 2)]), [Some(0), Some(1), None]);
    }

    #[test]
    fn uses_of_a_script_are_matched_by_parameters_then_by_order() {
        let (z1, z5) = ("(script: \"z\", params: {\"K\": 1})", "(script: \"z\", params: {\"K\": 5})");
        let list = |uses: &[&str]| of_uses(&uses.join(", "));
        let key = |script: &str, at| slot_key(script, at);
        let found = |old: &[&str], new: &[&str]| -> Vec<_> {
            uses(&list(old), &list(new)).concat().iter().map(|it| (it.key, it.before)).collect()
        };
        let (first, second) = (key("z", 0), key("z", 1));
        assert_eq!(found(&[z1, z5], &[z5]), [(first, second)]);
        assert_eq!(found(&[z1, z5], &[z5, z1]), [(first, second), (second, first)]);
        assert_eq!(found(&[z1, z5], &[&z1.replace('1', "2"), z5]), [(first, first), (second, second)]);
        assert_eq!(found(&[z1, z1], &[z1, z1]), [(first, first), (second, second)]);
        let renamed = z5.replace('z', "y");
        assert_eq!(found(&[z1, z5], &[z1, &renamed]), [(first, first), (key("y", 0), second)]);
        assert_eq!(found(&[z1], &[&renamed]), []);
        assert_eq!(found(&[z1, z5], &[&renamed, &renamed.replace('y', "x")]), []);
    }
}
