//! What the names in a script stand for in a world, as numbers: compiled code compares those, not texts.

use std::sync::Arc;

use crate::world::World;

/// What a name stands for in a world.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameIds {
    /// The bit of the kind; 0 if there is none.
    pub kind: u64,
    /// The bit of the mark; 0 if there is none.
    pub mark: u64,
    /// The slot of the signal, or −1.
    pub signal: i64,
    /// The index of the group, or −1.
    pub group: i64,
}

impl NameIds {
    fn of(name: &str, world: &World) -> Self {
        let index = |index: Option<usize>| index.map_or(-1, |index| index as i64);
        Self {
            kind: world.kinds.bit(name).unwrap_or(0),
            mark: world.marks.bit(name).unwrap_or(0),
            signal: index(world.signals.index(name)),
            group: index(world.groups.iter().position(|group| group.name == name)),
        }
    }
}

/// The ids of the names of each behavior of a group, looked up when it decides for the first time in a step.
#[derive(Debug, Default)]
pub(super) struct NameCache(Vec<Cached>);

/// The names of the behavior in a slot, and their ids.
#[derive(Clone, Debug, Default)]
struct Cached {
    names: Option<Arc<[String]>>,
    ids: Vec<NameIds>,
}

impl NameCache {
    /// Drops what is cached, as the world may be another.
    pub(super) fn clear(&mut self) {
        // The vectors stay, so that no step allocates.
        for cached in &mut self.0 {
            cached.names = None;
        }
    }

    /// The ids of the names of the behavior in a slot, in their order.
    pub(super) fn ids(&mut self, slot: usize, names: &Arc<[String]>, world: &World) -> &[NameIds] {
        if self.0.len() <= slot {
            self.0.resize(slot + 1, Cached::default());
        }
        let cached = &mut self.0[slot];
        if cached.names.as_ref().is_none_or(|known| !Arc::ptr_eq(known, names)) {
            cached.names = Some(Arc::clone(names));
            cached.ids.clear();
            cached.ids.extend(names.iter().map(|name| NameIds::of(name, world)));
        }
        &cached.ids
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::testing;

    #[test]
    fn a_name_is_looked_up_again_when_the_world_or_the_behavior_is_another() {
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
        assert_eq!(NameIds::of("nobody", &world), NameIds { kind: 0, mark: 0, signal: -1, group: -1 });
    }
}
