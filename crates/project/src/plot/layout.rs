//! The arrangement of panels and legend.

use glam::Vec2;

use super::chart::{Chart, Content, Panel};

/// Sizes of texts.
pub(super) const TICK: f32 = 11.0;
pub(super) const TITLE: f32 = 12.5;
/// Heights of a line of text.
pub(super) const LINE: f32 = 16.0;
/// Distance of things from the border and from each other.
pub(super) const GAP: f32 = 8.0;
/// Width of the bar of colors, and of an entry's sample.
pub(super) const BAR: f32 = 12.0;
/// Distance of ticks.
pub(super) const APART: [f32; 2] = [64.0, 32.0];
/// The preferred proportion of a panel.
const PROPORTION: f32 = 1.5;

/// The width of a plot in a file, and the greatest height and number of columns of its panels.
const WIDTH: f32 = 960.0;
const MAX_HEIGHT: f32 = 600.0;
const MAX_COLUMNS: f32 = 3.0;

/// The measured width of a text of a size.
pub(super) type Measure<'a> = &'a dyn Fn(&str, f32) -> f32;

/// The place of a panel.
pub(super) struct Placed {
    /// The top left corner of its title.
    pub(super) title: Vec2,
    /// The corners of the area of its values.
    pub(super) area: [Vec2; 2],
    /// True if the label of the x-axis is below it.
    pub(super) has_label: bool,
}

/// Returns a size in points that suits a plot.
pub fn size_of(chart: &Chart) -> Vec2 {
    let columns = (chart.panels.len().max(1) as f32).sqrt().ceil().min(MAX_COLUMNS);
    let rows = (chart.panels.len().max(1) as f32 / columns).ceil();
    Vec2::new(WIDTH, (rows * WIDTH / columns / PROPORTION + 2.0 * LINE).min(rows * MAX_HEIGHT).round())
}

/// Returns the number of columns and of rows for some panels.
pub(super) fn grid(count: usize, size: Vec2) -> [usize; 2] {
    let count = count.max(1);
    let fit = |columns: usize| {
        let rows = count.div_ceil(columns);
        let proportion = (size.x / columns as f32) / (size.y / rows as f32);
        let off = (proportion / PROPORTION).max(PROPORTION / proportion.max(1e-3));
        // Empty places cost space.
        off * (columns * rows) as f32 / count as f32
    };
    let columns = (1..=count).min_by(|a, b| fit(*a).total_cmp(&fit(*b))).unwrap_or(1);
    [columns, count.div_ceil(columns)]
}

/// Returns the places of the panels within two corners.
pub(super) fn places(chart: &Chart, [from, to]: [Vec2; 2], measure: Measure<'_>) -> Vec<Placed> {
    let [columns, rows] = grid(chart.panels.len(), to - from);
    let size = (to - from) / Vec2::new(columns as f32, rows as f32);
    let mut left = vec![0.0_f32; columns];
    for (at, panel) in chart.panels.iter().enumerate() {
        let most = ((size.y / APART[1]) as usize).max(2);
        let widths = panel.y.ticks(most).into_iter().map(|(_, text)| measure(&text, TICK));
        left[at % columns] = widths.fold(left[at % columns], f32::max);
    }
    let place = |(at, panel): (usize, &Panel)| {
        let (column, row) = (at % columns, at / columns);
        let corner = from + size * Vec2::new(column as f32, row as f32);
        let has_own_x = matches!(panel.content, Content::Bars(_));
        // Panels above each other share a label if it is the same.
        let below = chart.panels.get(at + columns);
        let has_label = has_own_x || below.is_none_or(|below| below.x.label != panel.x.label);
        let heading = if panel.y.label.is_empty() { LINE } else { 2.0 * LINE };
        let below = if has_label { 2.0 * LINE } else { LINE };
        let right = if let Content::Cells(_, scale) = &panel.content {
            let widths = scale.ticks(5).into_iter().map(|(_, text)| measure(&text, TICK));
            BAR + 2.0 * GAP + widths.fold(0.0, f32::max)
        } else {
            GAP
        };
        let min = corner + Vec2::new(left[column] + GAP, heading);
        let max = corner + size - Vec2::new(right + GAP, below + GAP);
        Placed { title: corner, area: [min, max.max(min + 1.0)], has_label }
    };
    chart.panels.iter().enumerate().map(place).collect()
}
