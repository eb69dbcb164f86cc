//! Inputs of a simulation as data, so that they can be recorded and repeated.

use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};
use steerbox_core::dynamics::Motion;
use steerbox_core::sim::{Simulation, UnitState};
use steerbox_core::world::{Controls, Obstacle};
use steerbox_scene::Scene;

use crate::reload::Generation;

/// Approximate memory of a compiled behavior, bytes.
const BEHAVIOR: usize = 64 << 10;

/// One change of a simulation between two steps.
#[derive(Clone, Serialize, Deserialize)]
pub enum Input {
    /// New target of the mouse.
    Target(Option<Vec3>),
    /// New state of the player's keys.
    Controls(Controls),
    /// New view of a group, or none, both by their names.
    View(String, Option<String>),
    /// Replaces an obstacle of the scene, while it is dragged.
    Obstacle(usize, Obstacle),
    /// Replaces a scattered obstacle, by its index from the end, starting at 1.
    Scattered(usize, Obstacle),
    /// Moves units by their keys.
    MoveUnits(Vec<(u64, Motion)>),
    /// Adds units.
    AddUnits(Vec<UnitState>),
    /// Removes units by their keys.
    RemoveUnits(Vec<u64>),
    /// Gain and switch of a behavior, by its group and slot.
    Tune(usize, usize, f32, bool),
    /// Resumes suspended behaviors.
    Resume,
    /// Restores memory of units that a reload dropped, by their keys.
    Remember(Vec<UnitState>),
    /// Replaces the generation; files store its texts instead.
    #[serde(skip)]
    Generation(Replacement),
}

/// A generation that replaces another.
#[derive(Clone)]
pub struct Replacement {
    /// The new generation.
    pub generation: Arc<Generation>,
    /// The scene before.
    pub before: Arc<Scene>,
    /// Seed of new units that overrides that of the scene.
    pub seed: Option<u64>,
}

impl Input {
    /// Applies the input.
    pub fn apply(&self, simulation: &mut Simulation) {
        match self {
            Self::Target(target) => simulation.set_target(*target),
            Self::Controls(controls) => simulation.set_controls(*controls),
            Self::View(group, view) => {
                let world = simulation.world();
                let group = world.groups.iter().position(|other| other.name == *group);
                let found =
                    view.as_ref().map(|view| world.views.iter().position(|other| other.name == *view));
                if let (Some(group), None | Some(Some(_))) = (group, found) {
                    simulation.set_view(group, found.flatten());
                }
            }
            Self::Obstacle(at, obstacle) => simulation.set_obstacle(*at, obstacle),
            Self::Scattered(back, obstacle) => {
                let at = simulation.world().obstacles.len().checked_sub(*back);
                simulation.set_obstacle(at.unwrap_or(usize::MAX), obstacle);
            }
            Self::MoveUnits(moved) => simulation.move_units(moved),
            Self::AddUnits(states) => simulation.add_units(states),
            Self::RemoveUnits(keys) => simulation.remove_units(keys),
            Self::Tune(group, slot, gain, enabled) => simulation.tune(*group, *slot, *gain, *enabled),
            Self::Resume => simulation.resume(),
            Self::Remember(states) => simulation.restore_memory(states),
            Self::Generation(Replacement { generation, before, seed }) => {
                generation.swap_into(simulation, before, *seed);
            }
        }
    }

    /// Returns true if its values are those of a run: numbers are finite and within their ranges.
    pub(super) fn is_possible(&self) -> bool {
        match self {
            Self::Target(target) => target.is_none_or(Vec3::is_finite),
            Self::Controls(Controls { turn, rise, power }) => {
                [turn, rise, power].into_iter().all(|part| (-1.0..=1.0).contains(part))
            }
            Self::Obstacle(_, obstacle) | Self::Scattered(_, obstacle) => obstacle.is_finite(),
            Self::Tune(_, _, gain, _) => gain.is_finite(),
            // A simulation ignores motions that are not finite.
            Self::View(..)
            | Self::MoveUnits(_)
            | Self::AddUnits(_)
            | Self::RemoveUnits(_)
            | Self::Resume
            | Self::Remember(_)
            | Self::Generation(_) => true,
        }
    }

