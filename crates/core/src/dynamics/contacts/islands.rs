//! Islands: units that are connected by contacts or near ones. No impulse reaches beyond its island.

use super::candidates::MovingUnits;
use super::touches::Touch;

/// The contacts of a step, sorted by island. Buffers are reused by the next step.
#[derive(Clone, Debug, Default)]
pub(super) struct Islands {
    /// For each unit a unit of the same island that is nearer to its root.
    parent: Vec<u32>,
    /// For each root, true if the island has a contact.
    is_active: Vec<bool>,
    rows: Vec<Row>,
}

/// A contact in the order of the solver: by island, then by the keys of its units. Results therefore do not depend on the
/// order of units, and consecutive contacts rarely share a unit, so that the processor overlaps their computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    root: u32,
    /// The combination of both keys.
    key: u64,
    /// The index of the contact.
    touch: u32,
}

impl Islands {
    /// Sorts contacts and pairs near each other into islands. Those without a contact are left out.
    pub(super) fn find(&mut self, touches: &[Touch], moving: &MovingUnits<'_>) {
        self.rows.clear();
        if !touches.iter().any(|touch| touch.is_contact) {
            return;
        }
        let units = moving.before.len();
        self.parent.clear();
        self.parent.extend(0..units as u32);
        for touch in touches {
            let [first, second] = touch.units().map(|unit| self.root(unit as u32));
            self.parent[first.max(second) as usize] = first.min(second);
        }
        self.is_active.clear();
        self.is_active.resize(units, false);
        for touch in touches.iter().filter(|touch| touch.is_contact) {
            let root = self.root(touch.units()[0] as u32);
            self.is_active[root as usize] = true;
        }
        for (index, touch) in touches.iter().enumerate() {
            let root = self.root(touch.units()[0] as u32);
            if self.is_active[root as usize] {
                let [first, second] = touch.units().map(|unit| moving.keys[unit]);
                self.rows.push(Row { root, key: first ^ second, touch: index as u32 });
            }
        }
        self.rows.sort_unstable();
    }

    /// The indices of the contacts of each island, in the order of their keys.
    pub(super) fn each(&self) -> impl Iterator<Item = impl Iterator<Item = usize>> {
        let islands = self.rows.chunk_by(|row, next| row.root == next.root);
        islands.map(|rows| rows.iter().map(|row| row.touch as usize))
    }

    /// Returns the root of a unit's island, and shortens the path to it.
    fn root(&mut self, mut unit: u32) -> u32 {
        while self.parent[unit as usize] != unit {
            let parent = self.parent[unit as usize];
            self.parent[unit as usize] = self.parent[parent as usize];
            unit = parent;
        }
        unit
    }
}
