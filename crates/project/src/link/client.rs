//! The side of a language server.

use std::collections::BTreeSet;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::message::{Command, FromEditor, FromWindow};
use super::news::News;
use super::sockets::Sockets;

/// The pause between two searches for a window, and the longest wait for one that does not read.
const PAUSE: Duration = Duration::from_secs(1);

/// A connection to a window of some projects, renewed when it is lost.
pub struct Link {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<Connection>,
    changed: Condvar,
}

#[derive(Default)]
struct Connection {
    projects: BTreeSet<PathBuf>,
    shows_scripts: bool,
    stream: Option<Arc<UnixStream>>,
    has_ended: bool,
}

impl Link {
    /// Starts to search for a window, on a thread of its own; `news` receives what happens.
    ///
    /// # Errors
    /// If the system provides no thread.
    pub fn start(sockets: Sockets, mut news: impl FnMut(News) + Send + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let of_thread = Arc::clone(&shared);
        let builder = thread::Builder::new().name("window".to_owned());
        builder.spawn(move || of_thread.run(&sockets, &mut news))?;
        Ok(Self { shared })
    }

    /// Sets the folders whose scenes belong to the project.
    pub fn set_projects(&self, projects: &BTreeSet<PathBuf>) {
        let mut state = self.shared.state();
        if state.projects != *projects {
            state.projects.clone_from(projects);
            self.shared.changed.notify_all();
        }
    }

    /// Sets if a script is open: only then, the window records values and costs for this editor.
    pub fn set_shows_scripts(&self, shows: bool) {
        let mut state = self.shared.state();
        if std::mem::replace(&mut state.shows_scripts, shows) != shows
            && let Some(stream) = &state.stream
        {
            // The reader notices a lost connection.
            let _ = send(stream, &FromEditor::ShowsScripts(shows));
        }
    }

    /// Sends a command with a number.
    ///
    /// # Errors
    /// If no window is connected.
    pub fn send(&self, id: u64, command: Command) -> Result<(), String> {
        let stream = self.shared.state().stream.clone().ok_or("no window of this project runs")?;
        send(&stream, &FromEditor::Do { id, command })
            .map_err(|error| format!("the window does not answer: {error}"))
    }
}

/// Sends a message, or ends the connection: part of the message may have been sent.
fn send(mut stream: &UnixStream, message: &FromEditor) -> io::Result<()> {
    let sent = stream.write_all((serde_json::to_string(message)? + "\n").as_bytes());
    sent.inspect_err(|_| _ = stream.shutdown(std::net::Shutdown::Both))
}

impl Drop for Link {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.has_ended = true;
        if let Some(stream) = &state.stream {
            let _ = stream.shutdown(std::net::Shutdown::Both);
        }
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, Connection> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, sockets: &Sockets, news: &mut impl FnMut(News)) {
        loop {
            let projects = self.state().projects.clone();
            // A window that does not read, such as a suspended one, must not block the server.
            let connected = sockets.connect(projects.iter());
            let connected = connected.filter(|stream| stream.set_write_timeout(Some(PAUSE)).is_ok());
            if let Some(stream) = connected {
                self.read(stream, news);
            }
            let state = self.state();
            if state.has_ended {
                return;
            }
            // Projects that were added meanwhile are searched at once.
            if state.projects == projects {
                drop(self.changed.wait_timeout(state, PAUSE));
            }
        }
    }

    /// Reads the messages of a window until it ends.
    fn read(&self, stream: UnixStream, news: &mut impl FnMut(News)) {
        let stream = Arc::new(stream);
        {
            let mut state = self.state();
            if state.has_ended {
                return;
            }
            if state.shows_scripts && send(&stream, &FromEditor::ShowsScripts(true)).is_err() {
                return;
            }
            state.stream = Some(Arc::clone(&stream));
        }
        let mut reader = BufReader::new(&*stream);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
            match serde_json::from_slice(&line) {
                Ok(FromWindow::State(state)) => news(News::State(state)),
                Ok(FromWindow::Done { id, error }) => news(News::Done(id, error.map_or(Ok(()), Err))),
                // A window of another version.
                Err(_) => break,
            }
            line.clear();
        }
        self.state().stream = None;
        news(News::Lost);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::super::{Publisher, State};
    use super::*;

    #[test]
    fn a_window_that_does_not_read_is_given_up() {
        let folder = tempfile::tempdir().expect("a folder");
        let sockets = Sockets::in_folder(&folder.path().join("s"));
        let project = folder.path().to_owned();
        let (_suspended, _) = sockets.listen(&project).expect("a socket");
        let link = Link::start(sockets, |_| {}).expect("a thread");
        link.set_projects(&[project].into());
        let draft = || Command::RunBuffer { path: String::new(), text: "x".repeat(1 << 16) };
        let mut refused = (0..).filter_map(|id| link.send(id, draft()).err());
        assert!(refused.any(|error| error.starts_with("the window does not answer")));
    }

    #[test]
    fn a_server_receives_states_and_sends_commands() {
        let folder = tempfile::tempdir().expect("a folder");
        let sockets = Sockets::in_folder(&folder.path().join("s"));
        let project = folder.path().to_owned();
        let mut window = Publisher::open(&sockets, &project).expect("a socket");
        window.publish(|| unreachable!("nobody watches"));
        let (sender, news) = channel();
        let link = Link::start(sockets, move |one| _ = sender.send(one)).expect("a thread");
        assert!(link.send(0, Command::Pause).is_err());
        link.set_projects(&[project].into());
        let mut step = 0;
        let mut publish = |window: &mut Publisher| {
            step += 1;
            window.publish(|| State { step, ..State::default() });
        };
        let first = loop {
            publish(&mut window);
            if let Ok(one) = news.try_recv() {
                break one;
            }
            thread::yield_now();
        };
        assert!(matches!(first, News::State(_)));
        link.send(7, Command::SelectUnit(3)).expect("a window");
        let requested = loop {
            if let Some(requested) = window.request() {
                break requested;
            }
            thread::yield_now();
        };
        assert_eq!(requested.command, Command::SelectUnit(3));
        window.answer(&requested, Err("no".to_owned()));
        let is_done = |one: &News| *one == News::Done(7, Err("no".to_owned()));
        assert!(news.iter().take(9).any(|one| is_done(&one)));
        drop(window);
        assert!(news.iter().any(|one| one == News::Lost));
    }
}
