//! Trails: paths whose opacity changes along the way, without beads where their pieces meet.

use glam::Vec2;

use super::blend::over;
use super::row::whole;
use super::{Canvas, Color};

/// Points nearer than this to the one before, in pixels, add nothing to a trail.
const NEAREST: f32 = 0.05;
/// Bends whose directions have a smaller cosine are cut square: their miter would be a spike.
const SHARPEST: f32 = 0.2;

impl Canvas {
    /// Draws a path `width` pixels wide through `points`, each with its share of the opacity of
    /// `color` (0 to 1), which runs evenly between them. Of its width, it loses the share `taper` (0 to 1)
    /// as it loses all of its opacity.
    ///
    /// Every pixel belongs to one piece only, so that a translucent trail stays even at its bends.
    /// A point that may not be drawn ends the trail there; the rest goes on behind it.
    pub fn trail(&mut self, points: &[(Vec2, f32)], (width, taper): (f32, f32), color: Color) {
        if !(width > 0.0 && width <= 1.0e4) || color.a == 0 {
            return;
        }
        let mut path = std::mem::take(&mut self.path);
        for run in points.split(|(point, share)| !(point.is_finite() && share.is_finite())) {
            path.clear();
            for &(point, share) in run {
                let new = path
                    .last()
                    .is_none_or(|(last, _): &(Vec2, f32)| last.distance_squared(point) > NEAREST * NEAREST);
                if new {
                    path.push((point, share.clamp(0.0, 1.0)));
                }
            }
            self.trail_run(&path, (width, taper), color);
        }
        self.path = path;
    }

    fn trail_run(&mut self, path: &[(Vec2, f32)], (width, taper): (f32, f32), color: Color) {
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
                width,
                taper: taper.clamp(0.0, 1.0),
                alpha: color.a as f32 * (256.0 / 255.0),
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
        let limits = [
            Limit::new(piece.starts, from, 0.0),
            Limit::new(-piece.ends, to, 0.0),
            Limit::new(across, from, piece.reach),
            Limit::new(-across, from, piece.reach),
        ];
        for y in rect.y0..rect.y1 {
            let center = y as f32 + 0.5;
            let columns =
                limits.iter().fold((rect.x0, rect.x1), |columns, limit| limit.narrow(columns, center));
            let row = &mut self.pixels[y * self.width..][..self.width];
            for (x, pixel) in row.iter_mut().enumerate().take(columns.1).skip(columns.0) {
                let center = Vec2::new(x as f32 + 0.5, center);
                let offset = center - from;
                // The same sum as in the piece before and behind: no pixel is lost or drawn twice.
                if piece.starts.dot(offset) >= 0.0 && piece.ends.dot(center - to) < 0.0 {
                    let share = (piece.along.dot(offset) * per_pixel).clamp(0.0, 1.0);
                    let opacity = piece.from.1 + (piece.to.1 - piece.from.1) * share;
                    // Below a pixel, it is fainter instead of narrower.
                    let width = piece.width * (1.0 - piece.taper * (1.0 - opacity));
                    let reach = width.max(1.0) * 0.5 + 0.5;
                    let covered = (reach - across.dot(offset).abs()).clamp(0.0, 1.0);
                    let alpha = piece.alpha * opacity * covered * width.min(1.0);
                    *pixel = over(*pixel, piece.packed, whole(alpha + 0.5) as u32);
                }
            }
        }
    }
}

/// A border that a piece does not pass, to leave out most pixels unasked.
struct Limit {
    /// Where the border crosses the row of `origin`, and how much farther left in each next row.
    x: f32,
    slope: f32,
    origin: f32,
    /// +1 if inside is to the right, −1 if to the left, 0 if the border is nearly level.
    side: f32,
}

impl Limit {
    /// Inside is where `normal · (point − through) + slack ≥ 0`.
    fn new(normal: Vec2, through: Vec2, slack: f32) -> Self {
        let level = normal.x.abs() < 1.0e-3;
        Self {
            x: through.x - slack / normal.x,
            slope: normal.y / normal.x,
            origin: through.y,
            side: if level { 0.0 } else { normal.x.signum() },
        }
    }

    /// The columns that may be inside, a pixel more rather than less.
    #[inline]
    fn narrow(&self, (first, end): (usize, usize), y: f32) -> (usize, usize) {
        let x = self.x - (y - self.origin) * self.slope;
        if self.side > 0.0 {
            (first.max(whole((x - 1.0).max(0.0))), end)
        } else if self.side < 0.0 {
            (first, end.min(whole((x + 1.0).max(0.0))))
        } else {
            (first, end)
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
    /// Half the greatest width and half a pixel.
    reach: f32,
    width: f32,
    taper: f32,
    packed: u32,
    /// Opacity of the color, 0 to 256.
    alpha: f32,
}
