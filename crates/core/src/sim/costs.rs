//! Measured costs of the behaviors of a group.

use crate::world::Extrema;

/// Number of samples in the moving average.
const SMOOTHING_SAMPLES: f32 = 32.0;

/// The measured cost of a behavior.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RuleCost {
    /// Index of its group.
    pub group: usize,
    /// Its slot in the group.
    pub slot: usize,
    /// Nanoseconds of one thread per unit and step, smoothed. Shared work, such as a list of neighbors, counts for the
    /// behavior that requests it first.
    pub nanoseconds: f32,
    /// Fraction of the total time of the decide phase, 0 to 1.
    pub share: f32,
}

/// The smoothed costs of the behaviors of one group, in nanoseconds per unit.
#[derive(Clone, Debug, Default)]
pub(super) struct GroupCosts {
    samples: f32,
    /// Cost of each behavior; `None` if it does not run.
    pub(super) rules: Vec<Option<f32>>,
    /// Cost of shared work.
    pub(super) shared: f32,
}

impl GroupCosts {
    /// Adds a sample.
    pub(super) fn add(&mut self, rules: &[Option<f32>], shared: f32) {
        self.samples = (self.samples + 1.0).lesser(SMOOTHING_SAMPLES);
        let (known, weight) = (std::mem::take(&mut self.rules), 1.0 / self.samples);
        let mixed = |before: f32, now: f32| before + (now - before) * weight;
        let known = known.into_iter().chain(std::iter::repeat(None));
        let rules = rules.iter().zip(known);
        self.rules = rules.map(|(now, before)| now.map(|now| mixed(before.unwrap_or(now), now))).collect();
        self.shared = mixed(self.shared, shared);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_means_first_and_moving_averages_later() {
        let mut costs = GroupCosts::default();
        costs.add(&[Some(10.0), None], 4.0);
        costs.add(&[Some(20.0), Some(8.0)], 2.0);
        assert_eq!((costs.rules.as_slice(), costs.shared), (&[Some(15.0), Some(8.0)][..], 3.0));
        for _ in 0..1000 {
            costs.add(&[Some(30.0), None], 3.0);
        }
        assert!((costs.rules[0].unwrap() - 30.0).abs() < 0.1);
        assert_eq!(costs.rules[1], None, "the rule does not run any more");
    }
}
