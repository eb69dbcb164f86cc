//! A canvas as a PNG file.

use std::io::{self, BufWriter, Write};

use super::Canvas;

/// Writes `canvas` to `target` as an opaque PNG with fast compression.
///
/// # Errors
/// If it cannot be written, or the canvas has no pixels; a partial output is left.
pub fn write_png(target: impl Write, canvas: &Canvas) -> io::Result<()> {
    let mut target = BufWriter::new(target);
    encode_png(&mut target, canvas)?;
    target.flush()
}

fn encode_png(target: impl Write, canvas: &Canvas) -> io::Result<()> {
    let (width, height) = (canvas.width() as u32, canvas.height() as u32);
    let mut encoder = png::Encoder::new(target, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Fast);
    let mut bytes = Vec::with_capacity(canvas.pixels().len() * 3);
    for pixel in canvas.pixels() {
        let [_, r, g, b] = pixel.to_be_bytes();
        bytes.extend_from_slice(&[r, g, b]);
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bytes)?;
    writer.finish()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::render::canvas::Color;

    #[test]
    fn a_written_picture_reads_back() {
        let mut canvas = Canvas::new(3, 2);
        canvas.clear(Color::rgb(1, 2, 3));
        canvas.pixels_mut()[5] = 0x00fe_dcba;
        let mut written = Vec::new();
        write_png(&mut written, &canvas).unwrap();
        let decoder = png::Decoder::new(io::Cursor::new(written));
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!((info.width, info.height), (3, 2));
        assert_eq!(&bytes[..3], &[1, 2, 3]);
        assert_eq!(&bytes[15..18], &[0xfe, 0xdc, 0xba]);
    }

    #[test]
    fn a_full_target_or_an_empty_canvas_is_an_error() {
        assert!(write_png(&mut [0; 10][..], &Canvas::new(2, 2)).is_err());
        assert!(write_png(Vec::new(), &Canvas::new(0, 0)).is_err());
    }
}
