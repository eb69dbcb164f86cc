//! The side of the window.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::message::{Command, FromEditor, FromWindow, State};
use super::sockets::{Sockets, connect, is_of_user, remove};

/// The least time between two states: 8 per second at most.
const INTERVAL: Duration = Duration::from_millis(125);
/// Maximum number of editors.
const EDITORS: usize = 16;
/// Maximum length of a message: a text of 4 MiB, escaped.
const MAX_BYTES: u64 = 32 << 20;
/// Longest time for which an editor may not read.
const PATIENCE: Duration = Duration::from_secs(2);
/// Maximum number of commands that wait for the window, and of messages that wait for an editor.
const QUEUED: usize = 64;

/// Publishes the state of a window to the editors of its project, on threads of its own.
pub struct Publisher {
    shared: Arc<Shared>,
    requests: Receiver<Requested>,
    outgoing: Sender<Outgoing>,
    path: PathBuf,
    sent: Option<(Instant, State)>,
}

#[derive(Default)]
struct Shared {
    editors: Mutex<Vec<Editor>>,
    /// The number of editors, readable without waiting.
    count: AtomicUsize,
    /// The number of editors that show a script.
    showing: AtomicUsize,
    /// True if an editor lacks the last state.
    has_new: AtomicBool,
    has_ended: AtomicBool,
}

/// A connected editor. A thread of its own writes to it, so that a slow one delays no other.
struct Editor {
    stream: Arc<UnixStream>,
    lines: SyncSender<Arc<[u8]>>,
    /// True if it has missed a state.
    has_missed: Arc<AtomicBool>,
}

/// A message to one editor, or to all.
type Outgoing = (Option<Arc<UnixStream>>, FromWindow);

/// A command of an editor.
pub struct Requested {
    /// The command.
    pub command: Command,
    id: u64,
    from: Arc<UnixStream>,
}

impl Publisher {
    /// Opens the socket of a window whose scene is in the folder `project`.
    ///
    /// # Errors
    /// If the socket cannot be opened, or the system provides no threads.
    pub fn open(sockets: &Sockets, project: &Path) -> io::Result<Self> {
        let (listener, path) = sockets.listen(project)?;
        let shared = Arc::new(Shared::default());
        let (requested, requests) = sync_channel(QUEUED);
        let (outgoing, to_send) = channel();
        let of_listener = Arc::clone(&shared);
        let builder = || thread::Builder::new().name("editors".to_owned());
        builder().spawn(move || of_listener.accept(&listener, &requested))?;
        let of_writer = Arc::clone(&shared);
        builder().spawn(move || of_writer.write(&to_send))?;
        Ok(Self { shared, requests, outgoing, path, sent: None })
    }

    /// Returns true while an editor is connected.
    pub fn is_watched(&self) -> bool {
        self.shared.count.load(Ordering::Relaxed) > 0
    }

    /// Returns true while a script is open in an editor.
    pub fn shows_scripts(&self) -> bool {
        self.shared.showing.load(Ordering::Relaxed) > 0
    }

    /// Returns the time since the last state was sent.
    pub fn since_sent(&self) -> Duration {
        self.sent.as_ref().map_or(Duration::MAX, |(sent, _)| sent.elapsed())
    }

    /// Returns the step of the last state that was sent.
    pub fn sent_step(&self) -> Option<u64> {
        self.sent.as_ref().map(|(_, state)| state.step)
    }

    /// Returns true if an editor is connected and the last state was sent long enough ago, or before it connected.
    pub fn is_due(&self) -> bool {
        self.is_watched() && (self.since_sent() >= INTERVAL || self.shared.has_new.load(Ordering::Relaxed))
    }

    /// Sends the state that `state` returns, if one is due and this one differs from the last.
    pub fn publish(&mut self, state: impl FnOnce() -> State) {
        if !self.is_due() {
            return;
        }
        let has_new = self.shared.has_new.swap(false, Ordering::Relaxed);
        let state = state();
        if has_new || self.sent.as_ref().is_none_or(|(_, sent)| *sent != state) {
            self.sent = Some((Instant::now(), state.clone()));
            let _ = self.outgoing.send((None, FromWindow::State(Box::new(state))));
        }
    }

    /// Returns the next command of an editor. An editor waits while too many are queued.
    pub fn request(&self) -> Option<Requested> {
        self.requests.try_recv().ok()
    }

    /// Answers a command.
    pub fn answer(&self, requested: &Requested, result: Result<(), String>) {
        let done = FromWindow::Done { id: requested.id, error: result.err() };
        let _ = self.outgoing.send((Some(Arc::clone(&requested.from)), done));
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        self.shared.has_ended.store(true, Ordering::Relaxed);
        // The listener notices it with the next connection.
        let _ = connect(&self.path);
        remove(&self.path);
        for editor in self.shared.editors().iter() {
            let _ = editor.stream.shutdown(std::net::Shutdown::Both);
        }
    }
}

impl Shared {
    fn editors(&self) -> std::sync::MutexGuard<'_, Vec<Editor>> {
        self.editors.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn accept(self: &Arc<Self>, listener: &UnixListener, requested: &SyncSender<Requested>) {
        for stream in listener.incoming() {
            if self.has_ended.load(Ordering::Relaxed) {
                return;
            }
            // An error of one connection, such as too many open files, must not make this a busy loop.
            let Ok(stream) = stream else {
                thread::park_timeout(PATIENCE);
                continue;
            };
            if is_of_user(&stream) && self.editors().len() < EDITORS {
                let (shared, requested) = (Arc::clone(self), requested.clone());
                let builder = thread::Builder::new().name("editor".to_owned());
                let _ = builder.spawn(move || shared.serve(stream, &requested));
            }
        }
    }

