//! Options of a session.

use steerbox_script::Execution;

use super::history::Keep;
use super::stored::{Moment, ReplayFile};
use crate::reload::{Place, Setting};

/// Receives one line of JSON for every reload event and every failure.
pub type EventSink = Box<dyn FnMut(&str) + Send>;

/// Options of a session.
pub struct Options {
    /// Location of the scene and its scripts.
    pub place: Place,
    /// Values that override those of the files.
    pub settings: Vec<Setting>,
    /// Receives every reload event as one line of JSON.
    pub events: Option<EventSink>,
    /// Seed that overrides that of the scene.
    pub seed: Option<u64>,
    /// Number of threads for decisions; one for each processor if `None`.
    pub threads: Option<usize>,
    /// Execution of scripts: compiled or interpreted.
    pub execution: Execution,
    /// Limits of the history.
    pub keep: Keep,
    /// The start of the run.
    pub start: Start,
    /// The scene and scripts on disk, if those of a moment differ from them and neither was chosen: the window offers both.
    pub changed: Option<ChangedRules>,
}

/// A scene and scripts on disk that are not as they were in a moment.
#[derive(Clone, Debug)]
pub struct ChangedRules {
    /// Their location.
    pub place: Place,
    /// File names of the texts that differ.
    pub names: Vec<String>,
}

/// The start of a run.
#[derive(Clone, Default)]
pub enum Start {
    /// That of the scene.
    #[default]
    Scene,
    /// A moment of another run, which continues under the scene and scripts of the place.
    Moment(Box<Moment>),
    /// That of a recorded run, which is repeated with its own scene and scripts.
    Replay(Box<ReplayFile>),
}

impl Options {
    /// Returns the options of the scene at `place` without overrides.
    pub fn new(place: Place) -> Self {
        Self {
            place,
            settings: Vec::new(),
            events: None,
            seed: None,
            threads: None,
            execution: Execution::default(),
            keep: Keep::NOTHING,
            start: Start::Scene,
            changed: None,
        }
    }

    /// Returns the options of a moment under its own scene and scripts.
    pub fn at(moment: Moment) -> Self {
        let (settings, seed) = (moment.settings.clone(), moment.seed);
        let place = moment.place();
        Self { settings, seed, start: Start::Moment(Box::new(moment)), ..Self::new(place) }
    }

    /// Returns the options of a moment that continues under the scene and scripts at `place`.
    pub fn continued(moment: Moment, place: Place) -> Self {
        Self { seed: moment.seed, start: Start::Moment(Box::new(moment)), ..Self::new(place) }
    }

    /// Returns the options of a recorded run.
    pub fn of_replay(replay: ReplayFile) -> Self {
        let (place, seed) = (replay.start.place(), replay.start.seed);
        Self { seed, start: Start::Replay(Box::new(replay)), ..Self::new(place) }
    }
}
