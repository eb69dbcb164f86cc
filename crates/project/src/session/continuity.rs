//! The units and memories that a swap continues, starts anew and drops, as one line.

use std::collections::BTreeMap;

use steerbox_core::diagnostics::counted;
use steerbox_core::sim::{MemoryLayout, Simulation, Slot};

/// Returns for example `continue: 300 units, memory of a.count; start anew: 2 units, wait of a.count; gone: memory of a.z`.
pub(super) fn continuity(before: &Simulation, after: &Simulation) -> String {
    let [mut continued, mut new, mut gone] = [const { Vec::new() }; 3];
    let (old_units, new_units) = (&before.world().units, &after.world().units);
    let old: BTreeMap<u64, u16> =
        old_units.key.iter().copied().zip(old_units.group.iter().copied()).collect();
    let both = new_units.key.iter().filter(|key| old.contains_key(key)).count();
    let counts = [both, new_units.len() - both, old_units.len() - both];
    for (list, count) in [&mut continued, &mut new, &mut gone].into_iter().zip(counts).filter(|it| it.1 > 0) {
        list.push(counted(count, ["unit", "units"]));
    }
    let mut known = Vec::new();
    for (at, group) in before.world().groups.iter().enumerate() {
        known.extend(memories(before, at).map(|(slot, layout)| (at, &group.name, slot, layout)));
    }
    for (at, group) in after.world().groups.iter().enumerate() {
        let of_unit = group.units.clone().find_map(|unit| old.get(&new_units.key[unit]));
        let named = || before.world().groups.iter().position(|old| old.name == group.name);
        let predecessor = of_unit.map(|group| usize::from(*group)).or_else(named);
        for (slot, layout) in memories(after, at) {
            let name = format!("{}.{}", group.name, slot.script);
            let is_it = |(group, _, old, _): &(usize, _, &Slot, _)| {
                Some(*group) == predecessor && (old.key == slot.before || old.key == slot.key)
            };
            let Some(index) = known.iter().position(is_it) else {
                new.push(format!("memory of {name}"));
                continue;
            };
            let (.., old_layout) = known.remove(index);
            let fields = |list: Vec<&str>| {
                list.into_iter().map(|field| format!("{field} of {name}")).collect::<Vec<_>>()
            };
            let anew: Vec<_> = old_layout.lost(layout).collect();
            if anew.len() < layout.fields().len() {
                continued.push(format!("memory of {name}"));
            }
            new.extend(fields(anew));
            gone.extend(fields(layout.lost(old_layout).collect()));
        }
    }
    gone.extend(known.iter().map(|(_, group, slot, _)| format!("memory of {group}.{}", slot.script)));
    let lists = [("continue", continued), ("start anew", new), ("gone", gone)];
    let lists = lists.iter().filter(|(_, list)| !list.is_empty());
    lists.map(|(name, list)| format!("{name}: {}", list.join(", "))).collect::<Vec<_>>().join("; ")
}

/// The behaviors of a group with memory.
fn memories(simulation: &Simulation, group: usize) -> impl Iterator<Item = (&Slot, &MemoryLayout)> {
    let slots = simulation.slots(group).iter();
    let memories = slots.filter_map(|slot| Some((slot, slot.behavior.as_ref()?.memory())));
    memories.filter(|(_, layout)| !layout.fields().is_empty())
}
