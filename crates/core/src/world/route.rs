//! Routes: flow fields along the shortest path to a goal around obstacles.
//!
//! The distance T to the goal satisfies the eikonal equation |∇T| = 1 between obstacles. Fast marching solves it on the
//! nodes of the field, in the order of the distance, with one-sided differences of second order where two solved nodes
//! are in line (J. A. Sethian, "Fast marching methods", SIAM Review 41, 1999). Near the goal, distances are exact. The
//! vectors are the negative gradient.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::{UVec3, Vec3};

use super::arena::Arena;
use super::extrema::Extrema;
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

/// The rules of a field of shortest paths.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// The goal.
    pub goal: Goal,
    /// Nodes along each axis, at least one.
    pub nodes: UVec3,
    /// The distance from obstacles that paths maintain where there is room, not negative.
    pub margin: f32,
    /// The length of the vectors.
    pub speed: f32,
}

/// Number of cells around a point within which distances are exact.
const EXACT: f32 = 5.0;
/// As [`EXACT`], around an area.
const EXACT_AREA: f32 = 2.0;

impl Route {
    /// Computes the field over `arena` around `obstacles`. Vectors have the length `speed`; they are zero where no path leads
    /// to the goal, point away from its surface in an area, so that units do not block it, and away from the obstacle at
    /// nodes inside one. Distances are 0 in the goal and infinite without a path.
    ///
    /// Paths do not cross periodic edges, unless views do. The result does not depend on the platform.
    pub fn field(&self, arena: &Arena, obstacles: &Obstacles) -> Flow {
        let points: Vec<Vec3> = Flow::points(arena, self.nodes).collect();
        let mut march = March::new(self, (arena, obstacles), &points);
        // Paths closer to obstacles than the margin continue those that are not.
        let margins = [self.margin, 0.0];
        for margin in &margins[usize::from(self.margin == 0.0)..] {
            march.open(*margin);
            march.seed();
            march.run();
        }
        let vectors = (0..points.len()).map(|node| self.speed * march.direction(node)).collect();
        Flow::with_distances(arena, self.nodes, vectors, march.distance).unwrap_or_else(|| Flow::still(arena))
    }
}

