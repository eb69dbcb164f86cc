//! The colors of a theme, and contrast.

use egui::Color32;
use serde::{Deserialize, Serialize};

use crate::render::canvas::Color;

/// The themes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ThemeName {
    /// Light on dark.
    #[default]
    Dark,
    /// Dark on a light background, as for print.
    Paper,
}

impl ThemeName {
    pub(super) fn of_egui(self) -> egui::Theme {
        match self {
            Self::Dark => egui::Theme::Dark,
            Self::Paper => egui::Theme::Light,
        }
    }

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Dark => Self::Paper,
            Self::Paper => Self::Dark,
        }
    }
}

/// Every color of the window.
#[derive(Debug, PartialEq)]
pub struct Theme {
    /// Its name.
    pub name: ThemeName,
    /// Colors of the world.
    pub world: WorldColors,
    /// Links and active controls.
    pub accent: Color32,
    /// Success, such as a reloaded file.
    pub good: Color32,
    /// A warning.
    pub warning: Color32,
    /// A rejection or a failure.
    pub bad: Color32,
    /// Text of little importance.
    pub weak: Color32,
    /// Text.
    pub text: Color32,
    /// Emphasized text.
    pub bright: Color32,
    /// Background of the panel.
    pub panel: Color32,
    /// Every other row of a table.
    pub faint: Color32,
    /// Background of a card in the panel.
    pub card: Color32,
    /// Widgets at rest, under the pointer, and pressed.
    pub widget: [Color32; 3],
    /// Text fields, and rails of sliders.
    pub sunk: Color32,
    /// Separators.
    pub line: Color32,
    /// Background of selected text.
    pub selected: Color32,
    /// Background of a message about faulty files.
    pub alarm: Color32,
    /// Shadows of windows.
    pub shadow: Color32,
}

impl Theme {
    /// A color adjusted for text on the panel and on its cards.
    pub fn legible(&self, color: Color) -> Color32 {
        let on_card = readable(color, opaque(self.card), 4.5);
        color32(readable(on_card, opaque(self.panel), 4.5))
    }
}

/// Colors of the world.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldColors {
    /// Background of a plane at the top and at the bottom.
    pub ground: [Color; 2],
    /// Lines of the grid, and every fifth one.
    pub grid: [Color; 2],
    /// Water of a space at the top and at the bottom.
    pub water: [Color; 2],
    /// Light shafts in the water, and motes.
    pub sunlight: Color,
    /// Lines on the sphere of a space and on its floor.
    pub sphere: Color,
    /// Shadows on the floor of a space.
    pub shadow: Color,
    /// Surfaces in the shade, and surfaces in the light.
    pub shade: [Color; 2],
    /// An obstacle in a space.
    pub rock: Color,
    /// Inside and rim of an obstacle.
    pub obstacle: [Color; 2],
    /// Rim of an edited obstacle.
    pub moved: Color,
    /// Inside and rim of a zone.
    pub zone: [Color; 2],
    /// Environment grids, in turn.
    pub grids: [Color; 4],
    /// Border of the world.
    pub border: Color,
    /// The band of a path, its rim, and the dashes in its middle.
    pub path: [Color; 3],
    /// Outlines of units, which separate overlapping units.
    pub outline: Color,
    /// White and pupil of a fish's eye.
    pub eye: [Color; 2],
    /// The thrust of an engine.
    pub thrust: Color,
    /// The target, set by the mouse.
    pub target: Color,
    /// The selection, and the views of selected units.
    pub selection: Color,
    /// The sum of the contributions of a unit's behaviors.
    pub resultant: Color,
    /// Outlines of arrows.
    pub rim: Color,
    /// Rings and numbers of pinned units.
    pub pinned: Color,
    /// Drawings and texts of scripts without a color of their own.
    pub note: Color,
    /// Units that are colored by a value, from its minimum to its maximum: increasing contrast to the background
    /// in perceptually even steps, so that it is legible without hues.
    pub scale: [Color; 6],
}

impl WorldColors {
    /// The color of a value at `share` of the range, clamped to 0 to 1.
    pub fn of_share(&self, share: f32) -> Color {
        // NaN counts as 0.
        let share = if share > 0.0 { share.min(1.0) } else { 0.0 };
        let along = share * (self.scale.len() - 1) as f32;
        let first = (along as usize).min(self.scale.len() - 2);
        self.scale[first].mix(self.scale[first + 1], along - first as f32)
    }
}

/// The color in egui's type.
pub fn color32(color: Color) -> Color32 {
    Color32::from_rgba_unmultiplied(color.r, color.g, color.b, color.a)
}

/// A color of egui without its transparency.
pub fn opaque(color: Color32) -> Color {
    Color::rgb(color.r(), color.g(), color.b())
}

/// Luminance of each value of a channel in linear light, relative to white.
pub(super) fn linear(value: u8) -> f32 {
    let value = f32::from(value) / 255.0;
    if value <= 0.040_45 { value / 12.92 } else { libm::powf((value + 0.055) / 1.055, 2.4) }
}

/// Contrast ratio of two colors, 1 to 21, as defined by the Web Content Accessibility Guidelines.
pub(super) fn contrast(a: Color, b: Color) -> f32 {
    let luminance =
        |color: Color| 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b) + 0.05;
    let (a, b) = (luminance(a), luminance(b));
    a.max(b) / a.min(b)
}

/// The color, lightened or darkened until its contrast to `ground` is at least `least`.
pub(super) fn readable(color: Color, ground: Color, least: f32) -> Color {
    let away = if contrast(Color::WHITE, ground) > contrast(Color::BLACK, ground) {
        Color::WHITE
    } else {
        Color::BLACK
    };
    let steps = (0..=20).map(|step| color.mix(Color { a: color.a, ..away }, step as f32 / 20.0));
    let mut enough = steps.filter(|mixed| contrast(*mixed, ground) >= least);
    enough.next().unwrap_or(away)
}
