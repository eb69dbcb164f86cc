//! A bounding volume hierarchy: finds the boxes near a point or on a ray.
//!
//! Each node has up to eight boxes, of items or of child nodes, which are tested together: I. Wald, C. Benthin and
//! S. Boulos, "Getting rid of packets", 2008. Items are split at the median of the longest side, as described in
//! C. Ericson, "Real-Time Collision Detection", 2005, chapter 6. The tree is immutable.

use std::ops::Range;

use glam::Vec3;

/// Maximum number of boxes in a node.
const WIDTH: usize = 8;

/// A number for each box of a node, or for each of eight points.
pub(super) type Lanes = [f32; WIDTH];

/// An axis-aligned box. It may be infinite along z.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) low: Vec3,
    pub(super) high: Vec3,
}

impl Default for Bounds {
    /// An empty box.
    fn default() -> Self {
        Self { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY }
    }
}

impl Bounds {
    /// Returns the box around both.
    pub(super) fn with(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Returns the box extended by `by` on all sides.
    pub(super) fn extended(self, by: f32) -> Self {
        Self { low: self.low - by, high: self.high + by }
    }
}

/// The boxes of a node, one array per component. Results for unused lanes are meaningless.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boxes {
    low: [Lanes; 3],
    high: [Lanes; 3],
}

impl Boxes {
    const EMPTY: Self = Self { low: [[f32::INFINITY; WIDTH]; 3], high: [[f32::NEG_INFINITY; WIDTH]; 3] };

    fn set(&mut self, lane: usize, bounds: Bounds) {
        for axis in 0..3 {
            (self.low[axis][lane], self.high[axis][lane]) = (bounds.low[axis], bounds.high[axis]);
        }
    }

    /// Returns the squared distance of a point from each box; 0 inside. Along each axis, the nearest image of the box with this
    /// period counts, if point and center of the box are within one period; an infinite period has no effect.
    #[inline]
    pub(super) fn squared_distances_to(&self, point: Vec3, period: Vec3) -> Lanes {
        let mut squares = [0.0; WIDTH];
        for axis in 0..3 {
            for (lane, square) in squares.iter_mut().enumerate() {
                let (below, above) =
                    (self.low[axis][lane] - point[axis], point[axis] - self.high[axis][lane]);
                let gap = gap(below, above, period[axis]);
                *square += gap * gap;
            }
        }
        squares
    }

    /// Returns the squared distance of eight points from one of the boxes, bit-identical to
    /// [`Boxes::squared_distances_to`].
    #[inline]
    pub(super) fn squared_distances_from(&self, number: usize, points: &[Lanes; 3], period: Vec3) -> Lanes {
        let mut squares = [0.0; WIDTH];
        for (axis, points) in points.iter().enumerate() {
            let (low, high) = (self.low[axis][number], self.high[axis][number]);
            for (square, point) in squares.iter_mut().zip(points) {
                let gap = gap(low - point, point - high, period[axis]);
                *square += gap * gap;
            }
        }
        squares
    }

    /// Returns the distance along a ray at which it enters each box extended by `margin`: 0 if the ray starts inside,
    /// infinite if it misses the box. `per_length` holds the reciprocals of a direction without zeros.
    #[inline]
    pub(super) fn entries(&self, from: Vec3, per_length: Vec3, margin: f32) -> Lanes {
        let (mut enter, mut leave) = ([0.0; WIDTH], [f32::INFINITY; WIDTH]);
        for axis in 0..3 {
            for lane in 0..WIDTH {
                let low = (self.low[axis][lane] - margin - from[axis]) * per_length[axis];
                let high = (self.high[axis][lane] + margin - from[axis]) * per_length[axis];
                let (first, last) = if low < high { (low, high) } else { (high, low) };
                enter[lane] = greater(first, enter[lane]);
                leave[lane] = if last < leave[lane] { last } else { leave[lane] };
            }
        }
        std::array::from_fn(|lane| if enter[lane] <= leave[lane] { enter[lane] } else { f32::INFINITY })
    }
}

/// The greater of two numbers, neither of which is NaN; compiles to one instruction.
#[inline]
fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Returns the distance of a coordinate from an interval or its nearest image, from the signed distances to both ends.
#[inline]
fn gap(below: f32, above: f32, period: f32) -> f32 {
    let (near, far) = if below > above { (below, above) } else { (above, below) };
    let across = far + period;
    greater(if across < near { across } else { near }, 0.0)
}

