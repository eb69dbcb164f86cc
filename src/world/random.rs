//! Random numbers as a pure function of what they are for.
//!
//! There is no stream and no state: the same five inputs give the same number, whoever asks and in
//! whatever order.

/// A number uniform in 0 (inside) to 1 (outside), a multiple of 2⁻²⁴, for one draw of one
/// behavior for one unit in one step.
///
/// The mixing is the finalizer of SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014, applied after each input.
pub fn draw(seed: u64, unit_key: u64, step: u64, behavior: u64, draw: u32) -> f32 {
    let mut state = 0x9e37_79b9_7f4a_7c15;
    for input in [seed, unit_key, step, behavior, u64::from(draw)] {
        state = mix(state ^ input);
    }
    (state >> 40) as f32 / (1 << 24) as f32
}

fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
