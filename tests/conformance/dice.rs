//! A small generator of random states, the same on every machine.

use glam::{DVec2, DVec3, Vec3};

/// `SplitMix64`.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From `least` up to `most`.
    pub(crate) fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Once in `n` times.
    pub(crate) fn once_in(&mut self, n: u64) -> bool {
        self.bits().is_multiple_of(n)
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[(self.bits() % from.len() as u64) as usize]
    }

    /// A unit vector in the plane.
    pub(crate) fn course(&mut self) -> DVec2 {
        DVec2::from_angle(self.between(-3.2, 3.2))
    }

    /// A point of the unit ball.
    pub(crate) fn in_ball(&mut self) -> DVec3 {
        loop {
            let mut axis = || self.between(-1.0, 1.0);
            let point = DVec3::new(axis(), axis(), axis());
            if point.length_squared() <= 1.0 {
                return point;
            }
        }
    }
}

/// A vector of the plane as the crate stores it.
pub(crate) fn flat(v: DVec2) -> Vec3 {
    v.as_vec2().extend(0.0)
}