    /// Returns true if the input overrides `before` completely.
    pub(super) fn overrides(&self, before: &Self) -> bool {
        match (self, before) {
            (Self::Target(_), Self::Target(_)) | (Self::Controls(_), Self::Controls(_)) => true,
            (Self::View(group, _), Self::View(other, _)) => group == other,
            (Self::Obstacle(at, _), Self::Obstacle(other, _))
            | (Self::Scattered(at, _), Self::Scattered(other, _)) => at == other,
            (Self::MoveUnits(moved), Self::MoveUnits(others)) => {
                moved.iter().map(|(key, _)| key).eq(others.iter().map(|(key, _)| key))
            }
            // A behavior that is disabled and enabled again restarts.
            _ => false,
        }
    }

    /// Returns true if the input reverses `before` exactly, so that neither has an effect.
    pub(super) fn reverses(&self, before: &Self) -> bool {
        match (self, before) {
            (Self::RemoveUnits(keys), Self::AddUnits(states)) => {
                keys.iter().eq(states.iter().map(|state| &state.key))
            }
            _ => false,
        }
    }

    /// Returns true if the input makes the result of running steps obsolete: it adds, removes or moves units, or
    /// changes a view.
    pub(super) fn replaces(&self) -> bool {
        matches!(self, Self::AddUnits(_) | Self::RemoveUnits(_) | Self::MoveUnits(_) | Self::View(..))
    }

    /// Returns true if the input changes the indices of units.
    pub(super) fn renumbers(&self) -> bool {
        matches!(self, Self::AddUnits(_) | Self::RemoveUnits(_))
    }

    /// Returns the new generation, if the input replaces it.
    pub fn generation(&self) -> Option<&Arc<Generation>> {
        match self {
            Self::Generation(replacement) => Some(&replacement.generation),
            _ => None,
        }
    }

    /// Returns true if the input comes from files or sliders rather than from within the world.
    pub(super) fn is_of_rules(&self) -> bool {
        matches!(self, Self::Generation(_) | Self::Tune(..) | Self::Resume | Self::Remember(_))
    }

    /// Returns true if the input is repeated after a change of an earlier step. Rules and obstacles of the scene are
    /// those of the newest generation then.
    pub(super) fn is_made_again(&self) -> bool {
        !self.is_of_rules() && !matches!(self, Self::Obstacle(..))
    }

    /// Returns the approximate memory of the input's lists, bytes.
    pub fn list_bytes(&self) -> usize {
        match self {
            Self::MoveUnits(moved) => size_of_val(&**moved),
            Self::AddUnits(states) | Self::Remember(states) => states.iter().map(UnitState::bytes).sum(),
            Self::RemoveUnits(keys) => size_of_val(&**keys),
            _ => 0,
        }
    }

    /// Returns the approximate memory of the input, bytes, if `running` ran before it.
    pub(super) fn bytes(&self, running: &Generation) -> usize {
        let size = size_of::<(u64, Self)>();
        let Self::Generation(Replacement { generation, .. }) = self else {
            return size + self.list_bytes();
        };
        let known: Vec<_> = running.planned().filter_map(|planned| planned.behavior.as_ref()).collect();
        let new = generation.planned().filter_map(|planned| planned.behavior.as_ref());
        let new = new.filter(|behavior| !known.iter().any(|known| Arc::ptr_eq(known, behavior)));
        let is_edited = !Arc::ptr_eq(&generation.scene, &running.scene);
        let obstacles = if is_edited { size_of_val(&*generation.scene.world.obstacles) } else { 0 };
        size + size_of::<Generation>() + obstacles + new.count() * BEHAVIOR
    }
}
