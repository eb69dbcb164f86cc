//! Stored stamps: small shapes that are drawn many times.

use std::ops::Range;

/// What all stamps of a sheet have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::app) struct Pattern {
    /// Tells shapes apart.
    pub(in crate::app) shape: u32,
    /// Pixels.
    pub(in crate::app) length: f32,
    /// Pixels.
    pub(in crate::app) width: f32,
    /// Pixels of a point.
    pub(in crate::app) scale: f32,
    /// No pixel is farther from the center than this.
    pub(in crate::app) reach: f32,
    /// Opacities of both colors.
    pub(in crate::app) alphas: [u8; 2],
}

/// The stamps of one pattern, drawn when they are first asked for.
#[derive(Clone, Debug, Default)]
pub(in crate::app) struct Sheet {
    pub(super) pattern: Pattern,
    pub(super) headings: usize,
    /// One more than the place of each stamp in `stamps`, or 0: by heading, then row and column of its place.
    pub(super) index: Vec<u32>,
    pub(super) stamps: Vec<Stamp>,
    pub(super) spans: Vec<Span>,
    pub(super) texels: Vec<u32>,
}

/// One shape: its first row, relative to the pixel of its center, and what its rows hold.
#[derive(Clone, Debug)]
pub(super) struct Stamp {
    pub(super) top: i32,
    pub(super) spans: Range<u32>,
    pub(super) texels: u32,
}

/// The pixels of a row, from the first that is covered to the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) left: i16,
    pub(super) length: u16,
}
