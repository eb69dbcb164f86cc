//! Pictures as texts: a PNG becomes a plain PGM of its gray levels, which scenes read and stored runs contain.

use std::fmt::Write as _;
use std::io::Cursor;
use std::path::Path;

use png::{ColorType, Transformations};
use steerbox_core::world::MAX_CELLS;

const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// Returns true for the bytes of a file `NAME.png` that is a picture; other texts may have such names as well.
pub(super) fn is_picture(path: &Path, bytes: &[u8]) -> bool {
    let is_named = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    is_named && bytes.starts_with(&SIGNATURE)
}

/// Returns a PNG as plain PGM (`P2`): gray levels of 8 bits, or of 16 for colors and opacity. Colors have the luma of ITU-R BT.601,
/// 0.299 R + 0.587 G + 0.114 B.
///
/// # Errors
/// With a message if it is damaged or too large.
pub(super) fn plain_pgm(bytes: &[u8]) -> Result<String, String> {
    let damaged = |error: png::DecodingError| format!("the picture is damaged: {error}");
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(damaged)?;
    let (width, height) = reader.info().size();
    if u64::from(width) * u64::from(height) > MAX_CELLS {
        return Err(format!(
            "the picture has {width} x {height} pixels, at most {MAX_CELLS} are read: scale it down"
        ));
    }
    let mut buffer = vec![0; reader.output_buffer_size().unwrap_or(0)];
    let frame = reader.next_frame(&mut buffer).map_err(damaged)?;
    let is_wide = frame.bit_depth == png::BitDepth::Sixteen;
    let samples = frame.color_type.samples();
    let has_alpha = matches!(frame.color_type, ColorType::GrayscaleAlpha | ColorType::Rgba);
    // Means of 8 bits need more than 8 bits.
    let is_exact = !is_wide && samples == 1;
    let most = if is_exact { u64::from(u8::MAX) } else { u64::from(u16::MAX) };
    let sample = |bytes: &[u8]| match *bytes {
        [high, low] => u64::from(u16::from_be_bytes([high, low])),
        [level] => u64::from(level) * most / u64::from(u8::MAX),
        _ => 0,
    };
    let mut text = format!("P2\n{width} {height}\n{most}\n");
    let bytes = if is_wide { 2 } else { 1 };
    for row in buffer.chunks_exact(frame.line_size).take(height as usize) {
        for pixel in row.chunks_exact(samples * bytes) {
            let mut levels = pixel.chunks_exact(bytes).map(sample);
            let mut next = || levels.next().unwrap_or(0);
            let level = match samples {
                1 | 2 => next(),
                _ => (299 * next() + 587 * next() + 114 * next() + 500) / 1000,
            };
            let opacity = if has_alpha { next() } else { most };
            let _ = write!(text, "{} ", (level * opacity + most / 2) / most);
        }
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use png::BitDepth;

    use super::*;

    /// Returns a PNG of 2 x 1 pixels.
    fn png(color: ColorType, depth: BitDepth, pixels: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 2, 1);
        encoder.set_color(color);
        encoder.set_depth(depth);
        if color == ColorType::Indexed {
            encoder.set_palette(vec![0, 0, 0, 255, 0, 0]);
        }
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(pixels).unwrap();
        drop(writer);
        bytes
    }

    #[test]
    fn every_color_type_has_gray_levels() {
        use ColorType::{Grayscale, GrayscaleAlpha, Indexed, Rgb, Rgba};
        for (color, depth, pixels, expected) in [
            (Grayscale, BitDepth::Eight, &[7, 255][..], "255\n7 255"),
            (Grayscale, BitDepth::One, &[0b0100_0000], "255\n0 255"),
            (Grayscale, BitDepth::Sixteen, &[1, 0, 255, 255], "65535\n256 65535"),
            // Levels of 8 bits times 257.
            (GrayscaleAlpha, BitDepth::Eight, &[200, 255, 200, 128], "65535\n51400 25801"),
            // 0.299, and 0.299 * 10 / 255 + 0.587 * 20 / 255 + 0.114 * 200 / 255.
            (Rgb, BitDepth::Eight, &[255, 0, 0, 10, 20, 200], "65535\n19595 9645"),
            (Rgba, BitDepth::Eight, &[255, 255, 255, 0, 0, 255, 0, 255], "65535\n0 38469"),
            (Indexed, BitDepth::Eight, &[0, 1], "65535\n0 19595"),
        ] {
            let text = plain_pgm(&png(color, depth, pixels)).unwrap();
            assert_eq!(text, format!("P2\n2 1\n{expected} \n"), "{color:?}");
        }
    }

    #[test]
    fn damaged_and_large_pictures_have_a_fault() {
        let whole = png(ColorType::Grayscale, BitDepth::Eight, &[1, 2]);
        for end in 8..whole.len() {
            let _ = plain_pgm(&whole[..end]);
        }
        assert!(plain_pgm(&whole[..40]).unwrap_err().contains("the picture is damaged"));
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 5000, 1000);
        encoder.set_depth(BitDepth::One);
        encoder.write_header().unwrap().write_image_data(&vec![0; 625 * 1000]).unwrap();
        assert!(plain_pgm(&bytes).unwrap_err().contains("5000 x 1000 pixels, at most 4194304"));
        assert!(is_picture(Path::new("a.PNG"), &whole) && !is_picture(Path::new("a.csv"), &whole));
        assert!(!is_picture(Path::new("a.png"), b"P2\n1 1\n1\n0"));
    }
}
