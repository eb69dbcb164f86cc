//! Differences between two frames.

/// A rectangle of pixels with at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

impl Area {
    /// The indices of its pixels in a frame of a width, row after row.
    pub(super) fn pixels(self, width: usize) -> impl Iterator<Item = usize> {
        (self.y..self.y + self.height).flat_map(move |y| y * width + self.x..y * width + self.x + self.width)
    }
}

/// Returns the smallest area with all pixels that differ; a single pixel if none does.
pub(super) fn area<P: PartialEq>(before: &[P], now: &[P], width: usize) -> Area {
    let rows = || before.chunks(width).zip(now.chunks(width));
    let changed = || rows().enumerate().filter(|(_, (before, now))| before != now).map(|(row, _)| row);
    let Some(top) = changed().next() else {
        return Area { x: 0, y: 0, width: 1, height: 1 };
    };
    let bottom = changed().last().unwrap_or(top) + 1;
    let (mut left, mut right) = (width, 0);
    for (before, now) in rows().skip(top).take(bottom - top) {
        let differs = |(a, b): (&P, &P)| a != b;
        if let Some(first) = before.iter().zip(now).position(differs) {
            let last = before.iter().zip(now).rposition(differs).unwrap_or(first);
            (left, right) = (left.min(first), right.max(last + 1));
        }
    }
    Area { x: left, y: top, width: right - left, height: bottom - top }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_contains_every_change() {
        let before = [0; 5 * 4];
        let of = |changed: &[usize]| {
            let mut now = before;
            for at in changed {
                now[*at] = 1;
            }
            let Area { x, y, width, height } = area(&before, &now, 5);
            [x, y, width, height]
        };
        assert_eq!(of(&[]), [0, 0, 1, 1]);
        assert_eq!(of(&[7]), [2, 1, 1, 1]);
        assert_eq!(of(&[1, 13]), [1, 0, 3, 3]);
        assert_eq!(of(&[0, 19]), [0, 0, 5, 4]);
        let pixels: Vec<_> = Area { x: 1, y: 2, width: 2, height: 2 }.pixels(5).collect();
        assert_eq!(pixels, [11, 12, 16, 17]);
    }
}
