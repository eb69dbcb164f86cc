//! The obstacles that the deciding unit perceives.

use glam::Vec3;

use super::context::UnitContext;
use crate::world::{NearObstacle, Obstacles, SearchCost, World, image_about};

impl UnitContext {
    /// Returns the apparent position of a point for the deciding unit: across the edge of a seamless world if that is nearer.
    pub fn apparent(&self, point: Vec3) -> Vec3 {
        let (world, unit) = (&self.frozen.world, self.unit);
        let position = world.units.position.get(unit).filter(|_| self.has_unit);
        let (Some(period), Some(position)) = (world.arena.period(), position) else {
            return point;
        };
        image_about(point, *position, period)
    }

    /// Returns the obstacles that the unit perceives, or all without a unit; see [`World::obstacles_of`].
    pub fn obstacles(&self) -> &Obstacles {
        let world = &self.frozen.world;
        if self.has_unit { world.obstacles_of(self.unit) } else { &world.obstacles }
    }

    /// Returns the indices of [`UnitContext::obstacles`].
    pub fn perceived_obstacles(&mut self) -> &[u32] {
        let (count, all) = (self.obstacles().visible_count(), self.frozen.world.obstacles.len());
        // Ascending indices of all obstacles end with the last one.
        let known = self.perceived.last().map_or(0, |last| *last as usize + 1);
        if count < all || (self.perceived.len(), known) != (all, all) {
            let mut perceived = std::mem::take(&mut self.perceived);
            perceived.clear();
            let obstacles = self.obstacles();
            perceived.extend((0..count).filter_map(|nth| obstacles.visible(nth)).map(|at| at as u32));
            self.perceived = perceived;
        }
        &self.perceived
    }

    /// Returns the obstacles whose surface is within `reach` of the unit, nearest first; not charged.
    pub fn obstacles_within(&mut self, reach: f32) -> &[NearObstacle] {
        self.obstacles_within_in_world(reach).0
    }

    /// [`UnitContext::obstacles_within`] together with the world.
    pub fn obstacles_within_in_world(&mut self, reach: f32) -> (&[NearObstacle], &World) {
        let world = &self.frozen.world;
        let near = &mut self.near;
        if near.reach.map(f32::to_bits) != Some(reach.to_bits()) {
            near.cost = SearchCost::default();
            let position = world.units.position[self.unit];
            world.obstacles_of(self.unit).within(position, reach, &mut near.list, &mut near.cost);
            near.reach = Some(reach);
        }
        (&near.list, world)
    }

    /// Returns the cost of finding the obstacles within `reach` of the unit, regardless of earlier behaviors; `None` if
    /// the current call was charged for the same reach last.
    pub fn obstacle_search_cost(&mut self, reach: f32) -> Option<SearchCost> {
        self.obstacles_within(reach);
        let is_charged = self.near.charged == Some(reach.to_bits());
        self.near.charged = Some(reach.to_bits());
        (!is_charged).then_some(self.near.cost)
    }
}