/// The state of the solution.
struct March<'a> {
    route: &'a Route,
    arena: &'a Arena,
    obstacles: &'a Obstacles,
    points: &'a [Vec3],
    /// Distances between neighbors along each axis.
    cell: Vec3,
    /// The distance of each node from the nearest obstacle.
    gap: Vec<f32>,
    /// True for nodes that paths may visit.
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
    fn new(route: &'a Route, (arena, obstacles): (&'a Arena, &'a Obstacles), points: &'a [Vec3]) -> Self {
        let cell = arena.size() / (route.nodes.as_vec3() - 1.0).max(Vec3::ONE);
        let gap = |point: &Vec3| {
            let nearest = obstacles.nearest(*point, &mut SearchCost::default());
            nearest.map_or(f32::INFINITY, |at| obstacles[at].distance_to(*point))
        };
        let mut march = Self {
            route,
            arena,
            obstacles,
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
            if a.lesser(b) <= 0.0 {
                return false;
            }
            // Across a periodic edge, the next node is not beside this one.
            let mut from = self.points[next];
            from[*axis] -= self.cell[*axis];
            let free = || self.obstacles.is_free(from, self.points[next], &mut SearchCost::default());
            a.greater(b) >= self.cell[*axis] || free()
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

    /// Sets the exact distances near the goal.
    fn seed(&mut self) {
        for (node, point) in self.points.iter().enumerate() {
            if let Some((distance, to)) = self.straight(*point)
                && self.is_open[node]
                && self.obstacles.is_free(*point, to, &mut SearchCost::default())
            {
                self.lower(node, distance);
                self.is_exact[node] = true;
            }
        }
    }

    /// Returns the distance of a point near the goal and the nearest point of the goal.
    fn straight(&self, point: Vec3) -> Option<(f32, Vec3)> {
        let cell = self.cell.max_element();
        match &self.route.goal {
            Goal::Point(goal) => {
                let offset = self.arena.shortest(*goal - point);
                (offset.length() <= EXACT * cell).then(|| (offset.length(), point + offset))
            }
            Goal::Area(area) => {
                let distance = area.distance_to(point);
                let to = if distance > 0.0 { area.nearest_point(point) } else { point };
                (distance <= EXACT_AREA * cell).then(|| (distance.greater(0.0), to))
            }
        }
    }

    /// The next node along an axis, forward or backward; across a periodic edge if views reach across it.
    fn neighbor(&self, node: usize, axis: usize, forward: bool) -> Option<usize> {
        let nodes = self.route.nodes.to_array().map(|count| count as usize);
        let stride = [1, nodes[0], nodes[0] * nodes[1]][axis];
        let (at, last) = (node / stride % nodes[axis], nodes[axis] - 1);
        let wraps = axis < 2 && last > 1 && self.arena.period().is_some();
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

    /// Lowers the distance of a node to the solution from its solved neighbors.
    fn update(&mut self, node: usize) {
        if self.is_exact[node] {
            return;
        }
        let mut terms = [Term::NONE; 3];
        for (axis, term) in terms.iter_mut().enumerate() {
            for forward in [false, true] {
                let near = self.reachable(node, axis, forward).filter(|at| self.is_solved[*at]);
                let Some(near) = near.filter(|at| f64::from(self.distance[*at]) < term.first) else {
                    continue;
                };
                let (first, weight) = (f64::from(self.distance[near]), inverse_square(self.cell[axis]));
                let far = self.reachable(near, axis, forward).filter(|at| self.is_solved[*at]);
                let far = far.map(|at| f64::from(self.distance[at])).filter(|second| *second <= first);
                *term = match far {
                    Some(second) => {
                        Term { value: (4.0 * first - second) / 3.0, weight: 2.25 * weight, first }
                    }
                    None => Term { value: first, weight, first },
                };
            }
        }
        terms.sort_by(|a, b| a.first.total_cmp(&b.first));
        if let Some(distance) = solved(&terms) {
            self.lower(node, distance as f32);
        }
    }

    /// Returns the direction of the path at a node, a unit vector or zero.
    fn direction(&self, node: usize) -> Vec3 {
        let (point, distance) = (self.points[node], self.distance[node]);
        if self.gap[node] <= 0.0 {
            let nearest = self.obstacles.nearest(point, &mut SearchCost::default());
            return nearest.map_or(Vec3::ZERO, |at| self.obstacles[at].normal(point));
        }
        if !distance.is_finite() {
            return Vec3::ZERO;
        }
        if let Goal::Area(area) = &self.route.goal
            && distance == 0.0
        {
            return -area.normal(point);
        }
        match self.straight(point) {
            Some((exact, to)) if exact == distance => (to - point).normalize_or_zero(),
            _ => self.downhill(node),
        }
    }

    /// Returns the unit vector of the steepest descent; it does not lead into an obstacle.
    fn downhill(&self, node: usize) -> Vec3 {
        let own = self.distance[node];
        // A path outside the margin does not enter it.
        let margin = if self.gap[node] >= self.route.margin { self.route.margin } else { 0.0 };
        let mut descent = Vec3::ZERO;
        for axis in 0..3 {
            let at = |forward| {
                let next = self.reachable(node, axis, forward).filter(|next| self.gap[*next] >= margin)?;
                Some(self.distance[next]).filter(|distance| distance.is_finite())
            };
            let rise = match (at(false), at(true)) {
                (Some(before), Some(after)) => (after - before) / 2.0,
                (Some(before), None) => (own - before).greater(0.0),
                (None, Some(after)) => (after - own).lesser(0.0),
                (None, None) => 0.0,
            };
            descent[axis] = -rise / self.cell[axis].greater(f32::MIN_POSITIVE);
        }
        descent.normalize_or_zero()
    }
}

/// The difference along an axis: weight · (T − value)².
#[derive(Clone, Copy)]
struct Term {
    value: f64,
    weight: f64,
    /// The distance of the first neighbor.
    first: f64,
}

impl Term {
    /// An axis without a solved neighbor.
    const NONE: Self = Self { value: f64::INFINITY, weight: 0.0, first: f64::INFINITY };
}

/// Returns the solution T of Σ weight · (T − value)² = 1 over the axes whose first neighbors are below T; `terms` are in
/// the order of these neighbors.
fn solved(terms: &[Term; 3]) -> Option<f64> {
    let (mut a, mut b, mut c, mut best) = (0.0, 0.0, -1.0, None);
    for Term { value, weight, first } in terms {
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
        // A difference of second order may be below the neighbor.
        best = Some(((b + square.sqrt()) / a).greater(*first));
    }
    best
}

fn inverse_square(length: f32) -> f64 {
    let length = f64::from(length);
    1.0 / (length * length)
}

#[cfg(test)]
mod tests;
