//! Pictures, videos and pages of a scene, drawn into a pixel buffer by a rasterizer: no window, no graphics driver.
//!
//! Space is drawn from far to near, sorted by the depth of each center. That is wrong only where large shapes
//! intersect; it needs no depth buffer and preserves anti-aliased edges.
//!
//! Must not know windows or input; the caller passes camera, selection and other state of a view.

pub mod record;
pub mod render;
