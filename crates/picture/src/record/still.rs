//! Pictures of one state.

use steerbox_project::reload::Pending;
use steerbox_project::session::Moment;

use super::encoder::Encoder;
use super::error::RecordError;
use super::raster::Raster;
use super::shot::Shot;
use crate::render::canvas::export::Picture;

/// A PNG file.
pub(super) struct Png {
    file: Pending,
}

impl Png {
    pub(super) fn new(file: Pending) -> Self {
        Self { file }
    }
}

impl Encoder for Png {
    fn frame(&mut self, shot: &Shot<'_>) -> Result<(), RecordError> {
        let mut raster = Raster::default();
        let picture = Picture {
            pixels: raster.draw(shot),
            size: shot.options.size(),
            is_transparent: shot.options.picture.transparent,
            text: shot.moment.map(|moment| (Moment::KEYWORD, moment)),
        };
        Ok(picture.write_png(&mut self.file)?)
    }

    fn finish(self: Box<Self>) -> Result<Pending, RecordError> {
        Ok(self.file)
    }
}
