//! Trails: paths whose opacity changes along the way, without beads where their pieces meet.

use glam::Vec2;

use super::blend::over;
use super::{Canvas, Color};

/// Points nearer than this to the one before, in pixels, add nothing to a trail.
const NEAREST: f32 = 0.05;
/// Bends whose directions have a smaller cosine are cut square: their miter would be a spike.
const SHARPEST: f32 = 0.2;

impl Canvas {
    /// Draws a path `width` pixels wide through `points`, each with its share of the opacity of
    /// `color` (0 to 1), which runs evenly between them.
    ///
    /// Every pixel belongs to one piece only, so that a translucent trail stays even at its bends.
    /// A point that may not be drawn ends the trail there; the rest goes on behind it.
    pub fn trail(&mut self, points: &[(Vec2, f32)], width: f32, color: Color) {
        if !(width > 0.0 && width <= 1.0e4) || color.a == 0 {
            return;
        }
        let mut path = std::mem::take(&mut self.path);
        for run in points.split(|(point, share)| !(point.is_finite() && share.is_finite())) {
            path.clear();
            for &(point, share) in run {
                let new = path.last().is_none_or(|(last, _): &(Vec2, f32)| {
                    last.distance_squared(point) > NEAREST * NEAREST
                });
                if new {
                    path.push((point, share.clamp(0.0, 1.0)));
                }
            }
            self.trail_run(&path, width, color);
        }
        self.path = path;
    }

    fn trail_run(&mut self, path: &[(Vec2, f32)], width: f32, color: Color) {
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
            self.trail_piece(&Piece {
                from: path[at],
                to: path[at + 1],
                along,
                starts: bend(before),
                ends: bend(after),
                reach: width.max(1.0) / 2.0 + 0.5,
                packed: color.packed(),
                alpha: color.a as f32 * (256.0 / 255.0) * width.min(1.0),
            });
            (before, here) = (here, after);
        }
    }

    fn trail_piece(&mut self, piece: &Piece) {
        let (from, to) = (piece.from.0, piece.to.0);
        // A miter reaches at most 1.3 times as far as the path is wide.
        let reach = Vec2::splat(piece.reach * 1.3);
        let Some(rect) = self.touched(from.min(to) - reach, from.max(to) + reach) else {
            return;
        };
        let across = piece.along.perp();
        let per_pixel = 1.0 / from.distance(to);
        for y in rect.y0..rect.y1 {
            let dy = y as f32 + 0.5 - from.y;
            let (mut first, mut end) = (rect.x0, rect.x1);
            if across.x.abs() > 1.0e-3 {
                let middle = from.x - across.y * dy / across.x;
                let half = piece.reach / across.x.abs();
                first = first.max((middle - half - 0.5).ceil() as usize);
                end = end.min((middle + half + 0.5).floor().max(0.0) as usize);
            }
            let row = &mut self.pixels[y * self.width..][..self.width];
            for (x, pixel) in row.iter_mut().enumerate().take(end).skip(first) {
                let offset = Vec2::new(x as f32 + 0.5 - from.x, dy);
                let behind = offset - (to - from);
                if piece.starts.dot(offset) >= 0.0 && piece.ends.dot(behind) < 0.0 {
                    let share = (piece.along.dot(offset) * per_pixel).clamp(0.0, 1.0);
                    let opacity = piece.from.1 + (piece.to.1 - piece.from.1) * share;
                    let covered = (piece.reach - across.dot(offset).abs()).clamp(0.0, 1.0);
                    let alpha = piece.alpha * opacity * covered;
                    *pixel = over(*pixel, piece.packed, (alpha + 0.5) as u32);
                }
            }
        }
    }
}

/// One straight piece of a trail.
struct Piece {
    from: (Vec2, f32),
    to: (Vec2, f32),
    /// Unit vector from start to end.
    along: Vec2,
    /// Normal of the cut towards the piece before.
    starts: Vec2,
    /// Normal of the cut towards the piece behind.
    ends: Vec2,
    /// Half the width and half a pixel.
    reach: f32,
    packed: u32,
    /// Opacity of the color, 0 to 256.
    alpha: f32,
}
