//! A tree of boxes: which of many things may be near a point or on a ray.
//!
//! A binary tree, split at the median of the longest side, as described in C. Ericson, "Real-Time Collision
//! Detection", 2005, chapter 6. It is built at once and never changes.

use glam::Vec3;

/// Most things in a leaf.
const LEAF: usize = 4;
/// No side of a split has more than half of the things, so that this is enough for 60 million.
const DEPTH: usize = 24;

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

    /// The distance from a point, 0 inside.
    #[inline]
    pub(super) fn distance_to(&self, point: Vec3) -> f32 {
        (self.low - point).max(point - self.high).max(Vec3::ZERO).length()
    }

    /// Where along a line it is entered, 0 if the line starts inside; infinite where it is not met.
    /// `per_length` holds the reciprocals of a direction without zeros.
    #[inline]
    pub(super) fn entry(&self, from: Vec3, per_length: Vec3) -> f32 {
        let (low, high) = ((self.low - from) * per_length, (self.high - from) * per_length);
        let (enter, leave) = (low.min(high).max_element().max(0.0), low.max(high).min_element());
        if enter <= leave { enter } else { f32::INFINITY }
    }
}

/// Things by their boxes and numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct BoxTree {
    /// The left child of a node comes next to it.
    nodes: Vec<Node>,
    /// The things of all leaves, leaf by leaf.
    items: Vec<(Bounds, u32)>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Bounds,
    /// The right child, or the first item of a leaf.
    at: u32,
    /// How many items there are; 0 if it is no leaf.
    count: u32,
}

impl BoxTree {
    /// A tree over boxes, each with a number; `center` tells where the thing of a number is.
    pub(super) fn new(items: Vec<(Bounds, u32)>, center: impl Fn(u32) -> Vec3) -> Self {
        let mut tree = Self { nodes: Vec::with_capacity(items.len()), items };
        let count = tree.items.len();
        if count > 0 {
            tree.split(0, count, &center);
        }
        tree
    }

    /// Makes the node of some items and all below it.
    fn split(&mut self, from: usize, to: usize, center: &impl Fn(u32) -> Vec3) {
        let items = &mut self.items[from..to];
        let bounds = items.iter().fold(Bounds::NOTHING, |sum, (bounds, _)| sum.with(*bounds));
        let (node, count) = (self.nodes.len(), items.len());
        if count <= LEAF {
            self.nodes.push(Node { bounds, at: from as u32, count: count as u32 });
            return;
        }
        let centers = || items.iter().map(|(_, number)| center(*number));
        let low = centers().fold(Vec3::INFINITY, Vec3::min);
        let high = centers().fold(Vec3::NEG_INFINITY, Vec3::max);
        let axis = (high - low).max_position();
        let middle = count / 2;
        items.select_nth_unstable_by(middle, |(_, a), (_, b)| {
            center(*a)[axis].total_cmp(&center(*b)[axis]).then(a.cmp(b))
        });
        self.nodes.push(Node { bounds, at: 0, count: 0 });
        self.split(from, from + middle, center);
        self.nodes[node].at = self.nodes.len() as u32;
        self.split(from + middle, to, center);
    }

    /// Calls `visit` with the number of every box whose `bound` is not above `limit`, which is then what `visit`
    /// returns. Boxes of lesser bounds come first, roughly. Returns how many boxes were looked at.
    #[inline]
    pub(super) fn search(
        &self,
        mut limit: f32,
        bound: impl Fn(&Bounds) -> f32,
        mut visit: impl FnMut(u32) -> f32,
    ) -> u64 {
        if self.nodes.is_empty() {
            return 0;
        }
        let (mut looks, mut depth) = (1, 1);
        let mut stack = [(0_u32, 0.0); DEPTH];
        stack[0].1 = bound(&self.nodes[0].bounds);
        while depth > 0 {
            depth -= 1;
            let (at, least) = stack[depth];
            if least > limit || least.is_nan() {
                continue;
            }
            let node = &self.nodes[at as usize];
            if node.count > 0 {
                looks += u64::from(node.count);
                let items = node.at as usize..(node.at + node.count) as usize;
                for (bounds, number) in &self.items[items] {
                    if bound(bounds) <= limit {
                        limit = visit(*number);
                    }
                }
                continue;
            }
            looks += 2;
            let children = [at + 1, node.at];
            let [left, right] = children.map(|child| (child, bound(&self.nodes[child as usize].bounds)));
            let (far, near) = if left.1 < right.1 { (right, left) } else { (left, right) };
            (stack[depth], stack[depth + 1]) = (far, near);
            depth += 2;
        }
        looks
    }
}