    /// Reads the commands of an editor until it ends.
    fn serve(self: &Arc<Self>, stream: UnixStream, requested: &SyncSender<Requested>) {
        let (stream, has_missed) = (Arc::new(stream), Arc::default());
        let (lines, to_write) = sync_channel(QUEUED);
        let editor = Editor { stream: Arc::clone(&stream), lines, has_missed: Arc::clone(&has_missed) };
        let (shared, written) = (Arc::clone(self), Arc::clone(&stream));
        let builder = thread::Builder::new().name("editor".to_owned());
        let writer = builder.spawn(move || shared.feed(&written, &to_write, &has_missed));
        if writer.is_err() || stream.set_write_timeout(Some(PATIENCE)).is_err() {
            return;
        }
        self.editors().push(editor);
        self.has_new.store(true, Ordering::Relaxed);
        self.count.fetch_add(1, Ordering::Relaxed);
        self.read(&stream, requested);
        self.count.fetch_sub(1, Ordering::Relaxed);
        self.editors().retain(|editor| !Arc::ptr_eq(&editor.stream, &stream));
        let _ = stream.shutdown(std::net::Shutdown::Both);
    }

    fn read(&self, stream: &Arc<UnixStream>, requested: &SyncSender<Requested>) {
        let mut reader = BufReader::new(&**stream);
        let mut is_showing = false;
        loop {
            let mut line = Vec::new();
            let read = (&mut reader).take(MAX_BYTES).read_until(b'\n', &mut line);
            match serde_json::from_slice(&line) {
                Ok(FromEditor::ShowsScripts(shows)) if read.is_ok() => {
                    match (std::mem::replace(&mut is_showing, shows), shows) {
                        (false, true) => _ = self.showing.fetch_add(1, Ordering::Relaxed),
                        (true, false) => _ = self.showing.fetch_sub(1, Ordering::Relaxed),
                        _ => {}
                    }
                }
                Ok(FromEditor::Do { id, command }) if read.is_ok() => {
                    let from = Arc::clone(stream);
                    if requested.send(Requested { command, id, from }).is_err() {
                        break;
                    }
                }
                _ => break,
            }
        }
        self.showing.fetch_sub(usize::from(is_showing), Ordering::Relaxed);
    }

    /// Queues messages for the editors. An editor with a full queue misses states; one that misses an answer is disconnected.
    fn write(&self, messages: &Receiver<Outgoing>) {
        for (to, message) in messages {
            let Ok(mut line) = serde_json::to_vec(&message) else { continue };
            line.push(b'\n');
            let line: Arc<[u8]> = line.into();
            let editors = self.editors();
            let is_meant = |editor: &&Editor| to.as_ref().is_none_or(|to| Arc::ptr_eq(to, &editor.stream));
            for editor in editors.iter().filter(is_meant) {
                if editor.lines.try_send(Arc::clone(&line)).is_ok() {
                    continue;
                }
                editor.has_missed.store(true, Ordering::Relaxed);
                if to.is_some() {
                    // Its reader notices that.
                    let _ = editor.stream.shutdown(std::net::Shutdown::Both);
                }
            }
        }
    }

    /// Writes messages to an editor until it is disconnected.
    fn feed(&self, stream: &UnixStream, lines: &Receiver<Arc<[u8]>>, has_missed: &AtomicBool) {
        for line in lines {
            let mut to = stream;
            if to.write_all(&line).is_err() {
                let _ = stream.shutdown(std::net::Shutdown::Both);
                return;
            }
            if has_missed.swap(false, Ordering::Relaxed) {
                self.has_new.store(true, Ordering::Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Opens the socket of a window, and connects editors.
    fn window<const N: usize>(folder: &Path) -> (Publisher, [UnixStream; N]) {
        let window = Publisher::open(&Sockets::in_folder(&folder.join("s")), folder).expect("a socket");
        let editors = std::array::from_fn(|at| {
            let editor = connect(&window.path).expect("a window");
            while window.shared.count.load(Ordering::Relaxed) <= at {
                thread::yield_now();
            }
            editor
        });
        (window, editors)
    }

    #[test]
    fn a_slow_editor_delays_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut window, [mut slow, fast]) = window(folder.path());
        let scene = "x".repeat(1 << 22);
        let (received, states) = channel();
        thread::spawn(move || {
            for line in BufReader::new(fast).lines().map_while(Result::ok) {
                let _ = received.send(line.len());
            }
        });
        let (mut read, mut step) = (0, 0);
        while states.try_iter().count() == 0 {
            step += 1;
            window.publish(|| State { scene: Some(scene.clone()), step, ..State::default() });
            read += slow.read(&mut [0; 64]).expect("a window");
            thread::yield_now();
        }
        assert!(read < scene.len(), "the slow editor has read {read} bytes of its first state");
    }

    #[test]
    fn an_editor_waits_while_too_many_commands_are_queued() {
        let folder = tempfile::tempdir().expect("a folder");
        let (window, [mut editor]) = window(folder.path());
        let command = Command::OpenScene("x".repeat(1 << 15));
        let line = serde_json::to_string(&FromEditor::Do { id: 1, command }).expect("a line") + "\n";
        editor.set_nonblocking(true).expect("a socket");
        let (mut sent, mut refused, bytes) = (0, 0, line.as_bytes());
        while refused < 10_000 && sent < 1000 * bytes.len() {
            match editor.write(&bytes[sent % bytes.len()..]) {
                Ok(count) => (sent, refused) = (sent + count, 0),
                Err(_) => refused += 1,
            }
            thread::yield_now();
        }
        assert!(sent / bytes.len() < 3 * QUEUED, "{} commands", sent / bytes.len());
        let mut received = 0;
        while received < QUEUED {
            received += usize::from(window.request().is_some());
            thread::yield_now();
        }
    }
}
