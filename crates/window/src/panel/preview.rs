//! Predicted trajectories of selected units, by the current rules and by those before the last
//! save: two lines for each unit, and a legend.

use egui::{Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, Ui, pos2, vec2};
use glam::Vec3;
use steerbox_core::sim::rounded;
use steerbox_core::world::minimum_image;
use steerbox_picture::render::camera::{Lens as _, Sight};
use steerbox_picture::render::theme::{self, color32};
use steerbox_project::session::Preview;

use super::parts::chip;
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

/// Widths of the lines, and of their outlines, points.
const NOW: f32 = 2.4;
const BEFORE: f32 = 1.8;
const GROUND: f32 = 2.2;
/// Lengths of a dash and of the gap after it, points.
const DASH: [f32; 2] = [7.0, 5.0];
/// Radius of the dot at each second and at the end, points.
const DOTS: [f32; 2] = [2.6, 4.2];
/// Length of the sample of a line in the legend, and gap between entries, points.
const SAMPLE: f32 = 26.0;
const GAP: f32 = 12.0;

pub(super) fn show(ui: &Ui, free: Rect, session: &LiveSession, view: &ViewState) {
    let Some(preview) = session.run.preview() else {
        return;
    };
    let (world, painter) = (session.run.simulation.world(), ui.painter_at(free));
    let lines = Lines {
        painter: &painter,
        sight: view.camera.sight(),
        scale: ui.ctx().pixels_per_point(),
        wrap: world.arena.wrap(),
        second: (1.0 / world.step).round().max(1.0) as usize,
        ground: color32(theme::of(ui).world.rim),
    };
    let [before, now] = colors(ui);
    let selected =
        |key: &u64| view.selection.units().iter().rev().any(|unit| world.units.key.get(*unit) == Some(key));
    let units: Vec<_> = (0..preview.keys.len()).filter(|at| selected(&preview.keys[*at])).collect();
    for at in &units {
        lines.draw(&preview.before[*at], before, BEFORE, true);
        lines.draw(&preview.now[*at], now, NOW, false);
    }
    if !units.is_empty() {
        words(ui, free, session, preview, &units);
    }
}

/// Colors of the trajectories by the previous rules and by the current ones.
fn colors(ui: &Ui) -> [Color32; 2] {
    [theme::of(ui).accent, theme::of(ui).warning]
}

/// Draws trajectories through the world.
struct Lines<'a> {
    painter: &'a Painter,
    sight: Sight<'a>,
    scale: f32,
    wrap: Option<glam::Vec2>,
    /// Number of steps in a second.
    second: usize,
    ground: Color32,
}

impl Lines<'_> {
    fn draw(&self, trajectory: &[Vec3], color: Color32, width: f32, is_dashed: bool) {
        let at = |point: Vec3| {
            let pixel = self.sight.project(point)?.pixel / self.scale;
            Some(pos2(pixel.x, pixel.y))
        };
        for part in self.parts(trajectory) {
            // Points behind the eye are skipped.
            let points: Vec<Pos2> = part.iter().filter_map(|point| at(*point)).collect();
            let ground = Stroke::new(width + GROUND, self.ground.gamma_multiply(0.55));
            let stroke = Stroke::new(width, color);
            if is_dashed {
                self.painter.extend(Shape::dashed_line(&points, ground, DASH[0], DASH[1]));
                self.painter.extend(Shape::dashed_line(&points, stroke, DASH[0], DASH[1]));
            } else {
                self.painter.add(Shape::line(points.clone(), ground));
                self.painter.add(Shape::line(points, stroke));
            }
        }
        let seconds = trajectory.iter().skip(self.second).step_by(self.second);
        let ends = trajectory.last().into_iter().map(|end| (end, DOTS[1]));
        for (point, radius) in seconds.map(|point| (point, DOTS[0])).chain(ends) {
            if let Some(place) = at(*point) {
                self.painter.circle(place, radius, color, Stroke::new(1.0, self.ground));
            }
        }
    }

    /// Splits a trajectory at the edges of the world where it wraps around.
    fn parts<'a>(&self, trajectory: &'a [Vec3]) -> impl Iterator<Item = &'a [Vec3]> {
        let wrap = self.wrap;
        trajectory.chunk_by(move |a, b| {
            let way = *b - *a;
            wrap.is_none() || minimum_image(way, wrap).distance_squared(way) < 1.0
        })
    }
}

/// The legend of the lines, and the distance of their ends.
fn words(ui: &Ui, free: Rect, session: &LiveSession, preview: &Preview, units: &[usize]) {
    let (theme, world) = (theme::of(ui), session.run.simulation.world());
    let font = FontId::proportional(12.5);
    let lay = |text: String, color: Color32| ui.painter().layout_no_wrap(text, font.clone(), color);
    let seconds = |at: usize| (preview.now[at].len().saturating_sub(1)) as f32 * world.step;
    let ahead = units.first().map_or(0.0, |at| seconds(*at));
    let apart = units.iter().filter_map(|at| preview.difference(*at, world.arena.wrap()));
    let most = apart.fold(None, |most: Option<f32>, apart| Some(most.map_or(apart, |most| most.max(apart))));
    let about = match most {
        None => "added units".to_owned(),
        Some(0.0) => format!("the same over {ahead:.1} s"),
        Some(most) if units.len() == 1 => format!("{} apart after {ahead:.1} s", rounded(most)),
        Some(most) => format!("up to {} apart after {ahead:.1} s", rounded(most)),
    };
    let [before, now] = colors(ui);
    let entries = [
        (Some((now, false)), lay("with this change".to_owned(), theme.text)),
        (Some((before, true)), lay("without it".to_owned(), theme.text)),
        (None, lay(about, theme.bright)),
    ];
    let widths = entries.iter().map(|(sample, words)| words.size().x + sample.map_or(0.0, |_| SAMPLE + 6.0));
    let height = entries[0].1.size().y;
    let size = vec2(widths.sum::<f32>() + 4.0 * GAP, height + 10.0);
    let place = free.center_bottom() + vec2(-size.x * 0.5, -size.y - 46.0);
    chip(ui, free, Rect::from_min_size(place, size));
    let (painter, mut at) = (ui.painter_at(free), place + vec2(GAP, 5.0));
    for (sample, words) in entries {
        if let Some((color, is_dashed)) = sample {
            let ends = [pos2(at.x, at.y + height * 0.5), pos2(at.x + SAMPLE, at.y + height * 0.5)];
            if is_dashed {
                painter.extend(Shape::dashed_line(&ends, Stroke::new(BEFORE, color), DASH[0], DASH[1]));
            } else {
                painter.line_segment(ends, Stroke::new(NOW, color));
            }
            at.x += SAMPLE + 6.0;
        }
        let width = words.size().x;
        painter.galley(at, words, theme.text);
        at.x += width + GAP;
    }
}
