//! Sheets: cached stamps of small shapes that are drawn many times.

use std::ops::Range;

/// The properties that all stamps of a sheet share.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pattern {
    /// Distinguishes shapes.
    pub(crate) shape: u32,
    /// Pixels.
    pub(crate) length: f32,
    /// Pixels.
    pub(crate) width: f32,
    /// Pixels per point.
    pub(crate) scale: f32,
    /// Maximum distance of a pixel from the center.
    pub(crate) reach: f32,
    /// Opacities of both colors.
    pub(crate) alphas: [u8; 2],
}

/// The stamps of one pattern, drawn when they are first requested.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sheet {
    pub(super) pattern: Pattern,
    pub(super) headings: usize,
    /// One plus the index of each stamp in `stamps`, or 0: by heading, then row and column of the subpixel position.
    pub(super) index: Vec<u32>,
    pub(super) stamps: Vec<Stamp>,
    pub(super) spans: Vec<Span>,
    pub(super) texels: Vec<u32>,
}

/// One stamp: its first row, relative to the pixel of its center, and its rows.
#[derive(Clone, Debug)]
pub(super) struct Stamp {
    pub(super) top: i32,
    pub(super) spans: Range<u32>,
    pub(super) texels: u32,
}

/// The pixels of a row, from the first covered one to the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) left: i16,
    pub(super) length: u16,
}
