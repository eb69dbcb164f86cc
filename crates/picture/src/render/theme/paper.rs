//! The theme for bright rooms and for print.

use egui::Color32;

use super::colors::{Theme, ThemeName, WorldColors};
use crate::render::canvas::Color;

/// Dark on a light background.
pub static PAPER: Theme = Theme {
    name: ThemeName::Paper,
    world: WorldColors {
        ground: [Color::rgb(252, 251, 248), Color::rgb(244, 242, 236)],
        grid: [Color::rgba(60, 72, 96, 16), Color::rgba(60, 72, 96, 34)],
        water: [Color::rgb(232, 243, 245), Color::rgb(183, 208, 220)],
        sunlight: Color::rgb(255, 255, 255),
        sphere: Color::rgb(42, 96, 116),
        shadow: Color::rgb(46, 74, 96),
        shade: [Color::rgb(30, 42, 62), Color::WHITE],
        rock: Color::rgb(138, 148, 156),
        obstacle: [Color::rgb(217, 215, 208), Color::rgb(148, 147, 142)],
        moved: Color::rgb(196, 112, 0),
        zone: [Color::rgba(0, 130, 96, 26), Color::rgba(0, 112, 84, 150)],
        grids: [
            Color::rgb(168, 112, 0),
            Color::rgb(0, 106, 158),
            Color::rgb(166, 44, 122),
            Color::rgb(44, 120, 36),
        ],
        border: Color::rgba(110, 112, 118, 178),
        path: [Color::rgb(231, 229, 222), Color::rgb(203, 201, 193), Color::rgba(84, 92, 108, 110)],
        outline: Color::rgba(52, 56, 66, 130),
        eye: [Color::rgb(248, 250, 250), Color::rgb(16, 20, 28)],
        thrust: Color::rgba(30, 34, 44, 120),
        target: Color::rgb(190, 92, 0),
        selection: Color::rgb(0, 104, 184),
        resultant: Color::rgb(18, 22, 30),
        rim: Color::rgb(252, 251, 248),
        pinned: Color::rgb(184, 36, 106),
        note: Color::rgb(66, 74, 92),
        scale: [
            Color::rgb(186, 206, 94),
            Color::rgb(98, 182, 122),
            Color::rgb(44, 150, 150),
            Color::rgb(42, 114, 170),
            Color::rgb(64, 76, 160),
            Color::rgb(64, 36, 116),
        ],
    },
    accent: Color32::from_rgb(18, 96, 178),
    good: Color32::from_rgb(16, 108, 58),
    warning: Color32::from_rgb(148, 84, 0),
    bad: Color32::from_rgb(184, 32, 40),
    weak: Color32::from_rgb(92, 100, 114),
    text: Color32::from_rgb(44, 50, 62),
    bright: Color32::from_rgb(12, 16, 24),
    panel: Color32::from_rgb(244, 243, 239),
    faint: Color32::from_rgb(238, 236, 231),
    card: Color32::from_rgb(251, 250, 247),
    widget: [
        Color32::from_rgb(226, 225, 219),
        Color32::from_rgb(214, 214, 209),
        Color32::from_rgb(199, 201, 202),
    ],
    sunk: Color32::from_rgb(233, 231, 225),
    line: Color32::from_rgb(214, 212, 205),
    selected: Color32::from_rgb(178, 210, 242),
    alarm: Color32::from_rgb(255, 238, 234),
    shadow: Color32::from_black_alpha(38),
};
