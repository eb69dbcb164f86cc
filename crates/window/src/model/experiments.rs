//! The experiments of the project: their names, and the check of one in the editor.
//!
//! A check compiles the scene of the experiment, so that it has a thread of its own: the loader checks files of the running
//! scene alone, and a frame does not wait for either.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;

use steerbox_project::language::Workspace;
use steerbox_project::reload::{Checked, Place, SCRIPT_STACK};

/// The experiments of the project.
#[derive(Debug, Default)]
pub(crate) struct Experiments {
    /// Their names in messages, as read last.
    pub(crate) names: Vec<String>,
    /// The result of the check that runs.
    running: Option<Receiver<Checked>>,
    /// The number of the generation of the last checks.
    generation: u64,
}

impl Experiments {
    /// Reads the names again. Returns true if they changed.
    pub(crate) fn read(&mut self, place: &Place) -> bool {
        let before = std::mem::replace(&mut self.names, place.experiments());
        before != self.names
    }

    /// Returns true if files of the scene may have changed since the last checks.
    pub(crate) fn is_outdated(&mut self, generation: u64) -> bool {
        std::mem::replace(&mut self.generation, generation) != generation
    }

    /// Returns true if no check runs.
    pub(crate) fn is_idle(&self) -> bool {
        self.running.is_none()
    }

    /// Starts the check of a text, with the files of a workspace that contains it at `path`.
    pub(crate) fn check(&mut self, workspace: Workspace, path: PathBuf, (name, text): (String, Arc<str>)) {
        let (sender, result) = channel();
        let check = move || {
            let faults = workspace.check_experiment(&path).faults;
            // The receiver may be gone.
            let _ = sender.send(Checked { name, text, faults });
        };
        // Without a thread, the channel is closed.
        let _ = thread::Builder::new().name("experiment".to_owned()).stack_size(SCRIPT_STACK).spawn(check);
        self.running = Some(result);
    }

    /// Returns the result of a check that has ended.
    pub(crate) fn checked(&mut self) -> Option<Checked> {
        match self.running.as_ref()?.try_recv() {
            Err(TryRecvError::Empty) => None,
            ended => {
                self.running = None;
                ended.ok()
            }
        }
    }
}
