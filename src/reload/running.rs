//! The world that runs, as new behaviors are tried on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::scene::{self, Scene};
use crate::sim::{Frozen, MemoryLayout, Sample};

/// What runs at this moment: a scene, and the world that was made of it.
#[derive(Clone, Debug)]
pub struct Running {
    /// The scene.
    pub scene: Arc<Scene>,
    /// The world, and what some of its units remember.
    pub sample: Sample,
}

/// How the loader asks whoever runs the simulation for it.
#[derive(Debug, Default)]
pub(super) struct Request {
    due: AtomicBool,
    /// Whether anybody ever looked here: nobody waits for those who never do.
    is_heard: AtomicBool,
}

impl Request {
    pub(super) fn make(&self) {
        self.due.store(true, Ordering::Relaxed);
    }

    pub(super) fn withdraw(&self) {
        self.due.store(false, Ordering::Relaxed);
    }

    /// Whether it is due; it is not any more after this.
    pub(super) fn take(&self) -> bool {
        self.is_heard.store(true, Ordering::Relaxed);
        self.due.swap(false, Ordering::Relaxed)
    }

    pub(super) fn is_heard(&self) -> bool {
        self.is_heard.load(Ordering::Relaxed)
    }
}

/// A world that behaviors of a scene are tried on.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    /// The scene whose world it is.
    pub(super) scene: Arc<Scene>,
    /// The state, sorted, so that units see each other.
    pub(super) frozen: Arc<Frozen>,
    /// What runs, and which of its units each unit was.
    running: Option<(Sample, Vec<Option<usize>>)>,
}

impl Stage {
    /// The world that runs, as it will be under `scene`; the start of `scene` if nothing runs.
    pub(super) fn set(scene: &Arc<Scene>, running: Option<&Running>) -> Self {
        let (world, running) = match running {
            None => (scene::build(scene, None), None),
            Some(Running { scene: old, sample }) => {
                let reconciled = scene::reconcile(old, scene, sample.world(), None);
                (reconciled.world, Some((sample.clone(), reconciled.origin)))
            }
        };
        let mut frozen = Frozen::new(world);
        frozen.sort();
        Self {
            scene: Arc::clone(scene),
            frozen: Arc::new(frozen),
            running,
        }
    }

    /// What a unit remembers for the behavior of a key, if it is known.
    pub(super) fn memory(&self, unit: usize, key: u64) -> Option<(&MemoryLayout, &[u32])> {
        let (sample, origin) = self.running.as_ref()?;
        sample.memory((*origin.get(unit)?)?, key)
    }
}
