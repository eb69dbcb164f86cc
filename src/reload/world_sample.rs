//! A sample of the running simulation, for trial runs, and how the loader requests it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::scene::Scene;
use crate::sim::Sample;

/// What runs at this moment: a scene, and the world that was made of it.
#[derive(Clone, Debug)]
pub struct RunningWorld {
    /// The scene.
    pub scene: Arc<Scene>,
    /// The world, and what some of its units remember.
    pub sample: Sample,
}

/// The loader's request for a sample.
#[derive(Debug, Default)]
pub(super) struct SampleRequest {
    due: AtomicBool,
    /// Set once the consumer has polled; until then the loader does not wait for it.
    is_polled: AtomicBool,
}

impl SampleRequest {
    pub(super) fn make(&self) {
        self.due.store(true, Ordering::Relaxed);
    }

    pub(super) fn withdraw(&self) {
        self.due.store(false, Ordering::Relaxed);
    }

    /// Whether it is due; it is not any more after this.
    pub(super) fn poll(&self) -> bool {
        self.is_polled.store(true, Ordering::Relaxed);
        self.due.swap(false, Ordering::Relaxed)
    }

    pub(super) fn is_polled(&self) -> bool {
        self.is_polled.load(Ordering::Relaxed)
    }
}
