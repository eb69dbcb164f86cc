//! The loader's thread: it watches the disk, compiles and checks, carries out commands, and hands over
//! generations.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::command::Command;
use super::contents::{interest, take};
use super::disk::Disk;
use super::project::{LoadError, Project};
use super::replace::tidy;
use super::running::Request;
use super::{Generation, Saved};
use crate::diagnostics::{Fault, caught};

/// How long a content that counts waits for what runs.
const PATIENCE: Duration = Duration::from_millis(20);

/// What is told when the loader's thread fails.
pub(super) const ENDED: &str = "reloading has failed: no file is reloaded or saved any more";

/// Where the loader's thread tells what it did.
pub(super) struct Outbox {
    pub(super) generations: Sender<Generation>,
    /// Answers that no generation brings.
    pub(super) answers: Sender<Saved>,
}

/// Watches, composes and hands over until nobody listens any more. If that fails, it is told as an answer:
/// whoever waits for one learns that there will be none.
pub(super) fn serve(
    project: Project,
    wake: Sender<Command>,
    request: &Arc<Request>,
    inbox: &Receiver<Command>,
    outbox: &Outbox,
) {
    let name = project.place().scene_name();
    let served = guarded(&name, ENDED, || {
        watch(project, wake, request, inbox, outbox);
        Ok(Vec::new())
    });
    if served.is_err() {
        let _ = outbox.answers.send(served);
    }
}

fn watch(
    mut project: Project,
    wake: Sender<Command>,
    request: &Arc<Request>,
    inbox: &Receiver<Command>,
    outbox: &Outbox,
) {
    let early = Arc::clone(request);
    let mut disk = Disk::new(interest(project.place()), move || {
        // Long before the content counts, so that nobody has to wait for it then.
        early.make();
        let _ = wake.send(Command::Look);
    });
    if let Some(scene) = &project.place().scene {
        tidy(scene);
    }
    // What is on disk may have changed since it was loaded: everything is told again, and what was there
    // is told also when it is gone.
    for path in project.script_files() {
        disk.expect(&path);
    }
    let (mut polling, mut later) = (None, Vec::new());
    loop {
        let mut patience = disk
            .next_deadline()
            .saturating_duration_since(Instant::now());
        if !later.is_empty() {
            patience = Duration::ZERO;
        }
        let Some(Asked {
            mut due,
            save,
            quit,
        }) = attend(&mut project, inbox, std::mem::take(&mut later), patience)
        else {
            return;
        };
        let saved = save.then(|| {
            let name = project.place().scene_name();
            let saving = || write_back(&mut project, &mut disk, polling.as_ref(), outbox);
            guarded(&name, "saving has failed", saving)
        });
        due |= save;
        if quit {
            return;
        }
        for change in disk.poll(Instant::now()) {
            take(&mut project, change);
        }
        let trouble = disk.polling();
        due |= polling != trouble || project.has_news();
        if due {
            if project.has_candidates() {
                later = await_running(&mut project, request, inbox);
            }
            polling = trouble;
            if !hand_over(project.compose_or_wait(), polling.as_ref(), saved, outbox) {
                return;
            }
        }
    }
}

/// Hands over a generation with the answer to a save, or the answer alone; whether anybody listens.
fn hand_over(
    composed: Result<Generation, LoadError>,
    polling: Option<&String>,
    saved: Option<Saved>,
    outbox: &Outbox,
) -> bool {
    match (composed, saved) {
        (Ok(mut generation), saved) => {
            generation.polling = polling.cloned();
            generation.saved = saved;
            outbox.generations.send(generation).is_ok()
        }
        (Err(_), Some(saved)) => outbox.answers.send(saved).is_ok(),
        (Err(_), None) => true,
    }
}

/// What commands ask for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Asked {
    /// A new generation.
    due: bool,
    /// That what is tuned be written.
    save: bool,
    /// The end, once it is written.
    quit: bool,
}

/// Carries out `later`, the commands that wait, and what comes within `patience`. `None` if nobody can ask
/// for anything any more.
fn attend(
    project: &mut Project,
    inbox: &Receiver<Command>,
    mut later: Vec<Command>,
    patience: Duration,
) -> Option<Asked> {
    match inbox.recv_timeout(patience) {
        Err(RecvTimeoutError::Disconnected) => return None,
        Ok(command) => later.push(command),
        Err(RecvTimeoutError::Timeout) => {}
    }
    let mut asked = Asked::default();
    // A slider sends a value a frame: only the last one is worth compiling.
    for command in later.into_iter().chain(inbox.try_iter()) {
        asked.save |= matches!(command, Command::Save);
        asked.quit |= matches!(command, Command::Quit);
        asked.due |= obey(project, command);
    }
    Some(asked)
}

