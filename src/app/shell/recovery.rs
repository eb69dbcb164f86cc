//! Unsaved texts of the editor, stored beside the window's configuration, so that they survive a crash.
//!
//! Each scene has a file of its own. It is written on a separate thread at most once a second, by the function that
//! replaces all files; a killed program loses at most the last second.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::xxh3_64;

use crate::app::model::editor::Unsaved;
use crate::reload::{Place, REPLACED_BYTES, read_plain, replace_file};

/// Least time between two writes.
const INTERVAL: Duration = Duration::from_secs(1);

/// The stored texts of the window.
#[derive(Debug, Default)]
pub(crate) struct Recovery {
    folder: Option<PathBuf>,
    /// The texts that the file of the scene contains, and the time of the last comparison with them.
    stored: Vec<Unsaved>,
    compared: Option<Instant>,
    writer: Option<Writer>,
}

/// The thread that writes.
#[derive(Debug)]
struct Writer {
    texts: Sender<(PathBuf, String)>,
    errors: Receiver<String>,
    thread: JoinHandle<()>,
}

impl Recovery {
    /// The texts in a folder; without one, nothing is stored.
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, ..Self::default() }
    }

    /// Reads the stored texts of a scene.
    ///
    /// # Errors
    /// If there is a file that is not valid, with a message for the user.
    pub(crate) fn read(&mut self, place: &Place) -> Result<Vec<Unsaved>, String> {
        (self.stored, self.compared) = (Vec::new(), None);
        let Some(path) = self.file_of(place).filter(|path| !matches!(path.try_exists(), Ok(false))) else {
            return Ok(Vec::new());
        };
        let invalid = |error: String| format!("unsaved texts in {} cannot be read: {error}", path.display());
        let (bytes, _) = read_plain(&path, REPLACED_BYTES).map_err(|error| invalid(error.to_string()))?;
        let texts: Vec<Unsaved> = ron::de::from_bytes(&bytes).map_err(|error| invalid(error.to_string()))?;
        self.stored.clone_from(&texts);
        Ok(texts)
    }

    /// Stores the unsaved texts of a scene if they have changed; compares them at most once a second.
    ///
    /// # Errors
    /// If they cannot be stored, with a message for the user.
    pub(crate) fn remember(
        &mut self,
        place: &Place,
        texts: impl FnOnce() -> Vec<Unsaved>,
        now: Instant,
    ) -> Result<(), String> {
        if self.compared.is_none_or(|compared| now.saturating_duration_since(compared) >= INTERVAL) {
            self.compared = Some(now);
            let texts = texts();
            if texts != self.stored {
                self.write(place, texts)?;
            }
        }
        let error = self.writer.as_ref().and_then(|writer| writer.errors.try_recv().ok());
        error.map_or(Ok(()), Err)
    }

    fn write(&mut self, place: &Place, texts: Vec<Unsaved>) -> Result<(), String> {
        let Some(path) = self.file_of(place) else {
            return Ok(());
        };
        self.stored = texts;
        let text = ron::to_string(&self.stored).map_err(|error| error.to_string())?;
        if text.len() as u64 > REPLACED_BYTES {
            return Err("the unsaved texts are too long to be stored: save them".to_owned());
        }
        let writer = match self.writer.take() {
            Some(writer) => writer,
            None => Writer::start().map_err(|error| format!("unsaved texts are not stored: {error}"))?,
        };
        // A writer that has ended has sent the reason.
        let _ = writer.texts.send((path, text));
        self.writer = Some(writer);
        Ok(())
    }

    /// Stores the texts immediately, and ends the thread.
    pub(crate) fn finish(&mut self, place: &Place, texts: Vec<Unsaved>) {
        if texts != self.stored {
            // The window closes: a failure cannot be shown any more.
            let _ = self.write(place, texts);
        }
        if let Some(Writer { texts, thread, .. }) = self.writer.take() {
            drop(texts);
            let _ = thread.join();
        }
    }

    /// The file for a scene: its name and a hash of its path.
    fn file_of(&self, place: &Place) -> Option<PathBuf> {
        let path = place.scene.as_ref().map_or_else(|| PathBuf::from(place.scene_name()), PathBuf::clone);
        let hash = xxh3_64(path.as_os_str().as_encoded_bytes());
        let name = place.scene_name();
        let stem: String = name.trim_end_matches(".ron").chars().take(40).collect();
        Some(self.folder.as_ref()?.join(format!("{stem}-{hash:016x}.ron")))
    }
}

impl Writer {
    fn start() -> std::io::Result<Self> {
        let (texts, inbox) = channel::<(PathBuf, String)>();
        let (report, errors) = channel();
        let thread = std::thread::Builder::new().name("unsaved texts".to_owned()).spawn(move || {
            while let Ok(first) = inbox.recv() {
                let (path, text) = inbox.try_iter().last().unwrap_or(first);
                if let Err(error) = store(&path, &text) {
                    let _ =
                        report.send(format!("unsaved texts cannot be stored in {}: {error}", path.display()));
                }
            }
        })?;
        Ok(Self { texts, errors, thread })
    }
}

fn store(path: &Path, text: &str) -> Result<(), String> {
    fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).map_err(|error| error.to_string())?;
    replace_file(path, text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<Unsaved> {
        vec![Unsaved { name: "a.rhai".to_owned(), base: Some("1\r\n".to_owned()), text: text.to_owned() }]
    }

    #[test]
    fn texts_are_stored_at_most_once_a_second_and_by_scene() {
        let folder = tempfile::tempdir().expect("there is a temporary folder");
        let open = || Recovery::new(Some(folder.path().join("unsaved")));
        let (one, other) = (Place::built_in("flock.ron"), Place::of_scene(Path::new("/p/flock.ron")));
        let (mut recovery, start) = (open(), Instant::now());
        assert_eq!(recovery.read(&one), Ok(Vec::new()));
        recovery.remember(&one, || texts("ä\n\"2\""), start).expect("it is stored");
        recovery.remember(&one, || texts("3"), start + INTERVAL / 2).expect("it waits");
        assert_eq!(recovery.stored, texts("ä\n\"2\""));
        recovery.remember(&one, || texts("3"), start + INTERVAL).expect("it is stored");
        recovery.finish(&one, texts("4"));
        assert_eq!(open().read(&one), Ok(texts("4")));
        assert_eq!(open().read(&other), Ok(Vec::new()));
        recovery.finish(&one, Vec::new());
        assert_eq!(open().read(&one), Ok(Vec::new()));
    }

    #[test]
    fn without_a_folder_nothing_is_stored_and_failures_are_reported() {
        let folder = tempfile::tempdir().expect("there is a temporary folder");
        let place = Place::built_in("flock.ron");
        let mut nowhere = Recovery::default();
        assert_eq!(nowhere.remember(&place, || texts("1"), Instant::now()), Ok(()));
        let file = folder.path().join("file");
        fs::write(&file, "").expect("the folder is writable");
        let mut recovery = Recovery::new(Some(file.clone()));
        let mut result = recovery.remember(&place, || texts("1"), Instant::now());
        while result.is_ok() {
            std::thread::yield_now();
            result = recovery.remember(&place, || texts("1"), Instant::now());
        }
        let long = texts(&"x".repeat(2 << 20));
        assert!(recovery.remember(&place, || long, Instant::now() + INTERVAL * 2).is_err());
        let mut recovery = Recovery::new(Some(folder.path().to_owned()));
        fs::write(recovery.file_of(&place).expect("it has a path"), "(").expect("the folder is writable");
        assert!(recovery.read(&place).is_err());
    }
}
