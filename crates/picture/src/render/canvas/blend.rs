//! Blending of packed colors: the innermost arithmetic of all drawing.

/// Fully opaque on the scale of [`over`].
pub(super) const OPAQUE: u32 = 256;

/// `source` laid over `under` with `alpha` from 0 to 256; exact at both ends.
#[inline]
pub(super) fn over(under: u32, source: u32, alpha: u32) -> u32 {
    // Computes under · (256 − alpha) + source · alpha, for two channels and for one. The differences may wrap,
    // the sums do not.
    let lanes = |lanes: u32, half: u32| {
        let (under, source) = (under & lanes, source & lanes);
        (under << 8).wrapping_add(source.wrapping_sub(under).wrapping_mul(alpha)).wrapping_add(half)
    };
    let (red_blue, green) = (lanes(0x00ff_00ff, 0x0080_0080), lanes(0x0000_ff00, 0x0000_8000));
    ((red_blue >> 8) & 0x00ff_00ff) | ((green >> 8) & 0x0000_ff00)
}

/// Blends `source` over four pixels at once, with opacities from 0 to 1.
#[inline]
pub(super) fn over_four(under: &mut [u32; 4], source: u32, alphas: [f32; 4]) {
    let channel = |shift: u32| {
        let source = (source >> shift & 255) as i32 as f32;
        let mut mixed = [0; 4];
        for (mixed, (under, alpha)) in mixed.iter_mut().zip(under.iter().zip(alphas)) {
            let under = (*under >> shift & 255) as i32 as f32;
            *mixed = nearest(under + (source - under) * alpha) << shift;
        }
        mixed
    };
    let (red, green, blue) = (channel(16), channel(8), channel(0));
    for (at, pixel) in under.iter_mut().enumerate() {
        *pixel = red[at] | green[at] | blue[at];
    }
}

/// Rounds a number from 0 to 255: after adding 2²³, the low bits are the nearest integer.
#[inline]
fn nearest(number: f32) -> u32 {
    (number + 8_388_608.0).to_bits() & 0xff
}

/// The larger of two numbers, the second if one is NaN: a single instruction, unlike `f32::max`.
#[inline]
pub(super) fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The smaller of two numbers, the second if one is NaN.
#[inline]
pub(super) fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The weights of the background and of two colors in a pixel of a shape, ten bits each: at most 256 in all.
/// Decoded from the blue, red and green channels of a pixel that was drawn in these three colors.
pub(super) fn shares(pixel: u32) -> u32 {
    let mut shares = [0, 16, 8].map(|shift| {
        let level = pixel >> shift & 255;
        level + (level >> 7)
    });
    // Rounding errors may add up; the largest weight is corrected.
    let excess = shares.iter().sum::<u32>().saturating_sub(OPAQUE);
    if let Some(most) = shares.iter_mut().max() {
        *most -= excess;
    }
    let [under, first, second] = shares;
    under | first << 10 | second << 20
}

/// The blend of `under` and of two colors by the weights `shares`.
#[inline]
pub(super) fn mixed(under: u32, [first, second]: [u32; 2], shares: u32) -> u32 {
    let (rest, a, b) = (shares & 0x3ff, shares >> 10 & 0x3ff, shares >> 20);
    let lanes = |lanes: u32| (under & lanes) * rest + (first & lanes) * a + (second & lanes) * b;
    let (red_blue, green) = (lanes(0x00ff_00ff) + 0x0080_0080, lanes(0x0000_ff00) + 0x0000_8000);
    ((red_blue >> 8) & 0x00ff_00ff) | ((green >> 8) & 0x0000_ff00)
}

/// Blends `source` over every pixel of `span` with the same `alpha`, 0 to 256.
#[inline]
pub(super) fn over_span(span: &mut [u32], source: u32, alpha: u32) {
    if alpha >= OPAQUE {
        span.fill(source);
    } else if alpha > 0 {
        for pixel in span {
            *pixel = over(*pixel, source, alpha);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_exact_and_the_middle_is_half() {
        assert_eq!(over(0x0012_3456, 0x00ab_cdef, 0), 0x0012_3456);
        assert_eq!(over(0x0012_3456, 0x00ab_cdef, OPAQUE), 0x00ab_cdef);
        assert_eq!(over(0, 0x00ff_ffff, 128), 0x0080_8080);
        assert_eq!(over(0x00ff_ffff, 0x00ff_ffff, 77), 0x00ff_ffff);
    }
}
