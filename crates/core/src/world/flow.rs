//! Flow fields: a direction for every point of the world.
//!
//! A script fills the nodes once, on the loader's thread, when the script or the scene changes. A lookup per unit then
//! takes a few memory reads instead of a script call.

use std::sync::Arc;

use glam::{UVec3, Vec3};

use super::arena::Arena;

/// Vectors at the nodes of a regular grid over the world, interpolated linearly in between. Clones share the vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    origin: Vec3,
    size: Vec3,
    /// Nodes along each axis, at least one.
    nodes: UVec3,
    /// Ordered along x first, then y, then z.
    vectors: Arc<[Vec3]>,
    /// Distances to the goal at the nodes, infinite where no path leads to it.
    distances: Option<Arc<[f32]>>,
}

/// A flow field and its name in groups and scripts.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedFlow {
    /// Its name in the scene.
    pub name: String,
    /// The field.
    pub flow: Flow,
}

impl Flow {
    /// Creates a field over `arena` from `nodes.x` · `nodes.y` · `nodes.z` vectors, ordered along x first, then y, then
    /// z, from the corner of least coordinates. Returns `None` if the number of vectors is wrong or zero.
    pub fn new(arena: &Arena, nodes: UVec3, vectors: Vec<Vec3>) -> Option<Self> {
        let count = u64::from(nodes.x) * u64::from(nodes.y) * u64::from(nodes.z);
        (count > 0 && count == vectors.len() as u64).then(|| Self {
            origin: arena.center() - arena.size() * 0.5,
            size: arena.size(),
            nodes,
            vectors: vectors.into(),
            distances: None,
        })
    }

    /// As [`Flow::new`], with the distance of each node to a goal.
    pub(super) fn with_distances(
        arena: &Arena,
        nodes: UVec3,
        vectors: Vec<Vec3>,
        distances: Vec<f32>,
    ) -> Option<Self> {
        let flow = Self::new(arena, nodes, vectors).filter(|flow| flow.vectors.len() == distances.len());
        flow.map(|flow| Self { distances: Some(distances.into()), ..flow })
    }

    /// Returns a field over `arena` that is zero everywhere.
    pub fn still(arena: &Arena) -> Self {
        let (nodes, vectors) = (UVec3::ONE, [Vec3::ZERO].into());
        Self { origin: arena.center(), size: arena.size(), nodes, vectors, distances: None }
    }

    /// Returns the positions of the nodes of a field over `arena`, in the order of its vectors.
    pub fn points(arena: &Arena, nodes: UVec3) -> impl Iterator<Item = Vec3> {
        let (origin, size) = (arena.center() - arena.size() * 0.5, arena.size());
        let step = size / (nodes.as_vec3() - 1.0).max(Vec3::ONE);
        let all = move |(x, y, z): (u32, u32, u32)| origin + step * Vec3::new(x as f32, y as f32, z as f32);
        (0..nodes.z)
            .flat_map(move |z| (0..nodes.y).flat_map(move |y| (0..nodes.x).map(move |x| all((x, y, z)))))
    }

    /// Returns the interpolated vector at a point; a point outside the world is clamped to its border.
    pub fn at(&self, point: Vec3) -> Vec3 {
        let (low, high, t) = self.cell_of(point);
        let node = |x: u32, y: u32, z: u32| self.vectors[self.index(x, y, z)];
        let row = |y, z| node(low.x, y, z).lerp(node(high.x, y, z), t.x);
        let sheet = |z| row(low.y, z).lerp(row(high.y, z), t.y);
        sheet(low.z).lerp(sheet(high.z), t.z)
    }

    /// Returns the distance to the goal along the shortest path from a point, interpolated between the nodes with a path;
    /// infinite without one. `None` for a field without a goal.
    pub fn distance_at(&self, point: Vec3) -> Option<f32> {
        let distances = self.distances.as_ref()?;
        let (low, high, t) = self.cell_of(point);
        let (mut sum, mut weights) = (0.0, 0.0);
        for (z, share_z) in [(low.z, 1.0 - t.z), (high.z, t.z)] {
            for (y, share_y) in [(low.y, 1.0 - t.y), (high.y, t.y)] {
                for (x, share_x) in [(low.x, 1.0 - t.x), (high.x, t.x)] {
                    let (distance, weight) = (distances[self.index(x, y, z)], share_x * share_y * share_z);
                    if distance.is_finite() && weight > 0.0 {
                        sum += distance * weight;
                        weights += weight;
                    }
                }
            }
        }
        Some(if weights > 0.0 { sum / weights } else { f32::INFINITY })
    }

    /// Returns the nodes of least and of greatest coordinates about a point, and its place between them, 0 to 1.
    fn cell_of(&self, point: Vec3) -> (UVec3, UVec3, Vec3) {
        let last = (self.nodes - 1).as_vec3();
        let share = (point - self.origin) / self.size.max(Vec3::splat(f32::MIN_POSITIVE));
        let place = (share * last).max(Vec3::ZERO).min(last);
        let low = place.floor();
        let (t, low) = (place - low, low.as_uvec3());
        (low, (low + 1).min(self.nodes - 1), t)
    }

    fn index(&self, x: u32, y: u32, z: u32) -> usize {
        ((z * self.nodes.y + y) * self.nodes.x + x) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Edges, testing};

    fn arena() -> Arena {
        testing::plane(40.0, 20.0, Edges::Open)
    }

    #[test]
    fn nodes_give_their_vector_and_points_between_them_a_mean() {
        let nodes = UVec3::new(3, 2, 1);
        let vectors: Vec<_> = (0..6).map(|n| Vec3::X * n as f32).collect();
        let flow = Flow::new(&arena(), nodes, vectors.clone()).unwrap();
        for (point, vector) in Flow::points(&arena(), nodes).zip(&vectors) {
            assert_eq!(flow.at(point), *vector);
        }
        assert_eq!(flow.at(Vec3::new(10.0, 10.0, 0.0)), Vec3::X * 2.0);
        assert_eq!(flow.at(Vec3::new(1e9, -5.0, 0.0)), Vec3::X * 2.0);
    }

    #[test]
    fn as_many_vectors_as_nodes_or_none() {
        let three = vec![Vec3::X; 3];
        assert_eq!(Flow::new(&arena(), UVec3::new(2, 2, 1), three), None);
        assert_eq!(Flow::new(&arena(), UVec3::ZERO, Vec::new()), None);
        let one = Flow::new(&arena(), UVec3::ONE, vec![Vec3::Y]).unwrap();
        assert_eq!(one.at(Vec3::new(7.0, 3.0, 0.0)), Vec3::Y);
    }
}
