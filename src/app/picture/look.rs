//! How the scene wants a unit to look.

use super::Picture;
use crate::scene::{Color, Look};
use crate::world::World;

impl<C> Picture<'_, C> {
    pub(super) fn look(&self, group: usize) -> Option<&Look> {
        self.scene.groups.get(group).map(|group| &group.look)
    }
}

/// A unit's color: of the first of its marks that has one, else its group's.
pub(super) fn color_of(world: &World, unit: usize, look: &Look) -> Color {
    let marks = world.units.marks[unit];
    let marked = look
        .marks
        .iter()
        .find(|(name, _)| world.marks.bit(name).is_some_and(|bit| marks & bit != 0));
    marked.map_or(look.color, |(_, color)| *color)
}
