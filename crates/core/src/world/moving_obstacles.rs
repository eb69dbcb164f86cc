//! Obstacles of a world that move along paths or with units.

use glam::Vec3;

use super::carriers::Carriers;
use super::obstacle::Obstacle;
use super::obstacles::Obstacles;
use super::state::World;

impl World {
    /// Replaces the obstacles by these, as the scene lists them: those that move are where they are after the present number
    /// of steps, or beside their carriers. An obstacle without a carrier stays where the obstacle at its index is,
    /// if that had the same carrier.
    pub fn set_obstacles(&mut self, obstacles: &Obstacles) {
        let movers = obstacles.iter().enumerate().filter(|(_, obstacle)| obstacle.drive.is_some());
        self.movers = movers.map(|(at, obstacle)| (at, obstacle.clone())).collect();
        self.carriers = Carriers::new(&self.movers);
        let was_carried = |(at, mover): &(usize, Obstacle)| {
            let before = self.obstacles.get(*at)?;
            let stays = mover.carrier().is_some() && before.drive == mover.drive;
            stays.then(|| (*at, before.clone()))
        };
        let before: Vec<_> = self.movers.iter().filter_map(was_carried).collect();
        self.put_obstacles(obstacles.moved(before));
        self.place_obstacles(self.steps);
        self.carry_obstacles(0.0);
    }

    /// Replaces the obstacles by these in their present places, except those that follow paths. Their motions are those of the
    /// present ones.
    pub fn replace_obstacles(&mut self, mut list: Vec<Obstacle>) {
        for (at, mover) in self.movers.iter() {
            if let Some(obstacle) = list.get_mut(*at) {
                obstacle.drive.clone_from(&mover.drive);
            }
        }
        self.put_obstacles(list.into());
        self.place_obstacles(self.steps);
    }

    /// Replaces an obstacle by one that rests, unless that at the index moves or does not exist.
    pub fn set_obstacle(&mut self, at: usize, obstacle: &Obstacle) {
        let rests = self.obstacles.get(at).is_some_and(|known| known.drive.is_none());
        if rests {
            let mut all = self.obstacles.clone();
            all.set(at, obstacle.resting());
            self.put_obstacles(all);
        }
    }

    fn put_obstacles(&mut self, obstacles: Obstacles) {
        self.carriers.see(&obstacles);
        self.obstacles = obstacles;
    }

    /// Moves the obstacles that follow paths to their places after `steps` steps.
    pub fn place_obstacles(&mut self, steps: u64) {
        let places: Vec<_> = self.places_after(steps).collect();
        if !places.is_empty() {
            self.put_obstacles(self.obstacles.moved(places));
        }
    }

    /// Moves the obstacles that units carry to the places of their carriers after a time in seconds at their present velocities.
    /// Without its carrier, an obstacle rests where it is.
    pub fn carry_obstacles(&mut self, seconds: f32) {
        if self.carriers.is_empty() {
            return;
        }
        let carried = self.movers.iter().filter_map(|(at, mover)| {
            let carrier = mover.carrier()?;
            let group = self.groups.iter().find(|group| group.name == carrier.group);
            let unit = group.and_then(|group| carrier.find(&self.units, group));
            let moved = unit.and_then(|unit| mover.carried(&self.units, unit, seconds));
            let rests = || Some(Obstacle { velocity: Vec3::ZERO, ..self.obstacles.get(*at)?.clone() });
            Some((*at, moved.or_else(rests)?))
        });
        let carried: Vec<_> = carried.collect();
        self.put_obstacles(self.obstacles.moved(carried));
    }

    /// Moves the obstacles to their places after the next step, to which its contacts refer; those of carriers follow from their
    /// present velocities.
    pub fn advance_obstacles(&mut self) {
        self.place_obstacles(self.steps + 1);
        self.carry_obstacles(self.step);
    }

    /// Returns the obstacles that rest or follow paths, as they are after `steps` steps. The places of others are not known in
    /// advance.
    pub fn obstacles_after(&self, steps: u64) -> Obstacles {
        self.obstacles.moved(self.places_after(steps)).without_carried()
    }

    /// Returns the obstacles that follow paths as they are after `steps` steps, each with its index.
    fn places_after(&self, steps: u64) -> impl Iterator<Item = (usize, Obstacle)> {
        let seconds = steps as f64 * f64::from(self.step);
        let following = self.movers.iter().filter(|(_, mover)| mover.path().is_some());
        following.map(move |(at, mover)| (*at, mover.after(seconds)))
    }

    /// Returns the obstacles that a unit perceives and touches: all but those that it carries.
    #[inline]
    pub fn obstacles_of(&self, unit: usize) -> &Obstacles {
        self.carriers.seen_by(self.units.key[unit]).unwrap_or(&self.obstacles)
    }

    /// Returns true if a unit carries obstacles.
    #[inline]
    pub fn carries(&self, unit: usize) -> bool {
        self.carriers.seen_by(self.units.key[unit]).is_some()
    }
}
