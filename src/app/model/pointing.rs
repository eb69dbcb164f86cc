//! The pointer over the world.

use egui::{CursorIcon, PointerButton};
use glam::Vec2;

use super::drags::{ObstacleDrag, UnitDrag};
use crate::app::render::picture::Sketch;

/// The pointer over the world.
#[derive(Default)]
pub(in crate::app) struct Pointing {
    /// The unit under it.
    pub(in crate::app) hovered: Option<usize>,
    /// How many units a click there can select.
    pub(in crate::app) hover_count: usize,
    /// What it looks like.
    pub(in crate::app) cursor: CursorIcon,
    /// What a drag from here would do, in words; nothing where that is plain.
    pub(in crate::app) hint: Option<String>,
    /// The path of which a point is held or could be.
    pub(in crate::app) sketch: Option<Sketch>,
    pub(in crate::app) position: Option<Vec2>,
    /// The units that are being dragged.
    pub(in crate::app) held: Option<UnitDrag>,
    /// Whether it is over the second of two views.
    pub(in crate::app) in_second: bool,
    /// The first button that was pressed in the world and is still held.
    pub(in crate::app) pressed: Option<Press>,
    /// Where was clicked, and the units that were selected there one after the other.
    pub(in crate::app) clicked: Option<(Vec2, Vec<usize>)>,
}

/// A button that was pressed in the world.
pub(in crate::app) struct Press {
    pub(in crate::app) button: PointerButton,
    /// Where, in pixels.
    pub(in crate::app) at: Vec2,
    pub(in crate::app) drag: Drag,
    /// Whether the pointer has left the place: then it is no click, even if it returns.
    pub(in crate::app) is_drag: bool,
}

/// What a drag does.
#[derive(Clone)]
pub(in crate::app) enum Drag {
    /// Selects the units in a box.
    Select,
    /// Moves an obstacle or the target.
    Move(ObstacleDrag),
    /// Moves units.
    Units,
    /// Moves the view.
    View,
}

impl Pointing {
    /// Where the pointer is, in pixels.
    pub(in crate::app) fn place(&self) -> Option<Vec2> {
        self.position
    }

    /// The box in which units are being selected, between two corners in pixels.
    pub(in crate::app) fn selection_box(&self) -> Option<[Vec2; 2]> {
        let press = self.pressed.as_ref().filter(|press| matches!(press.drag, Drag::Select))?;
        Some([press.at, self.position.unwrap_or(press.at)])
    }

    /// Of the units at a pixel the nearest; with clicks within `reach` pixels, each of them in turn.
    pub(in crate::app) fn next_of(&mut self, pixel: Vec2, there: &[usize], reach: f32) -> Option<usize> {
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
