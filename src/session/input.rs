//! What reaches a simulation from outside, as data: so that it can be recorded and made again.

use std::sync::Arc;

use glam::Vec3;

use crate::dynamics::Motion;
use crate::reload::Generation;
use crate::scene::Scene;
use crate::sim::{Simulation, UnitState};
use crate::world::{Controls, Obstacle};

/// What a compiled behavior takes of memory, bytes, roughly.
const BEHAVIOR: usize = 64 << 10;

/// One change of a simulation between two steps.
#[derive(Clone)]
pub enum Input {
    /// The target of the mouse.
    Target(Option<Vec3>),
    /// The keys of the player.
    Controls(Controls),
    /// Another view of a group, or none.
    View(usize, Option<usize>),
    /// Another obstacle in the place of one that the scene lists, while it is dragged.
    Obstacle(usize, Obstacle),
    /// Another obstacle in the place of one that is scattered, counted back from the last one, from 1.
    Scattered(usize, Obstacle),
    /// Units elsewhere, by their keys.
    MoveUnits(Vec<(u64, Motion)>),
    /// More units.
    AddUnits(Vec<UnitState>),
    /// Units that are there no longer, by their keys.
    RemoveUnits(Vec<u64>),
    /// Gain and switch of a behavior, by its group and its place there.
    Tune(usize, usize, f32, bool),
    /// A generation in place of the one before.
    Generation(Replacement),
}

/// A generation that replaces another.
#[derive(Clone)]
pub struct Replacement {
    /// What runs from then on.
    pub generation: Arc<Generation>,
    /// The scene that ran before.
    pub before: Arc<Scene>,
    /// Seed of new units in place of the scene's.
    pub seed: Option<u64>,
}

impl Input {
    /// Makes the change.
    pub fn apply(&self, simulation: &mut Simulation) {
        match self {
            Self::Target(target) => simulation.set_target(*target),
            Self::Controls(controls) => simulation.set_controls(*controls),
            Self::View(group, view) => simulation.set_view(*group, *view),
            Self::Obstacle(at, obstacle) => simulation.set_obstacle(*at, obstacle.clone()),
            Self::Scattered(back, obstacle) => {
                let at = simulation.world().obstacles.len().checked_sub(*back);
                simulation.set_obstacle(at.unwrap_or(usize::MAX), obstacle.clone());
            }
            Self::MoveUnits(moved) => simulation.move_units(moved),
            Self::AddUnits(states) => simulation.add_units(states),
            Self::RemoveUnits(keys) => simulation.remove_units(keys),
            Self::Tune(group, slot, gain, enabled) => simulation.tune(*group, *slot, *gain, *enabled),
            Self::Generation(Replacement { generation, before, seed }) => {
                generation.swap_into(simulation, before, *seed);
            }
        }
    }

    /// Whether it takes back what `before` did, so that only the last of the two counts.
    pub(super) fn overrides(&self, before: &Self) -> bool {
        match (self, before) {
            (Self::Target(_), Self::Target(_)) | (Self::Controls(_), Self::Controls(_)) => true,
            (Self::View(group, _), Self::View(other, _)) => group == other,
            (Self::Obstacle(at, _), Self::Obstacle(other, _))
            | (Self::Scattered(at, _), Self::Scattered(other, _)) => at == other,
            (Self::MoveUnits(moved), Self::MoveUnits(others)) => {
                moved.iter().map(|(key, _)| key).eq(others.iter().map(|(key, _)| key))
            }
            // A behavior that is switched off and on again starts afresh.
            _ => false,
        }
    }

    /// True if it reverses exactly the input `before`, so that neither of the two has an effect.
    pub(super) fn reverses(&self, before: &Self) -> bool {
        match (self, before) {
            (Self::RemoveUnits(keys), Self::AddUnits(states)) => {
                keys.iter().eq(states.iter().map(|state| &state.key))
            }
            _ => false,
        }
    }

    /// True if the result of steps under way is obsolete after it: it adds, removes or moves units, or changes a view.
    pub(super) fn replaces(&self) -> bool {
        matches!(self, Self::AddUnits(_) | Self::RemoveUnits(_) | Self::MoveUnits(_) | Self::View(..))
    }

    /// Whether units have other numbers after it.
    pub(super) fn renumbers(&self) -> bool {
        matches!(self, Self::AddUnits(_) | Self::RemoveUnits(_))
    }

    /// What runs from then on, if that is another generation.
    pub fn generation(&self) -> Option<&Arc<Generation>> {
        match self {
            Self::Generation(replacement) => Some(&replacement.generation),
            _ => None,
        }
    }

    /// Whether files or sliders made it, and not somebody who steers within the world.
    pub(super) fn is_of_rules(&self) -> bool {
        matches!(self, Self::Generation(_) | Self::Tune(..))
    }

    /// Whether it is made again where the past was changed before it. Rules, and obstacles that the scene lists,
    /// are those of the newest generation then.
    pub(super) fn is_made_again(&self) -> bool {
        !self.is_of_rules() && !matches!(self, Self::Obstacle(..))
    }

    /// What it takes of memory, bytes, roughly, if `running` ran before it.
    pub(super) fn bytes(&self, running: &Generation) -> usize {
        let size = size_of::<(u64, Self)>();
        let generation = match self {
            Self::Generation(Replacement { generation, .. }) => generation,
            Self::MoveUnits(moved) => return size + size_of_val(&**moved),
            Self::AddUnits(states) => return size + states.iter().map(UnitState::bytes).sum::<usize>(),
            Self::RemoveUnits(keys) => return size + size_of_val(&**keys),
            _ => return size,
        };
        let known: Vec<_> = running.planned().filter_map(|planned| planned.behavior.as_ref()).collect();
        let new = generation.planned().filter_map(|planned| planned.behavior.as_ref());
        let new = new.filter(|behavior| !known.iter().any(|known| Arc::ptr_eq(known, behavior)));
        let is_edited = !Arc::ptr_eq(&generation.scene, &running.scene);
        let obstacles = if is_edited { size_of_val(&*generation.scene.world.obstacles) } else { 0 };
        size + size_of::<Generation>() + obstacles + new.count() * BEHAVIOR
    }
}
