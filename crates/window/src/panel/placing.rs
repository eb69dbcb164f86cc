//! The position of the inspector: a corner of the world away from the inspected unit, or the position that the user
//! dragged it to.

use egui::{Align2, Pos2, Rect, Vec2, vec2};

/// Margin between the inspector and the border of the world, points.
const GAP: f32 = 10.0;
/// Height below the top right corner reserved for the texts there, points.
const NOTES: f32 = 24.0;
/// Distances from the unit, points: the inspector leaves a corner below the first, and only moves to one beyond the
/// second. The hysteresis prevents a unit near the limit from moving it back and forth.
const NEAR: f32 = 18.0;
const FAR: f32 = 36.0;
/// Width in a wide and in a narrow world, and the width of the world that separates them, points.
const WIDTHS: [f32; 2] = [330.0, 290.0];
const NARROW: f32 = 560.0;
/// Minimum height, points: in a lower world, the inspector moves into the panel.
const MIN_SIDE: f32 = 140.0;
/// The corners in order of preference.
const CORNERS: [Align2; 4] = [Align2::LEFT_TOP, Align2::RIGHT_TOP, Align2::LEFT_BOTTOM, Align2::RIGHT_BOTTOM];

/// The position of the inspector while it is open.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Placing {
    /// The position that it was dragged to, from the top left of the world.
    home: Option<Vec2>,
    /// The current corner unless it is the preferred one.
    corner: Option<Align2>,
    is_away: bool,
}

/// The largest inspector that fits into `world` away from any unit; `None` if the world is too small
/// for any.
pub(super) fn largest(world: Rect) -> Option<Vec2> {
    let width = WIDTHS[usize::from(world.width() < NARROW)];
    // Beside a unit in the middle, or else above or below it.
    let height = if width + GAP + FAR <= world.width() * 0.5 {
        world.height() - 2.0 * GAP - NOTES
    } else {
        world.height() * 0.5 - GAP - FAR
    };
    (width + 2.0 * GAP <= world.width() && height >= MIN_SIDE).then_some(vec2(width, height))
}

impl Placing {
    /// The position of an inspector of `size`, away from `units` and, if possible, from `others`.
    pub(super) fn settle(&mut self, size: Vec2, world: Rect, units: &[Pos2], others: &[Rect]) -> Rect {
        let is_clear = |rect: Rect, distance: f32| {
            let near = rect.expand(distance);
            !units.iter().any(|unit| near.contains(*unit))
        };
        if let Some(home) = self.home(size, world)
            && is_clear(home, if self.is_away { FAR } else { NEAR })
        {
            self.is_away = false;
            return home;
        }
        self.is_away = true;
        let at = |corner: Align2| in_corner(corner, size, world);
        if let Some(corner) = self.corner.filter(|corner| is_clear(at(*corner), NEAR)) {
            return at(corner);
        }
        let clear = CORNERS.into_iter().filter(|corner| is_clear(at(*corner), FAR));
        let is_free = |corner: &Align2| !others.iter().any(|other| other.intersects(at(*corner)));
        let first = clear.clone().find(is_free).or_else(|| clear.clone().next());
        let distance = |corner: &Align2| units.first().map_or(0.0, |unit| at(*corner).distance_to_pos(*unit));
        let farthest = CORNERS.into_iter().max_by(|a, b| distance(a).total_cmp(&distance(b)));
        self.corner = first.or(farthest);
        at(self.corner.unwrap_or(Align2::LEFT_TOP))
    }

    /// Moves the inspector to where the user dragged it.
    pub(super) fn drag(&mut self, from: Rect, way: Vec2, world: Rect) {
        (self.home, self.is_away) = (Some(from.min + way - world.min), false);
    }

    fn home(&self, size: Vec2, world: Rect) -> Option<Rect> {
        let place = world.min + self.home?;
        let most = (world.max - size).max(world.min);
        Some(Rect::from_min_size(place.clamp(world.min, most), size))
    }
}

