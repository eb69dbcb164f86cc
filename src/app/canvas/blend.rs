//! Mixing one packed color over another: the innermost arithmetic of all drawing.

/// Fully opaque on the scale of [`over`].
pub(super) const OPAQUE: u32 = 256;

/// `source` laid over `under` with `alpha` from 0 to 256; exact at both ends.
#[inline]
pub(super) fn over(under: u32, source: u32, alpha: u32) -> u32 {
    let rest = OPAQUE - alpha;
    let red_blue = (source & 0x00ff_00ff) * alpha + (under & 0x00ff_00ff) * rest + 0x0080_0080;
    let green = (source & 0x0000_ff00) * alpha + (under & 0x0000_ff00) * rest + 0x0000_8000;
    ((red_blue >> 8) & 0x00ff_00ff) | ((green >> 8) & 0x0000_ff00)
}

/// `source` laid over every pixel of `span` with the same `alpha`, 0 to 256.
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
