//! The dark theme.

use egui::Color32;

use super::colors::{Theme, ThemeName, WorldColors};
use crate::render::canvas::Color;

/// Light on dark.
pub static DARK: Theme = Theme {
    name: ThemeName::Dark,
    world: WorldColors {
        ground: [Color::rgb(17, 24, 43), Color::rgb(8, 12, 24)],
        grid: [Color::rgba(140, 170, 230, 16), Color::rgba(140, 170, 230, 34)],
        water: [Color::rgb(38, 112, 132), Color::rgb(5, 17, 44)],
        sunlight: Color::rgb(196, 240, 240),
        sphere: Color::rgb(150, 222, 232),
        shadow: Color::rgb(0, 6, 20),
        shade: [Color::rgb(4, 10, 26), Color::WHITE],
        rock: Color::rgb(112, 128, 140),
        obstacle: [Color::rgb(50, 63, 92), Color::rgb(110, 131, 176)],
        moved: Color::rgb(255, 193, 94),
        zone: [Color::rgba(120, 220, 190, 26), Color::rgba(120, 220, 190, 150)],
        grids: [
            Color::rgb(236, 200, 96),
            Color::rgb(96, 196, 236),
            Color::rgb(226, 124, 190),
            Color::rgb(132, 214, 120),
        ],
        border: Color::rgba(88, 108, 150, 178),
        path: [Color::rgb(27, 35, 54), Color::rgb(46, 58, 86), Color::rgba(150, 170, 214, 70)],
        outline: Color::rgba(7, 10, 20, 150),
        eye: [Color::rgb(230, 240, 240), Color::rgb(8, 12, 20)],
        thrust: Color::rgba(255, 255, 255, 110),
        target: Color::rgb(255, 196, 92),
        selection: Color::rgb(120, 220, 255),
        resultant: Color::rgb(255, 255, 255),
        rim: Color::rgb(8, 12, 24),
        pinned: Color::rgb(255, 154, 196),
        note: Color::rgb(198, 208, 228),
        scale: [
            Color::rgb(72, 88, 184),
            Color::rgb(48, 127, 192),
            Color::rgb(35, 166, 166),
            Color::rgb(88, 199, 121),
            Color::rgb(178, 221, 85),
            Color::rgb(255, 242, 154),
        ],
    },
    accent: Color32::from_rgb(82, 168, 255),
    good: Color32::from_rgb(110, 214, 146),
    warning: Color32::from_rgb(255, 193, 94),
    bad: Color32::from_rgb(255, 113, 113),
    weak: Color32::from_rgb(136, 150, 178),
    text: Color32::from_rgb(203, 212, 230),
    bright: Color32::from_rgb(240, 244, 252),
    panel: Color32::from_rgb(24, 30, 46),
    faint: Color32::from_rgb(28, 35, 53),
    card: Color32::from_rgb(30, 37, 56),
    widget: [Color32::from_rgb(44, 54, 79), Color32::from_rgb(53, 66, 96), Color32::from_rgb(62, 78, 114)],
    sunk: Color32::from_rgb(15, 20, 32),
    line: Color32::from_rgb(43, 52, 75),
    selected: Color32::from_rgb(44, 96, 158),
    alarm: Color32::from_rgb(44, 22, 34),
    shadow: Color32::from_black_alpha(90),
};
