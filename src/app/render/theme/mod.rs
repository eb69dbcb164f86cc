//! All colors of the window, dark and on paper, and the style of its widgets. No other file names a color.

mod dark;
mod paper;
mod scene_colors;
mod style;

use egui::{Color32, Context, Ui};
use serde::{Deserialize, Serialize};

use super::canvas::Color;
pub use dark::DARK;
pub use paper::PAPER;
pub use scene_colors::SceneColors;

/// The color of a picture that keeps its own.
pub const AS_IT_IS: Color32 = Color32::WHITE;

/// Opacity of the label and of the widget of a value that has no effect.
pub const IDLE: [f32; 2] = [0.7, 0.5];

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
    /// Its colors.
    pub fn theme(self) -> &'static Theme {
        match self {
            Self::Dark => &DARK,
            Self::Paper => &PAPER,
        }
    }

    fn of_egui(self) -> egui::Theme {
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

/// The theme that `ui` is drawn in.
pub fn of(ui: &Ui) -> &'static Theme {
    if ui.visuals().dark_mode { &DARK } else { &PAPER }
}

/// Tells `context` the styles of all themes.
pub fn prepare(context: &Context) {
    for theme in [&DARK, &PAPER] {
        context.set_style_of(theme.name.of_egui(), style::style(theme));
    }
}

/// Shows everything in `context` in a theme from the next frame on.
pub fn select(context: &Context, name: ThemeName) {
    context.set_theme(name.of_egui());
}

/// The color as egui has it.
pub fn color32(color: Color) -> Color32 {
    Color32::from_rgba_unmultiplied(color.r, color.g, color.b, color.a)
}

impl Theme {
    /// A color as words on the panel have to be.
    pub fn legible(&self, color: Color) -> Color32 {
        let [r, g, b, _] = self.card.to_array();
        color32(readable(color, Color::rgb(r, g, b), 4.5))
    }
}

/// Luminance of each channel's value in linear light, relative to white.
fn linear(value: u8) -> f32 {
    let value = f32::from(value) / 255.0;
    if value <= 0.040_45 { value / 12.92 } else { libm::powf((value + 0.055) / 1.055, 2.4) }
}

/// How far two colors differ in luminance, 1 to 21, as the Web Content Accessibility Guidelines count it.
fn contrast(a: Color, b: Color) -> f32 {
    let luminance =
        |color: Color| 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b) + 0.05;
    let (a, b) = (luminance(a), luminance(b));
    a.max(b) / a.min(b)
}

/// The color, lighter or darker until its contrast to `ground` is at least `least`.
fn readable(color: Color, ground: Color, least: f32) -> Color {
    let away = if contrast(Color::WHITE, ground) > contrast(Color::BLACK, ground) {
        Color::WHITE
    } else {
        Color::BLACK
    };
    let steps = (0..=20).map(|step| color.mix(Color { a: color.a, ..away }, step as f32 / 20.0));
    let mut enough = steps.filter(|mixed| contrast(*mixed, ground) >= least);
    enough.next().unwrap_or(away)
}

#[cfg(test)]
mod tests {
    use super::*;

    const THEMES: [&Theme; 2] = [&DARK, &PAPER];

    fn color(color: Color32) -> Color {
        Color::rgb(color.r(), color.g(), color.b())
    }

    #[test]
    fn text_can_be_read_in_every_theme() {
        for theme in THEMES {
            let grounds = [theme.panel, theme.card, theme.alarm];
            for ground in grounds.map(color) {
                let reads = |text: Color32, least: f32| {
                    let found = contrast(color(text), ground);
                    assert!(found >= least, "{:?}: {text:?} on {ground:?}: {found}", theme.name);
                };
                reads(theme.text, 7.0);
                reads(theme.bright, 10.0);
                for text in [theme.weak, theme.accent, theme.good, theme.warning, theme.bad] {
                    reads(text, 4.5);
                }
            }
            let idle = color(theme.weak).mix(color(theme.card), 1.0 - IDLE[0]);
            assert!(contrast(idle, color(theme.card)) >= 3.0, "{:?}", theme.name);
            let world = &theme.world;
            for ground in world.ground {
                for mark in [world.note, world.target, world.selection, world.resultant, world.pinned] {
                    assert!(contrast(mark, ground) >= 3.0, "{:?}: {mark:?}", theme.name);
                }
            }
        }
    }

    #[test]
    fn controls_that_cannot_be_used_can_be_read_in_every_theme() {
        for theme in THEMES {
            let visuals = style::style(theme).visuals;
            for ground in [theme.panel, theme.card].map(color) {
                let faded = |over: Color, of: Color32| over.mix(color(of), visuals.disabled_alpha);
                let fill = faded(ground, visuals.widgets.inactive.weak_bg_fill);
                // Words, and the signs on the buttons of the timeline.
                let words = [faded(fill, visuals.widgets.inactive.fg_stroke.color), color(theme.weak)];
                for words in words {
                    let found = contrast(words, fill);
                    assert!(found >= 3.0, "{:?}: {words:?} on {fill:?}: {found}", theme.name);
                    let usable = contrast(color(theme.text), color(theme.widget[0]));
                    assert!(found < usable, "{:?}: it looks like one that can be used", theme.name);
                }
            }
        }
    }

    #[test]
    fn a_scale_of_values_leads_away_from_the_ground_in_even_steps() {
        // Lightness as the eye has it, 0 to 100: CIE 1976.
        let lightness = |color: Color| {
            let luminance = 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
            116.0 * libm::cbrtf(luminance) - 16.0
        };
        for theme in THEMES {
            let world = &theme.world;
            let sign = if theme.name == ThemeName::Dark { 1.0 } else { -1.0 };
            let steps: Vec<f32> =
                (0..=10).map(|step| lightness(world.of_share(step as f32 / 10.0))).collect();
            for pair in steps.windows(2) {
                assert!((3.0..8.0).contains(&(sign * (pair[1] - pair[0]))), "{:?}: {steps:?}", theme.name);
            }
            assert_eq!(world.of_share(-1.0), world.scale[0]);
            assert_eq!(world.of_share(2.0), world.scale[5]);
            assert_eq!(world.of_share(f32::NAN), world.scale[0]);
        }
    }

    #[test]
    fn colors_that_cannot_be_seen_are_made_so_and_others_left_alone() {
        let (white, navy) = (Color::WHITE, Color::rgb(0, 0, 128));
        for (color, ground) in [(white, PAPER.world.ground[0]), (navy, DARK.world.ground[0])] {
            let seen = readable(color, ground, 1.6);
            assert!(seen != color && contrast(seen, ground) >= 1.6);
        }
        assert_eq!(readable(white, DARK.world.ground[0], 1.6), white);
        assert_eq!(readable(navy, PAPER.world.ground[0], 1.6), navy);
    }

    #[test]
    fn no_other_file_of_the_window_names_a_color() {
        let app = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/app");
        let mut folders = vec![app.clone()];
        while let Some(folder) = folders.pop() {
            for path in crate::reload::read_dir_sorted(&folder).unwrap() {
                let is_exempt = ["theme", "tests", "tests.rs"].iter().any(|name| path.ends_with(name));
                if path.is_dir() && !is_exempt {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "rs") && !is_exempt {
                    let text = std::fs::read_to_string(&path).unwrap();
                    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
                    for literal in ["Color::rgb", "Color32::from_", "Color32::WHITE", "Color32::BLACK"] {
                        assert!(!code.contains(literal), "{} names a color: {literal}", path.display());
                    }
                }
            }
        }
    }
}
