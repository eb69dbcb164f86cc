//! The loader: a thread that watches the disk, compiles and checks, and hands over generations.

use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::disk::{Change, Disk, FileState as Content, Interest, ReadFault};
use super::place::{Place, file_name};
use super::project::{LoadError, Project};
use super::{Generation, Handle, KnobName};
use crate::diagnostics::{Fault, line_and_column};
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
    /// End.
    Quit,
}

/// A running loader. It ends when this is dropped.
pub struct Loader {
    commands: Sender<Command>,
    generations: Receiver<Generation>,
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
        let thread = std::thread::Builder::new()
            .name("loader".to_owned())
            .stack_size(STACK);
        thread.spawn(move || serve(project, wake, &inbox, &outbox))?;
        Ok(Self {
            commands,
            generations,
        })
    }

    /// Asks for something; a loader that has died is not told.
    pub fn ask(&self, command: Command) {
        let _ = self.commands.send(command);
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
fn interest(place: &Place) -> Interest {
    Interest {
        files: place
            .scene
            .iter()
            .map(|scene| (scene.clone(), SCENE_BYTES))
            .collect(),
        ..scripts_in(place.folders.clone())
    }
}

/// The scripts of folders.
pub(super) fn scripts_in(folders: Vec<PathBuf>) -> Interest {
    let folders = folders.into_iter();
    Interest {
        folders: folders
            .map(|folder| (folder, "rhai", SCRIPT_BYTES))
            .collect(),
        files: Vec::new(),
    }
}

/// Watches, composes and hands over until nobody listens any more.
fn serve(
    mut project: Project,
    wake: Sender<Command>,
    inbox: &Receiver<Command>,
    outbox: &Sender<Generation>,
) {
    let mut disk = Disk::new(interest(project.place()), move || {
        let _ = wake.send(Command::Look);
    });
    // What is on disk may have changed since it was loaded: everything is taken as news once.
    for change in disk.read_all() {
        take(&mut project, change);
    }
    let mut polling = None;
    loop {
        let patience = disk
            .next_deadline()
            .saturating_duration_since(Instant::now());
        let mut due = false;
        match inbox.recv_timeout(patience) {
            Ok(Command::Quit) | Err(RecvTimeoutError::Disconnected) => return,
            Ok(command) => {
                due |= obey(&mut project, command);
                // A slider sends a value a frame: only the last one is worth compiling.
                for command in inbox.try_iter() {
                    due |= obey(&mut project, command);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        for change in disk.poll(Instant::now()) {
            take(&mut project, change);
            due = true;
        }
        let trouble = disk.polling();
        due |= polling != trouble || project.has_news();
        if due {
            polling = trouble;
            if let Ok(mut generation) = project.compose() {
                generation.polling.clone_from(&polling);
                if outbox.send(generation).is_err() {
                    return;
                }
            }
        }
    }
}

/// Carries out a command; whether a new generation is due.
fn obey(project: &mut Project, command: Command) -> bool {
    match command {
        Command::Look | Command::Quit => return false,
        Command::Tune(handle, knob, value) => project.tune(handle, knob, value),
        Command::Untune(handle, knob) => project.untune(&handle, &knob),
    }
    true
}

/// Hands a content to the project.
fn take(project: &mut Project, change: Change) {
    let name = file_name(&change.path);
    let text = match change.state {
        Content::Content(text) => Some(Ok(text)),
        Content::Missing => None,
        Content::Unreadable(fault) => Some(Err(unreadable(&name, &change.path, &fault))),
    };
    if project.place().scene.as_ref() == Some(&change.path) {
        project.set_scene(text);
    } else if let Some((script, rank)) = project.place().script_at(&change.path) {
        project.set_script(&script, rank, text);
    }
}

fn unreadable(name: &str, path: &PathBuf, fault: &ReadFault) -> Fault {
    let message = fault.to_string();
    match fault {
        ReadFault::NotUtf8(offset) => {
            let bytes = std::fs::read(path).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes[..(*offset).min(bytes.len())]).into_owned();
            let place = line_and_column(&text, text.len());
            Fault::at(name, &text, place, message).help("save it as UTF-8")
        }
        _ => Fault::of_file(name, message),
    }
}
