//! The pointer over the world.

use egui::{CursorIcon, PointerButton};
use glam::Vec2;
use steerbox_picture::render::picture::Sketch;

use super::handle::Handle;

/// The pointer over the world.
#[derive(Default)]
pub(crate) struct Pointing {
    /// The unit under it.
    pub(crate) hovered: Option<usize>,
    /// Number of units that a click there can select.
    pub(crate) hover_count: usize,
    /// Its shape.
    pub(crate) cursor: CursorIcon,
    /// A description of the effect of a drag from here; `None` if it is obvious.
    pub(crate) hint: Option<String>,
    /// The path of which a point is dragged or can be.
    pub(crate) sketch: Option<Sketch>,
    pub(crate) position: Option<Vec2>,
    /// True if it is over the second of two views.
    pub(crate) in_second: bool,
    /// The first button that was pressed in the world and is still held.
    pub(crate) pressed: Option<Press>,
    /// The pixel of the last click, and the units that were selected there one after the other.
    pub(crate) clicked: Option<(Vec2, Vec<usize>)>,
}

/// A button that was pressed in the world.
pub(crate) struct Press {
    pub(crate) button: PointerButton,
    /// Its pixel.
    pub(crate) at: Vec2,
    pub(crate) drag: Drag,
    /// True once the pointer has moved away: the release is not a click then, even after a return.
    pub(crate) is_drag: bool,
}

/// The effect of a drag.
#[allow(clippy::large_enum_variant, reason = "there is one drag at a time")]
pub(crate) enum Drag {
    /// Selects the units in a box.
    Select,
    /// Moves the object of a handle.
    Handle(Handle),
    /// Moves the view.
    View,
}

impl Pointing {
    /// The pointer's position, pixels.
    pub(crate) fn place(&self) -> Option<Vec2> {
        self.position
    }

    /// The box in which units are being selected, between two corners in pixels.
    pub(crate) fn selection_box(&self) -> Option<[Vec2; 2]> {
        let press = self.pressed.as_ref().filter(|press| matches!(press.drag, Drag::Select))?;
        Some([press.at, self.position.unwrap_or(press.at)])
    }

    /// Of the units at a pixel the nearest; repeated clicks within `reach` pixels cycle through them.
    pub(crate) fn next_of(&mut self, pixel: Vec2, there: &[usize], reach: f32) -> Option<usize> {
        let before = self.clicked.take().filter(|(at, _)| at.distance(pixel) < reach);
        let (at, mut units) = before.unwrap_or((pixel, Vec::new()));
        let unit = there.iter().find(|unit| !units.contains(unit)).or_else(|| {
            units.clear();
            there.first()
        });
        units.extend(unit);
        self.clicked = Some((at, units));
        unit.copied()
    }
}
