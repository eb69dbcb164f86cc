//! Routes: flow fields along the shortest way to a goal around obstacles.
//!
//! The distance T to the goal satisfies the eikonal equation |∇T| = 1 between obstacles. Fast marching solves it on the
//! nodes of the field, in the order of the distance, with one-sided differences of second order where two solved nodes
//! are in line (J. A. Sethian, "Fast marching methods", SIAM Review 41, 1999). Near the goal, distances are exact. The
//! vectors are the negative gradient.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::{UVec3, Vec3};

use super::arena::Arena;
use super::flow::Flow;
use super::obstacle::Obstacle;
use super::obstacles::{Obstacles, SearchCost};

/// The goal of a route.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// A point.
    Point(Vec3),
    /// The inside of a shape.
    Area(Obstacle),
}

/// A field of shortest ways.
#[derive(Clone, Copy, Debug)]
pub struct Route<'a> {
    /// The world.
    pub arena: &'a Arena,
    /// The obstacles that ways avoid.
    pub obstacles: &'a Obstacles,
    /// The goal.
    pub goal: &'a Goal,
    /// Nodes along each axis, at least one.
    pub nodes: UVec3,
    /// The distance from obstacles that ways keep where there is room, not negative.
    pub margin: f32,
    /// The length of the vectors.
    pub speed: f32,
}

/// Number of cells around a point within which distances are exact.
const EXACT: f32 = 5.0;
/// As [`EXACT`], around an area.
const EXACT_AREA: f32 = 2.0;

impl Route<'_> {
    /// Computes the field. Vectors have the length `speed`; they are zero where no way leads to the goal, point away from
    /// its surface in an area, so that units do not block it, and away from the obstacle at nodes inside one. Distances are
    /// 0 in the goal and infinite where no way leads.
    ///
    /// Ways do not lead across periodic edges, unless views do. The result does not depend on the platform.
    pub fn field(&self) -> Flow {
        let points: Vec<Vec3> = Flow::points(self.arena, self.nodes).collect();
        let mut march = March::new(self, &points);
        // Ways closer to obstacles than the margin continue those that are not.
        for margin in [self.margin, 0.0] {
            march.open(margin);
            self.seed(&points, &mut march);
            march.run();
        }
        let vectors = points.iter().enumerate();
        let vectors =
            vectors.map(|(node, point)| self.speed * self.direction(&march, node, *point)).collect();
        Flow::with_distances(self.arena, self.nodes, vectors, march.distance)
            .unwrap_or_else(|| Flow::still(self.arena))
    }

    /// Sets the exact distances near the goal.
    fn seed(&self, points: &[Vec3], march: &mut March<'_>) {
        let cell = march.cell.max_element();
        for (node, point) in points.iter().enumerate() {
            if let Some((distance, to)) = self.straight(*point, cell)
                && march.is_open[node]
                && self.obstacles.is_free(*point, to, &mut SearchCost::default())
            {
                march.lower(node, distance);
                march.is_exact[node] = true;
            }
        }
    }

    /// Returns the distance of a point near the goal and the nearest point of the goal.
    fn straight(&self, point: Vec3, cell: f32) -> Option<(f32, Vec3)> {
        match &self.goal {
            Goal::Point(goal) => {
                let offset = self.arena.shortest(*goal - point);
                (offset.length() <= EXACT * cell).then(|| (offset.length(), point + offset))
            }
            Goal::Area(area) => {
                let distance = area.distance_to(point);
                let to = if distance > 0.0 { area.nearest_point(point) } else { point };
                (distance <= EXACT_AREA * cell).then(|| (distance.max(0.0), to))
            }
        }
    }

    fn direction(&self, march: &March<'_>, node: usize, point: Vec3) -> Vec3 {
        if march.gap[node] <= 0.0 {
            let nearest = self.obstacles.nearest(point, &mut SearchCost::default());
            return nearest.map_or(Vec3::ZERO, |at| self.obstacles[at].normal(point));
        }
        match self.goal {
            _ if !march.distance[node].is_finite() => return Vec3::ZERO,
            Goal::Area(area) if march.distance[node] == 0.0 => return -area.normal(point),
            _ => {}
        }
        let exact = self.straight(point, march.cell.max_element());
        if let Some((_, to)) = exact.filter(|(distance, _)| *distance == march.distance[node]) {
            return (to - point).normalize_or_zero();
        }
        march.downhill(node)
    }
}

