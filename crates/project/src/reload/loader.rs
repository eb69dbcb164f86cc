//! The loader: composes generations from the files of a place, once or on a thread that watches them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SendError, Sender};
use std::time::Duration;

use steerbox_core::diagnostics::Fault;
use steerbox_script::Execution;

use super::command::Command;
use super::disk::FileWatcher;
use super::generation::{Generation, Saved};
use super::loader_thread::{ENDED, Outbox, serve};
use super::place::Place;
use super::project::{LoadError, Project};
use super::spelling::respelled;
use super::tuned::Setting;
use super::unsaved::{Checked, Written};
use super::world_sample::SampleRequest;

/// Stack of threads that run scripts, bytes: scripts nest as deep as their limits allow.
pub const SCRIPT_STACK: usize = 16 << 20;

/// A running loader. It ends when this is dropped.
pub struct Loader {
    commands: Sender<Command>,
    generations: Receiver<Generation>,
    answers: Receiver<Saved>,
    /// Sender of answers after the loader's thread has ended.
    answering: Sender<Saved>,
    drafts: Receiver<Generation>,
    checked: Receiver<Checked>,
    written: Receiver<Written>,
    wants_drafts: Arc<AtomicBool>,
    rewritten: Arc<AtomicBool>,
    /// File name of the scene.
    scene: String,
    request: Arc<SampleRequest>,
}

/// Function that composes the first generation.
type Compose = fn(&mut Project) -> Result<Generation, LoadError>;

impl Loader {
    /// Reads and compiles everything at `place`; `tuned` overrides values of the files.
    ///
    /// # Errors
    /// If the scene has errors.
    pub fn load(place: Place, tuned: Vec<Setting>) -> Result<(Project, Generation), LoadError> {
        Self::load_as(place, tuned, Execution::default())
    }

    /// Like [`Loader::load`], with this execution of scripts. Parameters may be spelled as in the panel.
    ///
    /// # Errors
    /// If the scene has errors.
    pub fn load_as(
        place: Place,
        tuned: Vec<Setting>,
        execution: Execution,
    ) -> Result<(Project, Generation), LoadError> {
        Self::load_by(Project::compose, place, tuned, execution)
    }

    /// Like [`Loader::load_as`]; a scene with errors results in an empty generation, number 0.
    ///
    /// # Errors
    /// If there is no scene.
    pub fn load_or_wait(
        place: Place,
        tuned: Vec<Setting>,
        execution: Execution,
    ) -> Result<(Project, Generation), LoadError> {
        Self::load_by(Project::compose_or_wait, place, tuned, execution)
    }

    fn load_by(
        compose: Compose,
        place: Place,
        tuned: Vec<Setting>,
        execution: Execution,
    ) -> Result<(Project, Generation), LoadError> {
        let mut files = FileWatcher::unwatched(place.watch_set());
        let mut project = Project::new(place).executing(execution);
        for change in files.read_all() {
            project.set(change);
        }
        for (handle, knob, value) in tuned.iter().cloned() {
            project.tune(handle, knob, value);
        }
        let generation = compose(&mut project)?;
        match respelled(&generation, tuned) {
            Some(exact) => Self::load_by(compose, project.place().clone(), exact, execution),
            None => Ok((project, generation)),
        }
    }

    /// Watches the files of a loaded project from now on.
    ///
    /// # Errors
    /// If the system provides no thread.
    pub fn start(project: Project) -> std::io::Result<Self> {
        let (commands, inbox) = mpsc::channel();
        let (ready, generations) = mpsc::channel();
        let (answering, answers) = mpsc::channel();
        let (drafting, drafts) = mpsc::channel();
        let (checking, checked) = mpsc::channel();
        let (writing, written) = mpsc::channel();
        let (wants_drafts, rewritten) = <(Arc<AtomicBool>, Arc<AtomicBool>)>::default();
        let outbox = Outbox {
            generations: ready,
            answers: answering.clone(),
            drafts: drafting,
            checked: checking,
            written: writing,
            wants_drafts: Arc::clone(&wants_drafts),
            rewritten: Arc::clone(&rewritten),
        };
        let scene = project.place().scene_name();
        let wake = commands.clone();
        let request = Arc::new(SampleRequest::default());
        let polled = Arc::clone(&request);
        let thread = std::thread::Builder::new().name("loader".to_owned()).stack_size(SCRIPT_STACK);
        thread.spawn(move || serve(project, wake, &polled, &inbox, &outbox))?;
        Ok(Self {
            commands,
            generations,
            answers,
            answering,
            drafts,
            checked,
            written,
            wants_drafts,
            rewritten,
            scene,
            request,
        })
    }

