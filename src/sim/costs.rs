//! What the behaviors of a group cost, as far as it was measured.

/// Samples over which figures are smoothed.
const SMOOTHED: f32 = 32.0;

/// What a behavior costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RuleCost {
    /// Its group, by index.
    pub group: usize,
    /// Its place in the group.
    pub slot: usize,
    /// Nanoseconds of one thread for one unit and step, smoothed. What behaviors share, such as a list of
    /// neighbors, counts for the first that asks for it.
    pub nanoseconds: f32,
    /// Share of the time in which units decide, 0 to 1.
    pub share: f32,
}

/// What the behaviors of one group cost, smoothed: nanoseconds a unit.
#[derive(Clone, Debug, Default)]
pub(super) struct GroupCosts {
    samples: f32,
    /// For each behavior; none where it does not run.
    pub(super) rules: Vec<Option<f32>>,
    /// For what all of them share.
    pub(super) shared: f32,
}

impl GroupCosts {
    /// Takes another sample into account.
    pub(super) fn add(&mut self, rules: &[Option<f32>], shared: f32) {
        self.samples = (self.samples + 1.0).min(SMOOTHED);
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
    fn figures_are_means_at_first_and_smoothed_later() {
        let mut costs = GroupCosts::default();
        costs.add(&[Some(10.0), None], 4.0);
        costs.add(&[Some(20.0), Some(8.0)], 2.0);
        assert_eq!((costs.rules.as_slice(), costs.shared), (&[Some(15.0), Some(8.0)][..], 3.0));
        for _ in 0..1000 {
            costs.add(&[Some(30.0), None], 3.0);
        }
        assert!((costs.rules[0].unwrap() - 30.0).abs() < 0.1);
        assert_eq!(costs.rules[1], None, "it does not run any more");
    }
}