/// The state of the solution.
struct March<'a> {
    route: &'a Route<'a>,
    points: &'a [Vec3],
    /// Distances between neighbors along each axis.
    cell: Vec3,
    /// The distance of each node from the nearest obstacle.
    gap: Vec<f32>,
    /// True for nodes that ways may use.
    is_open: Vec<bool>,
    /// For each node a bit per axis, set if nothing is between it and the next node.
    edges: Vec<u8>,
    distance: Vec<f32>,
    is_solved: Vec<bool>,
    /// True for nodes near the goal, whose distances do not follow from their neighbors.
    is_exact: Vec<bool>,
    /// Distances and nodes; a distance that was lowered later is outdated.
    queue: BinaryHeap<Reverse<(u32, u32)>>,
}

impl<'a> March<'a> {
    fn new(route: &'a Route<'a>, points: &'a [Vec3]) -> Self {
        let obstacles = route.obstacles;
        let cell = route.arena.size() / (route.nodes.as_vec3() - 1.0).max(Vec3::ONE);
        let gap = |point: &Vec3| {
            let nearest = obstacles.nearest(*point, &mut SearchCost::default());
            nearest.map_or(f32::INFINITY, |at| obstacles[at].distance_to(*point))
        };
        let mut march = Self {
            route,
            points,
            cell,
            gap: points.iter().map(gap).collect(),
            is_open: vec![false; points.len()],
            edges: vec![0; points.len()],
            distance: vec![f32::INFINITY; points.len()],
            is_solved: vec![false; points.len()],
            is_exact: vec![false; points.len()],
            queue: BinaryHeap::new(),
        };
        march.edges = (0..points.len()).map(|node| march.edges_of(node)).collect();
        march
    }

    /// Returns the mask of the axes along which nothing is between a node and the next one.
    fn edges_of(&self, node: usize) -> u8 {
        let is_passable = |axis: &usize| {
            let Some(next) = self.neighbor(node, *axis, true) else {
                return false;
            };
            let (a, b) = (self.gap[node], self.gap[next]);
            if a.min(b) <= 0.0 {
                return false;
            }
            // Across a periodic edge, the next node is not beside this one.
            let mut from = self.points[next];
            from[*axis] -= self.cell[*axis];
            let free = || self.route.obstacles.is_free(from, self.points[next], &mut SearchCost::default());
            a.max(b) >= self.cell[*axis] || free()
        };
        (0..3).filter(is_passable).map(|axis| 1 << axis).sum()
    }

    /// Opens the nodes with a distance of at least `margin` from obstacles, and puts their solved neighbors in the queue.
    fn open(&mut self, margin: f32) {
        self.is_open = self.gap.iter().map(|gap| *gap > 0.0 && *gap >= margin).collect();
        for node in 0..self.points.len() {
            if self.is_open[node] && !self.is_solved[node] {
                self.update(node);
            }
        }
    }

    /// The next node along an axis, forward or backward; across a periodic edge if views reach across it.
    fn neighbor(&self, node: usize, axis: usize, forward: bool) -> Option<usize> {
        let nodes = self.route.nodes.to_array().map(|count| count as usize);
        let stride = [1, nodes[0], nodes[0] * nodes[1]][axis];
        let (at, last) = (node / stride % nodes[axis], nodes[axis] - 1);
        let wraps = axis < 2 && last > 1 && self.route.arena.period().is_some();
        match (forward, at) {
            (true, at) if at < last => Some(node + stride),
            (false, at) if at > 0 => Some(node - stride),
            // The first and the last node are the same point.
            (true, _) if wraps => Some(node - (last - 1) * stride),
            (false, _) if wraps => Some(node + (last - 1) * stride),
            _ => None,
        }
    }

