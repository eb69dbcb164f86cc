//! Obstacles moved and resized by hand: each stands as it was put until the file's own obstacle changes.

use std::collections::BTreeMap;

use crate::scene::ObstacleChange;
use crate::world::Obstacle;

/// An obstacle that was moved or resized by hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// Which of the scene's obstacles, from 0.
    pub at: usize,
    /// The obstacle as the file has it.
    pub file: Obstacle,
    /// What was done to it.
    pub change: ObstacleChange,
}

impl Moved {
    /// The obstacle as it was put, if it can stand there.
    pub fn standing(&self) -> Option<Obstacle> {
        self.change.of(&self.file)
    }
}

/// The moved obstacles, by their place in the scene.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves(BTreeMap<usize, Moved>);

impl Moves {
    pub(super) fn set(&mut self, moved: Moved) {
        self.0.insert(moved.at, moved);
    }

    /// Returns an obstacle to the file's place.
    pub(super) fn clear(&mut self, at: usize) {
        self.0.remove(&at);
    }

    /// The moves that hold for the obstacles of a file. An obstacle is known by what the file says of
    /// it, so it is found again when others are added or removed before it.
    pub(super) fn resolve(&self, file: &[Obstacle]) -> Vec<Moved> {
        let mut found: BTreeMap<usize, Moved> = BTreeMap::new();
        for moved in self.0.values() {
            let known = |at: &usize| !found.contains_key(at) && file.get(*at) == Some(&moved.file);
            let at = Some(moved.at).filter(known);
            let at = at.or_else(|| (0..file.len()).find(known));
            if let Some(at) = at.filter(|_| moved.standing().is_some()) {
                let moved = moved.clone();
                found.insert(at, Moved { at, ..moved });
            }
        }
        found.into_values().collect()
    }

    /// Drops the moves of obstacles that the file has changed, and follows the others.
    pub(super) fn settle(&mut self, file: &[Obstacle]) {
        let kept = self.resolve(file).into_iter();
        self.0 = kept.map(|moved| (moved.at, moved)).collect();
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::world::Solid;

    fn ball(x: f32) -> Obstacle {
        let center = Vec3::X * x;
        Solid::Ball { center, radius: 1.0 }.into()
    }

    #[test]
    fn a_moved_obstacle_is_followed_until_the_file_changes_it() {
        let mut moves = Moves::default();
        let change = ObstacleChange { shift: Vec3::Y, radius: None };
        moves.set(Moved { at: 0, file: ball(1.0), change });
        let at = |moves: &Moves, file: &[Obstacle]| {
            let moved = moves.resolve(file).into_iter();
            moved.map(|moved| moved.at).collect::<Vec<_>>()
        };
        assert_eq!(at(&moves, &[ball(1.0)]), [0]);
        let later = [ball(9.0), ball(1.0), ball(1.0)];
        assert_eq!(at(&moves, &later), [1]);
        moves.settle(&later);
        assert_eq!(at(&moves, &[ball(1.0), ball(1.0)]), [1]);
        moves.settle(&[ball(2.0)]);
        assert_eq!(at(&moves, &[ball(1.0)]), [0; 0]);
    }
}
