//! Colors of plots.

use super::colors::{Theme, ThemeName, readable};
use crate::render::canvas::Color;

/// Minimum contrast of a curve to its background.
const CONTRAST: f32 = 2.4;

/// Colors that remain distinct under common color blindness: M. Okabe, K. Ito, "Color Universal Design", 2008.
const DISTINCT: [Color; 7] = [
    Color::rgb(0, 114, 178),
    Color::rgb(230, 159, 0),
    Color::rgb(0, 158, 115),
    Color::rgb(204, 121, 167),
    Color::rgb(213, 94, 0),
    Color::rgb(86, 180, 233),
    Color::rgb(240, 228, 66),
];
/// The last color, in place of black.
const GRAY: Color = Color::rgb(128, 128, 128);

/// The colors of curves on the background of a theme.
pub(crate) fn palette(theme: &Theme) -> [Color; 8] {
    let [r, g, b, _] = theme.card.to_array();
    let mut colors: [Color; 8] = std::array::from_fn(|at| DISTINCT.get(at).copied().unwrap_or(GRAY));
    if theme.name == ThemeName::Dark {
        // The lighter blue is more legible there.
        colors.swap(0, 5);
    }
    colors.map(|color| readable(color, Color::rgb(r, g, b), CONTRAST))
}
