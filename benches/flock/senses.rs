//! What the rules that are written in Rust and Lua ask of `Senses`: the one place that knows how.

use steerbox::perception::{List, Seen};
use steerbox::sim::Senses;
use steerbox::world::World;

pub(crate) use steerbox::perception::Crowd;

/// How many are in a list, their mean position and their mean velocity.
pub(crate) fn crowd(senses: &mut Senses, list: List) -> Crowd {
    senses.crowd(list)
}

/// Reads a list, nearest first, beside the world.
pub(crate) fn read<R>(
    senses: &mut Senses,
    list: List,
    reader: impl FnOnce(&World, &[Seen]) -> R,
) -> R {
    let (seen, world) = senses.ordered_in_world(list);
    reader(world, seen)
}
