//! Sums of contributions for a batch of units.
//!
//! Values stay in arrays by component, as compiled code writes them, until they are summed. Reason: converting each
//! contribution to an enum per unit took 50 of the 138 ns of a unit's step.

use glam::{Vec2, Vec3};

use super::batch::{BATCH, BatchDecisions};
use super::contribution::Contribution;
use crate::dynamics::Steering;

/// The steering of the units of a batch, by component.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BatchSteering {
    turn: [[f32; BATCH]; 2],
    push: [[f32; BATCH]; 3],
}

impl BatchSteering {
    /// Sums contributions times gains in order, bit-identical to [`super::blend::sum`]: lanes without a contribution add
    /// 0, which does not change a sum that starts at 0.
    #[inline]
    pub(super) fn sum<'a>(decided: impl Iterator<Item = (f32, &'a BatchDecisions)>) -> Self {
        let mut sums = Self::default();
        for (gain, BatchDecisions { tags, values, .. }) in decided {
            add(&mut sums.turn, (tags, Contribution::TAG_TURN), values, gain);
            add(&mut sums.push, (tags, Contribution::TAG_PUSH), values, gain);
        }
        sums
    }

    /// The steering of one unit.
    #[inline]
    pub(super) fn of(&self, lane: usize) -> Steering {
        let turn: [f32; 2] = self.turn.map(|axis| axis[lane]);
        let push: [f32; 3] = self.push.map(|axis| axis[lane]);
        Steering { turn: Vec2::from(turn), push: Vec3::from(push) }
    }
}

/// Adds the values of the lanes with the given tag.
#[inline]
fn add(sums: &mut [[f32; BATCH]], (tags, tag): (&[u32; BATCH], u32), values: &[[f32; BATCH]; 3], gain: f32) {
    for (sums, values) in sums.iter_mut().zip(values) {
        for lane in 0..BATCH {
            let mask = u32::from(tags[lane] == tag).wrapping_neg();
            sums[lane] += f32::from_bits((values[lane] * gain).to_bits() & mask);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::blend;
    use super::super::slot::Slot;
    use super::*;

    fn decisions() -> impl Strategy<Value = BatchDecisions> {
        let number = prop_oneof![-9.0_f32..9.0, prop::sample::select(vec![0.0, -0.0, 1e38, f32::NAN])];
        let numbers = prop::array::uniform8(number);
        (prop::array::uniform3(numbers), prop::array::uniform8(0..3_u32))
            .prop_map(|(values, tags)| BatchDecisions { tags, values, ..BatchDecisions::default() })
    }

    proptest! {
        #[test]
        fn sums_equal_those_of_single_units(decided in prop::collection::vec((-2.0_f32..2.0, decisions()), 0..5)) {
            let sums = BatchSteering::sum(decided.iter().map(|(gain, decided)| (*gain, decided)));
            let slots = decided.iter().map(|(gain, _)| Slot { gain: *gain, ..Slot::new("test", 1, None) });
            let slots: Vec<_> = slots.collect();
            for lane in 0..BATCH {
                    let contributions = decided.iter().map(|(_, it)| it.contribution(lane).get());
                let expected = blend::sum(&slots, contributions);
                prop_assert_eq!(format!("{:?}", sums.of(lane)), format!("{expected:?}"));
            }
        }
    }
}
