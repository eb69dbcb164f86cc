//! Ids of the names in a script: compiled code compares integers instead of strings.

use std::sync::Arc;

use crate::world::World;

/// The ids of a name in a world.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameIds {
    /// The bit of the kind; 0 if none.
    pub kind: u64,
    /// The bit of the mark; 0 if none.
    pub mark: u64,
    /// The slot of the signal, or −1.
    pub signal: i64,
    /// The index of the group, or −1.
    pub group: i64,
    /// The index of the zone, or −1.
    pub zone: i64,
}

impl NameIds {
    fn new(name: &str, world: &World) -> Self {
        let index = |index: Option<usize>| index.map_or(-1, |index| index as i64);
        Self {
            kind: world.kinds.bit(name).unwrap_or(0),
            mark: world.marks.bit(name).unwrap_or(0),
            signal: index(world.signals.index(name)),
            group: index(world.groups.iter().position(|group| group.name == name)),
            zone: index(world.zone_index(name)),
        }
    }
}

/// The ids of each behavior's names in a group, looked up at its first decision in a step.
#[derive(Debug, Default)]
pub(super) struct NameCache(Vec<Cached>);

/// The names of the behavior in a slot, and their ids.
#[derive(Clone, Debug, Default)]
struct Cached {
    names: Option<Arc<[String]>>,
    ids: Vec<NameIds>,
}

impl NameCache {
    /// Invalidates the cache for another world.
    pub(super) fn clear(&mut self) {
        // The vectors are reused, so that no step allocates.
        for cached in &mut self.0 {
            cached.names = None;
        }
    }

    /// Returns the ids of the names of the behavior in a slot, in order.
    pub(super) fn ids(&mut self, slot: usize, names: &Arc<[String]>, world: &World) -> &[NameIds] {
        if self.0.len() <= slot {
            self.0.resize(slot + 1, Cached::default());
        }
        let cached = &mut self.0[slot];
        if cached.names.as_ref().is_none_or(|known| !Arc::ptr_eq(known, names)) {
            cached.names = Some(Arc::clone(names));
            cached.ids.clear();
            cached.ids.extend(names.iter().map(|name| NameIds::new(name, world)));
        }
        &cached.ids
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::testing;

    #[test]
    fn a_name_is_looked_up_again_after_a_change_of_world_or_behavior() {
        let mut world = testing::world(&[1], 1.0, |_, _| Default::default());
        world.kinds.intern("craft").unwrap();
        let names: Arc<[String]> = ["fish", "craft"].map(str::to_owned).into();
        let kinds = |cache: &mut NameCache, names: &Arc<[String]>, world: &World| {
            cache.ids(2, names, world).iter().map(|ids| ids.kind).collect::<Vec<_>>()
        };
        let mut cache = NameCache::default();
        assert_eq!(kinds(&mut cache, &names, &world), [0, 1]);
        assert_eq!(kinds(&mut cache, &["craft".to_owned()].into(), &world), [1]);
        world.kinds.intern("fish").unwrap();
        cache.clear();
        assert_eq!(kinds(&mut cache, &names, &world), [2, 1]);
        assert_eq!(
            NameIds::new("nobody", &world),
            NameIds { kind: 0, mark: 0, signal: -1, group: -1, zone: -1 }
        );
    }
}
