//! The state hash: XXH3 over everything that the next step depends on.

use glam::Vec3;
use xxhash_rust::xxh3::Xxh3;

use super::group_behaviors::GroupBehaviors;
use crate::world::World;

/// Hash of units, memories and step, little-endian, field by field.
pub(super) fn hash(world: &World, behaviors: &[GroupBehaviors]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(&world.steps.to_le_bytes());
    hasher.update(&world.seed.to_le_bytes());
    let units = &world.units;
    for field in [
        &units.position,
        &units.velocity,
        &units.heading,
        &units.up,
        &units.angular_velocity,
    ] {
        for v in field {
            vector(&mut hasher, *v);
        }
    }
    for marks in &units.marks {
        hasher.update(&marks.to_le_bytes());
    }
    for word in behaviors
        .iter()
        .flat_map(|group_behaviors| &group_behaviors.memory)
    {
        hasher.update(&word.to_le_bytes());
    }
    hasher.digest()
}

fn vector(hasher: &mut Xxh3, v: Vec3) {
    for part in v.to_array() {
        hasher.update(&part.to_bits().to_le_bytes());
    }
}
