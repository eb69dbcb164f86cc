//! The state hash: XXH3 over all state that the next step depends on.

use xxhash_rust::xxh3::Xxh3;

use super::group_behaviors::GroupBehaviors;
use super::simulation::Simulation;
use crate::world::{Units, World};

/// Values of grids that are hashed at once.
const CHUNK: usize = 1024;

impl Simulation {
    /// Returns the hash of units, signals, grids, memory and step; it is the same on every platform. Its 16 hexadecimal
    /// digits are never those of a number.
    pub fn hash(&self) -> u64 {
        textual(hash(self.world(), &self.behaviors))
    }
}

/// Returns the hash of units, signals and environment grids (if any), memory and step, little-endian, by field. Units
/// spawned after step 0 add their index and their step, obstacles that units carry their places, and changes of `step`, `speed`
/// and paths their traces. Contacts of the last step are excluded: they follow from earlier states.
fn hash(world: &World, behaviors: &[GroupBehaviors]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(&world.steps.to_le_bytes());
    hasher.update(&world.seed.to_le_bytes());
    // The compiler demands new properties here. Units are ordered by group; keys follow from the scene and earlier states.
    #[rustfmt::skip]
    let Units {
        position, velocity, heading, up, angular_velocity, marks, signals, born, key: _, group: _, touching: _
    } = &world.units;
    for field in [position, velocity, heading, up, angular_velocity] {
        let parts = field.iter().flat_map(glam::Vec3::to_array);
        update(&mut hasher, parts.map(f32::to_bits));
    }
    let halves = |word: &u64| [*word as u32, (*word >> 32) as u32];
    update(&mut hasher, marks.iter().flat_map(halves));
    update(&mut hasher, signals.all().iter().map(|value| value.to_bits()));
    let later = born.iter().enumerate().filter(|(_, born)| **born != 0);
    update(&mut hasher, later.flat_map(|(unit, born)| [unit as u64, *born]).flat_map(|word| halves(&word)));
    for behaviors in behaviors {
        update(&mut hasher, behaviors.memory.words().iter().copied());
    }
    for values in world.grids.iter().flat_map(|grid| grid.values().chunks(CHUNK)) {
        let mut bytes = [0; 4 * CHUNK];
        for (bytes, value) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(values) {
            *bytes = value.to_le_bytes();
        }
        hasher.update(&bytes[..4 * values.len()]);
    }
    if !world.carriers.is_empty() {
        // The place of an obstacle whose carrier no longer exists follows from no other part of the state.
        let carried = world.obstacles.iter().filter(|obstacle| obstacle.carrier().is_some());
        update(&mut hasher, carried.flat_map(|it| it.position().to_array()).map(f32::to_bits));
    }
    // Without a change of `step`, `speed` or a path, both are functions of the scene and the number of steps.
    let durations = world.past.spans().flat_map(|(end, step)| [end, u64::from(step.to_bits())]);
    let leads = world.leads().flat_map(|(at, lead)| [at as u64, lead.to_bits()]);
    update(&mut hasher, durations.chain(leads).flat_map(|word| halves(&word)));
    hasher.digest()
}

/// Sets bits of the first digit, which makes it a letter, if the 16 hexadecimal digits would read as a number, as those of
/// `51745857103056e3`: spreadsheets and data frames would change them. One of two hundred hashes is affected.
fn textual(hash: u64) -> u64 {
    let is_letter = |digit: &u32| (hash >> (4 * digit)) & 0xf > 9;
    if is_letter(&15) || (0..15).filter(is_letter).count() > 1 { hash } else { hash | 0xa << 60 }
}

fn update(hasher: &mut Xxh3, words: impl Iterator<Item = u32>) {
    words.for_each(|word| hasher.update(&word.to_le_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_never_read_as_numbers() {
        let text = |hash| format!("{:016x}", textual(hash));
        let numbers =
            [0x5174_5857_1030_56e3, 0x3183_5344_2663_4680, 0x1234_5678_9012_3456, 0x00e0_0000_0000_0000];
        assert_eq!(
            numbers.map(text),
            ["f1745857103056e3", "b183534426634680", "b234567890123456", "a0e0000000000000"]
        );
        assert_eq!(text(0x012a_4567_89b1_2345), "012a456789b12345");
        for at in 0..100_000_u64 {
            let text = text(at.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            assert!(text.len() == 16 && text.parse::<f64>().is_err(), "{text}");
        }
    }
}