/// Items, each a box and an index.
#[derive(Clone, Debug, Default)]
pub(super) struct BoxTree {
    /// The first node, if any, is the root.
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    boxes: Boxes,
    /// Number of boxes.
    count: usize,
    /// For each box, the index of its item or of its node.
    children: [u32; WIDTH],
    /// A bit for each child that is an item.
    items: u32,
}

type Item = (Bounds, u32);

impl BoxTree {
    /// Builds a tree over boxes with their indices; `center` returns the center of an item.
    pub(super) fn new(mut items: Vec<Item>, center: impl Fn(u32) -> Vec3) -> Self {
        let mut tree = Self::default();
        if !items.is_empty() {
            tree.add(&mut items, &center);
        }
        tree
    }

    /// Adds the node of some items and all nodes below it. Returns its index.
    fn add(&mut self, items: &mut [Item], center: &impl Fn(u32) -> Vec3) -> u32 {
        let number = self.nodes.len();
        self.nodes.push(Node { boxes: Boxes::EMPTY, count: 0, children: [0; WIDTH], items: 0 });
        let parts = split(items, center);
        for (lane, part) in parts.iter().cloned().enumerate() {
            let part = &mut items[part];
            let bounds = part.iter().fold(Bounds::default(), |sum, (bounds, _)| sum.with(*bounds));
            let child = if part.len() == 1 { part[0].1 } else { self.add(part, center) };
            let node = &mut self.nodes[number];
            node.boxes.set(lane, bounds);
            node.children[lane] = child;
            node.items |= u32::from(part.len() == 1) << lane;
        }
        self.nodes[number].count = parts.len();
        number as u32
    }

    /// Calls `visit` with the index of every item whose `bound` is at most `limit`; `visit` returns the new limit.
    /// Boxes with lower bounds are roughly visited first. Returns the number of boxes tested.
    #[inline]
    pub(super) fn search(
        &self,
        mut limit: f32,
        bound: impl Fn(&Boxes) -> Lanes,
        mut visit: impl FnMut(u32) -> f32,
    ) -> u64 {
        let mut tested = 0;
        if !self.nodes.is_empty() {
            self.search_node(0, &mut limit, &bound, &mut visit, &mut tested);
        }
        tested
    }

    /// Calls `visit` with every item that is `near` at least one of the eight points in the mask `active`, and the mask
    /// of those points. `near` returns, for each box of a node, the mask of the points near it. Returns the number of
    /// boxes tested for each point: as many as [`BoxTree::search`] tests with a constant limit.
    #[inline]
    pub(super) fn search_each(
        &self,
        active: u8,
        near: impl Fn(&Boxes, u8) -> [u8; WIDTH],
        visit: impl FnMut(u32, u8),
    ) -> [u64; WIDTH] {
        let mut search = MultiSearch { near, visit, tested: [0; WIDTH] };
        if !self.nodes.is_empty() && active != 0 {
            search.search(&self.nodes, 0, active);
        }
        search.tested
    }

    fn search_node(
        &self,
        number: u32,
        limit: &mut f32,
        bound: &impl Fn(&Boxes) -> Lanes,
        visit: &mut impl FnMut(u32) -> f32,
        tested: &mut u64,
    ) {
        let node = &self.nodes[number as usize];
        *tested += node.count as u64;
        let bounds = bound(&node.boxes);
        // Boxes within the limit, sorted by their bounds.
        let (mut lanes, mut count) = ([0; WIDTH], 0);
        for lane in (0..node.count).filter(|lane| bounds[*lane] <= *limit) {
            let mut slot: usize = count;
            while slot > 0 && bounds[lanes[slot - 1]] > bounds[lane] {
                lanes[slot] = lanes[slot - 1];
                slot -= 1;
            }
            lanes[slot] = lane;
            count += 1;
        }
        for lane in &lanes[..count] {
            if bounds[*lane] > *limit {
                return;
            }
            let child = node.children[*lane];
            if node.items >> lane & 1 == 1 {
                *limit = visit(child);
            } else {
                self.search_node(child, limit, bound, visit, tested);
            }
        }
    }
}

/// A search for eight points at once.
struct MultiSearch<N, V> {
    /// Returns, for each box of a node, the mask of the points near it, among those of the given mask.
    near: N,
    visit: V,
    /// Number of boxes tested for each point.
    tested: [u64; WIDTH],
}

