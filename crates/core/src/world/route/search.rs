//! A search for the shortest paths to a goal.
//!
//! It visits in the order of the distance the nodes of the field and the points where paths turn: the corners of
//! obstacles, and points around round ones. A node continues the straight leg of a neighbor to its next turn if nothing is
//! between, else it turns at the neighbor (K. Daniel, A. Nash, S. Koenig and A. Felner, "Theta*: any-angle path planning on
//! grids", Journal of Artificial Intelligence Research 39, 2010). So paths do not depend on the axes of the field, and touch
//! corners.
//!
//! A node inside an obstacle moves to a free place up to half a cell away. Every passage that is as wide as a cell, whatever
//! its place and direction, contains a chain of diagonal or straight neighbors and is open.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::f32::consts::{PI, TAU};
use std::iter;

use glam::{UVec3, Vec3};

use super::rules::{Goal, Route};
use super::shapes::inflated;
use super::vertex::{Leg, NONE, Vertex};
use crate::world::arena::Arena;
use crate::world::extrema::Extrema;
use crate::world::flow::{Way, cell};
use crate::world::obstacle::Surface;
use crate::world::obstacles::{Obstacles, SearchCost};

/// Number of cells around the goal within which paths start.
const NEAR: f32 = 5.0;
/// Distance of turns from obstacles, in cells: rays from there do not hit the obstacle.
const APART: f32 = 1.0 / 64.0;
/// Maximum distance of paths around round obstacles from the exact ones, in cells.
const SAGITTA: f32 = 0.1;
/// Maximum number of turns about a node.
const MAX_TURNS: usize = 4;
/// Minimum length of the leg of a node, in cells: vectors between nodes about a turn do not lead back to it.
const LEG: f32 = 8.0;
/// Distance from obstacles at which vectors lead around a turn if there is room, in cells.
const ROOM: f32 = 0.5;
/// Minimum step along a line that distances from obstacles allow, in cells; a ray is slower than most steps.
const CLEAR: f32 = 0.1;

/// The state of the search.
pub(super) struct Search<'a> {
    route: &'a Route,
    arena: &'a Arena,
    obstacles: &'a Obstacles,
    /// The obstacles of the pass, larger by its margin.
    solids: Obstacles,
    pass: u8,
    /// Number of nodes along each axis; across a periodic edge, the first and the last are the same.
    nodes: [usize; 3],
    /// The sizes of a cell.
    pub(super) cell: Vec3,
    /// Nodes, then turns.
    vertices: Vec<Vertex>,
    /// Lengths and vertices; a length that was lowered later is outdated.
    queue: BinaryHeap<Reverse<(u32, u32)>>,
}

impl<'a> Search<'a> {
    pub(super) fn new(route: &'a Route, (arena, obstacles): (&'a Arena, &'a Obstacles)) -> Self {
        let cell = cell(arena.size(), route.nodes);
        let mut nodes = route.nodes.to_array().map(|count| count as usize);
        if arena.period().is_some() {
            nodes[..2].iter_mut().filter(|count| **count > 2).for_each(|count| *count -= 1);
        }
        let vertex = |node: usize| Vertex::new(Vec3::ZERO, Vec3::ZERO, 0.0, node);
        let vertices = (0..nodes.iter().product()).map(vertex).collect();
        let queue = BinaryHeap::new();
        Self { route, arena, obstacles, solids: Obstacles::default(), pass: 0, nodes, cell, vertices, queue }
    }

    /// Starts a pass: places the nodes and turns with at least this distance from obstacles that have no path yet, and
    /// continues the paths of earlier passes.
    pub(super) fn open(&mut self, margin: f32) {
        let shapes = (0..self.obstacles.visible_count()).filter_map(|nth| self.obstacles.visible(nth));
        let shapes = shapes.flat_map(|at| inflated(&self.obstacles[at], margin));
        self.solids = shapes.collect::<Obstacles>().with_period(self.arena.period());
        self.pass += 1;
        for node in 0..self.nodes.iter().product() {
            if self.vertices[node].pass == 0 {
                let (point, gap) = self.placed(self.node_point(node));
                let next = self.vertices[node].next;
                self.vertices[node] = Vertex { next, ..Vertex::new(point, point, gap, node) };
            }
        }
        if self.arena.is_plane() {
            let room = (ROOM * self.cell.max_element() - margin).greater(0.0);
            for at in 0..self.solids.len() {
                self.add_turns(at, room);
            }
        }
        for vertex in 0..self.vertices.len() {
            if self.vertices[vertex].pass > 0 {
                self.expand(vertex);
            }
        }
    }

