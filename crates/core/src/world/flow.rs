//! Flow fields: a direction for every point of the world.
//!
//! A script fills the nodes once, on the loader's thread, when the script or the scene changes. A lookup per unit then
//! takes a few memory reads instead of a script call.

use std::sync::Arc;

use glam::{UVec3, Vec3};

use super::arena::Arena;
use super::extrema::Extrema;
use super::obstacles::{Obstacles, RayHit, SearchCost};

/// Vectors at the nodes of a regular grid over the world, interpolated linearly in between. Clones share the vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    origin: Vec3,
    size: Vec3,
    /// Nodes along each axis, at least one.
    nodes: UVec3,
    /// Ordered along x first, then y, then z; none in a field of ways.
    vectors: Arc<[Vec3]>,
    ways: Option<Arc<Ways>>,
}

/// The way to a goal from a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Way {
    /// The place of the node, up to half a cell away from the lattice.
    pub(super) from: Vec3,
    /// A point that it leads to in a straight line; the same if there is no way.
    pub(super) toward: Vec3,
    /// The length of the path less the distance between both; infinite without a way, negative infinity in the goal.
    pub(super) rest: f32,
    /// The distance of the node from obstacles, not positive inside one.
    pub(super) gap: f32,
}

/// The shortest paths to a goal from all nodes.
#[derive(Clone, Debug, PartialEq)]
struct Ways {
    nodes: Vec<Way>,
    /// For each cell, by its node of least coordinates.
    cells: Vec<Cell>,
    /// The length of the vectors.
    speed: f32,
    obstacles: Obstacles,
}

/// The free space between the nodes of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cell {
    /// No obstacle is there.
    Open,
    /// An obstacle may be there.
    Near,
    /// An obstacle separates nodes.
    Split,
}

