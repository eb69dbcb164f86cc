//! The loader: a thread that watches the disk, compiles and checks, and hands over generations.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::disk::{Change, Disk, FileState as Content, Interest, ReadFault};
use super::place::{Place, file_name};
use super::project::{LoadError, Project};
use super::running::{Request, Running};
use super::{Generation, Handle, KnobName};
use crate::diagnostics::{Fault, line_and_column};
use crate::scene::ParamValue;
use crate::script::Execution;

/// Stack of the loader's thread: scripts nest as deep as their limits allow.
const STACK: usize = 16 << 20;
/// How long a content that counts waits for what runs.
const PATIENCE: Duration = Duration::from_millis(20);
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
fn interest(place: &Place) -> Interest {
    let mut interest = Interest::new();
    for folder in &place.folders {
        interest = interest.folder(folder, "rhai", SCRIPT_BYTES);
    }
    if let Some(scene) = &place.scene {
        interest = interest.file(scene, SCENE_BYTES);
    }
    interest
}

/// Watches, composes and hands over until nobody listens any more.
fn serve(
    mut project: Project,
    wake: Sender<Command>,
    request: &Arc<Request>,
    inbox: &Receiver<Command>,
    outbox: &Sender<Generation>,
) {
    let early = Arc::clone(request);
    let mut disk = Disk::new(interest(project.place()), move || {
        // Long before the content counts, so that nobody has to wait for it then.
        early.make();
        let _ = wake.send(Command::Look);
    });
    // What is on disk may have changed since it was loaded: everything is told again, and what was there
    // is told also when it is gone.
    for path in project.script_files() {
        disk.expect(&path);
    }
    let mut polling = None;
    let mut woken = false;
    loop {
        let mut patience = disk
            .next_deadline()
            .saturating_duration_since(Instant::now());
        if std::mem::take(&mut woken) {
            patience = Duration::ZERO;
        }
        let Some(mut due) = attend(&mut project, inbox, patience) else {
            return;
        };
        for change in disk.poll(Instant::now()) {
            take(&mut project, change);
        }
        let trouble = disk.polling();
        due |= polling != trouble || project.has_news();
        if due {
            if project.has_candidates() {
                match await_running(&mut project, request, inbox) {
                    Some(looked_for) => woken = looked_for,
                    None => return,
                }
            }
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

/// Carries out the commands that wait, or comes within `patience`; whether a new generation is due. `None`:
/// that was all.
fn attend(project: &mut Project, inbox: &Receiver<Command>, patience: Duration) -> Option<bool> {
    let first = match inbox.recv_timeout(patience) {
        Ok(command) => Some(command),
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => return None,
    };
    let mut due = false;
    // A slider sends a value a frame: only the last one is worth compiling.
    for command in first.into_iter().chain(inbox.try_iter()) {
        if matches!(command, Command::Quit) {
            return None;
        }
        due |= obey(project, command);
    }
    Some(due)
}

/// Waits a frame or two for what runs, if it is not here yet. Without it, new behaviors are tried on the
/// start of the scene. Returns whether the disk may have changed meanwhile; `None`: that was all.
fn await_running(
    project: &mut Project,
    request: &Request,
    inbox: &Receiver<Command>,
) -> Option<bool> {
    let patience = Instant::now() + PATIENCE;
    let mut woken = false;
    while request.is_heard() && !project.knows_running() {
        request.make();
        let left = patience.saturating_duration_since(Instant::now());
        match inbox.recv_timeout(left) {
            Ok(Command::Quit) | Err(RecvTimeoutError::Disconnected) => return None,
            // It is not said again before the disk has been looked at.
            Ok(Command::Look) => woken = true,
            Ok(command) => {
                obey(project, command);
            }
            Err(RecvTimeoutError::Timeout) => break,
        }
    }
    request.withdraw();
    Some(woken)
}

/// Carries out a command; whether a new generation is due.
fn obey(project: &mut Project, command: Command) -> bool {
    match command {
        Command::Look | Command::Quit => return false,
        Command::Run(running) => {
            project.set_running(*running);
            return false;
        }
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
        Content::Unreadable(fault) => Some(Err(unreadable(&name, &fault))),
    };
    if project.place().scene.as_ref() == Some(&change.path) {
        project.set_scene(text);
    } else if let Some((script, rank)) = project.place().script_at(&change.path) {
        project.set_script(&script, rank, text);
    }
}

fn unreadable(name: &str, fault: &ReadFault) -> Fault {
    let message = fault.to_string();
    match fault {
        ReadFault::NotUtf8(text) => {
            let place = line_and_column(text, text.len());
            Fault::at(name, text, place, message).help("save it as UTF-8")
        }
        _ => Fault::of_file(name, message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project() -> Project {
        Project::new(Place {
            scene: None,
            folders: Vec::new(),
        })
    }

    #[test]
    fn a_look_that_comes_while_others_are_waited_for_is_not_forgotten() {
        let (commands, inbox) = mpsc::channel();
        let request = Request::default();
        request.take();
        let mut project = project();
        assert_eq!(await_running(&mut project, &request, &inbox), Some(false));
        commands.send(Command::Look).unwrap();
        assert_eq!(await_running(&mut project, &request, &inbox), Some(true));
        commands.send(Command::Quit).unwrap();
        assert_eq!(await_running(&mut project, &request, &inbox), None);
    }

    #[test]
    fn the_end_is_heard_among_other_commands() {
        let (commands, inbox) = mpsc::channel();
        commands.send(Command::Look).unwrap();
        assert_eq!(attend(&mut project(), &inbox, PATIENCE), Some(false));
        for command in [Command::Look, Command::Quit, Command::Look] {
            commands.send(command).unwrap();
        }
        assert_eq!(attend(&mut project(), &inbox, PATIENCE), None);
    }
}