    /// The position of a node on the lattice.
    fn node_point(&self, node: usize) -> Vec3 {
        let [x, y, _] = self.nodes;
        let index = Vec3::new((node % x) as f32, (node / x % y) as f32, (node / (x * y)) as f32);
        self.arena.center() - self.arena.size() * 0.5 + index * self.cell
    }

    /// Returns the signed distance of a point to the nearest obstacle of the pass.
    fn gap(&self, point: Vec3) -> f32 {
        let nearest = self.solids.nearest(point, &mut SearchCost::default());
        nearest.map_or(f32::INFINITY, |at| self.solids[at].distance_to(point))
    }

    /// Returns a free place for a node up to half a cell away, the node itself if it is free, and its distance to obstacles.
    fn placed(&self, node: Vec3) -> (Vec3, f32) {
        let (apart, first) = (APART * self.cell.max_element(), self.gap(node));
        let mut best = (node, first);
        if first > apart || first < -0.5 * self.cell.length() {
            return best;
        }
        for part in [0.25, 0.5] {
            // Along fewer axes first.
            for axes in 1..=3 {
                for number in 0..27_u8 {
                    let offset = [number % 3, number / 3 % 3, number / 9].map(|at| f32::from(at) - 1.0);
                    let offset = Vec3::from_array(offset);
                    let is_along = offset.abs().element_sum() == axes as f32;
                    let offset = part * offset * self.cell;
                    // A distance changes by no more than the offset.
                    let is_possible = first + offset.length() > best.1;
                    if is_along && is_possible && self.is_inside(node + offset) {
                        let gap = self.gap(node + offset);
                        best = if gap > best.1 { (node + offset, gap) } else { best };
                    }
                }
            }
            if best.1 > apart {
                break;
            }
        }
        best
    }

    /// Returns true if paths may lead through a point: it is inside the field, or beyond a periodic edge.
    fn is_inside(&self, point: Vec3) -> bool {
        let offset = (point - self.arena.center()).abs() - self.arena.size() * 0.5;
        offset.max_element() <= 0.0 || self.arena.period().is_some()
    }

    /// Adds the turns of paths around an obstacle of the pass; vectors lead around them at a distance of up to `room`.
    fn add_turns(&mut self, at: usize, room: f32) {
        let (solid, cell) = (self.solids[at].solid.clone(), self.cell.max_element());
        let apart = APART * cell;
        let around = |center: Vec3, radius: f32, angle: f32| {
            let (sine, cosine) = libm::sincosf(angle);
            center + radius * Vec3::new(cosine, sine, 0.0)
        };
        if let Surface::Round { from, to, radius } = solid.surface() {
            let count = (TAU / (8.0 * SAGITTA * cell / radius).sqrt()).limited(4.0, 256.0).ceil();
            let outside = radius / libm::cosf(PI / count) + apart;
            for center in iter::once(from).chain((from != to).then_some(to)) {
                for number in 0..count as u32 {
                    self.add_turn(center, around(center, outside, TAU * number as f32 / count), room);
                }
            }
        } else {
            for corner in solid.corners() {
                // The direction away from the obstacle is that of the greatest distance.
                let points =
                    (0..16_u8).map(|number| around(corner, 2.0 * apart, TAU / 16.0 * f32::from(number)));
                let points = points.map(|point| (self.gap(point), point));
                if let Some((_, point)) =
                    points.reduce(|best, next| if next.0 > best.0 { next } else { best })
                {
                    self.add_turn(corner, point, room);
                }
            }
        }
    }

