//! When two moving balls touch, and how they share what parts them.

use glam::Vec3;

/// Part of a squared distance that is more than rounding may make of it.
const MARGIN: f32 = 1e-4;

/// Two balls, seen from the first: `offset` to the other before the step, and how the offset
/// changes over it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) offset: Vec3,
    pub(super) change: Vec3,
    /// The sum of both radii.
    pub(super) reach: f32,
}

/// What a unit is sorted by: its key and then its index, so that nothing depends on the order of units.
pub(super) type Rank = (u64, usize);

/// A direction to the other of two units in one place: opposite from the other side, and the same in whatever order
/// units stand. In a plane it is `flat`.
pub(super) fn aside(own: Rank, their: Rank, flat: bool) -> Vec3 {
    let mixed = (own.0 ^ their.0).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let part = |shift: u32| ((mixed >> shift) & 0xffff) as f32 / 32_767.5 - 1.0;
    let z = if flat { 0.0 } else { part(16) };
    let direction = Vec3::new(part(48), part(32), z);
    let direction = direction.try_normalize().unwrap_or(Vec3::X);
    if own < their { direction } else { -direction }
}

impl Pair {
    /// The direction to the other at their first touch while they come nearer; `aside` where their centers are one.
    ///
    /// Solves |offset + t · change| = reach for the least t in 0..1; t is 0 where they overlap.
    /// In double precision: the terms cancel where the change is long and the reach short.
    pub(super) fn touch(&self, aside: impl Fn() -> Vec3) -> Option<Vec3> {
        let (offset, change) = (self.offset.as_dvec3(), self.change.as_dvec3());
        let reach = f64::from(self.reach);
        let past = offset.length_squared() - reach * reach;
        let approach = offset.dot(change);
        if reach == 0.0 || approach >= 0.0 {
            return None;
        }
        if past <= 0.0 {
            return Some(toward(self.offset, aside));
        }
        let square = approach * approach - change.length_squared() * past;
        if square < 0.0 {
            return None;
        }
        let time = past / (square.sqrt() - approach);
        (time <= 1.0).then(|| toward((offset + change * time).as_vec3(), aside))
    }

    /// The direction to the other if they overlap after the step or touched on the way; `aside` where their centers
    /// are one.
    pub(super) fn contact(&self, aside: impl Fn() -> Vec3) -> Option<Vec3> {
        if self.stays_beyond(self.reach) {
            return None;
        }
        self.touch(&aside).or_else(|| {
            let end = self.end();
            (end.length_squared() < self.reach * self.reach).then(|| toward(end, aside))
        })
    }

    /// The offset after the step.
    pub(super) fn end(&self) -> Vec3 {
        self.offset + self.change
    }

    /// By how much they are too near along `normal` after the step.
    pub(super) fn lack(&self, normal: Vec3) -> f32 {
        self.reach - normal.dot(self.end())
    }

    /// Whether they come within `slack` times their reach on the way.
    pub(super) fn comes_near(&self, slack: f32) -> bool {
        let near = self.reach * slack;
        if self.stays_beyond(near) {
            return false;
        }
        if self.offset.length_squared() < near * near * (1.0 - MARGIN) {
            return true;
        }
        let (offset, change) = (self.offset.as_dvec3(), self.change.as_dvec3());
        let square = change.length_squared();
        let time = if square > 0.0 { (-offset.dot(change) / square).clamp(0.0, 1.0) } else { 0.0 };
        let near = f64::from(near);
        (offset + change * time).length_squared() <= near * near
    }

    /// Whether they surely stay farther from each other than `distance`, as the offset changes by too little.
    fn stays_beyond(&self, distance: f32) -> bool {
        // The parts of a vector are never less in sum than its length, whose root takes longer than all else here.
        let reached = distance + self.change.abs().element_sum();
        self.offset.length_squared() > reached * reached * (1.0 + MARGIN)
    }
}

fn toward(offset: Vec3, aside: impl Fn() -> Vec3) -> Vec3 {
    offset.try_normalize().unwrap_or_else(aside)
}

/// The part of `lack` that the first of two balls takes: by their inverse masses, but neither
/// more than its room while the other has some. Each is (inverse mass, room).
pub(super) fn share(lack: f32, first: (f32, f32), second: (f32, f32)) -> f32 {
    let own = lack * first.0 / (first.0 + second.0);
    if lack - own > second.1 { lack - second.1 } else { own.min(first.1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(offset: Vec3, change: Vec3) -> Pair {
        Pair { offset, change, reach: 2.0 }
    }

    fn nowhere() -> Vec3 {
        Vec3::Z
    }

    #[test]
    fn the_first_touch_is_found_however_fast() {
        for by in [5.0, 1e3, 1e6] {
            let head_on = pair(Vec3::X * 4.0, Vec3::NEG_X * by);
            assert_eq!(head_on.touch(nowhere), Some(Vec3::X), "{by}");
            let past = pair(Vec3::new(4.0, 2.1, 0.0), Vec3::NEG_X * by);
            assert_eq!(past.touch(nowhere), None);
        }
        assert_eq!(pair(Vec3::X * 4.0, Vec3::NEG_X * 1.9).touch(nowhere), None);
    }

    #[test]
    fn what_overlaps_may_part() {
        assert_eq!(pair(Vec3::X, Vec3::X).touch(nowhere), None);
        assert_eq!(pair(Vec3::X, Vec3::NEG_X * 0.1).touch(nowhere), Some(Vec3::X));
        let there = pair(Vec3::ZERO, Vec3::ZERO);
        let (one, two) = ((1, 0), (2, 1));
        let to = aside(one, two, true);
        assert!(to.is_normalized() && to.z == 0.0);
        assert_eq!(there.contact(|| to), Some(to));
        assert_eq!(aside(two, one, true), -to);
    }

    #[test]
    fn shares_follow_the_masses_and_the_room() {
        assert_eq!(share(1.0, (1.0, 9.0), (1.0, 9.0)), 0.5);
        assert_eq!(share(1.0, (3.0, 9.0), (1.0, 9.0)), 0.75);
        assert_eq!(share(10.0, (1.0, 99.0), (1.0, 0.5)), 9.5);
        assert_eq!(share(10.0, (1.0, 0.5), (1.0, 99.0)), 0.5);
    }
}
