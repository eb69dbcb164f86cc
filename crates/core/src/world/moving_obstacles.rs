//! Obstacles of a world that move along paths or with units.

use glam::Vec3;

use super::carriers::Carriers;
use super::obstacle::Obstacle;
use super::obstacles::Obstacles;
use super::state::World;

impl World {
    /// Replaces the obstacles by these, as the scene lists them: those that follow paths continue from their places, new ones
    /// are where they are at the present time, and others are beside their carriers. An obstacle without a carrier stays
    /// where the obstacle at its index is, if that had the same carrier.
    pub fn set_obstacles(&mut self, obstacles: &Obstacles) {
        let now = self.seconds_after(self.steps);
        let movers = obstacles.iter().enumerate().filter(|(_, obstacle)| obstacle.drive.is_some());
        let following = |(at, obstacle): (usize, &Obstacle)| {
            let before = self.before(at, obstacle);
            (at, before.map_or_else(|| obstacle.clone(), |before| obstacle.following(before, now)))
        };
        self.movers = movers.map(following).collect();
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

    /// Returns the obstacle that another version of the scene lists as `obstacle` at an index: one that follows a path from the
    /// same place, preferably at the index; else the one at the index if it follows a path, or rests at the same place.
    fn before(&self, at: usize, obstacle: &Obstacle) -> Option<&Obstacle> {
        let known = self.movers.iter().filter(|(_, known)| known.path().is_some());
        let differs = |(index, known): &&(usize, Obstacle)| (known.solid != obstacle.solid, *index != at);
        let known = known.filter(|known| differs(known) != (true, true)).min_by_key(differs);
        let resting = || self.obstacles.get(at).filter(|it| it.drive.is_none() && it.solid == obstacle.solid);
        known.map(|(_, known)| known).or_else(resting)
    }

    /// Returns the obstacles whose speed or path changed: their indices, and the distances that they traveled beyond speed × time.
    pub fn leads(&self) -> impl Iterator<Item = (usize, f64)> {
        let leads = self.movers.iter().filter_map(|(at, mover)| Some((*at, mover.path()?.lead())));
        leads.filter(|(_, lead)| *lead != 0.0)
    }

    /// Sets the distances of [`World::leads`]; those of other obstacles are 0.
    pub fn set_leads(&mut self, leads: &[(usize, f64)]) {
        let with_lead = |(at, mover): &(usize, Obstacle)| {
            let lead = leads.iter().find(|(index, _)| index == at).map_or(0.0, |(_, lead)| *lead);
            (*at, mover.with_lead(lead))
        };
        self.movers = self.movers.iter().map(with_lead).collect();
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
        let obstacles = obstacles.with_period(self.arena.period());
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
        let seconds = self.seconds_after(steps);
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
