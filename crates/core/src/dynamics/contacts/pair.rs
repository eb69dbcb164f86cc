//! Collision of two moving balls.

use glam::Vec3;

use crate::world::Extrema;

/// Upper bound of the relative rounding error of a squared distance.
const MARGIN: f32 = 1e-4;

/// Two balls in the frame of the first: `offset` to the other before the step, and its change over the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) offset: Vec3,
    pub(super) change: Vec3,
    /// The sum of both radii.
    pub(super) reach: f32,
}

/// Sort key of a unit: its random key and its index, so that results do not depend on the order of units.
pub(super) type Rank = (u64, usize);

/// Returns a pseudorandom direction to the other of two units at one point. The two directions are opposite and do not
/// depend on the order of units. In a plane, `flat` is true.
pub(super) fn aside(own: Rank, their: Rank, flat: bool) -> Vec3 {
    let mixed = (own.0 ^ their.0).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let part = |shift: u32| ((mixed >> shift) & 0xffff) as f32 / 32_767.5 - 1.0;
    let z = if flat { 0.0 } else { part(16) };
    let direction = Vec3::new(part(48), part(32), z);
    let direction = direction.try_normalize().unwrap_or(Vec3::X);
    if own < their { direction } else { -direction }
}

impl Pair {
    /// Returns the direction to the other at the first contact while the balls approach; `aside` if the centers
    /// coincide.
    ///
    /// Solves |offset + t · change| = reach for the least t in 0..1; t is 0 for overlapping balls. Computed in double
    /// precision: the terms cancel for long changes and short reaches.
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

    /// Returns the direction to the other if they overlap after the step or touched on the way; `aside` if the centers
    /// coincide.
    pub(super) fn contact(&self, aside: impl Fn() -> Vec3) -> Option<Vec3> {
        if self.stays_beyond(self.reach) {
            return None;
        }
        self.touch(&aside).or_else(|| {
            let end = self.end();
            (end.length_squared() < self.reach * self.reach).then(|| toward(end, aside))
        })
    }

    /// Returns the direction to the other after the step if they are then within `slack` times their reach; `None` if the
    /// centers coincide.
    pub(super) fn near(&self, slack: f32) -> Option<Vec3> {
        let (end, near) = (self.end(), self.reach * slack);
        if end.length_squared() < near * near { end.try_normalize() } else { None }
    }

    /// The offset after the step.
    pub(super) fn end(&self) -> Vec3 {
        self.offset + self.change
    }

    /// The overlap along `normal` after the step.
    pub(super) fn overlap(&self, normal: Vec3) -> f32 {
        self.reach - normal.dot(self.end())
    }

    /// Returns true if the balls come within `slack` times their reach during the step.
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
        let time = if square > 0.0 { (-offset.dot(change) / square).limited(0.0, 1.0) } else { 0.0 };
        let near = f64::from(near);
        (offset + change * time).length_squared() <= near * near
    }

    /// Returns true if the change is too short for the balls to come within `distance`.
    fn stays_beyond(&self, distance: f32) -> bool {
        // The 1-norm is an upper bound of the length and needs no square root, which would dominate the time.
        let reached = distance + self.change.abs().element_sum();
        self.offset.length_squared() > reached * reached * (1.0 + MARGIN)
    }
}

fn toward(offset: Vec3, aside: impl Fn() -> Vec3) -> Vec3 {
    offset.try_normalize().unwrap_or_else(aside)
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
    fn the_first_contact_is_found_at_any_speed() {
        for by in [5.0, 1e3, 1e6] {
            let head_on = pair(Vec3::X * 4.0, Vec3::NEG_X * by);
            assert_eq!(head_on.touch(nowhere), Some(Vec3::X), "{by}");
            let past = pair(Vec3::new(4.0, 2.1, 0.0), Vec3::NEG_X * by);
            assert_eq!(past.touch(nowhere), None);
        }
        assert_eq!(pair(Vec3::X * 4.0, Vec3::NEG_X * 1.9).touch(nowhere), None);
    }

    #[test]
    fn overlapping_balls_may_separate() {
        assert_eq!(pair(Vec3::X, Vec3::X).touch(nowhere), None);
        assert_eq!(pair(Vec3::X, Vec3::NEG_X * 0.1).touch(nowhere), Some(Vec3::X));
        let there = pair(Vec3::ZERO, Vec3::ZERO);
        let (one, two) = ((1, 0), (2, 1));
        let to = aside(one, two, true);
        assert!(to.is_normalized() && to.z == 0.0);
        assert_eq!(there.contact(|| to), Some(to));
        assert_eq!(aside(two, one, true), -to);
    }
}
