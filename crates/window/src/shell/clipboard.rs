//! The clipboard of the system; without one, a text within the window.
//!
//! A copied text is served by the program that owns it, and a program that hangs does not answer: arboard then waits four
//! seconds for each of six formats. So each read runs on a thread. A press of a key waits for it shortly, as long as nearly all
//! programs need, and a later text is pasted in a later frame.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::Duration;

use arboard::Error;

/// Time for which the press of a key waits for the text.
const PATIENCE: Duration = Duration::from_millis(20);

/// Returns the text of a clipboard.
type Read = dyn Fn() -> Result<String, Error> + Send + Sync;

/// The clipboard of a window.
#[derive(Default)]
pub(crate) struct Clipboard {
    /// The text that was copied last in this window.
    own: String,
    /// Reads the clipboard of the system; `None` for one that only this window has.
    read: Option<Arc<Read>>,
    /// Serves the copied text to other programs.
    server: Option<arboard::Clipboard>,
    /// The result of a read in progress.
    reading: Option<Receiver<Result<String, Error>>>,
}

impl Clipboard {
    /// The clipboard of the system. Nothing is connected before the first use.
    pub(crate) fn of_system() -> Self {
        Self::reading(|| arboard::Clipboard::new()?.get_text())
    }

    /// A clipboard with another source.
    pub(super) fn reading(read: impl Fn() -> Result<String, Error> + Send + Sync + 'static) -> Self {
        Self { read: Some(Arc::new(read)), ..Self::default() }
    }

    /// Copies a text, so that this window and other programs paste it.
    pub(crate) fn copy(&mut self, text: String) {
        if self.read.is_some() && self.server.is_none() {
            self.server = arboard::Clipboard::new().ok();
        }
        if let Some(server) = &mut self.server {
            // This window pastes its own text if the system has no clipboard.
            let _ = server.set_text(text.as_str());
        }
        self.own = text;
    }

    /// Starts to read the present text. Returns it if it arrives in time; otherwise [`Clipboard::late`] returns it.
    pub(super) fn paste(&mut self) -> Option<String> {
        let Some(read) = &self.read else {
            return Some(cleaned(&self.own));
        };
        if self.reading.is_none() {
            let ((report, reading), read) = (channel(), Arc::clone(read));
            let thread = std::thread::Builder::new().name("clipboard".to_owned());
            let started = thread.spawn(move || {
                // Nobody receives a text that arrives after a click.
                let _ = report.send(read());
            });
            if started.is_err() {
                return Some(cleaned(&self.own));
            }
            let found = match reading.recv_timeout(PATIENCE) {
                Ok(found) => found,
                Err(RecvTimeoutError::Disconnected) => Err(Error::ContentNotAvailable),
                Err(RecvTimeoutError::Timeout) => {
                    self.reading = Some(reading);
                    return None;
                }
            };
            return self.text_of(found);
        }
        None
    }

    /// Returns a text that was late, once.
    pub(super) fn late(&mut self) -> Option<String> {
        let found = match self.reading.as_ref()?.try_recv() {
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Err(Error::ContentNotAvailable),
            Ok(found) => found,
        };
        self.reading = None;
        self.text_of(found)
    }

    /// Drops a text that has not arrived yet.
    pub(super) fn cancel(&mut self) {
        self.reading = None;
    }

    fn text_of(&self, found: Result<String, Error>) -> Option<String> {
        match found {
            Ok(text) => Some(cleaned(&text)),
            // There is a picture, or nothing.
            Err(Error::ContentNotAvailable | Error::ConversionFailure) => None,
            Err(_) => Some(cleaned(&self.own)),
        }
    }
}

/// Returns a text with line feeds alone as line ends, and without other control characters than tabs.
fn cleaned(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    if text.chars().any(is_dropped) { text.chars().filter(|c| !is_dropped(*c)).collect() } else { text }
}

fn is_dropped(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_paste_reads_the_present_text_of_the_system() {
        let texts = std::sync::Mutex::new(vec!["2", "1"]);
        let next = move || Ok(texts.lock().expect("no panic").pop().unwrap_or("3").to_owned());
        let mut clipboard = Clipboard::reading(next);
        for text in ["1", "2", "3", "3"] {
            // On a busy machine, a text may be late.
            let pasted = clipboard.paste().unwrap_or_else(|| until_late(&mut clipboard));
            assert_eq!(pasted, text);
        }
    }

    #[test]
    fn a_late_text_is_pasted_once_and_a_hung_owner_delays_nothing_else() {
        let (answer, answers) = channel();
        let answers = std::sync::Mutex::new(answers);
        let mut clipboard =
            Clipboard::reading(move || Ok(answers.lock().expect("no panic").recv().unwrap_or_default()));
        assert_eq!((clipboard.paste(), clipboard.paste(), clipboard.late()), (None, None, None));
        answer.send("late".to_owned()).expect("one read waits");
        assert_eq!(until_late(&mut clipboard), "late");
        assert_eq!(clipboard.late(), None);
        clipboard.paste();
        clipboard.cancel();
        assert!(clipboard.reading.is_none(), "a text that arrives now has no receiver");
        answer.send("canceled".to_owned()).expect("one read waits");
        assert_eq!(clipboard.late(), None);
    }

    #[test]
    fn without_a_clipboard_of_the_system_the_window_has_its_own() {
        let unreachable = || Err(Error::Unknown { description: "no display".to_owned() });
        for mut clipboard in [Clipboard::default(), Clipboard::reading(unreachable)] {
            clipboard.own = "mine".to_owned();
            let pasted = clipboard.paste().unwrap_or_else(|| until_late(&mut clipboard));
            assert_eq!(pasted, "mine");
        }
        let mut picture = Clipboard::reading(|| Err(Error::ContentNotAvailable));
        picture.own = "mine".to_owned();
        assert_eq!(picture.paste(), None, "another program owns a picture");
        while picture.reading.is_some() {
            assert_eq!(picture.late(), None);
        }
    }

    #[test]
    fn pasted_texts_have_plain_line_ends_and_no_control_characters() {
        assert_eq!(cleaned("a\r\nb\rc\n\td"), "a\nb\nc\n\td");
        assert_eq!(cleaned("\0a\u{1b}[31mä\u{7f}\u{85}b\u{feff}"), "a[31mäb\u{feff}");
        let long = "line\r\n".repeat(900_000);
        assert_eq!(cleaned(&long).len(), 5 * 900_000);
    }

    fn until_late(clipboard: &mut Clipboard) -> String {
        loop {
            if let Some(text) = clipboard.late() {
                return text;
            }
            std::thread::yield_now();
        }
    }
}