    /// Adds a turn away from a point of an obstacle, if it is free, no other one is at this place, and paths may still be found
    /// there.
    fn add_turn(&mut self, center: Vec3, point: Vec3, room: f32) {
        let node = self.node_at(point);
        if self.vertices[node].pass > 0 || !self.is_inside(point) {
            return;
        }
        let lattice = self.node_point(node);
        let (point, outward) =
            (lattice + self.arena.shortest(point - lattice), (point - center).normalize_or_zero());
        let (mut known, mut last) = (0, node);
        while self.vertices[last].next != NONE {
            last = self.vertices[last].next as usize;
            known += 1;
            if known == MAX_TURNS
                || self.vertices[last].point.distance(point) < APART * self.cell.max_element()
            {
                return;
            }
        }
        let gap = self.gap(point);
        if gap <= 0.0 {
            return;
        }
        let mut aim = (gap, point);
        for part in [0.25, 0.5, 0.75, 1.0] {
            let farther = point + part * room * outward;
            if room > 0.0 && self.is_inside(farther) {
                let gap = self.gap(farther);
                aim = if gap > aim.0 { (gap, farther) } else { aim };
            }
        }
        self.vertices[last].next = self.vertices.len() as u32;
        self.vertices.push(Vertex::new(point, aim.1, gap, node));
    }

    /// Sets the paths that lead straight to the goal nearby.
    pub(super) fn seed(&mut self) {
        let reach = NEAR * self.cell.max_element();
        for vertex in 0..self.vertices.len() {
            let Vertex { point, gap, pass, .. } = self.vertices[vertex];
            let (length, toward) = self.straight(point);
            if pass == 0
                && gap > 0.0
                && length <= reach
                && self.obstacles.is_free(point, toward, &mut SearchCost::default())
            {
                self.lower(vertex, Leg { toward, aim: toward, rest: 0.0, length });
            }
        }
    }

    /// Returns the distance of a point from the goal, at least 0, and the nearest point of the goal.
    fn straight(&self, point: Vec3) -> (f32, Vec3) {
        match &self.route.goal {
            Goal::Point(goal) => {
                let offset = self.arena.shortest(*goal - point);
                (offset.length(), point + offset)
            }
            Goal::Area(area) => {
                let distance = area.distance_to(point);
                if distance > 0.0 { (distance, area.nearest_point(point)) } else { (0.0, point) }
            }
        }
    }

    fn lower(&mut self, vertex: usize, leg: Leg) {
        if leg.length < self.vertices[vertex].leg.length {
            self.vertices[vertex].leg = leg;
            // The bits of positive numbers have their order.
            self.queue.push(Reverse((leg.length.to_bits(), vertex as u32)));
        }
    }

    pub(super) fn run(&mut self) {
        while let Some(Reverse((bits, vertex))) = self.queue.pop() {
            let Vertex { pass, leg, .. } = &mut self.vertices[vertex as usize];
            if *pass == 0 && leg.length.to_bits() == bits {
                *pass = self.pass;
                self.expand(vertex as usize);
            }
        }
    }

    /// Continues the path of a vertex to the nodes and turns around it.
    fn expand(&mut self, from: usize) {
        let [columns, rows, layers] = self.nodes;
        let node = self.vertices[from].node as usize;
        let at = [node % columns, node / columns % rows, node / (columns * rows)];
        for z in 0..3 {
            let Some((z, shift_z)) = self.beside(2, at[2], z, layers) else { continue };
            for y in 0..3 {
                let Some((y, shift_y)) = self.beside(1, at[1], y, rows) else { continue };
                for x in 0..3 {
                    let Some((x, shift_x)) = self.beside(0, at[0], x, columns) else { continue };
                    let mut to = ((z * rows + y) * columns + x) as u32;
                    while to != NONE {
                        let Vertex { pass, gap, next, .. } = self.vertices[to as usize];
                        if pass == 0 && gap > 0.0 {
                            self.relax(from, to as usize, Vec3::new(shift_x, shift_y, shift_z));
                        }
                        to = next;
                    }
                }
            }
        }
    }

    /// Returns the index before, at or after another one along an axis, by `side` from 0 to 2, and the offset of its images
    /// if it is beyond a periodic edge.
    fn beside(&self, axis: usize, at: usize, side: usize, count: usize) -> Option<(usize, f32)> {
        let beside = (at + side).wrapping_sub(1);
        if beside < count {
            return Some((beside, 0.0));
        }
        let period = self.arena.period().filter(|_| axis < 2 && count > 2)?[axis];
        Some(if side == 0 { (count - 1, -period) } else { (0, period) })
    }