    /// Sends a command; returns false if the loader's thread has ended. [`Command::Save`] is answered by a generation
    /// or by [`Loader::answers`], even then; the others need no answer.
    pub fn send(&self, command: Command) -> bool {
        let sent = self.commands.send(command);
        if let Err(SendError(Command::Save)) = &sent {
            let _ = self.answering.send(Err(Fault::of_file(&self.scene, ENDED)));
        }
        sent.is_ok()
    }

    /// Returns the results of saves that come without a generation, and the reason why no generation will follow, if
    /// the loader has failed.
    pub fn answers(&self) -> impl Iterator<Item = Saved> {
        self.answers.try_iter()
    }

    /// Returns true if [`Command::Sample`] is due: a file has begun to change, and new behaviors need the running
    /// world for trial runs. After the first call, new behaviors wait for the sample: call it every frame.
    pub fn wants_sample(&self) -> bool {
        self.request.poll()
    }

    /// Enables or disables drafts of saves.
    pub fn want_drafts(&self, wanted: bool) {
        self.wants_drafts.store(wanted, Ordering::Relaxed);
    }

    /// Returns true, once, if a file was saved with the content that it had.
    pub fn take_rewritten(&self) -> bool {
        self.rewritten.swap(false, Ordering::Relaxed)
    }

    /// Returns the draft of the last save or of the last text that was checked, without trial runs, if it differs from
    /// what runs. A generation like it follows, another one, or none.
    pub fn draft(&self) -> Option<Generation> {
        self.drafts.try_iter().last()
    }

    /// Returns the results of [`Command::Check`]; of several texts sent at once, only the last is checked.
    pub fn checked(&self) -> impl Iterator<Item = Checked> {
        self.checked.try_iter()
    }

    /// Returns the results of [`Command::Write`].
    pub fn written(&self) -> impl Iterator<Item = Written> {
        self.written.try_iter()
    }

    /// Returns the generations that are ready, oldest first.
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
        self.send(Command::Quit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_save_is_answered_also_when_the_thread_has_ended() {
        let place = Place::built_in("flock.ron");
        let (project, _) = Loader::load(place, Vec::new()).unwrap();
        let loader = Loader::start(project).unwrap();
        loader.send(Command::Quit);
        // Its end closes the channel.
        while loader.wait(Duration::from_mins(1)).is_some() {}
        loader.send(Command::Save);
        let answers: Vec<_> = loader.answers().collect();
        assert!(matches!(&answers[..], [Err(fault)] if fault.message == ENDED));
    }

    #[test]
    fn a_save_is_sent_as_a_draft_and_runs_like_it() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("cohesion.rhai");
        std::fs::write(&script, "fn steer(me, world) { vec(1, 0) }").unwrap();
        let place = Place { folders: vec![folder.path().to_owned()], ..Place::built_in("flock.ron") };
        let (project, _) = Loader::load(place, Vec::new()).unwrap();
        let loader = Loader::start(project).unwrap();
        loader.want_drafts(true);
        // The first save shows that the files are watched.
        std::fs::write(&script, "fn steer(me, world) { vec(0, 1) }").unwrap();
        while loader.wait(Duration::from_mins(1)).unwrap().changed != ["cohesion"] {}
        let _ = loader.draft();
        std::fs::write(&script, "fn steer(me, world) { vec(1, 1) }").unwrap();
        let draft = loader.drafts.recv_timeout(Duration::from_mins(1)).unwrap();
        assert_eq!(draft.changed, ["cohesion"]);
        let next = loader.wait(Duration::from_mins(1)).unwrap();
        assert_eq!(next.changed, ["cohesion"]);
        assert!(draft.runs_like(&next), "the draft is compiled once");
    }
}