    /// As [`March::neighbor`], if nothing is between.
    fn reachable(&self, node: usize, axis: usize, forward: bool) -> Option<usize> {
        let next = self.neighbor(node, axis, forward)?;
        let from = if forward { node } else { next };
        (self.edges[from] & 1 << axis != 0).then_some(next)
    }

    fn lower(&mut self, node: usize, distance: f32) {
        if distance < self.distance[node] && !self.is_solved[node] {
            self.distance[node] = distance;
            // The bits of positive numbers have their order.
            self.queue.push(Reverse((distance.to_bits(), node as u32)));
        }
    }

    fn run(&mut self) {
        while let Some(Reverse((bits, node))) = self.queue.pop() {
            let node = node as usize;
            if self.is_solved[node] || self.distance[node].to_bits() != bits {
                continue;
            }
            self.is_solved[node] = true;
            for (axis, forward) in (0..3).flat_map(|axis| [(axis, false), (axis, true)]) {
                if let Some(next) = self.reachable(node, axis, forward)
                    && self.is_open[next]
                    && !self.is_solved[next]
                {
                    self.update(next);
                }
            }
        }
    }

    /// Lowers the distance of a node to that by way of its solved neighbors.
    fn update(&mut self, node: usize) {
        if self.is_exact[node] {
            return;
        }
        let mut found = [(f64::INFINITY, 0.0, f64::INFINITY); 3];
        for (axis, term) in found.iter_mut().enumerate() {
            for forward in [false, true] {
                let near = self.reachable(node, axis, forward).filter(|at| self.is_solved[*at]);
                let Some(near) = near.filter(|at| f64::from(self.distance[*at]) < term.2) else {
                    continue;
                };
                let (first, weight) = (f64::from(self.distance[near]), inverse_square(self.cell[axis]));
                let far = self.reachable(near, axis, forward).filter(|at| self.is_solved[*at]);
                let far = far.map(|at| f64::from(self.distance[at])).filter(|second| *second <= first);
                *term = match far {
                    Some(second) => ((4.0 * first - second) / 3.0, 2.25 * weight, first),
                    None => (first, weight, first),
                };
            }
        }
        found.sort_by(|a, b| a.2.total_cmp(&b.2));
        if let Some(distance) = solved(&found) {
            self.lower(node, distance as f32);
        }
    }

    /// Returns the unit vector of the steepest descent; it does not lead into an obstacle.
    fn downhill(&self, node: usize) -> Vec3 {
        let own = self.distance[node];
        // A way with a margin does not lead into the margin.
        let margin = if self.gap[node] >= self.route.margin { self.route.margin } else { 0.0 };
        let mut way = Vec3::ZERO;
        for axis in 0..3 {
            let at = |forward| {
                let next = self.reachable(node, axis, forward).filter(|next| self.gap[*next] >= margin)?;
                Some(self.distance[next]).filter(|distance| distance.is_finite())
            };
            let rise = match (at(false), at(true)) {
                (Some(before), Some(after)) => (after - before) / 2.0,
                (Some(before), None) => (own - before).max(0.0),
                (None, Some(after)) => (after - own).min(0.0),
                (None, None) => 0.0,
            };
            way[axis] = -rise / self.cell[axis].max(f32::MIN_POSITIVE);
        }
        way.normalize_or_zero()
    }
}

/// Returns the solution of Σ weight · (T − value)² = 1 over the axes with the least first neighbors, for which T is not
/// below them. Each term has value, weight, and the distance of the first neighbor.
fn solved(terms: &[(f64, f64, f64); 3]) -> Option<f64> {
    let (mut a, mut b, mut c, mut best) = (0.0, 0.0, -1.0, None);
    for (value, weight, first) in terms {
        if !first.is_finite() || best.is_some_and(|best| best <= *first) {
            break;
        }
        a += weight;
        b += weight * value;
        c += weight * value * value;
        let square = b * b - a * c;
        if square < 0.0 {
            break;
        }
        // A difference of second order may fall below the neighbor.
        best = Some(((b + square.sqrt()) / a).max(*first));
    }
    best
}

fn inverse_square(length: f32) -> f64 {
    let length = f64::from(length);
    1.0 / (length * length)
}

#[cfg(test)]
mod tests;
