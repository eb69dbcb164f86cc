//! All colors of the window, in a dark and a light theme, and the style of its widgets. No other file defines a color.

mod charts;
mod colors;
mod dark;
mod paper;
mod scene_colors;
mod style;

use egui::{Color32, Context, Ui};

pub(crate) use charts::palette;
pub use colors::{Theme, ThemeName, WorldColors, color32, opaque};
pub use dark::DARK;
pub use paper::PAPER;
pub use scene_colors::SceneColors;

/// The tint of an image in its own colors.
pub const UNTINTED: Color32 = Color32::WHITE;

/// Opacity of the label and of the widget of a value without an effect.
pub const IDLE: [f32; 2] = [0.7, 0.5];

impl ThemeName {
    /// Its colors.
    pub fn theme(self) -> &'static Theme {
        match self {
            Self::Dark => &DARK,
            Self::Paper => &PAPER,
        }
    }
}

/// The theme of `ui`.
pub fn of(ui: &Ui) -> &'static Theme {
    if ui.visuals().dark_mode { &DARK } else { &PAPER }
}

/// Shows the rest of `ui` in a theme.
pub fn apply(ui: &mut Ui, theme: &Theme) {
    let style = ui.ctx().style_of(theme.name.of_egui());
    ui.set_style(style);
}

/// Registers the styles of all themes in `context`.
pub fn prepare(context: &Context) {
    for theme in [&DARK, &PAPER] {
        context.set_style_of(theme.name.of_egui(), style::style(theme));
    }
}

/// Shows everything in `context` in a theme from the next frame on.
pub fn select(context: &Context, name: ThemeName) {
    context.set_theme(name.of_egui());
}

#[cfg(test)]
mod tests {
    use super::colors::{contrast, linear, opaque as color, readable};
    use super::*;
    use crate::render::canvas::Color;

    const THEMES: [&Theme; 2] = [&DARK, &PAPER];

    #[test]
    fn text_is_legible_in_every_theme() {
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
    fn names_in_colors_of_a_scene_and_main_buttons_are_legible_in_every_theme() {
        for theme in THEMES {
            let shades = (0..216_u8).map(|at| [at / 36, at / 6 % 6, at % 6].map(|shade| shade * 51));
            for [r, g, b] in shades {
                let text = color(theme.legible(Color::rgb(r, g, b)));
                for ground in [theme.panel, theme.card].map(color) {
                    let found = contrast(text, ground);
                    assert!(found >= 4.5, "{:?}: {r} {g} {b} as {text:?} on {ground:?}: {found}", theme.name);
                }
            }
            assert!(contrast(color(theme.panel), color(theme.accent)) >= 4.5, "{:?}", theme.name);
        }
    }

    #[test]
    fn disabled_controls_are_legible_in_every_theme() {
        for theme in THEMES {
            let visuals = style::style(theme).visuals;
            for ground in [theme.panel, theme.card].map(color) {
                let faded = |over: Color, of: Color32| over.mix(color(of), visuals.disabled_alpha);
                let fill = faded(ground, visuals.widgets.inactive.weak_bg_fill);
                // Text, and the symbols on the buttons of the timeline.
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
    fn the_color_scale_departs_from_the_background_in_even_steps() {
        // Perceived lightness, 0 to 100: CIE 1976.
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
    fn invisible_colors_are_adjusted_and_others_unchanged() {
        let (white, navy) = (Color::WHITE, Color::rgb(0, 0, 128));
        for (color, ground) in [(white, PAPER.world.ground[0]), (navy, DARK.world.ground[0])] {
            let seen = readable(color, ground, 1.6);
            assert!(seen != color && contrast(seen, ground) >= 1.6);
        }
        assert_eq!(readable(white, DARK.world.ground[0], 1.6), white);
        assert_eq!(readable(navy, PAPER.world.ground[0], 1.6), navy);
    }

    #[test]
    fn no_other_file_of_the_window_defines_a_color() {
        let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut folders = vec![crates.join("picture/src"), crates.join("window/src")];
        while let Some(folder) = folders.pop() {
            for path in steerbox_project::reload::read_dir_sorted(&folder).unwrap() {
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
