//! A tree of boxes: which of many things may be near a point or on a ray.
//!
//! Each node has up to eight boxes, of things or of other nodes, which are looked at together: I. Wald, C. Benthin and
//! S. Boulos, "Getting rid of packets", 2008. Things are split at the median of the longest side, as described in
//! C. Ericson, "Real-Time Collision Detection", 2005, chapter 6. The tree is built at once and never changes.

use std::ops::Range;

use glam::Vec3;

/// Most boxes of a node.
const WIDTH: usize = 8;

/// A number for each box of a node, or for each of as many points.
pub(super) type Lanes = [f32; WIDTH];

/// A box along the axes. It may have no end along z.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) low: Vec3,
    pub(super) high: Vec3,
}

impl Bounds {
    const NOTHING: Self = Self { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };

    fn with(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Larger on all sides.
    pub(super) fn grown(self, by: f32) -> Self {
        Self { low: self.low - by, high: self.high + by }
    }
}

/// The boxes of a node by component. Lanes past the last hold no box, and what is told of them means nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boxes {
    low: [Lanes; 3],
    high: [Lanes; 3],
}

impl Boxes {
    const NONE: Self = Self { low: [[f32::INFINITY; WIDTH]; 3], high: [[f32::NEG_INFINITY; WIDTH]; 3] };

    fn set(&mut self, lane: usize, bounds: Bounds) {
        for axis in 0..3 {
            (self.low[axis][lane], self.high[axis][lane]) = (bounds.low[axis], bounds.high[axis]);
        }
    }

    /// The square of how far a point is from each, 0 inside.
    #[inline]
    pub(super) fn squared_distances_to(&self, point: Vec3) -> Lanes {
        let mut squares = [0.0; WIDTH];
        for axis in 0..3 {
            for (lane, square) in squares.iter_mut().enumerate() {
                let (below, above) =
                    (self.low[axis][lane] - point[axis], point[axis] - self.high[axis][lane]);
                let gap = greater(greater(below, above), 0.0);
                *square += gap * gap;
            }
        }
        squares
    }

    /// The square of how far each of some points is from one of the boxes, with the bits of
    /// [`Boxes::squared_distances_to`].
    #[inline]
    pub(super) fn squared_distances_from(&self, number: usize, points: &[Lanes; 3]) -> Lanes {
        let mut squares = [0.0; WIDTH];
        for (axis, points) in points.iter().enumerate() {
            let (low, high) = (self.low[axis][number], self.high[axis][number]);
            for (square, point) in squares.iter_mut().zip(points) {
                let gap = greater(greater(low - point, point - high), 0.0);
                *square += gap * gap;
            }
        }
        squares
    }

    /// Where along a line each, grown by `grain` on all sides, is entered: 0 if the line starts inside, infinite where
    /// it is not met. `per_length` holds the reciprocals of a direction without zeros.
    #[inline]
    pub(super) fn entries(&self, from: Vec3, per_length: Vec3, grain: f32) -> Lanes {
        let (mut enter, mut leave) = ([0.0; WIDTH], [f32::INFINITY; WIDTH]);
        for axis in 0..3 {
            for lane in 0..WIDTH {
                let low = (self.low[axis][lane] - grain - from[axis]) * per_length[axis];
                let high = (self.high[axis][lane] + grain - from[axis]) * per_length[axis];
                let (first, last) = if low < high { (low, high) } else { (high, low) };
                enter[lane] = greater(first, enter[lane]);
                leave[lane] = if last < leave[lane] { last } else { leave[lane] };
            }
        }
        std::array::from_fn(|lane| if enter[lane] <= leave[lane] { enter[lane] } else { f32::INFINITY })
    }
}

/// The greater of two numbers, in one instruction: neither is NaN.
#[inline]
fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Things by their boxes and numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct BoxTree {
    /// The first is the root, if there is any.
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    boxes: Boxes,
    /// How many boxes there are.
    count: usize,
    /// The number of the thing, or the node.
    children: [u32; WIDTH],
    /// A bit for each child that is a thing.
    things: u32,
}

type Item = (Bounds, u32);

impl BoxTree {
    /// A tree over boxes, each with a number; `center` tells where the thing of a number is.
    pub(super) fn new(mut items: Vec<Item>, center: impl Fn(u32) -> Vec3) -> Self {
        let mut tree = Self::default();
        if !items.is_empty() {
            tree.add(&mut items, &center);
        }
        tree
    }

