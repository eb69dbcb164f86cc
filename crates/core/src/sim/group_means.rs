//! Means of groups, computed when a behavior or a measure first requests them.

use std::sync::OnceLock;

use glam::{DVec3, Vec3};

use crate::world::{Group, World};

/// The means of a group with at least one unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupMeans {
    /// The center, across a periodic edge the shorter way.
    pub position: Vec3,
    /// The mean of the velocities.
    pub velocity: Vec3,
}

impl GroupMeans {
    fn of(world: &World, group: usize) -> Self {
        let group = &world.groups[group];
        let velocities = &world.units.velocity[group.units.clone()];
        Self { position: center(world, group), velocity: mean(velocities.iter().copied()) }
    }
}

/// The means of each group of a state. A mean is computed once, by the thread that first requests it; the others wait
/// for it. The result does not depend on the thread.
#[derive(Clone, Debug, Default)]
pub(super) struct MeansOfGroups(Vec<OnceLock<GroupMeans>>);

impl MeansOfGroups {
    /// Drops all means, since the world changes.
    pub(super) fn clear(&mut self, world: &World) {
        self.0.clear();
        self.0.resize_with(world.groups.len(), OnceLock::new);
    }

    /// Returns the means of a group; `None` if it has no units or does not exist.
    pub(super) fn get(&self, world: &World, group: usize) -> Option<GroupMeans> {
        world.groups.get(group).filter(|group| !group.units.is_empty())?;
        let compute = || GroupMeans::of(world, group);
        // A group that was added since the last step has no cell yet.
        Some(self.0.get(group).map_or_else(compute, |cell| *cell.get_or_init(compute)))
    }
}

/// Returns the center of a group with at least one unit: the mean of the positions, along a periodic axis of their images
/// nearest to the direction of the mean of positions on a circle (L. Bai, D. Breen, "Calculating center of mass in an
/// unbounded 2D environment", Journal of Graphics Tools 13, 2008).
pub(super) fn center(world: &World, group: &Group) -> Vec3 {
    let positions = &world.units.position[group.units.clone()];
    let middle = mean(positions.iter().copied());
    let Some(period) = world.arena.period() else { return middle };
    let on_circle = |axis: usize| {
        let scale = std::f32::consts::TAU / period[axis];
        let angle = |at: &Vec3| libm::sincosf(at[axis] * scale);
        let add = |sum: (f32, f32), (sin, cos): (f32, f32)| (sum.0 + sin, sum.1 + cos);
        let (sin, cos) = positions.iter().map(angle).fold((0.0, 0.0), add);
        libm::atan2f(sin, cos) / scale
    };
    let on_circle = Vec3::new(on_circle(0), on_circle(1), middle.z);
    let offset = mean(positions.iter().map(|at| world.arena.shortest(*at - on_circle)));
    on_circle + Vec3::new(offset.x, offset.y, 0.0)
}

/// Returns the mean of at least one vector; it is summed in double precision, so that the mean of equal vectors is that
/// vector.
fn mean(vectors: impl ExactSizeIterator<Item = Vec3>) -> Vec3 {
    let count = vectors.len() as f64;
    (vectors.map(Vec3::as_dvec3).sum::<DVec3>() / count).as_vec3()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use crate::sim::{Behavior, Contribution, Simulation, Slot, UnitContext};
    use crate::world::{Arena, Edges, testing};

    #[test]
    fn means_are_those_of_the_present_state() {
        let arena = Arena { seamless: true, ..testing::plane(100.0, 60.0, Edges::Wrap) };
        let pair = [(Vec3::X * 2.0, Vec3::X * 10.0), (Vec3::X * 98.0, Vec3::Y * 10.0)];
        let world = World { arena, step: 0.1, ..World::default() };
        let world = world.with_group(Group::default(), pair).with_group(Group::default(), [Vec3::ZERO; 0]);
        // The mean that a behavior requests during a step is that of its start.
        let requests = |context: &mut UnitContext| {
            assert!(context.group_means(0).is_some());
            Contribution::None
        };
        let behavior: Arc<dyn Behavior> = Arc::new(requests);
        let mut simulation = Simulation::new(world, vec![vec![Slot::new("test", 1, Some(behavior))]; 2]);
        let means = |simulation: &Simulation| simulation.frozen().group_means(0).unwrap();
        let start = means(&simulation);
        assert!(arena.shortest(start.position).length() < 1e-4, "{start:?}");
        assert_eq!(start.velocity, Vec3::new(5.0, 5.0, 0.0));
        simulation.step();
        let moved = means(&simulation);
        assert!(moved.position.x > 0.1 && moved.velocity != start.velocity, "{moved:?}");
        simulation.world_mut().units.velocity.fill(Vec3::Z);
        assert_eq!(means(&simulation).velocity, Vec3::Z);
        assert_eq!(simulation.frozen().group_means(1), None);
        assert_eq!(simulation.frozen().group_means(2), None);
    }

    #[test]
    fn means_of_many_units_are_exact_and_across_edges_those_of_images() {
        let position = Vec3::new(300_000.5, 0.1, 0.0);
        let group = Group::default();
        let world = World { arena: testing::plane(1e6, 100.0, Edges::Bounce), ..World::default() };
        let world = world.with_group(group.clone(), vec![(position, position); 10_000]);
        assert_eq!(GroupMeans::of(&world, 0), GroupMeans { position, velocity: position });
        // The direction of the mean on a circle is at 81.5.
        let arena = Arena { seamless: true, ..testing::plane(1000.0, 1000.0, Edges::Wrap) };
        let at = [0.0, 0.0, 300.0].map(|x| (Vec3::new(x, 0.0, 0.0), Vec3::ZERO));
        let world = World { arena, ..World::default() }.with_group(group, at);
        let center = center(&world, &world.groups[0]);
        assert!((center - Vec3::X * 100.0).length() < 1e-3, "{center}");
    }
}
