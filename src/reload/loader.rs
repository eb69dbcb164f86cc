//! The loader: what the files of a place hold, once or watched by a thread, as generations.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use super::command::Command;
use super::contents::{interest, take};
use super::disk::Disk;
use super::place::Place;
use super::project::{LoadError, Project};
use super::running::Request;
use super::serve::serve;
use super::{Generation, Handle, KnobName};
use crate::scene::ParamValue;
use crate::script::Execution;

/// Stack of the loader's thread: scripts nest as deep as their limits allow.
const STACK: usize = 16 << 20;

/// A running loader. It ends when this is dropped.
pub struct Loader {
    commands: Sender<Command>,
    generations: Receiver<Generation>,
    request: Arc<Request>,
}

impl Loader {
    /// Reads and compiles everything at `place`, with `tuned` values in place of the files'.
    ///
    /// # Errors
    /// When the scene does not read.
    pub fn load(
        place: Place,
        tuned: Vec<(Handle, KnobName, ParamValue)>,
    ) -> Result<(Project, Generation), LoadError> {
        Self::load_as(place, tuned, Execution::default())
    }

    /// The same, with a say in how scripts run.
    ///
    /// # Errors
    /// When the scene does not read.
    pub fn load_as(
        place: Place,
        tuned: Vec<(Handle, KnobName, ParamValue)>,
        execution: Execution,
    ) -> Result<(Project, Generation), LoadError> {
        let mut disk = Disk::unwatched(interest(&place));
        let mut project = Project::new(place);
        project.compiled.execution = execution;
        for change in disk.read_all() {
            take(&mut project, change);
        }
        for (handle, knob, value) in tuned {
            project.tune(handle, knob, value);
        }
        let generation = project.compose()?;
        Ok((project, generation))
    }

    /// Watches the files of a loaded project from now on.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(project: Project) -> std::io::Result<Self> {
        let (commands, inbox) = mpsc::channel();
        let (outbox, generations) = mpsc::channel();
        let wake = commands.clone();
        let request = Arc::new(Request::default());
        let heard = Arc::clone(&request);
        let thread = std::thread::Builder::new()
            .name("loader".to_owned())
            .stack_size(STACK);
        thread.spawn(move || serve(project, wake, &heard, &inbox, &outbox))?;
        Ok(Self {
            commands,
            generations,
            request,
        })
    }

    /// Asks for something; a loader that has died is not told.
    pub fn ask(&self, command: Command) {
        let _ = self.commands.send(command);
    }

    /// Whether it would try new behaviors on what runs: [`Command::Run`] is then due. A file has begun
    /// to change. To be asked every frame; the loader waits for nobody who does not.
    pub fn wants_running(&self) -> bool {
        self.request.take()
    }

    /// The generations that have become ready, oldest first.
    pub fn ready(&self) -> impl Iterator<Item = Generation> {
        self.generations.try_iter()
    }

    /// Waits for the next generation, at most `patience`.
    pub fn wait(&self, patience: Duration) -> Option<Generation> {
        self.generations.recv_timeout(patience).ok()
    }
}

impl Drop for Loader {
    fn drop(&mut self) {
        self.ask(Command::Quit);
    }
}
