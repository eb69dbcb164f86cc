//! Recording of pictures: a scene as a picture, an animation or a video.
//!
//! A [`Recording`] receives every state of a run and draws those that are due: one frame per 1/fps of a real second at
//! the scene's own speed, whatever time the steps take. A frame between two steps shows interpolated poses. So a
//! recording is a function of the scene, its scripts and the seed, and it is as smooth as the window can be.
//!
//! The file receives its name when it is complete: see [`Pending`](steerbox_project::reload::Pending).

mod apng;
mod bar;
mod changes;
mod clock;
mod encoder;
mod encoders;
mod error;
mod ffmpeg;
mod file_name;
mod format;
mod gif;
mod options;
mod page;
mod palette;
mod plot;
mod raster;
mod recording;
mod reel;
mod shot;
mod still;
mod svg;
#[cfg(test)]
mod tests;

pub use error::RecordError;
pub use ffmpeg::has_ffmpeg;
pub use file_name::begin;
pub use format::Format;
pub use options::{PictureOptions, RecordOptions};
pub use plot::PlotFormat;
pub use recording::Recording;
pub use recording::View;
pub use reel::Reel;
