//! When two moving balls touch, and how they share what parts them.

use glam::Vec3;

/// Two balls, seen from the first: `offset` to the other before the step, and how the offset
/// changes over it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) offset: Vec3,
    pub(super) change: Vec3,
    /// The sum of both radii.
    pub(super) reach: f32,
    /// Tells the direction to the other where the centers are one.
    pub(super) aside: Aside,
}

/// What two units are sorted by: their keys, so that nothing depends on their order.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Aside {
    pub(super) own: (u64, usize),
    pub(super) their: (u64, usize),
    /// Whether directions stay in the plane.
    pub(super) flat: bool,
}

impl Aside {
    /// A direction for two units in one place: opposite from the other side, and the same in
    /// whatever order units stand.
    fn direction(self) -> Vec3 {
        let mixed = (self.own.0 ^ self.their.0).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let part = |shift: u32| ((mixed >> shift) & 0xffff) as f32 / 32_767.5 - 1.0;
        let z = if self.flat { 0.0 } else { part(16) };
        let direction = Vec3::new(part(48), part(32), z);
        let direction = direction.try_normalize().unwrap_or(Vec3::X);
        if self.own < self.their { direction } else { -direction }
    }
}

impl Pair {
    /// The direction to the other at their first touch while they come nearer.
    ///
    /// Solves |offset + t · change| = reach for the least t in 0..1; t is 0 where they overlap.
    /// In double precision: the terms cancel where the change is long and the reach short.
    pub(super) fn touch(&self) -> Option<Vec3> {
        let (offset, change) = (self.offset.as_dvec3(), self.change.as_dvec3());
        let reach = f64::from(self.reach);
        let past = offset.length_squared() - reach * reach;
        let approach = offset.dot(change);
        if reach == 0.0 || approach >= 0.0 {
            return None;
        }
        if past <= 0.0 {
            return Some(self.toward(self.offset));
        }
        let square = approach * approach - change.length_squared() * past;
        if square < 0.0 {
            return None;
        }
        let time = past / (square.sqrt() - approach);
        (time <= 1.0).then(|| self.toward((offset + change * time).as_vec3()))
    }

    /// The direction to the other if they overlap after the step or touched on the way.
    pub(super) fn contact(&self) -> Option<Vec3> {
        self.touch().or_else(|| {
            let end = self.end();
            (end.length_squared() < self.reach * self.reach).then(|| self.toward(end))
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
        let (offset, change) = (self.offset.as_dvec3(), self.change.as_dvec3());
        let square = change.length_squared();
        let time = if square > 0.0 { (-offset.dot(change) / square).clamp(0.0, 1.0) } else { 0.0 };
        let near = f64::from(self.reach * slack);
        (offset + change * time).length_squared() <= near * near
    }

    fn toward(&self, offset: Vec3) -> Vec3 {
        offset.try_normalize().unwrap_or_else(|| self.aside.direction())
    }
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
        Pair { offset, change, reach: 2.0, aside: Aside { own: (1, 0), their: (2, 1), flat: true } }
    }

    #[test]
    fn the_first_touch_is_found_however_fast() {
        for by in [5.0, 1e3, 1e6] {
            let head_on = pair(Vec3::X * 4.0, Vec3::NEG_X * by);
            assert_eq!(head_on.touch(), Some(Vec3::X), "{by}");
            let past = pair(Vec3::new(4.0, 2.1, 0.0), Vec3::NEG_X * by);
            assert_eq!(past.touch(), None);
        }
        assert_eq!(pair(Vec3::X * 4.0, Vec3::NEG_X * 1.9).touch(), None);
    }

    #[test]
    fn what_overlaps_may_part() {
        assert_eq!(pair(Vec3::X, Vec3::X).touch(), None);
        assert_eq!(pair(Vec3::X, Vec3::NEG_X * 0.1).touch(), Some(Vec3::X));
        let there = pair(Vec3::ZERO, Vec3::ZERO);
        let aside = there.contact().unwrap();
        assert!(aside.is_normalized() && aside.z == 0.0);
        let Aside { own, their, flat } = there.aside;
        let back = Pair { aside: Aside { own: their, their: own, flat }, ..there };
        assert_eq!(back.contact(), Some(-aside));
    }

    #[test]
    fn shares_follow_the_masses_and_the_room() {
        assert_eq!(share(1.0, (1.0, 9.0), (1.0, 9.0)), 0.5);
        assert_eq!(share(1.0, (3.0, 9.0), (1.0, 9.0)), 0.75);
        assert_eq!(share(10.0, (1.0, 99.0), (1.0, 0.5)), 9.5);
        assert_eq!(share(10.0, (1.0, 0.5), (1.0, 99.0)), 0.5);
    }
}