    /// Lowers the path of a vertex to that through another one, at `shift` from the first one's images.
    fn relax(&mut self, from: usize, to: usize, shift: Vec3) {
        let (near, far) = (&self.vertices[from], &self.vertices[to]);
        let point = far.point + shift;
        let length = near.leg.length + near.point.distance(point);
        let bent = Leg { toward: near.point, aim: near.aim, rest: near.leg.length, length };
        let straight = if near.leg.rest == 0.0 {
            let (length, toward) = self.straight(point);
            Leg { toward, aim: toward, rest: 0.0, length }
        } else {
            Leg { length: near.leg.toward.distance(point) + near.leg.rest, ..near.leg }
        };
        let known = far.leg.length;
        let leg = if straight.length >= known {
            return;
        } else if near.pass == self.pass && self.sees(point, straight.toward) {
            straight
        } else if bent.length < known && self.sees(point, bent.toward) {
            bent
        } else {
            return;
        };
        self.lower(to, Leg { toward: leg.toward - shift, aim: leg.aim - shift, ..leg });
    }

    /// Returns true if nothing is between two points, on the shortest way.
    fn sees(&self, point: Vec3, other: Vec3) -> bool {
        let (offset, cell) = (other - point, self.cell.max_element());
        let (length, along) = (offset.length(), offset.normalize_or_zero());
        if self.arena.shortest(offset) != offset {
            return false;
        }
        let mut at = 0.0;
        while at < length {
            let from = point + along * at;
            let near = &self.vertices[self.node_at(from)];
            let clear = near.gap - self.arena.shortest(near.point - from).length();
            if clear > CLEAR * cell {
                at += clear;
                continue;
            }
            return self.solids.is_free(from, other, &mut SearchCost::default());
        }
        true
    }

    /// Returns the node that is nearest to a point.
    fn node_at(&self, point: Vec3) -> usize {
        let corner = self.arena.center() - self.arena.size() * 0.5;
        // Truncated, since rounding is a call on some processors.
        let place = (point - corner) / self.cell.max(Vec3::splat(f32::MIN_POSITIVE)) + 0.5;
        let [x, y, z] = [0, 1, 2].map(|axis| {
            let (at, count) = (place[axis] as i64, self.nodes[axis] as i64);
            if place[axis] >= 0.0 && at < count {
                at as usize
            } else {
                (place[axis].floor() as i64).rem_euclid(count) as usize
            }
        });
        (z * self.nodes[1] + y) * self.nodes[0] + x
    }

    /// Returns the way from a node of the field, by its index and its position.
    pub(super) fn way(&self, at: usize, lattice: Vec3) -> Way {
        let UVec3 { x: columns, y: rows, .. } = self.route.nodes;
        let (columns, rows) = (columns as usize, rows as usize);
        // The last nodes before a periodic edge are the first ones.
        let [x, y, z] = [at % columns, at / columns % rows, at / (columns * rows)];
        let node = (z * self.nodes[1] + y % self.nodes[1]) * self.nodes[0] + x % self.nodes[0];
        let Vertex { point, gap, leg, .. } = self.vertices[node];
        let shift = lattice - self.node_point(node);
        let from = point + shift;
        let (outward, rest) = if gap <= 0.0 {
            let nearest = self.obstacles.nearest(point, &mut SearchCost::default());
            let normal = nearest.map_or(Vec3::ZERO, |at| self.obstacles[at].normal(point));
            (normal * self.arena.size().element_sum(), f32::INFINITY)
        } else if leg.length == f32::INFINITY {
            (Vec3::ZERO, f32::INFINITY)
        } else {
            match &self.route.goal {
                Goal::Area(area) if leg.length == 0.0 => {
                    (-area.normal(point) * LEG * self.cell.max_element(), f32::NEG_INFINITY)
                }
                Goal::Point(_) if leg.rest == 0.0 => (leg.toward - point, 0.0),
                _ => {
                    // Near the turn, the direction to its aim may be backward.
                    let (cell, distance) = (self.cell.max_element(), point.distance(leg.toward));
                    let along = leg.toward.lerp(leg.aim, (distance / cell).lesser(1.0)) - point;
                    let length = along.length().greater(LEG * cell);
                    (along.normalize_or_zero() * length, leg.length - length)
                }
            }
        };
        Way { from, toward: from + outward, rest, gap }
    }
}
