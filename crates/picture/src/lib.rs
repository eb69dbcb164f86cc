//! Pictures, videos and pages of a scene, drawn into a pixel buffer by a rasterizer: no window, no graphics driver.
//!
//! Space is drawn from far to near, sorted by the depth of each center. That is wrong only where large shapes
//! intersect; it needs no depth buffer and preserves anti-aliased edges.
//!
//! Knows no window and no input, and nothing of the state of a view but what the caller passes.

pub mod record;
pub mod render;