/// Waits a frame or two for what runs, if it is not here yet; the answer is what was asked for meanwhile.
/// Without it, new behaviors are tried on the start of the scene.
fn await_running(
    project: &mut Project,
    request: &Request,
    inbox: &Receiver<Command>,
) -> Vec<Command> {
    let (patience, mut later) = (Instant::now() + PATIENCE, Vec::new());
    while request.is_heard() && !project.knows_running() {
        request.make();
        let left = patience.saturating_duration_since(Instant::now());
        match inbox.recv_timeout(left) {
            Ok(Command::Run(running)) => project.set_running(*running),
            Ok(command) => later.push(command),
            Err(_) => break,
        }
    }
    request.withdraw();
    later
}

/// Does what has to be answered, also if it meets a bug of ours.
fn guarded(name: &str, message: &str, work: impl FnOnce() -> Saved) -> Saved {
    let help = "this is a bug in steerbox: please report it";
    caught(work).unwrap_or_else(|| Err(Fault::of_file(name, message).help(help)))
}

/// Writes what is tuned into the scene's file, and hands over what that file brought itself.
fn write_back(
    project: &mut Project,
    disk: &mut Disk,
    polling: Option<&String>,
    outbox: &Outbox,
) -> Saved {
    let scene = project.place().scene.clone();
    project.save(&mut |text, generation| {
        if let Some(scene) = &scene {
            disk.know(scene, &text);
        }
        if let Some(mut generation) = generation {
            generation.polling = polling.cloned();
            let _ = outbox.generations.send(generation);
        }
    })
}

/// Carries out a command; whether a new generation is due.
fn obey(project: &mut Project, command: Command) -> bool {
    match command {
        Command::Look | Command::Save | Command::Quit => return false,
        Command::Run(running) => {
            project.set_running(*running);
            return false;
        }
        Command::Tune(handle, knob, value) => project.tune(handle, knob, value),
        Command::Switch(handle, on) => project.switch(handle, on),
        Command::Untune(handle, knob) => project.untune(&handle, &knob),
        Command::Move(moved) => project.move_obstacle(moved),
        Command::Unmove(at) => project.return_obstacle(at),
    }
    true
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::diagnostics::panics_are_wanted;
    use crate::reload::Place;

    fn project() -> Project {
        Project::new(Place::built_in("flock.ron"))
    }

    #[test]
    fn what_is_asked_while_the_world_is_waited_for_is_not_forgotten() {
        let (commands, inbox) = mpsc::channel();
        let request = Request::default();
        request.take();
        let mut project = project();
        assert!(await_running(&mut project, &request, &inbox).is_empty());
        for command in [Command::Look, Command::Save, Command::Quit] {
            commands.send(command).unwrap();
        }
        let later = await_running(&mut project, &request, &inbox);
        assert!(matches!(
            later[..],
            [Command::Look, Command::Save, Command::Quit]
        ));
    }

    #[test]
    fn a_save_is_answered_also_where_nothing_composes() {
        let (generations, ready) = mpsc::channel();
        let (answers, answered) = mpsc::channel();
        let outbox = Outbox {
            generations,
            answers,
        };
        let saved = || Some(Err(Fault::of_file("s.ron", "no")));
        let nothing = || Err(LoadError(Vec::new()));
        assert!(hand_over(nothing(), None, saved(), &outbox));
        assert!(answered.try_recv().is_ok() && ready.try_recv().is_err());
        assert!(hand_over(nothing(), None, None, &outbox));
        let mut project = project();
        assert!(hand_over(project.compose(), None, saved(), &outbox));
        assert!(
            ready
                .try_recv()
                .is_ok_and(|generation| generation.saved.is_some())
        );
        assert!(answered.try_recv().is_err());
    }

    #[test]
    fn a_panic_is_an_answer() {
        // Without a word on standard error.
        let panicking = || std::panic::resume_unwind(Box::new(()));
        let saved = panics_are_wanted(|| guarded("s.ron", ENDED, panicking));
        assert_eq!(saved.unwrap_err().message, ENDED);
        assert_eq!(guarded("s.ron", ENDED, || Ok(Vec::new())), Ok(Vec::new()));
    }

    #[test]
    fn the_end_is_heard_among_other_commands() {
        let (commands, inbox) = mpsc::channel();
        commands.send(Command::Look).unwrap();
        let asked = attend(&mut project(), &inbox, Vec::new(), PATIENCE);
        assert_eq!(asked, Some(Asked::default()));
        for command in [Command::Look, Command::Quit, Command::Look] {
            commands.send(command).unwrap();
        }
        let asked = attend(&mut project(), &inbox, vec![Command::Save], PATIENCE).unwrap();
        assert!(asked.quit && asked.save);
    }
}