/// Distance ahead within which vectors do not lead into obstacles, in cells.
const AHEAD: f32 = 0.5;
/// Minimum length of the part of a direction along an obstacle.
const ACROSS: f32 = 0.01;
/// Maximum excess of the difference between the lengths of two paths over the distance of their nodes, in its parts.
const SPLIT: f32 = 0.1;

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
        Self::of_nodes(arena, nodes, vectors.len()).map(|flow| Self { vectors: vectors.into(), ..flow })
    }

    /// Returns a field without vectors; `None` if the number of nodes is not `count`, or zero.
    fn of_nodes(arena: &Arena, nodes: UVec3, count: usize) -> Option<Self> {
        let found = u64::from(nodes.x) * u64::from(nodes.y) * u64::from(nodes.z);
        let (origin, size) = (arena.center() - arena.size() * 0.5, arena.size());
        (found > 0 && found == count as u64).then(|| Self {
            origin,
            size,
            nodes,
            vectors: [].into(),
            ways: None,
        })
    }

    /// As [`Flow::new`], from the ways of the nodes around obstacles, with vectors of the length `speed`.
    pub(super) fn with_ways(
        arena: &Arena,
        nodes: UVec3,
        ways: Vec<Way>,
        speed: f32,
        obstacles: Obstacles,
    ) -> Option<Self> {
        let flow = Self::of_nodes(arena, nodes, ways.len())?;
        let length = |way: &Way| (way.toward.distance(way.from) + way.rest).greater(0.0);
        let is_blocked = |a: &Way, b: &Way| {
            let (one, other) = (length(a), length(b));
            let limit = a.from.distance(b.from) * (1.0 + SPLIT);
            // Without a way, both are infinite.
            a.gap.lesser(b.gap) > 0.0 && one != other && (one - other).abs() > limit
        };
        let space = |low: UVec3| {
            let corners = || flow.corners(low, (low + 1).min(nodes - 1), Vec3::ZERO).map(|(at, _)| &ways[at]);
            if corners().all(|way| way.gap > cell(arena.size(), nodes).length()) {
                Cell::Open
            } else if corners().any(|a| corners().any(|b| is_blocked(a, b))) {
                Cell::Split
            } else {
                Cell::Near
            }
        };
        let cells = indices(nodes).map(space).collect();
        let ways = Ways { nodes: ways, cells, speed, obstacles };
        Some(Self { ways: Some(Arc::new(ways)), ..flow })
    }

    /// Returns a field over `arena` that is zero everywhere.
    pub fn still(arena: &Arena) -> Self {
        let (nodes, vectors) = (UVec3::ONE, [Vec3::ZERO].into());
        Self { origin: arena.center(), size: arena.size(), nodes, vectors, ways: None }
    }

    /// Returns the positions of the nodes of a field over `arena`, in the order of its vectors.
    pub fn points(arena: &Arena, nodes: UVec3) -> impl Iterator<Item = Vec3> {
        let (origin, step) = (arena.center() - arena.size() * 0.5, cell(arena.size(), nodes));
        indices(nodes).map(move |index| origin + step * index.as_vec3())
    }

    /// Returns the interpolated vector at a point; a point outside the world is clamped to its border.
    pub fn at(&self, point: Vec3) -> Vec3 {
        if let Some(ways) = &self.ways {
            return ways.speed * self.direction(ways, point);
        }
        let (low, high, t) = self.cell_of(point);
        let node = |x: u32, y: u32, z: u32| self.vectors[self.index(x, y, z)];
        let row = |y, z| node(low.x, y, z).lerp(node(high.x, y, z), t.x);
        let sheet = |z| row(low.y, z).lerp(row(high.y, z), t.y);
        sheet(low.z).lerp(sheet(high.z), t.z)
    }

    /// Returns the distance to the goal along the shortest path from a point, the mean over the nodes around it with a path;
    /// infinite without one. `None` for a field without a goal.
    pub fn distance_at(&self, point: Vec3) -> Option<f32> {
        self.ways.as_ref().map(|ways| self.way(ways, point).1)
    }

    /// Returns the direction of the path at a point, of a length of at most 1.
    fn direction(&self, ways: &Ways, point: Vec3) -> Vec3 {
        let (direction, length, space) = self.way(ways, point);
        if space == Cell::Open || !length.is_finite() {
            return direction;
        }
        // Nodes around a corner may lead into an obstacle: the path leads along it, to the side that is nearer to the goal.
        let ahead = length.lesser(AHEAD * cell(self.size, self.nodes).max_element());
        let hit = ways.obstacles.first_hit(point, direction, ahead, &mut SearchCost::default());
        let Some(RayHit { hit, .. }) = hit.filter(|found| found.hit.distance > 0.0) else {
            return direction;
        };
        let across = Vec3::new(-hit.normal.y, hit.normal.x, 0.0);
        let part = direction - hit.normal * direction.dot(hit.normal);
        let along = if part.length() > ACROSS { part } else { across }.normalize_or_zero();
        let length = |side: Vec3| {
            let to = point + side * ahead;
            let is_free = ways.obstacles.is_free(point, to, &mut SearchCost::default());
            if is_free { self.way(ways, to).1 } else { f32::INFINITY }
        };
        let (one, other) = (length(along), length(-along));
        if one.lesser(other).is_infinite() {
            direction
        } else if other < one {
            -along
        } else {
            along
        }
    }

    /// Returns the mean direction and length of the paths about a point, and the space there.
    fn way(&self, ways: &Ways, point: Vec3) -> (Vec3, f32, Cell) {
        let (low, high, t) = self.cell_of(point);
        let corners = || self.corners(low, high, t).map(|(at, weight)| (&ways.nodes[at], weight));
        let cell = ways.cells[self.index(low.x, low.y, low.z)];
        // Nodes behind an obstacle do not count, unless all are. One with weight 0 may be the only one.
        let is_free = |way: &Way| ways.obstacles.is_free(point, way.from, &mut SearchCost::default());
        let near = || corners().filter(|(way, _)| is_free(way)).map(|(way, weight)| (way, weight + 1e-3));
        let mean_near = if cell == Cell::Split { mean(point, near()) } else { None };
        let (direction, length) = mean_near.or_else(|| mean(point, corners())).unwrap_or_default();
        (direction, length, cell)
    }

    /// Returns the indices and weights of the nodes of a cell.
    #[inline]
    fn corners(&self, low: UVec3, high: UVec3, t: Vec3) -> impl Iterator<Item = (usize, f32)> {
        let count = if high.z > low.z { 8 } else { 4 };
        (0..count).map(move |number| {
            let along = |axis: usize| {
                let is_high = number >> axis & 1 == 1;
                if is_high { (high[axis], t[axis]) } else { (low[axis], 1.0 - t[axis]) }
            };
            let ((x, share_x), (y, share_y), (z, share_z)) = (along(0), along(1), along(2));
            (self.index(x, y, z), share_x * share_y * share_z)
        })
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

/// Returns the sizes of a cell between nodes; along an axis with one node, the size of the world.
pub(super) fn cell(size: Vec3, nodes: UVec3) -> Vec3 {
    size / (nodes.as_vec3() - 1.0).max(Vec3::ONE)
}

/// Returns the indices of nodes along each axis, in the order of the vectors.
fn indices(nodes: UVec3) -> impl Iterator<Item = UVec3> {
    let row = move |(y, z)| (0..nodes.x).map(move |x| UVec3::new(x, y, z));
    (0..nodes.z).flat_map(move |z| (0..nodes.y).map(move |y| (y, z))).flat_map(row)
}

/// Returns the mean direction of ways from a point and the mean length of those with a path, with these weights; `None`
/// without weights.
fn mean<'a>(point: Vec3, ways: impl Iterator<Item = (&'a Way, f32)>) -> Option<(Vec3, f32)> {
    let (mut direction, mut total, mut sum, mut weights, mut ends) = (Vec3::ZERO, 0.0, 0.0, 0.0, false);
    for (way, weight) in ways {
        ends |= way.rest == f32::NEG_INFINITY;
        total += weight;
        let offset = way.toward - point;
        let length = offset.length();
        if length > 0.0 && (way.toward != way.from || way.rest == 0.0) {
            direction += offset * (weight / length);
        }
        if way.rest < f32::INFINITY && weight > 0.0 {
            sum += weight * (length + way.rest).greater(0.0);
            weights += weight;
        }
    }
    // In the goal, vectors vanish in its middle.
    let direction = if ends { direction / total } else { direction.normalize_or_zero() };
    (total > 0.0).then(|| (direction, if weights > 0.0 { sum / weights } else { f32::INFINITY }))
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
