//! The loader's thread: watches files, composes generations, carries out commands, and sends the results.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::command::Command;
use super::disk::FileWatcher;
use super::draft::Draft;
use super::generation::{Generation, Saved};
use super::project::{LoadError, Project};
use super::replace::tidy;
use super::save::save;
use super::world_sample::SampleRequest;
use crate::diagnostics::{Fault, caught};

/// Message if the loader's thread fails.
pub(super) const ENDED: &str = "reloading has failed: no file is reloaded or saved any more";

/// Channels for the results of the loader's thread.
pub(super) struct Outbox {
    pub(super) generations: Sender<Generation>,
    /// Results of saves that come without a generation.
    pub(super) answers: Sender<Saved>,
    /// Drafts of saves, while `wants_drafts` is set.
    pub(super) drafts: Sender<Generation>,
    pub(super) wants_drafts: Arc<AtomicBool>,
}

/// Runs until there is no receiver. A failure is sent as an answer, as no other will follow.
pub(super) fn serve(
    project: Project,
    wake: Sender<Command>,
    request: &Arc<SampleRequest>,
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
    request: &Arc<SampleRequest>,
    inbox: &Receiver<Command>,
    outbox: &Outbox,
) {
    let early = Arc::clone(request);
    let mut watcher = FileWatcher::new(project.place().watch_set(), move || {
        // Long before the file is reported, so that the sample arrives by then.
        early.make();
        let _ = wake.send(Command::Look);
    });
    if let Some(scene) = &project.place().scene {
        tidy(scene);
    }
    // Files may have changed since they were loaded: all are reported again, including those that were deleted.
    for path in project.script_files() {
        watcher.expect(&path);
    }
    let mut pending = Pending::default();
    let mut draft = None;
    loop {
        let left = watcher.next_deadline().saturating_duration_since(Instant::now());
        let mut commands = pending.take_later();
        match inbox.recv_timeout(if commands.is_empty() { left } else { Duration::ZERO }) {
            Err(RecvTimeoutError::Disconnected) => return,
            Ok(command) => commands.push(command),
            Err(RecvTimeoutError::Timeout) => {}
        }
        // A slider sends a value per frame: only the last one is compiled.
        for command in commands.into_iter().chain(inbox.try_iter()) {
            if command.changes_project() {
                draft = None;
            }
            pending.note(&mut project, command);
        }
        let changes = watcher.poll(Instant::now());
        if !changes.is_empty() {
            match draft.take().and_then(|draft: Draft| draft.confirmed(&changes)) {
                Some(confirmed) => project.adopt(confirmed),
                None => changes.into_iter().for_each(|change| project.set(change)),
            }
        }
        if outbox.wants_drafts.load(Ordering::Relaxed) {
            let drafts = watcher.drafts();
            if !drafts.is_empty() {
                let (prepared, generation) = Draft::prepare(&project, drafts);
                draft = Some(prepared);
                if generation.is_some_and(|generation| outbox.drafts.send(generation).is_err()) {
                    return;
                }
            }
        }
        let polling = watcher.polling();
        pending.generation |= pending.polling != polling || project.has_news();
        pending.polling = polling;
        if pending.waits_for_sample(&project, request) {
            continue;
        }
        let saved = std::mem::take(&mut pending.save).then(|| {
            let name = project.place().scene_name();
            let saving = || write_back(&mut project, &mut watcher, &pending, outbox);
            guarded(&name, "saving has failed", saving)
        });
        if pending.quit {
            if pending.later.is_empty() {
                return;
            }
            continue;
        }
        if (std::mem::take(&mut pending.generation) || saved.is_some())
            && !hand_over(project.compose_or_wait(), &pending, saved, outbox)
        {
            return;
        }
    }
}

/// Work that is still to be done.
#[derive(Debug, Default)]
struct Pending {
    /// A new generation is due.
    generation: bool,
    /// A save is due.
    save: bool,
    /// The thread ends after the save.
    quit: bool,
    /// Edits and saves after the pending save, which are no part of it.
    later: Vec<Command>,
    /// Reason why only polling works, if so.
    polling: Option<String>,
}

