//! The loader's thread: watches files, composes generations, carries out commands, and sends the results.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use steerbox_core::diagnostics::{Fault, caught};

use super::command::Command;
use super::disk::FileWatcher;
use super::draft::{Draft, Tentative};
use super::generation::{Generation, Saved};
use super::pending::Pending;
use super::project::{LoadError, Project};
use super::replace::tidy;
use super::save::save;
use super::unsaved::{Checked, Written, write_texts};
use super::world_sample::SampleRequest;

/// Message if the loader's thread fails.
pub(super) const ENDED: &str = "reloading has failed: no file is reloaded or saved any more";

/// Channels for the results of the loader's thread.
pub(super) struct Outbox {
    pub(super) generations: Sender<Generation>,
    /// Results of saves that come without a generation.
    pub(super) answers: Sender<Saved>,
    /// Drafts of saves, while `wants_drafts` is set.
    pub(super) drafts: Sender<Generation>,
    /// Results of checks.
    pub(super) checked: Sender<Checked>,
    /// Results of writes.
    pub(super) written: Sender<Written>,
    pub(super) wants_drafts: Arc<AtomicBool>,
    /// Set when a file is saved with its present content.
    pub(super) rewritten: Arc<AtomicBool>,
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
    project: Project,
    wake: Sender<Command>,
    request: &Arc<SampleRequest>,
    inbox: &Receiver<Command>,
    outbox: &Outbox,
) {
    let mut service = Service::new(project, wake, request, outbox);
    while service.turn(inbox).is_some() {}
}

/// The state of the thread.
struct Service<'a> {
    project: Project,
    wake: Sender<Command>,
    watcher: FileWatcher,
    /// The files named by the scene that the watcher covers.
    data: Vec<PathBuf>,
    pending: Pending,
    /// The last draft, which a save of the same text confirms.
    draft: Option<Draft>,
    request: &'a Arc<SampleRequest>,
    outbox: &'a Outbox,
}

impl<'a> Service<'a> {
    fn new(
        project: Project,
        wake: Sender<Command>,
        request: &'a Arc<SampleRequest>,
        outbox: &'a Outbox,
    ) -> Self {
        let watcher = watcher_of(&project, wake.clone(), request);
        let data = project.data_paths();
        Self { project, wake, watcher, data, pending: Pending::default(), draft: None, request, outbox }
    }

    /// Waits for a command or a file, and carries out all work that is due. Returns `None` if the thread ends.
    fn turn(&mut self, inbox: &Receiver<Command>) -> Option<()> {
        self.receive(inbox)?;
        self.write()?;
        self.read_files();
        self.follow_data();
        self.send_drafts()?;
        let polling = self.watcher.polling();
        self.pending.generation |= self.pending.polling != polling || self.project.has_news();
        self.pending.polling = polling;
        if self.pending.waits_for_sample(&self.project, self.request) {
            return Some(());
        }
        let saved = std::mem::take(&mut self.pending.save).then(|| {
            let name = self.project.place().scene_name();
            let saving = || write_back(&mut self.project, &mut self.watcher, &self.pending, self.outbox);
            guarded(&name, "saving has failed", saving)
        });
        if self.pending.quit {
            return (!self.pending.later.is_empty()).then_some(());
        }
        if std::mem::take(&mut self.pending.generation) || saved.is_some() {
            let composed = self.project.compose_or_wait();
            return hand_over(composed, &self.pending, saved, self.outbox).then_some(());
        }
        Some(())
    }

    /// Writes texts to their files. Returns `None` if there is no receiver.
    fn write(&mut self) -> Option<()> {
        let had_file = self.project.place().scene.is_some();
        for writes in std::mem::take(&mut self.pending.writes) {
            let mut reported = |path: &Path, text: &str| self.watcher.mark_reported(path, text);
            for written in write_texts(&mut self.project, writes, &mut reported) {
                self.outbox.written.send(written).ok()?;
            }
        }
        if !had_file && self.project.place().scene.is_some() {
            self.watcher = watcher_of(&self.project, self.wake.clone(), self.request);
        }
        Some(())
    }

    /// Watches the files that the scene names now.
    fn follow_data(&mut self) {
        let data = self.project.data_paths();
        if data != self.data {
            self.data = data;
            self.watcher = watcher_of(&self.project, self.wake.clone(), self.request);
        }
    }

