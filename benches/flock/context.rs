//! Access of the rules in Rust and Lua to `UnitContext`.

use steerbox_core::perception::{List, Neighbor};
use steerbox_core::sim::UnitContext;
use steerbox_core::world::World;

pub(crate) use steerbox_core::perception::NeighborMeans;

/// Returns the number of units in a list, their mean position and mean velocity.
pub(crate) fn means(context: &mut UnitContext, list: List) -> NeighborMeans {
    context.means(list)
}

/// Calls a function with a list, nearest first, and the world.
pub(crate) fn read<R>(
    context: &mut UnitContext,
    list: List,
    reader: impl FnOnce(&World, &[Neighbor]) -> R,
) -> R {
    let (seen, world) = context.ordered_in_world(list);
    reader(world, seen)
}
