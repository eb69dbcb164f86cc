//! Animations as APNG: without loss, each frame as its difference to the one before.

use std::io::{BufWriter, Seek as _, SeekFrom, Write};

use steerbox_project::reload::Pending;

use super::changes::{self, Area};
use super::encoder::Encoder;
use super::error::RecordError;
use super::options::RecordOptions;
use super::raster::Raster;
use super::shot::Shot;

/// Position of the chunk with the number of frames: behind the signature and the header.
const FRAMES_AT: u64 = 8 + 25;

/// Modes of a frame: its pixels replace those below, or lie over them.
const REPLACE: u8 = 0;
const OVER: u8 = 1;

/// An APNG file.
pub(super) struct Apng {
    file: BufWriter<Pending>,
    raster: Raster,
    size: (usize, usize),
    fps: u16,
    is_transparent: bool,
    /// Pixels of the last frame; empty before the first.
    last: Vec<u32>,
    frames: u32,
    /// Number of chunks with a sequence number.
    sequence: u32,
}

impl Apng {
    pub(super) fn new(options: &RecordOptions, file: Pending) -> Self {
        Self {
            file: BufWriter::new(file),
            raster: Raster::default(),
            size: options.size(),
            fps: options.fps() as u16,
            is_transparent: options.picture.transparent,
            last: Vec::new(),
            frames: 0,
            sequence: 0,
        }
    }

    fn write(&mut self, pixels: &[u32]) -> Result<(), RecordError> {
        let (width, height) = self.size;
        let area = match self.frames {
            0 => Area { x: 0, y: 0, width, height },
            _ => changes::area(&self.last, pixels, width),
        };
        let is_over = self.frames > 0 && !self.is_transparent;
        let mut bytes = Vec::with_capacity(area.width * area.height * 4);
        for at in area.pixels(width) {
            let is_same = is_over && self.last[at] == pixels[at];
            let [a, r, g, b] = if is_same { [0; 4] } else { pixels[at].to_be_bytes() };
            bytes.extend([r, g, b, a]);
        }
        let still = still(area, &bytes)?;
        if self.frames == 0 {
            self.file.write_all(&still[..FRAMES_AT as usize])?;
            self.frame_count()?;
        }
        self.control(area, if is_over { OVER } else { REPLACE })?;
        for data in image_data(&still) {
            if self.frames == 0 {
                chunk(&mut self.file, *b"IDAT", data)?;
            } else {
                let number = self.next_number();
                chunk(&mut self.file, *b"fdAT", &[&number[..], data].concat())?;
            }
        }
        self.frames += 1;
        self.last.clear();
        self.last.extend_from_slice(pixels);
        Ok(())
    }

    /// Writes the chunk with the number of frames, and of repetitions: 0 is without end.
    fn frame_count(&mut self) -> std::io::Result<()> {
        let count = [self.frames.to_be_bytes(), [0; 4]].concat();
        chunk(&mut self.file, *b"acTL", &count)
    }

    /// Writes the chunk before the data of a frame: its area, duration and mode.
    fn control(&mut self, area: Area, mode: u8) -> std::io::Result<()> {
        let number = self.next_number();
        let area = [area.width, area.height, area.x, area.y].map(|side| (side as u32).to_be_bytes());
        let delay = [1_u16.to_be_bytes(), self.fps.to_be_bytes()].concat();
        let data = [&number[..], area.as_flattened(), &delay, &[0, mode]].concat();
        chunk(&mut self.file, *b"fcTL", &data)
    }

    fn next_number(&mut self) -> [u8; 4] {
        self.sequence += 1;
        (self.sequence - 1).to_be_bytes()
    }
}

impl Encoder for Apng {
    fn frame(&mut self, shot: &Shot<'_>) -> Result<(), RecordError> {
        let mut raster = std::mem::take(&mut self.raster);
        let written = self.write(raster.draw(shot));
        self.raster = raster;
        written
    }

    fn finish(mut self: Box<Self>) -> Result<Pending, RecordError> {
        chunk(&mut self.file, *b"IEND", &[])?;
        self.file.seek(SeekFrom::Start(FRAMES_AT))?;
        self.frame_count()?;
        Ok(self.file.into_inner().map_err(std::io::IntoInnerError::into_error)?)
    }
}

/// Returns a PNG with the pixels of an area.
fn still(area: Area, bytes: &[u8]) -> Result<Vec<u8>, RecordError> {
    let mut written = Vec::new();
    let mut encoder = png::Encoder::new(&mut written, area.width as u32, area.height as u32);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_compression(png::Compression::Fast);
    // Most pixels of a difference are the same, so filters only obscure that.
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header().map_err(std::io::Error::from)?;
    writer.write_image_data(bytes).map_err(std::io::Error::from)?;
    writer.finish().map_err(std::io::Error::from)?;
    Ok(written)
}

/// Returns the contents of all chunks with image data of a PNG.
fn image_data(png: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = png.get(8..).unwrap_or_default();
    let chunks = std::iter::from_fn(move || {
        let (head, after) = rest.split_at_checked(8)?;
        let length = u32::from_be_bytes(head[..4].try_into().ok()?) as usize;
        let (data, after) = after.split_at_checked(length)?;
        rest = after.get(4..)?;
        Some((&head[4..], data))
    });
    chunks.filter(|(name, _)| *name == b"IDAT").map(|(_, data)| data)
}

/// Writes a chunk with its length and checksum.
fn chunk(to: &mut impl Write, name: [u8; 4], data: &[u8]) -> std::io::Result<()> {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&name);
    sum.update(data);
    to.write_all(&(data.len() as u32).to_be_bytes())?;
    to.write_all(&name)?;
    to.write_all(data)?;
    to.write_all(&sum.finalize().to_be_bytes())
}