    /// Makes the node of some items and all below it. Returns its number.
    fn add(&mut self, items: &mut [Item], center: &impl Fn(u32) -> Vec3) -> u32 {
        let number = self.nodes.len();
        self.nodes.push(Node { boxes: Boxes::NONE, count: 0, children: [0; WIDTH], things: 0 });
        let parts = split(items, center);
        for (lane, part) in parts.iter().cloned().enumerate() {
            let part = &mut items[part];
            let bounds = part.iter().fold(Bounds::NOTHING, |sum, (bounds, _)| sum.with(*bounds));
            let child = if part.len() == 1 { part[0].1 } else { self.add(part, center) };
            let node = &mut self.nodes[number];
            node.boxes.set(lane, bounds);
            node.children[lane] = child;
            node.things |= u32::from(part.len() == 1) << lane;
        }
        self.nodes[number].count = parts.len();
        number as u32
    }

    /// Calls `visit` with the number of every box whose `bound` is not above `limit`, which is then what `visit`
    /// returns. Boxes of lesser bounds come first, roughly. Returns how many boxes were looked at.
    #[inline]
    pub(super) fn search(
        &self,
        mut limit: f32,
        bound: impl Fn(&Boxes) -> Lanes,
        mut visit: impl FnMut(u32) -> f32,
    ) -> u64 {
        let mut looks = 0;
        if !self.nodes.is_empty() {
            self.search_node(0, &mut limit, &bound, &mut visit, &mut looks);
        }
        looks
    }

    /// Calls `visit` with the number of every box that is `near` for some of eight points whose bits are set in `asking`,
    /// and with their bits. `near` tells for which points each box of a node is. Returns how many boxes each looked at:
    /// those that [`BoxTree::search`] looks at, if its limit stays as it is.
    #[inline]
    pub(super) fn search_each(
        &self,
        asking: u8,
        near: impl Fn(&Boxes, u8) -> [u8; WIDTH],
        visit: impl FnMut(u32, u8),
    ) -> [u64; WIDTH] {
        let mut search = SearchOfEach { near, visit, looks: [0; WIDTH] };
        if !self.nodes.is_empty() && asking != 0 {
            search.look(&self.nodes, 0, asking);
        }
        search.looks
    }

    fn search_node(
        &self,
        number: u32,
        limit: &mut f32,
        bound: &impl Fn(&Boxes) -> Lanes,
        visit: &mut impl FnMut(u32) -> f32,
        looks: &mut u64,
    ) {
        let node = &self.nodes[number as usize];
        *looks += node.count as u64;
        let bounds = bound(&node.boxes);
        // Those that may matter, lesser bounds first.
        let (mut lanes, mut count) = ([0; WIDTH], 0);
        for lane in (0..node.count).filter(|lane| bounds[*lane] <= *limit) {
            let mut place: usize = count;
            while place > 0 && bounds[lanes[place - 1]] > bounds[lane] {
                lanes[place] = lanes[place - 1];
                place -= 1;
            }
            lanes[place] = lane;
            count += 1;
        }
        for lane in &lanes[..count] {
            if bounds[*lane] > *limit {
                return;
            }
            let child = node.children[*lane];
            if node.things >> lane & 1 == 1 {
                *limit = visit(child);
            } else {
                self.search_node(child, limit, bound, visit, looks);
            }
        }
    }
}

/// A search for several points at once.
struct SearchOfEach<N, V> {
    /// Which of them may find something in each box of a node, as far as they are asked about.
    near: N,
    visit: V,
    /// How many boxes each looked at.
    looks: [u64; WIDTH],
}

impl<N: Fn(&Boxes, u8) -> [u8; WIDTH], V: FnMut(u32, u8)> SearchOfEach<N, V> {
    fn look(&mut self, nodes: &[Node], number: u32, asking: u8) {
        let node = &nodes[number as usize];
        for (lane, looks) in self.looks.iter_mut().enumerate() {
            *looks += if asking >> lane & 1 == 1 { node.count as u64 } else { 0 };
        }
        let near = (self.near)(&node.boxes, asking);
        let children = node.children.into_iter().zip(near).enumerate();
        for (lane, (child, near)) in children.take(node.count) {
            let asking = asking & near;
            if asking == 0 {
                continue;
            }
            if node.things >> lane & 1 == 1 {
                (self.visit)(child, asking);
            } else {
                self.look(nodes, child, asking);
            }
        }
    }
}

/// Splits items into up to eight parts: each by itself if there are no more, else into parts of similar size that a
/// node is made of.
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
            let looks = tree.search(limit * limit, |boxes| boxes.squared_distances_to(point), |number| {
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
            prop_assert!(looks >= visited.len() as u64);
        }
    }

    #[test]
    fn a_line_enters_the_boxes_on_its_way() {
        let mut boxes = Boxes::NONE;
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
