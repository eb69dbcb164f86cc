//! The colors of a theme, and how they contrast.

use egui::Color32;
use serde::{Deserialize, Serialize};

use crate::app::render::canvas::Color;

/// The themes that there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ThemeName {
    /// Light on dark.
    #[default]
    Dark,
    /// Dark on a light ground, as for print.
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
    /// Which one it is.
    pub name: ThemeName,
    /// What is drawn of the world.
    pub world: WorldColors,
    /// What can be acted on.
    pub accent: Color32,
    /// Something went live.
    pub good: Color32,
    /// Something needs a look.
    pub warning: Color32,
    /// Something was rejected or failed.
    pub bad: Color32,
    /// Text that may be overlooked.
    pub weak: Color32,
    /// Text.
    pub text: Color32,
    /// Text that stands out.
    pub bright: Color32,
    /// Ground of the panel.
    pub panel: Color32,
    /// Every other row of a table.
    pub faint: Color32,
    /// Ground of a card in the panel.
    pub card: Color32,
    /// Widgets at rest, under the pointer, and pressed.
    pub widget: [Color32; 3],
    /// What is typed into, and rails of sliders.
    pub sunk: Color32,
    /// Lines between parts.
    pub line: Color32,
    /// Ground of selected text.
    pub selected: Color32,
    /// Ground of a message about files that do not work.
    pub alarm: Color32,
    /// Shadows of windows.
    pub shadow: Color32,
}

impl Theme {
    /// A color as words on the panel have to be.
    pub fn legible(&self, color: Color) -> Color32 {
        let [r, g, b, _] = self.card.to_array();
        color32(readable(color, Color::rgb(r, g, b), 4.5))
    }
}

/// Colors of the world.
#[derive(Debug, PartialEq)]
pub struct WorldColors {
    /// Ground of a plane at the top and at the bottom.
    pub ground: [Color; 2],
    /// Lines of the grid, and every fifth one.
    pub grid: [Color; 2],
    /// Water of a space at the top and at the bottom.
    pub water: [Color; 2],
    /// Light that falls into the water, and what hangs in it.
    pub sunlight: Color,
    /// Lines on the sphere of a space and on its floor.
    pub sphere: Color,
    /// Shadows on the floor of a space.
    pub shadow: Color,
    /// What turns away from the light, and what faces it.
    pub shade: [Color; 2],
    /// An obstacle in a space.
    pub rock: Color,
    /// Inside and rim of an obstacle.
    pub obstacle: [Color; 2],
    /// Rim of an obstacle that was moved by hand.
    pub moved: Color,
    /// Border of the world.
    pub border: Color,
    /// The band of a path, its rim, and the dashes in its middle.
    pub path: [Color; 3],
    /// Around units, so that one stands out from another that it covers.
    pub outline: Color,
    /// White and pupil of a fish's eye.
    pub eye: [Color; 2],
    /// The thrust of an engine.
    pub thrust: Color,
    /// The target that the mouse sets.
    pub target: Color,
    /// What is selected, and the views of selected units.
    pub selection: Color,
    /// The sum of all that a unit's behaviors ask for.
    pub resultant: Color,
    /// Around arrows.
    pub rim: Color,
    /// Rings and numbers of pinned units.
    pub pinned: Color,
    /// What scripts draw and write, unless they say otherwise.
    pub note: Color,
    /// What units look like that are colored by a value, from its least to its most: from next to the ground
    /// to far from it, in even steps to the eye, so that it also reads without hues.
    pub scale: [Color; 6],
}

impl WorldColors {
    /// The color of a value that is `share` of the way from the least to the most, taken between 0 and 1.
    pub fn of_share(&self, share: f32) -> Color {
        // Not a number counts as 0.
        let share = if share > 0.0 { share.min(1.0) } else { 0.0 };
        let along = share * (self.scale.len() - 1) as f32;
        let first = (along as usize).min(self.scale.len() - 2);
        self.scale[first].mix(self.scale[first + 1], along - first as f32)
    }
}

/// The color as egui has it.
pub fn color32(color: Color) -> Color32 {
    Color32::from_rgba_unmultiplied(color.r, color.g, color.b, color.a)
}

/// Luminance of each channel's value in linear light, relative to white.
pub(super) fn linear(value: u8) -> f32 {
    let value = f32::from(value) / 255.0;
    if value <= 0.040_45 { value / 12.92 } else { libm::powf((value + 0.055) / 1.055, 2.4) }
}

/// How far two colors differ in luminance, 1 to 21, as the Web Content Accessibility Guidelines count it.
pub(super) fn contrast(a: Color, b: Color) -> f32 {
    let luminance =
        |color: Color| 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b) + 0.05;
    let (a, b) = (luminance(a), luminance(b));
    a.max(b) / a.min(b)
}

/// The color, lighter or darker until its contrast to `ground` is at least `least`.
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
