//! What the rules that are written in Rust and Lua ask of `UnitContext`: the one place that knows how.

use steerbox::perception::{List, Neighbor};
use steerbox::sim::UnitContext;
use steerbox::world::World;

pub(crate) use steerbox::perception::NeighborMeans;

/// How many are in a list, their mean position and their mean velocity.
pub(crate) fn means(context: &mut UnitContext, list: List) -> NeighborMeans {
    context.means(list)
}

/// Reads a list, nearest first, beside the world.
pub(crate) fn read<R>(
    context: &mut UnitContext,
    list: List,
    reader: impl FnOnce(&World, &[Neighbor]) -> R,
) -> R {
    let (seen, world) = context.ordered_in_world(list);
    reader(world, seen)
}
