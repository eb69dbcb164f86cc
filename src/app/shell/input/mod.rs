//! What the user did since the last frame, for the panel and for the world; knows no window.

mod collect;
mod frame_input;
mod keys;

pub use collect::{Collector, Sample};
pub use frame_input::{ButtonChange, Buttons, FrameInput, KeyChange, Pointer, PointerEvent};
pub use keys::translate;

#[cfg(test)]
mod tests;
