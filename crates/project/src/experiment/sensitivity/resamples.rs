//! Intervals of estimates over resamples of blocks: B. Efron, "Bootstrap methods: another look at the jackknife", 1979.

use steerbox_core::world::random;

use crate::experiment::sample::{NORMAL, Sample};

/// The number of resamples of an interval.
const RESAMPLES: u64 = 1000;

/// Returns the 95 % interval of each number that `estimate` computes of the indices of `count` blocks.
pub(super) fn intervals(
    count: usize,
    estimates: &[Option<f64>],
    estimate: impl Fn(&[usize]) -> Vec<Option<f64>>,
) -> Vec<[Option<f64>; 2]> {
    let mut samples = vec![Sample::default(); estimates.len()];
    let mut chosen = vec![0; count];
    for resample in 0..if count > 1 { RESAMPLES } else { 0 } {
        for (at, chosen) in chosen.iter_mut().enumerate() {
            *chosen = (random::bits(0, resample, at as u64, 0, 0) % count as u64) as usize;
        }
        for (sample, number) in samples.iter_mut().zip(estimate(&chosen)) {
            if let Some(number) = number {
                sample.add(number);
            }
        }
    }
    let ends = |(sample, number): (&Sample, &Option<f64>)| {
        let half = sample.deviation().map(|deviation| NORMAL * deviation);
        [-1.0, 1.0].map(|sign| Some((*number)? + sign * half?))
    };
    samples.iter().zip(estimates).map(ends).collect()
}
