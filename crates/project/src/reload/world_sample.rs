//! A sample of the running world, for trial runs, and the loader's request for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use steerbox_core::sim::Sample;
use steerbox_scene::Scene;

/// A sample of the running world.
#[derive(Clone, Debug)]
pub struct RunningWorld {
    /// The scene that runs.
    pub scene: Arc<Scene>,
    /// The world, and the memory of some of its units.
    pub sample: Sample,
}

/// The loader's request for a sample.
#[derive(Debug, Default)]
pub(super) struct SampleRequest {
    due: AtomicBool,
    /// Set by the first poll of the consumer; the loader does not wait for the sample before.
    is_polled: AtomicBool,
}

impl SampleRequest {
    pub(super) fn make(&self) {
        self.due.store(true, Ordering::Relaxed);
    }

    pub(super) fn withdraw(&self) {
        self.due.store(false, Ordering::Relaxed);
    }

    /// Returns true if a sample is due, and clears the request.
    pub(super) fn poll(&self) -> bool {
        self.is_polled.store(true, Ordering::Relaxed);
        self.due.swap(false, Ordering::Relaxed)
    }

    pub(super) fn is_polled(&self) -> bool {
        self.is_polled.load(Ordering::Relaxed)
    }
}
