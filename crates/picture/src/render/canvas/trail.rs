//! Trails: paths whose opacity changes along the way, without visible joints between their segments.

use std::array;
use std::ops::RangeInclusive;

use glam::Vec2;

use super::blend::{larger, over_four, smaller};
use super::{Canvas, Color, Mark};

/// Points nearer than this to the previous one, in pixels, are skipped.
const NEAREST: f32 = 0.05;
/// Tolerance of the simplification: relative to the width, and in pixels.
const TOLERANCE: f32 = 0.13;
const MISSED: RangeInclusive<f32> = 0.1..=0.5;
/// Maximum change of opacity along a segment.
const FADING: f32 = 0.25;
/// Bends whose directions have a smaller cosine have a perpendicular cut: their miter would be a spike.
const SHARPEST: f32 = 0.2;
/// Rows whose spans are computed at once.
const ROWS: usize = 4;
/// Minimum component of a border's normal along the rows.
const LEVEL: f32 = 1.0e-6;

impl Canvas {
    /// Draws a path `width` pixels wide through `points`, each with its share of the opacity of
    /// `color` (0 to 1), interpolated linearly between them. The width decreases by the share `taper` (0 to 1)
    /// as the opacity decreases to 0.
    ///
    /// Every pixel belongs to one segment only, so that a translucent trail stays even at its bends.
    /// Points that lie on the path within a fraction of the width are skipped.
    /// An invalid point ends the trail there; a new trail begins after it.
    pub fn trail(&mut self, points: &[(Vec2, f32)], (width, taper): (f32, f32), color: Color) {
        if !(width > 0.0 && width <= 1.0e4) || color.a == 0 {
            return;
        }
        let pen = Pen {
            packed: color.packed(),
            alpha: color.a as f32 * (256.0 / 255.0),
            width,
            taper: taper.clamp(0.0, 1.0),
        };
        let tolerance = (width * TOLERANCE).clamp(*MISSED.start(), *MISSED.end());
        let mut path = std::mem::take(&mut self.path);
        for run in points.split(|(point, share)| !(point.is_finite() && share.is_finite())) {
            simplify(run, tolerance, &mut path);
            if !self.mark(|| Mark::Trail { points: path.clone(), width, taper, color }) {
                self.trail_run(&path, pen);
            }
        }
        self.path = path;
    }

    fn trail_run(&mut self, path: &[(Vec2, f32)], pen: Pen) {
        let direction = |at: usize| -> Option<Vec2> {
            let (from, to) = (path.get(at)?.0, path.get(at + 1)?.0);
            Some((to - from).normalize_or_zero())
        };
        let mut before = None;
        let mut here = direction(0);
        for at in 0..path.len().saturating_sub(1) {
            let Some(along) = here else {
                return;
            };
            let after = direction(at + 1);
            let bend = |other: Option<Vec2>| match other {
                Some(other) if other.dot(along) > SHARPEST => other + along,
                _ => along,
            };
            let (from, to) = (path[at], path[at + 1]);
            self.trail_piece(&Piece { from, to, along, starts: bend(before), ends: bend(after), pen });
            (before, here) = (here, after);
        }
    }

    fn trail_piece(&mut self, piece: &Piece) {
        let Piece { from, to, along, pen, .. } = *piece;
        let (strength, reach) = (pen.strength(from.1), pen.reach(from.1));
        let (to_strength, to_reach) = (pen.strength(to.1), pen.reach(to.1));
        let (from, to, across, widest) = (from.0, to.0, along.perp(), reach.max(to_reach));
        // Offset from the middle of a cut to its ends.
        let half = |cut: Vec2| (cut.perp() * (widest / cut.dot(along))).abs();
        let (starts, ends) = (half(piece.starts), half(piece.ends));
        let (min, max) = ((from - starts).min(to - ends), (from + starts).max(to + ends));
        let Some(rect) = self.touched(min, max) else {
            return;
        };
        let borders = [
            Border::new(piece.starts, from),
            Border::new(-piece.ends, to),
            Border::new(across, from - across * widest),
            Border::new(-across, from + across * widest),
        ];
        let per_pixel = 1.0 / from.distance(to);
        let by_way = [(to_strength - strength) * per_pixel, (to_reach - reach) * per_pixel];
        // Change per pixel along a row.
        let [strength_by, reach_by, aside_by] = [by_way[0] * along.x, by_way[1] * along.x, across.x];
        let columns = [rect.x0 as f32, rect.x1 as f32];
        for above in (rect.y0..rect.y1).step_by(ROWS) {
            let spans = spans(&borders, above, columns);
            for (y, [first, end]) in (above..rect.y1).zip(spans) {
                if first >= end {
                    continue;
                }
                let offset = Vec2::new(first as f32, y as f32) + 0.5 - from;
                let way = along.dot(offset);
                let line = Line {
                    packed: pen.packed,
                    most: pen.alpha,
                    strength: (strength + way * by_way[0], strength_by),
                    reach: (reach + way * by_way[1], reach_by),
                    aside: (across.dot(offset), aside_by),
                };
                line.draw(&mut self.pixels[y * self.width..][first..end]);
            }
        }
    }
}