fn in_corner(corner: Align2, size: Vec2, world: Rect) -> Rect {
    let mut room = world.shrink(GAP);
    if corner == Align2::RIGHT_TOP {
        room.min.y += NOTES;
    }
    corner.align_size_within_rect(size, room)
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    fn world(width: f32, height: f32) -> Rect {
        Rect::from_min_size(pos2(3.0, 5.0), vec2(width, height))
    }

    #[test]
    fn the_inspector_covers_no_unit_in_a_large_enough_world() {
        for (width, height) in
            [(958.0, 684.0), (958.0, 300.0), (478.0, 484.0), (600.0, 400.0), (1600.0, 950.0)]
        {
            let world = world(width, height);
            let size = largest(world).unwrap();
            let mut placing = Placing::default();
            for step in 0..4000 {
                let along = step as f32 / 4000.0;
                let turn = |rounds: f32| libm::sinf(along * rounds * std::f32::consts::TAU) * 0.5 + 0.5;
                let unit = world.lerp_inside(vec2(turn(7.0), turn(11.3)));
                let placed = placing.settle(size, world, &[unit], &[]);
                assert!(!placed.contains(unit), "{width} × {height}: {unit} in {placed}");
                assert!(world.contains_rect(placed), "{width} × {height}: {placed}");
            }
        }
    }

    #[test]
    fn a_small_world_has_no_position_for_the_inspector() {
        for (width, height) in [(384.0, 284.0), (478.0, 242.0), (250.0, 700.0), (958.0, 120.0)] {
            assert_eq!(largest(world(width, height)), None, "{width} × {height}");
        }
    }

    #[test]
    fn the_inspector_moves_only_when_a_unit_is_near_and_not_back_and_forth() {
        let world = world(958.0, 684.0);
        let (size, mut placing) = (vec2(330.0, 300.0), Placing::default());
        let mut at = |x: f32, y: f32| placing.settle(size, world, &[world.min + vec2(x, y)], &[]).min;
        let first = at(700.0, 600.0);
        assert_eq!(at(400.0, 100.0), first);
        assert_eq!(at(362.0, 100.0), first, "near, but not under it");
        let second = at(356.0, 100.0);
        assert_ne!(second, first);
        for x in [362.0, 356.0, 370.0, 300.0] {
            assert_eq!(at(x, 100.0), second);
        }
    }

    #[test]
    fn the_inspector_stays_where_it_was_dragged_and_returns_after_a_unit_has_passed() {
        let world = world(958.0, 684.0);
        let (size, mut placing) = (vec2(330.0, 300.0), Placing::default());
        let far = world.max - vec2(20.0, 20.0);
        let before = placing.settle(size, world, &[far], &[]);
        placing.drag(before, vec2(200.0, 120.0), world);
        let dragged = placing.settle(size, world, &[far], &[]);
        assert_eq!(dragged.min, before.min + vec2(200.0, 120.0));
        let away = placing.settle(size, world, &[dragged.center()], &[]);
        assert!(!away.contains(dragged.center()));
        assert_eq!(placing.settle(size, world, &[dragged.right_center() + vec2(NEAR + 2.0, 0.0)], &[]), away);
        assert_eq!(placing.settle(size, world, &[far], &[]), dragged);
        // In a smaller window it is still inside.
        let small = Rect::from_min_size(world.min, vec2(500.0, 400.0));
        assert!(small.contains_rect(placing.settle(size, small, &[], &[])));
    }

    #[test]
    fn a_corner_without_another_window_is_preferred() {
        let world = world(958.0, 684.0);
        let (size, unit) = (vec2(330.0, 300.0), world.min + vec2(100.0, 100.0));
        let plots = Rect::from_min_size(world.right_top() + vec2(-424.0, 34.0), vec2(400.0, 500.0));
        let placed = Placing::default().settle(size, world, &[unit], &[plots]);
        assert_eq!(placed, in_corner(Align2::LEFT_BOTTOM, size, world));
    }
}
