//! A moment of a run: texts, values and state, from which the run continues exactly.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use steerbox_core::diagnostics::Fault;
use steerbox_core::sim::{SavedState, Simulation};
use steerbox_scene::MAX_UNITS;
use steerbox_script::Execution;

use super::envelope::{self, StoredError, StoredKind};
use crate::reload::{Generation, Loader, Place, Setting, Texts};

/// A moment of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// Version of the program that wrote it.
    pub program: String,
    /// The scene and its scripts.
    pub texts: Texts,
    /// Values that override those of the texts.
    pub settings: Vec<Setting>,
    /// Seed that overrides that of the scene, for new units.
    pub seed: Option<u64>,
    pub(super) state: SavedState,
    /// The state hash.
    pub hash: u64,
}

impl Moment {
    /// Records the state of a simulation that runs `generation`.
    ///
    /// # Errors
    /// If an edit of the scene cannot be written as text.
    pub fn of(generation: &Generation, simulation: &Simulation, seed: Option<u64>) -> Result<Self, Fault> {
        Ok(Self {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            texts: generation.texts()?,
            settings: generation.overrides().collect(),
            seed,
            state: simulation.saved_state(),
            hash: simulation.hash(),
        })
    }

    /// Returns the moment as the bytes of a file.
    ///
    /// # Errors
    /// If it is too large.
    pub fn to_bytes(&self) -> Result<Vec<u8>, StoredError> {
        envelope::seal(StoredKind::State, self, &self.state.changes)
    }

    /// Reads a moment from the bytes of a file.
    ///
    /// # Errors
    /// If it is not a moment, is damaged, or contains what no run has.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StoredError> {
        let (mut moment, changes): (Self, _) = envelope::open(StoredKind::State, bytes)?;
        moment.state.changes = changes;
        moment.check()?;
        Ok(moment)
    }

    /// Checks everything that can be checked without the scene.
    pub(super) fn check(&self) -> Result<(), StoredError> {
        self.texts.check().map_err(StoredError::Content)?;
        if self.state.units() > MAX_UNITS {
            let message = format!("it has {} units, the limit is {MAX_UNITS}", self.state.units());
            return Err(StoredError::Content(message));
        }
        Ok(())
    }

    /// Returns its texts and values.
    pub(super) fn rules(&self) -> (Texts, Vec<Setting>) {
        (self.texts.clone(), self.settings.clone())
    }

    /// The number of steps before it.
    pub fn steps(&self) -> u64 {
        self.state.steps
    }

    /// Returns the place of its scene and scripts.
    pub fn place(&self) -> Place {
        Place::of_texts(self.texts.clone())
    }

    /// Starts a simulation of its own scene and scripts, loaded as `generation`, with its state.
    ///
    /// # Errors
    /// If the state does not fit the scene, or has another hash.
    pub fn start(&self, generation: &Generation) -> Result<Simulation, StoredError> {
        let mut simulation = generation.start(self.seed);
        let loaded = simulation.load_state(&self.state);
        loaded.map_err(|error| StoredError::Content(error.to_string()))?;
        let hash = simulation.hash();
        if hash != self.hash {
            let message = format!("the state has the hash {hash:016x}, not {:016x} as it states", self.hash);
            return Err(StoredError::Content(message));
        }
        // The hash is that of the names of the state, which an older version may have left there.
        generation.names.set_in_running(&mut simulation);
        Ok(simulation)
    }

    /// Starts a simulation that continues under another scene, other scripts or other `settings`, loaded as
    /// `generation`, as after a reload.
    ///
    /// If its own rules have errors, as they may under another version of the program, its state continues directly under
    /// `generation`.
    ///
    /// # Errors
    /// If its own rules have errors and its state does not fit `generation` either.
    pub fn start_under(
        &self,
        generation: &Generation,
        settings: &[Setting],
        execution: Execution,
    ) -> Result<Simulation, StoredError> {
        let is_own = generation.texts().is_ok_and(|texts| texts == self.texts);
        if is_own && *settings == self.settings {
            return self.start(generation);
        }
        let loaded = Loader::load_as(self.place(), self.settings.clone(), execution);
        let (mut simulation, before) = match loaded {
            Ok((_, own)) => (self.start(&own)?, own.scene),
            Err(error) => {
                let mut simulation = generation.start(self.seed);
                let loaded = simulation.load_state(&self.state);
                loaded.map_err(|_| StoredError::of_rules(&error))?;
                (simulation, Arc::clone(&generation.scene))
            }
        };
        generation.swap_into(&mut simulation, &before, self.seed);
        simulation.resume();
        Ok(simulation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reload::{Loader, embedded_scenes};
    use crate::session::{Options, Session};

    #[test]
    fn every_shipped_scene_continues_from_a_file_exactly() {
        for (name, _) in embedded_scenes() {
            let place = Place::built_in(name);
            let options = Options { threads: Some(1), seed: Some(5), ..Options::new(place) };
            let mut session: Session = Session::open(options).unwrap();
            (0..30).for_each(|_| session.simulation.replace().simulation.step());
            let moment = Moment::of(&session.generation, &session.simulation, Some(5)).unwrap();
            let moment = Moment::from_bytes(&moment.to_bytes().unwrap()).unwrap();
            let (_, generation) = Loader::load(moment.place(), moment.settings.clone()).unwrap();
            let mut other = moment.start(&generation).unwrap();
            let one = &mut session.simulation.replace().simulation;
            assert_eq!(one.world().population, other.world().population, "{name}");
            (0..30).for_each(|_| (one.step(), other.step()).0);
            assert_eq!(one.hash(), other.hash(), "{name}");
        }
    }

    #[test]
    fn a_state_with_another_hash_is_rejected() {
        let (_, generation) = Loader::load(Place::built_in("flock.ron"), Vec::new()).unwrap();
        let moment = Moment::of(&generation, &generation.start(None), None).unwrap();
        let other = Moment { hash: 1, ..moment };
        assert!(other.start(&generation).is_err());
    }
}