    /// Waits for commands until a file is due, and notes them. Returns `None` if there is no sender.
    fn receive(&mut self, inbox: &Receiver<Command>) -> Option<()> {
        let left = self.watcher.next_deadline().saturating_duration_since(Instant::now());
        let mut commands = self.pending.take_later();
        match inbox.recv_timeout(if commands.is_empty() { left } else { Duration::ZERO }) {
            Err(RecvTimeoutError::Disconnected) => return None,
            Ok(command) => commands.push(command),
            Err(RecvTimeoutError::Timeout) => {}
        }
        // A slider sends a value per frame: only the last one is compiled.
        for command in commands.into_iter().chain(inbox.try_iter()) {
            if command.changes_project() {
                let draft = self.draft.take();
                if let Some(confirmed) = draft.and_then(|draft| draft.confirmed_by(&command)) {
                    self.project.adopt(confirmed);
                }
            }
            self.pending.note(&mut self.project, command);
        }
        Some(())
    }

    /// Stores the new contents of files; those of the last draft are compiled already.
    fn read_files(&mut self) {
        let changes = self.watcher.poll(Instant::now());
        if self.watcher.take_rewritten() {
            self.outbox.rewritten.store(true, Ordering::Relaxed);
        }
        if changes.is_empty() {
            return;
        }
        let contents = Tentative::Saved(changes);
        match (self.draft.take().and_then(|draft| draft.confirmed(&contents)), contents) {
            (Some(confirmed), _) => self.project.adopt(confirmed),
            (None, Tentative::Saved(changes)) => {
                for change in changes {
                    self.project.set(change);
                }
            }
            (None, Tentative::Typed(..)) => {}
        }
    }

    /// Checks a typed text, and prepares the generations of texts that are not saved completely. Returns `None` if there is
    /// no receiver.
    fn send_drafts(&mut self) -> Option<()> {
        let wants_drafts = self.outbox.wants_drafts.load(Ordering::Relaxed);
        if let Some((name, text)) = self.pending.check.take() {
            let (prepared, generation, checked) = Draft::check(&self.project, name, text);
            self.draft = Some(prepared);
            // The draft is there when the result of the check arrives.
            if let Some(generation) = generation.filter(|_| wants_drafts) {
                self.outbox.drafts.send(generation).ok()?;
            }
            self.outbox.checked.send(checked).ok()?;
        }
        if !wants_drafts {
            return Some(());
        }
        let drafts = self.watcher.drafts();
        if !drafts.is_empty() {
            let (prepared, generation) = Draft::prepare(&self.project, drafts);
            self.draft = Some(prepared);
            if let Some(generation) = generation {
                self.outbox.drafts.send(generation).ok()?;
            }
        }
        Some(())
    }
}

/// Starts to watch the files of a project.
fn watcher_of(project: &Project, wake: Sender<Command>, request: &Arc<SampleRequest>) -> FileWatcher {
    let early = Arc::clone(request);
    let mut watcher = FileWatcher::new(project.watch_set(), move || {
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
    watcher
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

    use steerbox_core::diagnostics::expecting_panics;
    use steerbox_core::world::ParamValue;

    use super::*;
    use crate::reload::loader::Loader;
    use crate::reload::place::Place;
    use crate::reload::tuned::KnobName;
    use crate::reload::world_sample::RunningWorld;

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
        let (checked, written) = (mpsc::channel().0, mpsc::channel().0);
        let (wants_drafts, rewritten) = Default::default();
        let outbox = Outbox { generations, answers, drafts, checked, written, wants_drafts, rewritten };
        watch(project, send, &Arc::default(), &inbox, &outbox);
        assert_eq!(std::fs::read_to_string(&scene).unwrap(), SCENE.replace("0.5", "9.0"));
    }

    #[test]
    fn a_save_is_answered_even_if_composition_fails() {
        let (generations, ready) = mpsc::channel();
        let (answers, answered) = mpsc::channel();
        let (drafts, checked, written) = (mpsc::channel().0, mpsc::channel().0, mpsc::channel().0);
        let (wants_drafts, rewritten) = Default::default();
        let outbox = Outbox { generations, answers, drafts, checked, written, wants_drafts, rewritten };
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
