//! Units that carry obstacles.
//!
//! A carrier perceives and touches the same obstacles as other units, except those that it carries: it would be inside them.

use std::sync::Arc;

use super::obstacle::Obstacle;
use super::obstacles::Obstacles;

/// Units that carry obstacles: the key of each, and the obstacles without its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Carriers(Vec<(u64, Obstacles)>);

impl Carriers {
    /// Returns the carriers of the obstacles that move.
    pub(super) fn new(movers: &[(usize, Obstacle)]) -> Self {
        let mut keys: Vec<u64> = movers.iter().filter_map(|(_, it)| Some(it.carrier()?.key)).collect();
        keys.sort_unstable();
        keys.dedup();
        let seen_by = |key: u64| {
            let own = movers.iter().filter(|(_, it)| it.carrier().is_some_and(|carrier| carrier.key == key));
            let own: Arc<[u32]> = own.map(|(at, _)| *at as u32).collect();
            (key, Obstacles::default().without(own))
        };
        Self(keys.into_iter().map(seen_by).collect())
    }

    /// Returns true if no unit carries an obstacle.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the obstacles without those that the unit with a key carries, if it carries any.
    #[inline]
    pub fn seen_by(&self, key: u64) -> Option<&Obstacles> {
        // Almost always, this is the only test.
        if self.0.is_empty() {
            return None;
        }
        self.0.iter().find(|(carrier, _)| *carrier == key).map(|(_, seen)| seen)
    }

    /// Replaces the obstacles.
    pub(super) fn see(&mut self, obstacles: &Obstacles) {
        for (_, seen) in &mut self.0 {
            *seen = obstacles.without(seen.hidden());
        }
    }
}
