//! A canvas as a PNG file.

use std::io::{self, BufWriter, Write};

use super::Canvas;

/// Writes `canvas` to `target` as an opaque PNG with fast compression. `text` is a keyword and the text of a chunk.
///
/// # Errors
/// If it cannot be written, or the canvas has no pixels; a partial output is left.
pub fn write_png(target: impl Write, canvas: &Canvas, text: Option<(&str, &str)>) -> io::Result<()> {
    let (pixels, size) = (canvas.pixels(), (canvas.width(), canvas.height()));
    Picture { pixels, size, is_transparent: false, text }.write_png(target)
}

/// A picture to be written.
pub(crate) struct Picture<'a> {
    /// Colors `0xAARRGGBB` by row.
    pub(crate) pixels: &'a [u32],
    /// Width and height in pixels.
    pub(crate) size: (usize, usize),
    /// True to write the opacity.
    pub(crate) is_transparent: bool,
    /// Keyword and text of a chunk.
    pub(crate) text: Option<(&'a str, &'a str)>,
}

impl Picture<'_> {
    /// Writes the picture to `target` as a PNG with fast compression.
    ///
    /// # Errors
    /// If it cannot be written, or there are no pixels; a partial output is left.
    pub(crate) fn write_png(&self, target: impl Write) -> io::Result<()> {
        let mut target = BufWriter::new(target);
        encode_png(&mut target, self)?;
        target.flush()
    }
}

fn encode_png(target: impl Write, picture: &Picture<'_>) -> io::Result<()> {
    let Picture { pixels, size: (width, height), is_transparent, text } = *picture;
    let mut encoder = png::Encoder::new(target, width as u32, height as u32);
    encoder.set_color(if is_transparent { png::ColorType::Rgba } else { png::ColorType::Rgb });
    encoder.set_compression(png::Compression::Fast);
    if let Some((keyword, text)) = text {
        encoder.add_text_chunk(keyword.to_owned(), text.to_owned())?;
    }
    let channels = if is_transparent { 4 } else { 3 };
    let mut bytes = Vec::with_capacity(pixels.len() * channels);
    for pixel in pixels {
        let [a, r, g, b] = pixel.to_be_bytes();
        bytes.extend_from_slice(&[r, g, b, a][..channels]);
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bytes)?;
    writer.finish()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::canvas::Color;

    #[test]
    fn a_written_picture_reads_back() {
        let mut canvas = Canvas::new(3, 2);
        canvas.clear(Color::rgb(1, 2, 3));
        canvas.pixels_mut()[5] = 0x00fe_dcba;
        let mut written = Vec::new();
        write_png(&mut written, &canvas, None).unwrap();
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
        assert!(write_png(&mut [0; 10][..], &Canvas::new(2, 2), None).is_err());
        assert!(write_png(Vec::new(), &Canvas::new(0, 0), None).is_err());
    }
}
