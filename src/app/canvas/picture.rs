//! A canvas as a PNG file.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::Canvas;

/// Writes `canvas` to `path` as an opaque PNG with fast compression, replacing what was there.
///
/// # Errors
/// When the file cannot be created or written, or the canvas has no pixels; what was written of the
/// file until then is left.
pub fn write_png(path: impl AsRef<Path>, canvas: &Canvas) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    encode_png(&mut file, canvas)?;
    file.flush()
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
    use crate::app::canvas::Color;

    #[test]
    fn what_is_written_reads_back() {
        let mut canvas = Canvas::new(3, 2);
        canvas.clear(Color::rgb(1, 2, 3));
        canvas.pixels_mut()[5] = 0x00fe_dcba;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        write_png(&path, &canvas).unwrap();
        let decoder = png::Decoder::new(io::BufReader::new(File::open(&path).unwrap()));
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!((info.width, info.height), (3, 2));
        assert_eq!(&bytes[..3], &[1, 2, 3]);
        assert_eq!(&bytes[15..18], &[0xfe, 0xdc, 0xba]);
    }

    #[test]
    fn a_missing_folder_or_an_empty_canvas_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write_png(folder.path().join("none/a.png"), &Canvas::new(2, 2)).is_err());
        assert!(write_png(folder.path().join("a.png"), &Canvas::new(0, 0)).is_err());
    }
}
