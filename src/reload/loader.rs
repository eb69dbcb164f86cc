//! The loader: what the files of a place hold, once or watched by a thread, as generations.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use super::disk::{Disk, Interest};
use super::place::Place;
use super::project::{LoadError, Project};
use super::running::{Request, Running};
use super::serve::{serve, take};
use super::{Generation, Handle, KnobName, Moved};
use crate::scene::ParamValue;
use crate::script::Execution;

/// Stack of the loader's thread: scripts nest as deep as their limits allow.
const STACK: usize = 16 << 20;
/// Most bytes of a script that are read; what is longer is refused as too long.
const SCRIPT_BYTES: u64 = 64 * 1024;
/// Most bytes of a scene that are read.
const SCENE_BYTES: u64 = 4 << 20;

/// What the loader is asked for.
#[derive(Clone, Debug)]
pub enum Command {
    /// The disk may have changed.
    Look,
    /// Tune a value.
    Tune(Handle, KnobName, ParamValue),
    /// Return a value to the file's.
    Untune(Handle, KnobName),
    /// What runs, since it was [wanted](Loader::wants_running).
    Run(Box<Running>),
    /// Move an obstacle.
    Move(Moved),
    /// Return an obstacle to the file's place.
    Unmove(usize),
    /// Write what is tuned into the scene's file.
    Save,
    /// End.
    Quit,
}

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

/// The files of a place.
pub(super) fn interest(place: &Place) -> Interest {
    let mut interest = scripts_in(&place.folders);
    if let Some(scene) = &place.scene {
        interest = interest.file(scene, SCENE_BYTES);
    }
    interest
}

/// The scripts of folders.
pub(super) fn scripts_in(folders: &[PathBuf]) -> Interest {
    let mut interest = Interest::new();
    for folder in folders {
        interest = interest.folder(folder, "rhai", SCRIPT_BYTES);
    }
    interest
}
