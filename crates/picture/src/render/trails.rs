//! Trails: a ring buffer of past positions of units.

use std::collections::VecDeque;
use std::sync::Arc;

use glam::Vec3;
use steerbox_core::world::{World, matching};
use steerbox_project::session::Observer;
use steerbox_scene::Scene;

/// Number of stored past states.
const MAX_ENTRIES: usize = 40;
/// Maximum stride between drawn entries.
const MAX_STRIDE: f32 = 4.0;
/// Maximum number of units that have trails.
const MAX_UNITS: usize = 4000;

/// Past positions of all units, newest last. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Trails {
    past: VecDeque<(f32, Arc<[Vec3]>)>,
    /// The keys of these units.
    keys: Arc<[u64]>,
    /// Simulated seconds between two entries.
    every: f32,
    /// Number of entries ever added.
    noted: usize,
}

impl Observer for Trails {
    const DRAWS: bool = true;

    fn new(scene: &Scene) -> Self {
        let groups = scene.groups.iter();
        let longest = groups.map(|group| group.look.trail).fold(0.5, f32::max);
        Self::lasting(longest)
    }

    /// Stores the units' positions if the next entry is due.
    fn note(&mut self, world: &World) {
        let (time, units) = (world.time(), &world.units.position);
        if units.len() > MAX_UNITS {
            self.past.clear();
        } else if *self.keys != *world.units.key {
            self.follow(&world.units.key);
        }
        let due = self.past.back().is_none_or(|(then, _)| time < *then || time - then >= self.every);
        if !due || units.is_empty() || units.len() > MAX_UNITS {
            return;
        }
        if self.past.len() == MAX_ENTRIES {
            self.past.pop_front();
        }
        self.past.push_back((time, Arc::from(units.as_slice())));
        self.noted += 1;
    }
}

impl Trails {
    /// Follows the same units when others are added or removed; new units have no past.
    fn follow(&mut self, keys: &[u64]) {
        let others = matching(keys, &self.keys).unwrap_or_default();
        for (_, positions) in &mut self.past {
            let position = |other: &Option<usize>| other.and_then(|other| positions.get(other).copied());
            *positions = others.iter().map(|other| position(other).unwrap_or(Vec3::NAN)).collect();
        }
        self.keys = keys.into();
    }

    /// Trails of at most `seconds` of simulated time.
    fn lasting(seconds: f32) -> Self {
        let (past, keys) = (VecDeque::new(), Arc::default());
        Self { past, keys, every: (seconds / (MAX_ENTRIES - 1) as f32).max(1e-4), noted: 0 }
    }

    /// The stride between entries at which no segment is longer than `longest`, for units with a top
    /// speed of `speed`.
    pub(crate) fn stride(&self, speed: f32, longest: f32) -> usize {
        (longest / (self.every * speed).max(1e-9)).clamp(1.0, MAX_STRIDE) as usize
    }

    /// The path of a unit over the last `seconds` before `time`, newest first, each point with its
    /// age as a share of `seconds`; it ends where the unit jumped farther than `jump`, or did not exist.
    /// With a `stride`, it contains the same entries at any time.
    pub(crate) fn path(
        &self,
        unit: usize,
        (time, seconds): (f32, f32),
        (jump, stride): (f32, usize),
        from: Vec3,
    ) -> impl Iterator<Item = (Vec3, f32)> {
        let past = self
            .past
            .iter()
            .rev()
            .skip(self.noted % stride)
            .step_by(stride)
            // The drawn time may be slightly before the last state.
            .filter(move |(then, _)| *then <= time)
            .filter_map(move |(then, all)| Some((*all.get(unit)?, (time - then) / seconds)));
        past.take_while(|(_, age)| *age <= 1.0).scan(from, move |last, (point, age)| {
            let near = last.distance_squared(point) < jump * jump;
            *last = point;
            near.then_some((point, age))
        })
    }
}

#[cfg(test)]
mod tests {
    use steerbox_core::world::testing;

    use super::*;

    #[test]
    fn a_trail_follows_its_unit_when_others_are_added_and_removed() {
        let mut world = testing::world(&[3], 1.0, |unit, _| (Vec3::X * unit as f32, Vec3::ZERO));
        let mut trails = Trails::lasting(0.1);
        for step in 0..5 {
            world.steps = step * 10;
            trails.note(&world);
        }
        let units = &mut world.units;
        let moved = [2, 0].map(|unit| (units.position[unit], units.key[unit]));
        (units.position, units.key) = moved.into_iter().chain([(Vec3::ONE, 99)]).unzip();
        trails.note(&world);
        let path = |unit: usize| {
            let from = world.units.position[unit];
            trails.path(unit, (world.time(), 9.0), (0.5, 1), from).map(|(point, _)| point).collect::<Vec<_>>()
        };
        assert_eq!(path(0), [Vec3::X * 2.0; 5]);
        assert_eq!(path(1), [Vec3::ZERO; 5]);
        assert_eq!(path(2), [Vec3::ZERO; 0], "a new unit has no trail");
    }
}
