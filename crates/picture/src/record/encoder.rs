//! The interface of the encoders.

use steerbox_core::sim::Simulation;
use steerbox_project::reload::{Generation, Pending};

use super::error::RecordError;
use super::shot::Shot;

/// An encoder of frames into a file.
pub(super) trait Encoder: Send {
    /// Adds a frame. For a picture of one state, it is the only one.
    ///
    /// # Errors
    /// If the file cannot be written, or the encoder fails.
    fn frame(&mut self, shot: &Shot<'_>) -> Result<(), RecordError>;

    /// Receives the end of the run, after the last frame.
    ///
    /// # Errors
    /// As for [`Encoder::frame`].
    fn end(&mut self, _: &Generation, _: &Simulation) -> Result<(), RecordError> {
        Ok(())
    }

    /// Completes the content of the file and returns it.
    ///
    /// # Errors
    /// As for [`Encoder::frame`].
    fn finish(self: Box<Self>) -> Result<Pending, RecordError>;
}
