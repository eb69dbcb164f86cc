//! Arithmetic on packed colors with premultiplied alpha, `0xAARRGGBB`.

const LANES: u32 = 0x00ff_00ff;

/// Packs egui's color.
#[inline]
pub(super) fn pack(color: egui::Color32) -> u32 {
    let [r, g, b, a] = color.to_array();
    u32::from_be_bytes([a, r, g, b])
}

/// Blends `source` over `under`; channels saturate at 255, for example with additive colors.
#[inline]
pub(super) fn over(under: u32, source: u32) -> u32 {
    let rest = 255 - (source >> 24);
    let low = (source & LANES) + scale(under & LANES, rest);
    let high = (source >> 8 & LANES) + scale(under >> 8 & LANES, rest);
    saturate(low) | saturate(high) << 8
}

/// Each channel of `a` times that of `b`, where 255 represents one.
#[inline]
pub(super) fn modulate(a: u32, b: u32) -> u32 {
    if a == u32::MAX {
        return b;
    }
    if b == u32::MAX {
        return a;
    }
    let channel = |shift: u32| {
        let product = (a >> shift & 255) * (b >> shift & 255) + 128;
        ((product + (product >> 8)) >> 8) << shift
    };
    channel(0) | channel(8) | channel(16) | channel(24)
}

/// Both lanes times `factor` / 255, rounded.
#[inline]
fn scale(lanes: u32, factor: u32) -> u32 {
    let product = lanes * factor + 0x0080_0080;
    ((product + (product >> 8 & LANES)) >> 8) & LANES
}

/// Both lanes, at most 510, limited to 255.
#[inline]
fn saturate(lanes: u32) -> u32 {
    let overflow = lanes >> 8 & 0x0001_0001;
    (lanes | (overflow * 255)) & LANES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blending_follows_the_premultiplied_formula() {
        assert_eq!(over(0xff11_2233, 0), 0xff11_2233);
        assert_eq!(over(0xff11_2233, 0xffab_cdef), 0xffab_cdef);
        for a in 0..=255_u32 {
            let half = a << 24 | a << 16;
            let expected = (a * 255 + 200 * (255 - a) + 127) / 255;
            assert!((over(0xffc8_0000, half) >> 16 & 255).abs_diff(expected) <= 1);
            assert_eq!(over(0xff00_0000, half) >> 24, 255);
        }
    }

    #[test]
    fn additive_colors_brighten_and_saturate_at_white() {
        assert_eq!(over(0xff10_2030, 0x0001_0203), 0xff11_2233);
        assert_eq!(over(0xfff0_20ff, 0x0020_0203), 0xffff_22ff);
    }

    #[test]
    fn modulation_is_exact_with_white_and_with_zero() {
        assert_eq!(modulate(0x8040_2010, u32::MAX), 0x8040_2010);
        assert_eq!(modulate(0x8040_2010, 0), 0);
        assert_eq!(modulate(0xff80_ff00, 0xff80_40ff), 0xff40_4000);
    }
}
