//! Stateless random numbers: each is a hash of its position (seed, unit, step, behavior, draw).
//!
//! The key of a unit is the hash of its group's name and its index in the group; the key of a behavior is the hash of
//! its script and its occurrence in the group. Other groups or behaviors, and their order in the file, therefore do
//! not affect a draw.

/// Returns a uniform random number in [0, 1), a multiple of 2⁻²⁴. Equal inputs give equal numbers; numbers of
/// different inputs are independent.
///
/// `unit_key` is that of [`super::unit_key`], `behavior` the key of the behavior, `draw` the index of the draw in the
/// step.
pub fn draw(seed: u64, unit_key: u64, step: u64, behavior: u64, draw: u32) -> f32 {
    share(bits(seed, unit_key, step, behavior, draw))
}

/// [`draw`] for several units at once; faster than separate calls.
pub fn draw_each<const N: usize>(
    seed: u64,
    unit_keys: [u64; N],
    step: u64,
    behavior: u64,
    draws: [u32; N],
) -> [f32; N] {
    let start = mix(seed);
    let mut hashes = unit_keys.map(|key| mix(start ^ key));
    for input in [step, behavior] {
        hashes = hashes.map(|hash| mix(hash ^ input));
    }
    for (hash, draw) in hashes.iter_mut().zip(draws) {
        *hash = mix(*hash ^ u64::from(draw));
    }
    hashes.map(share)
}

/// Converts the upper 24 bits to a number in [0, 1).
fn share(bits: u64) -> f32 {
    const STEPS: f32 = 16_777_216.0;
    (bits >> 40) as f32 / STEPS
}

/// Returns the 64 random bits of [`draw`].
pub fn bits(seed: u64, unit_key: u64, step: u64, behavior: u64, draw: u32) -> u64 {
    [unit_key, step, behavior, u64::from(draw)].into_iter().fold(mix(seed), |hash, input| mix(hash ^ input))
}

/// A bijection in which every input bit affects every output bit.
///
/// The step and the finalizer of `SplitMix64`: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014; constants by D. Stafford, "Mix13".
fn mix(input: u64) -> u64 {
    let mut z = input.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: u64 = 40_000;

    /// Draws along one input at a time, all others fixed.
    fn streams() -> [Vec<f32>; 5] {
        let all = |one: fn(u64) -> f32| (0..COUNT).map(one).collect();
        [
            all(|n| draw(n, 2, 3, 4, 5)),
            all(|n| draw(1, n, 3, 4, 5)),
            all(|n| draw(1, 2, n, 4, 5)),
            all(|n| draw(1, 2, 3, n, 5)),
            all(|n| draw(1, 2, 3, 4, n as u32)),
        ]
    }

    #[test]
    fn draws_are_uniform_along_every_input() {
        for stream in streams() {
            let mut bins = [0_u32; 20];
            for value in stream {
                assert!((0.0..1.0).contains(&value));
                bins[(value * 20.0) as usize] += 1;
            }
            let expected = COUNT as f32 / 20.0;
            let square: f32 = bins.iter().map(|&n| (n as f32 - expected).powi(2) / expected).sum();
            // 19 degrees of freedom: above 43.8 once in a thousand times.
            assert!(square < 43.8, "{square} {bins:?}");
        }
    }

    #[test]
    fn draws_of_several_units_equal_single_draws() {
        let (keys, draws) = ([0, 1, u64::MAX, 77], [0, u32::MAX, 3, 3]);
        let each = draw_each(9, keys, 1 << 40, 5, draws);
        assert_eq!(each, [0, 1, 2, 3].map(|at| draw(9, keys[at], 1 << 40, 5, draws[at])));
    }

    #[test]
    fn neighboring_draws_and_different_streams_are_independent() {
        let correlation = |a: &[f32], b: &[f32]| {
            let sum: f32 = a.iter().zip(b).map(|(a, b)| (a - 0.5) * (b - 0.5)).sum();
            sum * 12.0 / a.len() as f32
        };
        let streams = streams();
        for (at, stream) in streams.iter().enumerate() {
            let next = correlation(stream, &stream[1..]);
            assert!(next.abs() < 0.02, "{at}: {next}");
            for other in &streams[at + 1..] {
                let across = correlation(stream, other);
                assert!(across.abs() < 0.02, "{at}: {across}");
            }
        }
    }

    #[test]
    fn inputs_are_not_interchangeable() {
        let base = bits(1, 2, 3, 4, 5);
        assert_eq!(base, bits(1, 2, 3, 4, 5));
        for other in [
            bits(2, 1, 3, 4, 5),
            bits(1, 3, 2, 4, 5),
            bits(1, 2, 4, 3, 5),
            bits(1, 2, 3, 5, 4),
            bits(0, 0, 0, 0, 0),
        ] {
            let changed = (base ^ other).count_ones();
            assert!((12..=52).contains(&changed), "{changed}");
        }
    }
}
