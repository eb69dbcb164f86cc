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

/// Converts a uniform number of [`draw`] to one of the standard normal distribution: its quantile. One draw gives one
/// number, and a greater draw gives a greater number, so equal draws remain comparable under other means and deviations.
///
/// The rational approximations of M. J. Wichura, "Algorithm AS 241: the percentage points of the normal distribution",
/// Applied Statistics 37, 1988 (PPND7: 7 decimal digits). The draw is taken as the center of its interval of 2⁻²⁴, so
/// results are symmetric and within ±5.42. NaN for NaN and for numbers outside [0, 1).
pub fn normal(draw: f32) -> f32 {
    const HALF_INTERVAL: f64 = 1.0 / 33_554_432.0;
    let from_median = (f64::from(draw) - 0.5) + HALF_INTERVAL;
    let quantile = if from_median.abs() <= 0.425 {
        let r = 0.180_625 - from_median * from_median;
        let upper = polynomial([3.387_132_717_9, 50.434_271_938, 159.291_132_02, 59.109_374_72], r);
        from_median * upper / polynomial([1.0, 17.895_169_469, 78.757_757_664, 67.187_563_6], r)
    } else {
        // At most 4.17, so the approximation beyond 5 is not needed.
        let r = (-libm::log(0.5 - from_median.abs())).sqrt() - 1.6;
        let upper = polynomial([1.423_437_277_7, 2.756_815_39, 1.306_728_481_6, 0.170_238_211_03], r);
        let distance = upper / polynomial([1.0, 0.737_001_642_5, 0.120_211_329_75], r);
        distance.copysign(from_median)
    };
    quantile as f32
}

/// Evaluates a polynomial by its coefficients, the constant one first.
fn polynomial<const N: usize>(coefficients: [f64; N], x: f64) -> f64 {
    coefficients.into_iter().rev().fold(0.0, |sum, coefficient| sum * x + coefficient)
}

/// Returns the 64 random bits of [`draw`].
pub fn bits(seed: u64, unit_key: u64, step: u64, behavior: u64, draw: u32) -> u64 {
    [unit_key, step, behavior, u64::from(draw)].into_iter().fold(mix(seed), |hash, input| mix(hash ^ input))
}

/// Returns the key of a unit whose draws under the seed `present` are those of the unit `unit_key` under `seed`.
pub fn key_under(seed: u64, unit_key: u64, present: u64) -> u64 {
    unit_key ^ mix(seed) ^ mix(present)
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
    use crate::world::extrema::Extrema;

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
    fn a_unit_has_the_draws_of_another_seed() {
        let key = key_under(2, 33, 1);
        assert_eq!(bits(1, key, 3, 4, 5), bits(2, 33, 3, 4, 5));
        assert_eq!(draw_each(1, [key; 2], 3, 4, [5, 6]), draw_each(2, [33; 2], 3, 4, [5, 6]));
        assert_eq!(key_under(7, 33, 7), 33);
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

    /// The distribution function of the standard normal distribution.
    fn normal_share(x: f64) -> f64 {
        0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
    }

    #[test]
    fn normal_numbers_are_the_quantiles_of_their_draws() {
        let steps =
            (0..=23).flat_map(|power| [1 << power, (1 << power) + 1, (1 << 24) - (1 << power), 5 << power]);
        for step in steps.chain([0, (1 << 24) - 1]).filter(|step| *step < 1 << 24) {
            let draw = step as f32 / 16_777_216.0;
            let (center, number) = ((f64::from(step) + 0.5) / 16_777_216.0, f64::from(normal(draw)));
            // The error of the share, in deviations: divided by the density.
            let density = (-0.5 * number * number).exp() / std::f64::consts::TAU.sqrt();
            let error = (normal_share(number) - center) / density;
            assert!(error.abs() < 4e-7 * number.abs().greater(1.0), "{step}: {number} is wrong by {error}");
        }
        let mirrored = |step: u32| {
            (normal(step as f32 / 16_777_216.0), normal((16_777_215 - step) as f32 / 16_777_216.0))
        };
        for step in [0, 1, 77, 1 << 20, (1 << 23) - 1] {
            let (below, above) = mirrored(step);
            assert_eq!(below, -above);
        }
        for outside in [-0.1, 1.0, f32::NAN, f32::INFINITY] {
            assert!(normal(outside).is_nan(), "{outside}");
        }
    }

    #[test]
    fn normal_numbers_have_the_distribution_of_their_name() {
        const COUNT: usize = 200_000;
        let mut numbers: Vec<_> =
            (0..COUNT).map(|n| f64::from(normal(draw(11, n as u64, 3, 4, 5)))).collect();
        let count = COUNT as f64;
        let moment = |power: i32| numbers.iter().map(|x| x.powi(power)).sum::<f64>() / count;
        // Four standard errors of each moment.
        for (power, expected, variance) in [(1, 0.0, 1.0), (2, 1.0, 2.0), (3, 0.0, 15.0), (4, 3.0, 96.0)] {
            let (found, most) = (moment(power), 4.0 * f64::sqrt(variance / count));
            assert!((found - expected).abs() < most, "moment {power}: {found}");
        }
        for limit in [2.0, 3.0, 4.0] {
            let expected = count * normal_share(-limit);
            for beyond in [1.0, -1.0] {
                let found = numbers.iter().filter(|x| **x * beyond > limit).count() as f64;
                assert!(
                    (found - expected).abs() < 4.0 * expected.sqrt(),
                    "beyond {limit}: {found}, not {expected}"
                );
            }
        }
        // Kolmogorov and Smirnov: exceeded once in a thousand times.
        numbers.sort_by(f64::total_cmp);
        let distance = |(at, x): (usize, &f64)| {
            let share = normal_share(*x);
            (share - at as f64 / count).greater((at + 1) as f64 / count - share)
        };
        let farthest = numbers.iter().enumerate().map(distance).fold(0.0, f64::greater);
        assert!(farthest * count.sqrt() < 1.95, "{}", farthest * count.sqrt());
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
