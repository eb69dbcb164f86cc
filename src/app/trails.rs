//! Where units have been: a ring of past positions.

use std::collections::VecDeque;
use std::sync::Arc;

use glam::Vec3;

use crate::scene::Scene;
use crate::session::Observer;
use crate::world::World;

/// Past states that are kept.
const KEPT: usize = 40;
/// Most entries of which only one is drawn.
const MOST_STRIDE: f32 = 4.0;
/// Most units that leave trails.
const MOST_UNITS: usize = 4000;

/// Past positions of all units, newest last. Clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Trails {
    past: VecDeque<(f32, Arc<[Vec3]>)>,
    /// Simulated seconds between two entries.
    every: f32,
    /// Entries that there ever were.
    noted: usize,
}

impl Observer for Trails {
    const DRAWS: bool = true;

    fn of(scene: &Scene) -> Self {
        let groups = scene.groups.iter();
        let longest = groups.map(|group| group.look.trail).fold(0.5, f32::max);
        Self::lasting(longest)
    }

    /// Remembers where the units are, if it is time to.
    fn note(&mut self, world: &World) {
        let (time, units) = (world.time(), &world.units.position);
        if units.len() > MOST_UNITS || self.past.back().is_some_and(|(_, then)| then.len() != units.len()) {
            self.past.clear();
        }
        let due = self.past.back().is_none_or(|(then, _)| time < *then || time - then >= self.every);
        if !due || units.is_empty() || units.len() > MOST_UNITS {
            return;
        }
        if self.past.len() == KEPT {
            self.past.pop_front();
        }
        self.past.push_back((time, Arc::from(units.as_slice())));
        self.noted += 1;
    }
}

impl Trails {
    /// Trails that last up to `seconds` of simulated time.
    fn lasting(seconds: f32) -> Self {
        Self { past: VecDeque::new(), every: (seconds / (KEPT - 1) as f32).max(1e-4), noted: 0 }
    }

    /// Of how many entries one is enough, if what lies between is not to be longer than `longest` for units that
    /// are as fast as `speed`.
    pub(super) fn stride(&self, speed: f32, longest: f32) -> usize {
        (longest / (self.every * speed).max(1e-9)).clamp(1.0, MOST_STRIDE) as usize
    }

    /// The path of a unit over the last `seconds` before `time`, newest first, each point with its
    /// age as a share of `seconds`; it ends where the unit jumped farther than `jump`.
    /// Of `stride` entries, it takes the same one at any time.
    pub(super) fn path(
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
            // What is drawn may lie a little before the last state.
            .filter(move |(then, _)| *then <= time)
            .filter_map(move |(then, all)| Some((*all.get(unit)?, (time - then) / seconds)));
        past.take_while(|(_, age)| *age <= 1.0).scan(from, move |last, (point, age)| {
            let near = last.distance_squared(point) < jump * jump;
            *last = point;
            near.then_some((point, age))
        })
    }
}