impl Pending {
    /// Removes and returns the commands that wait for a save, once it is written.
    fn take_later(&mut self) -> Vec<Command> {
        if self.save { Vec::new() } else { std::mem::take(&mut self.later) }
    }

    /// Carries out a command, or marks it as pending.
    fn note(&mut self, project: &mut Project, command: Command) {
        match command {
            command if self.save && command.changes_project() && !matches!(command, Command::Quit) => {
                self.later.push(command);
            }
            Command::Look => {}
            Command::Save => self.save = true,
            Command::Quit => self.quit = true,
            Command::Sample(running) => project.set_running(*running),
            command => {
                self.generation = true;
                project.count_edit();
                match command {
                    Command::Tune(handle, knob, value) => project.tune(handle, knob, value),
                    Command::Switch(handle, on) => project.switch(handle, on),
                    Command::Untune(handle, knob) => project.untune(&handle, &knob),
                    Command::Edit(edit) => project.edit(&edit),
                    _ => {}
                }
            }
        }
    }

    /// Returns true while a trial run waits for a sample of the running world. There is no time limit: without the
    /// sample, a trial run could reject a script that works.
    fn waits_for_sample(&self, project: &Project, request: &SampleRequest) -> bool {
        if !self.generation && !self.save {
            return false;
        }
        let waits = !self.quit && request.is_polled() && project.wants_sample();
        if waits {
            request.make();
        } else {
            request.withdraw();
        }
        waits
    }
}

/// Sends a generation with the result of a save, or the result alone; returns false if there is no receiver.
fn hand_over(
    composed: Result<Generation, LoadError>,
    pending: &Pending,
    saved: Option<Saved>,
    outbox: &Outbox,
) -> bool {
    match (composed, saved) {
        (Ok(generation), saved) => {
            let polling = pending.polling.clone();
            outbox.generations.send(Generation { polling, saved, ..generation }).is_ok()
        }
        (Err(_), Some(saved)) => outbox.answers.send(saved).is_ok(),
        (Err(_), None) => true,
    }
}

/// Converts a panic in work that needs an answer to a fault.
fn guarded(name: &str, message: &str, work: impl FnOnce() -> Saved) -> Saved {
    let help = "this is a bug in steerbox: please report it";
    caught(work).unwrap_or_else(|| Err(Fault::of_file(name, message).help(help)))
}

