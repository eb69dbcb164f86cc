//! The loader: what the files of a place hold, once or watched by a thread, as generations.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SendError, Sender};
use std::time::Duration;

use super::command::Command;
use super::contents::{interest, take};
use super::disk::Disk;
use super::place::Place;
use super::project::{LoadError, Project};
use super::running::Request;
use super::serve::{ENDED, Outbox, serve};
use super::spelling::respelled;
use super::{Generation, Handle, KnobName, Saved};
use crate::diagnostics::Fault;
use crate::scene::ParamValue;
use crate::script::Execution;

/// Stack of the loader's thread: scripts nest as deep as their limits allow.
const STACK: usize = 16 << 20;

/// A running loader. It ends when this is dropped.
pub struct Loader {
    commands: Sender<Command>,
    generations: Receiver<Generation>,
    answers: Receiver<Saved>,
    /// Answers what nobody is there to answer any more.
    answering: Sender<Saved>,
    /// The scene's file name.
    scene: String,
    request: Arc<Request>,
}

/// How the first generation is made.
type Compose = fn(&mut Project) -> Result<Generation, LoadError>;

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

    /// The same, with a say in how scripts run. Parameters may be spelled as the panel shows them.
    ///
    /// # Errors
    /// When the scene does not read.
    pub fn load_as(
        place: Place,
        tuned: Vec<(Handle, KnobName, ParamValue)>,
        execution: Execution,
    ) -> Result<(Project, Generation), LoadError> {
        Self::load_by(Project::compose, place, tuned, execution)
    }

    /// The same, for somebody who waits for a scene that does not work yet: the generation is empty
    /// then, and its number 0.
    ///
    /// # Errors
    /// When there is no scene.
    pub fn load_or_wait(
        place: Place,
        tuned: Vec<(Handle, KnobName, ParamValue)>,
        execution: Execution,
    ) -> Result<(Project, Generation), LoadError> {
        Self::load_by(Project::compose_or_wait, place, tuned, execution)
    }

    fn load_by(
        compose: Compose,
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
        for (handle, knob, value) in tuned.iter().cloned() {
            project.tune(handle, knob, value);
        }
        let generation = compose(&mut project)?;
        match respelled(&generation, tuned) {
            Some(exact) => Self::load_by(compose, project.place, exact, execution),
            None => Ok((project, generation)),
        }
    }

    /// Watches the files of a loaded project from now on.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(project: Project) -> std::io::Result<Self> {
        let (commands, inbox) = mpsc::channel();
        let (ready, generations) = mpsc::channel();
        let (answering, answers) = mpsc::channel();
        let outbox = Outbox {
            generations: ready,
            answers: answering.clone(),
        };
        let scene = project.place().scene_name();
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
            answers,
            answering,
            scene,
            request,
        })
    }

    /// Asks for something. [`Command::Save`] is answered by a generation or by [`Loader::answers`]; the
    /// others need no answer.
    pub fn ask(&self, command: Command) {
        if let Err(SendError(Command::Save)) = self.commands.send(command) {
            let _ = self.answering.send(Err(Fault::of_file(&self.scene, ENDED)));
        }
    }

    /// What came of writes where no generation tells of it; and why there will be no generation any more,
    /// if the loader has failed.
    pub fn answers(&self) -> impl Iterator<Item = Saved> {
        self.answers.try_iter()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_save_is_answered_also_when_nobody_is_there_any_more() {
        let place = Place::built_in("flock.ron");
        let (project, _) = Loader::load(place, Vec::new()).unwrap();
        let loader = Loader::start(project).unwrap();
        loader.ask(Command::Quit);
        // Its end hangs up.
        while loader.wait(Duration::from_mins(1)).is_some() {}
        loader.ask(Command::Save);
        let answers: Vec<_> = loader.answers().collect();
        assert!(matches!(&answers[..], [Err(fault)] if fault.message == ENDED));
    }
}