impl<N: Fn(&Boxes, u8) -> [u8; WIDTH], V: FnMut(u32, u8)> MultiSearch<N, V> {
    fn search(&mut self, nodes: &[Node], number: u32, active: u8) {
        let node = &nodes[number as usize];
        for (lane, tested) in self.tested.iter_mut().enumerate() {
            *tested += if active >> lane & 1 == 1 { node.count as u64 } else { 0 };
        }
        let near = (self.near)(&node.boxes, active);
        let children = node.children.into_iter().zip(near).enumerate();
        for (lane, (child, near)) in children.take(node.count) {
            let active = active & near;
            if active == 0 {
                continue;
            }
            if node.items >> lane & 1 == 1 {
                (self.visit)(child, active);
            } else {
                self.search(nodes, child, active);
            }
        }
    }
}

/// Splits items into up to eight parts: one item each if there are no more, else parts of similar size that each form
/// a node.
fn split(items: &mut [Item], center: &impl Fn(u32) -> Vec3) -> Vec<Range<usize>> {
    if items.len() <= WIDTH {
        return (0..items.len()).map(|at| at..at + 1).collect();
    }
    let whole = 0..items.len();
    let mut parts = vec![whole];
    while parts.len() < WIDTH {
        let Some(at) = (0..parts.len()).max_by_key(|at| parts[*at].len()) else {
            break;
        };
        let Range { start, end } = parts[at].clone();
        if end - start <= WIDTH {
            break;
        }
        let part = &mut items[start..end];
        let centers = || part.iter().map(|(_, number)| center(*number));
        let low = centers().fold(Vec3::INFINITY, Vec3::min);
        let high = centers().fold(Vec3::NEG_INFINITY, Vec3::max);
        let axis = (high - low).max_position();
        let middle = part.len() / 2;
        part.select_nth_unstable_by(middle, |(_, a), (_, b)| {
            center(*a)[axis].total_cmp(&center(*b)[axis]).then(a.cmp(b))
        });
        parts[at] = start..start + middle;
        parts.insert(at + 1, start + middle..end);
    }
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn boxes() -> impl Strategy<Value = Vec<(Vec3, Vec3)>> {
        let vector = |range: Range<f32>| [range.clone(), range.clone(), range].prop_map(Vec3::from_array);
        prop::collection::vec((vector(-50.0..50.0), vector(0.0..9.0)), 0..200)
    }

    proptest! {
        #[test]
        fn every_box_near_a_point_is_visited_once(boxes in boxes(), at in -60.0_f32..60.0, limit in 0.0_f32..40.0) {
            let items = boxes.iter().zip(0..);
            let items = items.map(|((low, size), number)| (Bounds { low: *low, high: low + size }, number));
            let tree = BoxTree::new(items.collect(), |number| boxes[number as usize].0);
            let point = Vec3::new(at, 5.0, -at);
            let mut visited = Vec::new();
            let tested = tree.search(limit * limit, |boxes| boxes.squared_distances_to(point, Vec3::INFINITY), |number| {
                visited.push(number);
                limit * limit
            });
            visited.sort_unstable();
            let distance = |(low, size): &(Vec3, Vec3)| {
                let high = low + size;
                (low - point).max(point - high).max(Vec3::ZERO).length_squared()
            };
            let expected =
                (0..boxes.len() as u32).filter(|at| distance(&boxes[*at as usize]) <= limit * limit);
            prop_assert!(expected.eq(visited.iter().copied()));
            prop_assert!(tested >= visited.len() as u64);
        }
    }

    #[test]
    fn a_line_enters_the_boxes_on_its_way() {
        let mut boxes = Boxes::EMPTY;
        boxes.set(0, Bounds { low: Vec3::ONE, high: Vec3::splat(2.0) });
        boxes.set(1, Bounds { low: Vec3::splat(-1.0), high: Vec3::ONE });
        boxes.set(2, Bounds { low: Vec3::new(5.0, 9.0, 0.0), high: Vec3::splat(10.0) });
        boxes.set(3, Bounds { low: Vec3::new(5.0, -9.0, 0.0), high: Vec3::new(6.0, -8.0, 9.0) });
        let along = Vec3::ONE.normalize();
        let [first, second, third, beside, ..] = boxes.entries(Vec3::ZERO, along.recip(), 0.0);
        assert!((first - 3.0_f32.sqrt()).abs() < 1e-5);
        assert_eq!((second, beside), (0.0, f32::INFINITY));
        assert!((third - 9.0 * 3.0_f32.sqrt()).abs() < 1e-4);
    }
}