/// Saves tuned values, and sends the generation of the file's own new content.
fn write_back(project: &mut Project, watcher: &mut FileWatcher, pending: &Pending, outbox: &Outbox) -> Saved {
    let scene = project.place().scene.clone();
    save(project, &mut |text, generation| {
        if let Some(scene) = &scene {
            watcher.mark_reported(scene, &text);
        }
        if let Some(generation) = generation {
            hand_over(Ok(generation), pending, None, outbox);
        }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::diagnostics::expecting_panics;
    use crate::reload::loader::Loader;
    use crate::reload::place::Place;
    use crate::reload::tuned::KnobName;
    use crate::reload::world_sample::RunningWorld;
    use crate::scene::ParamValue;

    const SCENE: &str = "(world: Plane(size: (100, 100)), bodies: { \"m\": Mover() },
    groups: [(name: \"a\", body: \"m\", count: 3, behaviors: [(script: \"wander\", gain: 0.5)])])";

    fn project() -> Project {
        Project::new(Place { folders: vec!["scripts".into()], ..Place::built_in("flock.ron") })
    }

    #[test]
    fn trial_runs_wait_for_a_sample_if_the_consumer_polls() {
        let (mut project, request) = (project(), SampleRequest::default());
        let mut pending = Pending::default();
        pending.note(&mut project, Command::Save);
        assert!(!pending.waits_for_sample(&project, &request), "there is no consumer");
        assert!(!request.poll());
        assert!(pending.waits_for_sample(&project, &request));
        assert!(request.poll());
        assert!(!Pending::default().waits_for_sample(&project, &request), "there is nothing to do");
        let generation = project.compose().unwrap();
        let sample = generation.start(None).sample();
        project.set_scene(Some(Ok("(".into())));
        assert!(!pending.waits_for_sample(&project, &request), "there is nothing to try");
        project.set_script("cohesion", 0, Some(Ok("fn steer(me, world) { 1 }".into())));
        assert!(pending.waits_for_sample(&project, &request));
        let running = RunningWorld { scene: generation.scene, sample };
        pending.note(&mut project, Command::Sample(Box::new(running)));
        assert!(!pending.waits_for_sample(&project, &request), "the sample has arrived");
        pending.note(&mut project, Command::Quit);
        assert!(pending.quit && pending.save && !pending.generation);
    }

    #[test]
    fn a_save_that_waits_for_a_sample_writes_no_later_edit() {
        let folder = tempfile::tempdir().unwrap();
        let scene = folder.path().join("s.ron");
        std::fs::write(&scene, SCENE).unwrap();
        let (project, generation) = Loader::load(Place::of_scene(&scene), Vec::new()).unwrap();
        let handle = generation.planned().next().unwrap().handle.clone();
        let tune = |gain: f32| Command::Tune(handle.clone(), KnobName::Gain, ParamValue::Number(gain));
        let gain = |project: &mut Project| project.compose().unwrap().planned().next().unwrap().gain;
        let (mut project, mut pending) = (project, Pending::default());
        // Two turns of the loop, between which the sample did not arrive.
        for commands in [[tune(3.0), Command::Save], [tune(5.0), Command::Save]] {
            let commands = pending.take_later().into_iter().chain(commands);
            commands.for_each(|command| pending.note(&mut project, command));
        }
        assert_eq!((gain(&mut project), pending.later.len()), (3.0, 2));
        pending.save = false;
        pending.take_later().into_iter().for_each(|command| pending.note(&mut project, command));
        assert_eq!((gain(&mut project), pending.save), (5.0, true));
        // Also the last save before the end is written.
        let (send, inbox) = mpsc::channel();
        for command in [tune(7.0), Command::Save, tune(9.0), Command::Save, Command::Quit] {
            send.send(command).unwrap();
        }
        let (generations, _ready) = mpsc::channel();
        let (answers, drafts) = (mpsc::channel().0, mpsc::channel().0);
        let outbox = Outbox { generations, answers, drafts, wants_drafts: Arc::default() };
        watch(project, send, &Arc::default(), &inbox, &outbox);
        assert_eq!(std::fs::read_to_string(&scene).unwrap(), SCENE.replace("0.5", "9.0"));
    }

    #[test]
    fn a_save_is_answered_even_if_composition_fails() {
        let (generations, ready) = mpsc::channel();
        let (answers, answered) = mpsc::channel();
        let outbox = Outbox { generations, answers, drafts: mpsc::channel().0, wants_drafts: Arc::default() };
        let pending = Pending::default();
        let saved = || Some(Err(Fault::of_file("s.ron", "no")));
        let nothing = || Err(LoadError(Vec::new()));
        assert!(hand_over(nothing(), &pending, saved(), &outbox));
        assert!(answered.try_recv().is_ok() && ready.try_recv().is_err());
        assert!(hand_over(nothing(), &pending, None, &outbox));
        assert!(hand_over(project().compose(), &pending, saved(), &outbox));
        assert!(ready.try_recv().is_ok_and(|generation| generation.saved.is_some()));
        assert!(answered.try_recv().is_err());
    }

    #[test]
    fn a_panic_is_an_answer() {
        // Without a message on standard error.
        let panicking = || std::panic::resume_unwind(Box::new(()));
        let saved = expecting_panics(|| guarded("s.ron", ENDED, panicking));
        assert_eq!(saved.unwrap_err().message, ENDED);
        assert_eq!(guarded("s.ron", ENDED, || Ok(Vec::new())), Ok(Vec::new()));
    }
}
