//! Animations as GIF: one table of colors, no dithering, each frame as its difference to the one before.
//!
//! Colors of the first frames determine the table. They are those of the scene and their blends at edges, and rarely
//! change; a later frame with other colors replaces the table from there on. Without dithering, unchanged pixels stay
//! the same, and a plain background in place of the gradient compresses best.

use std::borrow::Cow;
use std::io::BufWriter;

use gif::{DisposalMethod, EncodingError, Frame, Repeat};
use steerbox_project::reload::Pending;

use super::changes::{self, Area};
use super::encoder::Encoder;
use super::error::RecordError;
use super::options::RecordOptions;
use super::palette::Palette;
use super::raster::Raster;
use super::shot::Shot;
use crate::render::camera::Sight;

/// Maximum number of pixels of the frames that determine the table of colors.
const SAMPLED: usize = 1 << 23;
/// Maximum number of frames that do.
const SAMPLES: usize = 20;
/// Opacity from which a pixel is opaque: there is nothing between.
const OPAQUE: u32 = 128;

/// A GIF file.
pub(super) struct Gif {
    raster: Raster,
    size: (usize, usize),
    fps: u32,
    is_transparent: bool,
    /// True if frames have gradients.
    dithers: bool,
    stage: Stage,
}

/// Before and after the table of colors is known.
enum Stage {
    Sampling(Box<Pending>, Vec<Vec<u32>>),
    Writing(Box<Writer>),
    Ended,
}

struct Writer {
    encoder: gif::Encoder<BufWriter<Pending>>,
    palette: Palette,
    /// True if the table is that of the whole file.
    is_global: bool,
    size: (usize, usize),
    fps: u32,
    is_transparent: bool,
    /// True if frames have gradients.
    dithers: bool,
    /// Colors that the last frame shows; empty before the first.
    shown: Vec<u32>,
    frames: u64,
}

impl Gif {
    pub(super) fn new(options: &RecordOptions, file: Pending) -> Self {
        Self {
            raster: Raster::default(),
            size: options.size(),
            fps: options.fps(),
            is_transparent: options.picture.transparent,
            dithers: false,
            stage: Stage::Sampling(Box::new(file), Vec::new()),
        }
    }

    /// Determines the table of colors and writes the frames so far, unless that is done.
    fn begin(&mut self) -> Result<(), RecordError> {
        match std::mem::replace(&mut self.stage, Stage::Ended) {
            Stage::Sampling(file, frames) => {
                let mut writer = Writer::new(self, *file, Palette::of(&frames))?;
                for frame in &frames {
                    writer.write(frame)?;
                }
                self.stage = Stage::Writing(Box::new(writer));
            }
            begun => self.stage = begun,
        }
        Ok(())
    }
}

impl Encoder for Gif {
    fn frame(&mut self, shot: &Shot<'_>) -> Result<(), RecordError> {
        let is_gradient = shot.scene.look.background.is_some_and(|[top, bottom]| top != bottom);
        self.dithers =
            (is_gradient || matches!(shot.camera.sight(), Sight::Space(_))) && !self.is_transparent;
        if !self.dithers && !self.is_transparent {
            let [top, bottom] = shot.colors.world.ground;
            self.raster.flatten(top.mix(bottom, 0.5));
        }
        let pixels = self.raster.draw(shot);
        match &mut self.stage {
            Stage::Sampling(_, frames) => {
                frames.push(pixels.to_vec());
                let (count, pixels) = (frames.len(), pixels.len());
                if count < SAMPLES && (count + 1) * pixels <= SAMPLED { Ok(()) } else { self.begin() }
            }
            Stage::Writing(writer) => writer.write(pixels),
            Stage::Ended => Ok(()),
        }
    }

    fn finish(mut self: Box<Self>) -> Result<Pending, RecordError> {
        self.begin()?;
        let Stage::Writing(writer) = self.stage else {
            return Err(RecordError::Encoder("the recording has no frame".to_owned()));
        };
        let buffer = writer.encoder.into_inner().map_err(failed)?;
        Ok(buffer.into_inner().map_err(std::io::IntoInnerError::into_error)?)
    }
}

impl Writer {
    fn new(gif: &Gif, file: Pending, palette: Palette) -> Result<Self, RecordError> {
        let Gif { size, fps, is_transparent, dithers, .. } = *gif;
        let (width, height) = (size.0 as u16, size.1 as u16);
        let encoder = gif::Encoder::new(BufWriter::new(file), width, height, &palette.table());
        let mut encoder = encoder.map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        let (is_global, shown, frames) = (true, Vec::new(), 0);
        Ok(Self { encoder, palette, is_global, size, fps, is_transparent, dithers, shown, frames })
    }

    fn write(&mut self, pixels: &[u32]) -> Result<(), RecordError> {
        if !self.palette.fits(pixels) {
            self.palette = Palette::of(&[pixels]);
            self.is_global = false;
        }
        let (width, height) = self.size;
        let delay = self.delay();
        let palette = &mut self.palette;
        let colors = pixels.iter().enumerate().map(|(at, pixel)| match *pixel {
            pixel if pixel >> 24 < OPAQUE => 0,
            pixel if self.dithers => palette.dithered(pixel, [at % width, at / width]),
            pixel => palette.nearest(pixel),
        });
        let now: Vec<u32> = colors.collect();
        // Transparent pixels of a frame cannot erase those below, so each frame is complete then.
        let is_complete = self.frames == 0 || self.is_transparent;
        let area = if is_complete {
            Area { x: 0, y: 0, width, height }
        } else {
            changes::area(&self.shown, &now, width)
        };
        let index = |at: usize| {
            let is_same = now[at] == 0 || !is_complete && now[at] == self.shown[at];
            if is_same { Palette::TRANSPARENT } else { palette.index(now[at]) }
        };
        let frame = Frame {
            delay,
            dispose: if self.is_transparent { DisposalMethod::Background } else { DisposalMethod::Keep },
            transparent: Some(Palette::TRANSPARENT),
            left: area.x as u16,
            top: area.y as u16,
            width: area.width as u16,
            height: area.height as u16,
            palette: (!self.is_global).then(|| palette.table()),
            buffer: Cow::Owned(area.pixels(width).map(index).collect()),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(failed)?;
        self.shown = now;
        self.frames += 1;
        Ok(())
    }

    /// Hundredths of a second until the next frame, so that the sum is rounded, not each.
    fn delay(&self) -> u16 {
        let time = |frame: u64| (frame * 100 + u64::from(self.fps) / 2) / u64::from(self.fps.max(1));
        (time(self.frames + 1) - time(self.frames)) as u16
    }
}

fn failed(error: EncodingError) -> RecordError {
    match error {
        EncodingError::Io(error) => error.into(),
        error => RecordError::Encoder(error.to_string()),
    }
}
