//! What the rules that are written in Rust and Lua ask of `Senses`: the one place that knows how.

use std::cell::RefCell;

use glam::Vec3;
use steerbox::perception::{List, Seen};
use steerbox::sim::Senses;
use steerbox::world::World;

/// A list as a whole.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Crowd {
    pub(crate) count: u32,
    /// Means; the unit's own where there is nobody.
    pub(crate) position: Vec3,
    pub(crate) velocity: Vec3,
}

/// How many are in a list, their mean position and their mean velocity.
pub(crate) fn crowd(senses: &mut Senses, list: List) -> Crowd {
    let count = senses.units(list).count() as u32;
    let position = senses.mean_position(list);
    let velocity = senses.mean_velocity(list);
    let (units, unit) = (&senses.world().units, senses.unit());
    Crowd {
        count,
        position: position.unwrap_or(units.position[unit]),
        velocity: velocity.unwrap_or(units.velocity[unit]),
    }
}

/// Reads a list beside the world. It is copied: the list borrows the senses, and so does the world.
pub(crate) fn read<R>(
    senses: &mut Senses,
    list: List,
    reader: impl FnOnce(&World, &[Seen]) -> R,
) -> R {
    thread_local!(static SEEN: RefCell<Vec<Seen>> = const { RefCell::new(Vec::new()) });
    SEEN.with_borrow_mut(|seen| {
        seen.clear();
        seen.extend(senses.units(list));
        reader(senses.world(), seen)
    })
}
