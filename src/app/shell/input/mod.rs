//! Input since the last frame, for the panel and for the world; independent of the window.

#[cfg(feature = "window")]
mod collect;
mod frame_input;
#[cfg(feature = "window")]
mod keys;

#[cfg(feature = "window")]
pub use collect::{Collector, Sample};
pub use frame_input::{ButtonChange, Buttons, FrameInput, KeyChange, Pointer, PointerEvent};
#[cfg(feature = "window")]
pub use keys::translate;

#[cfg(all(test, feature = "window"))]
mod tests;
