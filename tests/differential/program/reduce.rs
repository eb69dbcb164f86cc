//! Reduction of a tree in single steps: parts of blocks are removed, statements replaced by one of their blocks,
//! expressions by one of their parts, and finally by the simplest value of their type.

use super::node::Node;
use super::sort::Sort;

impl Node {
    /// Returns the tree reduced in the `at`-th way; `at` is decremented by the number of ways.
    pub(crate) fn reduced(&self, at: &mut usize) -> Option<Self> {
        let ways = self.ways();
        if *at < ways.len() {
            return Some(self.go(ways[*at]));
        }
        *at -= ways.len();
        self.parts.iter().enumerate().find_map(|(index, part)| {
            let part = part.reduced(at)?;
            let mut whole = self.clone();
            whole.parts[index] = part;
            Some(whole)
        })
    }

    fn ways(&self) -> Vec<Way> {
        let parts = 0..self.parts.len();
        match self.sort {
            Sort::Block => parts.map(Way::Without).collect(),
            Sort::Statement => {
                parts.filter(|part| self.parts[*part].sort == Sort::Block).map(Way::Only).collect()
            }
            sort => {
                let same = parts.filter(|part| self.parts[*part].sort == sort);
                let plainest = sort.plainest().filter(|form| *form != self.form);
                same.map(Way::Only).chain(plainest.map(Way::Plainly)).collect()
            }
        }
    }

    fn go(&self, way: Way) -> Self {
        match way {
            Way::Without(part) => {
                let mut less = self.clone();
                less.parts.remove(part);
                less
            }
            Way::Only(part) if self.sort == Sort::Statement => {
                Self::statement("$k", vec![self.parts[part].clone()])
            }
            Way::Only(part) => self.parts[part].clone(),
            Way::Plainly(form) => Self::leaf(self.sort, form),
        }
    }
}

#[derive(Clone, Copy)]
enum Way {
    Without(usize),
    Only(usize),
    Plainly(&'static str),
}