/// A row of a segment: values at its first pixel, and their change per pixel.
struct Line {
    packed: u32,
    /// Maximum opacity, 0 to 256.
    most: f32,
    strength: (f32, f32),
    reach: (f32, f32),
    aside: (f32, f32),
}

impl Line {
    /// Draws four pixels at a time: spans are short, and four pixels cost little more than one.
    #[inline]
    fn draw(&self, pixels: &mut [u32]) {
        let mut steps = [0.0, 1.0, 2.0, 3.0];
        let mut blocks = pixels.chunks_exact_mut(4);
        for block in &mut blocks {
            if let Ok(block) = block.try_into() {
                self.four(block, steps);
            }
            steps = steps.map(|step| step + 4.0);
        }
        // Pixel by pixel: copying slices of unknown length is a function call.
        match blocks.into_remainder() {
            [a] => [*a, ..] = self.blended([*a, 0, 0, 0], steps),
            [a, b] => [*a, *b, ..] = self.blended([*a, *b, 0, 0], steps),
            [a, b, c] => [*a, *b, *c, _] = self.blended([*a, *b, *c, 0], steps),
            _ => {}
        }
    }

    #[inline]
    fn blended(&self, mut pixels: [u32; 4], steps: [f32; 4]) -> [u32; 4] {
        self.four(&mut pixels, steps);
        pixels
    }

    #[inline]
    fn four(&self, pixels: &mut [u32; 4], steps: [f32; 4]) {
        let alphas = steps.map(|step| {
            let covered = self.reach.0 + self.reach.1 * step - (self.aside.0 + self.aside.1 * step).abs();
            let alpha = (self.strength.0 + self.strength.1 * step) * smaller(larger(covered, 0.0), 1.0);
            smaller(larger(alpha, 0.0), self.most) * (1.0 / 256.0)
        });
        over_four(pixels, self.packed, alphas);
    }
}

/// The spans of the rows from `y` on that lie inside all borders and `columns`, start and end.
#[inline]
fn spans(borders: &[Border; 4], y: usize, columns: [f32; 2]) -> [[usize; 2]; ROWS] {
    let centers: [f32; ROWS] = array::from_fn(|row| (y + row) as f32 + 0.5);
    let [mut first, mut end] = columns.map(|column| [column; ROWS]);
    for border in borders {
        let at = centers.map(|center| border.column(center));
        if border.is_left {
            first = array::from_fn(|row| larger(at[row], first[row]));
        } else {
            end = array::from_fn(|row| smaller(at[row], end[row]));
        }
    }
    array::from_fn(|row| [ceil(first[row]), ceil(larger(end[row], columns[0]))])
}

/// The ceiling of a nonnegative number.
#[inline]
fn ceil(number: f32) -> usize {
    let whole = number as i32;
    (whole + i32::from((whole as f32) < number)) as usize
}

/// Simplifies the points of `run` into `path`: skipped points lie at most `tolerance` pixels from the
/// straight segment, and opacity along it changes little enough to be interpolated.
fn simplify(run: &[(Vec2, f32)], tolerance: f32, path: &mut Vec<(Vec2, f32)>) {
    path.clear();
    let mut points = run.iter().map(|(point, share)| (*point, share.clamp(0.0, 1.0)));
    let Some(first) = points.next() else {
        return;
    };
    path.push(first);
    let (mut from, mut last) = (first, first);
    // The cone of directions from `from` that pass all points since then within the tolerance.
    let mut cone: Option<(Vec2, Vec2)> = None;
    for point in points {
        if point.0.distance_squared(last.0) <= NEAREST * NEAREST {
            continue;
        }
        let way = point.0 - from.0;
        let is_farther = way.length_squared() > last.0.distance_squared(from.0);
        let passes = cone.is_none_or(|(left, right)| left.perp_dot(way) >= 0.0 && way.perp_dot(right) >= 0.0)
            && is_farther
            && (point.1 - from.1).abs() <= FADING;
        if !passes && last != from {
            path.push(last);
            (from, cone) = (last, None);
        }
        let way = point.0 - from.0;
        let aside = way.perp() * (tolerance / way.length());
        let (left, right) = (way - aside, way + aside);
        cone = Some(match cone {
            Some((least, most)) => (
                if least.perp_dot(left) > 0.0 { left } else { least },
                if right.perp_dot(most) > 0.0 { right } else { most },
            ),
            None => (left, right),
        });
        last = point;
    }
    if last != from {
        path.push(last);
    }
}

/// A border that limits a segment on its left or on its right in each row.
///
/// Two adjacent segments share the border between them, so that no pixel is skipped or drawn twice.
struct Border {
    /// The column at which the border crosses the row `y`, and its shift to the left per row.
    x: f32,
    slope: f32,
    y: f32,
    is_left: bool,
}

impl Border {
    /// Inside is `normal · (point − through) ≥ 0`, for the centers of pixels.
    fn new(normal: Vec2, through: Vec2) -> Self {
        // A border almost parallel to the rows is tilted slightly: its crossing would be infinite.
        let across = if normal.x.abs() < LEVEL { LEVEL.copysign(normal.x) } else { normal.x };
        Self { x: through.x - 0.5, slope: normal.y / across, y: through.y, is_left: across > 0.0 }
    }

    /// The column at which it crosses the row whose centers are at `y`.
    #[inline]
    fn column(&self, y: f32) -> f32 {
        self.x - (y - self.y) * self.slope
    }
}

/// The brush of a trail.
#[derive(Clone, Copy)]
struct Pen {
    packed: u32,
    /// Opacity of the color, 0 to 256.
    alpha: f32,
    width: f32,
    taper: f32,
}

impl Pen {
    fn width_at(self, opacity: f32) -> f32 {
        self.width * (1.0 - self.taper * (1.0 - opacity))
    }

    /// Half the width at an opacity, and half a pixel.
    fn reach(self, opacity: f32) -> f32 {
        self.width_at(opacity).max(1.0) * 0.5 + 0.5
    }

    /// The opacity in the middle, 0 to 256: below a pixel, a trail is fainter instead of narrower.
    fn strength(self, opacity: f32) -> f32 {
        self.alpha * opacity * self.width_at(opacity).min(1.0)
    }
}

/// One straight segment of a trail.
struct Piece {
    from: (Vec2, f32),
    to: (Vec2, f32),
    /// Unit vector from start to end.
    along: Vec2,
    /// Normal of the cut towards the previous segment.
    starts: Vec2,
    /// Normal of the cut towards the next segment.
    ends: Vec2,
    pen: Pen,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_a_straight_path_are_skipped_and_bends_are_not() {
        let straight: Vec<_> = (0..40).map(|at| (Vec2::new(at as f32, at as f32 * 0.5 + 3.0), 1.0)).collect();
        let mut path = Vec::new();
        simplify(&straight, 0.2, &mut path);
        assert_eq!(path, [straight[0], straight[39]]);
        let mut bent = straight.clone();
        bent.extend((1..20).map(|at| (Vec2::new(39.0 - at as f32, 22.5), 1.0)));
        simplify(&bent, 0.2, &mut path);
        assert_eq!(path, [bent[0], bent[39], bent[58]]);
        let faded: Vec<_> =
            straight.iter().enumerate().map(|(at, (point, _))| (*point, 1.0 - at as f32 / 39.0)).collect();
        simplify(&faded, 0.2, &mut path);
        assert!((4..=6).contains(&path.len()), "{path:?}");
        let still = [(Vec2::ONE, 1.0), (Vec2::ONE, 0.5)];
        simplify(&still, 0.2, &mut path);
        assert_eq!(path, [still[0]]);
    }

    #[test]
    fn skipped_points_are_within_the_tolerance() {
        let round: Vec<_> =
            (0..200).map(|at| (Vec2::from_angle(at as f32 * 0.05) * (20.0 + at as f32 * 0.3), 1.0)).collect();
        let mut path = Vec::new();
        simplify(&round, 0.2, &mut path);
        assert!(path.len() < 70, "{}", path.len());
        for (point, _) in &round {
            let distance = path.windows(2).map(|pair| {
                let (from, way) = (pair[0].0, pair[1].0 - pair[0].0);
                let share = ((*point - from).dot(way) / way.length_squared()).clamp(0.0, 1.0);
                point.distance(from + way * share)
            });
            assert!(distance.fold(f32::INFINITY, f32::min) < 0.4, "{point}");
        }
    }
}
